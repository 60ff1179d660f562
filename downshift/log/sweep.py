"""Old claims and session files are removed by the next writer, at most once an hour."""

from __future__ import annotations

import os

from downshift.log.seen import MARKER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from downshift.paths import State

_KEPT = {"seen": 24 * 3600.0, "sessions": 14 * 24 * 3600.0}
_MOST = 2000


def sweep(state: State, now: float) -> None:
    """Remove what is past its time; a file that will not go is left for the next sweep."""
    for folder, kept in _KEPT.items():
        _remove_older(state.file(folder), now - kept)
    try:
        marker = os.open(state.file("seen", MARKER), os.O_CREAT | os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0), 0o600)
        os.close(marker)
        os.utime(state.file("seen", MARKER), (now, now))
    except OSError:
        return


def _remove_older(folder: str, limit: float) -> None:
    try:
        names = os.listdir(folder)[:_MOST]
    except OSError:
        return
    for name in names:
        path = os.path.join(folder, name)
        try:
            if os.lstat(path).st_mtime < limit:
                os.unlink(path)
        except OSError:
            continue
