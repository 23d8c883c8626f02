"""Serves Keystone on loopback twice: plainly for the test's own questions, and with TLS for everybody else."""
import sys
import threading

import waitress
from werkzeug.serving import make_server

plain, secure, certificate, key = sys.argv[1:5]
# Keystone would take what is left for arguments of its own.
del sys.argv[1:]

from keystone.server.wsgi import initialize_public_application

keystone = initialize_public_application()
free = threading.Lock()


def application(environ, start_response):
    """One request at a time: Keystone keeps the token of a request where all threads see it (`self.token` of its
    AuthContextMiddleware), so that two at once are taken for each other."""
    with free:
        return list(keystone(environ, start_response))


# waitress knows no TLS.
with_tls = make_server(
    "127.0.0.1", int(secure), application, threaded=True, ssl_context=(certificate, key)
)
threading.Thread(target=with_tls.serve_forever, daemon=True).start()
waitress.serve(application, host="127.0.0.1", port=int(plain))
