# SPDX-License-Identifier: Apache-2.0
"""Home folders, as Signet makes them and as they go wrong."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, Encoding, NoEncryption, PrivateFormat
from cryptography.hazmat.primitives.serialization.pkcs12 import serialize_key_and_certificates
from test_sealing import made
from test_trust import ROOT, key, revocations

from signet_open import Home, Identity, Opener, Sealer, SignetError, Trust, read_password

PASSWORD = "correct horse"
LIST: bytes = revocations(ROOT).public_bytes(Encoding.PEM)


def write(file: Path, data: bytes, mode: int = 0o644) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_name(f".{file.name}")
    part.write_bytes(data)
    part.chmod(mode)
    part.rename(file)


def p12(own: Identity, password: str = PASSWORD) -> bytes:
    return serialize_key_and_certificates(
        b"own",
        own.key,  # type: ignore[arg-type]
        own.certificate,
        None,
        BestAvailableEncryption(password.encode()),
    )


def pem(*identities: Identity) -> bytes:
    return b"".join(each.certificate.public_bytes(Encoding.PEM) for each in identities)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    own = made(key(), "alice")
    write(tmp_path / "identities" / "alice.p12", p12(own), 0o600)
    for part in ("recipients", "trust"):
        write(tmp_path / part / "alice.pem", pem(own))
    return tmp_path


def seal(home: Path, **more: Any) -> bytes:
    return Sealer.from_home(home, "alice", PASSWORD).seal(
        "100", address="a", quality="privacy", recipients=["alice"], **more
    )


def opens(opener: Opener, body: bytes) -> None:
    assert opener.open(body, address="a", quality="privacy", signers=["alice"]).text == "100"


def test_home_opens_and_seals_in_three_lines(home: Path) -> None:
    opens(Opener.from_home(home, "alice", PASSWORD), seal(home))


def test_renewed_key_and_former_key_open_without_a_restart(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opener = Opener.from_home(home, "alice", PASSWORD)
    before = seal(home)
    opens(opener, before)

    own = home / "identities" / "alice.p12"
    former = Identity.from_pkcs12(own, PASSWORD)
    write(home / "identities" / "former" / "alice.0123456789abcdef.p12", own.read_bytes(), 0o600)
    renewed = made(key(), "alice")
    write(own, p12(renewed), 0o600)
    for part in ("recipients", "trust"):
        write(home / part / "alice.pem", pem(renewed, former))
    monkeypatch.setattr("signet_open.home.time.monotonic", lambda: 1e9)  # a second later

    after = seal(home)
    opens(opener, before)
    opens(opener, after)
    with pytest.raises(SignetError) as rejected:
        Opener([former], opener._keys().trust).open(after, address="a", quality="privacy")
    assert rejected.value.reason == "not-a-recipient"


def test_list_that_comes_later_revokes_and_a_broken_one_closes(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    signer = made(key(), "alice", ROOT)
    write(home / "identities" / "alice.p12", p12(signer), 0o600)
    write(home / "recipients" / "alice.pem", pem(signer))
    write(home / "trust" / "alice.pem", pem(ROOT))
    opener = Opener.from_home(home, "alice", PASSWORD)
    body = seal(home)
    opens(opener, body)
    seconds = iter(range(10**6, 10**7, 10))
    monkeypatch.setattr("signet_open.home.time.monotonic", lambda: next(seconds))

    for data, reason in (
        (revocations(ROOT, signer.certificate).public_bytes(Encoding.PEM), "signer-rejected"),
        (b"broken", "keystore"),
        (revocations(ROOT, signer.certificate).public_bytes(Encoding.DER), "signer-rejected"),
    ):
        write(home / "crl" / "root.crl", data)
        for _ in range(2):
            with pytest.raises(SignetError) as rejected:
                opens(opener, body)
            assert rejected.value.reason == reason
    write(home / "crl" / "root.crl", revocations(ROOT).public_bytes(Encoding.DER))
    opens(opener, body)


@pytest.mark.parametrize("name", ["all.pem", "all.crl", "all.der", "all.crt", "all.cer"])
def test_each_list_of_a_file_revokes(home: Path, name: str) -> None:
    signer, other = made(key(), "alice", ROOT), made(key(), "other", is_ca=True)
    write(home / "identities" / "alice.p12", p12(signer), 0o600)
    write(home / "recipients" / "alice.pem", pem(signer))
    write(home / "trust" / "root.pem", pem(ROOT))
    body = seal(home)
    lists = [revocations(each).public_bytes(Encoding.PEM) for each in (other, ROOT)]
    write(home / "crl" / name, b"\n".join(lists))
    opens(Opener.from_home(home, "alice", PASSWORD), body)

    write(home / "crl" / name, b"\n".join([*lists, revocations(ROOT, signer.certificate).public_bytes(Encoding.PEM)]))

    with pytest.raises(SignetError, match="revoked on"):
        opens(Opener.from_home(home, "alice", PASSWORD), body)


@pytest.mark.parametrize("folder", ["recipients", "trust"])
def test_issuer_of_a_party_is_not_the_party(home: Path, folder: str) -> None:
    """Its certificate stands behind that of the party, or in trust/ in a file of the same name."""
    signer, issuer = made(key(), "alice", ROOT), ROOT
    write(home / "identities" / "alice.p12", p12(signer), 0o600)
    write(home / "recipients" / "alice.pem", pem(signer, issuer) if folder == "recipients" else pem(signer))
    write(home / "trust" / "alice.pem", pem(issuer))
    opens(Opener.from_home(home, "alice", PASSWORD), seal(home))
    trust = Trust(trusted={"alice": [issuer.certificate]}, known={"alice": [signer.certificate]})
    forged = Sealer(issuer, trust).seal("100", address="a", quality="privacy", recipients=["alice"], sender="bob")

    opener = Opener.from_home(home, "alice", PASSWORD)
    with pytest.raises(SignetError) as rejected:
        opens(opener, forged)

    assert rejected.value.reason == "signer-not-authorized"
    assert opener.open(forged, address="a", quality="privacy", brokers=["alice"]).sender is None


def test_former_certificate_of_a_party_is_the_party(home: Path) -> None:
    former = made(key(), "alice")
    present = home / "recipients" / "alice.pem"
    write(present, present.read_bytes() + pem(former, made(key(), "mallory")))
    write(home / "trust" / "former.pem", pem(former))
    known = {"alice": [Opener.from_home(home, "alice", PASSWORD)._keys().identities[0].certificate]}
    body = Sealer(former, Trust(trusted={"x": [former.certificate], **known}, known=known)).seal(
        "100", address="a", quality="privacy", recipients=["alice"]
    )

    opens(Opener.from_home(home, "alice", PASSWORD), body)


@pytest.mark.parametrize(
    ("file", "data", "mode", "says"),
    [
        ("identities/alice.p12", None, 0, "no identity 'alice'"),
        ("identities/alice.p12", b"x", 0o600, "wrong password"),
        ("identities/alice.p12", b"x", 0o644, "chmod 600"),
        ("identities/alice.p12", b"x", 0o660, "chmod 600"),
        ("identities/former/alice.00.p12", b"x", 0o600, "wrong password"),
        ("trust/alice.pem", b"x", 0o644, "no certificates in PEM"),
        ("recipients/alice.pem", bytes(1 << 21), 0o644, "more than"),
        ("crl/a.crl", b"-----BEGIN X509 CRL-----\nx", 0o644, "no revocation list"),
        ("crl/a.crl", LIST + LIST[:-9], 0o644, "no revocation list"),
        ("crl/a.crl", LIST + LIST.replace(b"M", b"N", 9), 0o644, "no revocation list"),
        ("crl/a.crl", b"", 0o644, "no revocation list"),
        ("trust.json", b"{", 0o644, "no settings"),
        ("trust.json", b"[]", 0o644, "no settings"),
        ("trust.json", b'{"schema": 2}', 0o644, "schema 1"),
        ("trust.json", b'{"schema": 1, "revocation": {"fail": "hard"}}', 0o644, "does not know 'revocation'"),
        ("trust.json", b'{"schema": 1, "signature-algorithms": ["Ed25519"]}', 0o644, "'signature-algorithms'"),
        ("trust.json", b'{"schema": 1, "least-rsa-bits": "x"}', 0o644, "least-rsa-bits"),
        ("trust.json", b'{"schema": 1, "curves": ["P-128"]}', 0o644, "curves"),
    ],
)
def test_broken_home_is_refused_with_one_line(home: Path, file: str, data: bytes | None, mode: int, says: str) -> None:
    if data is None:
        (home / file).unlink()
    else:
        write(home / file, data, mode)

    with pytest.raises(SignetError, match=says) as refused:
        Opener.from_home(home, "alice", PASSWORD)

    assert refused.value.reason == "keystore"
    assert "\n" not in str(refused.value) and PASSWORD not in str(refused.value)


def test_settings_of_trust_narrow_what_counts(home: Path) -> None:
    write(home / "trust.json", b'{"schema": 1, "curves": ["P-384"], "least-rsa-bits": 3072}')

    with pytest.raises(SignetError, match="curve P-256 is not allowed"):
        seal(home)


def test_wrong_password_and_missing_home_are_refused(home: Path) -> None:
    for folder, name, password in (
        (home, "alice", "wrong"),
        (home, "alice", ""),
        (home, "bob", PASSWORD),
        (home / "x", "alice", PASSWORD),
    ):
        with pytest.raises(SignetError) as refused:
            Home(folder, name, password)
        assert refused.value.reason == "keystore"


def test_password_file_must_be_private(tmp_path: Path) -> None:
    file = tmp_path / "password"
    write(file, b"correct horse\nsecond line\n", 0o600)
    assert read_password(file) == PASSWORD
    for data, mode, says in ((b"secret\n", 0o644, "chmod 600"), (b"\n", 0o600, "empty"), (b"\xff\n", 0o600, "UTF-8")):
        write(file, data, mode)
        with pytest.raises(SignetError, match=says) as refused:
            read_password(file)
        assert "secret" not in str(refused.value).replace("this secret", "")


def test_identity_from_pem_needs_the_key_of_its_certificate(tmp_path: Path) -> None:
    own, other = made(key(), "alice"), made(key(), "bob")
    secret = tmp_path / "alice.key"
    assert isinstance(own.key, ec.EllipticCurvePrivateKey)
    write(secret, own.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()), 0o600)
    write(tmp_path / "alice.pem", pem(own))
    write(tmp_path / "bob.pem", pem(other))

    assert Identity.from_pem(secret, tmp_path / "alice.pem").certificate == own.certificate
    for certificate in ("bob.pem", "none.pem", "alice.key"):
        with pytest.raises(SignetError) as refused:
            Identity.from_pem(secret, tmp_path / certificate)
        assert refused.value.reason == "keystore"


def test_file_that_may_not_be_read_is_refused(home: Path) -> None:
    if os.geteuid() == 0:  # root may read all: take the file away
        (home / "trust" / "alice.pem").unlink()
        (home / "trust" / "alice.pem").symlink_to(home / "gone")
    else:
        (home / "trust" / "alice.pem").chmod(0)
    with pytest.raises(SignetError, match="cannot be read"):
        Opener.from_home(home, "alice", PASSWORD)


def test_secret_that_is_rotated_to_a_broken_key_and_back_closes_and_opens_again(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As Kubernetes mounts it: the files are links through ..data, which one rename replaces."""
    identities = home / "identities"
    right = (identities / "alice.p12").read_bytes()
    (identities / "alice.p12").unlink()

    def rotate(version: str, data: bytes) -> None:
        write(identities / f"..{version}" / "alice.p12", data, 0o600)
        (identities / "..data_tmp").symlink_to(f"..{version}")
        (identities / "..data_tmp").rename(identities / "..data")

    rotate("1", right)
    (identities / "alice.p12").symlink_to("..data/alice.p12")
    opener = Opener.from_home(home, "alice", PASSWORD)
    body = seal(home)
    opens(opener, body)
    seconds = iter(range(10**6, 10**7, 10))
    monkeypatch.setattr("signet_open.home.time.monotonic", lambda: next(seconds))

    rotate("2", b"broken")
    for _ in range(2):
        with pytest.raises(SignetError) as refused:
            opens(opener, body)
        assert refused.value.reason == "keystore"
    rotate("3", right)
    opens(opener, body)
