# SPDX-License-Identifier: Apache-2.0
"""The entity inside an envelope: header lines, a blank line, the payload."""

from __future__ import annotations

import re
import struct
import zlib
from dataclasses import dataclass, field
from typing import Mapping, Union

from .errors import SignetError, malformed

#: Encrypted content begins with these bytes, so that it is bound to one data key.
COMMITTING_LINES = b"Signet-Version: 1\r\nContent-Transfer-Encoding: binary\r\n"
SEGMENT_BYTES = 1_048_576
_MOST_HEADER_BYTES = 16_384
_MOST_LINES = 128
_MOST_INFLATED = 67_108_864
_MOST_HIDDEN = 64
_MOST_HIDDEN_BYTES = 12_288

_LINE = re.compile(rb"([!-9;-~]+): ([ -~]*)\Z")
_ID = re.compile(r"<([0-9a-f]{32})>\Z")
_SEGMENT = re.compile(r"([1-9][0-9]{0,8})( last)?\Z")
_PROPERTY = re.compile(r"[A-Za-z0-9-]+\Z")
_ENCODED = re.compile(r"(?:[ -$&-~]|%[0-9A-F]{2})*\Z")
_HIDDEN = re.compile(r"([A-Za-z_$][A-Za-z0-9_$]{0,127})=([tbhilfdsun])(0|[1-9][0-9]{0,8}):")
_KNOWN = {
    "content-type",
    "content-transfer-encoding",
    "message-id",
    "signet-version",
    "signet-address",
    "signet-body",
    "signet-encoding",
    "signet-sender",
    "signet-policy",
    "signet-segment",
}

HiddenValue = Union[bool, int, float, str, None]


@dataclass(frozen=True)
class Entity:
    """What an envelope protects."""

    message_id: str
    address: str
    body: str
    content_type: str
    payload: bytes
    claimed_sender: str | None = None
    policy: str | None = None
    segment: tuple[int, bool] | None = None
    properties: Mapping[str, str] = field(default_factory=dict)
    others: Mapping[str, str] = field(default_factory=dict)


def encode(text: str) -> str:
    """Percent-encodes a text for a header line."""
    data = text.encode("utf-8", "replace")
    blank = [0, len(data) - 1]
    return "".join(
        chr(b) if 0x20 <= b <= 0x7E and b != 0x25 and not (b == 0x20 and i in blank) else f"%{b:02X}"
        for i, b in enumerate(data)
    )


def decode(value: str, line: str) -> str:
    """Decodes the value of a header line. Each text has one encoding, and all others are rejected."""
    try:
        if _ENCODED.match(value):
            text = re.sub(rb"%(..)", lambda found: bytes.fromhex(found[1].decode()), value.encode()).decode()
            if encode(text) == value:
                return text
    except UnicodeDecodeError:
        pass
    raise malformed(f"entity: {line} is not percent-encoded as the format says")


def read(content: memoryview) -> Entity:
    """Reads an entity. A payload that is compressed is not decompressed before all lines are right."""
    head = bytes(content[:_MOST_HEADER_BYTES])
    end = head.find(b"\r\n\r\n")
    if end < 0:
        raise malformed(f"entity: no end of the header within {_MOST_HEADER_BYTES} bytes")
    lines = head[:end].split(b"\r\n")
    if len(lines) > _MOST_LINES:
        raise malformed(f"entity: a header of more than {_MOST_LINES} lines")
    values: dict[str, str] = {}
    properties: dict[str, str] = {}
    others: dict[str, str] = {}
    seen: set[str] = set()
    for line in lines:
        found = _LINE.match(line)
        if not found:
            raise malformed("entity: a header line without a name, or with other bytes than printable ASCII")
        name, value = found[1].decode(), found[2].decode()
        lower = name.lower()
        if lower in seen:
            raise malformed("entity: a header line that occurs twice")
        seen.add(lower)
        if lower in _KNOWN:
            values[lower] = value
        elif lower.startswith("signet-property-"):
            key = name[len("signet-property-") :]
            if not _PROPERTY.match(key):
                raise malformed("entity: a Signet-Property line with a name that the format does not allow")
            properties[key] = decode(value, "a property")
        elif lower.startswith("signet-"):
            raise malformed("entity: a header line of a later version, which this reader must not overlook")
        else:
            others[lower] = value
    return _entity(values, properties, others, content[end + 4 :])


