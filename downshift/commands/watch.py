"""`downshift watch`: the latest session, as it happens."""

from __future__ import annotations

import time

from downshift import paths
from downshift.catalog.shelf import Shelf
from downshift.commands.contract import Argument, Options, Result, Spec
from downshift.core.errors import UserError
from downshift.log import sessions
from downshift.views.session import session_lines
from downshift.views.watch import pulse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from downshift.views.line import Line

SPEC = Spec(
    name="watch",
    help="The latest session as it happens, until Ctrl-C. Without a terminal: once.",
    example="downshift watch",
    arguments=(
        Argument(name="--session", help="A session id, its hash, or the first 8 hex of that (default: the latest)."),
        Argument(name="--once", help="Show it once and leave.", default=False),
    ),
)

_EVERY = 1.0


def run(options: Options) -> Result:
    """The first frame, and the others for as long as somebody looks."""
    state, wanted = paths.state(options.env), options.text("session")
    if wanted and (state is None or not sessions.find(state, wanted)):
        raise UserError(f"no session {wanted!r} in the log", "downshift watch follows the latest one")
    frames = () if options.flag("once") else _frames(state, wanted)
    return Result(lines=_frame(state, wanted, time.time()), frames=frames)


def _frames(state: paths.State | None, wanted: str) -> Iterator[tuple[Line, ...]]:
    while True:
        time.sleep(_EVERY)
        yield _frame(state, wanted, time.time())


def _frame(state: paths.State | None, wanted: str, now: float) -> tuple[Line, ...]:
    session = sessions.find(state, wanted) if state else ""
    entries = sessions.linked(state, session) if state and session else []
    if not entries:
        return tuple(pulse(None, now))
    return (*pulse(entries[-1].decision, now), *session_lines(session, entries, Shelf(state), why=False))
