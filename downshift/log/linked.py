"""One decision and what became of its child."""

from __future__ import annotations

import sys

from downshift.core.clock import seconds_of
from downshift.core.spawn_state import state_of
from downshift.core.tokens import Tokens, count, counts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    Event = Mapping[str, Any]
    _Run = tuple[int, int, int, int, int]  # run, input, output, cache read, cache write

LAUNCHED = "launched"


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
