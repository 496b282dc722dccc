# SPDX-License-Identifier: Apache-2.0
"""The vectors of Signet, and openers for them."""

from __future__ import annotations

import base64
import functools
import json
import zlib
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from signet_open import Identity, OpenedMessage, Opener, Sealer, Trust

VECTORS = Path(__file__).parents[2] / "envelope" / "src" / "test" / "resources" / "vectors"
NOW = datetime(2026, 11, 21, 12, tzinfo=timezone.utc)
ADDRESS = "orders.eu"


@functools.lru_cache
def cases(name: str) -> list[dict[str, str]]:
    found: list[dict[str, str]] = json.loads((VECTORS / f"{name}.json").read_text())
    assert found, f"{name}.json: no cases"
    return found


def envelope_of(case: dict[str, str]) -> bytes:
    if "envelope" in case:
        return bytes.fromhex(case["envelope"])
    return zlib.decompress(base64.b64decode(case["envelope-zlib"]))


@functools.lru_cache
def identity(name: str) -> Identity:
    found = next(each for each in cases("identities") if each["name"] == name)
    key: Any = load_pem_private_key(found["key"].encode(), None)
    return Identity(key, x509.load_pem_x509_certificate(found["certificate"].encode()))


@functools.lru_cache
def trust() -> Trust:
    parties: dict[str, list[x509.Certificate]] = {}
    for each in cases("identities"):
        parties.setdefault(each["party"], []).append(identity(each["name"]).certificate)
    return Trust(trusted=parties, known=parties)


def opener(name: str, now: datetime = NOW, trusted: Trust | None = None) -> Opener:
    own = [identity(name)] + ([identity("test-mlkem768")] if name == "test-p256" else [])
    return Opener(own, trusted or trust(), clock=lambda: now)


def sealer(name: str | None = "test-p256", companion: str | None = None) -> Sealer:
    return Sealer(
        identity(name) if name else None,
        trust(),
        companion=identity(companion) if companion else None,
        clock=lambda: NOW,
    )


def open_case(case: dict[str, str], body: bytes) -> OpenedMessage:
    name = case.get("identity", "test-p256")
    now = datetime.fromisoformat(case["now"].replace("Z", "+00:00")) if "now" in case else NOW
    trusted = None
    if "trusted" in case:
        certificate = x509.load_pem_x509_certificate(case["trusted"].encode())
        trusted = Trust(trusted={"signer": [certificate]}, known={"signer": [certificate]})
    both = case.get("require") == "both"
    signers = case.get("signers", name if both and case["quality"] != "confidentiality" else "")
    return opener(case.get("opener", name), now, trusted).open(
        body,
        address=case.get("address", ADDRESS),
        quality=case["quality"],
        signers=[signers] if signers else [],
        both=both,
    )


def reason(exception: str) -> str:
    """The reason for an exception of the Java reader."""
    name = exception.removesuffix("Exception").removesuffix("Envelope").removesuffix("Message")
    return "".join("-" + c.lower() if c.isupper() else c for c in name).removeprefix("-")
