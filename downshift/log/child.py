"""What the session's own log already knows about one child."""

from __future__ import annotations

from downshift.core import events
from downshift.core.clock import seconds_of
from downshift.core.hashing import hash_id
from downshift.core.tokens import Tokens, recorded
from downshift.log.linked import LAUNCHED
from downshift.log.read import events_of, tail

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from downshift.harnesses.base import ChildEnd
    from downshift.paths import State

_TAIL = 8 * 1024 * 1024
_SAME_END = 30.0
"""Seconds within which two entries may tell of one end."""
_SETTLED = ("unknown", "interrupted", "stopped")
"""What is said of children in general, once a session is over."""


class Child:
    """A child by its decision and what was recorded of it, oldest first."""

    def __init__(self, decision: dict[str, Any], seen: Sequence[dict[str, Any]]) -> None:
        self.decision = decision
        self.resolved = any(each.get("outcome") == "resolved" for each in seen)
        ended = [each for each in seen if each.get("outcome") == "child_ended"]
        self.launched = any(each.get("status") == LAUNCHED for each in ended)
        self._ended = [each for each in ended if each.get("status") != LAUNCHED]
        usage = [each for each in seen if each.get("outcome") == "usage"]
        self.runs = max((int(each["run"]) for each in (*usage, *self._ended) if _is_run(each.get("run"))), default=0)
        self.unpaid = 0
        """The run that ended last, when nobody could say yet what it used."""
        if self._ended and self._ended[-1].get("run") not in [each.get("run") for each in usage]:
            self.unpaid = int(self._ended[-1]["run"]) if _is_run(self._ended[-1].get("run")) else 0
        self.spent = Tokens()
        for each in usage:
            self.spent = self.spent.plus(recorded(each))
        self.agent_hash = next((str(each["agent_hash"]) for each in seen if each.get("agent_hash")), "")

    def already_ended(self, end: ChildEnd, spent: Tokens | None, now: str) -> bool:
        """Whether this end was recorded before: several events tell of one end, and both entries may.

        A resumed child ends again. It has used more since, or it ended otherwise.
        """
        if not self._ended:
            return False
        last = self._ended[-1]
        if end.spawn.entry == "mod":  # it tells of each run once
            since = (seconds_of(now) or 0.0) - (seconds_of(last.get("timestamp")) or 0.0)
            return last.get("entry") != "mod" and since <= _SAME_END
        if spent is not None and spent.total and not self.unpaid:
            return False
        return end.status in (last.get("status"), *_SETTLED)


def lines_of(state: State, end: ChildEnd) -> list[bytes]:
    """The raw lines of the session that an end belongs to."""
    return tail(state.session_log(hash_id(end.spawn.session_id)), _TAIL)


def known(lines: Sequence[bytes], end: ChildEnd) -> Child | None:
    """The child that an end belongs to: by its call, else by its agent. None when no decision was made about it."""
    wanted = events.correlation_of(end.spawn, "") if end.spawn.key() else ""
    agent = hash_id(end.agent_id)
    decision, seen = _about(lines, wanted)
    if decision is None and agent:
        links = (str(each.get("linked_decision")) for each in _holding(lines, agent) if each.get("agent_hash") == agent)
        wanted = next(links, "")
        decision, seen = _about(lines, wanted)
    return Child(decision, seen) if decision is not None else None


def _about(lines: Sequence[bytes], correlation: str) -> tuple[dict[str, Any] | None, list[dict[str, Any]]]:
    decision, seen = None, []
    for event in _holding(lines, correlation) if correlation else ():
        if event.get("correlation_id") == correlation and "complexity" in event:
            decision = decision or event
        elif event.get("linked_decision") == correlation:
            seen.append(event)
    return decision, seen


def _holding(lines: Sequence[bytes], text: str) -> list[dict[str, Any]]:
    """The events of the lines that hold `text`; the others are not parsed."""
    wanted = text.encode("ascii")
    return list(events_of(line for line in lines if wanted in line))


def _is_run(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value < 10**6
