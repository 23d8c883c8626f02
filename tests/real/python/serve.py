"""Serves Keystone on loopback twice: plainly for the test's own questions, and with TLS for everybody else."""
import sys
import threading

import waitress
from werkzeug.serving import make_server

plain, secure, certificate, key = sys.argv[1:5]
# Keystone would take what is left for arguments of its own.
del sys.argv[1:]

from keystone.server.wsgi import initialize_public_application

application = initialize_public_application()
# waitress knows no TLS.
with_tls = make_server(
    "127.0.0.1", int(secure), application, threaded=True, ssl_context=(certificate, key)
)
threading.Thread(target=with_tls.serve_forever, daemon=True).start()
waitress.serve(application, host="127.0.0.1", port=int(plain))
