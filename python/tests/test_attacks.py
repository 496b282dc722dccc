# SPDX-License-Identifier: Apache-2.0
"""Damaged and forged envelopes: each is refused, and no other text is released. The attacker has no keys, or some."""

from __future__ import annotations

import io
import os
import random
import time
import tracemalloc
import zlib
from typing import Any, Iterator

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.keywrap import aes_key_wrap
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from test_sealing import certificate, made
from test_vectors import named
from vectors import ADDRESS, NOW, cases, envelope_of, identity, open_case, opener, sealer, trust

from signet_open import Identity, Opener, SignetError, Trust, cms, oids
from signet_open.der import SEQUENCE, Element, Reader, element, number, octets, sequence, set_of
from signet_open.entity import COMMITTING_LINES, SEGMENT_BYTES, Entity, _inflate, write
from signet_open.home import Keys
from signet_open.opener import derived, originator_hash
from signet_open.sealer import _Sealing
from signet_open.trust import key_identifier

ACCEPTED = [case for case in cases("accepted")]


def assert_rejected(case: dict[str, str], body: bytes, what: object) -> SignetError:
    try:
        message = open_case(case, body)
    except SignetError as rejected:
        assert "100" not in str(rejected), what
        assert rejected.reason != "internal", what
        return rejected
    pytest.fail(f"opened in spite of {what}: {len(message.payload)} bytes")


@pytest.mark.parametrize("case", ACCEPTED, ids=named)
def test_every_byte_changed_is_rejected(case: dict[str, str]) -> None:
    envelope = envelope_of(case)
    for at in range(len(envelope)):
        for mask in (0x01, 0x80) if at % 11 else (0x01, 0x80, 0xFF, 0x20):
            changed = bytearray(envelope)
            changed[at] ^= mask
            assert_rejected(case, bytes(changed), (at, mask))


@pytest.mark.parametrize("case", ACCEPTED, ids=named)
def test_cut_anywhere_is_rejected(case: dict[str, str]) -> None:
    envelope = envelope_of(case)
    for length in range(0, len(envelope), 7):
        assert_rejected(case, envelope[:length], length)
    assert_rejected(case, envelope[:-1], "one byte less")


@pytest.mark.parametrize("case", ACCEPTED, ids=named)
def test_bytes_before_or_behind_are_rejected(case: dict[str, str]) -> None:
    envelope = envelope_of(case)
    for more in range(1, 40):
        assert_rejected(case, envelope + bytes(more), f"{more} zeros behind")
        assert_rejected(case, bytes(more) + envelope, f"{more} zeros before")
    assert_rejected(case, envelope + envelope, "twice in a row")


@pytest.mark.parametrize("case", ACCEPTED, ids=named)
def test_lengths_that_lie_are_rejected(case: dict[str, str]) -> None:
    envelope = envelope_of(case)
    for at in range(1, len(envelope) - 5, 1 if len(envelope) < 3000 else 5):
        for claim in (b"\x84\x40\0\0\0", b"\x84\xff\xff\xff\xff", b"\x80", b"\x89" + bytes(8)):
            lying = envelope[:at] + claim + envelope[at + 1 :]
            if lying != envelope:
                assert_rejected(case, lying, at)


@pytest.mark.parametrize("case", ACCEPTED, ids=named)
def test_random_damage_is_rejected_without_other_errors(case: dict[str, str]) -> None:
    envelope = envelope_of(case)
    seed = int.from_bytes(os.urandom(8), "big")
    chance = random.Random(seed)
    for round_ in range(300):
        damaged = bytearray(envelope)
        for _ in range(chance.randrange(1, 9)):
            at = chance.randrange(len(damaged))
            damaged[at] = (damaged[at] + chance.randrange(1, 256)) % 256
        if damaged != envelope:
            assert_rejected(case, bytes(damaged), f"seed {seed} round {round_}")


@pytest.mark.parametrize("case", ACCEPTED, ids=named)
def test_deep_nesting_is_rejected(case: dict[str, str]) -> None:
    for nested in (b"\xa0\x80" * 500_000, b"\x30\x84\x00\x0f\x00\x00" * 100_000):
        assert_rejected(case, envelope_of(case)[:17] + nested, "half a million levels")
        whole = sequence(oids.SIGNED_DATA, element(0xA0, nested))
        assert_rejected(case, whole, "levels inside")


