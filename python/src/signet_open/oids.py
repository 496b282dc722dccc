# SPDX-License-Identifier: Apache-2.0
"""Object identifiers and algorithm identifiers, each in DER."""

from .der import NULL, element, number, octets, oid, sequence

NO_PARAMETERS = element(NULL)

DATA = oid("1.2.840.113549.1.7.1")
SIGNED_DATA = oid("1.2.840.113549.1.7.2")
AUTH_ENVELOPED_DATA = oid("1.2.840.113549.1.9.16.1.23")
HASH_LIST = oid("2.25.177231365199886292004068602655294470755.1")
LISTED_ENTITY = oid("2.25.177231365199886292004068602655294470755.2")

CONTENT_TYPE = oid("1.2.840.113549.1.9.3")
MESSAGE_DIGEST = oid("1.2.840.113549.1.9.4")
SIGNING_TIME = oid("1.2.840.113549.1.9.5")
SIGNING_CERTIFICATE_V2 = oid("1.2.840.113549.1.9.16.2.47")

SHA_512 = oid("2.16.840.1.101.3.4.2.3")
SHA_256 = oid("2.16.840.1.101.3.4.2.1")
SHA_1 = oid("1.3.14.3.2.26")
SHA_512_DIGEST = sequence(SHA_512)
SHA_512_FORMS = (SHA_512_DIGEST, sequence(SHA_512, NO_PARAMETERS))
SHA_256_FORMS = (sequence(SHA_256), sequence(SHA_256, NO_PARAMETERS))

RSA = oid("1.2.840.113549.1.1.1")
RSA_SHA_512 = sequence(oid("1.2.840.113549.1.1.13"), NO_PARAMETERS)
RSA_SIGNATURES = (RSA_SHA_512, sequence(RSA, NO_PARAMETERS), sequence(RSA))
PSS = oid("1.2.840.113549.1.1.10")
MGF1 = oid("1.2.840.113549.1.1.8")


def _pss(digest: bytes) -> bytes:
    mask = sequence(MGF1, digest)
    return sequence(PSS, sequence(element(0xA0, digest), element(0xA1, mask), element(0xA2, number(64))))


PSS_SHA_512 = tuple(_pss(digest) for digest in SHA_512_FORMS)
ECDSA_SHA_512 = sequence(oid("1.2.840.10045.4.3.4"))
ED25519 = sequence(oid("1.3.101.112"))
ML_DSA_65 = sequence(oid("2.16.840.1.101.3.4.3.18"))
ML_DSA_87 = sequence(oid("2.16.840.1.101.3.4.3.19"))

OAEP = oid("1.2.840.113549.1.1.7")


def _oaep(digest: bytes, *label: bytes) -> bytes:
    return sequence(OAEP, sequence(element(0xA0, digest), element(0xA1, sequence(MGF1, digest)), *label))


OAEP_SHA_256 = _oaep(SHA_256_FORMS[0])
OAEP_FORMS = tuple(_oaep(digest) for digest in SHA_256_FORMS)
LEGACY_TRANSPORT = (
    sequence(RSA, NO_PARAMETERS),
    sequence(OAEP),
    sequence(OAEP, sequence()),
    _oaep(
        sequence(SHA_1, NO_PARAMETERS),
        element(0xA2, sequence(oid("1.2.840.113549.1.1.9"), octets(b""))),
    ),
)

EC_PUBLIC_KEY = oid("1.2.840.10045.2.1")
ECDH = {
    oid("1.3.132.1.11.1"): "SHA256",
    oid("1.3.132.1.11.2"): "SHA384",
    oid("1.3.132.1.11.3"): "SHA512",
}
ECDH_SHA_256 = oid("1.3.132.1.11.1")
ECDH_SHA_1 = oid("1.3.133.16.840.63.0.2")
AES_256_WRAP = sequence(oid("2.16.840.1.101.3.4.1.45"))
AES_256_GCM = oid("2.16.840.1.101.3.4.1.46")

KEM_RECIPIENT = oid("1.2.840.113549.1.9.16.13.3")
ML_KEM_768 = sequence(oid("2.16.840.1.101.3.4.4.2"))
ML_KEM_1024 = sequence(oid("2.16.840.1.101.3.4.4.3"))
HKDF_SHA_256 = sequence(oid("1.2.840.113549.1.9.16.3.28"))
