# SPDX-License-Identifier: Apache-2.0
"""Seals messages into envelopes."""

from __future__ import annotations

import hashlib
import os
import secrets
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path
from typing import BinaryIO, Callable, Iterator, Mapping, Sequence

from asn1crypto import core
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, mldsa, mlkem, padding, rsa
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.keywrap import aes_key_wrap
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from . import oids
from .der import BIT_STRING, SEQUENCE, element, number, octets, sequence, set_of
from .entity import SEGMENT_BYTES, Entity, HiddenValue, write, write_hidden
from .errors import SignetError
from .home import Home, Identity, Keys
from .opener import SUFFICIENT, derived, derived_by_hkdf, originator_hash
from .trust import SIGNING_KEYS, Trust, key_identifier, name_of, public_key

_OAEP = padding.OAEP(padding.MGF1(hashes.SHA256()), hashes.SHA256(), None)


def _not_sealed(text: str) -> SignetError:
    return SignetError("not-sealed", text)


class Sealer:
    """Seals messages in the name of one identity. One sealer serves all threads.

    Each message has a data key of its own.
    """

    def __init__(
        self,
        identity: Identity | None,
        trust: Trust,
        *,
        companion: Identity | None = None,
        clock: Callable[[], datetime] = lambda: datetime.now(timezone.utc),
    ) -> None:
        """``identity`` may be None for confidentiality alone. ``companion`` has the ML-DSA key that signs for ``both``."""
        keys = Keys(tuple(each for each in (identity, companion) if each), trust)
        self._keys: Callable[[], Keys] = lambda: keys
        self._clock = clock

    @classmethod
    def from_home(cls, home: str | Path, identity: str, password: str) -> Sealer:
        """Seals with the present key of an identity in a home that ``signet`` made."""
        sealer = cls(None, Trust({}))
        sealer._keys = Home(home, identity, password).keys
        return sealer

    def seal(
        self,
        payload: str | bytes,
        *,
        address: str,
        quality: str,
        recipients: Sequence[str] = (),
        body: str | None = None,
        content_type: str | None = None,
        sender: str | None = None,
        policy: str | None = None,
        properties: Mapping[str, str] | None = None,
        hidden: Mapping[str, HiddenValue] | None = None,
        include_certificate: bool = True,
        pss: bool = False,
        both: bool = False,
    ) -> bytes:
        """Seals a message into one envelope, which is the whole body to send. Raises SignetError.

        A text becomes a text message (``jms/text``), bytes a bytes message. ``recipients`` are names of certificates in
        ``recipients/`` of the home. ``hidden`` are properties that only consumers see.
        """
        entity = self._entity(payload, address, body, content_type, sender, policy, properties, hidden)
        return _Sealing(self._keys(), self._clock(), quality, recipients, include_certificate, pss, both).seal(entity)

    def segments(
        self, stream: BinaryIO, *, address: str, quality: str, recipients: Sequence[str] = (), **more: object
    ) -> Iterator[bytes]:
        """Seals a large message from a stream. The body to send is all segments, one behind the other."""
        head: dict[str, object] = {
            name: more.pop(name, None) for name in ("body", "content_type", "sender", "policy", "properties", "hidden")
        }
        sealing = _Sealing(self._keys(), self._clock(), quality, recipients, **more)  # type: ignore[arg-type]
        entity = self._entity(b"", address, **head)  # type: ignore[arg-type]
        piece = _full(stream)
        count = 1
        while True:
            following = _full(stream) if len(piece) == SEGMENT_BYTES else b""
            yield sealing.seal(replace(entity, payload=piece, segment=(count, not following)))
            if not following:
                return
            piece = following
            count += 1

    @staticmethod
    def _entity(
        payload: str | bytes,
        address: str,
        body: str | None,
        content_type: str | None,
        sender: str | None,
        policy: str | None,
        properties: Mapping[str, str] | None,
        hidden: Mapping[str, HiddenValue] | None,
    ) -> Entity:
        is_text = isinstance(payload, str)
        all_properties = dict(properties or {})
        if hidden:
            all_properties["hidden"] = write_hidden(hidden)
        if body is not None and (not body.isascii() or not body.isprintable()):
            raise _not_sealed(f"body {body!r}: no kind of body")
        try:
            data = payload.encode() if isinstance(payload, str) else bytes(payload)
        except UnicodeEncodeError:
            raise _not_sealed("payload: a text with lone surrogates; send its bytes as jms/text-utf16") from None
        return Entity(
            message_id=secrets.token_hex(16),
            address=address,
            body=body or ("jms/text" if is_text else "jms/bytes"),
            content_type=content_type or ("text/plain; charset=utf-8" if is_text else "application/octet-stream"),
            payload=data,
            claimed_sender=sender,
            policy=policy,
            properties=all_properties,
        )


def _full(stream: BinaryIO) -> bytes:
    data = bytearray()
    while len(data) < SEGMENT_BYTES:
        piece = stream.read(SEGMENT_BYTES - len(data))
        if not piece:
            break
        data += piece
    return bytes(data)


