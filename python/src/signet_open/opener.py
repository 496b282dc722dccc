# SPDX-License-Identifier: Apache-2.0
"""Opens envelopes."""

from __future__ import annotations

import hashlib
import hmac
import io
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from pathlib import Path
from typing import BinaryIO, Callable, Iterator, Mapping, Sequence

from asn1crypto import core
from cryptography import x509
from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, mldsa, mlkem, padding, rsa
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.kdf.x963kdf import X963KDF
from cryptography.hazmat.primitives.keywrap import InvalidUnwrap, aes_key_unwrap
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from . import cms, der, oids
from .der import SEQUENCE
from .entity import SEGMENT_BYTES, Entity, HiddenValue, encode, read, read_hidden
from .errors import SignetError, forged, malformed
from .home import Home, Identity, Keys
from .trust import ML_DSA_KEYS, Trust, key_identifier, public_key

_MOST_SHORT_SEGMENTS = 16
_MOST_SEGMENT_ENVELOPE = 2_097_152
_MOST_STREAMED_ENVELOPE = 68_157_440
_KEY_OPERATIONS = 2
_SIGNATURES = 3

#: The qualities that suffice for each one that a caller can ask for.
SUFFICIENT: Mapping[str, tuple[str, ...]] = {
    "integrity": ("integrity", "privacy"),
    "confidentiality": ("confidentiality", "authenticity", "privacy"),
    "authenticity": ("authenticity", "privacy"),
    "privacy": ("privacy",),
}


