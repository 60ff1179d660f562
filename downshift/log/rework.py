"""Which spawns redid the work of a child that failed.

A child that ended in an error or was interrupted is redone by the first spawn of
the same type in its session within ten minutes. Each spawn redoes one child.
"""

from __future__ import annotations

from bisect import bisect_left

from downshift.core.clock import seconds_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from downshift.log.linked import Linked

WITHIN = 600.0
"""Seconds between the end of a child and the start of the one that redoes it."""
FAILED = ("error", "interrupted")


def redone(entries: Iterable[Linked]) -> dict[int, Linked]:
    """For each failed child that was redone, by `id` of its entry: the spawn that redid it."""
    sessions: dict[tuple[str, str], list[Linked]] = {}
    for entry in entries:
        session = str(entry.decision.get("session_id") or "")
        if session:  # without one, nothing says which spawns belong together
            kind = str(entry.decision.get("agent_type_hash") or entry.decision.get("agent_type") or "")
            sessions.setdefault((session, kind), []).append(entry)
    found: dict[int, Linked] = {}
    for alike in sessions.values():
        failed = [entry for entry in alike if entry.status in FAILED]
        if failed and len(alike) > 1:
            _redone_in(failed, alike, found)
    return found


def _redone_in(failed: list[Linked], alike: list[Linked], found: dict[int, Linked]) -> None:
    # Our own times sort as texts, so that only those near an end have to be understood. Ids settle what is equal.
    alike = sorted(alike, key=_when)
    times = [str(entry.decision.get("timestamp") or "") for entry in alike]
    taken: set[int] = set()
    for entry in sorted(failed, key=lambda each: (each.ended_text, _when(each))):
        ended = entry.ended_at
        for place in range(bisect_left(times, entry.ended_text), len(times)) if ended is not None else ():
            start = seconds_of(times[place])
            if start is None or ended is None or start > ended + WITHIN:
                break
            if place not in taken and alike[place] is not entry:
                found[id(entry)] = alike[place]
                taken.add(place)
                break


def _when(entry: Linked) -> tuple[str, str]:
    return str(entry.decision.get("timestamp") or ""), str(entry.decision.get("correlation_id") or "")
