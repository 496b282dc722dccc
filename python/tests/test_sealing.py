# SPDX-License-Identifier: Apache-2.0
"""What this package seals opens here and by openssl, and what openssl seals opens here."""

from __future__ import annotations

import io
import subprocess
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, mldsa, mlkem, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from vectors import ADDRESS, cases, opener, sealer

from signet_open import Identity, Opener, Sealer, SignetError, Trust, is_envelope
from signet_open.entity import SEGMENT_BYTES

QUALITIES = ["integrity", "confidentiality", "authenticity", "privacy"]


def certificate(
    key: Any,
    name: str,
    issuer: Identity | None = None,
    *,
    is_ca: bool = False,
    days: int = 10,
    starts: timedelta = timedelta(hours=-1),
    extensions: list[tuple[x509.ExtensionType, bool]] = [],  # noqa: B006 - never changed
    ski: bool = True,
    subject: x509.Name | None = None,
) -> x509.Certificate:
    def dn(text: str) -> x509.Name:
        return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, text)])

    now = datetime.now(timezone.utc)
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject or dn(name))
        .issuer_name(issuer.certificate.subject if issuer else subject or dn(name))
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now + starts)
        .not_valid_after(now + timedelta(days=days))
    )
    if is_ca:
        builder = builder.add_extension(x509.BasicConstraints(True, None), True)
    if ski:
        builder = builder.add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False)
    for extension, critical in extensions:
        builder = builder.add_extension(extension, critical)
    by = issuer.key if issuer else key
    without_hash = isinstance(by, (ed25519.Ed25519PrivateKey, mldsa.MLDSA65PrivateKey, mldsa.MLDSA87PrivateKey))
    return builder.sign(by, None if without_hash else hashes.SHA256())  # type: ignore[arg-type]


def made(key: Any, name: str, issuer: Identity | None = None, **more: Any) -> Identity:
    return Identity(key, certificate(key, name, issuer, **more))


KEYS = {
    "p256": lambda: ec.generate_private_key(ec.SECP256R1()),
    "p384": lambda: ec.generate_private_key(ec.SECP384R1()),
    "p521": lambda: ec.generate_private_key(ec.SECP521R1()),
    "rsa": lambda: rsa.generate_private_key(65537, 2048),
    "ed25519": ed25519.Ed25519PrivateKey.generate,
    "mldsa87": mldsa.MLDSA87PrivateKey.generate,
}


@pytest.mark.parametrize("kind", KEYS)
@pytest.mark.parametrize("quality", QUALITIES)
def test_message_opens_with_all_its_facts(kind: str, quality: str) -> None:
    own = made(KEYS[kind](), "alice")
    can_receive = not kind.startswith(("ed", "ml"))
    if not can_receive and quality == "confidentiality" or quality == "authenticity" and not kind.startswith("p"):
        pytest.raises(SignetError, _seal, own, own, quality)
        return
    to = own if can_receive else made(KEYS["p256"](), "bob")
    parties = {"alice": [own.certificate], "bob": [to.certificate]}
    trust = Trust(trusted=parties, known=parties)

    envelope = _seal(own, to, quality)
    message = Opener([to], trust).open(
        envelope,
        address="Zürich/50%",
        quality=quality,
        signers=[] if quality == "confidentiality" else ["alice"],
        brokers=[] if quality == "confidentiality" else ["alice"],
    )

    assert is_envelope(envelope)
    assert (message.text, message.quality, message.address) == ("100 €", quality, "Zürich/50%")
    assert (message.body, message.content_type) == ("jms/text", "text/plain; charset=utf-8")
    assert message.properties == {"Region": "eü"}
    assert message.hidden == {"amount": 12.5, "n": -7, "none": None, "region": "eü😀", "rush": True}
    assert message.policy == "orders.#@3"
    if quality != "confidentiality":
        assert message.signer == "CN=alice"
        assert message.sender == "alice@host"
        assert message.proof == ("agreement" if quality == "authenticity" else "signature")


