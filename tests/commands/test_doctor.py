"""`downshift doctor`: what it finds, and what it says to do about it."""

from __future__ import annotations

import json
import os

import pytest

from downshift.commands import doctor
from tests.conftest import REPOSITORY
from tests.support.fronts import said
from tests.support.hooks import ROUTED, answer_in_process, mod_payload, resolved_payload


def install(home, hooks: str, enabled: bool = True) -> None:
    plugins = home / ".claude" / "plugins"
    plugins.mkdir(parents=True)
    root = home / "plugin"
    (root / "hooks").mkdir(parents=True)
    (root / "hooks" / "hooks.json").write_text(hooks)
    (plugins / "installed_plugins.json").write_text(
        json.dumps({"plugins": {"downshift@m": [{"installPath": str(root)}]}})
    )
    (home / ".claude" / "settings.json").write_text(json.dumps({"enabledPlugins": {"downshift@m": enabled}}))


def hooks_json(command: str) -> str:
    return json.dumps(
        {"hooks": {"PreToolUse": [{"matcher": "Task|Agent", "hooks": [{"type": "command", "command": command}]}]}}
    )


def real_command() -> str:
    hooks = json.loads((REPOSITORY / "hooks" / "hooks.json").read_text())["hooks"]
    return hooks["PreToolUse"][0]["hooks"][0]["command"].replace("${CLAUDE_PLUGIN_ROOT}", str(REPOSITORY))


def state_of(front, capsys) -> tuple[int, str, dict]:
    code, out, _ = said(front, capsys, "doctor", "--json")
    data = json.loads(out)
    assert data["ok"] == (code == 0)
    return code, data["harnesses"]["claude-code"]["state"], {check["id"]: check for check in data["checks"]}


def test_doctor_without_claude_code(front, capsys, monkeypatch, sandbox):
    monkeypatch.setenv("PATH", str(sandbox))
    assert state_of(front, capsys)[:2] == (0, "not_installed")


def test_doctor_without_the_plugin_tells_how_to_install_it(front, capsys, home):
    (home / ".claude").mkdir()
    (home / ".claude" / "settings.json").write_text("{}")
    code, state, checks = state_of(front, capsys)
    assert (code, state) == (1, "not_wired")
    assert "/plugin install downshift@downshift" in checks["wired"]["fix"]


@pytest.mark.process
def test_doctor_runs_the_registered_command_itself(front, capsys, home):
    install(home, hooks_json(real_command()))
    code, state, checks = state_of(front, capsys)
    assert (code, state) == (0, "never_fired")
    assert checks["command"]["message"] == "the registered hook moved a sample spawn"


@pytest.mark.process
@pytest.mark.parametrize("command", ["exit 3", "echo nonsense", "/does/not/exist", "echo '{}'"])
def test_doctor_finds_a_registered_command_that_does_not_work(front, capsys, home, command):
    install(home, hooks_json(f"{command} # downshift"))
    code, state, checks = state_of(front, capsys)
    assert (code, state, checks["command"]["state"]) == (1, "not_wired", "bad")


@pytest.mark.process
def test_doctor_gives_up_on_a_command_that_hangs(front, capsys, home, monkeypatch):
    monkeypatch.setattr(doctor, "_HOOK_SECONDS", 0.3)
    install(home, hooks_json("sleep 5 # downshift"))
    assert state_of(front, capsys)[:2] == (1, "not_wired")


@pytest.mark.process
@pytest.mark.parametrize(("ran_on", "state"), [("claude-haiku-5-5", "working"), ("claude-opus-5-5", "not_honored")])
def test_doctor_says_whether_it_is_honored(front, capsys, home, ran_on, state):
    install(home, hooks_json(real_command()))
    answer_in_process(mod_payload(), {**os.environ, **ROUTED})
    answer_in_process(resolved_payload(ran_on), {**os.environ, **ROUTED}, "end")
    assert state_of(front, capsys)[1] == state


def test_doctor_names_switches_and_damage(front, capsys, home, monkeypatch):
    monkeypatch.setenv("DOWNSHIFT_NO_ROUTE", "1")
    (home / ".downshift").mkdir()
    (home / ".downshift" / "events.jsonl").write_bytes(b"{torn\n{}\n")
    _, _, checks = state_of(front, capsys)
    assert "never changed" in checks["switch"]["message"]
    assert "1 damaged line" in checks["log"]["message"]


@pytest.mark.parametrize(
    ("name", "kind", "check"),
    [
        ("events.jsonl", "folder", "log"),
        ("events.jsonl", "link", "log"),
        ("seen", "file", "state"),
        ("sessions", "file", "state"),
    ],
)
def test_doctor_finds_what_stands_where_files_of_ours_should(front, capsys, home, name, kind, check):
    place = home / ".downshift" / name
    place.parent.mkdir()
    {"folder": place.mkdir, "file": place.touch, "link": lambda: place.symlink_to(home / "elsewhere")}[kind]()
    code, _, checks = state_of(front, capsys)
    assert (code, checks[check]["state"], bool(checks[check]["fix"])) == (1, "bad", True)


def test_doctor_says_when_requests_go_elsewhere(front, capsys, home, monkeypatch):
    install(home, hooks_json(real_command()))
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "https://gateway.example")
    data = json.loads(said(front, capsys, "doctor", "--json")[1])
    states = {check["id"]: check["state"] for check in data["checks"]}
    assert (states["command"], states["endpoint"]) == ("ok", "note")


def test_doctor_sees_a_file_in_place_of_the_state_directory(front, capsys, home):
    (home / ".downshift").write_text("")
    data = json.loads(said(front, capsys, "doctor", "--json")[1])
    assert next(check["state"] for check in data["checks"] if check["id"] == "state") == "bad"


def test_doctor_counts_what_was_recorded_before_a_rotation(front, capsys, home):
    install(home, hooks_json(real_command()))
    answer_in_process(mod_payload(), {**os.environ, **ROUTED})
    log = home / ".downshift" / "events.jsonl"
    log.rename(log.with_name("events.jsonl.1"))
    data = json.loads(said(front, capsys, "doctor", "--json")[1])
    assert data["harnesses"]["claude-code"]["state"] == "working"
