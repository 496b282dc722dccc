# SPDX-License-Identifier: Apache-2.0
"""The one exception of this package."""

from __future__ import annotations


class SignetError(Exception):
    """A message, a key store or a request that is refused.

    ``reason`` is one of the words below, the same as in Signet's metrics. The text is one line. It contains neither payload
    nor keys.

    ``malformed``, ``authentication-failed``, ``not-a-recipient``, ``signer-rejected``, ``signer-not-authorized``,
    ``address-mismatch``, ``policy-violation``, ``unprotected``: the message is not what the caller asks for.
    ``internal``: a library failed on the message, which is refused, too.
    ``keystore``: a home, key or certificate cannot be used. ``not-sealed``: a message cannot be sealed.
    """

    def __init__(self, reason: str, text: str) -> None:
        super().__init__("".join(c if c.isprintable() else "?" for c in text)[:2000])
        self.reason = reason


def malformed(text: str) -> SignetError:
    return SignetError("malformed", text)


def forged() -> SignetError:
    """The one answer to all changed messages: no two causes can be told apart."""
    return SignetError("authentication-failed", "envelope: changed, or not made by a holder of the keys that it names")