@dataclass(frozen=True)
class OpenedMessage:
    """A message that passed all checks, or one segment of a large one.

    ``signer`` is the distinguished name that the files of the application bind to the signer's key, or ``ski:`` and the key's
    identifier; None if the quality proves no signer. ``proof`` is ``signature`` or ``agreement``, or None. ``sender`` is the
    user that a broker authenticated; it is None unless one of the named brokers signed. ``body`` says what the payload is.
    """

    payload: bytes
    quality: str
    address: str
    message_id: str
    body: str
    content_type: str
    signer: str | None = None
    signer_certificate: x509.Certificate | None = None
    proof: str | None = None
    sender: str | None = None
    signed_at: datetime | None = None
    policy: str | None = None
    properties: Mapping[str, str] = field(default_factory=dict)
    hidden: Mapping[str, HiddenValue] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The text of a text message. Raises SignetError (``malformed``) for another kind of body."""
        try:
            if self.body == "jms/text-utf16":
                return self.payload.decode("utf-16-be", "surrogatepass")
            if self.body in ("jms/text", "mqtt", "bytes", "jms/bytes"):
                return self.payload.decode()
        except UnicodeDecodeError:
            pass
        raise malformed(f"message: its body {self.body} is no text")


class _Budget:
    """What one message may cost, and again each full segment."""

    def __init__(self) -> None:
        self.operations = _KEY_OPERATIONS
        self.signatures = _SIGNATURES
        self.agreed: dict[tuple[bytes, bytes], bytes] = {}

    def full_segment(self) -> None:
        self.operations += _KEY_OPERATIONS
        self.signatures += _SIGNATURES

    def operation(self) -> None:
        if self.operations == 0:
            raise forged()
        self.operations -= 1

    def signature(self) -> None:
        if self.signatures == 0:
            raise malformed("segment: the short segments take more signatures than a message may")
        self.signatures -= 1


@dataclass(frozen=True)
class _Wanted:
    address: str
    quality: str
    signers: tuple[str, ...]
    brokers: tuple[str, ...]
    both: bool
    pss: bool


@dataclass(frozen=True)
class _Part:
    entity: Entity
    quality: str
    certificate: x509.Certificate | None
    proof: str | None
    signed_at: datetime | None
    companion: x509.Certificate | None = None


class Opener:
    """Opens envelopes for one application. One opener serves all threads; it keeps no message."""

    def __init__(
        self,
        identities: Sequence[Identity],
        trust: Trust,
        *,
        clock: Callable[[], datetime] = lambda: datetime.now(timezone.utc),
    ) -> None:
        keys = Keys(tuple(identities), trust)
        self._keys: Callable[[], Keys] = lambda: keys
        self._clock = clock

    @classmethod
    def from_home(cls, home: str | Path, identity: str, password: str) -> Opener:
        """Opens with the keys and the trust of a home folder that ``signet`` made. Changes of its files count within a second."""
        opener = cls((), Trust({}))
        opener._keys = Home(home, identity, password).keys
        return opener

    def open(
        self,
        body: bytes,
        *,
        address: str,
        quality: str,
        signers: Sequence[str] = (),
        brokers: Sequence[str] = (),
        both: bool = False,
        pss: bool = False,
    ) -> OpenedMessage:
        """Opens a message, or raises SignetError and releases nothing.

        ``body`` is the whole body; large messages may have several segments. ``address`` is the one that the message was
        received from, in the spelling of Artemis. ``quality`` is the least one that counts. ``signers`` are the parties of
        the home that may sign; empty lets every trusted certificate sign. ``brokers`` are those whose word on the sender
        counts. ``both``: the policy requires both classical and post-quantum keys, of the parties NAME and NAME.pq. ``pss``:
        RSA signatures must be of PSS.
        """
        parts = list(
            self.parts(
                io.BytesIO(body),
                address=address,
                quality=quality,
                signers=signers,
                brokers=brokers,
                both=both,
                pss=pss,
                most=max(len(body), _MOST_STREAMED_ENVELOPE),
            )
        )
        return replace(parts[0], payload=b"".join(part.payload for part in parts)) if len(parts) > 1 else parts[0]

    def parts(
        self,
        stream: BinaryIO,
        *,
        address: str,
        quality: str,
        signers: Sequence[str] = (),
        brokers: Sequence[str] = (),
        both: bool = False,
        pss: bool = False,
        most: int = _MOST_STREAMED_ENVELOPE,
    ) -> Iterator[OpenedMessage]:
        """Opens a large message segment by segment, in the memory of one.

        What was returned is genuine. A SignetError behind it says that the message does not end there: do not take the parts
        for the whole.
        """
        if quality not in SUFFICIENT:
            raise ValueError(f"quality {quality!r}: one of {', '.join(SUFFICIENT)}")
        if isinstance(signers, str) or isinstance(brokers, str):
            raise ValueError("signers and brokers are lists of names")
        if quality == "confidentiality" and (signers or brokers):
            raise ValueError(
                "confidentiality proves no signer: ask for authenticity or privacy, or leave signers and brokers out"
            )
        if both and quality == "authenticity":
            raise ValueError(
                "authenticity proves the sender by elliptic curves alone: ask for privacy of both kinds of keys"
            )
        wanted = _Wanted(address, quality, tuple(signers), tuple(brokers), both, pss)
        return self._parts(_Splitter(stream, most), wanted)

    def _parts(self, envelopes: _Splitter, wanted: _Wanted) -> Iterator[OpenedMessage]:
        keys = self._keys()
        budget = _Budget()
        first: _Part | None = None
        number = short = 0
        while True:
            envelope = envelopes.next(is_one_of_several=number > 0)
            number += 1
            try:
                part = _Opening(keys, wanted, self._clock(), budget).open(envelope)
            except SignetError:
                raise
            except Exception as failure:  # a library that raises what it does not document
                raise SignetError("internal", f"envelope: not opened: {type(failure).__name__}") from failure
            segment = part.entity.segment
            if first is None:
                first = part
            elif not _same_message(first, part):
                raise malformed("segment: of another message, or with other header lines than the first one")
            if segment is None and number > 1:
                raise malformed("segment: without a number")
            if segment is not None and segment[0] != number:
                raise malformed(f"segment: number {segment[0]} in place of {number}")
            is_last = segment is None or segment[1]
            if envelopes.more == is_last:
                raise malformed(
                    "segment: bytes behind the end of the message"
                    if is_last
                    else f"segment: the message ends after number {number}, before its last"
                )
            if envelopes.more and len(envelope) > _MOST_SEGMENT_ENVELOPE:
                raise malformed(f"segment: more than {_MOST_SEGMENT_ENVELOPE} bytes of an envelope")
            if len(part.entity.payload) == SEGMENT_BYTES:
                budget.full_segment()
                short = 0
            else:
                short += 1
            if short > _MOST_SHORT_SEGMENTS:
                raise malformed(f"segment: more than {_MOST_SHORT_SEGMENTS} that are not full")
            yield self._message(part, wanted, keys.trust)
            if is_last:
                return

    @staticmethod
    def _message(part: _Part, wanted: _Wanted, trust: Trust) -> OpenedMessage:
        entity, certificate = part.entity, part.certificate
        hidden = next((value for name, value in entity.properties.items() if name.lower() == "hidden"), None)
        return OpenedMessage(
            payload=entity.payload,
            quality=part.quality,
            address=entity.address,
            message_id=entity.message_id,
            body=entity.body,
            content_type=entity.content_type,
            signer=trust.shown_name(certificate) if certificate else None,
            signer_certificate=certificate,
            proof=part.proof,
            sender=entity.claimed_sender
            if certificate and wanted.brokers and trust.matches(certificate, wanted.brokers)
            else None,
            signed_at=part.signed_at,
            policy=entity.policy,
            properties={name: value for name, value in entity.properties.items() if name.lower() != "hidden"},
            hidden={} if hidden is None else read_hidden(hidden),
        )


def _same_message(first: _Part, part: _Part) -> bool:
    return replace(part.entity, payload=b"", segment=None) == replace(first.entity, payload=b"", segment=None) and (
        part.quality,
        part.certificate,
        part.companion,
    ) == (first.quality, first.certificate, first.companion)


class _Splitter:
    """Reads the envelopes of a stream one by one. A length that lies takes no memory."""

    def __init__(self, stream: BinaryIO, most: int) -> None:
        self._stream = stream
        self._most = most
        self._ahead = b""
        self.more = True

    def _read(self, length: int) -> bytearray:
        data = bytearray(self._ahead)
        self._ahead = b""
        while len(data) < length:
            piece = self._stream.read(min(length - len(data), 65_536))
            if not piece:
                break
            data += piece
        self._ahead = bytes(data[length:])
        return data[:length]

    def next(self, is_one_of_several: bool) -> bytes:
        head = self._read(20)
        if not is_one_of_several and not cms.begins_as_envelope(bytes(head)):
            raise SignetError("unprotected", "message: in clear, and not protected as the caller asks for")
        length = 2 + (head[1] & 0x7F) if len(head) > 2 and head[1] & 0x80 else 2
        if head[:1] != b"\x30" or head[1:2] == b"\x80" or length > 6 or len(head) < length:
            raise malformed("envelope: no definite length of at most four bytes")
        whole = length + (int.from_bytes(head[2:length], "big") if length > 2 else head[1])
        if whole > (_MOST_SEGMENT_ENVELOPE if is_one_of_several else self._most):
            raise malformed("envelope: longer than this reader takes")
        self._ahead = bytes(head) + self._ahead
        envelope = self._read(whole)
        if len(envelope) < whole:
            raise malformed("envelope: it ends before its length")
        if not self._ahead:
            self._ahead = bytes(self._stream.read(1))
        self.more = bool(self._ahead)
        return bytes(envelope)


class _Opening:
    """Applies the rules of opening to one envelope, in their order."""

    def __init__(self, keys: Keys, wanted: _Wanted, now: datetime, budget: _Budget) -> None:
        self._keys = keys
        self._trust = keys.trust
        self._wanted = wanted
        self._now = now
        self._budget = budget

    def open(self, envelope: bytes) -> _Part:
        is_encrypted, structure = cms.content_info(memoryview(envelope))
        if not is_encrypted:
            signed = cms.signed(structure, 2 if self._wanted.both else 1)
            self._require_quality("integrity")
            return self._signed("integrity", signed)
        outer = cms.encrypted(structure)
        if not self._wanted.both:
            content, infos = self._decrypt(outer, is_outer=False)
            return self._inside(content, infos)
        if not all(outer.is_kem):
            raise SignetError("policy-violation", "envelope: encrypted once, where both kinds of keys are required")
        inner_envelope, _ = self._decrypt(outer, is_outer=True)
        is_encrypted, structure = cms.content_info(inner_envelope)
        inner = cms.encrypted(structure)
        if any(inner.is_kem):
            raise malformed("envelope: the inner one is for post-quantum keys, too")
        content, infos = self._decrypt(inner, is_outer=False)
        return self._inside(content, infos)

    def _inside(self, content: memoryview, infos: Sequence[cms.Agreement]) -> _Part:
        if content[0] == SEQUENCE:
            _, structure = cms.content_info(content)
            return self._signed("privacy", cms.signed(structure, 2 if self._wanted.both else 1))
        sender = None if self._wanted.both else self._proved_sender(infos)  # elliptic curves alone prove none for both
        self._require_quality("authenticity" if sender else "confidentiality")
        if sender and self._wanted.quality == "authenticity":
            self._require_listed(sender)
        entity = self._entity(content)
        return _Part(
            entity,
            "authenticity" if sender else "confidentiality",
            sender,
            "agreement" if sender else None,
            None,
        )

    def _require_quality(self, quality: str) -> None:
        if quality not in SUFFICIENT[self._wanted.quality]:
            raise SignetError("policy-violation", f"envelope: {quality}, where {self._wanted.quality} is required")

    def _require_listed(self, certificate: x509.Certificate) -> None:
        if self._wanted.signers and not self._trust.matches(certificate, self._wanted.signers):
            raise SignetError(
                "signer-not-authorized",
                f"signer {self._trust.shown_name(certificate)}: not one of the signers that are allowed",
            )

    def _entity(self, content: memoryview) -> Entity:
        entity = read(content)
        if encode(entity.address) != encode(self._wanted.address):
            raise SignetError(
                "address-mismatch", f"message: sealed for {entity.address}, received from {self._wanted.address}"
            )
        return entity

    # signatures

    def _signed(self, quality: str, signed: cms.Signed) -> _Part:
        self._require_quality(quality)
        digest = hashlib.sha512(signed.covered).digest()
        for signature in signed.signatures:
            if not hmac.compare_digest(digest, signature.digest):
                raise forged()
        if signed.is_list and not signed.lists_entity():
            raise forged()
        if self._wanted.both and len(signed.signatures) != 2:
            raise SignetError("policy-violation", "envelope: one signature, where both kinds of keys are required")
        if self._wanted.both and [signature.is_ml_dsa for signature in signed.signatures] != [False, True]:
            raise malformed("envelope: not one classical signature and then one of ML-DSA")
        self._budget.signature()
        certificates = []
        for signature in signed.signatures:
            certificate = self._signer(signature, signed.certificates)
            self._verify(signature, certificate)
            certificates.append(certificate)
        for certificate in certificates:
            self._trust.verify_signer(certificate, [c for c in signed.certificates if c != certificate], self._now)
        if self._wanted.both:
            self._require_both_listed(certificates)
        else:
            self._require_listed(certificates[0])
        if self._wanted.pss and signed.signatures[0].algorithm in oids.RSA_SIGNATURES:
            raise SignetError("policy-violation", "envelope: padding of PKCS #1, where PSS is required")
        time = signed.signatures[0].signing_time
        return _Part(
            self._entity(signed.entity),
            quality,
            certificates[0],
            "signature",
            _time(time) if time else None,
            certificates[1] if self._wanted.both else None,
        )

    def _require_both_listed(self, certificates: Sequence[x509.Certificate]) -> None:
        names = self._wanted.signers
        if not names:
            names = tuple(name for name in {**self._trust.known, **self._trust.trusted} if not name.endswith(".pq"))
        for name in names:
            if self._trust.matches(certificates[0], [name]) and self._trust.matches(
                certificates[1], [f"{name}.pq"] if self._trust.party(f"{name}.pq") else []
            ):
                return
        raise SignetError("signer-not-authorized", "signers: no party NAME with NAME.pq that is allowed has both keys")

    def _signer(self, signature: cms.Signature, carried: Sequence[x509.Certificate]) -> x509.Certificate:
        found = [certificate for certificate in carried if signature.signer.names(certificate)]
        if len({certificate.public_bytes(Encoding.DER) for certificate in found}) > 1:
            raise malformed("envelope: several certificates for one signer")
        if not carried:
            found = [certificate for certificate in self._trust.certificates() if signature.signer.names(certificate)]
        if not found:
            raise SignetError(
                "signer-rejected", "signer: its certificate is not in the message, or not known if the message has none"
            )
        wanted = signature.certificate_hash
        for certificate in found:
            if wanted is None or hmac.compare_digest(certificate.fingerprint(hashes.SHA256()), wanted):
                return certificate
        raise forged()

    @staticmethod
    def _verify(signature: cms.Signature, certificate: x509.Certificate) -> None:
        key = public_key(certificate)
        algorithm, value, covered = signature.algorithm, signature.value, signature.attributes
        try:
            if isinstance(key, rsa.RSAPublicKey) and algorithm in oids.RSA_SIGNATURES:
                key.verify(value, covered, padding.PKCS1v15(), hashes.SHA512())
            elif isinstance(key, rsa.RSAPublicKey) and algorithm in oids.PSS_SHA_512:
                key.verify(value, covered, padding.PSS(padding.MGF1(hashes.SHA512()), 64), hashes.SHA512())
            elif isinstance(key, ec.EllipticCurvePublicKey) and algorithm == oids.ECDSA_SHA_512:
                key.verify(value, covered, ec.ECDSA(hashes.SHA512()))
            elif isinstance(key, ed25519.Ed25519PublicKey) and algorithm == oids.ED25519:
                key.verify(value, covered)
            elif (
                isinstance(key, mldsa.MLDSA65PublicKey)
                and algorithm == oids.ML_DSA_65
                or isinstance(key, mldsa.MLDSA87PublicKey)
                and algorithm == oids.ML_DSA_87
            ):
                assert isinstance(key, ML_DSA_KEYS)
                key.verify(value, covered)
            else:
                raise malformed("envelope: a signature algorithm that is unknown, or not of the signer's key")
        except InvalidSignature:
            raise forged() from None

    # encryption

    def _decrypt(self, envelope: cms.Encrypted, is_outer: bool) -> tuple[memoryview, Sequence[cms.Agreement]]:
        """Returns the content, and the agreement that may prove the sender: the only recipient info, if it is one."""
        tries = self._tries(envelope)
        if not tries:
            names = ", ".join(identity.certificate.subject.rfc4514_string() for identity in self._keys.identities)
            raise SignetError("not-a-recipient", f"envelope: encrypted for other recipients than [{names}]")
        for count, (identity, info, wrapped) in enumerate(tries):
            if count == 2:
                break
            key = self._data_key(identity, info, wrapped)
            if key is None:
                continue
            try:
                opened = AESGCM(key).decrypt(envelope.nonce, envelope.ciphertext + envelope.tag, None)
            except InvalidTag:
                raise forged() from None
            content = memoryview(opened)
            if not cms.commits(content, is_outer):
                raise malformed("envelope: its content does not commit to one key, or is of no form")
            is_alone = len(envelope.infos) == 1 and isinstance(info, cms.Agreement)
            return content, [info] if is_alone and isinstance(info, cms.Agreement) else []
        raise forged()

    def _tries(
        self, envelope: cms.Encrypted
    ) -> list[tuple[Identity, cms.Transport | cms.Agreement | cms.Encapsulation, bytes]]:
        tries: list[tuple[Identity, cms.Transport | cms.Agreement | cms.Encapsulation, bytes]] = []
        for identity in self._keys.identities:
            for info in envelope.infos:
                if isinstance(info, cms.Agreement) and isinstance(identity.key, ec.EllipticCurvePrivateKey):
                    tries += [(identity, info, key) for party, key in info.own if party.names(identity.certificate)]
                elif isinstance(info, cms.Transport) and isinstance(identity.key, rsa.RSAPrivateKey):
                    if info.recipient.names(identity.certificate):
                        tries.append((identity, info, info.wrapped))
                elif isinstance(info, cms.Encapsulation) and (
                    isinstance(identity.key, mlkem.MLKEM768PrivateKey)
                    and info.kem == oids.ML_KEM_768
                    or isinstance(identity.key, mlkem.MLKEM1024PrivateKey)
                    and info.kem == oids.ML_KEM_1024
                ):
                    if info.recipient.names(identity.certificate):
                        tries.append((identity, info, info.wrapped))
        return tries

    def _data_key(
        self, identity: Identity, info: cms.Transport | cms.Agreement | cms.Encapsulation, wrapped: bytes
    ) -> bytes | None:
        """Returns the data key; None if it does not unwrap. Which step failed is not told."""
        key = identity.key
        try:
            if isinstance(info, cms.Transport) and isinstance(key, rsa.RSAPrivateKey):
                if len(wrapped) != key.key_size // 8:
                    return None
                memory = (key_identifier(identity.certificate), wrapped)
                data_key = self._once(memory, lambda: key.decrypt(wrapped, _OAEP))
                return data_key if len(data_key) == 32 else None
            if isinstance(info, cms.Agreement) and isinstance(key, ec.EllipticCurvePrivateKey):
                point = ec.EllipticCurvePublicKey.from_encoded_point(key.curve, info.point)
                memory = (key_identifier(identity.certificate), info.point)
                secret = self._once(memory, lambda: key.exchange(ec.ECDH(), point))
                kek = derived(secret, info.digest, info.ukm)
            elif isinstance(info, cms.Encapsulation) and isinstance(
                key, (mlkem.MLKEM768PrivateKey, mlkem.MLKEM1024PrivateKey)
            ):
                memory = (key_identifier(identity.certificate), info.ciphertext)
                secret = self._once(memory, lambda: key.decapsulate(info.ciphertext))
                kek = derived_by_hkdf(secret, info.ukm)
            else:
                return None
            data_key = aes_key_unwrap(kek, wrapped) if len(wrapped) == 40 else b""
            return data_key if len(data_key) == 32 else None
        except (InvalidUnwrap, ValueError):
            return None

    def _once(self, memory: tuple[bytes, bytes], operation: Callable[[], bytes]) -> bytes:
        """Runs an operation with a private key, within the budget. Segments of one agreement cost one."""
        if memory not in self._budget.agreed:
            self._budget.operation()
            self._budget.agreed[memory] = operation()
        return self._budget.agreed[memory]

    def _proved_sender(self, infos: Sequence[cms.Agreement]) -> x509.Certificate | None:
        """Returns the sender whose certified key agreed, if it is known and, for authenticity, trusted."""
        if not infos or infos[0].ukm is None or not infos[0].is_plain or infos[0].point[0] != 4:
            return None
        bits, ukm = infos[0].point, infos[0].ukm
        if len(ukm) != 32 or ukm[16:] != originator_hash(ukm[:16], bits):
            return None
        rejection: SignetError | None = None
        for certificate in self._trust.certificates():
            key = public_key(certificate)
            if not isinstance(key, ec.EllipticCurvePublicKey):
                continue
            if key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint) != bits:
                continue
            try:
                self._trust.verify_signer(certificate, (), self._now)
                self._trust.verify_recipient(certificate, self._now)  # its key usage allows to agree
                return certificate
            except SignetError as problem:
                rejection = problem
        if rejection and self._wanted.quality == "authenticity":
            raise rejection
        return None


_OAEP = padding.OAEP(padding.MGF1(hashes.SHA256()), hashes.SHA256(), None)
_HASHES = {"SHA256": hashes.SHA256(), "SHA384": hashes.SHA384(), "SHA512": hashes.SHA512()}


def originator_hash(random: bytes, point: bytes) -> bytes:
    return hashlib.sha256(b"Signet originator" + random + point).digest()[:16]


def derived(secret: bytes, digest: str, ukm: bytes | None) -> bytes:
    """The key-encryption key of an agreement (X9.63, RFC 5753)."""
    parts = [oids.AES_256_WRAP]
    if ukm is not None:
        parts.append(der.element(0xA0, der.octets(ukm)))
    shared = der.sequence(*parts, der.element(0xA2, der.octets((256).to_bytes(4, "big"))))
    return X963KDF(_HASHES[digest], 32, shared).derive(secret)


def derived_by_hkdf(secret: bytes, ukm: bytes | None) -> bytes:
    """The key-encryption key of an encapsulated secret (RFC 9629)."""
    parts = [oids.AES_256_WRAP, der.number(32)]
    if ukm is not None:
        parts.append(der.element(0xA0, der.octets(ukm)))
    return HKDF(hashes.SHA256(), 32, None, der.sequence(*parts)).derive(secret)


def _time(encoded: bytes) -> datetime:
    try:
        kind = core.UTCTime if encoded[:1] == b"\x17" else core.GeneralizedTime
        found = kind.load(encoded, strict=True).native
    except (ValueError, TypeError):
        found = None
    if not isinstance(found, datetime):
        raise malformed("envelope: a signing time of no form")
    return found
