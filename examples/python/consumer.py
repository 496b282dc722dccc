# SPDX-License-Identifier: Apache-2.0
"""Receives messages by AMQP, STOMP or MQTT and opens them."""

from __future__ import annotations

import argparse
import os
import queue
import re
import sys
import threading
from functools import partial
from typing import Any, Callable, Generator
from urllib.parse import urlsplit

import paho.mqtt.client as mqtt
import stomp
from paho.mqtt.enums import CallbackAPIVersion
from proton import Timeout, symbol
from proton.reactor import ReceiverOption
from proton.utils import BlockingConnection

from signet_open import Opener, SignetError

#: A body, and what to do when it is opened, and when it cannot be opened.
Received = tuple[bytes, Callable[[], Any], Callable[[], Any]]


class Queue(ReceiverOption):
    """Asks Artemis for a queue that each message leaves once."""

    def apply(self, receiver: Any) -> None:
        receiver.source.capabilities.put_object(symbol("queue"))


def amqp(
    host: str, port: int, user: str, password: str, address: str, seconds: float
) -> Generator[Received, None, None]:
    connection = BlockingConnection(f"{host}:{port}", timeout=seconds, user=user, password=password)
    try:
        receiver = connection.create_receiver(address, credit=1, options=Queue())
        ready()
        while True:
            try:
                message = receiver.receive(timeout=seconds)
            except Timeout:
                return
            # an envelope comes as bytes
            body = bytes(message.body) if isinstance(message.body, (bytes, memoryview)) else str(message.body).encode()
            # a message that is given back with an error becomes a dead letter
            yield body, receiver.accept, receiver.reject
    finally:
        connection.close()


class Arrivals(stomp.ConnectionListener):  # type: ignore[misc]
    """Keeps what the broker sends until it is opened."""

    def __init__(self) -> None:
        self.frames: queue.Queue[Any] = queue.Queue()
        self.subscribed = threading.Event()

    def on_message(self, frame: Any) -> None:
        self.frames.put(frame)

    def on_receipt(self, frame: Any) -> None:
        self.subscribed.set()


def over_stomp(
    host: str, port: int, user: str, password: str, address: str, seconds: float
) -> Generator[Received, None, None]:
    connection = stomp.Connection12([(host, port)], auto_decode=False)
    arrivals = Arrivals()
    connection.set_listener("arrivals", arrivals)
    connection.connect(user, password, wait=True)
    try:
        headers = {"subscription-type": "ANYCAST", "receipt": "1"}
        connection.subscribe(address, "1", "client-individual", headers=headers)
        if not arrivals.subscribed.wait(seconds):
            return
        ready()
        while True:
            try:
                frame = arrivals.frames.get(timeout=seconds)
            except queue.Empty:
                return
            body = frame.body.encode() if isinstance(frame.body, str) else bytes(frame.body)
            token = frame.headers["ack"]
            yield body, partial(connection.ack, token), partial(connection.nack, token)
    finally:
        connection.disconnect()


def topic(address: str) -> str:
    """The topic of an address: a dot becomes a slash, and a character that the broker escaped loses its backslash."""
    return re.sub(r"\\([.*])|\.", lambda found: found[1] or "/", address)


def over_mqtt(
    host: str, port: int, user: str, password: str, address: str, seconds: float
) -> Generator[Received, None, None]:
    client = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5, manual_ack=True)
    client.username_pw_set(user, password)
    arrived: queue.Queue[mqtt.MQTTMessage] = queue.Queue()
    subscribed = threading.Event()
    client.on_connect = lambda connection, _data, _flags, _reason, _properties: connection.subscribe(
        topic(address), qos=1
    )
    client.on_subscribe = lambda *_: subscribed.set()
    client.on_message = lambda _client, _data, message: arrived.put(message)
    client.connect(host, port)
    client.loop_start()
    try:
        if not subscribed.wait(seconds):
            return
        ready()
        while True:
            try:
                message = arrived.get(timeout=seconds)
            except queue.Empty:
                return
            acknowledge = partial(client.ack, message.mid, message.qos)
            # MQTT cannot give a message back: it is acknowledged, and the error says that it is gone
            yield bytes(message.payload), acknowledge, acknowledge
    finally:
        client.disconnect()
        client.loop_stop()


PROTOCOLS = {"amqp": amqp, "stomp": over_stomp, "mqtt": over_mqtt}


def ready() -> None:
    print("consumer: waits for messages", file=sys.stderr, flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", default="amqp://localhost:61616", help="amqp://, stomp:// or mqtt:// HOST:PORT")
    parser.add_argument("--user", default=os.environ.get("BROKER_USER", ""), help="password: $BROKER_PASSWORD")
    parser.add_argument("--home", default="signet-home", help="home folder; password of its keys: $SIGNET_PASSWORD")
    parser.add_argument("--identity", required=True, help="whose keys open the messages")
    parser.add_argument("--address", required=True)
    parser.add_argument("--quality", required=True, choices=["integrity", "confidentiality", "authenticity", "privacy"])
    parser.add_argument("--signer", action="append", default=[], help="who may have signed; anyone trusted without it")
    parser.add_argument("--broker", action="append", default=[], help="a broker whose word on the sender counts")
    parser.add_argument("--count", type=int, default=1, help="how many messages to receive")
    parser.add_argument("--seconds", type=float, default=30, help="how long to wait for the next one")
    options = parser.parse_args()
    url = urlsplit(options.url)
    if url.scheme not in PROTOCOLS or not url.hostname or not url.port:
        parser.error("--url: amqp://HOST:PORT, stomp://HOST:PORT or mqtt://HOST:PORT")
    received = failed = 0
    try:
        opener = Opener.from_home(options.home, options.identity, os.environ.get("SIGNET_PASSWORD", ""))
        messages = PROTOCOLS[url.scheme](
            url.hostname,
            url.port,
            options.user,
            os.environ.get("BROKER_PASSWORD", ""),
            options.address,
            options.seconds,
        )
        for body, take, give_back in messages:
            received += 1
            try:
                # address, quality, segments and signer are checked before anything is returned
                message = opener.open(
                    body,
                    address=options.address,
                    quality=options.quality,
                    signers=options.signer,
                    brokers=options.broker,
                )
                text = message.payload.decode(errors="replace")
                print(f"{message.quality}\t{message.signer or '-'}\t{message.sender or '-'}\t{text}", flush=True)
                take()
            except SignetError as refused:
                failed += 1
                print(f"consumer: not opened: {refused.reason}: {refused}", file=sys.stderr, flush=True)
                give_back()
            if received == options.count:
                break
        messages.close()
    except SignetError as refused:
        print(f"consumer: error: {refused}", file=sys.stderr)
        return 1
    return 0 if received == options.count and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
