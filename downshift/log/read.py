r"""Reading the log, whatever happened to it.

Lines are split at `\n` only. A damaged line is skipped and counted, welded
objects are taken apart, a torn last line is left for the next reader.
"""

from __future__ import annotations

import os

from downshift.core import regular
from downshift.core.json_text import parse_at, parse_object

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from downshift.paths import State

NOT_DECISIONS = ("resolved", "usage", "child_ended", "error")
_TAIL = 256 * 1024
_BUFFER = 64 * 1024
"""Python's own 8 KiB would take more than twice the time for a large log."""


class Damage:
    """How many lines could not be read."""

    lines = 0


def files(state: State) -> list[str]:
    """The log's files that exist, oldest first."""
    from downshift.log.append import BACKUPS

    names = [f"{state.events}.{number}" for number in range(BACKUPS, 0, -1)] + [state.events]
    return [name for name in names if os.path.isfile(name)]


def lines(path: str) -> Iterator[bytes]:
    """The lines of one file; none when it cannot be read."""
    try:
        with open(path, "rb", buffering=_BUFFER) as file:
            yield from file
    except OSError:
        return


def tail(path: str, size: int = _TAIL) -> list[bytes]:
    """The whole lines in the last `size` bytes of a file."""
    data = regular.read(path, -size - 1, size + 1)
    found = data.split(b"\n") if data else []
    return found[1:] if len(data) > size else found


def events_of(raw: Iterable[bytes], damage: Damage | None = None) -> Iterator[dict[str, Any]]:
    """The events in raw lines."""
    for line in raw:
        text = line.decode("utf-8", "replace").strip()
        if not text:
            continue
        event = parse_object(text)
        salvaged = [event] if event is not None else _salvage(text)
        yield from salvaged
        if damage is not None and not salvaged:
            damage.lines += 1


def decisions(events: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The decision records among `events`; observations never count as decisions."""
    return [event for event in events if "complexity" in event and event.get("outcome") not in NOT_DECISIONS]


def _salvage(text: str) -> list[dict[str, Any]]:
    """The whole records in a line that is not one record: welded ones, or one behind a torn one."""
    found, place = [], 0
    while place >= 0:
        try:
            value, place = parse_at(text, place)
        except ValueError:
            place = text.find('{"', place + 1)
            continue
        if isinstance(value, dict) and "outcome" in value:
            found.append(value)
        place = text.find('{"', place)
    return found