def _seal(own: Identity, to: Identity, quality: str) -> bytes:
    parties = {"alice": [own.certificate], "bob": [to.certificate]}
    return Sealer(own, Trust(trusted=parties, known=parties)).seal(
        "100 €",
        address="Zürich/50%",
        quality=quality,
        recipients=[] if quality == "integrity" else ["bob"],
        sender="alice@host",
        policy="orders.#@3",
        properties={"Region": "eü"},
        hidden={"region": "eü😀", "amount": 12.5, "rush": True, "n": -7, "none": None},
    )


def test_recipients_of_all_kinds_open_one_message() -> None:
    own = [made(KEYS[kind](), kind) for kind in ("p256", "p384", "p521", "rsa")]
    own.append(made(KEYS["p256"](), "second-p256"))
    issuer = own[0]
    own.append(made(mlkem.MLKEM768PrivateKey.generate(), "kem768", issuer))
    own.append(made(mlkem.MLKEM1024PrivateKey.generate(), "kem1024", issuer))
    parties = {str(i): [each.certificate] for i, each in enumerate(own)}
    trust = Trust(trusted=parties, known=parties)
    names = [*parties, "0"]

    body = Sealer(None, trust).seal(b"\0\xff", address="a", quality="confidentiality", recipients=names)

    for each in own:
        assert Opener([each], trust).open(body, address="a", quality="confidentiality").payload == b"\0\xff"
    with pytest.raises(SignetError) as rejected:
        Opener([made(KEYS["p256"](), "mallory")], trust).open(body, address="a", quality="confidentiality")
    assert rejected.value.reason == "not-a-recipient"


def test_policy_of_both_kinds_of_keys() -> None:
    body = sealer("test-p256", "test-mldsa65").seal(
        "x", address=ADDRESS, quality="privacy", recipients=["test-p256"], both=True, include_certificate=False
    )

    message = opener("test-p256").open(body, address=ADDRESS, quality="privacy", signers=["test-p256"], both=True)

    assert message.text == "x" and message.signer == "CN=test-p256,O=Signet test vectors"


def test_signature_of_pss_and_a_certificate_that_is_only_referenced() -> None:
    pss = sealer("test-rsa2048").seal("x", address=ADDRESS, quality="integrity", pss=True, include_certificate=False)
    other = sealer("test-rsa2048").seal("x", address=ADDRESS, quality="integrity")

    assert opener("test-p256").open(pss, address=ADDRESS, quality="integrity", pss=True).text == "x"
    with pytest.raises(SignetError) as rejected:
        opener("test-p256").open(other, address=ADDRESS, quality="integrity", pss=True)
    assert rejected.value.reason == "policy-violation"
    assert len(pss) < len(other) - 500