class _Sealing:
    """Seals one message, or all segments of a large one."""

    def __init__(
        self,
        keys: Keys,
        now: datetime,
        quality: str,
        recipients: Sequence[str],
        include_certificate: bool = True,
        pss: bool = False,
        both: bool = False,
    ) -> None:
        if quality not in SUFFICIENT:
            raise ValueError(f"quality {quality!r}: one of {', '.join(SUFFICIENT)}")
        if isinstance(recipients, str):
            raise ValueError("recipients is a list of names")
        self._trust = keys.trust
        self._now = now
        self._quality = quality
        self._include = include_certificate
        self._pss = pss
        self._signers: list[Identity] = []
        if quality != "confidentiality":
            self._signers = self._own(keys, both)
        if (quality == "integrity") == bool(recipients):
            raise _not_sealed(f"{quality}: needs {'no ' if quality == 'integrity' else ''}recipients")
        self._layers: list[list[x509.Certificate]] = []
        if recipients:
            if both:
                self._layers.append([self._recipient(f"{name}.pq") for name in recipients])
            self._layers.insert(0, [self._recipient(name) for name in recipients])
        for layer, certificates in enumerate(self._layers):
            if both and any(_is_kem(certificate) != (layer == 1) for certificate in certificates):
                raise _not_sealed("recipients: NAME needs a classical key, and NAME.pq a key of ML-KEM")

    def _own(self, keys: Keys, both: bool) -> list[Identity]:
        signing = [each for each in keys.identities if isinstance(each.key.public_key(), SIGNING_KEYS)]
        own = signing[:1]
        if both and own:
            own += [
                each for each in signing if isinstance(each.key, (mldsa.MLDSA65PrivateKey, mldsa.MLDSA87PrivateKey))
            ][:1]
        if len(own) != (2 if both else 1):
            raise _not_sealed("identity: none that signs" + (", or no companion with a key of ML-DSA" if both else ""))
        for each in own:
            self._trust.verify_signer(each.certificate, each.issuers, self._now)
        return own

    def _recipient(self, name: str) -> x509.Certificate:
        certificates = self._trust.known.get(name, ())
        if not certificates:
            raise _not_sealed(f"recipient '{name}': no certificate recipients/{name}.pem")
        self._trust.verify_recipient(certificates[0], self._now)
        return certificates[0]

    def seal(self, entity: Entity) -> bytes:
        content = write(entity)
        if self._quality in ("integrity", "privacy"):
            content = self._signed(content)
        for certificates in self._layers:
            content = self._encrypted(content, certificates)
        return content

    def _signed(self, content: bytes) -> bytes:
        digest = hashlib.sha512(content).digest()
        infos = [self._signer_info(each, digest) for each in self._signers]
        certificates = [each.certificate.public_bytes(Encoding.DER) for each in self._signers]
        if len(self._signers) == 1:
            certificates += [
                each.public_bytes(Encoding.DER) for each in self._signers[0].issuers if each.subject != each.issuer
            ]
        return sequence(
            oids.SIGNED_DATA,
            element(
                0xA0,
                sequence(
                    number(3),
                    set_of(oids.SHA_512_DIGEST),
                    sequence(oids.DATA, element(0xA0, octets(content))),
                    set_of(*certificates, tag=0xA0) if self._include else b"",
                    set_of(*infos),
                ),
            ),
        )

    def _signer_info(self, identity: Identity, digest: bytes) -> bytes:
        def attribute(kind: bytes, value: bytes) -> bytes:
            return sequence(kind, set_of(value))

        now = self._now.astimezone(timezone.utc).replace(microsecond=0)
        time = core.UTCTime(now) if now.year < 2050 else core.GeneralizedTime(now)
        certificate = sequence(sequence(sequence(octets(identity.certificate.fingerprint(hashes.SHA256())))))
        attributes = sorted(
            (
                attribute(oids.CONTENT_TYPE, oids.DATA),
                attribute(oids.SIGNING_TIME, time.dump()),
                attribute(oids.MESSAGE_DIGEST, octets(digest)),
                attribute(oids.SIGNING_CERTIFICATE_V2, certificate),
            )
        )
        algorithm, signature = self._signature(identity, set_of(*attributes))
        return sequence(
            number(3),
            element(0x80, key_identifier(identity.certificate)),
            oids.SHA_512_DIGEST,
            set_of(*attributes, tag=0xA0),
            algorithm,
            octets(signature),
        )

    def _signature(self, identity: Identity, covered: bytes) -> tuple[bytes, bytes]:
        key = identity.key
        if isinstance(key, rsa.RSAPrivateKey):
            if self._pss:
                pss = padding.PSS(padding.MGF1(hashes.SHA512()), 64)
                return oids.PSS_SHA_512[0], key.sign(covered, pss, hashes.SHA512())
            return oids.RSA_SHA_512, key.sign(covered, padding.PKCS1v15(), hashes.SHA512())
        if isinstance(key, ec.EllipticCurvePrivateKey):
            return oids.ECDSA_SHA_512, key.sign(covered, ec.ECDSA(hashes.SHA512()))
        if isinstance(key, ed25519.Ed25519PrivateKey):
            return oids.ED25519, key.sign(covered)
        if isinstance(key, mldsa.MLDSA65PrivateKey):
            return oids.ML_DSA_65, key.sign(covered)
        if isinstance(key, mldsa.MLDSA87PrivateKey):
            return oids.ML_DSA_87, key.sign(covered)
        raise _not_sealed(f"identity {name_of(identity.certificate)}: its key cannot sign")

    def _encrypted(self, content: bytes, certificates: Sequence[x509.Certificate]) -> bytes:
        data_key, nonce = os.urandom(32), os.urandom(4) + bytes(8)
        infos = self._agreed(data_key, certificates)
        sealed = AESGCM(data_key).encrypt(nonce, content, None)
        return sequence(
            oids.AUTH_ENVELOPED_DATA,
            element(
                0xA0,
                sequence(
                    number(0),
                    set_of(*infos),
                    sequence(
                        oids.DATA,
                        sequence(oids.AES_256_GCM, sequence(octets(nonce), number(16))),
                        element(0x80, sealed[:-16]),
                    ),
                    octets(sealed[-16:]),
                ),
            ),
        )

    def _agreed(self, data_key: bytes, certificates: Sequence[x509.Certificate]) -> list[bytes]:
        infos = []
        curves: dict[str, list[x509.Certificate]] = {}
        seen: set[bytes] = set()
        for certificate in certificates:
            key = public_key(certificate)
            identifier = key_identifier(certificate)
            if identifier in seen:
                continue
            seen.add(identifier)
            if isinstance(key, ec.EllipticCurvePublicKey):
                curves.setdefault(key.curve.name, []).append(certificate)
            elif isinstance(key, rsa.RSAPublicKey):
                infos.append(
                    sequence(
                        number(2), element(0x80, identifier), oids.OAEP_SHA_256, octets(key.encrypt(data_key, _OAEP))
                    )
                )
            elif isinstance(key, (mlkem.MLKEM768PublicKey, mlkem.MLKEM1024PublicKey)):
                infos.append(_encapsulated(data_key, key, identifier))
        if self._quality == "authenticity":
            own = self._signers[0]
            if infos or not isinstance(own.key, ec.EllipticCurvePrivateKey) or list(curves) != [own.key.curve.name]:
                raise _not_sealed("authenticity: the identity and all recipients need keys on one elliptic curve")
            self._trust.verify_recipient(own.certificate, self._now)
            return [_agreement(data_key, own.key, curves[own.key.curve.name], is_sender=True)]
        for same_curve in curves.values():
            curve = public_key(same_curve[0]).curve  # type: ignore[union-attr]
            infos.append(_agreement(data_key, ec.generate_private_key(curve), same_curve, is_sender=False))
        return infos


