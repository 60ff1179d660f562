"""The control group: a fixed share of spawns is left unrouted, so that the effect can be measured."""

from __future__ import annotations

from downshift.core.hashing import fraction

DEFAULT_SHARE = 0.10


def share_of(text: str) -> float:
    """A share written by a person: clamped to 0..1; what cannot be read is the default."""
    try:
        share = float(text)
    except ValueError:
        return DEFAULT_SHARE
    # NaN compares as neither, and is no share.
    return min(1.0, share) if share >= 0 else 0.0 if share < 0 else DEFAULT_SHARE


def in_control(key: str, share: float) -> bool:
    """Whether the spawn with this key is left alone. The same key always lands on the same side."""
    return fraction(key) < share
