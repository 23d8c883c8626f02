"""Serves one replica of Keystone on loopback, for the test's own questions alone."""
import sqlite3
import sys

import waitress

port, database = sys.argv[1:3]
# Keystone would take what is left for arguments of its own.
del sys.argv[1:]

from keystone.server.wsgi import initialize_public_application

# Whoever closes the last connection locks all others out while it cleans up, so that there is always one.
held = sqlite3.connect(database)
held.execute("SELECT count(*) FROM user").fetchall()

# With more threads than one, Keystone takes requests for each other: it keeps the token of one where all see it.
waitress.serve(initialize_public_application(), host="127.0.0.1", port=int(port), threads=1)
