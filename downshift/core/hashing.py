"""One hash for session, agent and tool-use ids, so that no raw id is ever stored."""

from __future__ import annotations

import sys

try:
    # `hashlib` would cost a third of a hook, and looking for a module that is not there a hundredth.
    if sys.version_info >= (3, 12):
        from _sha2 import sha256  # type: ignore[import-not-found,unused-ignore]
    else:
        from _sha256 import sha256  # type: ignore[import-not-found,no-redef,unused-ignore]
except ImportError:  # not CPython
    from hashlib import sha256

PREFIX = "harness-downshift-session-v1:"


def hash_id(raw: str) -> str:
    """SHA-256 hex of the prefixed raw id; the empty id stays empty."""
    return sha256((PREFIX + raw).encode("utf-8", "surrogatepass")).hexdigest() if raw else ""


def fraction(key: str) -> float:
    """Where `key` falls in 0..1, evenly and always at the same place."""
    return int(sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:13], 16) / float(16**13)
