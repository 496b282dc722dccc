# SPDX-License-Identifier: Apache-2.0
"""Seals messages and sends them by AMQP, STOMP or MQTT."""

from __future__ import annotations

import argparse
import os
import re
import sys
import threading
from typing import Any, Callable
from urllib.parse import urlsplit

import paho.mqtt.client as mqtt
import stomp
from paho.mqtt.enums import CallbackAPIVersion
from proton import Delivery, Message, symbol
from proton.reactor import SenderOption
from proton.utils import BlockingConnection, SendException

from signet_open import Sealer, SignetError

SECONDS = 30
Send = Callable[[bytes], None]


class NotSent(Exception):
    """The broker did not take a message."""


class Queue(SenderOption):
    """Asks Artemis for a queue that each message leaves once."""

    def apply(self, sender: Any) -> None:
        sender.target.capabilities.put_object(symbol("queue"))


def amqp(host: str, port: int, user: str, password: str, address: str) -> tuple[Send, Callable[[], None]]:
    connection = BlockingConnection(f"{host}:{port}", timeout=SECONDS, user=user, password=password)
    sender = connection.create_sender(address, options=Queue())

    def send(body: bytes) -> None:
        try:
            # inferred: the body is a data section, which the broker passes on as it is
            delivery = sender.send(Message(body=body, inferred=True, durable=True))
            if delivery.remote_state != Delivery.ACCEPTED:
                raise NotSent(str(delivery.remote_state))
        except SendException as refused:
            raise NotSent(f"refused by the broker: {refused}") from None

    return send, connection.close


class Answers(stomp.ConnectionListener):  # type: ignore[misc]
    """Waits for the broker's answer to each message."""

    def __init__(self) -> None:
        self.arrived = threading.Event()
        self.error = ""

    def on_receipt(self, frame: Any) -> None:
        self.arrived.set()

    def on_error(self, frame: Any) -> None:
        self.error = str(frame.headers.get("message") or frame.body)
        self.arrived.set()

    def on_disconnected(self) -> None:
        self.error = self.error or "the connection ended"
        self.arrived.set()


def over_stomp(host: str, port: int, user: str, password: str, address: str) -> tuple[Send, Callable[[], None]]:
    connection = stomp.Connection12([(host, port)], auto_decode=False)
    answers = Answers()
    connection.set_listener("answers", answers)
    connection.connect(user, password, wait=True)

    def send(body: bytes) -> None:
        answers.arrived.clear()
        connection.send(
            address,
            body,
            "application/octet-stream",
            headers={"destination-type": "ANYCAST", "receipt": "1", "persistent": "true"},
        )
        if not answers.arrived.wait(SECONDS) or answers.error:
            raise NotSent(answers.error or "the broker does not answer")

    def close() -> None:
        if connection.is_connected():
            connection.disconnect()

    return send, close


def topic(address: str) -> str:
    """The topic of an address: a dot becomes a slash, and a character that the broker escaped loses its backslash."""
    return re.sub(r"\\([.*])|\.", lambda found: found[1] or "/", address)


def over_mqtt(host: str, port: int, user: str, password: str, address: str) -> tuple[Send, Callable[[], None]]:
    client = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
    client.username_pw_set(user, password)
    refused: dict[int, str] = {}
    connected = threading.Event()

    def on_publish(_client: Any, _data: Any, mid: int, reason: Any, _properties: Any) -> None:
        if reason.is_failure:
            refused[mid] = str(reason)

    client.on_connect = lambda _client, _data, _flags, reason, _properties: (
        None if reason.is_failure else connected.set()
    )
    client.on_publish = on_publish
    client.connect(host, port)
    client.loop_start()
    if not connected.wait(SECONDS):
        raise NotSent("not connected")

    def send(body: bytes) -> None:
        sent = client.publish(topic(address), body, qos=1)
        try:
            sent.wait_for_publish(SECONDS)
        except RuntimeError as failed:
            raise NotSent(str(failed)) from None
        if not sent.is_published() or sent.mid in refused:
            raise NotSent(refused.get(sent.mid, "the broker does not answer"))

    def close() -> None:
        client.disconnect()
        client.loop_stop()

    return send, close


PROTOCOLS = {"amqp": amqp, "stomp": over_stomp, "mqtt": over_mqtt}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", default="amqp://localhost:61616", help="amqp://, stomp:// or mqtt:// HOST:PORT")
    parser.add_argument("--user", default=os.environ.get("BROKER_USER", ""), help="password: $BROKER_PASSWORD")
    parser.add_argument("--home", default="signet-home", help="home folder; password of its keys: $SIGNET_PASSWORD")
    parser.add_argument("--identity", default="", help="who signs")
    parser.add_argument("--address", required=True)
    parser.add_argument(
        "--quality", required=True, choices=["integrity", "confidentiality", "authenticity", "privacy", "none"]
    )
    parser.add_argument("--recipient", action="append", default=[], help="who can read it; again for each")
    parser.add_argument("text", nargs="+", help="the messages")
    options = parser.parse_args()
    url = urlsplit(options.url)
    if url.scheme not in PROTOCOLS or not url.hostname or not url.port:
        parser.error("--url: amqp://HOST:PORT, stomp://HOST:PORT or mqtt://HOST:PORT")
    try:
        # with quality none the broker seals, and the producer needs no keys
        sealer = None
        if options.quality != "none":
            sealer = Sealer.from_home(options.home, options.identity, os.environ.get("SIGNET_PASSWORD", ""))
        password = os.environ.get("BROKER_PASSWORD", "")
        send, close = PROTOCOLS[url.scheme](url.hostname, url.port, options.user, password, options.address)
        try:
            for text in options.text:
                body = text.encode()
                if sealer:
                    body = sealer.seal(
                        text, address=options.address, quality=options.quality, recipients=options.recipient
                    )
                send(body)
                print(f"sent to {options.address}: {len(text)} characters", flush=True)
        finally:
            close()
        return 0
    except (SignetError, NotSent) as refused:
        print(f"producer: error: {refused}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
