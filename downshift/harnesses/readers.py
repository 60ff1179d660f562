"""The only way an adapter sees the machine: the environment, small files, the tail of large ones, and time.

Every reader gives nothing rather than an error: a file that cannot be read says nothing.
"""

from __future__ import annotations

import os
import time

from downshift.core import regular

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_SMALL_FILE = 256 * 1024


class Readers:
    """The real machine. Tests hand in their own."""

    def __init__(self, env: Mapping[str, str]) -> None:
        self.env = env

    def text(self, path: str) -> str:
        """A small file as text; empty when it is missing, not a regular file, or larger than 256 KiB."""
        data = regular.read(path, 0, _SMALL_FILE + 1)
        return "" if len(data) > _SMALL_FILE else data.decode("utf-8-sig", "replace")

    def head(self, path: str, size: int) -> str:
        """The first `size` bytes of a file as text; empty when there is none."""
        return regular.read(path, 0, size).decode("utf-8-sig", "replace")

    def exists(self, path: str) -> bool:
        """Whether there is anything at this path."""
        return os.path.lexists(path)

    def tail(self, path: str, size: int) -> bytes:
        """The last `size` bytes of a file; empty when there is none."""
        return regular.read(path, -size, size)

    def names(self, folder: str) -> list[str]:
        """What a folder holds, sorted; empty when there is none."""
        try:
            return sorted(os.listdir(folder))
        except (OSError, ValueError):
            return []

    def now(self) -> float:
        """Seconds on a clock that only goes forward."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Wait."""
        time.sleep(seconds)
