"""The real Claude Code binary in a throw-away home and project, talking to a `ScriptedApi` on loopback.

Nothing of the developer's environment reaches it but PATH.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from downshift import paths
from downshift.catalog.shelf import Shelf
from downshift.log.sessions import find, linked
from downshift.views.session import session_data
from tests.conftest import HARNESSES, REPOSITORY

VERSION = "2.1.332"
BINARY = HARNESSES / "node_modules" / "@anthropic-ai" / "claude-code-linux-x64" / "claude"
API_KEY = "sk-ant-test-dummy-000000000000000000000000"
# What of the checkout a plugin consists of.
PLUGIN_PARTS = (".claude-plugin", "hooks", "skills", "bin", "downshift", "README.md", "LICENSE")


class Run:
    """One `claude -p` run: status, output, and the events of its stream."""

    def __init__(self, code: int, stdout: str, stderr: str, seconds: float) -> None:
        self.code, self.stdout, self.stderr, self.seconds = code, stdout, stderr, seconds
        self.events = [json.loads(line) for line in stdout.splitlines() if line.startswith("{")]

    def said(self) -> list[str]:
        """What the plugin printed for the person: a mod's log lines and hooks' system messages."""
        shown = [event for event in self.events if event.get("type") == "system"]
        texts = [str(event.get("text") or event.get("content") or "") for event in shown]
        return [text for text in texts if "downshift:" in text]


class ClaudeCode:
    """A home, a project and the binary. `env` is added to every run."""

    def __init__(self, root: Path, api_url: str, **env: str) -> None:
        self.home, self.project = root / "claude-home", root / "project"
        (self.home / ".claude").mkdir(parents=True)
        (self.project / ".claude").mkdir(parents=True)
        self.environment = {
            "HOME": str(self.home),
            "PATH": os.environ["PATH"],
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            "ANTHROPIC_BASE_URL": api_url,
            "ANTHROPIC_API_KEY": API_KEY,
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_TELEMETRY": "1",
            "DISABLE_ERROR_REPORTING": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "IS_SANDBOX": "1",  # lets root use bypassPermissions
            "NO_PROXY": "127.0.0.1,localhost",
            "DOWNSHIFT_CONTROL_SHARE": "0",
            **env,
        }
        self._write(
            self.home / ".claude.json",
            {
                "hasCompletedOnboarding": True,
                "theme": "dark",
                "numStartups": 5,
                "bypassPermissionsModeAccepted": True,
                "customApiKeyResponses": {"approved": [API_KEY[-20:]], "rejected": []},
                "projects": {
                    str(self.project): {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}
                },
            },
        )

    @staticmethod
    def _write(path: Path, value: object) -> None:
        path.write_text(json.dumps(value), encoding="utf-8")

    def settings(self, **values: object) -> None:
        """The user's settings.json."""
        self._write(self.home / ".claude" / "settings.json", values)

    def agent(self, name: str, **fields: str) -> None:
        """An agent definition of the project."""
        folder = self.project / ".claude" / "agents"
        folder.mkdir(exist_ok=True)
        lines = "".join(f"{key}: {value}\n" for key, value in {"name": name, "description": "works", **fields}.items())
        (folder / f"{name}.md").write_text(f"---\n{lines}---\n\nDo it.\n", encoding="utf-8")

    def cli(self, *arguments: str) -> str:
        """A `claude` subcommand that must succeed; its output."""
        done = subprocess.run(
            [str(BINARY), *arguments],
            cwd=self.project,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=90,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def install(self, plugin: Path) -> None:
        """What README tells a user to do, and nothing else."""
        self.cli("plugin", "marketplace", "add", str(plugin))
        self.cli("plugin", "install", "downshift@downshift")

    def run(self, mode: str, *arguments: str, model: str = "opus", **env: str) -> Run:
        """`claude -p` with the script `main`, to its end."""
        started = time.monotonic()
        process = self.start(mode, *arguments, model=model, **env)
        try:
            out, err = process.communicate(timeout=90)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, 9)
                process.communicate()
        return Run(process.returncode, out, err, time.monotonic() - started)

    def start(self, mode: str, *arguments: str, model: str = "opus", **env: str) -> subprocess.Popen[str]:
        """`claude -p` with the script `main`, running."""
        command = [str(BINARY), "-p", "go [[script:main]]", "--output-format", "stream-json", "--verbose"]
        command += ["--permission-mode", mode, "--model", model, *arguments]
        return subprocess.Popen(
            command, cwd=self.project, env={**self.environment, **env}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, start_new_session=True,
        )  # fmt: skip

    def state(self) -> paths.State:
        """Where Downshift wrote."""
        state = paths.state({"HOME": str(self.home)})
        assert state is not None
        return state

    def records(self) -> list[dict[str, Any]]:
        """Every record of the log."""
        path = Path(self.state().events)
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def decisions(self) -> list[dict[str, Any]]:
        """The decision records."""
        return [each for each in self.records() if "complexity" in each]

    def started(self) -> list[dict[str, Any]]:
        """The decisions, and what the harness said it started."""
        return [each for each in self.records() if each["outcome"] not in ("usage", "child_ended")]

    def session(self) -> dict[str, Any]:
        """What `downshift session --json` shows of the latest session."""
        state = self.state()
        session = find(state, "")
        return session_data(session, linked(state, session), Shelf(state))

    def downshift(self, *arguments: str) -> str:
        """The product's own command line, as this home's user would run it."""
        done = subprocess.run(
            [str(REPOSITORY / "bin" / "downshift"), *arguments], env={"HOME": str(self.home), "PATH": os.environ["PATH"]},
            capture_output=True, text=True, timeout=60,
        )  # fmt: skip
        return done.stdout

    def wait_for(self, met: Callable[[], bool], seconds: float = 10) -> bool:
        """Wait until `met` holds: what the mod records about a child may come after the run's own end."""
        deadline = time.monotonic() + seconds
        while not met():
            if time.monotonic() > deadline:
                return False
            time.sleep(0.05)
        return True


def plugin_copy(folder: Path, *, without: Sequence[str] = (), runner: str = "", hooks_only: bool = False) -> Path:
    """A copy of the plugin: without some files, with another `hooks/run.py`, or without its module, as on older hosts."""
    ignore = shutil.ignore_patterns("__pycache__", "types", "*.test.ts")
    folder.mkdir(parents=True)
    for part in PLUGIN_PARTS:
        source = REPOSITORY / part
        if source.is_dir():
            shutil.copytree(source, folder / part, ignore=ignore)
        else:
            shutil.copy2(source, folder / part)
    for name in without:
        (folder / name).unlink()
    if hooks_only:
        hooks = json.loads((folder / "hooks" / "hooks.json").read_text())
        del hooks["modules"]
        (folder / "hooks" / "hooks.json").write_text(json.dumps(hooks))
    if runner:
        (folder / "hooks" / "run.py").write_text(runner, encoding="utf-8")
    return folder


def spawn_call(prompt: str, script: str, agent_type: str = "general-purpose", **more: Any) -> dict[str, Any]:
    """An Agent call of a scripted parent; the child follows `script`."""
    given = {"description": "a task", "prompt": f"{prompt} [[script:{script}]]", "subagent_type": agent_type}
    return {"name": "Agent", "input": {"run_in_background": False, **given, **more}}


# How a child ends: in auto mode it reports by a tool, elsewhere the first step's text is enough.
CHILD = [{"tool": "SubagentHandback", "input": {"message": "child reply"}}, {"text": "done"}]
