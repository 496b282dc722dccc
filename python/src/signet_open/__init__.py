# SPDX-License-Identifier: Apache-2.0
"""Opens and seals the envelopes of Signet, message protection for Apache Artemis, without Java.

::

    opener = Opener.from_home("alice-home", "alice", password)
    message = opener.open(body, address="orders.eu", quality="privacy", signers=["broker"])
    print(message.signer, message.text)
"""

from .cms import begins_as_envelope as is_envelope
from .errors import SignetError
from .home import Home, Identity, read_password
from .opener import OpenedMessage, Opener
from .sealer import Sealer
from .trust import Trust

__all__ = [
    "Home",
    "Identity",
    "OpenedMessage",
    "Opener",
    "Sealer",
    "SignetError",
    "Trust",
    "is_envelope",
    "read_password",
]
