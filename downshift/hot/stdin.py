"""Reading what a harness sends: as bytes, with a bound on size and time, and never an exception for bad input."""

from __future__ import annotations

import os
import select
import time

MAX_BYTES = 1024 * 1024
MAX_SECONDS = 2.0
_CHUNK = 256 * 1024


class Input:
    """The text that was read; `error` is the code of what went wrong, empty when nothing did."""

    def __init__(self, text: str, error: str = "") -> None:
        self.text = text
        self.error = error


def read(descriptor: int, *, seconds: float = MAX_SECONDS, limit: int = MAX_BYTES) -> Input:
    """Read to the end of the input: at most `limit` bytes, for at most `seconds`.

    What lies beyond the limit is still taken from the pipe, so that the sender
    does not trip over a closed one, and thrown away.
    """
    deadline = time.monotonic() + seconds
    chunks: list[bytes] = []
    size = 0
    try:
        while True:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([descriptor], [], [], left)[0]:
                return Input("", "PAYLOAD_TOO_LARGE" if size > limit else "INPUT_TIMEOUT")
            chunk = os.read(descriptor, _CHUNK)
            if not chunk:
                break
            size += len(chunk)
            if size <= limit:
                chunks.append(chunk)
    except (OSError, ValueError):
        return Input("", "READ_ERROR")
    if size > limit:
        return Input("", "PAYLOAD_TOO_LARGE")
    return Input(b"".join(chunks).decode("utf-8", "replace").lstrip("\ufeff"))
