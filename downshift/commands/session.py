"""`downshift session`: the tree of one session's spawns."""

from __future__ import annotations

from downshift import paths
from downshift.catalog.shelf import Shelf
from downshift.commands.contract import Argument, Options, Result, Spec
from downshift.core.errors import UserError
from downshift.core.hashing import hash_id
from downshift.harnesses.registry import ADAPTERS
from downshift.log import sessions
from downshift.sessions.pause import set_paused
from downshift.views.line import Line
from downshift.views.panel import panel_data
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
        Argument(name="--panel", help="Print what a panel draws, as one JSON document.", default=False),
        Argument(name="--why", help="Give the reasons for each spawn.", default=False),
        Argument(
            name="--pause", help="Leave the session's spawns alone from now on; they are still recorded.", default=False
        ),
        Argument(name="--resume", help="End a pause.", default=False),
        Argument(name="--json", help="Print one JSON document.", default=False),
    ),
)


def run(options: Options) -> Result:
    """The session that was asked for, the one this command runs in, or the latest."""
    state, wanted = paths.state(options.env), options.text("session")
    session = _find(state, wanted, options) if state else ""
    if options.flag("pause") or options.flag("resume"):
        return _pause(state, session, options)
    catalogs = Shelf(state)
    entries = sessions.linked(state, session) if state and session else []
    if options.flag("panel"):
        return Result(lines=(), data=panel_data(session, entries, catalogs), data_only=True)
    if wanted and not session:
        raise UserError(f"no session {wanted!r} in the log", "downshift session shows the latest one")
    lines = session_lines(session, entries, catalogs, why=options.flag("why"))
    nothing = Line(text="No spawn has been seen yet. Start a subagent, or run: downshift demo")
    return Result(lines=lines if session else (nothing,), data=session_data(session, entries, catalogs))


def _pause(state: paths.State | None, session: str, options: Options) -> Result:
    """Pause or resume. A session without any spawn yet can be paused by its id."""
    pausing = options.flag("pause")
    here = options.text("session") or _here(options)
    target = session or hash_id(here)
    if pausing == options.flag("resume") or state is None or not target:
        raise UserError("say which session, and either --pause or --resume", SPEC.example, code=2)
    try:
        set_paused(state, target, paused=pausing)
    except OSError as error:
        raise UserError(f"the pause cannot be written: {error.strerror}") from error
    told = "paused: its spawns are recorded, not changed" if pausing else "no longer paused"
    return Result(lines=(Line(text=f"session {target[:8]} {told}"),), data={"session": target[:8], "paused": pausing})


def _here(options: Options) -> str:
    """The session this command runs in, as a harness names it in the environment."""
    names = (load().CAPABILITIES.session_env for load in ADAPTERS.values())
    return next((options.env[name] for name in names if name and options.env.get(name)), "")


def _find(state: paths.State, wanted: str, options: Options) -> str:
    if wanted:
        return sessions.find(state, wanted)
    here = _here(options)
    if here and (options.flag("pause") or options.flag("resume")):
        return sessions.find(state, here)
    return (sessions.find(state, here) if here else "") or sessions.find(state, "")
