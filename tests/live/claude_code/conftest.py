"""Fixtures of the live tests. Without the binary they are skipped, except where DOWNSHIFT_REQUIRE_LIVE=1 makes that a failure."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.live.claude_code.sandbox import BINARY, ClaudeCode
from tests.live.claude_code.scripted_api import ScriptedApi

REQUIRED = os.environ.get("DOWNSHIFT_REQUIRE_LIVE") == "1"


@pytest.fixture
def claude(sandbox: Path):
    """Makes a Claude Code whose model API plays the given scripts: `claude(main=[…], child=[…])`."""
    if not os.access(BINARY, os.X_OK):
        message = f"no Claude Code binary at {BINARY}"
        pytest.fail(message) if REQUIRED else pytest.skip(message)
    started: list[ScriptedApi] = []

    def start(*, env: dict[str, str] | None = None, **scripts: object) -> tuple[ClaudeCode, ScriptedApi]:
        api = ScriptedApi(scripts)
        started.append(api)
        api.__enter__()
        return ClaudeCode(sandbox / f"claude-{len(started)}", api.url, **(env or {})), api

    yield start
    for api in started:
        api.__exit__(None, None, None)
