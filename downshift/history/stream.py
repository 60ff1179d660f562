"""The whole log, one event after the other, for people who ask about weeks of it.

A log may hold a million events, and the decisions among them stay in memory.
Where msgspec is installed, a decision becomes a small object that knows only what
the views read; what does not fit it (a damaged line, welded ones, a field of
another type) takes the tolerant road, which everything takes without msgspec.
"""

from __future__ import annotations

import sys

from downshift.core.events import PERMISSION_MODES
from downshift.core.tiers import CLASSES
from downshift.core.verdicts import VERDICTS
from downshift.harnesses.registry import ADAPTERS
from downshift.log.read import Damage, events_of, files, lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from downshift.paths import State

    Event = Mapping[str, Any]

# What the views read of an observation that names its decision; one that does not takes the tolerant road.
_SEEN = {
    "outcome": str, "timestamp": str, "linked_decision": str, "agent_hash": str, "run": int, "final_model": str,
    "input_tokens": int, "output_tokens": int, "cache_read_tokens": int, "cache_write_tokens": int,
    "cached_tokens": int, "partial": bool, "mixed_models": bool, "main_tokens": int, "rewrite_honored": bool,
    "status": str, "error_kind": str, "suspect": bool, "complexity": str,
}  # fmt: skip
# What the views read of a decision, in the order in which it is written: msgspec looks for the next one first.
_FIELDS = (
    "correlation_id", "timestamp", "harness", "session_id", "tool_use_hash", "agent_type", "agent_type_hash",
    "complexity", "baseline_kind", "requested_model", "final_model", "verdict", "corrections", "reason_codes",
    "outcome", "permission_mode", "paused",
)  # fmt: skip
_DECISION = b'{"correlation_id"'
"""How our writer begins a decision; another's takes the tolerant road."""
# A known word is one shared text, however often it occurs; another one takes the tolerant road.
_WORDS = {
    "complexity": CLASSES,
    "harness": tuple(ADAPTERS),
    "verdict": VERDICTS,
    "outcome": ("rewrite_emitted", "allow", "blocked", "baseline"),
    "permission_mode": ("", "other", *PERMISSION_MODES),
    "baseline_kind": ("explicit", "definition", "inherited", "settings", "parent_guess", "unknown"),
}


def feed(state: State, damage: Damage, since: str, take: Callable[[Event], None]) -> None:
    """Give `take` every event of the log and its backups from `since` on (RFC 3339, in UTC), oldest file first."""
    decode = _decoder()
    for path in files(state):
        for line in lines(path):
            event = decode(line) if decode is not None else None
            if event is not None:
                if (event.get("timestamp") or "") >= since:
                    take(event)
                continue
            for each in events_of((line,), damage):
                if str(each.get("timestamp") or "") >= since:
                    take({key: each[key] for key in _FIELDS if key in each} if "complexity" in each else each)


def _decoder() -> Callable[[bytes], Event | None] | None:
    """The fast way: an event, or None for a line that needs the tolerant road. None where msgspec is not installed."""
    try:
        import msgspec
    except ImportError:
        return None
    from typing import TypedDict

    row = msgspec.defstruct(
        "Decision", [(field, _type_of(field), None) for field in _FIELDS], gc=False, namespace={"get": _get}
    )
    decision: Callable[[bytes], Any] = msgspec.json.Decoder(row).decode
    seen = TypedDict("seen", _SEEN, total=False)  # type: ignore[misc]  # made of data
    observation: Callable[[bytes], Any] = msgspec.json.Decoder(seen).decode
    lists: dict[str, list[str]] = {}
    once = sys.intern

    def fast(line: bytes) -> Event | None:
        try:
            if not line.startswith(_DECISION):
                told: Event = observation(line)
                return told if "linked_decision" in told and "complexity" not in told else None
            event = decision(line)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            return None
        event.session_id = once(event.session_id or "")
        event.agent_type = once(event.agent_type or "")
        event.agent_type_hash = once(event.agent_type_hash or "")
        event.requested_model = once(event.requested_model or "")
        event.final_model = once(event.final_model or "")
        event.corrections = _once(event.corrections, lists)
        event.reason_codes = _once(event.reason_codes, lists)
        if (event.tool_use_hash or "").startswith(event.correlation_id or "-"):
            event.tool_use_hash = None  # the correlation id says it already
        made: Event = event
        return made

    return fast


def _once(items: list[str] | None, known: dict[str, list[str]]) -> list[str] | None:
    return known.setdefault(items[0] if len(items) == 1 else " ".join(items), items) if items else items


def _type_of(field: str) -> Any:
    from typing import Literal

    if field in _WORDS:
        return Literal[_WORDS[field]] | None
    if field == "paused":
        return bool | None
    return list[str] | None if field in ("corrections", "reason_codes") else str | None


def _get(row: object, name: str, default: object = None) -> object:
    """As `dict.get`: views read a decision in the same way, whichever road it took."""
    return getattr(row, name, default)
