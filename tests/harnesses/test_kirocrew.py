"""KiroCrew's payloads in, nothing out: on payloads composed from the vendor's documents and source."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from downshift.harnesses import kirocrew
from downshift.harnesses.base import Plan
from tests.conftest import REPOSITORY
from tests.harnesses.claude_code.test_adapter import JSON
from tests.support.world import World

PAYLOADS = REPOSITORY / "tests" / "payloads" / "kirocrew"
FIELDS = st.sampled_from(["session_id", "cwd", "hook_event_name"])
CALL_FIELDS = st.sampled_from(["task", "tasks", "agent", "agents", "model"])


def call(name: str = "spawn_run", **changes: object) -> dict:
    payload = json.loads((PAYLOADS / f"preToolUse-{name}.composed.json").read_text(encoding="utf-8"))
    return {**payload, "tool_input": {**payload["tool_input"], **changes}}


def test_a_run_becomes_a_spawn():
    child = kirocrew.read_spawn(call(), {})
    assert child.task == "Rename userId to accountId in auth.ts."
    assert (child.agent_type, child.model) == ("kirocrew-worker", "claude-opus-4.8")
    assert (child.cwd, child.session_id) == ("/home/user/project", "6b2e0000-0000-4000-8000-000000000001")


def test_several_tasks_of_one_call_are_judged_together():
    assert kirocrew.read_spawn(call(task=None, tasks=["a", 3, "b"]), {}).task == "a\nb"
    child = kirocrew.read_spawn(call("spawn_sub_agents"), {})
    assert child.task == "Rename userId in auth.ts.\nRename userId in user.ts."
    assert (child.agent_type, child.session_id) == ("worker", "")


def test_children_of_different_types_have_no_type_in_common():
    rows = [{"prompt": "a", "agent_or_mode": "x"}, {"prompt": "b", "agent_or_mode": "y"}, "odd"]
    assert kirocrew.read_spawn(call("spawn_sub_agents", agents=rows), {}).agent_type == ""


@pytest.mark.parametrize("tool", ["execute_bash", "subagent", "use_subagent", "@kirocrew-core/spawn_status", "", None])
def test_other_tools_are_not_spawns_and_neither_are_those_whose_model_nobody_can_choose(tool):
    assert kirocrew.read_spawn({**call(), "tool_name": tool}, {}) is None


@pytest.mark.parametrize("event", ["postToolUse", "stop", "agentSpawn", "userPromptSubmit"])
def test_other_events_are_not_spawns(event):
    assert kirocrew.read_spawn({**call(), "hook_event_name": event}, {}) is None


@pytest.mark.parametrize(
    ("payload", "expected"),
    [
        (call(), ("explicit", "claude-opus-4.8")),
        (call(model="auto"), ("unknown", "")),
        (call(model=""), ("unknown", "")),
        (call(model=7), ("unknown", "")),
        (call("spawn_sub_agents"), ("unknown", "")),
        (call("spawn_sub_agents", model="claude-opus-4.8"), ("unknown", "")),
    ],
)
def test_only_a_run_names_a_model_and_nothing_is_inherited(payload, expected):
    found = kirocrew.baseline(kirocrew.read_spawn(payload, {}), World())
    assert (found.kind, found.model) == expected


@pytest.mark.parametrize("plan", [Plan(), Plan(model="claude-haiku-4-5", effort="low")])
def test_nothing_is_ever_printed(plan):
    assert kirocrew.write_answer(plan, kirocrew.read_spawn(call(), {}), call(), "line") == ""
    assert kirocrew.CAPABILITIES.can_rewrite_model is False


@given(st.dictionaries(FIELDS, JSON), st.dictionaries(CALL_FIELDS, JSON))
def test_any_object_is_read_without_an_error(payload, arguments):
    calls = [{**payload, "tool_name": tool, "tool_input": arguments} for tool in ("spawn_run", "spawn_sub_agents")]
    for given_payload in (payload, *calls):
        child = kirocrew.read_spawn(given_payload, {})
        if child is not None:
            kirocrew.baseline(child, World())
        assert not kirocrew.read_ends(given_payload, "", World())


@pytest.mark.parametrize(
    ("env", "path"), [({}, "/home/me/.kiro/crew/config.json"), ({"KIRO_HOME": "/k"}, "/k/crew/config.json")]
)
def test_wiring_reads_the_crews_own_configuration(env, path):
    hooks = {"preToolUse": [{"command": "/home/me/.local/share/downshift/kiro-pre"}, {"command": "/other"}]}
    found = kirocrew.wiring(World({path: json.dumps({"agent": {"kiro_hooks": hooks}})}, env))
    assert (found.installed, found.commands) == (True, ("/home/me/.local/share/downshift/kiro-pre",))


def test_kiro_without_the_crew_is_not_the_crew():
    found = kirocrew.wiring(World({"/home/me/.kiro/settings/cli.json": "{}", "/bin/kiro-cli": ""}, {"PATH": "/bin"}))
    assert (found.installed, found.commands) == (False, ())


def test_the_sample_is_a_spawn_with_a_known_model():
    child = kirocrew.read_spawn(kirocrew.sample(), {})
    assert kirocrew.baseline(child, World()).kind == "explicit"
    assert kirocrew.gate_open(child)
    assert not kirocrew.effort_applies({})
