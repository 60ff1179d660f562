"""Joining what was decided with what was observed.

A record names its decision; one that does not (an older log, a harness that
repeats no id) is joined by its tool call, then by its agent, then, for a spawn
that was switched, by the nearest decision of its session. Each decision takes a
kind of record once for each run of its child, whichever order they come in.
"""

from __future__ import annotations

import sys

from downshift.core.clock import seconds_of
from downshift.core.spawn_state import state_of
from downshift.core.tokens import Tokens, count, counts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from downshift.catalog.lookup import Catalog

    Event = Mapping[str, Any]
    _Run = tuple[int, int, int, int, int]  # run, input, output, cache read, cache write

OBSERVATIONS = ("resolved", "usage", "child_ended")
NEAREST_WITHIN = 24 * 3600.0
LAUNCHED = "launched"


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


class Linked:
    """One decision and what was seen of its child. It keeps figures, not records: a log may hold a million."""

    __slots__ = (
        "_ended", "_runs", "_started", "_state", "_used", "agent_hash", "decision", "launched", "main_tokens", "mixed",
        "partial", "suspect",
    )  # fmt: skip

    def __init__(self, decision: Event) -> None:
        self.decision = decision
        self.agent_hash = ""
        """The child's agent id, hashed; empty until the harness has named it."""
        self.launched = False
        """Whether the child is known to have begun in the background."""
        self.partial = False
        """Whether more was used than anybody saw."""
        self.mixed = False
        """Whether the child's requests ran on more than one model."""
        self.main_tokens = 0
        """What the main thread had used when the child ended; 0 when nobody knows."""
        self.suspect = False
        self._state = ""
        self._runs: tuple[_Run, ...] = ()
        self._started: tuple[str, str, bool | None] | None = None
        self._used: tuple[str, int, str, bool | None] | None = None
        self._ended: tuple[str, int, str, str] | None = None

    @property
    def state(self) -> str:
        """The one word for the decision (see `core.spawn_state`)."""
        if not self._state:
            self._state = state_of(self.decision)
        return self._state

    @property
    def counts(self) -> tuple[int, int, int, int] | None:
        """Input, output, cache read and cache write of all the child's runs; None when nobody knows."""
        if len(self._runs) == 1:
            return self._runs[0][1:]
        if not self._runs:
            return None
        _, spent, received, read, written = map(sum, zip(*self._runs))
        return spent, received, read, written

    @property
    def tokens(self) -> Tokens | None:
        """The same, with names."""
        used = self.counts
        return Tokens(input=used[0], output=used[1], cache_read=used[2], cache_write=used[3]) if used else None

    @property
    def ran_on(self) -> str:
        """The model that the API reported, else the one the harness said it started; empty when neither is known."""
        if self._used is not None:
            return self._used[2]
        return self._started[1] if self._started is not None else ""

    @property
    def honored(self) -> bool | None:
        """Whether a rewrite reached the child; None when nobody saw."""
        used = self._used[3] if self._used is not None else None
        return used if used is not None or self._started is None else self._started[2]

    @property
    def status(self) -> str:
        """How the last run ended; `launched` while nothing more is known, empty when not even that."""
        return self._ended[2] if self._ended is not None else LAUNCHED if self.launched else ""

    @property
    def error_kind(self) -> str:
        """Of a last run that ended in an error."""
        return self._ended[3] if self._ended is not None else ""

    @property
    def ended_text(self) -> str:
        """When the last run ended, as it was written."""
        return self._ended[0] if self._ended is not None else ""

    @property
    def ended_at(self) -> float | None:
        """The same, in seconds since the epoch."""
        return seconds_of(self.ended_text)

    @property
    def used_records(self) -> int:
        """How many usage records were taken: one for each run."""
        return len(self._runs)

    @property
    def observed(self) -> bool:
        """Whether the child was seen to end; a launch is no end."""
        return self._used is not None or self._ended is not None

    def take(self, event: Event) -> None:
        """Add one observation; one that is already known changes nothing, and their order does not matter."""
        self.agent_hash = self.agent_hash or str(event.get("agent_hash") or "")
        outcome, at = event.get("outcome"), str(event.get("timestamp") or "")
        if outcome == "resolved":
            started = (at, _model(event), _verdict(event))
            if self._started is None or repr(started) < repr(self._started):
                self._started = started
        elif outcome == "usage":
            self._use(event, at)
        elif event.get("status") == LAUNCHED:
            self.launched = True
        else:
            self._end(event, at)

    def _use(self, event: Event, at: str) -> None:
        run = count(event.get("run")) or 1
        told = (run, *counts(event))
        same = next((known for known in self._runs if known[0] == run), None)
        if same is None:
            self._runs = (*self._runs, told)
        elif told > same:
            self._runs = (*(known for known in self._runs if known is not same), told)
        last = (at, run, _model(event), _verdict(event))
        if self._used is None or repr(last) > repr(self._used):
            self._used = last
        self.partial = self.partial or event.get("partial") is True
        self.mixed = self.mixed or event.get("mixed_models") is True
        self.main_tokens = max(self.main_tokens, count(event.get("main_tokens")))

    def _end(self, event: Event, at: str) -> None:
        if self._used is not None and self._used[0] == at:
            at = self._used[0]  # mostly written together: one text is enough for both
        ended = (
            at,
            count(event.get("run")) or 1,
            str(event.get("status") or "unknown"),
            str(event.get("error_kind") or ""),
        )
        if self._ended is None or ended > self._ended:
            self._ended = ended
        self.suspect = self.suspect or event.get("suspect") is True


def _model(event: Event) -> str:
    return sys.intern(str(event.get("final_model") or ""))


def _verdict(event: Event) -> bool | None:
    verdict = event.get("rewrite_honored")
    return verdict if isinstance(verdict, bool) else None


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