def _entity(values: dict[str, str], properties: dict[str, str], others: dict[str, str], payload: memoryview) -> Entity:
    if values.get("signet-version") != "1":
        raise malformed("entity: its Signet-Version is not 1")
    if values.get("content-transfer-encoding", "binary") != "binary":
        raise malformed("entity: its Content-Transfer-Encoding is not binary")
    for required in ("message-id", "signet-address", "signet-body"):
        if required not in values:
            raise malformed(f"entity: no line {required}")
    message_id = _ID.match(values["message-id"])
    if not message_id:
        raise malformed("entity: its Message-ID is not 32 hex digits")
    segment = None
    if "signet-segment" in values:
        found = _SEGMENT.match(values["signet-segment"])
        if not found:
            raise malformed("entity: its Signet-Segment is no number of a segment")
        segment = (int(found[1]), found[2] is not None)
    encoding = values.get("signet-encoding")
    if encoding is not None and (encoding != "deflate" or segment):
        raise malformed("entity: its Signet-Encoding is not deflate, or it is a segment")
    if segment and len(payload) > SEGMENT_BYTES:
        raise malformed(f"segment: more than {SEGMENT_BYTES} bytes of payload")
    for key, value in properties.items():
        if key.lower() == "hidden":
            if len(encode(value)) > _MOST_HIDDEN_BYTES:
                raise malformed(f"entity: more than {_MOST_HIDDEN_BYTES} bytes of hidden properties")
            read_hidden(value)

    def decoded(line: str) -> str | None:
        return decode(values[line], line) if line in values else None

    return Entity(
        message_id=message_id[1],
        address=decode(values["signet-address"], "signet-address"),
        body=values["signet-body"],
        content_type=decoded("content-type") or "application/octet-stream",
        claimed_sender=decoded("signet-sender"),
        policy=decoded("signet-policy"),
        segment=segment,
        properties=properties,
        others=others,
        payload=_inflate(payload) if encoding else bytes(payload),
    )


def _inflate(data: memoryview) -> bytes:
    """Measures the payload before it takes memory for it."""
    measure = zlib.decompressobj()
    length = at = 0
    try:
        while not measure.eof and at < len(data):
            piece: bytes | memoryview = data[at : at + 65_536]  # zlib copies what it has not used each time
            at += len(piece)
            inflated = -1
            while not measure.eof and (piece or inflated == 65_536):
                inflated = len(measure.decompress(piece, 65_536))
                piece = measure.unconsumed_tail
                length += inflated
                if length > _MOST_INFLATED:
                    raise malformed(f"entity: a payload of more than {_MOST_INFLATED} bytes")
        if not measure.eof or measure.unused_data or at < len(data):
            raise malformed("entity: its payload is not one complete zlib stream")
        return zlib.decompress(data, bufsize=max(length, 1))
    except zlib.error:
        raise malformed("entity: its payload is not the zlib data that it claims to be") from None


def write(entity: Entity) -> bytes:
    """Writes an entity, its lines in the order of the format."""
    lines = [
        ("Content-Type", encode(entity.content_type)),
        ("Message-ID", f"<{entity.message_id}>"),
        ("Signet-Address", encode(entity.address)),
        ("Signet-Body", entity.body),
    ]
    if entity.claimed_sender is not None:
        lines.append(("Signet-Sender", encode(entity.claimed_sender)))
    if entity.policy is not None:
        lines.append(("Signet-Policy", encode(entity.policy)))
    if entity.segment:
        lines.append(("Signet-Segment", f"{entity.segment[0]}{' last' if entity.segment[1] else ''}"))
    for name in sorted(entity.properties):
        if not _PROPERTY.match(name):
            raise SignetError("not-sealed", f"property {name!r}: a name has letters, digits and '-' only")
        lines.append((f"Signet-Property-{name}", encode(entity.properties[name])))
    head = COMMITTING_LINES + "".join(f"{name}: {value}\r\n" for name, value in lines).encode() + b"\r\n"
    if len(head) > _MOST_HEADER_BYTES or len(lines) + 2 > _MOST_LINES:
        raise SignetError("not-sealed", f"header: more than {_MOST_HEADER_BYTES} bytes or {_MOST_LINES} lines")
    return head + entity.payload


