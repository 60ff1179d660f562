"""Reading the small JSON files of the state directory, and saying exactly what is wrong with one.

A damaged file is unknown, never empty: nothing that depends on it is done.
"""

from __future__ import annotations

import errno
import os
import stat

from downshift.core.json_text import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_BYTES = 1024 * 1024

OK = "ok"
MISSING = "missing"
# What each problem means to the person who has to mend it.
PROBLEMS = {
    "empty": "is empty",
    "damaged": "is not JSON",
    "wrong_type": "does not hold what it should",
    "too_large": "is larger than 1 MiB",
    "not_a_file": "is not a file",
    "symlink": "is a symbolic link",
    "unreadable": "cannot be read",
    "future": "is dated in the future",
    "invalid": "holds a value that is not valid",
}


class File:
    """What a file holds: `data` when its status is ok, else an empty object and the reason."""

    def __init__(self, path: str, status: str, data: dict[str, Any] | None = None) -> None:
        self.path = path
        self.status = status
        self.data: dict[str, Any] = data or {}

    @property
    def usable(self) -> bool:
        """Whether it can be relied on; a file that is not there says nothing and is no problem."""
        return self.status in (OK, MISSING)

    def problem(self) -> str:
        """One clause for stderr and `doctor`; empty when there is none."""
        return "" if self.usable else f"{os.path.basename(self.path)} {PROBLEMS[self.status]} and is not used"


def read_object(path: str) -> File:
    """The JSON object in the file at `path`. Links are not followed; a pipe or device is not waited for."""
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except OSError as error:
        return File(path, _why(error))
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            return File(path, "not_a_file")
        if status.st_size > MAX_BYTES:
            return File(path, "too_large")
        text = os.read(handle, MAX_BYTES).decode("utf-8", "replace").lstrip("\ufeff")
    except OSError:
        return File(path, "unreadable")
    finally:
        os.close(handle)
    return _parsed(path, text)


def _parsed(path: str, text: str) -> File:
    if not text.strip():
        return File(path, "empty")
    try:
        value = parse(text)
    except ValueError:
        return File(path, "damaged")
    return File(path, OK, value) if isinstance(value, dict) else File(path, "wrong_type")


def _why(error: OSError) -> str:
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        return MISSING
    if error.errno == errno.ELOOP:
        return "symlink"
    return "not_a_file" if error.errno == errno.EISDIR else "unreadable"
