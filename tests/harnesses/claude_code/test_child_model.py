"""Which model a Claude Code child would run on: the order that was measured on 2.1.332."""

from __future__ import annotations

import json

import pytest

from downshift.core.spawn import Spawn
from downshift.harnesses.claude_code.child_model import foreign_endpoint, read_baseline
from tests.support.world import World, agent_file

FABLE = "claude-fable-5-2"
OPUS = "claude-opus-5-5"


def spawn(**fields: str) -> Spawn:
    return Spawn(**{"harness": "claude-code", "entry": "mod", "task": "x", "parent_model": OPUS, "cwd": "/p", **fields})


def known(child: Spawn, world: World | None = None) -> tuple[str, str]:
    found = read_baseline(child, world or World())
    return found.kind, found.model


@pytest.mark.parametrize("agent_type", ["", "general-purpose", "claude", "Explore", "Plan", "workflow-subagent"])
def test_built_in_types_inherit_the_parents_model(agent_type):
    assert known(spawn(agent_type=agent_type)) == ("inherited", OPUS)


@pytest.mark.parametrize(("agent_type", "model"), [("statusline-setup", "sonnet"), ("claude-code-guide", "haiku")])
def test_built_in_types_that_pin_a_model_keep_it(agent_type, model):
    assert known(spawn(agent_type=agent_type)) == ("definition", model)


def test_the_calls_own_model_is_stronger_than_a_definition():
    assert known(spawn(agent_type="statusline-setup", model="opus")) == ("explicit", OPUS)


@pytest.mark.parametrize("model", ["inherit", "INHERIT", " "])
def test_a_call_that_inherits_names_no_model(model):
    assert known(spawn(model=model)) == ("inherited", OPUS)


def test_an_alias_of_the_parents_family_means_the_parents_exact_id():
    assert known(spawn(model="opus", parent_model="claude-opus-4-5")) == ("explicit", "claude-opus-4-5")
    assert known(spawn(model="sonnet", parent_model="claude-opus-4-5")) == ("explicit", "sonnet")


def test_the_variable_serves_only_agents_that_name_no_model():
    world = World(env={"CLAUDE_CODE_SUBAGENT_MODEL": "sonnet"})
    assert known(spawn(), world) == ("inherited", "sonnet")
    for explicit in ("Explore", "Plan"):
        assert known(spawn(agent_type=explicit), world) == ("inherited", OPUS)
    assert known(spawn(model="haiku"), world) == ("explicit", "haiku")
    assert known(spawn(), World(env={"CLAUDE_CODE_SUBAGENT_MODEL": "inherit"})) == ("inherited", OPUS)


def test_a_forced_variable_is_stronger_than_everything_and_says_so():
    for on in ("1", "true", "YES"):
        world = World(env={"CLAUDE_CODE_SUBAGENT_MODEL": "sonnet", "CLAUDE_CODE_SUBAGENT_MODEL_FORCE": on})
        found = read_baseline(spawn(model="opus", agent_type="statusline-setup"), world)
        assert (found.model, found.forced) == ("sonnet", True)


def test_a_workflows_agents_have_a_variable_of_their_own():
    world = World(env={"CLAUDE_CODE_WORKFLOW_SUBAGENT_MODEL": "haiku", "CLAUDE_CODE_SUBAGENT_MODEL": "sonnet"})
    assert known(spawn(agent_type="workflow-subagent", run="wf/0"), world) == ("inherited", "haiku")
    assert known(spawn(), world) == ("inherited", "sonnet")


def test_explore_is_capped_at_opus_under_fable():
    child = spawn(agent_type="Explore", parent_model=FABLE)
    assert known(child) == ("inherited", "opus")
    assert known(child, World(env={"CLAUDE_CODE_DISABLE_EXPLORE_INHERIT_CAP": "1"})) == ("inherited", FABLE)
    assert known(child, World(env={"CLAUDE_CODE_USE_BEDROCK": "1"})) == ("unknown", "")
    assert known(spawn(agent_type="Plan", parent_model=FABLE)) == ("inherited", FABLE)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"model": "haiku"}, ("definition", "haiku")),
        ({"model": '"sonnet"'}, ("definition", "sonnet")),
        ({"model": "opus # the best"}, ("definition", OPUS)),
        ({"model": "inherit"}, ("inherited", OPUS)),
        ({"description": "model: haiku"}, ("inherited", OPUS)),
        ({}, ("inherited", OPUS)),
    ],
)
@pytest.mark.parametrize("folder", ["/p/.claude/agents", "/home/me/.claude/agents"])
def test_an_agents_file_decides_for_its_type(folder, fields, expected):
    world = World({f"{folder}/worker.md": agent_file("worker", **fields)})
    assert known(spawn(agent_type="worker"), world) == expected


