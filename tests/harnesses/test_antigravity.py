"""Antigravity's payloads in, its answers out: on a payload composed from documents and other people's captures."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from downshift.core.spawn import Spawn
from downshift.harnesses import antigravity
from downshift.harnesses.base import Plan
from tests.conftest import REPOSITORY
from tests.harnesses.claude_code.test_adapter import JSON
from tests.support.world import World, agent_file

PAYLOAD = REPOSITORY / "tests" / "payloads" / "antigravity" / "PreToolUse-invoke_subagent.composed.json"
PARENT = "gemini-3.7-flash-high"
HOOKS = "/home/me/.gemini/config/hooks.json"
FIELDS = st.sampled_from(["conversationId", "transcriptPath", "workspacePaths", "modelName", "stepIdx", "error"])
CHILD_FIELDS = st.sampled_from(["TypeName", "Role", "Prompt", "Workspace", "Model"])


def call(subagents: object = None, **changes: object) -> dict:
    payload = json.loads(PAYLOAD.read_text(encoding="utf-8"))
    if subagents is not None:
        payload["toolCall"]["args"]["Subagents"] = subagents
    return {**payload, **changes}


def known(child: Spawn | None, files: dict | None = None) -> tuple[str, str]:
    found = antigravity.baseline(child, World(files))
    return found.kind, found.model


def test_the_last_subagent_with_a_prompt_is_the_spawn():
    child = antigravity.read_spawn(call(), {})
    assert (child.task, child.model) == ("Rename userId to accountId in auth.ts.", "pro")
    assert (child.agent_type, child.cwd) == ("general", "/home/user/project")
    assert child.session_id == "3c1e0000-0000-4000-8000-000000000001"
    assert child.transcript_path.endswith("transcript_full.jsonl")
    assert child.key() == ""


@pytest.mark.parametrize(
    "payload",
    [
        call(toolCall={"name": "run_command", "args": {}}),
        call(toolCall=None),
        call([]),
        call("x"),
        call([{"Prompt": " "}, 3]),
        call(error=""),
    ],
)
def test_other_tools_a_tool_that_has_run_and_subagents_without_a_prompt_are_not_spawns(payload):
    assert antigravity.read_spawn(payload, {}) is None


@pytest.mark.parametrize(
    ("fields", "changes", "expected"),
    [
        ({"Model": "pro"}, {}, ("explicit", "pro")),
        ({"Model": "inherit"}, {}, ("inherited", PARENT)),
        ({}, {}, ("inherited", PARENT)),
        ({"Model": 3}, {}, ("inherited", PARENT)),
        ({"Model": "inherit"}, {"modelName": ""}, ("unknown", "")),
        ({}, {"modelName": None}, ("unknown", "")),
    ],
)
def test_the_subagents_model_else_the_parents(fields, changes, expected):
    assert known(antigravity.read_spawn(call([{"Prompt": "x", **fields}], **changes), {})) == expected


def test_a_definition_that_names_a_model_pins_it():
    files = {"/home/user/project/.agents/agents/prober.md": agent_file("prober", model="gemini-3.8-flash-high")}
    child = antigravity.read_spawn(call([{"Prompt": "x", "TypeName": "prober"}]), {})
    assert known(child, files) == ("definition", "gemini-3.8-flash-high")
    assert known(child.replace(agent_type="general"), files) == ("inherited", PARENT)


def test_the_answer_gives_every_argument_back_and_changes_one_subagents_model():
    payload = call(["odd", {"Prompt": "a", "Model": "pro"}, {"Prompt": "b", "New": [None]}, {"Prompt": ""}])
    payload["toolCall"]["args"]["Other"] = {"kept": True}
    answer = antigravity.write_answer(Plan(model="flash_lite"), antigravity.read_spawn(payload, {}), payload, "line")
    subagents = [
        "odd",
        {"Prompt": "a", "Model": "pro"},
        {"Prompt": "b", "New": [None], "Model": "flash_lite"},
        {"Prompt": ""},
    ]
    assert json.loads(answer) == {"decision": "allow", "overwrite": {"Subagents": subagents, "Other": {"kept": True}}}


@pytest.mark.parametrize("model", ["", "inherit", "gemini-3.8-flash-lite", "Flash"])
def test_only_the_three_aliases_are_ever_written(model):
    payload = call()
    answer = antigravity.write_answer(Plan(model=model), antigravity.read_spawn(payload, {}), payload, "line")
    assert json.loads(answer) == {"decision": "allow"}


@given(
    st.dictionaries(FIELDS, JSON),
    st.lists(JSON | st.dictionaries(CHILD_FIELDS, JSON), max_size=3) | JSON,
)
def test_any_object_is_read_without_an_error(payload, subagents):
    tool = {"name": "invoke_subagent", "args": {"Subagents": subagents}}
    for given_payload in (payload, {**payload, "toolCall": tool}, {**payload, "toolCall": {**tool, "args": subagents}}):
        child = antigravity.read_spawn(given_payload, {})
        if child is not None:
            antigravity.baseline(child, World())
            answer = json.loads(antigravity.write_answer(Plan(model="flash"), child, given_payload, ""))
            assert answer["decision"] == "allow"
        assert not antigravity.read_ends(given_payload, "", World())


def test_wiring_reads_hooks_by_name_and_leaves_out_those_that_are_switched_off():
    group = [{"matcher": "invoke_subagent", "hooks": [{"command": "downshift hook antigravity"}]}]
    by_name = {"downshift": {"enabled": True, "PreToolUse": group}, "off": {"enabled": False, "PreToolUse": group}}
    found = antigravity.wiring(World({HOOKS: json.dumps({**by_name, "odd": 3})}))
    assert (found.installed, found.commands) == (True, ("downshift hook antigravity",))


def test_the_gemini_cli_is_not_antigravity():
    assert antigravity.wiring(World({"/home/me/.gemini/settings.json": "{}"})).installed is False
    assert antigravity.wiring(World({"/bin/agy": ""}, {"PATH": "/bin"})).installed is True


def test_the_sample_is_a_spawn_with_a_known_model():
    child = antigravity.read_spawn(antigravity.sample(), {})
    assert known(child) == ("explicit", "pro")
    assert antigravity.gate_open(child)
    assert not antigravity.effort_applies({})
