# SPDX-License-Identifier: Apache-2.0
"""A strict reader of DER. It takes each length only in its shortest form, and looks at no byte twice."""

from __future__ import annotations

from asn1crypto import core, parser

from .errors import malformed

INTEGER, BIT_STRING, OCTETS, NULL, OID, SEQUENCE, SET = 0x02, 0x03, 0x04, 0x05, 0x06, 0x30, 0x31


def span(data: memoryview, at: int, end: int) -> tuple[int, int]:
    """Returns where the content of the element at this place starts and ends."""
    if end - at < 2 or data[at] & 0x1F == 0x1F:
        raise malformed("envelope: no element of DER where one must be")
    first = data[at + 1]
    start = at + 2
    length = first
    if first & 0x80:
        count = first & 0x7F
        if count == 0 or count > 4 or end - start < count:
            raise malformed("envelope: a length that is not definite or not of this size")
        length = int.from_bytes(data[start : start + count], "big")
        if length < 0x80 or length >> (8 * (count - 1)) == 0:
            raise malformed("envelope: a length that is not the shortest one")
        start += count
    if end - start < length:
        raise malformed("envelope: an element is longer than what contains it")
    return start, start + length


class Element:
    """One element: its tag, its content and its whole encoding. Views of the caller's bytes, never copies."""

    __slots__ = ("tag", "content", "encoded")

    def __init__(self, tag: int, content: memoryview, encoded: memoryview) -> None:
        self.tag = tag
        self.content = content
        self.encoded = encoded

    def reader(self) -> Reader:
        return Reader(self.content)

    def integer(self) -> int:
        return integer(self.content)


class Reader:
    """Reads elements one behind the other."""

    __slots__ = ("_data", "_at")

    def __init__(self, data: bytes | memoryview) -> None:
        self._data = memoryview(data)
        self._at = 0

    @property
    def more(self) -> bool:
        return self._at < len(self._data)

    def next_is(self, tag: int) -> bool:
        return self.more and self._data[self._at] == tag

    def any(self) -> Element:
        start, end = span(self._data, self._at, len(self._data))
        element = Element(self._data[self._at], self._data[start:end], self._data[self._at : end])
        self._at = end
        return element

    def take(self, tag: int) -> Element:
        if not self.next_is(tag):
            raise malformed(f"envelope: no element with tag {tag:02x} where one must be")
        return self.any()

    def enter(self, tag: int) -> Reader:
        return self.take(tag).reader()

    def take_bytes(self, tag: int = OCTETS) -> bytes:
        return bytes(self.take(tag).content)

    def integer(self) -> int:
        return self.take(INTEGER).integer()

    def expect(self, encoded: bytes, what: str) -> None:
        if self.any().encoded != encoded:
            raise malformed(f"envelope: unsupported {what}")

    def end(self) -> None:
        if self.more:
            raise malformed("envelope: elements that the format does not have")

    def set_of(self, limit: int, what: str) -> list[Element]:
        """Reads the rest as a set in the order of DER, of at most so many elements."""
        elements: list[Element] = []
        last = b""
        while self.more:
            if len(elements) == limit:
                raise malformed(f"envelope: more than {limit} {what}")
            elements.append(self.any())
            now = bytes(elements[-1].encoded)
            if now < last:
                raise malformed("envelope: a set that is not in the order of DER")
            last = now
        return elements


def integer(content: memoryview) -> int:
    if not content or len(content) > 33:
        raise malformed("envelope: a number of the wrong length")
    if len(content) > 1 and (content[0], content[1] >> 7) in ((0, 0), (0xFF, 1)):
        raise malformed("envelope: a number that is not the shortest one")
    return int.from_bytes(content, "big", signed=True)


def element(tag: int, *contents: bytes) -> bytes:
    return bytes(parser.emit(tag >> 6, tag >> 5 & 1, tag & 0x1F, b"".join(contents)))


def sequence(*contents: bytes) -> bytes:
    return element(SEQUENCE, *contents)


def set_of(*contents: bytes, tag: int = SET) -> bytes:
    return element(tag, *sorted(contents))


def octets(content: bytes) -> bytes:
    return element(OCTETS, content)


def oid(dotted: str) -> bytes:
    return bytes(core.ObjectIdentifier(dotted).dump())


def number(value: int) -> bytes:
    return bytes(core.Integer(value).dump())