def test_certificate_of_many_elements_is_rejected_before_it_is_parsed() -> None:
    case = next(case for case in ACCEPTED if case["name"] == "integrity-p256")
    for encoded in (sequence(*[b"\x05\0"] * 600), _nested(30), sequence(octets(bytes(9_000)))):
        forged = _with_certificates(envelope_of(case), [encoded])
        assert assert_rejected(case, forged, "certificate").reason == "malformed"
    long = x509.Name([x509.NameAttribute(x509.NameOID.ORGANIZATIONAL_UNIT_NAME, str(i)) for i in range(13)])
    named_long = certificate(ec.generate_private_key(ec.SECP256R1()), "x", subject=long).public_bytes(Encoding.DER)
    assert "attributes of names" in str(
        assert_rejected(case, _with_certificates(envelope_of(case), [named_long]), "names")
    )
    own = identity("test-p256").certificate.public_bytes(Encoding.DER)
    others = [sequence(number(i)) for i in range(5)]
    assert "more than 5" in str(assert_rejected(case, _with_certificates(envelope_of(case), [own, *others]), "six"))


def _nested(depth: int) -> bytes:
    inner = b""
    for _ in range(depth):
        inner = sequence(inner)
    return inner


def _with_certificates(envelope: bytes, certificates: list[bytes]) -> bytes:
    structure = Reader(envelope).enter(SEQUENCE)
    kind = structure.any().encoded
    parts = [bytes(each.encoded) for each in _all(structure.enter(0xA0).enter(SEQUENCE))]
    parts[3] = set_of(*certificates, tag=0xA0)
    return sequence(bytes(kind), element(0xA0, sequence(*parts)))


def _all(reader: Reader) -> Iterator[Element]:
    while reader.more:
        yield reader.any()


def test_compressed_payload_is_whole_and_within_its_limit() -> None:
    forge = _forge("confidentiality")
    line = b"Signet-Encoding: deflate\r\n"

    def opened(payload: bytes) -> bytes:
        body = forge.seal(_entity(payload, None), line)
        return opener("test-p256").open(body, address=ADDRESS, quality="confidentiality").payload

    for payload in (b"", b"x", os.urandom(200_000), bytes(67_108_864)):
        assert opened(zlib.compress(payload)) == payload
    right = zlib.compress(b"100")
    for wrong in (
        b"",
        b"x",
        right[:-1],
        right + b"\0",
        zlib.compress(bytes(67_108_865)),
        right[:5] + b"\xff" + right[6:],
    ):
        with pytest.raises(SignetError):
            opened(wrong)


def test_compressed_payload_costs_no_more_time_than_its_bytes() -> None:
    """Empty blocks behind a payload of the greatest length: who looks at them again for each piece takes minutes."""
    compress = zlib.compressobj()
    start = compress.compress(bytes(67_108_864)) + compress.flush(zlib.Z_SYNC_FLUSH)
    body = start + b"\0\0\0\xff\xff" * 10_000_000 + compress.flush()
    begun = time.process_time()
    assert len(_inflate(memoryview(body))) == 67_108_864
    assert time.process_time() - begun < 5


@pytest.mark.parametrize("case", cases("hostile"), ids=named)
def test_hostile_envelope_ends_soon_and_in_little_memory(case: dict[str, str]) -> None:
    body = envelope_of(case)
    tracemalloc.start()
    begun = time.monotonic()
    try:
        open_case(case, body)
        assert "expect" not in case
    except SignetError as rejected:
        assert len(str(rejected)) < 2_000
    finally:
        seconds, peak = time.monotonic() - begun, tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert seconds < 5
    assert peak < (150_000_000 if case["name"] == "a payload that inflates" else 2_000_000)


# segments


def _segments(name: str) -> tuple[dict[str, str], list[bytes]]:
    case = next(case for case in ACCEPTED if case["name"] == name)
    reader, segments = Reader(envelope_of(case)), []
    while reader.more:
        segments.append(bytes(reader.any().encoded))
    assert len(segments) == 3
    return case, segments


LARGE = ["large-confidentiality-p256", "large-privacy-p256"]


