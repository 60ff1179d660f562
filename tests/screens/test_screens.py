"""What people see, at 80 columns, with and without colour, against screens that were looked at once.

To change them on purpose: `python tests/screens/test_screens.py`, and look at the difference.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import tempfile
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from downshift import paths
from downshift.cli import show
from downshift.commands import report, session, stats, watch
from downshift.commands.contract import Options
from downshift.core.hashing import hash_id
from downshift.log.append import Writer
from tests.log.test_link import decision, end, usage

FOLDER = Path(__file__).resolve().parent
SESSION = hash_id("a session")
NOW = 1_796_083_275.0  # 2026-12-01T00:01:15Z
KEPT = {"outcome": "allow", "final_model": "claude-opus-5-5"}
HELD = {
    **KEPT,
    "corrections": ["R1_UNCONFIDENT_DOWNSHIFT"],
    "reason_codes": ["CLASSIFIER_UNCONFIDENT", "HELD_UNCONFIDENT_DOWNSHIFT"],
}
CONTROL = {**KEPT, "outcome": "baseline", "reason_codes": ["CONTROL"]}


def log() -> None:
    """Eight spawns with every state and end that a session of Claude Code can have."""
    common = {
        "session_id": SESSION,
        "entry": "mod",
        "agent_type": "general-purpose",
        "permission_mode": "auto",
        "baseline_kind": "inherited",
        "verdict": "DOWNSHIFT",
        "final_effort": "low",
        "recommended_model": "claude-haiku-5-5",
        "reason_codes": ["CLASSIFIER_CONFIDENT"],
    }
    spawns = [
        {},
        {"complexity": "MEDIUM", "final_model": "claude-sonnet-5-5"},
        {"parent_agent_hash": "a2", "agent_type": "Explore"},
        {"complexity": "COMPLEX", "verdict": "OK", **KEPT},
        {"complexity": "MEDIUM", **HELD},
        {**CONTROL},
        {},
        {},
    ]
    ends = ["completed", "completed", "completed", "completed", "error", "completed", "interrupted", "launched"]
    state = paths.state(os.environ)
    assert state is not None
    with Writer(state, 0) as writer:
        for number, fields in enumerate(spawns, 1):
            made = decision(number, number * 7, **{**common, **fields})
            writer.record(made)
            name = {"linked_decision": f"c{number}", "agent_hash": f"a{number}", "session_id": SESSION}
            verdict = {"rewrite_honored": number != 7} if made["outcome"] == "rewrite_emitted" else {}
            ran = "claude-opus-5-5" if number == 7 else made["final_model"]
            if ends[number - 1] != "launched":
                partial = {"partial": True} if number == 7 else {}
                used = usage(
                    60,
                    90 * number,
                    input_tokens=700,
                    cache_read_tokens=11_000 * number,
                    final_model=ran,
                    main_tokens=400_000,
                )
                writer.record({**used, **name, **verdict, **partial})
            kind = {"error_kind": "rate_limit"} if number == 5 else {}
            suspect = {"suspect": True} if number == 3 else {}
            writer.record({**end(60, ends[number - 1], **kind, **suspect), **name})


def options(**values: object) -> Options:
    return Options(values=values, env={**os.environ}, cwd="/")


SCREENS = {
    "session": lambda: session.run(options()).lines,
    "session-why": lambda: session.run(options(why=True)).lines,
    "watch": lambda: watch._frame(paths.state(os.environ), "", NOW),
    "watch-idle": lambda: watch._frame(paths.state(os.environ), "", NOW + 4000),
    "stats": lambda: stats.run(options(days="36500")).lines,
    "stats-detail": lambda: stats.run(options(days="36500", detail=True)).lines,
    "report": lambda: report.run(options(days="36500")).lines,
}


def drawn(name: str, colour: bool) -> str:
    """The screen as a terminal would get it. `log` has been written before."""
    os.environ.update(COLUMNS="80", TERM="xterm-256color", FORCE_COLOR="1" if colour else "")
    lines, shown = SCREENS[name](), io.StringIO()
    assert max(len(line.text) for line in lines) <= 80
    with contextlib.redirect_stdout(shown):
        show(lines)
    return shown.getvalue()


def file_of(name: str, colour: bool) -> Path:
    return FOLDER / f"{name}{'.colour' if colour else ''}.txt"


@pytest.mark.parametrize("colour", [False, True], ids=["plain", "colour"])
@pytest.mark.parametrize("name", SCREENS)
def test_the_screen_is_the_one_that_was_looked_at(name, colour, monkeypatch):
    for variable in ("COLUMNS", "TERM", "FORCE_COLOR"):
        monkeypatch.setenv(variable, "")  # so that they are put back
    monkeypatch.delenv("NO_COLOR", raising=False)
    log()
    shown = drawn(name, colour)
    assert shown == file_of(name, colour).read_text(encoding="utf-8")
    assert ("\x1b[" in shown) is colour


def write() -> None:
    with tempfile.TemporaryDirectory() as home:
        os.environ.update(HOME=home)
        os.environ.pop("DOWNSHIFT_STATE_DIR", None)
        log()
        for name in SCREENS:
            for colour in (False, True):
                file_of(name, colour).write_text(drawn(name, colour), encoding="utf-8")


if __name__ == "__main__":
    write()
