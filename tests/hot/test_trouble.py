"""Hooks in a world that is not as it should be: the answer stands, and what is said about it is true."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from downshift.log import append
from tests.support.hooks import ROUTED, answer_in_process, events, mod_payload, run_hook


def hook_payload(mode: str, **tool_input: object) -> dict:
    payload = mod_payload(permission_mode=mode)
    del payload["entry"]
    payload["tool_input"].update(tool_input)
    return payload


@pytest.mark.parametrize("mode", ["auto", "plan"])
def test_a_decision_of_the_mod_is_not_answered_by_a_hook_whose_change_would_be_denied(mode):
    env = {**os.environ, **ROUTED}
    assert json.loads(answer_in_process(mod_payload(permission_mode=mode), env))["model"] == "haiku"
    assert answer_in_process(hook_payload(mode), env) == "{}"


def test_a_decision_of_the_mod_is_taken_over_where_a_hook_may_change_it():
    env = {**os.environ, **ROUTED}
    answer_in_process(mod_payload(permission_mode="default"), env)
    taken = json.loads(answer_in_process(hook_payload("default"), env))
    assert taken["hookSpecificOutput"]["updatedInput"]["model"] == "haiku"


def test_a_number_that_json_has_not_is_never_answered():
    text = json.dumps(hook_payload("default", model="opus", odd="@")).replace('"@"', "1e999").encode()
    ran = run_hook(text, {**ROUTED, "DOWNSHIFT_RESPECT_EXPLICIT": "0"})
    assert (ran.code, ran.answer) == (0, {})


@pytest.mark.parametrize("cwd", ["/a\x00b", "/a\udcffb", "/" + "x" * 5000])
def test_a_folder_that_cannot_be_is_no_trouble(cwd):
    ran = run_hook(mod_payload(cwd=cwd, agent_type="worker"), ROUTED)
    assert (ran.code, ran.answer, "PANIC" in ran.stderr) == (0, {}, False)
    assert [event["outcome"] for event in events()] == ["allow"]


def test_an_absurd_log_size_is_the_default():
    ran = run_hook(mod_payload(), {**ROUTED, "DOWNSHIFT_LOG_MAX_MB": "9" * 5000})
    assert ran.answer["model"] == "haiku"
    assert len(events()) == 1


def test_a_failure_after_the_answer_does_not_claim_that_the_spawn_runs_unchanged(monkeypatch, capfd):
    from downshift.hot import entry, spawn

    def answers_and_breaks(*given: object) -> None:
        given[-1]('{"model": "haiku"}')
        raise MemoryError

    monkeypatch.setattr(entry, "_said", False)
    monkeypatch.setattr(spawn, "run", answers_and_breaks)
    assert entry.main(["hook", "claude-code"]) == 0
    shown = capfd.readouterr()
    assert shown.out == '{"model": "haiku"}'
    assert "unchanged" not in shown.err
    assert "may not be recorded" in shown.err


@pytest.mark.parametrize("word", ["1", "true", "On"])
def test_off_is_off_in_every_usual_spelling(word):
    ran = run_hook(mod_payload(), {**ROUTED, "DOWNSHIFT_OFF": word})
    assert (ran.answer, events()) == ({}, [])


def live_counts(home: Path) -> dict:
    return json.loads((home / ".downshift" / "live.json").read_text())["counts"]


def test_sessions_that_take_turns_keep_their_counts(sandbox):
    env = {**os.environ, **ROUTED}
    for number, session in enumerate(["a", "b", "a", "b", "a"]):
        answer_in_process(mod_payload(session=session, call=f"toolu_{number}"), env)
    assert live_counts(sandbox / "home")["switched"] == 3


def test_live_json_is_left_alone_while_another_writer_has_the_lock(sandbox, monkeypatch):
    env = {**os.environ, **ROUTED}
    answer_in_process(mod_payload(call="toolu_1"), env)
    monkeypatch.setattr(append, "_lock", lambda _: None)
    answer_in_process(mod_payload(call="toolu_2"), env)
    assert live_counts(sandbox / "home")["switched"] == 1
    assert len(events()) == 2


def test_a_folder_in_place_of_live_json_leaves_nothing_behind(sandbox):
    folder = sandbox / "home" / ".downshift"
    (folder / "live.json").mkdir(parents=True)
    ran = run_hook(mod_payload(), ROUTED)
    assert ran.answer["model"] == "haiku"
    assert [name for name in os.listdir(folder) if name.startswith("live.json.")] == []
