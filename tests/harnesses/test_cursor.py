"""Cursor's payloads in, its answers out: on a payload composed from the vendor's documents."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from downshift.core.spawn import Spawn
from downshift.harnesses import cursor
from downshift.harnesses.base import Plan
from tests.conftest import REPOSITORY
from tests.harnesses.claude_code.test_adapter import JSON
from tests.support.world import World, agent_file

PAYLOAD = REPOSITORY / "tests" / "payloads" / "cursor" / "preToolUse-Task.composed.json"
OPUS = "claude-opus-5-5-medium"
FIELDS = st.sampled_from(
    ["conversation_id", "model", "model_id", "tool_use_id", "cwd", "workspace_roots", "transcript_path"]
)
CALL_FIELDS = st.sampled_from(["prompt", "description", "subagent_type", "model", "resume"])


def task_call(call: dict | None = None, **changes: object) -> dict:
    payload = json.loads(PAYLOAD.read_text(encoding="utf-8"))
    return {**payload, **changes, "tool_input": {**payload["tool_input"], **(call or {})}}


def known(child: Spawn | None, files: dict | None = None) -> tuple[str, str]:
    found = cursor.baseline(child, World(files))
    return found.kind, found.model


def test_a_task_call_becomes_a_spawn():
    child = cursor.read_spawn(task_call(), {})
    assert child.task == "Rename userId to accountId in auth.ts."
    assert child.session_id == "c0ffee00-0000-4000-8000-000000000001"
    assert child.key() == "call-0000-0\nfc_0000_0"
    assert (child.agent_type, child.cwd, child.transcript_path) == ("generalPurpose", "/home/user/project", "")


@pytest.mark.parametrize(
    "changes",
    [
        {"tool_name": "Shell"},
        {"hook_event_name": "postToolUse"},
        {"hook_event_name": "subagentStart"},
        {"tool_input": 3},
        {"tool_input": {"prompt": " "}},
    ],
)
def test_anything_else_is_not_a_spawn(changes):
    assert cursor.read_spawn({**task_call(), **changes}, {}) is None


def test_a_resumed_child_keeps_its_model():
    assert cursor.read_spawn(task_call({"resume": "agent-1"}), {}).keeps_model == "resume"
    assert cursor.read_spawn(task_call(), {}).keeps_model == ""


@pytest.mark.parametrize(
    ("call", "changes", "expected"),
    [
        ({"model": "composer-2.5-fast"}, {}, ("explicit", "composer-2.5-fast")),
        ({"model": f"{OPUS}[effort=high]"}, {}, ("explicit", f"{OPUS}[effort=high]")),
        ({"model": "inherit"}, {}, ("parent_guess", OPUS)),
        ({"model": "Inherit "}, {}, ("parent_guess", OPUS)),
        ({"model": "default"}, {}, ("parent_guess", OPUS)),
        ({"model": ""}, {}, ("parent_guess", OPUS)),
        ({}, {}, ("parent_guess", OPUS)),
        ({}, {"model": "composer-2.5"}, ("parent_guess", OPUS)),
        ({}, {"model_id": "", "model": "composer-2.5"}, ("parent_guess", "composer-2.5")),
        ({}, {"model_id": "default", "model": "composer-2.5"}, ("parent_guess", "composer-2.5")),
        ({}, {"model_id": None, "model": "default"}, ("unknown", "")),
        ({}, {"model_id": None, "model": ""}, ("unknown", "")),
        ({"subagent_type": "explore"}, {}, ("definition", "")),
        ({"subagent_type": "explore", "model": "composer-2.5"}, {}, ("explicit", "composer-2.5")),
    ],
)
def test_the_calls_model_else_the_parents_as_a_guess(call, changes, expected):
    assert known(cursor.read_spawn(task_call(call, **changes), {})) == expected


@pytest.mark.parametrize("folder", [".cursor", ".claude", ".codex"])
@pytest.mark.parametrize("base", ["/home/user/project", "/home/me"])
def test_a_definition_that_names_a_model_pins_it(base, folder):
    child = cursor.read_spawn(task_call({"subagent_type": "prober"}), {})
    path = f"{base}/{folder}/agents/prober.md"
    assert known(child, {path: agent_file("prober", model="composer-2.5")}) == ("definition", "composer-2.5")
    assert known(child, {path: agent_file("prober", model='"inherit"')}) == ("parent_guess", OPUS)
    assert known(child, {path: agent_file("other", model="composer-2.5")}) == ("parent_guess", OPUS)


@pytest.mark.parametrize("content", ["", "---", "---\nname: prober", "no front matter", "\x00\x01"])
def test_a_damaged_definition_pins_nothing(content):
    child = cursor.read_spawn(task_call({"subagent_type": "prober"}), {})
    assert known(child, {"/home/user/project/.cursor/agents/prober.md": content}) == ("parent_guess", OPUS)


def test_the_answer_echoes_the_whole_input_and_gives_the_permission():
    payload = task_call({"odd": [1, None, "é\u2028"]})
    answer = cursor.write_answer(Plan(model="composer-2.5"), cursor.read_spawn(payload, {}), payload, "line")
    changed = {**payload["tool_input"], "model": "composer-2.5"}
    assert json.loads(answer) == {"permission": "allow", "updated_input": changed}


def test_an_empty_plan_gives_the_permission_alone():
    payload = task_call()
    answer = cursor.write_answer(Plan(), cursor.read_spawn(payload, {}), payload, "line")
    assert json.loads(answer) == {"permission": "allow"}


@given(st.dictionaries(FIELDS, JSON), st.dictionaries(CALL_FIELDS, JSON))
def test_any_object_is_read_without_an_error(payload, call):
    for given_payload in (payload, {**payload, "tool_name": "Task", "tool_input": call}):
        child = cursor.read_spawn(given_payload, {})
        if child is not None:
            cursor.baseline(child, World())
            cursor.write_answer(Plan(model="composer-2.5"), child, given_payload, "")
        assert not cursor.read_ends(given_payload, "", World())


def test_wiring_reads_the_flat_list_of_hooks():
    hooks = {"preToolUse": [{"command": "downshift hook cursor", "matcher": "Task"}, {"command": "other"}, 3]}
    found = cursor.wiring(World({"/home/me/.cursor/hooks.json": json.dumps({"version": 1, "hooks": hooks})}))
    assert (found.installed, found.commands) == (True, ("downshift hook cursor",))


def test_no_cursor_is_not_installed():
    assert cursor.wiring(World()).installed is False
    assert cursor.wiring(World({"/bin/cursor-agent": ""}, {"PATH": "/bin"})).installed is True


def test_the_sample_is_a_spawn_with_a_known_model():
    child = cursor.read_spawn(cursor.sample(), {})
    assert known(child) == ("explicit", OPUS)
    assert cursor.gate_open(child)
    assert not cursor.effort_applies({})
