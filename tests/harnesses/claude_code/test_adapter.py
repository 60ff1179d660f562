"""Claude Code's payloads in, its answers out."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from downshift.harnesses import claude_code
from downshift.harnesses.base import ChildEnd, Plan
from downshift.harnesses.claude_code.wiring_files import read_wiring
from tests.support.hooks import capture, mod_payload
from tests.support.world import World

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
FIELDS = st.sampled_from(
    [
        "entry",
        "hook_event_name",
        "session_id",
        "tool_use_id",
        "tool_name",
        "tool_input",
        "parent_model",
        "permission_mode",
        "workflow",
        "effort",
        "agent_id",
        "tool_response",
        "resume",
        "fork",
        "cwd",
        "transcript_path",
    ]
)


def test_a_real_payload_becomes_a_spawn():
    child = claude_code.read_spawn(capture("PreToolUse-Agent"), {})
    assert child is not None
    assert (child.entry, child.agent_type, child.effort) == ("hook", "general-purpose", "medium")
    assert child.task == "do it [[script:child]]"
    assert child.key() == "toolu_fake_0001_0"


def test_a_nested_call_names_its_caller():
    child = claude_code.read_spawn(capture("PreToolUse-Agent-nested"), {})
    assert child is not None
    assert child.parent_agent_id == "ae1a54fe778596512"


@pytest.mark.parametrize("name", ["PreToolUse-Bash", "PreToolUse-Workflow", "PreToolUse-SendMessage"])
def test_other_tools_are_not_spawns(name):
    assert claude_code.read_spawn(capture(name), {}) is None


@pytest.mark.parametrize("prompt", ["", "  \n", None, 7, ["x"]])
def test_a_spawn_without_a_brief_is_judged_by_its_description_or_not_at_all(prompt):
    payload = mod_payload()
    payload["tool_input"].update(prompt=prompt, description="" if prompt != "" else "rename x")
    child = claude_code.read_spawn(payload, {})
    assert (child.task if child else None) == ("rename x" if prompt == "" else None)


def test_a_workflows_agents_share_a_call_and_are_still_told_apart():
    keys = {
        claude_code.read_spawn(mod_payload(workflow={"run_id": "wf", "index": index}), {}).key() for index in range(3)
    }
    assert keys == {"toolu_1|wf/0", "toolu_1|wf/1", "toolu_1|wf/2"}


@pytest.mark.parametrize(
    ("changes", "keeps"),
    [
        ({"fork": True}, "fork"),
        ({"resume": True}, "resume"),
        ({"teammate": True}, "teammate"),
        ({"agent_type": "fork"}, "fork"),
        ({}, ""),
    ],
)
def test_children_that_keep_their_model_are_known(changes, keeps):
    assert claude_code.read_spawn(mod_payload(**changes), {}).keeps_model == keeps


@pytest.mark.parametrize("mode", ["default", "acceptEdits", "dontAsk", "bypassPermissions", "auto", "plan", "", "new"])
def test_the_mod_may_rewrite_anywhere_and_the_hook_where_it_is_not_denied(mode):
    child = claude_code.read_spawn(mod_payload(permission_mode=mode), {})
    assert claude_code.gate_open(child)
    assert claude_code.gate_open(child.replace(entry="hook")) is (mode not in ("auto", "plan"))


def test_the_hooks_answer_echoes_every_key_and_decides_nothing_about_permissions():
    payload = capture("PreToolUse-Agent-foreground")
    payload["tool_input"]["isolation"] = {"odd": [1, None, "é\u2028"]}
    child = claude_code.read_spawn(payload, {})
    answer = json.loads(claude_code.write_answer(Plan(model="haiku", effort="low"), child, payload, "said"))
    assert answer == {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "updatedInput": {**payload["tool_input"], "model": "haiku", "effort": "low"},
        },
        "systemMessage": "said",
    }


def test_the_mods_answer_names_the_change_alone():
    child = claude_code.read_spawn(mod_payload(), {})
    assert json.loads(claude_code.write_answer(Plan(model="haiku", effort="low"), child, {}, "said")) == {
        "model": "haiku",
        "effort": "low",
        "line": "said",
    }
    assert json.loads(claude_code.write_answer(Plan(model="haiku"), child, {}, "")) == {"model": "haiku"}


@pytest.mark.parametrize(
    "plan",
    [
        Plan(),
        Plan(model="claude-haiku-5-5"),
        Plan(model="inherit"),
        Plan(model="Haiku"),
        Plan(model="haiku", effort="tiny"),
    ],
)
def test_a_name_that_would_kill_the_spawn_is_never_sent(plan):
    payload = mod_payload()
    child = claude_code.read_spawn(payload, {})
    for entry in ("mod", "hook"):
        assert claude_code.write_answer(plan, child.replace(entry=entry), payload, "line") == "{}"


def test_effort_is_not_claimed_where_the_environment_sets_it():
    assert claude_code.effort_applies({})
    assert not claude_code.effort_applies({"CLAUDE_CODE_EFFORT_LEVEL": "low"})


@pytest.mark.parametrize(
    ("name", "agent", "model"),
    [
        ("PostToolUse-Agent-async", "a21becd8793d8256f", "claude-opus-5-5"),
        ("PostToolUse-Agent-completed-rewritten", "a090c59150ede2e11", "claude-haiku-5-5"),
    ],
)
def test_the_model_a_child_was_started_on_is_read_from_the_result(name, agent, model):
    (started,) = claude_code.read_ends(capture(name), "", World())
    assert (started.agent_id, started.resolved_model) == (agent, model)


@pytest.mark.parametrize("name", ["PostToolUse-Bash", "PreToolUse-Agent"])
def test_other_events_say_nothing_about_a_child(name):
    assert not claude_code.read_ends(capture(name), "", World())


@given(
    st.dictionaries(FIELDS, JSON),
    st.dictionaries(st.sampled_from(["prompt", "description", "subagent_type", "model"]), JSON),
)
def test_any_object_is_read_without_an_error(payload, call):
    for given_payload in (payload, {**payload, "tool_name": "Agent", "tool_input": call}):
        child = claude_code.read_spawn(given_payload, {})
        if child is not None:
            answer = claude_code.write_answer(Plan(model="haiku"), child, given_payload, "")
            assert "haiku" in answer or answer == "{}"
        ends = claude_code.read_ends(given_payload, "", World())
        assert all(isinstance(end, ChildEnd) for end in ends)


@pytest.mark.parametrize("name", ["CLAUDE_CODE_EFFORT_LEVEL", "CLAUDE_CODE_SUBAGENT_EFFORT"])
def test_an_effort_that_the_user_set_for_all_is_not_ours_to_change(name):
    assert claude_code.effort_applies({}) is True
    assert claude_code.effort_applies({name: "high"}) is False


SETTINGS = "/home/me/.claude/settings.json"
INSTALLED = "/home/me/.claude/plugins/installed_plugins.json"
MARKETS = "/home/me/.claude/plugins/known_marketplaces.json"
HOOKS = json.dumps({"hooks": {"PreToolUse": [{"hooks": [{"command": 'run "${CLAUDE_PLUGIN_ROOT}/x"'}]}]}})


def installed(**settings: object) -> dict[str, str | bytes]:
    return {
        SETTINGS: json.dumps(settings),
        INSTALLED: json.dumps({"plugins": {"downshift@market": [{"installPath": "/cache/d"}]}}),
        "/cache/d/hooks/hooks.json": HOOKS,
        "/src/hooks/hooks.json": HOOKS,
    }


def test_wiring_sees_an_enabled_plugin_and_its_command():
    found = read_wiring(World(installed(enabledPlugins={"downshift@market": True})))
    assert (found.plugins, found.commands) == (("/cache/d",), ('run "/cache/d/x"',))


def test_a_plugin_of_a_folder_marketplace_is_read_where_it_lies():
    files = installed(enabledPlugins={"downshift@market": True})
    files[MARKETS] = json.dumps({"market": {"source": {"source": "directory", "path": "/src"}}})
    files["/src/.claude-plugin/marketplace.json"] = json.dumps({"plugins": [{"name": "downshift", "source": "./"}]})
    assert read_wiring(World(files)).plugins == ("/src",)


@pytest.mark.parametrize("file", ["settings.json", "settings.local.json"])
def test_a_plugin_that_one_project_enables_is_wired(file):
    files = installed(enabledPlugins={})
    known = json.loads(files[INSTALLED])
    known["plugins"]["downshift@market"][0] = {
        **known["plugins"]["downshift@market"][0], "scope": "project", "projectPath": "/p",
    }  # fmt: skip
    files[INSTALLED] = json.dumps(known)
    assert read_wiring(World(files)).commands == ()
    files[f"/p/.claude/{file}"] = json.dumps({"enabledPlugins": {"downshift@market": True}})
    assert len(read_wiring(World(files)).commands) == 1


@pytest.mark.parametrize("enabled", [{}, {"downshift@market": False}, None, []])
def test_a_plugin_that_is_switched_off_is_not_wired(enabled):
    found = read_wiring(World(installed(enabledPlugins=enabled)))
    assert (found.installed, found.commands) == (True, ())


def test_hooks_in_settings_count_and_strangers_do_not():
    hooks = [{"hooks": [{"command": "downshift hook claude-code"}, {"command": "other"}]}, "odd", {"hooks": 3}]
    found = read_wiring(World({SETTINGS: json.dumps({"hooks": {"PreToolUse": hooks}, "disableAllHooks": True})}))
    assert (found.commands, found.disabled) == (("downshift hook claude-code",), True)


def test_no_claude_code_is_not_installed():
    assert read_wiring(World()).installed is False
    assert read_wiring(World({"/bin/claude": ""}, {"PATH": "/usr/bin:/bin"})).installed is True