@pytest.mark.parametrize("name", LARGE)
def test_segments_taken_away_or_moved_are_rejected_and_release_a_beginning_alone(name: str) -> None:
    case, segments = _segments(name)
    payload = bytes.fromhex(case["payload"])
    changed = [[s for j, s in enumerate(segments) if j != i] for i in range(3)]
    changed += [[segment] for segment in segments]
    changed += [segments[:j] + [segments[i]] + segments[j:] for i in range(3) for j in range(4)]
    for i in range(3):
        for j in range(i):
            swapped = list(segments)
            swapped[i], swapped[j] = swapped[j], swapped[i]
            replaced = list(segments)
            replaced[i] = segments[j]
            changed += [swapped, replaced]
    changed += [segments + segments]
    for other in (bytes(1), bytes(5000), b"in clear", b"\x30", b"\x30\x80", b"\x30\x84\x7f\0\0\0" + oids.SIGNED_DATA):
        changed += [segments[:i] + [other] + segments[i:] for i in (1, 2, 3)]
    for row in changed:
        body = b"".join(row)
        assert_rejected(case, body, [len(each) for each in row])
        released = b""
        parts = opener("test-p256").parts(io.BytesIO(body), address=ADDRESS, quality=case["quality"])
        with pytest.raises(SignetError):
            for part in parts:
                released += part.payload
        assert payload.startswith(released), "what was released is a beginning of the message"


def test_segments_of_another_message_are_rejected() -> None:
    forge = _forge("confidentiality")
    sound = [forge.seal(_entity(b"one ", (1, False))), forge.seal(_entity(b"two", (2, True)))]
    open_ = opener("test-p256").open
    assert open_(b"".join(sound), address=ADDRESS, quality="confidentiality").payload == b"one two"

    others = {
        "another id": forge.seal(_entity(b"two", (2, True), message_id="f" * 32)),
        "another body": forge.seal(_entity(b"two", (2, True), body="jms/text")),
        "another sender": forge.seal(_entity(b"two", (2, True), claimed_sender="mallory")),
        "a property": forge.seal(_entity(b"two", (2, True), properties={"x": "y"})),
        "a foreign line": forge.seal(_entity(b"two", (2, True)), b"X-Other: 1\r\n"),
        "another quality": _forge("privacy").seal(_entity(b"two", (2, True))),
        "no number": forge.seal(_entity(b"two", None)),
        "a number far off": forge.seal(_entity(b"two", (999_999_999, True))),
        "too much": forge.seal(_entity(bytes(SEGMENT_BYTES + 1), (2, True))),
    }
    for what, other in others.items():
        with pytest.raises(SignetError) as rejected:
            open_(sound[0] + other, address=ADDRESS, quality="confidentiality")
        assert rejected.value.reason == "malformed", what
    for row in ([(1, True), (2, True)], [None, (2, True)], [None, None], [(1, False), None, (3, True)]):
        body = b"".join(forge.seal(_entity(b"x", place)) for place in row)
        with pytest.raises(SignetError):
            open_(body, address=ADDRESS, quality="confidentiality")
    with pytest.raises(SignetError):
        open_(forge.seal(_entity(bytes(SEGMENT_BYTES + 1), (1, True))), address=ADDRESS, quality="confidentiality")


@pytest.mark.parametrize(("count", "opens"), [(16, True), (17, False)])
def test_short_segments_have_a_limit(count: int, opens: bool) -> None:
    forge = _forge("confidentiality", keep_infos=True)
    body = b"".join(forge.seal(_entity(b"x", (i + 1, i + 1 == count))) for i in range(count))
    if opens:
        assert len(opener("test-p256").open(body, address=ADDRESS, quality="confidentiality").payload) == count
    else:
        with pytest.raises(SignetError, match="not full"):
            opener("test-p256").open(body, address=ADDRESS, quality="confidentiality")


@pytest.mark.parametrize("quality", ["integrity", "confidentiality"])
def test_short_segments_cost_no_more_operations_than_one_message(quality: str) -> None:
    forge = _forge(quality)
    body = b"".join(forge.seal(_entity(b"x", (i + 1, i == 3))) for i in range(4))
    with pytest.raises(SignetError):
        opener("test-p256").open(body, address=ADDRESS, quality=quality)


def test_stream_that_claims_gigabytes_takes_no_memory_for_them() -> None:
    class Endless(io.RawIOBase):
        taken = 0

        def read(self, size: int = -1) -> bytes:
            assert 0 < size <= 65_536
            self.taken += size
            head = b"\x30\x84\x04\x20\x00\x00" + oids.SIGNED_DATA
            return (head + bytes(size))[:size] if self.taken == size else bytes(size)

    endless = Endless()
    with pytest.raises(SignetError, match="longer"):
        list(opener("test-p256").parts(endless, address=ADDRESS, quality="integrity"))  # type: ignore[arg-type]
    assert endless.taken < 100


