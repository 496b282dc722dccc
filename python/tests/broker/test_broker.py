# SPDX-License-Identifier: Apache-2.0
"""The programs of examples/python, this package, and a real broker with the plugin."""

from __future__ import annotations

import subprocess
from pathlib import Path

import consumer
import producer
import pytest
from proton import Message
from proton.utils import BlockingConnection, SendException
from real_broker import BROKER_PASSWORD, PASSWORD, PROTOCOLS, QUALITIES, USER, Broker, example, start

from signet_open import Opener, Sealer, is_envelope

TEXT = "Zürich, 100 €"


def _waiting(broker: Broker, protocol: str, address: str, quality: str, *more: str) -> subprocess.Popen[str]:
    process = start("consumer", broker, protocol, "--address", address, "--quality", quality, *more)
    assert process.stderr is not None
    assert "waits" in process.stderr.readline()
    return process


def _signed_by(quality: str, name: str) -> list[str]:
    return [] if quality == "confidentiality" else ["--signer", name]


def _end(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, error = process.communicate(timeout=60)
    return process.returncode, out, error


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("quality", QUALITIES)
def test_message_that_the_broker_seals_opens_in_python(broker: Broker, quality: str, protocol: str) -> None:
    address = f"sealed.{quality}.{protocol}"
    vouches = quality in ("integrity", "privacy")
    options = _signed_by(quality, "broker") + (["--broker", "broker"] if vouches else [])
    waiting = _waiting(broker, protocol, address, quality, "--count", "2", *options)

    example("producer", broker, protocol, "--address", address, "--quality", "none", TEXT, "second")

    code, out, error = _end(waiting)
    assert (code, error) == (0, "")
    signer = "-" if quality == "confidentiality" else "CN=broker,O=Example"
    sender = USER if vouches else "-"
    assert out.splitlines() == [f"{quality}\t{signer}\t{sender}\t{text}" for text in (TEXT, "second")]


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("quality", QUALITIES)
def test_message_that_python_seals_passes_the_broker_and_opens(broker: Broker, quality: str, protocol: str) -> None:
    address = f"own.{quality}.{protocol}"
    recipient = [] if quality == "integrity" else ["--recipient", "alice"]
    waiting = _waiting(broker, protocol, address, quality, *_signed_by(quality, "alice"))

    refused = example("producer", broker, protocol, "--address", address, "--quality", "none", TEXT, fails=True)
    example("producer", broker, protocol, "--address", address, "--quality", quality, *recipient, TEXT)

    assert "producer: error" in refused
    code, out, error = _end(waiting)
    assert (code, error) == (0, "")
    signer = "-" if quality == "confidentiality" else "CN=alice,O=Example"
    assert out == f"{quality}\t{signer}\t-\t{TEXT}\n"


@pytest.mark.parametrize("protocol", ["amqp", "stomp"])
@pytest.mark.parametrize("quality", QUALITIES)
def test_java_consumer_opens_what_python_sealed(broker: Broker, quality: str, protocol: str) -> None:
    address = f"own.{quality}.java-{protocol}"
    recipient = [] if quality == "integrity" else ["--recipient", "alice"]

    example("producer", broker, protocol, "--address", address, "--quality", quality, *recipient, TEXT)

    [message] = broker.browse(address)
    assert message["quality"] == quality
    assert message["payload"]["text"] == TEXT
    assert message.get("signer") == (None if quality == "confidentiality" else "CN=alice,O=Example")


@pytest.mark.parametrize("quality", QUALITIES)
def test_command_and_python_open_each_others_files(broker: Broker, quality: str, tmp_path: Path) -> None:
    address = f"own.{quality}.file"
    recipients = [] if quality == "integrity" else ["alice"]
    here, there = tmp_path / "here.cms", tmp_path / "there.cms"
    here.write_bytes(
        Sealer.from_home(broker.home, "alice", PASSWORD).seal(
            TEXT,
            address=address,
            quality=quality,
            recipients=recipients,
            hidden={"region": "eu"},
            properties={"A": "b"},
        )
    )
    (tmp_path / "text").write_text(TEXT)
    broker.cli(
        "alice-home",
        "message",
        "seal",
        "--address",
        address,
        "--as",
        "alice",
        "--in",
        tmp_path / "text",
        "--out",
        there,
    )

    opened = tmp_path / "opened"
    broker.cli("alice-home", "message", "open", "--address", address, "--as", "alice", "--in", here, "--out", opened)
    message = Opener.from_home(broker.home, "alice", PASSWORD).open(
        there.read_bytes(), address=address, quality=quality
    )

    assert opened.read_text() == TEXT
    assert message.payload.decode() == TEXT
    assert message.signer == (None if quality == "confidentiality" else "CN=alice,O=Example")


@pytest.mark.parametrize("receiving", PROTOCOLS[:2])
def test_large_message_has_segments_that_python_opens(broker: Broker, receiving: str) -> None:
    address = f"sealed.privacy.large-{receiving}"
    connection = BlockingConnection(f"127.0.0.1:{broker.port}", timeout=60, user=USER, password=BROKER_PASSWORD)
    payload = bytes(range(256)) * 12_000
    sender = connection.create_sender(address, options=producer.Queue())
    sender.send(Message(body=payload, inferred=True, durable=True))
    connection.close()

    messages = consumer.PROTOCOLS[receiving]("127.0.0.1", broker.port, USER, BROKER_PASSWORD, address, 60)
    body, take, _ = next(messages)

    assert is_envelope(body) and payload[:1000] not in body
    opener = Opener.from_home(broker.home, "alice", PASSWORD)
    message = opener.open(body, address=address, quality="privacy", signers=["broker"], brokers=["broker"])
    assert message.payload == payload
    assert (message.body, message.sender) == ("jms/bytes", USER)
    for damaged in (body[:-1], body[: len(body) // 2], body + body[:1], bytes([body[0]]) + body[2:]):
        with pytest.raises(Exception, match="segment|envelope|message"):
            opener.open(damaged, address=address, quality="privacy")
    take()
    messages.close()


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_message_that_cannot_be_opened_is_not_shown(broker: Broker, protocol: str) -> None:
    address = f"sealed.privacy.wrong-{protocol}"
    waiting = _waiting(broker, protocol, address, "privacy", "--signer", "alice")

    example("producer", broker, protocol, "--address", address, "--quality", "none", TEXT)

    code, out, error = _end(waiting)
    assert (code, out) == (1, "")
    assert error.startswith("consumer: not opened: signer-not-authorized: signer CN=broker,O=Example")
    assert "100" not in error


def test_envelope_for_another_address_or_recipient_is_refused_by_the_broker(broker: Broker) -> None:
    sealer = Sealer.from_home(broker.home, "alice", PASSWORD)
    connection = BlockingConnection(f"127.0.0.1:{broker.port}", timeout=60, user=USER, password=BROKER_PASSWORD)
    sender = connection.create_sender("own.privacy.refused", options=producer.Queue())
    right = sealer.seal(TEXT, address="own.privacy.refused", quality="privacy", recipients=["alice"])
    for wrong in (
        sealer.seal(TEXT, address="own.privacy.refused", quality="integrity"),
        sealer.seal(TEXT, address="own.privacy.refused", quality="privacy", recipients=["broker"]),
        right[:-1],
    ):
        with pytest.raises(SendException):
            sender.send(Message(body=wrong, inferred=True))
    sender.send(Message(body=right, inferred=True))
    connection.close()
    assert [message["payload"]["text"] for message in broker.browse("own.privacy.refused")] == [TEXT]


def test_home_with_post_quantum_and_former_keys_serves_the_command_and_python(broker: Broker, tmp_path: Path) -> None:
    def cli(*arguments: str | Path) -> str:
        return broker.cli("pq-home", *arguments)

    cli("identity", "create", "alice", "--dn", "CN=alice,O=Example")
    cli("identity", "create", "alice.pq", "--dn", "CN=alice-pq,O=Example", "--key-algorithm", "ml-dsa-65")
    cli("policy", "set", "a", "--quality", "privacy", "--recipient", "alice", "--signer", "alice", "--require", "both")
    home = broker.folder / "pq-home"
    text, there, here, opened = (tmp_path / name for name in ("text", "there", "here", "opened"))
    text.write_text(TEXT)
    cli("message", "seal", "--address", "a", "--as", "alice", "--in", text, "--out", there)
    opener = Opener.from_home(home, "alice", PASSWORD)

    for step in ("before", "after"):
        message = opener.open(there.read_bytes(), address="a", quality="privacy", signers=["alice"], both=True)
        assert message.payload.decode() == TEXT and message.signer == "CN=alice,O=Example"
        sealer = Sealer.from_home(home, "alice", PASSWORD)
        here.write_bytes(sealer.seal(TEXT, address="a", quality="privacy", recipients=["alice"], both=True))
        cli("message", "open", "--address", "a", "--as", "alice", "--in", here, "--out", opened)
        assert opened.read_text() == TEXT
        opened.unlink()
        if step == "before":
            cli("identity", "renew", "alice")
            cli("identity", "renew", "alice.pq", "--decrypt-key")
            opener = Opener.from_home(home, "alice", PASSWORD)
