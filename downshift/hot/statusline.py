"""Our segment of Claude Code's status line, then the user's own command; and what the payload says about usage.

Measured on 2.1.332: the payload comes on stdin, several lines are shown, and
`rate_limits` is there with a subscription only. It is run often, so it reads the
session's own log and nothing larger.
"""

from __future__ import annotations

import os
import time

from downshift import paths
from downshift.core import atomic
from downshift.core.hashing import hash_id
from downshift.core.json_text import parse_object, render
from downshift.harnesses.fields import table, text
from downshift.hot import stdin
from downshift.sessions import config, quota

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from downshift.paths import State

HARNESS = "claude-code"
WINDOWS = ("five_hour", "seven_day")
COMMAND_SECONDS = 5.0
_REFRESH = 60.0
"""Seconds after which the same figures are worth writing down again."""


def run(env: Mapping[str, str], descriptor: int, say: Callable[[bytes], None]) -> None:
    """Print our line, then what the user's own command prints, byte for byte."""
    given = stdin.read(descriptor)
    payload, state = parse_object(given.text) or {}, paths.state(env)
    line = ""
    if state is not None:
        line = segment(state, text(payload, "session_id"))
        remember_quota(state, payload, env, time.time())
    own = config.load(state, env).statusline_command
    say(line.encode() + b"\n" if line else b"")
    if own:
        say(_own(own, given.text.encode("utf-8", "surrogateescape")))


def segment(state: State, session_id: str) -> str:
    """`◆ downshift · 3 subagents · 2 switched · 1 held · tokens saved work 62% · cache 58%`; empty before the first."""
    from downshift.catalog.shelf import Shelf
    from downshift.log.sessions import linked
    from downshift.views.tokens import used

    entries = linked(state, hash_id(session_id)[:16]) if session_id else []
    if not entries:
        return ""
    states = [entry.state for entry in entries]
    refuted = sum(entry.state == "switched" and entry.honored is False for entry in entries)
    total = used(entries, Shelf(state))
    parts = [f"{len(entries)} subagent{'s' if len(entries) != 1 else ''}"]
    parts += [f"{states.count(word)} {word}" for word in ("switched", "held") if word in states]
    parts += [f"{refuted} not honored"] if refuted else []
    parts += [f"tokens saved {total.shares()}"] if total.saved else []
    return " · ".join(["◆ downshift", *parts])


def remember_quota(state: State, payload: Mapping[str, Any], env: Mapping[str, str], now: float) -> None:
    """Put the subscription's windows into the quota cache. A file that the user named is theirs, and is left alone."""
    told = table(payload, "rate_limits")
    windows = [_window(name, table(told, name)) for name in WINDOWS if table(told, name)]
    if not windows or env.get(paths.QUOTA_FILE):
        return
    file = quota.cache(state, env)
    if file.problem():
        return  # `doctor` says so; what is damaged is not overwritten
    harnesses = file.data.get("harnesses")
    known = harnesses if isinstance(harnesses, dict) else {}
    before = known.get(HARNESS)
    if isinstance(before, dict) and before.get("windows") == windows:
        observed = before.get("observed_at")
        if isinstance(observed, (int, float)) and 0 <= now - observed < _REFRESH:
            return
    entry = {"source": "claude-statusline", "observed_at": now, "windows": windows}
    try:
        atomic.replace(state.file(quota.NAME), render({"version": 1, "harnesses": {**known, HARNESS: entry}}))
    except (OSError, ValueError):
        return  # the line matters more


def _window(name: str, told: Mapping[str, Any]) -> dict[str, Any]:
    used, resets = told.get("used_percentage"), told.get("resets_at")
    return {"id": name, "scope": "harness", "used_percent": used, "resets_at": resets}


def _own(command: str, payload: bytes) -> bytes:
    """What the user's own command prints; what it has printed so far when it takes too long."""
    import subprocess

    try:
        process = subprocess.Popen(  # noqa: S603  # the user's own command line
            ["/bin/sh", "-c", command],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
    except OSError:
        return b""
    try:
        return process.communicate(payload, timeout=COMMAND_SECONDS)[0]
    except subprocess.TimeoutExpired as late:
        os.killpg(process.pid, 9)
        process.communicate()
        return late.stdout or b""
