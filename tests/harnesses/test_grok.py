"""Grok's payloads in, its answers out: on a payload composed from the vendor's source."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from downshift.core.spawn import Spawn
from downshift.harnesses import grok
from downshift.harnesses.base import Plan
from tests.conftest import REPOSITORY
from tests.harnesses.claude_code.test_adapter import JSON
from tests.support.world import World, agent_file

PAYLOAD = REPOSITORY / "tests" / "payloads" / "grok" / "PreToolUse-spawn_subagent.composed.json"
CONFIG = "/home/me/.grok/config.toml"
FAST = ("definition", "grok-4.7-build-fast")
FIELDS = st.sampled_from(["sessionId", "cwd", "workspaceRoot", "permissionMode", "toolUseId", "toolInputTruncated"])
CALL_FIELDS = st.sampled_from(["prompt", "description", "subagent_type", "model", "resume_from"])


def call(arguments: dict | None = None, **changes: object) -> dict:
    payload = json.loads(PAYLOAD.read_text(encoding="utf-8"))
    return {**payload, "toolInput": {**payload["toolInput"], **(arguments or {})}, **changes}


def known(child: Spawn | None, files: dict | None = None, env: dict | None = None) -> tuple[str, str]:
    found = grok.baseline(child, World(files, env))
    return found.kind, found.model


def test_a_call_becomes_a_spawn():
    child = grok.read_spawn(call(), {})
    assert (child.task, child.model) == ("Rename userId to accountId in auth.ts.", "grok-4.7")
    assert (child.session_id, child.key()) == ("01990f2e-0000-7000-8000-000000000001", "call_1")
    assert (child.agent_type, child.cwd, child.permission_mode) == ("general-purpose", "/home/user/project", "default")


@pytest.mark.parametrize(
    "changes",
    [
        {"toolName": "run_terminal_command"},
        {"hookEventName": "post_tool_use"},
        {"toolInput": '{"prompt": "x [truncated]'},
        {"toolInputTruncated": True},
        {"toolInput": {"prompt": "", "description": " "}},
        {"toolInput": None},
    ],
)
def test_other_tools_other_events_and_cut_inputs_are_not_spawns(changes):
    assert grok.read_spawn(call(**changes), {}) is None


def test_a_resumed_child_keeps_its_model():
    assert grok.read_spawn(call({"resume_from": "sub-1"}), {}).keeps_model == "resume"
    assert grok.read_spawn(call(), {}).keeps_model == ""


@pytest.mark.parametrize("model", ["", "inherit", None])
def test_without_a_model_in_the_call_nothing_is_known(model):
    assert known(grok.read_spawn(call({"model": model}), {})) == ("unknown", "")


@pytest.mark.parametrize(
    "files",
    [
        {CONFIG: '[subagents.models]\nexplore = "grok-4.7-build-fast"\n'},
        {"/home/me/.grok/agents/explore.md": agent_file("explore", model="grok-4.7-build-fast")},
        {"/home/user/project/.grok/agents/explore.md": agent_file("explore", model="grok-4.7-build-fast")},
    ],
)
def test_a_type_whose_model_somebody_configured_is_pinned_and_the_call_still_beats_it(files):
    child = grok.read_spawn(call({"model": None, "subagent_type": "explore"}), {})
    assert known(child, files) == FAST
    assert known(child.replace(model="grok-4.6"), files) == ("explicit", "grok-4.6")
    assert known(child.replace(agent_type="plan"), files) == ("unknown", "")


def test_grok_may_live_elsewhere():
    child = grok.read_spawn(call({"model": None, "subagent_type": "explore"}), {})
    files = {"/g/config.toml": 'subagents.models.explore = "grok-4.7-build-fast"\n'}
    assert known(child, files, {"GROK_HOME": "/g"}) == FAST


def test_the_answer_echoes_the_whole_input_and_decides_nothing():
    payload = call({"odd": [1, None, "é\u2028"]})
    answer = grok.write_answer(Plan(model="grok-4.6"), grok.read_spawn(payload, {}), payload, "line")
    changed = {**payload["toolInput"], "model": "grok-4.6"}
    assert json.loads(answer) == {"hookSpecificOutput": {"hookEventName": "PreToolUse", "updatedInput": changed}}


def test_an_empty_plan_changes_nothing():
    payload = call()
    assert grok.write_answer(Plan(), grok.read_spawn(payload, {}), payload, "line") == "{}"


@given(st.dictionaries(FIELDS, JSON), st.dictionaries(CALL_FIELDS, JSON))
def test_any_object_is_read_without_an_error(payload, arguments):
    for given_payload in (payload, {**payload, "toolName": "spawn_subagent", "toolInput": arguments}):
        child = grok.read_spawn(given_payload, {})
        if child is not None:
            grok.baseline(child, World())
            grok.write_answer(Plan(model="grok-4.6"), child, given_payload, "")
        assert not grok.read_ends(given_payload, "", World())


def test_wiring_reads_every_file_of_the_hooks_folder():
    hooks = {"hooks": {"PreToolUse": [{"hooks": [{"command": "downshift hook grok"}]}]}}
    files = {
        "/home/me/.grok/hooks/downshift.json": json.dumps(hooks),
        "/home/me/.grok/hooks/broken.json": "{",
        "/home/me/.grok/hooks/notes.txt": json.dumps(hooks),
    }
    found = grok.wiring(World(files))
    assert (found.installed, found.commands) == (True, ("downshift hook grok",))


def test_no_grok_is_not_installed():
    assert grok.wiring(World()).installed is False
    assert grok.wiring(World({"/bin/grok": ""}, {"PATH": "/bin"})).installed is True


def test_the_sample_is_a_spawn_with_a_known_model():
    child = grok.read_spawn(grok.sample(), {})
    assert known(child) == ("explicit", "grok-4.7")
    assert grok.gate_open(child)
    assert not grok.effort_applies({})