# forged with the keys of a party


class _Forge:
    """Seals entities of any form with the keys of the vectors."""

    def __init__(self, quality: str, keep_infos: bool) -> None:
        self._sealing = _Sealing(
            Keys((identity("test-p256"),), trust()), NOW, quality, [] if quality == "integrity" else ["test-p256"]
        )
        if keep_infos:  # one data key for all, as a writer of large messages has
            infos = self._sealing._agreed(b"k" * 32, [identity("test-p256").certificate])
            self._sealing._agreed = lambda data_key, certificates: infos  # type: ignore[method-assign]

    def seal(self, entity: Entity, lines: bytes = b"") -> bytes:
        return self.content(write(entity).replace(COMMITTING_LINES, COMMITTING_LINES + lines, 1))

    def content(self, content: bytes) -> bytes:
        if self._sealing._quality in ("integrity", "privacy"):
            content = self._sealing._signed(content)
        for certificates in self._sealing._layers:
            content = self._sealing._encrypted(content, certificates)
        return content


def _forge(quality: str, keep_infos: bool = False) -> _Forge:
    forge = _Forge(quality, keep_infos)
    if keep_infos:
        forge._sealing._encrypted = lambda content, certificates: _encrypted(  # type: ignore[method-assign]
            content, forge._sealing._agreed(b"", certificates)
        )
    return forge


def _encrypted(content: bytes, infos: list[bytes]) -> bytes:
    nonce = os.urandom(12)
    sealed = AESGCM(b"k" * 32).encrypt(nonce, content, None)
    return envelope(infos, nonce, sealed)


def envelope(infos: list[bytes], nonce: bytes, sealed: bytes) -> bytes:
    content = sequence(
        oids.DATA, sequence(oids.AES_256_GCM, sequence(octets(nonce), number(16))), element(0x80, sealed[:-16])
    )
    data = sequence(number(0), set_of(*infos), content, octets(sealed[-16:]))
    return sequence(oids.AUTH_ENVELOPED_DATA, element(0xA0, data))


def _entity(payload: bytes, segment: tuple[int, bool] | None, **more: object) -> Entity:
    facts: dict[str, object] = {"message_id": "0" * 32, "body": "jms/bytes", "address": ADDRESS}
    facts.update(more)
    return Entity(content_type="text/plain", payload=payload, segment=segment, **facts)  # type: ignore[arg-type]


@pytest.mark.parametrize("quality", ["confidentiality", "privacy"])
def test_content_that_commits_to_no_key_is_rejected(quality: str) -> None:
    forge = _forge("confidentiality")
    entity = write(_entity(b"pay 100", None))
    signed = _forge("integrity").content(entity)
    swapped = b"Content-Transfer-Encoding: binary\r\nSignet-Version: 1\r\n" + entity[54:]
    for content in (
        b"",
        b"x",
        entity[:53],
        entity.lower(),
        swapped,
        signed + b"\0",
        signed[:-1],
        sequence(oids.SIGNED_DATA, element(0xA0, sequence(number(3), set_of(sequence(oids.SHA_1))))),
        sequence(oids.SIGNED_DATA, element(0xA0, sequence(number(2), set_of(sequence(oids.SHA_512))))),
        forge.content(entity),
    ):
        with pytest.raises(SignetError) as rejected:
            opener("test-p256").open(forge.content(content), address=ADDRESS, quality=quality)
        assert rejected.value.reason == "malformed"


def test_reflected_message_is_no_message_of_the_recipient() -> None:
    """The secret of two static keys is one in both directions."""
    alice, bob = identity("test-p256"), _other_identity()
    entity = write(_entity(b"pay 100 to bob", None))
    for honest_ukm in (True, False):
        data_key = os.urandom(32)
        # alice sent this to bob; the attacker names bob as the originator and sends it to alice
        ukm = os.urandom(16)
        ukm += originator_hash(ukm, _point(alice.key if honest_ukm else bob.key))
        infos = [_agreement(bob.key, alice, ukm, data_key if honest_ukm else os.urandom(32), alice.key)]
        if not honest_ukm:  # the data key was wrapped under alice's ukm, so it does not unwrap under another
            right = os.urandom(16) + bytes(16)
            infos = [_agreement(bob.key, alice, ukm, data_key, alice.key, wrapped_under=right)]
        nonce = os.urandom(12)
        body = envelope(infos, nonce, AESGCM(data_key).encrypt(nonce, entity, None))
        known = {"test-p256": [alice.certificate], "bob": [bob.certificate]}
        reader = Opener([alice], Trust(trusted=known, known=known), clock=lambda: NOW)
        with pytest.raises(SignetError) as rejected:
            reader.open(body, address=ADDRESS, quality="authenticity")
        assert rejected.value.reason == ("policy-violation" if honest_ukm else "authentication-failed")
        if honest_ukm:
            message = reader.open(body, address=ADDRESS, quality="confidentiality")
            assert message.signer is None and message.proof is None