@pytest.mark.parametrize("length", [0, 1, SEGMENT_BYTES, SEGMENT_BYTES + 1, 3 * SEGMENT_BYTES])
@pytest.mark.parametrize("quality", ["confidentiality", "privacy"])
def test_large_message_opens_from_its_segments(length: int, quality: str) -> None:
    payload = bytes(i % 251 for i in range(1000)) * (length // 1000 + 1)
    payload = payload[:length]

    segments = list(
        sealer("test-rsa2048").segments(
            io.BytesIO(payload), address=ADDRESS, quality=quality, recipients=["test-rsa2048"]
        )
    )
    whole = opener("test-rsa2048").open(b"".join(segments), address=ADDRESS, quality=quality)

    assert len(segments) == max(1, -(-length // SEGMENT_BYTES))
    assert whole.payload == payload
    parts = opener("test-rsa2048").parts(io.BytesIO(b"".join(segments)), address=ADDRESS, quality=quality)
    assert [len(part.payload) for part in parts] == [
        len(payload[i : i + SEGMENT_BYTES]) for i in range(0, max(1, length), SEGMENT_BYTES)
    ]


def test_wrong_requests_are_refused_with_one_line() -> None:
    for quality, recipients, options in (
        ("integrity", ["test-p256"], {}),
        ("privacy", [], {}),
        ("privacy", ["nobody"], {}),
        ("privacy", ["test-p256", "test-mldsa65"], {}),
        ("privacy", ["test-rsa2048"], {"both": True}),
        ("authenticity", ["test-rsa2048"], {}),
        ("integrity", [], {"properties": {"a b": "c"}}),
        ("integrity", [], {"properties": {"a": "c" * 20_000}}),
        ("integrity", [], {"body": "a\r\nb: c"}),
        ("integrity", [], {"hidden": {"a b": 1}}),
        ("integrity", [], {"hidden": {f"n{i}": i for i in range(65)}}),
    ):
        with pytest.raises(SignetError) as refused:
            sealer().seal("x", address=ADDRESS, quality=quality, recipients=recipients, **options)
        assert refused.value.reason == "not-sealed" and "\n" not in str(refused.value)
    with pytest.raises(ValueError, match="quality"):
        sealer().seal("x", address=ADDRESS, quality="none")
    with pytest.raises(ValueError, match="proves no signer"):
        opener("test-p256").open(b"", address=ADDRESS, quality="confidentiality", signers=["test-p256"])


# openssl

OPENSSL_KINDS = ["p256", "p384", "p521", "rsa"]


def openssl(*arguments: str | Path, stdin: bytes | None = None) -> bytes:
    found = subprocess.run(["openssl", *map(str, arguments)], input=stdin, capture_output=True, check=False, timeout=60)
    assert found.returncode == 0, found.stderr.decode()
    return found.stdout


def saved(folder: Path, own: Identity) -> tuple[Path, Path]:
    key, pem = folder / "own.key", folder / "own.pem"
    key.write_bytes(own.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    pem.write_bytes(own.certificate.public_bytes(Encoding.PEM))
    return key, pem


@pytest.mark.parametrize("kind", OPENSSL_KINDS)
@pytest.mark.parametrize("quality", QUALITIES)
def test_openssl_opens_what_is_sealed_here(kind: str, quality: str, tmp_path: Path) -> None:
    if quality == "authenticity" and kind == "rsa":
        return
    own = made(KEYS[kind](), "alice", is_ca=True)
    key, pem = saved(tmp_path, own)

    data = _seal(own, own, quality)
    if quality != "integrity":
        data = openssl("cms", "-decrypt", "-binary", "-inform", "DER", "-recip", pem, "-inkey", key, stdin=data)
    if quality in ("integrity", "privacy"):
        data = openssl("cms", "-verify", "-binary", "-inform", "DER", "-CAfile", pem, stdin=data)

    head, _, payload = data.partition(b"\r\n\r\n")
    assert payload.decode() == "100 €"
    assert head.startswith(b"Signet-Version: 1\r\nContent-Transfer-Encoding: binary\r\n")


@pytest.mark.parametrize("kind", OPENSSL_KINDS)
@pytest.mark.parametrize("names", [["-keyid"], []])
def test_what_openssl_seals_opens_here(kind: str, names: list[str], tmp_path: Path) -> None:
    own = made(KEYS[kind](), "alice")
    key, pem = saved(tmp_path, own)
    entity = bytes.fromhex(next(each for each in cases("accepted") if each["name"] == "privacy-p256")["entity"])
    signing: list[str | Path] = [
        "cms",
        "-sign",
        "-binary",
        "-nodetach",
        "-md",
        "sha512",
        *names,
        "-signer",
        pem,
        "-inkey",
        key,
    ]
    option = "ecdh_kdf_md:sha256" if kind != "rsa" else "rsa_padding_mode:oaep"
    options = ["-keyopt", option] + (["-keyopt", "rsa_oaep_md:sha256"] if kind == "rsa" else [])
    signed = openssl(*signing, "-outform", "DER", stdin=entity)
    sealed = openssl(
        "cms", "-encrypt", "-binary", "-aes-256-gcm", *names, "-recip", pem, *options, "-outform", "DER", stdin=signed
    )
    once = openssl(
        "cms", "-encrypt", "-binary", "-aes-256-gcm", *names, "-recip", pem, *options, "-outform", "DER", stdin=entity
    )
    reader = Opener([own], Trust(trusted={"alice": [own.certificate]}))

    for body, quality in ((signed, "integrity"), (sealed, "privacy"), (once, "confidentiality")):
        message = reader.open(body, address=ADDRESS, quality=quality)
        assert message.text == "Zürich, 100 €\r\n" and message.quality == quality
