# SPDX-License-Identifier: Apache-2.0
"""Which certificates of signers and recipients count."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID
from test_sealing import certificate, made

from signet_open import Identity, Opener, Sealer, SignetError, Trust

ROOT_KEY = ec.generate_private_key(ec.SECP256R1())
ROOT = made(ROOT_KEY, "root", is_ca=True)


def key() -> ec.EllipticCurvePrivateKey:
    return ec.generate_private_key(ec.SECP256R1())


def usage(*allowed: str) -> x509.KeyUsage:
    names = (
        "digital_signature",
        "content_commitment",
        "key_encipherment",
        "data_encipherment",
        "key_agreement",
        "key_cert_sign",
        "crl_sign",
        "encipher_only",
        "decipher_only",
    )
    return x509.KeyUsage(**{name: name in allowed for name in names})


def signed(signer: Identity, issuers: list[Identity] | None = None, include: bool = True) -> bytes:
    own = Identity(signer.key, signer.certificate, tuple(each.certificate for each in issuers or []))
    everything = {str(i): [each.certificate] for i, each in enumerate([signer, *(issuers or [])])}
    # sealed by a signer who trusts itself; only what the reader trusts matters
    sealer = Sealer(own, Trust(trusted=everything))
    return sealer.seal("100", address="a", quality="integrity", include_certificate=include)


def opens(
    body: bytes, trusted: list[x509.Certificate], known: list[x509.Certificate] | None = None, **more: Any
) -> None:
    now = more.pop("now", None)
    trust = Trust(trusted={"root": trusted}, known={"other": known or []}, **more)
    reader = Opener([], trust, **({"clock": lambda: now} if now else {}))
    assert reader.open(body, address="a", quality="integrity").text == "100"


def refused(body: bytes, trusted: list[x509.Certificate], match: str | None = None, **more: Any) -> None:
    with pytest.raises(SignetError, match=match) as rejected:
        opens(body, trusted, **more)
    assert rejected.value.reason == "signer-rejected"


def test_certificate_counts_if_it_is_trusted_or_issued_by_a_trusted_one() -> None:
    signer = made(key(), "alice", ROOT)
    body = signed(signer)

    opens(body, [ROOT.certificate])
    opens(body, [signer.certificate])
    refused(body, [], "not trusted")
    refused(body, [made(key(), "root", is_ca=True).certificate], "not trusted")
    refused(body, [], "not trusted", known=[signer.certificate, ROOT.certificate])


def test_issuers_in_the_message_lead_to_the_trusted_one() -> None:
    first = made(key(), "first", ROOT, is_ca=True)
    second = made(key(), "second", first, is_ca=True)
    signer = made(key(), "alice", second)

    opens(signed(signer, [second, first]), [ROOT.certificate])
    refused(signed(signer, [second]), [ROOT.certificate], "not trusted")
    refused(signed(signer, [first]), [ROOT.certificate], "not trusted")


def test_path_has_at_most_four_issuers() -> None:
    issuers = [ROOT]
    for i in range(4):
        issuers.insert(0, made(key(), f"issuer {i}", issuers[0], is_ca=True))
    for count, ends_well in ((3, True), (4, False)):
        inner = issuers[len(issuers) - 1 - count : len(issuers) - 1]
        signer = made(key(), "alice", inner[0])
        if ends_well:
            opens(signed(signer, inner), [ROOT.certificate])
        else:
            refused(signed(signer, inner), [ROOT.certificate], "not trusted")


def test_many_issuers_of_one_name_cost_five_signatures() -> None:
    many = [made(key(), "root", is_ca=True) for _ in range(6)]
    signer = made(key(), "alice", ROOT)

    refused(signed(signer), [each.certificate for each in many], "more than 5 signatures")


@pytest.mark.parametrize(
    ("extensions", "match"),
    [
        ([(usage("key_agreement"), True)], "does not allow to sign"),
        ([(usage("key_cert_sign"), True)], "does not allow to sign"),
        ([(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), False)], "does not allow mail"),
        ([(x509.UnrecognizedExtension(x509.ObjectIdentifier("1.2.3.4"), b"\5\0"), True)], "unknown critical"),
        ([(x509.NameConstraints([x509.DNSName("a")], None), True)], "name constraints"),
    ],
)
def test_certificate_of_another_use_is_refused_also_if_it_is_trusted(extensions: Any, match: str) -> None:
    signer = made(key(), "alice", extensions=extensions)
    issued = made(key(), "alice", ROOT, extensions=extensions)

    for each in (signer, issued):
        body = forged(each)
        refused(body, [signer.certificate, ROOT.certificate], match)


def forged(signer: Identity) -> bytes:
    """Signed by a sender who does not look at the certificate."""
    from signet_open.entity import Entity, write
    from signet_open.home import Keys
    from signet_open.sealer import _Sealing

    helper = made(key(), "helper")
    sealing = _Sealing(
        Keys((helper,), Trust(trusted={"helper": [helper.certificate]})), datetime.now(timezone.utc), "integrity", []
    )
    sealing._signers = [signer]
    return sealing._signed(
        write(Entity(message_id="0" * 32, address="a", body="jms/text", content_type="text/plain", payload=b"100"))
    )


def test_certificate_of_allowed_uses_counts() -> None:
    for extensions in (
        [(usage("digital_signature"), True)],
        [(usage("content_commitment", "key_agreement"), True)],
        [(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.EMAIL_PROTECTION]), True)],
        [(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.ANY_EXTENDED_KEY_USAGE]), False)],
        [(x509.SubjectAlternativeName([x509.RFC822Name("a@example.com")]), False)],
        [(x509.UnrecognizedExtension(x509.ObjectIdentifier("1.2.3.4"), b"\5\0"), False)],
    ):
        opens(signed(made(key(), "alice", ROOT, extensions=extensions)), [ROOT.certificate])


def test_issuer_that_may_not_issue_is_refused() -> None:
    no_ca = made(key(), "no ca", ROOT)
    no_use = made(key(), "no use", ROOT, is_ca=True, extensions=[(usage("digital_signature"), True)])
    web = made(
        key(), "web", ROOT, is_ca=True, extensions=[(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), False)]
    )
    for issuer in (no_ca, no_use, web):
        signer = made(key(), "alice", issuer)
        refused(forged_with(signer, issuer), [ROOT.certificate])
        if issuer is not web:
            refused(forged_with(signer, issuer), [issuer.certificate])


def forged_with(signer: Identity, *issuers: Identity) -> bytes:
    return forged(Identity(signer.key, signer.certificate, tuple(each.certificate for each in issuers)))


def test_path_length_of_an_issuer_holds_also_for_the_trusted_one() -> None:
    def issuer(name: str, by: Identity | None, length: int | None) -> Identity:
        own = key()
        return Identity(
            own,
            certificate(own, name, by, extensions=[(x509.BasicConstraints(True, length), True)]),
        )

    for length, ends_well in ((0, False), (1, True)):
        root = issuer("short root", None, length)
        middle = issuer("middle", root, None)
        body = forged_with(made(key(), "alice", middle), middle)
        if ends_well:
            opens(body, [root.certificate])
        else:
            refused(body, [root.certificate])


def test_dates_hold_for_each_certificate_of_the_path() -> None:
    now = datetime.now(timezone.utc)
    signer = made(key(), "alice", ROOT, days=2)
    body = signed(signer)

    opens(body, [ROOT.certificate], now=now + timedelta(days=1))
    refused(body, [ROOT.certificate], "valid from", now=now + timedelta(days=3))
    refused(body, [ROOT.certificate], "valid from", now=now - timedelta(days=3))
    refused(body, [signer.certificate], "valid from", now=now + timedelta(days=3))
    long_signer = made(key(), "alice", ROOT, days=100)
    refused(signed(long_signer), [ROOT.certificate], "root: valid from", now=now + timedelta(days=50))


def test_root_that_was_renewed_with_its_key_counts_by_its_present_certificate() -> None:
    old = Identity(ROOT_KEY, certificate(ROOT_KEY, "root", is_ca=True, days=-1, starts=timedelta(days=-9)))
    signer = made(key(), "alice", ROOT)

    opens(signed(signer), [old.certificate, ROOT.certificate])
    refused(signed(signer), [old.certificate], "valid from")


def test_weak_keys_and_signatures_are_refused() -> None:
    with pytest.raises(SignetError, match="2,048"):
        made(rsa.generate_private_key(65537, 1024), "root", is_ca=True)
    own = rsa.generate_private_key(65537, 2048)
    signer = made(own, "alice", ROOT)
    opens(signed(signer), [ROOT.certificate])
    refused(signed(signer), [ROOT.certificate], "fewer than 3072", least_rsa_bits=3072)
    refused(signed(made(key(), "alice", ROOT)), [ROOT.certificate], "not allowed", curves=frozenset({"P-384"}))


def revocations(issuer: Identity, *revoked: x509.Certificate, reason: str | None = None, days: int = 1) -> Any:
    now = datetime.now(timezone.utc)
    builder = (
        x509.CertificateRevocationListBuilder()
        .issuer_name(issuer.certificate.subject)
        .last_update(now - timedelta(days=9))
        .next_update(now + timedelta(days=days))
    )
    for each in revoked:
        entry = x509.RevokedCertificateBuilder().serial_number(each.serial_number).revocation_date(now)
        if reason:
            entry = entry.add_extension(x509.CRLReason(x509.ReasonFlags[reason]), False)
        builder = builder.add_revoked_certificate(entry.build())
    return builder.sign(issuer.key, hashes.SHA256())  # type: ignore[arg-type]


def test_list_of_the_issuer_revokes_also_when_it_is_old() -> None:
    signer, other = made(key(), "alice", ROOT), made(key(), "bob", ROOT)
    body = signed(signer)
    forger = made(key(), "root", is_ca=True)

    for days in (1, -1):
        refused(body, [ROOT.certificate], "revoked on", revocations=[revocations(ROOT, signer.certificate, days=days)])
    opens(body, [ROOT.certificate], revocations=[revocations(ROOT, other.certificate)])
    opens(body, [ROOT.certificate], revocations=[revocations(forger, signer.certificate)])
    refused(
        body,
        [ROOT.certificate, signer.certificate],
        "revoked on",
        revocations=[revocations(ROOT, signer.certificate)],
    )


def test_revoked_issuer_and_revoked_key_count_no_more() -> None:
    middle = made(key(), "middle", ROOT, is_ca=True)
    signer = made(key(), "alice", middle)
    refused(
        signed(signer, [middle]),
        [ROOT.certificate],
        "middle: revoked",
        revocations=[revocations(ROOT, middle.certificate)],
    )

    own = key()
    first, second = made(own, "alice", ROOT), made(own, "alice", ROOT)
    body = signed(second)
    for reason, ends_well in (("key_compromise", False), ("superseded", True)):
        lists = [revocations(ROOT, first.certificate, reason=reason)]
        if ends_well:
            opens(body, [ROOT.certificate], known=[first.certificate], revocations=lists)
        else:
            refused(body, [ROOT.certificate], "revoked on", known=[first.certificate], revocations=lists)


def test_name_of_another_party_passes_no_list_and_is_not_shown() -> None:
    broker, mallory = made(key(), "broker"), made(key(), "mallory", is_ca=True)
    forged_broker = made(key(), "broker", mallory)
    same_identifier = made(
        key(),
        "x",
        mallory,
        ski=False,
        extensions=[(x509.SubjectKeyIdentifier.from_public_key(broker.key.public_key()), False)],
    )
    trust = Trust(
        trusted={"broker": [broker.certificate], "mallory": [mallory.certificate]},
        known={"broker": [broker.certificate]},
    )
    for forger in (forged_broker, same_identifier):
        body = forged(forger)
        with pytest.raises(SignetError) as rejected:
            Opener([], trust).open(body, address="a", quality="integrity", signers=["broker"])
        assert rejected.value.reason == "signer-not-authorized"
        message = Opener([], trust).open(body, address="a", quality="integrity", brokers=["broker"])
        assert message.signer is not None and message.signer.startswith("ski:")
        assert message.sender is None
    with pytest.raises(SignetError):
        Opener([], trust).open(forged(broker), address="a", quality="integrity", signers=["nobody"])


def test_signer_without_a_key_identifier_is_found_by_its_key() -> None:
    signer = made(key(), "alice", ski=False)

    opens(signed(signer), [signer.certificate])
    opens(signed(signer, include=False), [signer.certificate])
    refused(signed(signer, include=False), [ROOT.certificate], "not known")


def test_recipient_that_may_not_receive_is_not_sealed_for() -> None:
    sealer = Sealer(
        None,
        trust := Trust(
            trusted={"root": [ROOT.certificate]},
            known={
                "good": [made(key(), "good", ROOT).certificate],
                "signs": [made(key(), "signs", ROOT, extensions=[(usage("digital_signature"), True)]).certificate],
                "ed": [made(ed25519.Ed25519PrivateKey.generate(), "ed", ROOT).certificate],
                "unknown": [made(key(), "unknown").certificate],
                "ended": [made(key(), "ended", ROOT, days=-1, starts=timedelta(days=-9)).certificate],
            },
        ),
    )
    assert trust.party("good")
    sealer.seal("x", address="a", quality="confidentiality", recipients=["good"])
    for name in ("signs", "ed", "unknown", "ended"):
        with pytest.raises(SignetError) as rejected:
            sealer.seal("x", address="a", quality="confidentiality", recipients=["good", name])
        assert rejected.value.reason == "signer-rejected"