def _other_identity() -> Identity:
    return made(ec.generate_private_key(ec.SECP256R1()), "bob")


def _point(key: Any) -> bytes:
    point: bytes = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return point


def _agreement(
    named: Any, to: Identity, ukm: bytes, data_key: bytes, own: Any, wrapped_under: bytes | None = None
) -> bytes:
    bob = named.public_key()
    kek = derived(own.exchange(ec.ECDH(), bob), "SHA256", wrapped_under or ukm)
    return element(
        0xA1,
        number(3),
        element(0xA0, element(0xA1, sequence(oids.EC_PUBLIC_KEY), element(3, b"\0", _point(named)))),
        element(0xA1, octets(ukm)),
        sequence(oids.ECDH_SHA_256, oids.AES_256_WRAP),
        sequence(
            sequence(
                element(0xA0, octets(key_identifier(to.certificate))),
                octets(aes_key_wrap(kek, data_key)),
            )
        ),
    )


def test_recipient_infos_beside_the_senders_prove_no_sender() -> None:
    seal = _Sealing(Keys((identity("test-p256"),), trust()), NOW, "authenticity", ["test-p256"])
    one = Reader(seal.seal(_entity(b"x", None))).enter(SEQUENCE)
    one.any()
    parts = list(_all(one.enter(0xA0).enter(SEQUENCE)))
    infos = [bytes(each.encoded) for each in _all(parts[1].reader())]
    rest = [bytes(each.encoded) for each in parts[2:]]
    unknown = element(0xA3, b"\x05\0")
    body = sequence(oids.AUTH_ENVELOPED_DATA, element(0xA0, sequence(number(0), set_of(*infos, unknown), *rest)))
    with pytest.raises(SignetError) as rejected:
        opener("test-p256").open(body, address=ADDRESS, quality="authenticity")
    assert rejected.value.reason == "policy-violation"
    assert opener("test-p256").open(body, address=ADDRESS, quality="confidentiality").signer is None


def test_limits_are_checked_before_a_private_key_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    from signet_open import opener as module

    def never(*_: object) -> bytes:
        raise AssertionError("a private key was used")

    monkeypatch.setattr(module._Opening, "_data_key", never)
    own = key_identifier(identity("test-rsa2048").certificate)

    def info(algorithm: bytes = oids.OAEP_SHA_256, wrapped: int = 256, name: bytes = own) -> bytes:
        return sequence(number(2), element(0x80, name), algorithm, octets(bytes(wrapped)))

    unknown = element(0xA3, b"\x05\0")
    for infos in (
        [info(), *[unknown] * 1_000],
        [info(wrapped=1_025)],
        [info(), info(name=bytes(65))],
        [info(), info(oids.LEGACY_TRANSPORT[0])],
        [info(), info(oids.LEGACY_TRANSPORT[1])],
        [info(), element(0xA1, number(2))],
    ):
        with pytest.raises(SignetError) as rejected:
            opener("test-rsa2048").open(
                envelope(infos, bytes(12), bytes(100)), address=ADDRESS, quality="confidentiality"
            )
        assert rejected.value.reason in ("malformed", "policy-violation")


def test_wrong_keys_for_our_name_are_tried_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    from signet_open import opener as module

    tried: list[object] = []
    real = module._Opening._data_key

    def counted(*arguments: Any) -> bytes | None:
        tried.append(arguments)
        return real(*arguments)

    monkeypatch.setattr(module._Opening, "_data_key", counted)
    own = key_identifier(identity("test-rsa2048").certificate)
    wrong = [sequence(number(2), element(0x80, own), oids.OAEP_SHA_256, octets(os.urandom(256))) for _ in range(9)]
    with pytest.raises(SignetError) as rejected:
        opener("test-rsa2048").open(envelope(wrong, bytes(12), bytes(100)), address=ADDRESS, quality="confidentiality")
    assert rejected.value.reason == "authentication-failed" and len(tried) == 2


