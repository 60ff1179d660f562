"""Whether Downshift is at work right now: one line above the tree of the session."""

from __future__ import annotations

from downshift.core.clock import seconds_of
from downshift.views.line import Line, fitted
from downshift.views.lines import spawn_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

IDLE_AFTER = 300.0
"""Seconds without a spawn after which nothing is going on."""


def pulse(decision: Mapping[str, Any] | None, now: float) -> list[Line]:
    """`● downshift active · last spawn 12s ago: …`, or `○ downshift idle · …` after five minutes without one.

    A hook runs only when a subagent is spawned, so there is no heartbeat between spawns.
    """
    if decision is None:
        return fitted("○ downshift idle · no spawn has been seen yet", "dim")
    at = seconds_of(decision.get("timestamp"))
    since = max(0.0, now - at) if at is not None else IDLE_AFTER
    told = f"last spawn {_ago(since)} ago: {spawn_line(decision).removeprefix('spawn ')}"
    if since >= IDLE_AFTER:
        return fitted(f"○ downshift idle · {told}", "dim")
    return fitted(f"● downshift active · {told}", "good")


def _ago(seconds: float) -> str:
    """`12s`, `9m`, `3h`, `2d`."""
    for size, unit in ((86_400, "d"), (3600, "h"), (60, "m")):
        if seconds >= size:
            return f"{int(seconds // size)}{unit}"
    return f"{int(seconds)}s"
