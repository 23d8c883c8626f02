"""Prints a certificate authority and a certificate for loopback: PEM texts in a JSON object."""
import datetime
import ipaddress
import json

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

made = {}
start = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(hours=1)


def certificate(name, key, issuer, issuer_key, extensions):
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer or subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(start)
        .not_valid_after(start + datetime.timedelta(days=2))
    )
    for extension, critical in extensions:
        builder = builder.add_extension(extension, critical)
    return builder.sign(issuer_key, hashes.SHA256())


def keep(name, key, certificate):
    pem = serialization.Encoding.PEM
    made[f"{name}.crt"] = certificate.public_bytes(pem).decode()
    made[f"{name}.key"] = key.private_bytes(
        pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    ).decode()


authority_key = ec.generate_private_key(ec.SECP256R1())
authority = certificate(
    "test-ca", authority_key, None, authority_key, [(x509.BasicConstraints(True, None), True)]
)
keep("ca", authority_key, authority)

server_key = ec.generate_private_key(ec.SECP256R1())
addresses = [x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
server = certificate(
    "keystone",
    server_key,
    authority.subject,
    authority_key,
    [(x509.SubjectAlternativeName(addresses), False)],
)
keep("server", server_key, server)
print(json.dumps(made))
