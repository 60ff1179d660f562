"""Writing a small file of ours whole or not at all, readable by its owner only."""

from __future__ import annotations

import os

_FLAGS = os.O_CREAT | os.O_TRUNC | os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0)


def replace(path: str, text: str) -> None:
    """Put `text` (ASCII) in place of the file. OSError when that cannot be; nothing half-written stays behind."""
    os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
    temporary = f"{path}.{os.getpid()}"
    handle = os.open(temporary, _FLAGS, 0o600)
    try:
        os.write(handle, text.encode("ascii"))
    finally:
        os.close(handle)
    try:
        os.replace(temporary, path)
    except OSError:
        os.unlink(temporary)
        raise
