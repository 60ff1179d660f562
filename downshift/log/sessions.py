"""Finding one session's own log."""

from __future__ import annotations

import os

from downshift.core.hashing import hash_id
from downshift.log.link import link
from downshift.log.linked import Linked
from downshift.log.read import events_of, tail

TYPE_CHECKING = False
if TYPE_CHECKING:
    from downshift.paths import State

_SUFFIX = ".jsonl"
_MOST_BYTES = 4 * 1024 * 1024


def find(state: State, wanted: str) -> str:
    """The first 16 hex of the session that `wanted` means; empty when it is not known.

    `wanted` is a raw id, a full hash or the start of one (8 hex or more); empty
    means the session that was written to last.
    """
    folder = state.file("sessions")
    try:
        names = [name[: -len(_SUFFIX)] for name in os.listdir(folder) if name.endswith(_SUFFIX)]
    except OSError:
        return ""
    if not wanted:
        return max(names, key=lambda name: _changed(os.path.join(folder, name + _SUFFIX)), default="")
    for start in (hash_id(wanted)[:16], wanted.lower()[:16]):
        if len(start) >= 8:
            found = [name for name in names if name.startswith(start)]
            if len(found) == 1:
                return found[0]
    return ""


def linked(state: State, session: str) -> list[Linked]:
    """The session's decisions with what was observed of each."""
    return link(events_of(tail(state.session_log(session), _MOST_BYTES)))


def _changed(path: str) -> float:
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0.0
