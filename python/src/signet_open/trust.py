# SPDX-License-Identifier: Apache-2.0
"""Which certificates count, and for what."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import Iterable, Iterator, Mapping, Sequence, Union

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, mldsa, mlkem, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, ExtensionOID, SignatureAlgorithmOID

from . import der
from .errors import SignetError

PublicKey = Union[
    rsa.RSAPublicKey,
    ec.EllipticCurvePublicKey,
    ed25519.Ed25519PublicKey,
    mldsa.MLDSA65PublicKey,
    mldsa.MLDSA87PublicKey,
    mlkem.MLKEM768PublicKey,
    mlkem.MLKEM1024PublicKey,
]
SIGNING_KEYS = (
    rsa.RSAPublicKey,
    ec.EllipticCurvePublicKey,
    ed25519.Ed25519PublicKey,
    mldsa.MLDSA65PublicKey,
    mldsa.MLDSA87PublicKey,
)
ML_DSA_KEYS = (mldsa.MLDSA65PublicKey, mldsa.MLDSA87PublicKey)
ML_KEM_KEYS = (mlkem.MLKEM768PublicKey, mlkem.MLKEM1024PublicKey)
RECEIVING_KEYS = (rsa.RSAPublicKey, ec.EllipticCurvePublicKey) + ML_KEM_KEYS
CURVES = {"secp256r1": "P-256", "secp384r1": "P-384", "secp521r1": "P-521"}

_MOST_BYTES = 8_192
_MOST_NAME_ATTRIBUTES = 24
_MOST_ISSUERS = 4
_MOST_VERIFICATIONS = 5
_MOST_FORMER = 64
_HASHES = (hashes.SHA256, hashes.SHA384, hashes.SHA512)
_SIGNATURES_WITHOUT_HASH = {
    SignatureAlgorithmOID.ED25519.dotted_string,
    "2.16.840.1.101.3.4.3.18",  # ML-DSA-65
    "2.16.840.1.101.3.4.3.19",  # ML-DSA-87
}
_UNDERSTOOD = {
    ExtensionOID.BASIC_CONSTRAINTS,
    ExtensionOID.KEY_USAGE,
    ExtensionOID.EXTENDED_KEY_USAGE,
    ExtensionOID.SUBJECT_ALTERNATIVE_NAME,
    ExtensionOID.CERTIFICATE_POLICIES,
}
# by their names, the reasons that leave the key of a revoked certificate right
_KEY_STAYS_RIGHT = {
    "superseded",
    "cessation_of_operation",
    "affiliation_changed",
    "privilege_withdrawn",
    "certificate_hold",
}


def rejected(text: str) -> SignetError:
    return SignetError("signer-rejected", text)


def load_certificate(encoded: bytes) -> x509.Certificate:
    """Parses a certificate of a stranger."""
    if len(encoded) > _MOST_BYTES:
        raise SignetError("malformed", f"envelope: a certificate of more than {_MOST_BYTES} bytes")
    _limit_elements(encoded)
    try:
        certificate = x509.load_der_x509_certificate(encoded)
        attributes = len([*certificate.subject, *certificate.issuer])
        certificate.extensions, certificate.serial_number
    except Exception:  # cryptography raises undocumented exceptions for strange certificates
        raise SignetError("malformed", "envelope: a certificate that cannot be read") from None
    if attributes > _MOST_NAME_ATTRIBUTES:
        raise SignetError(
            "malformed", f"envelope: a certificate with more than {_MOST_NAME_ATTRIBUTES} attributes of names"
        )
    return certificate


def _limit_elements(encoded: bytes, most: int = 512, most_depth: int = 24) -> None:
    data = memoryview(encoded)
    ends = [len(data)]
    at = count = 0
    while at < len(data):
        while at == ends[-1]:
            ends.pop()
        start, end = der.span(data, at, ends[-1])
        count += 1
        if data[at] & 0x20 and end > start:
            ends.append(end)
            at = start
        else:
            at = end
        if count > most or len(ends) > most_depth:
            raise SignetError("malformed", "envelope: a certificate of too many elements")


def name_of(certificate: x509.Certificate) -> str:
    return certificate.subject.rfc4514_string() or "without a name"


@lru_cache(1024)
def key_bytes(certificate: x509.Certificate) -> bytes:
    """The encoded public key: certificates of one key have one."""
    try:
        return certificate.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    except (UnsupportedAlgorithm, ValueError):
        raise rejected(
            f"certificate {name_of(certificate)}: its key is of a kind that Signet does not accept"
        ) from None


@lru_cache(1024)
def key_identifier(certificate: x509.Certificate) -> bytes:
    """The subject key identifier, or the SHA-1 of the public key bits without that extension."""
    try:
        found = certificate.extensions.get_extension_for_class(x509.SubjectKeyIdentifier)
        return found.value.digest
    except x509.ExtensionNotFound:
        info = der.Reader(key_bytes(certificate)).enter(der.SEQUENCE)
        info.any()
        return hashlib.sha1(info.take_bytes(der.BIT_STRING)[1:], usedforsecurity=False).digest()


def public_key(certificate: x509.Certificate) -> PublicKey:
    """Returns the key if the format allows it, and if its numbers are within the limits."""
    problem = "its key is of a kind that Signet does not accept"
    try:
        key = certificate.public_key()
        if isinstance(key, rsa.RSAPublicKey):
            if 2048 <= key.key_size <= 8192 and key.public_numbers().e.bit_length() <= 64:
                return key
            problem = "its RSA key is not of 2,048 to 8,192 bits, or has a long exponent"
        elif isinstance(key, ec.EllipticCurvePublicKey):
            if key.curve.name in CURVES:
                return key
        elif isinstance(key, SIGNING_KEYS + ML_KEM_KEYS):
            return key
    except (UnsupportedAlgorithm, ValueError):
        pass
    raise rejected(f"certificate {name_of(certificate)}: {problem}")


@lru_cache(1024)
def _has_usable_key(certificate: x509.Certificate) -> bool:
    try:
        public_key(certificate)
        return True
    except SignetError:
        return False


def _usage(certificate: x509.Certificate) -> x509.KeyUsage | None:
    try:
        return certificate.extensions.get_extension_for_class(x509.KeyUsage).value
    except x509.ExtensionNotFound:
        return None


def _is_issuer(certificate: x509.Certificate) -> bool:
    try:
        constraints = certificate.extensions.get_extension_for_class(x509.BasicConstraints).value
    except x509.ExtensionNotFound:
        return False
    usage = _usage(certificate)
    return constraints.ca and (usage is None or usage.key_cert_sign)


@dataclass(frozen=True)
class Trust:
    """The certificates that an application trusts, by name, and what it knows of others.

    ``trusted``: for each name the certificates that count by themselves, and that may issue others if they are issuers.
    ``known``: for each name its certificates, the present one first. They are found for messages that only reference them,
    name the parties that a caller allows, and are recipients. They need trust as all others.
    ``revocations``: revocation lists. Immutable, for all threads.
    """

    trusted: Mapping[str, Sequence[x509.Certificate]]
    known: Mapping[str, Sequence[x509.Certificate]] = field(default_factory=dict)
    revocations: Sequence[x509.CertificateRevocationList] = ()
    least_rsa_bits: int = 2048
    curves: frozenset[str] = frozenset(CURVES.values())

    def certificates(self) -> Iterator[x509.Certificate]:
        """All certificates, each key's own ones in the order of the files."""
        for parties in (self.known, self.trusted):
            for certificates in parties.values():
                yield from filter(_has_usable_key, certificates)

    def party(self, name: str) -> list[x509.Certificate]:
        """The present certificate of a name, and the former ones: of the same subject, and not of issuers.

        Empty if there are none. A name in ``known`` means nothing in ``trusted``, which may have the issuer of the party.
        """
        file = self.known.get(name) or self.trusted.get(name) or ()
        former = [
            each
            for each in file[1:]
            if each.subject == file[0].subject and not _is_issuer(file[0]) and not _is_issuer(each)
        ]
        return [*filter(_has_usable_key, (*file[:1], *former[:_MOST_FORMER]))]

    def matches(self, certificate: x509.Certificate, names: Iterable[str]) -> bool:
        """Tells whether a certificate has the key of one of these parties. A name alone proves nothing."""
        key = key_bytes(certificate)
        return any(key_bytes(own) == key for name in names for own in self.party(name))

    def shown_name(self, certificate: x509.Certificate) -> str:
        """The distinguished name if a file of the application binds it to the key, else the identifier of the key."""
        key = key_bytes(certificate)
        if any(key_bytes(own) == key and own.subject == certificate.subject for own in self.certificates()):
            return name_of(certificate)
        return "ski:" + key_identifier(certificate).hex()

    def verify_signer(self, certificate: x509.Certificate, others: Sequence[x509.Certificate], at: datetime) -> None:
        if not isinstance(public_key(certificate), SIGNING_KEYS):
            raise rejected(f"certificate {name_of(certificate)}: its key cannot sign")
        usage = _usage(certificate)
        if usage and not (usage.digital_signature or usage.content_commitment):
            raise rejected(f"certificate {name_of(certificate)}: its key usage does not allow to sign")
        self._verify(certificate, others, at)

    def verify_recipient(self, certificate: x509.Certificate, at: datetime) -> None:
        key = public_key(certificate)
        if not isinstance(key, RECEIVING_KEYS):
            raise rejected(f"certificate {name_of(certificate)}: its key cannot receive")
        usage = _usage(certificate)
        if usage and not (
            usage.key_agreement if isinstance(key, ec.EllipticCurvePublicKey) else usage.key_encipherment
        ):
            raise rejected(f"certificate {name_of(certificate)}: its key usage does not allow to receive")
        self._verify(certificate, (), at)

    def _verify(self, certificate: x509.Certificate, others: Sequence[x509.Certificate], at: datetime) -> None:
        """Finds a path to a trusted certificate. It costs at most five signatures, whatever a stranger sent."""
        self._check(certificate, at)
        path: list[x509.Certificate] | None = [certificate]
        if not self._trusts(certificate):
            problems: list[SignetError] = []
            path = self._path([certificate], others, at, [_MOST_VERIFICATIONS], problems)
            if path is None:
                raise (
                    problems[0]
                    if problems
                    else rejected(f"certificate {name_of(certificate)}: not trusted, and no trusted issuer is known")
                )
        for each in path or ():
            self._check_revocation(each, path or ())

    def _trusts(self, certificate: x509.Certificate) -> bool:
        return any(certificate == own for certificates in self.trusted.values() for own in certificates)

    def _path(
        self,
        path: list[x509.Certificate],
        others: Sequence[x509.Certificate],
        at: datetime,
        budget: list[int],
        problems: list[SignetError],
    ) -> list[x509.Certificate] | None:
        child = path[-1]
        if len(path) > _MOST_ISSUERS:
            return None
        anchors = [own for certificates in self.trusted.values() for own in certificates]
        for issuer in [*anchors, *others]:
            if (
                issuer in path
                or issuer.subject != child.issuer
                or not _is_issuer(issuer)
                or not _may_issue(issuer, path)
            ):
                continue
            try:
                self._check(issuer, at)
            except SignetError as problem:
                problems.append(problem)
                continue
            if not self._issued(child, issuer, budget):
                continue
            if self._trusts(issuer):
                return [*path, issuer]
            found = self._path([*path, issuer], others, at, budget, problems)
            if found:
                return found
        return None

    def _issued(self, child: x509.Certificate, issuer: x509.Certificate, budget: list[int]) -> bool:
        try:
            hash_algorithm = child.signature_hash_algorithm
        except (UnsupportedAlgorithm, ValueError):
            return False
        if hash_algorithm is None:
            if child.signature_algorithm_oid.dotted_string not in _SIGNATURES_WITHOUT_HASH:
                return False
        elif not isinstance(hash_algorithm, _HASHES):
            return False
        if budget[0] == 0:
            raise rejected(f"a path of certificates that takes more than {_MOST_VERIFICATIONS} signatures")
        budget[0] -= 1
        try:
            child.verify_directly_issued_by(issuer)
            return True
        except (InvalidSignature, ValueError, TypeError, UnsupportedAlgorithm):
            return False

    def _check(self, certificate: x509.Certificate, at: datetime) -> None:
        """Checks what holds for each certificate of a path."""
        name = name_of(certificate)
        key = public_key(certificate)
        if isinstance(key, rsa.RSAPublicKey) and key.key_size < self.least_rsa_bits:
            raise rejected(f"certificate {name}: its RSA key has fewer than {self.least_rsa_bits} bits")
        if isinstance(key, ec.EllipticCurvePublicKey) and CURVES[key.curve.name] not in self.curves:
            raise rejected(f"certificate {name}: its curve {CURVES[key.curve.name]} is not allowed")
        if not certificate.not_valid_before_utc <= at <= certificate.not_valid_after_utc:
            raise rejected(
                f"certificate {name}: valid from {certificate.not_valid_before_utc:%Y-%m-%dT%H:%M:%SZ} to "
                f"{certificate.not_valid_after_utc:%Y-%m-%dT%H:%M:%SZ} only"
            )
        for extension in certificate.extensions:
            if extension.oid == ExtensionOID.NAME_CONSTRAINTS:
                raise rejected(f"certificate {name}: has name constraints, which signet-open does not judge")
            if extension.critical and extension.oid not in _UNDERSTOOD:
                raise rejected(f"certificate {name}: an unknown critical extension {extension.oid.dotted_string}")
            if isinstance(extension.value, x509.ExtendedKeyUsage) and not (
                {ExtendedKeyUsageOID.EMAIL_PROTECTION, ExtendedKeyUsageOID.ANY_EXTENDED_KEY_USAGE}
                & set(extension.value)
            ):
                raise rejected(f"certificate {name}: its extended key usage does not allow mail")

    def _check_revocation(self, certificate: x509.Certificate, path: Sequence[x509.Certificate]) -> None:
        """A list revokes, also after its next update. None is required, as in a home without ``trust.json``."""
        if not self.revocations:
            return
        key = key_bytes(certificate)
        for own in [certificate, *(each for each in self.certificates() if key_bytes(each) == key)]:
            for revocations in self.revocations:
                entry = revocations.get_revoked_certificate_by_serial_number(own.serial_number)
                if entry is None or revocations.issuer != own.issuer:
                    continue
                if own != certificate and _reason(entry) in _KEY_STAYS_RIGHT:
                    continue
                for issuer in [*path, *self.certificates()]:
                    if issuer.subject == own.issuer and _signed(revocations, issuer):
                        raise rejected(
                            f"certificate {name_of(certificate)}: revoked on {entry.revocation_date_utc:%Y-%m-%d}"
                        )


def _signed(revocations: x509.CertificateRevocationList, issuer: x509.Certificate) -> bool:
    """Tells whether a list is the issuer's. One that cannot be judged counts, because it names a certificate as revoked."""
    try:
        return revocations.is_signature_valid(issuer.public_key())  # type: ignore[arg-type]
    except (TypeError, ValueError, UnsupportedAlgorithm):
        return True


def _reason(entry: x509.RevokedCertificate) -> str | None:
    try:
        return entry.extensions.get_extension_for_class(x509.CRLReason).value.reason.name
    except x509.ExtensionNotFound:
        return None


def _may_issue(issuer: x509.Certificate, path: Sequence[x509.Certificate]) -> bool:
    """The path length: how many issuers may stand between this one and the end; self-issued ones do not count."""
    most = issuer.extensions.get_extension_for_class(x509.BasicConstraints).value.path_length
    between = sum(1 for certificate in path[1:] if certificate.subject != certificate.issuer)
    return most is None or between <= most
