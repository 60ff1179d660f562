"""live.json: the last spawn and the counts of its session, for panels that poll a small file."""

from __future__ import annotations

from downshift.core import atomic, regular
from downshift.core.json_text import parse_object, render
from downshift.core.spawn_state import STATES, state_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from downshift.paths import State


def update(state: State, event: Mapping[str, Any]) -> None:
    """Count the decision in and write the file anew, atomically. Call it while the log is locked."""
    atomic.replace(state.live, render(document(event, _counts(state, event))))


def document(event: Mapping[str, Any], counts: Mapping[str, int]) -> dict[str, object]:
    """What live.json holds after `event`; `counts` are those of its session before it."""
    counts = {name: counts.get(name, 0) + (name == state_of(event)) for name in STATES}
    session = str(event["session_id"])[:8]
    last = {
        "state": state_of(event),
        "harness": event["harness"],
        "session": session,
        "time": event["timestamp"],
        "from_model": event["requested_model"],
        "to_model": event["final_model"],
        "from_effort": event["requested_effort"],
        "to_effort": event["final_effort"],
        "recommended_model": event["recommended_model"],
        "complexity": event["complexity"],
        "reason_codes": event["reason_codes"],
    }
    shown = {name: count for name, count in counts.items() if count or name in ("switched", "held", "observed")}
    return {"updated": event["timestamp"], "session": session, "counts": shown, "last": last}


def _counts(state: State, event: Mapping[str, Any]) -> dict[str, int]:
    """The counts before `event`, from the file; from the session's own log when the file is about another session."""
    known = parse_object(regular.read(state.live, 0, 8192).decode("utf-8", "replace")) or {}
    counts = known.get("counts")
    if known.get("session") == str(event["session_id"])[:8] and isinstance(counts, dict):
        return {name: count for name, count in counts.items() if isinstance(count, int)}
    from downshift.log import read

    earlier = read.decisions(read.events_of(read.tail(state.session_log(str(event["session_id"])))))
    states = [state_of(each) for each in earlier if each.get("correlation_id") != event.get("correlation_id")]
    return {name: states.count(name) for name in STATES}
