# SPDX-License-Identifier: Apache-2.0
"""Identities, and the home folder of Signet that holds them."""

from __future__ import annotations

import json
import os
import stat
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Union

from asn1crypto import pkcs12 as p12
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, mldsa, mlkem, rsa
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    PublicFormat,
    load_der_private_key,
    load_pem_private_key,
    pkcs12,
)

from .errors import SignetError
from .trust import CURVES, Trust, key_bytes, name_of, public_key

PrivateKey = Union[
    rsa.RSAPrivateKey,
    ec.EllipticCurvePrivateKey,
    ed25519.Ed25519PrivateKey,
    mldsa.MLDSA65PrivateKey,
    mldsa.MLDSA87PrivateKey,
    mlkem.MLKEM768PrivateKey,
    mlkem.MLKEM1024PrivateKey,
]
_KEYS = (
    rsa.RSAPrivateKey,
    ec.EllipticCurvePrivateKey,
    ed25519.Ed25519PrivateKey,
    mldsa.MLDSA65PrivateKey,
    mldsa.MLDSA87PrivateKey,
    mlkem.MLKEM768PrivateKey,
    mlkem.MLKEM1024PrivateKey,
)
_MOST_FILE_BYTES = 1 << 20
_MOST_LIST_BYTES = 16 << 20
_MOST_FORMER_KEYS = 64
_LIST_SUFFIXES = (".crl", ".pem", ".der", ".crt", ".cer")  # all that Signet reads
_LIST_BEGINS = b"-----BEGIN X509 CRL-----"


def _unusable(text: str) -> SignetError:
    return SignetError("keystore", text)


def _read(file: Path, most: int = _MOST_FILE_BYTES) -> bytes:
    try:
        with open(file, "rb") as stream:
            data = stream.read(most + 1)
    except OSError as problem:
        raise _unusable(f"{file}: cannot be read: {problem.strerror}") from None
    if len(data) > most:
        raise _unusable(f"{file}: more than {most} bytes")
    return data


def _certificates(file: Path) -> list[x509.Certificate]:
    try:
        found = x509.load_pem_x509_certificates(_read(file))
        for certificate in found:
            certificate.subject, certificate.issuer, certificate.extensions
    except ValueError:
        raise _unusable(f"{file}: no certificates in PEM, or one that cannot be read") from None
    return found


def _revocation_lists(file: Path) -> list[x509.CertificateRevocationList]:
    """Reads one list in DER, or all lists in PEM."""
    data = _read(file, _MOST_LIST_BYTES)
    try:
        if data[:1] == b"\x30":
            return [x509.load_der_x509_crl(data)]
        blocks = data.split(_LIST_BEGINS)[1:]
        if blocks:
            return [x509.load_pem_x509_crl(_LIST_BEGINS + block) for block in blocks]
    except ValueError:
        pass
    raise _unusable(f"{file}: no revocation list; until it is right no certificate counts")


@dataclass(frozen=True)
class Identity:
    """A private key with its certificate, and the issuers that a message brings with it."""

    key: PrivateKey
    certificate: x509.Certificate
    issuers: tuple[x509.Certificate, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.key, _KEYS):
            raise _unusable(f"identity {name_of(self.certificate)}: a key that Signet does not know")
        public_key(self.certificate)
        own = self.key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        if own != key_bytes(self.certificate):
            raise _unusable(f"identity {name_of(self.certificate)}: the key is not that of the certificate")

    @classmethod
    def from_pem(cls, key: str | Path, certificate: str | Path, password: str | None = None) -> Identity:
        """Reads a key (PKCS #8) and its certificate, with its issuers behind it, from PEM files."""
        chain = _certificates(Path(certificate))
        try:
            private = load_pem_private_key(_read(Path(key)), password.encode() if password is not None else None)
        except (ValueError, TypeError):
            raise _unusable(f"{key}: no private key in PEM, or a wrong password") from None
        return cls(private, chain[0], tuple(chain[1:]))  # type: ignore[arg-type]

    @classmethod
    def from_pkcs12(cls, file: str | Path, password: str, certificates: tuple[x509.Certificate, ...] = ()) -> Identity:
        """Reads a PKCS #12 file. Its certificate may also be one of these: cryptography reads no file with a post-quantum key."""
        data = _read(Path(file))
        try:
            loaded = pkcs12.load_pkcs12(data, password.encode())
            if loaded.key is not None and loaded.cert is not None:
                others = tuple(other.certificate for other in loaded.additional_certs)
                return cls(loaded.key, loaded.cert.certificate, others)  # type: ignore[arg-type]
        except ValueError:
            pass
        try:
            key = _key_of(data, password)
        except Exception:  # two libraries, each with exceptions of its own
            raise _unusable(f"{file}: no PKCS #12 file of one key, or a wrong password") from None
        own = key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        for certificate in certificates:
            if key_bytes(certificate) == own:
                return cls(key, certificate)
        raise _unusable(f"{file}: no certificate of its key is known")


def _key_of(data: bytes, password: str) -> PrivateKey:
    for part in p12.Pfx.load(data, strict=True).authenticated_safe:
        if part["content_type"].native == "data":
            for bag in p12.SafeContents.load(part["content"].native):
                if bag["bag_id"].native == "pkcs8_shrouded_key_bag":
                    encrypted = bag["bag_value"].untag().dump()
                    return load_der_private_key(encrypted, password.encode())  # type: ignore[return-value]
    raise ValueError("no key")


