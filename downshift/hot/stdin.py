"""Reading what a harness sends: as bytes, with a bound on size and time, and never an exception for bad input."""

from __future__ import annotations

import os
import time

MAX_BYTES = 1024 * 1024
MAX_SECONDS = 2.0
_CHUNK = 256 * 1024
_STEP = 0.001

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


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
    chunks: list[bytes] = []
    size = 0
    try:
        for chunk in _chunks(descriptor, time.monotonic() + seconds):
            if chunk is None:
                return Input("", "PAYLOAD_TOO_LARGE" if size > limit else "INPUT_TIMEOUT")
            size += len(chunk)
            if size <= limit:
                chunks.append(chunk)
    except OSError:
        return Input("", "READ_ERROR")
    if size > limit:
        return Input("", "PAYLOAD_TOO_LARGE")
    return Input(b"".join(chunks).decode("utf-8", "replace").lstrip("\ufeff"))


def _chunks(descriptor: int, deadline: float) -> Iterator[bytes | None]:
    """What arrives, until the end of the input; None when the deadline comes first."""
    blocking = os.get_blocking(descriptor)
    os.set_blocking(descriptor, False)
    try:
        while True:
            try:
                chunk = os.read(descriptor, _CHUNK)
            except BlockingIOError:
                # Waiting in steps costs nothing here, and `select` would be one more library to load.
                if time.monotonic() >= deadline:
                    yield None
                    return
                time.sleep(_STEP)
                continue
            if not chunk:
                return
            yield chunk
    finally:
        # The other end may be a terminal that outlives this process.
        os.set_blocking(descriptor, blocking)
