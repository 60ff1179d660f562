"""What `stats` and `report` read: every decision of the last days, with what became of it."""

from __future__ import annotations

import gc
import time

from downshift.core.errors import UserError
from downshift.core.record import Record
from downshift.history import stream
from downshift.log.link import Linker
from downshift.log.linked import Linked
from downshift.log.read import Damage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from downshift.paths import State

MOST_DAYS = 36_500
DAYS = "30"


class Window(Record):
    """The entries of the window, oldest first; `unlinked` usage records belong to none of them."""

    entries: list[Linked]
    days: int
    generated_at: str
    unlinked: int
    damaged: int


def read(state: State | None, told: str) -> Window:
    """The last `told` days, up to now."""
    if not told.isdigit() or not 0 < int(told) <= MOST_DAYS:
        raise UserError(f"--days takes a number of days from 1, not {told!r}", "downshift report --days 7", code=2)
    now, days, damage = time.time(), int(told), Damage()
    since = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(max(0.0, now - days * 86_400)))
    linker = Linker()
    # These records all stay. Looking for rubbish among a million of them would take a fifth of the time, now and later.
    gc.disable()
    try:
        if state is not None:
            stream.feed(state, damage, since, linker.add)
        entries = linker.linked()
    finally:
        gc.freeze()
        gc.enable()
    return Window(
        entries=entries,
        days=days,
        generated_at=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now)),
        unlinked=max(0, linker.usage_records - sum(entry.used_records for entry in entries)),
        damaged=damage.lines,
    )
