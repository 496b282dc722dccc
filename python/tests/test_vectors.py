# SPDX-License-Identifier: Apache-2.0
"""The vectors and attacks that the Java reader passes, too."""

from __future__ import annotations

import hashlib
import io

import pytest
from vectors import ADDRESS, NOW, cases, envelope_of, identity, open_case, opener, reason

from signet_open import SignetError
from signet_open.entity import COMMITTING_LINES, decode, encode


def named(case: dict[str, str]) -> str:
    return case["name"]


def opening(*files: str) -> list[dict[str, str]]:
    return [case for file in files for case in cases(file) if "payload" in case]


def failing(*files: str) -> list[dict[str, str]]:
    return [case for file in files for case in cases(file) if "expect" in case]


@pytest.mark.parametrize("case", opening("accepted", "headers"), ids=named)
def test_vector_opens_to_its_payload(case: dict[str, str]) -> None:
    message = open_case(case, envelope_of(case))

    assert message.payload == bytes.fromhex(case["payload"])
    assert message.quality == case["quality"]
    assert message.address == ADDRESS
    proves = case["quality"] != "confidentiality"
    assert (message.proof is not None) == proves
    assert (message.signer is not None) == proves


def test_facts_of_a_message_are_those_of_its_header() -> None:
    case = next(case for case in cases("accepted") if case["name"] == "privacy-p256")

    message = open_case(case, envelope_of(case))

    assert message.text == "Zürich, 100 €\r\n"
    assert message.signer == "CN=test-p256,O=Signet test vectors"
    assert message.signer_certificate == identity("test-p256").certificate
    assert message.signed_at == NOW
    assert (message.body, message.content_type) == ("jms/text", "text/plain; charset=utf-8")
    assert message.properties == {"Region": "eu"}
    assert message.policy == "orders.eu@17"
    assert message.sender is None, "no broker is named, so no one vouches for the sender"
    vouched = opener("test-p256").open(envelope_of(case), address=ADDRESS, quality="privacy", brokers=["test-p256"])
    assert vouched.sender == "Änne 50%"
    other = opener("test-p256").open(envelope_of(case), address=ADDRESS, quality="privacy", brokers=["test-rsa2048"])
    assert other.sender is None


@pytest.mark.parametrize("case", failing("rejected", "headers", "attacks"), ids=named)
def test_case_is_rejected_as_by_the_java_reader(case: dict[str, str]) -> None:
    with pytest.raises(SignetError) as rejected:
        open_case(case, envelope_of(case))

    assert rejected.value.reason == reason(case["expect"]), str(rejected.value)
    assert len(str(rejected.value)) < 300 and "\n" not in str(rejected.value)


def test_parts_of_a_large_message_come_one_by_one() -> None:
    case = next(case for case in cases("accepted") if case["name"] == "large-privacy-p256")

    parts = list(
        opener("test-p256").parts(
            io.BytesIO(envelope_of(case)), address=ADDRESS, quality="privacy", signers=["test-p256"]
        )
    )

    assert [part.payload for part in parts] == [b"Z\xc3", b"\xbcrich, ", "100 €\r\n".encode()]


def test_committing_lines_are_54_bytes() -> None:
    assert len(COMMITTING_LINES) == 54
    assert (
        hashlib.sha256(COMMITTING_LINES).hexdigest()[:8]
        == hashlib.sha256(b"Signet-Version: 1\r\nContent-Transfer-Encoding: binary\r\n").hexdigest()[:8]
    )


@pytest.mark.parametrize("text", ["", " ", " a ", "a b", "Zürich 50%", "a\r\nb: c", "€", "\x7f", "😀"])
def test_percent_encoding_has_one_form(text: str) -> None:
    assert decode(encode(text), "line") == text
    for other in (
        encode(text).lower() if "%" in encode(text) and encode(text).lower() != encode(text) else "%41",
        "%",
        "%zz",
        "%FF",
    ):
        with pytest.raises(SignetError):
            decode(other, "line")
