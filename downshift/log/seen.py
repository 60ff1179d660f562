"""One decision for one spawn, however many processes see it.

Two hooks, two versions of the plugin or a retry may ask about the same spawn.
The first to come claims a file with O_EXCL and writes its decision there (ids,
words and codes, no brief). A later one takes that decision over.
"""

from __future__ import annotations

import os
import time

from downshift.core import regular
from downshift.core.hashing import hash_id
from downshift.core.json_text import parse_object, render

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from downshift.paths import State

MARKER = ".swept"
"""The file whose time says when the directory was last swept."""
_SWEEP_EVERY = 3600.0
_WAIT = 0.05
_POLL = 0.002
_FLAGS = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


class Claim:
    """What came of asking for a spawn: `first` decides and records, others take over `decided`."""

    def __init__(self, path: str, *, first: bool, decided: dict[str, Any] | None = None) -> None:
        self.first = first
        self.decided = decided
        self._path = path

    def settle(self, decided: dict[str, object]) -> None:
        """Leave the decision for later processes. Failing to is no harm: they decide again, alike."""
        if not self.first or not self._path:
            return
        try:
            handle = os.open(self._path, os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0))
            try:
                os.write(handle, render(decided).encode("ascii"))
            finally:
                os.close(handle)
        except OSError:
            return


def sweep_due(state: State, now: float) -> bool:
    """Whether an hour has passed since old claims were removed (see `sweep`). `now` is seconds since the epoch."""
    try:
        return not 0 <= now - os.stat(state.file("seen", MARKER)).st_mtime < _SWEEP_EVERY
    except OSError:
        return True


def claim(state: State, key: str) -> Claim:
    """Be the first to decide about the spawn with this key, or learn what was decided.

    A spawn without a key, and a state directory that cannot be written, make
    every process the first: better a second record than a spawn not judged.
    """
    if not key:
        return Claim("", first=True)
    path = state.file("seen", hash_id(key)[:32])
    try:
        os.close(_create(path))
    except FileExistsError:
        return Claim(path, first=False, decided=_await(path))
    except OSError:
        return Claim("", first=True)
    return Claim(path, first=True)


def _create(path: str) -> int:
    try:
        return os.open(path, _FLAGS, 0o600)
    except FileNotFoundError:
        os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
        return os.open(path, _FLAGS, 0o600)


def _await(path: str) -> dict[str, Any] | None:
    deadline = time.monotonic() + _WAIT
    while True:
        decided = _read(path)
        if decided is not None or time.monotonic() >= deadline:
            return decided
        time.sleep(_POLL)


def _read(path: str) -> dict[str, Any] | None:
    return parse_object(regular.read(path, 0, 4096).decode("utf-8", "replace"))
