"""Old claims and session files are removed by the next writer, at most once an hour."""

from __future__ import annotations

import os

from downshift.log.seen import MARKER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from downshift.paths import State

_KEPT = {"seen": (32, "", 24 * 3600.0), "sessions": (16, ".jsonl", 14 * 24 * 3600.0)}
"""For each folder: how many hexadecimal digits its names have, how they end, and for how many seconds they are kept."""
_MOST = 2000


def sweep(state: State, now: float) -> None:
    """Remove what is past its time; a file that will not go is left for the next sweep."""
    for folder, (digits, ending, kept) in _KEPT.items():
        path = state.file(folder)
        # The state directory may be any folder that the user names, and a link may lead anywhere.
        if not os.path.islink(path):
            _remove_older(path, now - kept, digits, ending)
    try:
        marker = os.open(state.file("seen", MARKER), os.O_CREAT | os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0), 0o600)
        os.close(marker)
        os.utime(state.file("seen", MARKER), (now, now))
    except OSError:
        return


def _remove_older(folder: str, limit: float, digits: int, ending: str) -> None:
    try:
        names = [name for name in os.listdir(folder) if _is_ours(name, digits, ending)]
    except OSError:
        return
    removed = 0
    for name in names:
        path = os.path.join(folder, name)
        try:
            if os.lstat(path).st_mtime < limit:
                os.unlink(path)
                removed += 1
        except OSError:
            continue
        if removed >= _MOST:
            return


def _is_ours(name: str, digits: int, ending: str) -> bool:
    """Only names of the form that Downshift gives are its to remove."""
    return len(name) == digits + len(ending) and name.endswith(ending) and set(name[:digits]) <= set("0123456789abcdef")