def test_the_name_inside_the_file_counts_not_the_files_own():
    world = World(
        {
            "/p/.claude/agents/worker.md": agent_file("other", model="haiku"),
            "/p/.claude/agents/zzz.md": agent_file("worker", model="sonnet"),
        }
    )
    assert known(spawn(agent_type="worker"), world) == ("definition", "sonnet")


def test_the_projects_agents_come_before_the_users_and_a_subfolder_sees_its_project():
    world = World(
        {
            "/p/.git/HEAD": "",
            "/p/.claude/agents/worker.md": agent_file("worker", model="haiku"),
            "/home/me/.claude/agents/worker.md": agent_file("worker", model="sonnet"),
        }
    )
    assert known(spawn(agent_type="worker", cwd="/p/src/deep"), world) == ("definition", "haiku")


def test_a_plugins_agent_is_found_through_the_installed_plugins():
    installed = {
        "version": 2,
        "plugins": {"route@market": [{"installPath": "/cache/route"}], "odd": "no", "route@b": [3]},
    }
    world = World(
        {
            "/home/me/.claude/plugins/installed_plugins.json": json.dumps(installed),
            "/cache/route/agents/worker.md": agent_file("worker", model="haiku"),
        }
    )
    assert known(spawn(agent_type="route:worker"), world) == ("definition", "haiku")
    assert known(spawn(agent_type="other:worker"), world) == ("unknown", "")


def test_a_file_of_the_users_takes_the_place_of_a_built_in_type():
    for name in ("general-purpose", "Explore", "statusline-setup"):
        world = World({"/home/me/.claude/agents/mine.md": agent_file(name, model="opus")})
        assert known(spawn(agent_type=name), world) == ("definition", OPUS)
    world = World({"/p/.claude/agents/general-purpose.md": agent_file("general-purpose", model="sonnet")})
    assert known(spawn(agent_type=""), world) == ("definition", "sonnet")


def test_definitions_are_looked_for_below_the_folder_too():
    files = {
        "/p/.claude/agents/team/deep/worker.md": agent_file("worker", model="sonnet"),
        "/home/me/.claude/agents/worker.md": agent_file("worker"),
    }
    assert known(spawn(agent_type="worker"), World(files)) == ("definition", "sonnet")


def test_two_definitions_of_one_name_that_differ_leave_it_unknown():
    files = {
        "/p/.claude/agents/a/worker.md": agent_file("worker", model="sonnet"),
        "/p/.claude/agents/b/worker.md": agent_file("worker"),
    }
    assert known(spawn(agent_type="worker"), World(files)) == ("unknown", "")


@pytest.mark.parametrize(
    ("matter", "expected"),
    [
        ('name: worker\n"model": sonnet', ("definition", "sonnet")),
        ("name: worker\nmodel : sonnet", ("definition", "sonnet")),
        ("name: worker\nmodel:\n  sonnet", ("definition", "sonnet")),
        ("name: worker\nmodel: >\n  sonnet", ("unknown", "")),
        ("name: worker\nmodel: |-\n  sonnet", ("unknown", "")),
        ("name: worker\nmodel: &pin sonnet", ("unknown", "")),
        ("{name: worker, model: sonnet}", ("unknown", "")),
        ("<<: *base\nname: worker", ("unknown", "")),
        ("name: worker\nhooks:\n  model: haiku", ("inherited", OPUS)),
        ("name: worker\n# model: haiku", ("inherited", OPUS)),
    ],
)
def test_front_matter_that_is_not_plain_is_read_or_unknown_but_never_taken_for_no_model(matter, expected):
    world = World({"/p/.claude/agents/worker.md": f"---\n{matter}\n---\nDo it.\n"})
    assert known(spawn(agent_type="worker"), world) == expected


