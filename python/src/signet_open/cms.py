# SPDX-License-Identifier: Apache-2.0
"""The two structures of CMS, parsed within all limits before a key is used."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from cryptography import x509

from . import oids
from .der import BIT_STRING, INTEGER, OCTETS, OID, SEQUENCE, SET, Element, Reader, element, integer
from .entity import COMMITTING_LINES
from .errors import SignetError, malformed
from .trust import key_identifier, load_certificate

_MOST_RECIPIENTS = 1_000
_MOST_WRAPPED = 1_024
_MOST_UKM = 64
_MOST_ORIGINATOR = 256
_MOST_ENCAPSULATED = 1_568
_MOST_KEY_IDENTIFIER = 64
_MOST_ISSUER = 4_096
_MOST_SERIAL = 32
_MOST_CERTIFICATES = 5
_MOST_ATTRIBUTES = 16
_MOST_ATTRIBUTE_BYTES = 16_384
_MOST_SIGNATURE = 4_627
_MOST_HASHES = 32

# a set of one digest algorithm of NIST, up to its last arc, without and with the parameter NULL
_DIGEST_SETS = tuple(bytes.fromhex(start + "06096086480165030402") for start in ("310d300b", "310f300d"))


def _limit(length: int, most: int, what: str) -> None:
    if length > most:
        raise malformed(f"envelope: more than {most} bytes of {what}")


def begins_as_envelope(body: bytes) -> bool:
    """Tells whether bytes begin as a ContentInfo of one of the two types. A text never does."""
    head = bytes(body[:40])
    return head[:1] == b"\x30" and (oids.SIGNED_DATA in head[:18] or oids.AUTH_ENVELOPED_DATA in head[:20])


def content_info(envelope: memoryview) -> tuple[bool, Reader]:
    """Returns whether an envelope is encrypted, and its structure."""
    whole = Reader(envelope)
    info = whole.enter(SEQUENCE)
    whole.end()
    kind = bytes(info.take(OID).encoded)
    explicit = info.enter(0xA0)
    info.end()
    if kind not in (oids.SIGNED_DATA, oids.AUTH_ENVELOPED_DATA):
        raise malformed("envelope: neither SignedData nor AuthEnvelopedData")
    structure = explicit.enter(SEQUENCE)
    explicit.end()
    return kind == oids.AUTH_ENVELOPED_DATA, structure


@dataclass(frozen=True)
class Party:
    """How an envelope names a certificate."""

    key_identifier: bytes | None
    issuer: bytes = b""
    serial: int = 0

    def names(self, certificate: x509.Certificate) -> bool:
        if self.key_identifier is not None:
            return key_identifier(certificate) == self.key_identifier
        return certificate.serial_number == self.serial and certificate.issuer.public_bytes() == self.issuer


def _party(reader: Reader, tag: int) -> Party:
    if reader.next_is(tag):
        identifier = reader.take_bytes(tag)
        _limit(len(identifier), _MOST_KEY_IDENTIFIER, "a key identifier")
        return Party(identifier)
    names = reader.enter(SEQUENCE)
    issuer = bytes(names.take(SEQUENCE).encoded)
    serial = names.take(INTEGER)
    names.end()
    _limit(len(issuer), _MOST_ISSUER, "the name of an issuer")
    _limit(len(serial.content), _MOST_SERIAL, "a serial number")
    return Party(None, issuer, integer(serial.content))


@dataclass(frozen=True)
class Transport:
    recipient: Party
    wrapped: bytes


@dataclass(frozen=True)
class Agreement:
    """``ukm`` is None if it is absent. ``own`` are the parties with their wrapped keys."""

    point: bytes
    digest: str
    ukm: bytes | None
    own: tuple[tuple[Party, bytes], ...]
    is_plain: bool


@dataclass(frozen=True)
class Encapsulation:
    recipient: Party
    kem: bytes
    ciphertext: bytes
    ukm: bytes | None
    wrapped: bytes


@dataclass(frozen=True)
class Encrypted:
    """An AuthEnvelopedData. ``infos`` has None for each recipient of another kind."""

    infos: tuple[Transport | Agreement | Encapsulation | None, ...]
    is_kem: tuple[bool, ...]
    nonce: bytes
    ciphertext: bytes
    tag: bytes


def encrypted(structure: Reader) -> Encrypted:
    if structure.integer() != 0:
        raise malformed("envelope: AuthEnvelopedData of another version")
    elements = structure.enter(SET).set_of(_MOST_RECIPIENTS, "recipients")
    infos = []
    count = 0
    legacy = False
    for each in elements:
        info, keys, old = _recipient(each)
        count += keys
        if count > _MOST_RECIPIENTS:
            raise malformed(f"envelope: more than {_MOST_RECIPIENTS} recipients")
        legacy |= old
        infos.append(info)
    content = structure.enter(SEQUENCE)
    content.expect(oids.DATA, "type of the encrypted content")
    algorithm = content.enter(SEQUENCE)
    algorithm.expect(oids.AES_256_GCM, "encryption of the content")
    parameters = algorithm.enter(SEQUENCE)
    algorithm.end()
    nonce = parameters.take_bytes()
    if len(nonce) != 12 or parameters.integer() != 16:
        raise malformed("envelope: a nonce or a tag of another length")
    parameters.end()
    ciphertext = content.take_bytes(0x80)
    content.end()
    tag = structure.take_bytes()
    structure.end()
    if len(tag) != 16:
        raise malformed("envelope: a tag of another length")
    if legacy:
        raise SignetError(
            "policy-violation", "envelope: old algorithms (PKCS #1 v1.5 or SHA-1), which are not accepted"
        )
    return Encrypted(tuple(infos), tuple(each.tag == 0xA4 for each in elements), nonce, ciphertext, tag)


def _recipient(whole: Element) -> tuple[Transport | Agreement | Encapsulation | None, int, bool]:
    """Returns a recipient info, the number of its keys, and whether its algorithms are old ones."""
    if whole.tag == SEQUENCE:
        return _transport(whole.reader())
    if whole.tag == 0xA1:
        return _agreement(whole.reader())
    if whole.tag == 0xA4:
        return _encapsulation(whole.reader()), 1, False
    return None, 1, False


def _wrapped(reader: Reader) -> bytes:
    wrapped = reader.take_bytes()
    _limit(len(wrapped), _MOST_WRAPPED, "a wrapped key")
    return wrapped


def _transport(info: Reader) -> tuple[Transport | None, int, bool]:
    version = info.integer()
    recipient = _party(info, 0x80)
    if version != (0 if recipient.key_identifier is None else 2):
        raise malformed("envelope: a recipient info of the wrong version")
    algorithm = bytes(info.take(SEQUENCE).encoded)
    wrapped = _wrapped(info)
    info.end()
    known = algorithm in oids.OAEP_FORMS
    return Transport(recipient, wrapped) if known else None, 1, algorithm in oids.LEGACY_TRANSPORT


def _agreement(info: Reader) -> tuple[Agreement | None, int, bool]:
    if info.integer() != 3:
        raise malformed("envelope: a recipient info of the wrong version")
    originator = info.enter(0xA0)
    if not originator.next_is(0xA1):
        return None, 1, False
    key = originator.take(0xA1)
    originator.end()
    _limit(len(key.content), _MOST_ORIGINATOR, "the key of an originator")
    parts = key.reader()
    algorithm = parts.enter(SEQUENCE)
    algorithm.expect(oids.EC_PUBLIC_KEY, "key of an originator")
    is_plain = not algorithm.more
    if not is_plain:
        parameters = algorithm.any()
        if parameters.tag != OID and parameters.encoded != oids.NO_PARAMETERS:
            raise malformed("envelope: unsupported key of an originator")
    algorithm.end()
    bits = parts.take_bytes(BIT_STRING)
    parts.end()
    if len(bits) < 2 or bits[0] != 0 or bits[1] not in (2, 3, 4):
        raise malformed("envelope: the key of an originator is no point of a curve")
    ukm = _ukm(info, 0xA1)
    scheme = info.enter(SEQUENCE)
    derivation = bytes(scheme.take(OID).encoded)
    wrap = bytes(scheme.any().encoded)
    scheme.end()
    entries = info.enter(SEQUENCE)
    info.end()
    keys: list[tuple[Party, bytes]] = []
    while entries.more:
        if len(keys) == _MOST_RECIPIENTS:
            raise malformed(f"envelope: more than {_MOST_RECIPIENTS} recipients")
        entry = entries.enter(SEQUENCE)
        if entry.next_is(0xA0):
            named = entry.enter(0xA0)
            party = _party(named, OCTETS)
            named.end()
        else:
            party = _party(entry, 0x80)
        keys.append((party, _wrapped(entry)))
        entry.end()
    if derivation not in oids.ECDH or wrap != oids.AES_256_WRAP:
        return None, max(1, len(keys)), derivation == oids.ECDH_SHA_1
    return Agreement(bits[1:], oids.ECDH[derivation], ukm, tuple(keys), is_plain), max(1, len(keys)), False


def _ukm(info: Reader, tag: int) -> bytes | None:
    if not info.next_is(tag):
        return None
    explicit = info.enter(tag)
    ukm = explicit.take_bytes()
    explicit.end()
    _limit(len(ukm), _MOST_UKM, "user keying material")
    return ukm


def _encapsulation(other: Reader) -> Encapsulation | None:
    if other.any().encoded != oids.KEM_RECIPIENT:
        return None
    info = other.enter(SEQUENCE)
    other.end()
    if info.integer() != 0:
        raise malformed("envelope: a recipient info of the wrong version")
    recipient = _party(info, 0x80)
    kem = bytes(info.take(SEQUENCE).encoded)
    ciphertext = info.take_bytes()
    _limit(len(ciphertext), _MOST_ENCAPSULATED, "an encapsulated secret")
    derivation = bytes(info.take(SEQUENCE).encoded)
    length = info.integer()
    ukm = _ukm(info, 0xA0)
    wrap = bytes(info.take(SEQUENCE).encoded)
    wrapped = _wrapped(info)
    info.end()
    expected = {oids.ML_KEM_768: 1_088, oids.ML_KEM_1024: 1_568}.get(kem)
    if expected is None or length != 32 or derivation != oids.HKDF_SHA_256 or wrap != oids.AES_256_WRAP:
        return None
    if len(ciphertext) != expected or len(wrapped) != 40:
        raise malformed("envelope: an encapsulated secret or its wrapped key has the wrong length")
    return Encapsulation(recipient, kem, ciphertext, ukm, wrapped)


@dataclass(frozen=True)
class Signature:
    """One signer. ``attributes`` are the bytes that are signed, as a SET."""

    signer: Party
    attributes: bytes
    digest: bytes
    certificate_hash: bytes | None
    signing_time: bytes | None
    algorithm: bytes
    value: bytes

    @property
    def is_ml_dsa(self) -> bool:
        return self.algorithm in (oids.ML_DSA_65, oids.ML_DSA_87)


@dataclass(frozen=True)
class Signed:
    """A SignedData. ``covered`` is what is signed: the entity, or the list of hashes with its hash."""

    covered: memoryview
    entity: memoryview
    certificates: tuple[x509.Certificate, ...]
    signatures: tuple[Signature, ...]

    @property
    def is_list(self) -> bool:
        return self.covered is not self.entity

    def lists_entity(self) -> bool:
        wanted = hashlib.sha256(self.entity).digest()
        return any(self.covered[at : at + 32] == wanted for at in range(0, len(self.covered), 32))


def signed(structure: Reader, most_signers: int) -> Signed:
    version = structure.integer()
    digests = structure.enter(SET)
    if bytes(digests.any().encoded) not in oids.SHA_512_FORMS:
        raise malformed("envelope: another digest than SHA-512")
    digests.end()
    content = structure.enter(SEQUENCE)
    kind = bytes(content.take(OID).encoded)
    if kind not in (oids.DATA, oids.HASH_LIST):
        raise malformed("envelope: signed content of another type")
    explicit = content.enter(0xA0)
    content.end()
    covered = explicit.take(OCTETS).content
    explicit.end()
    certificates: list[x509.Certificate] = []
    if structure.next_is(0xA0):
        for each in structure.enter(0xA0).set_of(_MOST_CERTIFICATES, "certificates"):
            if each.tag != SEQUENCE:
                raise malformed("envelope: a certificate of another kind")
            certificates.append(load_certificate(bytes(each.encoded)))
        if not certificates:
            raise malformed("envelope: an empty set of certificates")
    infos = structure.enter(SET).set_of(most_signers, "signers")
    structure.end()
    if not infos or any(info.tag != SEQUENCE for info in infos):
        raise malformed("envelope: no signer, or one of no form")
    entity = covered
    signatures = []
    for place, info in enumerate(infos):
        is_last = place == len(infos) - 1
        signature, unsigned = _signature(info.reader(), kind, version)
        if kind == oids.HASH_LIST and is_last:
            entity = _listed_entity(unsigned)
        elif unsigned is not None:
            raise malformed("envelope: unsigned attributes")
        signatures.append(signature)
    if kind == oids.HASH_LIST:
        _check_list(covered)
    return Signed(covered, entity, tuple(certificates), tuple(signatures))


def _check_list(hashes: memoryview) -> None:
    if not hashes or len(hashes) % 32 or len(hashes) > 32 * _MOST_HASHES:
        raise malformed(f"envelope: a list that has not 1 to {_MOST_HASHES} hashes of 32 bytes")
    each = [bytes(hashes[at : at + 32]) for at in range(0, len(hashes), 32)]
    if any(first >= second for first, second in zip(each, each[1:])):
        raise malformed("envelope: a list whose hashes are not in ascending order")


def _listed_entity(unsigned: Reader | None) -> memoryview:
    if unsigned is None:
        raise malformed("envelope: a list of hashes without its entity")
    attribute = unsigned.enter(SEQUENCE)
    unsigned.end()
    attribute.expect(oids.LISTED_ENTITY, "unsigned attribute")
    values = attribute.enter(SET)
    attribute.end()
    entity = values.take(OCTETS).content
    values.end()
    return entity


def _signature(info: Reader, kind: bytes, version: int) -> tuple[Signature, Reader | None]:
    own_version = info.integer()
    signer = _party(info, 0x80)
    if own_version != (1 if signer.key_identifier is None else 3) or version != (
        own_version if kind == oids.DATA else 3
    ):
        raise malformed("envelope: SignedData of another version")
    if bytes(info.any().encoded) not in oids.SHA_512_FORMS:
        raise malformed("envelope: another digest than SHA-512")
    attributes = info.take(0xA0)
    _limit(len(attributes.content), _MOST_ATTRIBUTE_BYTES, "signed attributes")
    algorithm = bytes(info.take(SEQUENCE).encoded)
    value = info.take_bytes()
    _limit(len(value), _MOST_SIGNATURE, "a signature")
    unsigned = info.enter(0xA1) if info.next_is(0xA1) else None
    info.end()
    found: dict[bytes, list[Element]] = {}
    for each in attributes.reader().set_of(_MOST_ATTRIBUTES, "signed attributes"):
        if each.tag != SEQUENCE:
            raise malformed("envelope: a signed attribute of no form")
        attribute = each.reader()
        attribute_type = bytes(attribute.take(OID).encoded)
        values = attribute.enter(SET).set_of(_MOST_ATTRIBUTES, "values of an attribute")
        attribute.end()
        if attribute_type in found or not values:
            raise malformed("envelope: a signed attribute that occurs twice, or without a value")
        found[attribute_type] = values

    def one(attribute_type: bytes) -> Element | None:
        values = found.get(attribute_type, [])
        if len(values) > 1:
            raise malformed("envelope: a signed attribute of several values")
        return values[0] if values else None

    content_type = one(oids.CONTENT_TYPE)
    if content_type is None or content_type.encoded != kind:
        raise malformed("envelope: no signed content type, or another one")
    digest = one(oids.MESSAGE_DIGEST)
    if digest is None or digest.tag != OCTETS:
        raise malformed("envelope: no signed message digest")
    time = one(oids.SIGNING_TIME)
    return (
        Signature(
            signer=signer,
            attributes=element(SET, bytes(attributes.content)),
            digest=bytes(digest.content),
            certificate_hash=_certificate_hash(one(oids.SIGNING_CERTIFICATE_V2)),
            signing_time=None if time is None else bytes(time.encoded),
            algorithm=algorithm,
            value=value,
        ),
        unsigned,
    )


def _certificate_hash(attribute: Element | None) -> bytes | None:
    """Returns the SHA-256 of the signer's certificate; None if the attribute is absent or has another digest."""
    if attribute is None:
        return None
    if attribute.tag != SEQUENCE:
        raise malformed("envelope: a signing certificate of no form")
    first = attribute.reader().enter(SEQUENCE).enter(SEQUENCE)
    if first.next_is(SEQUENCE) and bytes(first.any().encoded) not in oids.SHA_256_FORMS:
        return None
    hashed = first.take_bytes()
    if len(hashed) != 32:
        raise malformed("envelope: a signing certificate of no form")
    return hashed


def commits(content: memoryview, is_outer: bool) -> bool:
    """Tells whether encrypted content begins as the format fixes it, so that no second data key opens it to another text.

    Lengths are those of DER. ``is_outer``: the content may be another envelope, as policies with both kinds of keys want.
    """
    if content[: len(COMMITTING_LINES)] == COMMITTING_LINES:
        return not is_outer
    try:
        is_encrypted, structure = content_info(content)
        if is_encrypted:
            return is_outer and structure.integer() == 0 and structure.next_is(SET)
        return (
            not is_outer and structure.integer() in (1, 3) and bytes(structure.take(SET).encoded[:14]) in _DIGEST_SETS
        )
    except SignetError:
        return False