def read_hidden(text: str) -> dict[str, HiddenValue]:
    """Reads the properties that a policy hides. Each set of properties has one text, and all others are rejected."""
    values: dict[str, HiddenValue] = {}
    last = ""
    units = text.encode("utf-16-be", "surrogatepass")
    at = 0
    while at < len(units):
        window = units[at : at + 2 * 160].decode("utf-16-be", "replace")
        found = _HIDDEN.match(window)
        if not found or len(values) == _MOST_HIDDEN:
            raise malformed("entity: hidden properties that the format does not allow")
        name, kind, length = found[1], found[2], int(found[3])
        start = at + 2 * found.end()
        at = start + 2 * length
        if name <= last or name.startswith(("JMS", "_AMQ", "_HQ")) or units[at : at + 2] != b"\0;":
            raise malformed("entity: hidden properties that the format does not allow")
        values[name] = _hidden_value(kind, units[start:at])
        last = name
        at += 2
    if not values:
        raise malformed("entity: hidden properties that the format does not allow")
    return values


_BITS = {"b": 8, "h": 16, "i": 32, "l": 64}


def _hidden_value(kind: str, units: bytes) -> HiddenValue:
    try:
        if kind == "s":
            return units.decode("utf-16-be")
        value = units.decode("utf-16-be")
        if kind == "t" and value in ("true", "false"):
            return value == "true"
        if kind in _BITS and re.fullmatch("-?(0|[1-9][0-9]{0,18})", value) and value != "-0":
            number = int(value)
            if -(1 << _BITS[kind] - 1) <= number < 1 << _BITS[kind] - 1:
                return number
        if kind == "f" and re.fullmatch("[0-9a-f]{8}", value):
            return float(struct.unpack(">f", bytes.fromhex(value))[0])
        if kind == "d" and re.fullmatch("[0-9a-f]{16}", value):
            return float(struct.unpack(">d", bytes.fromhex(value))[0])
        if kind == "u" and re.fullmatch("([0-9a-f]{4})*", value):
            text = bytes.fromhex(value)
            try:
                text.decode("utf-16-be")
            except UnicodeDecodeError:  # it has a lone surrogate, as it must
                return text.decode("utf-16-be", "surrogatepass")
        if kind == "n" and not value:
            return None
    except UnicodeDecodeError:
        pass
    raise malformed("entity: hidden properties that the format does not allow")


def write_hidden(values: Mapping[str, HiddenValue]) -> str:
    """Writes properties for the line of hidden ones: int as long, float as double."""
    text = ""
    for name in sorted(values):
        value = values[name]
        if isinstance(value, bool):
            kind, written = "t", str(value).lower()
        elif isinstance(value, int):
            kind, written = "l", str(value)
        elif isinstance(value, float):
            kind, written = "d", struct.pack(">d", value).hex()
        elif value is None:
            kind, written = "n", ""
        else:
            kind, written = "s", value
        try:
            length = len(written.encode("utf-16-be")) // 2
        except UnicodeEncodeError:
            kind, written = "u", written.encode("utf-16-be", "surrogatepass").hex()
            length = len(written)
        text += f"{name}={kind}{length}:{written};"
    try:
        if len(encode(text)) > _MOST_HIDDEN_BYTES:
            raise malformed("too long")
        read_hidden(text)
    except SignetError:
        raise SignetError(
            "not-sealed", f"hidden properties: names of Java, at most {_MOST_HIDDEN}, {_MOST_HIDDEN_BYTES} bytes in all"
        ) from None
    return text
