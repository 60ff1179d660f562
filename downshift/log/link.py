"""Joining what was decided with what was observed.

A record names its decision; one that does not (an older log, a harness that
repeats no id) is joined by its tool call, then by its agent, then, for a spawn
that was switched, by the nearest decision of its session. Each decision takes a
kind of record once for each run of its child, whichever order they come in.
"""

from __future__ import annotations

from downshift.core.clock import seconds_of
from downshift.log.linked import LAUNCHED, Linked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from downshift.catalog.lookup import Catalog

    Event = Mapping[str, Any]

OBSERVATIONS = ("resolved", "usage", "child_ended")
NEAREST_WITHIN = 24 * 3600.0


def honored(decision: Event, ran_on: str, catalog: Catalog) -> bool | None:
    """Whether the child ran on what was written; None when the catalog cannot compare the two.

    A harness resolves the name we write to an id of its own (Claude Code 2.1.289:
    `haiku` became claude-haiku-4-5-20251001), so names that go by one wire name
    are one model here.
    """
    wanted, got = catalog.find(str(decision.get("final_model", ""))), catalog.find(ran_on)
    if wanted is None or got is None:
        return None
    return wanted.id == got.id or bool(wanted.wire and wanted.wire == got.wire)


class Linker:
    """Takes events one by one, in any order, and gives every decision with its observations."""

    def __init__(self) -> None:
        self.usage_records = 0
        """How many usage records came, linked or not."""
        self._linked: dict[str, Linked] = {}
        self._by_call: dict[str, Linked] = {}
        self._waiting: list[Event] = []

    def add(self, event: Event) -> None:
        """One event. A repeated decision counts once."""
        outcome = event.get("outcome")
        if outcome in OBSERVATIONS:
            self.usage_records += outcome == "usage"
            known = self._linked.get(str(event.get("linked_decision")))
            if known is None:
                self._waiting.append(event)
            else:
                known.take(event)
        elif event.get("complexity") is not None:
            self._decide(event)

    def _decide(self, event: Event) -> None:
        call = str(event.get("tool_use_hash") or "")
        key = str(event.get("correlation_id") or call or f"#{len(self._linked)}")
        entry = self._linked.get(key)
        if entry is None:
            entry = self._linked[key] = Linked(event)
        elif _before(event, entry.decision):
            entry.decision, entry._state = event, ""
        # Our own correlation ids are the start of the call's hash, and need no second index.
        if call and not call.startswith(key):
            self._by_call.setdefault(call, entry)

    def linked(self) -> list[Linked]:
        """Every decision, oldest first."""
        late, self._waiting = self._waiting, []
        homeless = [event for event in late if not self._join(event, self._named(event))]
        if homeless:
            agents = {entry.agent_hash: entry for entry in self._linked.values() if entry.agent_hash}
            homeless = [
                event for event in homeless if not self._join(event, agents.get(str(event.get("agent_hash") or "")))
            ]
        for event in sorted(homeless, key=lambda each: str(each.get("timestamp", ""))):
            self._join(event, self._nearest(event))
        return sorted(self._linked.values(), key=lambda entry: str(entry.decision.get("timestamp", "")))

    @staticmethod
    def _join(event: Event, entry: Linked | None) -> bool:
        if entry is None:
            return False
        entry.take(event)
        return True

    def _named(self, event: Event) -> Linked | None:
        told = event.get("linked_decision")
        if told:
            return self._linked.get(str(told))
        call = str(event.get("tool_use_hash") or "")
        return (self._by_call.get(call) or self._linked.get(call[:32]) or self._linked.get(call)) if call else None

    def _nearest(self, event: Event) -> Linked | None:
        """The last switched spawn of the session before `event` that has no record of this kind yet."""
        at, session = seconds_of(event.get("timestamp")), event.get("session_id")
        # A record that names a call or a decision belongs to that one, and to no other.
        if at is None or not session or event.get("tool_use_hash") or event.get("linked_decision"):
            return None
        found, distance = None, NEAREST_WITHIN
        for entry in self._linked.values():
            decision = entry.decision
            if decision.get("session_id") != session or decision.get("harness") != event.get("harness"):
                continue
            since = at - (seconds_of(decision.get("timestamp")) or at + 1)
            if 0 <= since <= distance and _takes(entry, event):
                found, distance = entry, since
        return found


def _takes(entry: Linked, event: Event) -> bool:
    if entry.decision.get("outcome") != "rewrite_emitted" or entry.decision.get("corrections"):
        return False
    outcome = event.get("outcome")
    if outcome == "resolved":
        return not entry.ran_on
    if outcome == "usage":
        return not entry.used_records
    return entry.status in ("", LAUNCHED)


def _before(one: Event, other: Event) -> bool:
    return str(one.get("timestamp", "")) < str(other.get("timestamp", ""))


def link(events: Iterable[Event]) -> list[Linked]:
    """Every decision among `events`, oldest first, with what was observed of its child."""
    linker = Linker()
    for event in events:
        linker.add(event)
    return linker.linked()
