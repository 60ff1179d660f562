"""Reading a file that may be anything: a pipe or a device in its place must not make a hook wait."""

from __future__ import annotations

import os

_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)


def read(path: str, start: int, size: int) -> bytes:
    """Up to `size` bytes from `start`, which counts from the end when negative; empty when there is nothing to read."""
    try:
        handle = os.open(path, _FLAGS)
    except (OSError, ValueError):
        return b""
    try:
        length = os.lseek(handle, 0, os.SEEK_END)  # refused by a pipe
        os.lseek(handle, max(0, length + start) if start < 0 else start, os.SEEK_SET)
        return os.read(handle, min(size, length))
    except OSError:
        return b""
    finally:
        os.close(handle)