def require_private(file: Path) -> None:
    """Refuses a secret that other users may read or change, as Signet does. A file of root on a read-only mount may be open."""
    if sys.platform == "win32":
        return
    try:
        found = os.stat(file)
        mounted_read_only = bool(os.statvfs(file).f_flag & os.ST_RDONLY)
    except OSError as problem:
        raise _unusable(f"{file}: cannot be read: {problem.strerror}") from None
    if found.st_uid == 0 and mounted_read_only:
        return
    group = found.st_gid == 0 or found.st_gid in (os.getegid(), *os.getgroups())
    if (
        found.st_uid not in (0, os.geteuid())
        or stat.S_IMODE(found.st_mode) & (stat.S_IWGRP | stat.S_IRWXO)
        or (found.st_mode & stat.S_IRGRP and not group)
    ):
        raise _unusable(f"{file}: other users may read or change this secret; run: chmod 600 {file}")


def read_password(file: str | Path) -> str:
    """Reads the first line of a password file that only its owner may read."""
    require_private(Path(file))
    try:
        line = _read(Path(file)).split(b"\n", 1)[0].rstrip(b"\r").decode()
    except UnicodeDecodeError:
        raise _unusable(f"password file {file}: not UTF-8 text") from None
    if not line:
        raise _unusable(f"password file {file}: its first line is empty")
    return line


@dataclass(frozen=True)
class Keys:
    """What opens and seals: the keys of an application, the present one first, and its trust. Immutable."""

    identities: tuple[Identity, ...]
    trust: Trust


class Home:
    """A home folder that ``signet`` made: keys, certificates of others, trust and revocation lists.

    The files are looked at once a second, and read again after a change. For all threads.
    """

    def __init__(self, folder: str | Path, identity: str, password: str) -> None:
        self._folder = Path(folder)
        self._identity = identity
        self._password = password
        self._lock = threading.Lock()
        self._stamp: object = None
        self._looked = 0.0
        self._keys: Keys | None = None
        self.keys()

    def keys(self) -> Keys:
        """Returns the present keys. Raises SignetError (``keystore``) as long as the home cannot be used."""
        with self._lock:
            now = time.monotonic()
            if self._keys is None or now - self._looked >= 1:
                stamp = self._current_stamp()
                if self._keys is None or stamp != self._stamp:
                    self._keys = None
                    self._keys = self._load()
                    self._stamp = stamp
                self._looked = now
            return self._keys

    def _current_stamp(self) -> object:
        found = []
        for part in ("identities", "identities/former", "recipients", "trust", "crl", "."):
            folder = self._folder / part
            if folder.is_dir():
                for file in os.scandir(folder):
                    try:
                        if file.is_file():
                            status = file.stat()
                            found.append((part, file.name, status.st_mtime_ns, status.st_size, status.st_ino))
                    except FileNotFoundError:  # renamed just now
                        found.append((part, file.name, 0, 0, 0))
        return sorted(found)

    def _files(self, part: str, *suffixes: str) -> list[Path]:
        folder = self._folder / part
        if not folder.is_dir():
            return []
        return sorted(file for file in folder.iterdir() if file.suffix in suffixes and not file.name.startswith("."))

    def _load(self) -> Keys:
        if not self._folder.is_dir():
            raise _unusable(
                f"home {self._folder}: no such folder; make it with: signet identity create NAME --home HOME"
            )
        trust = self._trust()
        identities = self._loaded(self._identity, trust)
        if not identities:
            raise _unusable(f"home {self._folder}: no identity '{self._identity}' (identities/{self._identity}.p12)")
        return Keys((*identities, *self._loaded(f"{self._identity}.pq", trust)), trust)

    def _loaded(self, name: str, trust: Trust) -> list[Identity]:
        present = self._folder / "identities" / f"{name}.p12"
        if not present.exists():
            return []
        former = [file for file in self._files("identities/former", ".p12") if file.stem.rpartition(".")[0] == name]
        certificates = (*trust.known.get(name, ()), *trust.trusted.get(name, ()))
        identities = []
        for file in [present, *former[:_MOST_FORMER_KEYS]]:
            require_private(file)
            identities.append(Identity.from_pkcs12(file, self._password, certificates))
        return identities

    def _trust(self) -> Trust:
        least, curves = self._settings()
        lists = [each for file in self._files("crl", *_LIST_SUFFIXES) for each in _revocation_lists(file)]
        return Trust(
            trusted={file.stem: _certificates(file) for file in self._files("trust", ".pem")},
            known={file.stem: _certificates(file) for file in self._files("recipients", ".pem")},
            revocations=lists,
            least_rsa_bits=least,
            curves=curves,
        )

    def _settings(self) -> tuple[int, frozenset[str]]:
        """Reads trust.json. What signet-open does not do is refused, never left out."""
        file = self._folder / "trust.json"
        known = frozenset(CURVES.values())
        if not file.exists():
            return 2048, known
        try:
            settings: Any = json.loads(_read(file))
        except ValueError:
            settings = None
        if not isinstance(settings, dict) or settings.get("schema") != 1:
            raise _unusable(f"{file}: no settings of trust of schema 1")
        for key in settings:
            if key not in ("schema", "least-rsa-bits", "curves", "uncommitted-until"):
                raise _unusable(f"{file}: signet-open does not know '{key}', so it accepts no certificate of this home")
        least, curves = settings.get("least-rsa-bits", 2048), settings.get("curves", sorted(known))
        if not isinstance(least, int) or not 2048 <= least <= 8192:
            raise _unusable(f"{file}: 'least-rsa-bits' is no number from 2048 to 8192")
        if not isinstance(curves, list) or not curves or not set(map(str, curves)) <= known:
            raise _unusable(f"{file}: 'curves' has others than {', '.join(sorted(known))}")
        return least, frozenset(curves)
