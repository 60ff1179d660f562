"""The plugin's messages in, our answers out: with the ids and models of captures of opencode 1.18.33."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from downshift.harnesses import opencode
from downshift.harnesses.base import Plan
from tests.conftest import REPOSITORY
from tests.harnesses.claude_code.test_adapter import JSON
from tests.support.world import World

PAYLOADS = REPOSITORY / "tests" / "payloads" / "opencode"
ALLOW = {"v": 1, "action": "allow"}
FIELDS = st.sampled_from(
    ["correlation", "agent", "model", "variant", "description", "prompt", "resumed", "models", "cwd"]
)


def message(name: str = "spawn", **changes: object) -> dict:
    return {**json.loads((PAYLOADS / f"{name}.json").read_text(encoding="utf-8")), **changes}


def answer(plan: Plan, payload: dict) -> dict:
    return json.loads(opencode.write_answer(plan, opencode.read_spawn(payload, {}), payload, "line"))


def test_a_message_becomes_a_spawn():
    child = opencode.read_spawn(message(), {})
    assert child.task == "[[child]] say what you see"
    assert (child.session_id, child.key()) == ("ses_dd164cb51ffe4KqM7prTMmosYo", "call_spawn_1")
    assert (child.agent_type, child.parent_model, child.effort, child.keeps_model) == (
        "general",
        "fake/fake-big",
        "",
        "",
    )


def test_a_resumed_child_keeps_its_model_and_its_call_is_a_spawn_of_its_own():
    child = opencode.read_spawn(message("spawn-resumed"), {})
    assert (child.keeps_model, child.effort, child.key()) == ("resume", "high", "call_spawn_2")


@pytest.mark.parametrize(
    "changes",
    [
        {"v": 2},
        {"v": "1"},
        {"type": "other"},
        {"type": None},
        {"prompt": " ", "description": ""},
        {"prompt": [], "description": 3},
    ],
)
def test_another_kind_or_version_and_an_empty_brief_are_not_spawns(changes):
    assert opencode.read_spawn(message(**changes), {}) is None


def test_the_end_of_a_child_is_not_a_spawn():
    assert opencode.read_spawn(message("child_done"), {}) is None


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("fake/fake-big", ("inherited", "fake/fake-big")),
        ("", ("unknown", "")),
        (None, ("unknown", "")),
        (["x"], ("unknown", "")),
    ],
)
def test_the_baseline_is_the_model_that_opencode_chose(model, expected):
    found = opencode.baseline(opencode.read_spawn(message(model=model), {}), World())
    assert (found.kind, found.model) == expected


@pytest.mark.parametrize("name", ["fake/fake-small", "fake-small"])
def test_the_answer_names_provider_model_and_variant(name):
    rewrite = {"v": 1, "action": "rewrite", "model": "fake/fake-small"}
    assert answer(Plan(model=name, effort="low"), message()) == {**rewrite, "variant": "low"}
    assert answer(Plan(model=name), message()) == rewrite


@pytest.mark.parametrize(
    ("plan", "changes"),
    [
        (Plan(), {}),
        (Plan(effort="low"), {}),
        (Plan(model="fake/no-such-model"), {}),
        (Plan(model="fake-small"), {"models": ["other/fake-small"]}),
        (Plan(model="fake-small"), {"models": None}),
        (Plan(model="fake-small"), {"model": ""}),
    ],
)
def test_a_model_that_the_persons_own_provider_does_not_offer_is_never_written(plan, changes):
    assert answer(plan, message(**changes)) == ALLOW


def test_a_model_behind_a_router_is_found_by_its_whole_name():
    models = ["openrouter/anthropic/claude-haiku-5-5"]
    payload = message(model="openrouter/anthropic/claude-opus-5-5", models=models)
    assert answer(Plan(model=models[0]), payload)["model"] == models[0]


@given(st.dictionaries(FIELDS, JSON))
def test_any_object_is_read_without_an_error(payload):
    for given_payload in (payload, {**payload, "v": 1, "type": "spawn"}, {**payload, "v": 1, "type": "child_done"}):
        child = opencode.read_spawn(given_payload, {})
        if child is not None:
            opencode.baseline(child, World())
            opencode.write_answer(Plan(model="fake-small"), child, given_payload, "")
        assert not opencode.read_ends(given_payload, "", World())


@pytest.mark.parametrize("folder", ["plugin", "plugins"])
def test_wiring_sees_our_plugin_in_either_folder(folder):
    path = f"/home/me/.config/opencode/{folder}"
    found = opencode.wiring(World({f"{path}/downshift.js": "", f"{path}/other.js": ""}))
    assert (found.installed, found.plugins, found.commands) == (True, (path,), ())


def test_no_opencode_is_not_installed_and_a_stranger_is_no_plugin_of_ours():
    assert opencode.wiring(World()).installed is False
    assert opencode.wiring(World({"/home/me/.config/opencode/plugin/other.js": ""})).plugins == ()
    assert opencode.wiring(World({"/bin/opencode": ""}, {"PATH": "/bin"})).installed is True


def test_the_sample_is_a_spawn_that_can_be_rewritten():
    child = opencode.read_spawn(opencode.sample(), {})
    assert opencode.baseline(child, World()).kind == "inherited"
    assert answer(Plan(model="claude-haiku-5-5"), opencode.sample())["action"] == "rewrite"
    assert opencode.gate_open(child)
    assert opencode.effort_applies({})
