# SPDX-License-Identifier: Apache-2.0
"""A real broker with the plugin, and homes that the real command made.

``SIGNET`` is the command ``signet``, of this tree or of an unpacked release. ``ARTEMIS_HOME`` is the folder of an unpacked
distribution of Apache Artemis. The script ``python/test`` finds both.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Iterator

import pytest

PASSWORD = "correct horse"
USER, BROKER_PASSWORD = "admin", "admin secret"
EXAMPLES = Path(__file__).parents[3] / "examples" / "python"
PROTOCOLS = ["amqp", "stomp", "mqtt"]
QUALITIES = ["integrity", "confidentiality", "authenticity", "privacy"]


def required(variable: str, what: str) -> Path:
    value = os.environ.get(variable)
    if not value:
        pytest.fail(f"${variable} is not set: {what}")
    path = Path(value).resolve()
    assert path.exists(), f"${variable}: no {path}"
    return path


def run(*command: str | Path, fails: bool = False, **environment: str) -> str:
    found = subprocess.run(
        [str(each) for each in command],
        env={**os.environ, "SIGNET_PASSWORD": PASSWORD, **environment},
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    assert (found.returncode != 0) == fails, f"{command}: {found.returncode}\n{found.stdout}\n{found.stderr}"
    return found.stdout + (found.stderr if fails else "")


@dataclass(frozen=True)
class Broker:
    folder: Path
    port: int
    signet: Path

    @property
    def home(self) -> Path:
        """The home of the consumer and producer alice, who uses Python."""
        return self.folder / "alice-home"

    def url(self, protocol: str) -> str:
        return f"{protocol}://127.0.0.1:{self.port}"

    def cli(self, home: str, *arguments: str | Path, fails: bool = False) -> str:
        return run(
            self.signet, "--home", self.folder / home, *arguments, fails=fails, SIGNET_BROKER_PASSWORD=BROKER_PASSWORD
        )

    def browse(self, queue: str) -> list[dict[str, Any]]:
        """What the Java consumer of the command opens on a queue."""
        found = self.cli(
            "alice-home",
            "queue",
            "browse",
            queue,
            "--as",
            "alice",
            "--json",
            "--broker",
            self.url("tcp"),
            "--user",
            USER,
        )
        messages: list[dict[str, Any]] = json.loads(found)["messages"]
        return messages


def example(program: str, broker: Broker, protocol: str, *arguments: str, fails: bool = False) -> str:
    return run(*_command(program, broker, protocol), *arguments, fails=fails, **_environment())


def start(program: str, broker: Broker, protocol: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*map(str, _command(program, broker, protocol)), *arguments],
        env={**os.environ, **_environment()},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _environment() -> dict[str, str]:
    return {"SIGNET_PASSWORD": PASSWORD, "BROKER_PASSWORD": BROKER_PASSWORD}


def _command(program: str, broker: Broker, protocol: str) -> list[str | Path]:
    command: list[str | Path] = [
        sys.executable,
        EXAMPLES / f"{program}.py",
        "--url",
        broker.url(protocol),
        "--user",
        USER,
    ]
    return [*command, "--home", broker.home, "--identity", "alice"]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _share(broker: Broker) -> None:
    """Both homes have the certificates of both parties, and trust them."""
    for source, target in (("broker-home", "alice-home"), ("alice-home", "broker-home")):
        for part in ("recipients", "trust"):
            for file in (broker.folder / source / part).glob("*.pem"):
                shutil.copy(file, broker.folder / target / part)


def _policies(broker: Broker) -> None:
    """For each quality the broker seals at sealed.QUALITY.*, and the producer must at own.QUALITY.*"""
    policies: list[dict[str, Any]] = []
    for quality in QUALITIES:
        policy: dict[str, Any] = {"quality": quality}
        if quality != "integrity":
            policy |= {"encryption-algorithm": "AES-256", "recipients": ["alice"]}
        if quality in ("integrity", "privacy"):
            policy |= {"signature-algorithm": "SHA-512"}
        vouching = {} if quality in ("confidentiality", "authenticity") else {"brokers": ["broker"]}
        policies.append({"pattern": f"sealed.{quality}.*", **policy, **vouching})
        policies.append({"pattern": f"own.{quality}.*", **policy, "where": "client"})
    file = broker.folder / "policies.json"
    file.write_text(json.dumps({"schema": 1, "version": 1, "unmatched": "pass", "policies": policies}))
    broker.cli("broker-home", "policy", "import", file)
    shutil.copy(broker.folder / "broker-home" / "policies.json", broker.home)


@pytest.fixture(scope="session")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    signet = required("SIGNET", "the command of Signet, such as ./signet or bin/signet of a release")
    artemis = required("ARTEMIS_HOME", "an unpacked distribution of Apache Artemis")
    folder = tmp_path_factory.mktemp("broker")
    os.chmod(folder, 0o700)
    broker = Broker(folder, _free_port(), signet)
    broker.cli("broker-home", "identity", "create", "broker", "--dn", "CN=broker,O=Example")
    broker.cli("alice-home", "identity", "create", "alice", "--dn", "CN=alice,O=Example")
    _share(broker)
    _policies(broker)
    instance = folder / "instance"
    login = ["--user", USER, "--password", BROKER_PASSWORD, "--require-login", "--silent"]
    small = ["--no-web", "--nio", "--no-autotune", "--no-amqp-acceptor", "--no-hornetq-acceptor"]
    run(
        artemis / "bin" / "artemis",
        "create",
        instance,
        *("--host", "127.0.0.1", "--default-port", str(broker.port), "--no-mqtt-acceptor", "--no-stomp-acceptor"),
        *small,
        *login,
    )
    broker.cli("broker-home", "broker", "install", instance, "--policy-store", "file", "--admin-role", "amq")
    console = open(instance / "log" / "console.log", "wb")
    process = subprocess.Popen(
        [instance / "bin" / "artemis", "run"],
        env={**os.environ, "JAVA_ARGS": "-Xms64M -Xmx512M -XX:TieredStopAtLevel=1 -XX:+UseSerialGC"},
        stdout=console,
        stderr=subprocess.STDOUT,
    )
    try:
        _await(broker, process, instance / "log" / "console.log")
        yield broker
    finally:
        process.terminate()
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            process.kill()
        console.close()


def _await(broker: Broker, process: subprocess.Popen[bytes], console: Path) -> None:
    deadline = time.monotonic() + 120
    while process.poll() is None and time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", broker.port), 1).close()
            status = broker.cli("broker-home", "broker", "status", "--broker", broker.url("tcp"), "--user", USER)
            assert "READY" in status, status
            return
        except ConnectionError:
            time.sleep(0.1)
    pytest.fail(f"the broker does not answer\n{console.read_text()}")
