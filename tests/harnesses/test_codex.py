"""Codex's payloads in, its answers out: on captures of 0.171.0, and on machines made of two dicts."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from downshift.core.spawn import Spawn
from downshift.harnesses import codex
from downshift.harnesses.base import Plan
from downshift.harnesses.readers import Readers
from tests.conftest import REPOSITORY
from tests.harnesses.claude_code.test_adapter import JSON
from tests.support.world import World

PAYLOADS = REPOSITORY / "tests" / "payloads" / "codex"
ROLLOUT = "/sessions/rollout.jsonl"
CONFIG = "/home/me/.codex/config.toml"
FIELDS = st.sampled_from(
    ["session_id", "hook_event_name", "model", "tool_use_id", "agent_id", "cwd", "transcript_path", "permission_mode"]
)
CALL_FIELDS = st.sampled_from(
    [
        "message",
        "items",
        "task_name",
        "agent_type",
        "model",
        "reasoning_effort",
        "fork_turns",
        "fork_context",
    ]
)


def capture(name: str, rollout: str = "") -> dict:
    payload = json.loads((PAYLOADS / f"{name}.json").read_text(encoding="utf-8"))
    return {**payload, "transcript_path": str(PAYLOADS / "rollouts" / f"{rollout}.jsonl") if rollout else None}


def spawn(**fields: object) -> Spawn:
    return Spawn(
        **{"harness": "codex", "entry": "hook", "task": "x", "cwd": "/p", "parent_model": "gpt-6.1-sol", **fields}
    )


def turn(model: str, effort: str = "high") -> str:
    return json.dumps({"type": "turn_context", "payload": {"model": model, "effort": effort}}) + "\n"


def known(child: Spawn, files: dict | None = None, env: dict | None = None) -> tuple[str, str]:
    found = codex.baseline(child, World(files, env))
    return found.kind, found.model


@pytest.mark.parametrize(
    ("name", "task", "forks"),
    [
        ("PreToolUse-v1", "Count the files.", False),
        ("PreToolUse-v1-fork", "Count", True),
        ("PreToolUse-v2", "count files", False),
        ("PreToolUse-v2-fork", "t", True),
        ("PreToolUse-v2-nested", "inner", False),
    ],
)
def test_real_calls_of_both_versions_are_read(name, task, forks):
    child = codex.read_spawn(capture(name), {})
    assert (child.task, child.forks_history) == (task, forks)
    assert child.key().startswith("call_")


def test_the_brief_of_the_second_version_is_never_read():
    payload = capture("PreToolUse-v2")
    payload["tool_input"]["message"] = "gAAAA-not-for-us"
    assert codex.read_spawn(payload, {}).task == "count files"
    payload["tool_name"] = "spawn_agent"  # should the namespace ever be left out, the label still tells the version
    assert codex.read_spawn(payload, {}).task == "count files"


def test_the_roles_name_is_judged_only_where_the_task_has_none():
    payload = capture("PreToolUse-v2-role")
    assert codex.read_spawn(payload, {}).task == "count files"
    payload["tool_input"]["task_name"] = ""
    assert codex.read_spawn(payload, {}).task == "reviewer"


def test_the_first_versions_brief_may_come_in_pieces():
    payload = capture("PreToolUse-v1")
    payload["tool_input"] = {"items": [{"type": "text", "text": "Count"}, {"type": "image"}, 7, {"text": "the files."}]}
    assert codex.read_spawn(payload, {}).task.split() == ["Count", "the", "files."]


def test_a_namespace_of_the_users_own_is_matched_by_its_end():
    payload = {**capture("PreToolUse-v2"), "tool_name": "agentsspawn_agent"}
    assert codex.read_spawn(payload, {}).task == "count files"


@pytest.mark.parametrize(
    ("fork_turns", "forks"), [("none", False), ("all", True), (None, True), ("3", True), (0, True)]
)
def test_the_second_version_forks_unless_it_is_told_not_to(fork_turns, forks):
    payload = capture("PreToolUse-v2")
    payload["tool_input"]["fork_turns"] = fork_turns
    assert codex.read_spawn(payload, {}).forks_history is forks


def test_a_nested_call_names_its_caller():
    child = codex.read_spawn(capture("PreToolUse-v2-nested"), {})
    assert (child.parent_agent_id, child.parent_model) == ("01a22ea3-2ac9-70e0-aaba-cb0a86853de1", "gpt-5.6-terra")


@pytest.mark.parametrize("name", ["PreToolUse-followup", "PreToolUse-wait", "PreToolUse-Bash", "PostToolUse-v2"])
def test_other_tools_and_events_are_not_spawns(name):
    assert codex.read_spawn(capture(name), {}) is None


@pytest.mark.parametrize(
    ("call", "rollout", "effort"),
    [
        ({}, "v2-parent", "high"),
        ({"reasoning_effort": "low"}, "v2-parent", "low"),
        ({"model": "gpt-6-luna"}, "v2-parent", ""),  # the child then gets that model's own default
        ({}, "", ""),
    ],
)
def test_the_effort_is_the_calls_else_that_of_the_callers_newest_turn(call, rollout, effort):
    payload = capture("PreToolUse-v2", rollout)
    payload["tool_input"].update(call)
    child = codex.read_spawn(payload, {})
    inherited = codex.baseline(child, Readers({})).effort
    assert (child.effort or inherited) == effort


@pytest.mark.parametrize(
    ("name", "rollout", "model"),
    [
        ("PreToolUse-v2", "v2-parent", "gpt-5.5"),
        ("PreToolUse-v2-nested", "v2-nested-caller", "gpt-5.6-terra"),
        ("PreToolUse-v1-fork", "v1-forked-child", "gpt-5.6-terra"),  # begins with a copy of its parent's turn
    ],
)
def test_real_rollouts_give_the_callers_model(name, rollout, model):
    child = codex.read_spawn(capture(name, rollout), {})
    found = codex.baseline(child.replace(parent_model="something-else", cwd=""), Readers({"HOME": "/nowhere"}))
    assert (found.kind, found.model) == ("inherited", model)


OTHER_ROW = '{"type":"world_state","payload":{"model":"no","kind":"turn_context"}}\n'


@pytest.mark.parametrize(
    "damage", ["{torn", "[]\n", OTHER_ROW, '{"type":"turn_context"}\n', '{"turn_context"}\n', "\ufffd\n\n"]
)
def test_damaged_and_other_rows_of_a_rollout_are_passed_over(damage):
    files = {ROLLOUT: turn("gpt-5.5") + turn("gpt-6-sol") + damage}
    assert known(spawn(transcript_path=ROLLOUT), files) == ("inherited", "gpt-6-sol")


def test_a_turn_far_back_is_found_and_one_out_of_reach_leaves_the_payloads_model():
    filler = '{"type":"response_item"}\n' + " " * 200_000 + "\n"
    child = spawn(transcript_path=ROLLOUT)
    assert known(child, {ROLLOUT: turn("gpt-5.5") + filler}) == ("inherited", "gpt-5.5")
    assert known(child, {ROLLOUT: turn("gpt-5.5") + filler * 45}) == ("inherited", "gpt-6.1-sol")


ROLE_FILE = 'name = "reviewer"\nmodel = "gpt-6-luna"  # cheap\ndeveloper_instructions = """\nmodel = "no"\n"""\n'
LUNA = ("definition", "gpt-6-luna")
PARENT = ("inherited", "gpt-6.1-sol")


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"/home/me/.codex/agents/reviewer.toml": ROLE_FILE}, LUNA),
        ({"/home/me/.codex/agents/other.toml": ROLE_FILE}, LUNA),
        ({"/p/.codex/agents/reviewer.toml": ROLE_FILE}, LUNA),
        ({"/home/me/.codex/agents/reviewer.toml": 'name = "somebody"\nmodel = "gpt-6-luna"\n'}, ("unknown", "")),
        ({"/home/me/.codex/agents/reviewer.toml": 'description = """\nmodel = "no"\n"""\n'}, PARENT),
        (
            {CONFIG: '[agents.reviewer]\nconfig_file = "roles/r.toml"\n', "/home/me/.codex/roles/r.toml": ROLE_FILE},
            LUNA,
        ),
        ({CONFIG: "[agents.'reviewer'] # mine\nconfig_file = '/etc/r.toml'\n", "/etc/r.toml": ROLE_FILE}, LUNA),
        ({CONFIG: 'agents.reviewer.config_file = "gone.toml"\n'}, PARENT),
        ({CONFIG: '[agents.reviewer]\ndescription = "reads"\n[other]\nmodel = "no"\n'}, PARENT),
        ({CONFIG: "[agents.reviewer\n"}, ("unknown", "")),
        ({}, ("unknown", "")),
    ],
)
def test_a_roles_definition_decides_for_it(files, expected):
    assert known(spawn(agent_type="reviewer"), files) == expected


def test_a_role_that_names_a_model_beats_the_call_because_the_hooks_rewrite_lost_to_it():
    files = {"/home/me/.codex/agents/reviewer.toml": ROLE_FILE}
    assert known(spawn(agent_type="reviewer", model="gpt-6-sol"), files) == LUNA


@pytest.mark.parametrize("role", ["", "default", "explorer", "worker"])
def test_built_in_roles_name_no_model_unless_somebody_redefines_them(role):
    assert known(spawn(agent_type=role)) == PARENT
    if role:
        files = {f"/home/me/.codex/agents/{role}.toml": 'model = "gpt-6-luna"\n'}
        assert known(spawn(agent_type=role), files) == LUNA


def test_a_configured_default_for_subagents_is_a_guess_that_the_call_beats():
    files = {CONFIG: '[agents]\ndefault_subagent_model = "gpt-6-luna"\n', ROLLOUT: turn("gpt-5.5")}
    child = spawn(transcript_path=ROLLOUT)
    assert known(child, files) == ("settings", "gpt-6-luna")
    assert known(child.replace(model="gpt-6-sol"), files) == ("explicit", "gpt-6-sol")


def test_the_projects_configuration_is_found_from_below_and_not_beyond_its_repository():
    files = {"/p/.codex/agents/reviewer.toml": ROLE_FILE, "/p/.git/HEAD": "ref: x", "/.codex/config.toml": "x"}
    assert known(spawn(agent_type="reviewer", cwd="/p/src/deep"), files) == LUNA
    files = {"/.codex/agents/reviewer.toml": ROLE_FILE, "/p/.git": "gitdir: /elsewhere"}
    assert known(spawn(agent_type="reviewer", cwd="/p/src"), files) == ("unknown", "")


def test_codex_may_live_elsewhere():
    files = {"/cx/agents/reviewer.toml": ROLE_FILE}
    assert known(spawn(agent_type="reviewer"), files, {"CODEX_HOME": "/cx"}) == LUNA


def test_the_answer_echoes_the_ciphertext_and_every_other_key_and_allows():
    payload = capture("PreToolUse-v2")
    payload["tool_input"]["extra"] = {"odd": [1, None, "é\u2028"]}
    child = codex.read_spawn(payload, {})
    assert json.loads(codex.write_answer(Plan(model="gpt-6-luna", effort="low"), child, payload, "said")) == {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "allow",
            "updatedInput": {**payload["tool_input"], "model": "gpt-6-luna", "reasoning_effort": "low"},
        },
        "systemMessage": "said",
    }


def test_an_effort_may_be_written_alone():
    payload = capture("PreToolUse-v2")
    child = codex.read_spawn(payload, {})
    answer = json.loads(codex.write_answer(Plan(effort="low"), child, payload, ""))
    assert answer["hookSpecificOutput"]["updatedInput"] == {**payload["tool_input"], "reasoning_effort": "low"}
    assert "systemMessage" not in answer


@pytest.mark.parametrize("plan", [Plan(), Plan(model="gpt-6-luna", effort="tiny")])
def test_an_empty_plan_and_an_effort_that_kills_the_spawn_change_nothing(plan):
    payload = capture("PreToolUse-v2")
    assert codex.write_answer(plan, codex.read_spawn(payload, {}), payload, "line") == "{}"


@given(st.dictionaries(FIELDS, JSON), st.dictionaries(CALL_FIELDS, JSON), st.sampled_from(["", "collaboration"]))
def test_any_object_is_read_without_an_error(payload, call, namespace):
    for given_payload in (payload, {**payload, "tool_name": f"{namespace}spawn_agent", "tool_input": call}):
        child = codex.read_spawn(given_payload, {})
        if child is not None:
            codex.baseline(child, World())
            codex.write_answer(Plan(model="gpt-6-luna"), child, given_payload, "")
        assert not codex.read_ends(given_payload, "", World())


@given(st.text(alphabet="[]\"'=.# \nabmodelgents", max_size=80))
def test_any_configuration_is_read_without_an_error(content):
    world = World({CONFIG: content, "/home/me/.codex/agents/a.toml": content})
    assert codex.baseline(spawn(agent_type="reviewer"), world).kind in (
        "unknown",
        "definition",
        "settings",
        "inherited",
    )


def test_wiring_sees_the_users_own_hooks_and_no_strangers():
    hooks = [{"matcher": ".*spawn_agent", "hooks": [{"command": "downshift hook codex"}, {"command": "other"}]}, 7]
    files = {"/home/me/.codex/hooks.json": json.dumps({"hooks": {"PreToolUse": hooks, "Stop": hooks}})}
    found = codex.wiring(World(files))
    assert (found.installed, found.commands) == (True, ("downshift hook codex",))


@pytest.mark.parametrize("content", ["", "[]", "{", '{"hooks": 3}', '{"hooks": {"PreToolUse": {"hooks": 1}}}'])
def test_damaged_hooks_are_no_hooks(content):
    assert codex.wiring(World({"/home/me/.codex/hooks.json": content})).commands == ()


def test_no_codex_is_not_installed():
    assert codex.wiring(World()).installed is False
    assert codex.wiring(World({"/bin/codex": ""}, {"PATH": "/usr/bin:/bin"})).installed is True


def test_the_sample_is_a_spawn_with_a_known_model():
    child = codex.read_spawn(codex.sample(), {})
    assert known(child) == ("explicit", "gpt-6.2-sol")
    assert codex.gate_open(child)
    assert codex.effort_applies({})
