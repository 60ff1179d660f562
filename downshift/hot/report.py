"""What a hook says besides its answer: one line on stderr, and an error record."""

from __future__ import annotations

import os
import time

from downshift import paths
from downshift.core import events

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def timestamp() -> str:
    """Now, as RFC 3339 in UTC with milliseconds."""
    seconds = time.time()
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + f".{int(seconds * 1000) % 1000:03d}Z"


def note(text: str) -> None:
    """One line on stderr; harnesses keep it apart from the answer."""
    try:
        os.write(2, f"downshift: {text}\n".encode("utf-8", "replace"))
    except OSError:
        return


def report_error(code: str, harness: str, env: Mapping[str, str]) -> None:
    """Record that something went wrong; when even that fails, say so and go on."""
    state = paths.state(env)
    if state is None:
        return
    from downshift.log.append import Writer

    try:
        with Writer(state, paths.log_limit(env)) as log:
            log.record(events.error(code, now=timestamp(), harness=harness))
    except OSError as error:
        note(f"could not record {code} ({error.strerror or error})")
