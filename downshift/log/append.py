"""The only writer of the event log.

A record is one line, written with its newline in one `os.write` on an
`O_APPEND` descriptor: on a local file system two writers never mix. The lock is
for rotation and for mending a torn end; a writer that cannot have it in 50 ms
appends all the same.
"""

from __future__ import annotations

import os
import time

from downshift.core.json_text import render

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from downshift.paths import State

    fcntl: Any
else:
    try:
        import fcntl
    except ImportError:  # Windows
        fcntl = None

BACKUPS = 10
MAX_LINE = 2048
_LOCK_WAIT = 0.05
_LOCK_POLL = 0.002
_FLAGS = os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


class Writer:
    """The log, open for one writer: `with Writer(state, limit) as log: log.record(event)`.

    `limit` is the size in bytes at which the log rotates, 0 for never. Every
    method raises OSError when it cannot write; nothing half-written stays behind.
    """

    def __init__(self, state: State, limit: int) -> None:
        self._state = state
        self._limit = limit
        self._lock: int | None = None

    def __enter__(self) -> Writer:
        os.makedirs(os.path.dirname(self._state.events), 0o700, exist_ok=True)
        self._lock = _lock(self._state.events + ".lock")
        return self

    @property
    def locked(self) -> bool:
        """Whether no other writer is at work; always so where there are no locks."""
        return self._lock is not None or fcntl is None

    def __exit__(self, *_: object) -> None:
        if self._lock is not None:
            os.close(self._lock)

    def record(self, event: dict[str, object]) -> None:
        """Append one event to the log and, when it has a session, to that session's own file."""
        line = render(event).encode("ascii") + b"\n"
        if len(line) > MAX_LINE:
            raise OSError(f"a record of {len(line)} bytes is larger than {MAX_LINE}")
        if self._lock is not None:
            _rotate(self._state.events, len(line), self._limit)
        append_line(self._state.events, line)
        session = event.get("session_id")
        if isinstance(session, str) and session:
            path = self._state.session_log(session)
            os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
            append_line(path, line)


def append_line(path: str, line: bytes) -> None:
    """Append `line` whole or not at all. A torn line that a crash left behind is closed first."""
    handle = os.open(path, os.O_RDWR | os.O_APPEND | _FLAGS, 0o600)
    try:
        size = os.lseek(handle, 0, os.SEEK_END)
        if size and os.pread(handle, 1, size - 1) != b"\n":
            line = b"\n" + line
        written = os.write(handle, line)
        if written != len(line):
            # Only a full disk does this. Take the piece back, so that the next line is not welded to it.
            if os.lseek(handle, 0, os.SEEK_END) == size + written:
                os.ftruncate(handle, size)
            raise OSError("the disk is full")
    finally:
        os.close(handle)


def _lock(path: str) -> int | None:
    """A descriptor that holds the lock; None without one."""
    if fcntl is None:
        return None
    try:
        handle = os.open(path, os.O_RDWR | getattr(os, "O_NONBLOCK", 0) | _FLAGS, 0o600)
    except OSError:
        return None  # something else lies there
    deadline = time.monotonic() + _LOCK_WAIT
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return handle
        except OSError:  # noqa: PERF203  # waiting is the point
            if time.monotonic() >= deadline:
                os.close(handle)
                return None
            time.sleep(_LOCK_POLL)


def _rotate(path: str, incoming: int, limit: int) -> None:
    """Shift the backups up by one when the log would grow past its limit."""
    try:
        size = os.stat(path).st_size
    except OSError:
        return
    if not limit or size + incoming <= limit:
        return
    for number in range(BACKUPS, 0, -1):
        older = path if number == 1 else f"{path}.{number - 1}"
        try:
            os.replace(older, f"{path}.{number}")
        except OSError:
            continue