def test_two_kinds_of_keys_are_required_in_their_order_and_of_one_party() -> None:
    both = sealer("test-p256", "test-mldsa65").seal("x", address=ADDRESS, quality="integrity", both=True)
    open_ = opener("test-p256").open
    assert open_(both, address=ADDRESS, quality="integrity", signers=["test-p256"], both=True).text == "x"
    for body, reason, options in (
        (both, "malformed", {}),
        (both, "signer-not-authorized", {"both": True, "signers": ["test-rsa2048"]}),
        (sealer().seal("x", address=ADDRESS, quality="integrity"), "policy-violation", {"both": True}),
        (sealer("test-mldsa65").seal("x", address=ADDRESS, quality="integrity"), "policy-violation", {"both": True}),
        (
            sealer("test-rsa2048", "test-mldsa65").seal("x", address=ADDRESS, quality="integrity", both=True),
            "signer-not-authorized",
            {"both": True},
        ),
    ):
        with pytest.raises(SignetError) as rejected:
            open_(body, address=ADDRESS, quality="integrity", **options)
        assert rejected.value.reason == reason


def test_both_kinds_of_keys_are_not_promised_of_a_sender_who_agrees() -> None:
    """Its proof is one of elliptic curves: who breaks those makes the inner envelope, and anyone the outer one."""
    keys = Keys((identity("test-p256"),), trust())
    inner = _Sealing(keys, NOW, "authenticity", ["test-p256"]).seal(_entity(b"x", None))
    outer = _Sealing(keys, NOW, "confidentiality", ["test-p256"])
    nested = outer._encrypted(inner, [identity("test-mlkem768").certificate])
    open_ = opener("test-p256").open
    with pytest.raises(ValueError, match="elliptic curves alone"):
        open_(nested, address=ADDRESS, quality="authenticity", both=True)
    message = open_(nested, address=ADDRESS, quality="confidentiality", both=True)
    assert (message.payload, message.quality, message.signer, message.proof) == (b"x", "confidentiality", None, None)


def test_other_nestings_of_encryption_are_rejected() -> None:
    keys = Keys((identity("test-p256"),), trust())
    once = _Sealing(keys, NOW, "confidentiality", ["test-p256"])
    post_quantum = _Sealing(keys, NOW, "confidentiality", ["test-p256"])
    kem = [identity("test-mlkem768").certificate]
    entity = write(_entity(b"x", None))
    inner = once._encrypted(entity, [identity("test-p256").certificate])
    nested = post_quantum._encrypted(inner, kem)
    open_ = opener("test-p256").open
    assert open_(nested, address=ADDRESS, quality="confidentiality", both=True).payload == b"x"
    for body in (
        post_quantum._encrypted(nested, kem),
        post_quantum._encrypted(post_quantum._encrypted(entity, kem), kem),
        once._encrypted(inner, [identity("test-p256").certificate]),
        post_quantum._encrypted(entity, kem),
        inner,
    ):
        with pytest.raises(SignetError) as rejected:
            open_(body, address=ADDRESS, quality="confidentiality", both=True)
        assert rejected.value.reason in ("malformed", "policy-violation")
    with pytest.raises(SignetError):
        open_(nested, address=ADDRESS, quality="confidentiality")


def test_clear_text_is_no_envelope() -> None:
    for body in (
        b"",
        b"hello",
        "Zürich".encode(),
        b"\x30",
        b"\x30\x03abc",
        COMMITTING_LINES,
        write(_entity(b"x", None)),
    ):
        with pytest.raises(SignetError) as rejected:
            opener("test-p256").open(body, address=ADDRESS, quality="integrity")
        assert rejected.value.reason == "unprotected"
        assert not cms.begins_as_envelope(body)


def test_failure_of_a_library_is_an_error_like_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise KeyError("pay 100 to mallory")

    monkeypatch.setattr(cms, "encrypted", fails)
    body = sealer().seal("x", address=ADDRESS, quality="confidentiality", recipients=["test-p256"])
    with pytest.raises(SignetError) as refused:
        opener("test-p256").open(body, address=ADDRESS, quality="confidentiality")
    assert refused.value.reason == "internal" and "mallory" not in str(refused.value)