def test_a_definition_of_any_size_is_read_at_its_head():
    large = agent_file("worker", model="sonnet") + "Do it. " * 100_000
    assert known(spawn(agent_type="worker"), World({"/p/.claude/agents/worker.md": large})) == ("definition", "sonnet")
    endless = agent_file("worker", description="x" * 40_000, model="sonnet")
    assert known(spawn(agent_type="worker"), World({"/p/.claude/agents/worker.md": endless})) == ("unknown", "")


def test_more_definitions_than_are_looked_at_leave_it_unknown():
    files = {f"/p/.claude/agents/{number}.md": agent_file(f"a{number}") for number in range(300)}
    assert known(spawn(agent_type="worker"), World(files)) == ("unknown", "")


def test_a_plugins_agents_are_read_from_its_folder_marketplace_and_not_from_the_copy():
    config = "/home/me/.claude/plugins"
    installs = {"version": 2, "plugins": {"route@market": [{"installPath": "/cache/route"}]}}
    files = {
        f"{config}/installed_plugins.json": json.dumps(installs),
        f"{config}/known_marketplaces.json": json.dumps(
            {"market": {"source": {"source": "directory", "path": "/src"}}}
        ),
        "/src/.claude-plugin/marketplace.json": json.dumps({"plugins": [{"name": "route", "source": "./route"}]}),
        "/src/route/agents/worker.md": agent_file("worker", model="sonnet"),
        "/cache/route/agents/worker.md": agent_file("worker"),
    }
    assert known(spawn(agent_type="route:worker"), World(files)) == ("definition", "sonnet")
    files["/src/route/.claude-plugin/plugin.json"] = json.dumps({"name": "route", "agents": ["./other"]})
    assert known(spawn(agent_type="route:worker"), World(files)) == ("unknown", "")


def test_a_type_nobody_defines_is_unknown_even_when_the_parent_is_known():
    assert known(spawn(agent_type="ghost")) == ("unknown", "")


@pytest.mark.parametrize("text", ["", "---", "---\nname: worker", "no front matter", "---\n---\n", "\x00\x01"])
def test_a_damaged_definition_never_breaks_anything(text):
    kind, _ = known(spawn(agent_type="worker"), World({"/p/.claude/agents/worker.md": text}))
    assert kind in ("unknown", "inherited")


@pytest.mark.parametrize(
    ("env", "foreign"),
    [
        ({}, False),
        ({"ANTHROPIC_BASE_URL": "https://api.anthropic.com"}, False),
        ({"ANTHROPIC_BASE_URL": "https://api.anthropic.com:443/v1"}, False),
        ({"ANTHROPIC_BASE_URL": "http://127.0.0.1:8099"}, False),
        ({"ANTHROPIC_BASE_URL": "http://localhost"}, False),
        ({"ANTHROPIC_BASE_URL": "https://api.anthropic.com?x=1"}, False),
        ({"ANTHROPIC_BASE_URL": "http://127.0.0.1?x"}, False),
        ({"ANTHROPIC_BASE_URL": "https://evil.example?@api.anthropic.com"}, True),
        ({"ANTHROPIC_BASE_URL": "https://evil.example#@api.anthropic.com"}, True),
        ({"ANTHROPIC_BASE_URL": "https://evil.example\\\\@api.anthropic.com"}, True),
        ({"ANTHROPIC_BASE_URL": "http://[::1]:9/x"}, False),
        ({"ANTHROPIC_BASE_URL": "https://gateway.example/anthropic.com"}, True),
        ({"ANTHROPIC_BASE_URL": "https://notanthropic.com"}, True),
        ({"ANTHROPIC_BASE_URL": "https://user@gateway.example:8443"}, True),
        ({"CLAUDE_CODE_USE_VERTEX": "1"}, True),
        ({"CLAUDE_CODE_USE_BEDROCK": "0"}, False),
    ],
)
def test_an_endpoint_is_anthropics_or_somebody_elses(env, foreign):
    assert foreign_endpoint(env) is foreign
