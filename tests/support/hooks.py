"""Running hooks, in this process and as the harness does; and the payloads they are given."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from downshift import paths
from downshift.hot import end, spawn
from tests.conftest import REPOSITORY

TRIVIAL = "Rename the variable userId across auth.ts"
VAGUE = "Have a think about the reports page"
COMPLEX = "Investigate the intermittent deadlock in the scheduler and find its root cause"
MEDIUM = "Implement a new endpoint for CSV export along the existing patterns"
OPUS = "claude-opus-5-5"
# Nothing is in the control group unless a test wants it there.
ROUTED = {paths.CONTROL_SHARE: "0"}


def mod_payload(
    prompt: str = TRIVIAL, *, call: str = "toolu_1", session: str = "session-1", **changes: Any
) -> dict[str, Any]:
    """What the mod sends for one spawn."""
    agent_type = changes.pop("agent_type", "general-purpose")
    model = changes.pop("model", None)
    tool_input = {"description": "a task", "prompt": prompt, "subagent_type": agent_type}
    payload = {
        "entry": "mod",
        "hook_event_name": "PreToolUse",
        "session_id": session,
        "tool_use_id": call,
        "tool_name": "Agent",
        "tool_input": {**tool_input, **({"model": model} if model else {})},
        "parent_model": OPUS,
        "permission_mode": "auto",
        "background": False,
        "fork": False,
        "resume": False,
        "teammate": False,
        "cwd": os.getcwd(),
    }
    return {**payload, **changes}


def resolved_payload(
    ran_on: str, *, call: str = "toolu_1", session: str = "session-1", agent: str = "agent-1"
) -> dict[str, Any]:
    """What the mod sends once the engine has started the child."""
    return {
        "entry": "mod",
        "hook_event_name": "SpawnResolved",
        "session_id": session,
        "tool_use_id": call,
        "agent_id": agent,
        "resolved_model": ran_on,
    }


def capture(name: str) -> dict[str, Any]:
    """The payload of a real capture."""
    text = (REPOSITORY / "tests" / "payloads" / "claude-code" / f"{name}.json").read_text(encoding="utf-8")
    return json.loads(text)


def answer_in_process(payload: object, env: Mapping[str, str], verb: str = "hook") -> str:
    """The answer of the hook's own function; what it writes goes to the state directory of `env`."""
    said: list[str] = []
    with tempfile.TemporaryFile() as file:
        file.write(payload if isinstance(payload, bytes) else json.dumps(payload).encode())
        file.seek(0)
        if verb == "hook":
            spawn.run("claude-code", env, file.fileno(), said.append)
        else:
            end.run("claude-code", "", env, file.fileno(), said.append)
    assert len(said) == 1, "a hook answers exactly once"
    return said[0]


class Ran:
    """What a hook process printed, its status, and how long it took."""

    def __init__(self, done: subprocess.CompletedProcess[bytes], seconds: float) -> None:
        self.code = done.returncode
        self.text = done.stdout.decode()
        self.stderr = done.stderr.decode("utf-8", "replace")
        self.seconds = seconds

    @property
    def answer(self) -> Any:
        return json.loads(self.text)


def run_hook(
    payload: object,
    env: Mapping[str, str] | None = None,
    *,
    verb: str = "hook",
    root: Path = REPOSITORY,
    python: str = "",
) -> Ran:
    """Run the hook as a harness does: a process of its own, the payload on stdin."""
    data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    command = [python or sys.executable, "-I", "-S", str(root / "hooks" / "run.py"), verb, "claude-code"]
    started = time.monotonic()
    done = subprocess.run(command, input=data, env={**os.environ, **(env or {})}, capture_output=True, timeout=30)
    return Ran(done, time.monotonic() - started)


def events(env: Mapping[str, str] | None = None) -> list[dict[str, Any]]:
    """Every record of the log of `env` (default: this test's home), each line whole."""
    state = paths.state({**os.environ, **(env or {})})
    assert state is not None
    path = Path(state.events)
    text = path.read_text(encoding="ascii") if path.exists() else ""
    assert text == "" or text.endswith("\n")
    return [json.loads(line) for line in text.splitlines()]
