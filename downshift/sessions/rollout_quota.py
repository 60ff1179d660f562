"""Codex's usage windows, from the tail of the caller's rollout.

The event's own time counts, so an old file cannot renew a budget; the newest
event decides, and one that cannot be read is not replaced by an older one.
Shape seen in Codex 0.171.0: rows of type `event_msg` with `payload.type`
`token_count` and `payload.rate_limits` {primary, secondary} {used_percent,
resets_at}; without a subscription `rate_limits` is null.
"""

from __future__ import annotations

from downshift.core.clock import seconds_of
from downshift.core.json_text import parse_object
from downshift.sessions.quota import DEFAULT_LIFETIME, Snapshot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

TAIL = 2 * 1024 * 1024


def snapshot_in(tail: bytes) -> Snapshot:
    """What the newest token count in the tail says; not present when there is none, or when it has no windows."""
    for line in reversed(tail.split(b"\n")):
        if b'"token_count"' not in line:
            continue
        row = parse_object(line.decode("utf-8", "replace"))
        payload = row.get("payload") if row else None
        if row and not (isinstance(payload, dict) and payload.get("type") == "token_count"):
            continue  # the words stand in somebody's text
        return _read(row, payload if isinstance(payload, dict) else {})
    return Snapshot()


def _read(row: dict[str, Any] | None, payload: dict[str, Any]) -> Snapshot:
    limits = payload.get("rate_limits")
    if row and limits is None:
        return Snapshot()
    observed = seconds_of(row.get("timestamp")) if row else None
    if observed is None or not isinstance(limits, dict):
        return Snapshot(
            source="codex-transcript", present=True, problem="the newest usage in the rollout is not readable"
        )
    windows = tuple(
        {"id": name, "scope": "harness", **window}
        for name in ("primary", "secondary")
        if isinstance(window := limits.get(name), dict)
    )
    return Snapshot(
        source="codex-transcript",
        observed_at=observed,
        expires_at=observed + DEFAULT_LIFETIME,
        windows=windows,
        present=True,
    )