def _is_kem(certificate: x509.Certificate) -> bool:
    return isinstance(public_key(certificate), (mlkem.MLKEM768PublicKey, mlkem.MLKEM1024PublicKey))


def _agreement(
    data_key: bytes, key: ec.EllipticCurvePrivateKey, certificates: Sequence[x509.Certificate], is_sender: bool
) -> bytes:
    point = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    ukm = None
    if is_sender:
        random = os.urandom(16)
        ukm = random + originator_hash(random, point)
    entries = []
    for certificate in certificates:
        other = public_key(certificate)
        assert isinstance(other, ec.EllipticCurvePublicKey)
        kek = derived(key.exchange(ec.ECDH(), other), "SHA256", ukm)
        entries.append(
            sequence(element(0xA0, octets(key_identifier(certificate))), octets(aes_key_wrap(kek, data_key)))
        )
    return element(
        0xA1,
        number(3),
        element(0xA0, element(0xA1, sequence(oids.EC_PUBLIC_KEY), element(BIT_STRING, b"\0", point))),
        b"" if ukm is None else element(0xA1, octets(ukm)),
        sequence(oids.ECDH_SHA_256, oids.AES_256_WRAP),
        element(SEQUENCE, *entries),
    )


def _encapsulated(data_key: bytes, key: mlkem.MLKEM768PublicKey | mlkem.MLKEM1024PublicKey, identifier: bytes) -> bytes:
    secret, ciphertext = key.encapsulate()
    kem = oids.ML_KEM_768 if isinstance(key, mlkem.MLKEM768PublicKey) else oids.ML_KEM_1024
    return element(
        0xA4,
        oids.KEM_RECIPIENT,
        sequence(
            number(0),
            element(0x80, identifier),
            kem,
            octets(ciphertext),
            oids.HKDF_SHA_256,
            number(32),
            oids.AES_256_WRAP,
            octets(aes_key_wrap(derived_by_hkdf(secret, None), data_key)),
        ),
    )
