"""Whether the last children like this one ended badly, from the recent tail of the session's own log."""

from __future__ import annotations

from downshift.core.clock import seconds_of
from downshift.log.read import events_of, tail

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from downshift.paths import State

ENOUGH = 2
REDONE_WITHIN = 600.0
_TAIL = 64 * 1024


def last_ended_badly(state: State, session_hash: str, agent_type_hash: str, model: str, now: float) -> bool:
    """Whether the last two children of this type on this model failed, or were broken off and spawned again at once.

    `now`, in seconds since the epoch, is when the next one is about to start.
    """
    raw = tail(state.session_log(session_hash), _TAIL)
    if not any(b'"child_ended"' in line for line in raw):
        return False
    decided: dict[str, dict[str, Any]] = {}
    ended: dict[tuple[object, object], dict[str, Any]] = {}
    for event in events_of(raw):
        if event.get("outcome") == "child_ended" and event.get("status") != "launched":
            # Several processes may tell of one end in the same moment.
            ended.setdefault((event.get("linked_decision"), event.get("run")), event)
        elif "complexity" in event:
            decided[str(event.get("correlation_id"))] = event
    alike = [each for each in decided.values() if each.get("agent_type_hash") == agent_type_hash]
    ids = {str(each.get("correlation_id")) for each in alike if each.get("final_model") == model}
    last = [event for event in ended.values() if event.get("linked_decision") in ids][-ENOUGH:]
    starts = [now, *(seconds_of(each.get("timestamp")) for each in alike)]
    return len(last) == ENOUGH and all(_badly(event, starts) for event in last)


def _badly(event: dict[str, Any], starts: Sequence[float | None]) -> bool:
    if event.get("status") == "error":
        return True
    at = seconds_of(event.get("timestamp"))
    if event.get("status") != "interrupted" or at is None:
        return False
    return any(start is not None and 0 <= start - at <= REDONE_WITHIN for start in starts)
