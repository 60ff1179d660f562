"""`downshift session`: the tree of one session's spawns."""

from __future__ import annotations

from downshift import paths
from downshift.commands.contract import Argument, Options, Result, Spec
from downshift.core.errors import UserError
from downshift.harnesses.registry import ADAPTERS
from downshift.log import sessions
from downshift.views.line import Line
from downshift.views.session import session_data, session_lines

SPEC = Spec(
    name="session",
    help="The spawns of one session, and what happened to each.",
    example="downshift session --why",
    arguments=(
        Argument(
            name="--session",
            help="A session id, its hash, or the first 8 hex of that (default: this one or the latest).",
        ),
        Argument(name="--why", help="Give the reasons for each spawn.", default=False),
        Argument(name="--json", help="Print one JSON document.", default=False),
    ),
)


def run(options: Options) -> Result:
    """The session that was asked for, the one this command runs in, or the latest."""
    state, wanted = paths.state(options.env), options.text("session")
    session = _find(state, wanted, options) if state else ""
    if state and session:
        entries = sessions.linked(state, session)
        lines = session_lines(session, entries, why=options.flag("why"))
        return Result(lines=lines, data=session_data(session, entries))
    if wanted:
        raise UserError(f"no session {wanted!r} in the log", "downshift session shows the latest one")
    nothing = "No spawn has been seen yet. Start a subagent, or run: downshift demo"
    return Result(lines=(Line(text=nothing),), data=session_data("", []))


def _find(state: paths.State, wanted: str, options: Options) -> str:
    if wanted:
        return sessions.find(state, wanted)
    here = (options.env.get(load().CAPABILITIES.session_env, "") for load in ADAPTERS.values())
    known = (sessions.find(state, raw) for raw in here if raw)
    return next((session for session in known if session), "") or sessions.find(state, "")
