"""`downshift demo`: a small session played through the real hook, in a state directory of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile

from downshift import assets, paths
from downshift.catalog.shelf import Shelf
from downshift.commands.contract import Argument, Options, Result, Spec
from downshift.core.control import DEFAULT_SHARE, in_control
from downshift.core.hashing import hash_id
from downshift.log import sessions
from downshift.views.line import Line
from downshift.views.session import session_data, session_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

SPEC = Spec(
    name="demo",
    help="A small session played through the real hook, then the view of it. Leaves nothing behind.",
    example="downshift demo",
    arguments=(
        Argument(name="--why", help="Give the reasons for each spawn.", default=False),
        Argument(name="--json", help="Print one JSON document.", default=False),
    ),
)

_SESSION = "downshift-demo"
# (brief, agent type, in the control group, what the harness would say the child ran on)
_SPAWNS = (
    ("Rename the variable userId to accountId across auth.ts.", "general-purpose", False, "claude-haiku-5-5"),
    ("Run npm test and report the exit code.", "general-purpose", False, "claude-haiku-5-5"),
    (
        "Implement a new endpoint for CSV export along the existing patterns.",
        "general-purpose",
        False,
        "claude-sonnet-5-5",
    ),
    ("Rotate the payment credentials listed in config/keys.md.", "general-purpose", False, "claude-opus-5-5"),
    (
        "Find out why the upload test fails intermittently: look for the race condition.",
        "Explore",
        False,
        "claude-opus-5-5",
    ),
    ("Look into the reports page.", "general-purpose", False, "claude-opus-5-5"),
    ("List the files in src/.", "Explore", True, "claude-opus-5-5"),
)


def run(options: Options) -> Result:
    """Play the spawns one by one, each in a hook process of its own."""
    with tempfile.TemporaryDirectory(prefix="downshift-demo-") as folder:
        env = _environment(options.env, folder)
        for number, (brief, agent_type, control, ran_on) in enumerate(_SPAWNS):
            call = _identify(number, control=control)
            _hook("hook", _spawn(call, brief, agent_type), env)
            _hook("end", _resolved(call, number, ran_on), env)
            _hook("end", _ended(call, number, ran_on), env)
        state, session, catalogs = paths.state(env), hash_id(_SESSION), Shelf()
        entries = sessions.linked(state, session) if state else []
    title = Line(text="A made-up session under opus; the decisions are real, the children are not.", tone="dim")
    lines = session_lines(session, entries, catalogs, why=options.flag("why"))
    return Result(lines=(title, *lines), data=session_data(session, entries, catalogs))


def _environment(env: Mapping[str, str], folder: str) -> dict[str, str]:
    """The user's environment without settings that would change what the demo shows."""
    kept = {name: value for name, value in env.items() if not name.startswith(("DOWNSHIFT_", "CLAUDE", "ANTHROPIC_"))}
    return {**kept, paths.STATE_DIR: folder}


def _identify(number: int, *, control: bool) -> str:
    """A tool-use id that falls on the wanted side of the control draw."""
    candidates = (f"toolu_demo_{number}_{attempt}" for attempt in range(1000))
    return next(call for call in candidates if in_control(call, DEFAULT_SHARE) is control)


def _spawn(call: str, brief: str, agent_type: str) -> dict[str, object]:
    return {
        "entry": "mod",
        "hook_event_name": "PreToolUse",
        "session_id": _SESSION,
        "tool_use_id": call,
        "tool_name": "Agent",
        "tool_input": {"description": " ".join(brief.split()[:4]), "prompt": brief, "subagent_type": agent_type},
        "parent_model": "claude-opus-5-5",
        "permission_mode": "auto",
    }


def _resolved(call: str, number: int, ran_on: str) -> dict[str, object]:
    return {
        "entry": "mod",
        "hook_event_name": "SpawnResolved",
        "session_id": _SESSION,
        "tool_use_id": call,
        "agent_id": f"demo-{number}",
        "resolved_model": ran_on,
    }


def _ended(call: str, number: int, ran_on: str) -> dict[str, object]:
    """An end with made-up usage of a usual shape: much is read from the cache."""
    usage = {
        "model": ran_on,
        "input_tokens": 900 + 130 * number,
        "output_tokens": 700 + 90 * number,
        "cache_read_input_tokens": 41_000 + 3_700 * number,
        "cache_creation_input_tokens": 6_000,
    }
    told = {
        "reason": "answer",
        "usage": [usage],
        "tool_calls": 3,
        "last_assistant_message": "Done as asked; see above.",
    }
    return {**_resolved(call, number, ""), "hook_event_name": "AgentEnded", **told}


def _hook(verb: str, payload: dict[str, object], env: dict[str, str]) -> None:
    runner = os.path.join(assets.root(), "hooks", "run.py")
    command = [sys.executable, "-I", "-S", runner, verb, "claude-code"]
    subprocess.run(command, input=json.dumps(payload).encode(), env=env, capture_output=True, timeout=20, check=True)  # noqa: S603  # our own program
