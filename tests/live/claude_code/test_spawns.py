"""Spawns in the real Claude Code: the model and effort in the child's own API request, and what the log says of it."""

from __future__ import annotations

import shutil

import pytest

from tests.conftest import REPOSITORY
from tests.live.claude_code.sandbox import BINARY, CHILD, plugin_copy, spawn_call
from tests.support.hooks import COMPLEX, MEDIUM, TRIVIAL, VAGUE

pytestmark = [pytest.mark.live]

OPUS, SONNET, HAIKU = "claude-opus-5-5", "claude-sonnet-5-5", "claude-haiku-5-5"
MODES = ("default", "plan", "auto", "bypassPermissions")


def parent(*calls: dict) -> list[dict]:
    return [{"tools": list(calls)}, {"text": "done"}]


def requested(api, script: str) -> list[tuple[str, str | None]]:
    """Model and effort of every request of the agent that follows `script`."""
    return [(each["model"], (each["output_config"] or {}).get("effort")) for each in api.messages(script=script)]


def only(wire: list[tuple[str, str | None]]) -> tuple[str, str | None]:
    assert wire, "the child never started"
    assert len(set(wire)) == 1, f"the child's requests differ: {wire}"
    return wire[0]


# --- the mod ----------------------------------------------------------------


def test_after_the_two_commands_of_the_readme_a_trivial_spawn_runs_on_haiku_in_auto_mode(claude):
    code, api = claude(main=parent(spawn_call(TRIVIAL, "child")), child=CHILD)
    code.install(REPOSITORY)
    run = code.run("auto")
    assert run.code == 0, run.stderr
    assert only(requested(api, "child")) == (HAIKU, "low")
    assert only(requested(api, "main")) == (OPUS, "medium")
    assert run.said()[0] == "downshift: TRIVIAL → haiku (was opus)"
    assert code.wait_for(lambda: code.session()["honored"]["k"] == 1)
    shown = code.downshift("session")
    assert "1 switched" in shown
    assert "switched from opus to haiku · TRIVIAL · honored · saved from opus" in " ".join(shown.split())


@pytest.mark.parametrize("mode", MODES)
def test_the_mod_serves_every_permission_mode(claude, mode):
    calls = (
        spawn_call(TRIVIAL, "small"),
        spawn_call(MEDIUM, "mid"),
        spawn_call(COMPLEX, "hard"),
        spawn_call(VAGUE, "vague"),
    )
    code, api = claude(main=parent(*calls), small=CHILD, mid=CHILD, hard=CHILD, vague=CHILD)
    run = code.run(mode, "--plugin-dir", str(REPOSITORY))
    assert run.code == 0, run.stderr
    wire = {script: only(requested(api, script)) for script in ("small", "mid", "hard", "vague")}
    assert wire == {
        "small": (HAIKU, "low"),
        "mid": (SONNET, "medium"),
        "hard": (OPUS, "medium"),
        "vague": (OPUS, "medium"),
    }
    assert code.wait_for(lambda: len(code.started()) == 8), code.records()
    assert {each["entry"] for each in code.records()} == {"mod"}
    assert {each["permission_mode"] for each in code.decisions()} == {mode}
    assert code.session()["honored"] == {"k": 2, "n": 2, "refuted": 0, "unobserved": 0}
    states = sorted(each["state"] for each in code.session()["spawns"])
    assert states == ["held", "observed", "switched", "switched"]


def test_the_parents_effort_does_not_leak_into_a_switched_child_and_stays_with_the_others(claude):
    calls = (spawn_call(TRIVIAL, "small"), spawn_call(COMPLEX, "hard"))
    code, api = claude(
        main=parent(*calls),
        small=[{"tool": "Bash", "input": {"command": "true", "description": "x"}}, *CHILD],
        hard=CHILD,
    )
    code.run("bypassPermissions", "--plugin-dir", str(REPOSITORY), "--effort", "high")
    assert only(requested(api, "main")) == (OPUS, "high")
    assert only(requested(api, "small")) == (HAIKU, "low")
    assert only(requested(api, "hard")) == (OPUS, "high")


def test_spawns_in_the_background_and_side_by_side_each_get_their_own(claude):
    calls = [spawn_call(TRIVIAL, f"small{number}", run_in_background=True) for number in range(3)]
    calls += [
        spawn_call(MEDIUM, "mid", run_in_background=True),
        {"name": "Bash", "input": {"command": "true", "description": "x"}},
    ]
    scripts = {f"small{number}": CHILD for number in range(3)}
    code, api = claude(main=[{"tools": calls}, *({"text": "waiting"} for _ in range(6))], mid=CHILD, **scripts)
    run = code.run("auto", "--plugin-dir", str(REPOSITORY))
    assert run.code == 0, run.stderr
    assert [only(requested(api, f"small{number}")) for number in range(3)] == [(HAIKU, "low")] * 3
    assert only(requested(api, "mid")) == (SONNET, "medium")
    assert code.wait_for(lambda: code.session()["honored"]["k"] == 4)
    assert "denied" not in run.stdout


def test_the_agents_of_a_workflow_are_reached_and_told_apart(claude):
    script = (
        "export const meta = { name: 'probe', description: 'probe', phases: [{title:'P'}] }\nphase('P')\n"
        f"const r = await agent('{TRIVIAL} [[script:small]]', {{label:'x', phase:'P'}})\n"
        f"const q = await agent('{COMPLEX} [[script:hard]]', {{label:'y', phase:'P'}})\n"
        "return {r, q}"
    )
    main = [{"tool": "Workflow", "input": {"script": script}}, *({"text": "waiting"} for _ in range(4))]
    code, api = claude(main=main, small=CHILD, hard=CHILD)
    run = code.run("bypassPermissions", "--plugin-dir", str(REPOSITORY))
    assert run.code == 0, run.stderr
    assert only(requested(api, "small")) == (HAIKU, "low")
    assert only(requested(api, "hard"))[0] == OPUS
    assert code.wait_for(lambda: len(code.started()) == 4), code.records()
    decided = code.decisions()
    assert len({each["tool_use_hash"] for each in decided}) == 1, "they share one tool-use id"
    assert len({each["correlation_id"] for each in decided}) == 2
    assert code.session()["honored"]["k"] == 1


def test_a_nested_spawn_stands_below_its_parent(claude):
    middle = [{"tools": [spawn_call(TRIVIAL, "leaf")]}, *CHILD]
    code, api = claude(main=parent(spawn_call(COMPLEX, "middle")), middle=middle, leaf=CHILD)
    code.run("bypassPermissions", "--plugin-dir", str(REPOSITORY))
    assert only(requested(api, "leaf")) == (HAIKU, "low")
    assert code.wait_for(lambda: len(code.started()) == 4)
    assert "   └─ " in code.downshift("session")


def test_an_agent_that_pins_its_model_is_left_alone(claude):
    code, api = claude(main=parent(spawn_call(TRIVIAL, "child", "worker")), child=CHILD)
    code.agent("worker", model="sonnet")
    code.run("bypassPermissions", "--plugin-dir", str(REPOSITORY))
    assert only(requested(api, "child"))[0] == SONNET
    (decided,) = code.decisions()
    assert (decided["baseline_kind"], "AGENT_PINS_MODEL" in decided["reason_codes"]) == ("definition", True)


def test_a_file_that_takes_the_place_of_a_built_in_type_pins_its_model_too(claude):
    code, api = claude(main=parent(spawn_call(TRIVIAL, "child", "general-purpose")), child=CHILD)
    code.agent("general-purpose", model="sonnet")
    code.run("bypassPermissions", "--plugin-dir", str(REPOSITORY))
    assert only(requested(api, "child"))[0] == SONNET
    assert code.decisions()[0]["baseline_kind"] == "definition"


def test_a_pin_in_a_folder_below_and_in_quotes_is_seen(claude):
    code, api = claude(main=parent(spawn_call(TRIVIAL, "child", "worker")), child=CHILD)
    folder = code.project / ".claude" / "agents" / "team"
    folder.mkdir(parents=True)
    (folder / "worker.md").write_text('---\nname: worker\ndescription: w\n"model": sonnet\n---\nDo it.\n')
    code.run("bypassPermissions", "--plugin-dir", str(REPOSITORY))
    assert only(requested(api, "child"))[0] == SONNET
    assert code.decisions()[0]["baseline_kind"] == "definition"


@pytest.mark.parametrize("word", ["1", "true"])
def test_a_model_that_the_environment_forces_is_respected(claude, word):
    code, api = claude(main=parent(spawn_call(TRIVIAL, "child")), child=CHILD)
    forced = {"CLAUDE_CODE_SUBAGENT_MODEL": "sonnet", "CLAUDE_CODE_SUBAGENT_MODEL_FORCE": word}
    code.run("bypassPermissions", "--plugin-dir", str(REPOSITORY), **forced)
    assert only(requested(api, "child"))[0] == SONNET
    assert "HELD_MODEL_FORCED" in code.decisions()[0]["reason_codes"]


def test_a_model_that_settings_do_not_allow_is_seen_to_be_refuted(claude):
    code, api = claude(main=parent(spawn_call(TRIVIAL, "child")), child=CHILD)
    code.settings(availableModels=["opus"])
    run = code.run("bypassPermissions", "--plugin-dir", str(REPOSITORY))
    model, effort = only(requested(api, "child"))
    assert model == OPUS
    assert effort != "low", "no lower effort on a model that was not lowered"
    assert "haiku" not in " ".join(run.said())
    assert code.wait_for(lambda: code.session()["honored"]["refuted"] == 1), code.records()
    assert "refuted: ran on opus" in " ".join(code.downshift("session").split())


def test_a_call_that_the_persons_own_check_flags_stays_denied(claude):
    main = [{"tools": [spawn_call(TRIVIAL, "child")], "verdict": "flagged"}, {"text": "done"}]
    code, api = claude(main=main, child=CHILD)
    code.run("auto", "--plugin-dir", str(REPOSITORY))
    assert requested(api, "child") == []
    assert code.decisions() == []


def test_a_claude_code_inside_the_session_with_its_mods_off_uses_the_command_hook(claude):
    """The outer mod's DOWNSHIFT_ENTRY is inherited; the inner hook must see that it names another session."""
    code, api = claude(main=[], inner=parent(spawn_call(TRIVIAL, "innerchild")), innerchild=CHILD, child=CHILD)
    plugin = plugin_copy(code.project.parent / "plugin", hooks_only=True)
    arguments = "--permission-mode bypassPermissions --model opus --output-format stream-json --verbose"
    command = f"'{BINARY}' -p 'go [[script:inner]]' --plugin-dir '{plugin}' {arguments}; echo $DOWNSHIFT_ENTRY"
    bash = {"name": "Bash", "input": {"command": command, "description": "inner"}}
    api.scripts["main"] = [{"tools": [bash]}, {"tools": [spawn_call(TRIVIAL, "child")]}, {"text": "done"}]
    run = code.run("bypassPermissions", "--plugin-dir", str(REPOSITORY))
    assert run.code == 0, run.stderr
    assert "mod:" in run.stdout, "the outer session's mark was in the inner one's environment"
    assert only(requested(api, "innerchild")) == (HAIKU, "low")
    assert only(requested(api, "child")) == (HAIKU, "low")
    assert code.wait_for(lambda: len(code.started()) == 4), code.records()
    entries = {each["session_id"]: each["entry"] for each in code.decisions()}
    assert sorted(entries.values()) == ["hook", "mod"]


# --- the command hook -------------------------------------------------------


def hooks_only(code) -> list[str]:
    return ["--plugin-dir", str(plugin_copy(code.project.parent / "plugin", hooks_only=True))]


def test_the_command_hook_rewrites_in_default_mode_and_the_result_is_read_back(claude):
    calls = (spawn_call(TRIVIAL, "small"), spawn_call(COMPLEX, "hard"))
    code, api = claude(main=parent(*calls), small=CHILD, hard=CHILD)
    run = code.run("default", *hooks_only(code))
    assert run.code == 0, run.stderr
    assert only(requested(api, "small")) == (HAIKU, "low")
    assert only(requested(api, "hard")) == (OPUS, "medium")
    assert "downshift: TRIVIAL → haiku (was opus)" in " ".join(run.said())
    decided = {each["complexity"]: each for each in code.decisions()}
    assert (decided["TRIVIAL"]["entry"], decided["TRIVIAL"]["requested_model"]) == ("hook", OPUS)
    assert decided["TRIVIAL"]["baseline_kind"] == "inherited", "the parent was read from the row of this very call"
    assert code.session()["honored"] == {"k": 1, "n": 1, "refuted": 0, "unobserved": 0}


@pytest.mark.parametrize("mode", ["auto", "plan"])
def test_the_command_hook_leaves_everything_alone_where_a_change_is_denied(claude, mode):
    calls = (
        spawn_call(TRIVIAL, "small"),
        {"name": "Bash", "input": {"command": "true", "description": "x"}},
        spawn_call(TRIVIAL, "other"),
    )
    code, api = claude(main=parent(*calls), small=CHILD, other=CHILD)
    run = code.run(mode, *hooks_only(code))
    assert run.code == 0, run.stderr
    assert [only(requested(api, script))[0] for script in ("small", "other")] == [OPUS, OPUS]
    assert "a hook changed this call" not in run.stdout
    assert ["HELD_PERMISSION_MODE" in each["reason_codes"] for each in code.decisions()] == [True, True]


def test_with_the_mod_at_work_the_command_hooks_start_no_second_process(claude):
    code, api = claude(main=parent(spawn_call(TRIVIAL, "child")), child=CHILD)
    plugin = plugin_copy(code.project.parent / "plugin")
    trace = code.project.parent / "trace"
    runner = (plugin / "hooks" / "run.py").read_text().replace("main(sys.argv[1:])", "")
    note = f"open({str(trace)!r}, 'a').write(' '.join(sys.argv[1:]) + '\\n')\nmain(sys.argv[1:])\n"
    (plugin / "hooks" / "run.py").write_text(runner + note)
    code.run("default", "--plugin-dir", str(plugin))
    assert only(requested(api, "child")) == (HAIKU, "low")
    # One process judges; one each tells of the start and the end, and one settles what the session left open.
    assert code.wait_for(lambda: len(trace.read_text().splitlines()) >= 4)
    assert trace.read_text().splitlines() == ["hook claude-code", *["end claude-code"] * 3]


# --- a runner in trouble ----------------------------------------------------

TROUBLE = {
    "hanging": "import time\ntime.sleep(60)\n",
    "rubbish": 'print(\'{"model": "haiku", \')\n',
    "foreign model": 'print(\'{"model": "claude-haiku-5-5"}\')\n',
    "crashing": "raise SystemExit(3)\n",
    "noisy": "print('hello')\nprint('{\"model\": \"haiku\"}')\n",
    "syntax": "def broken(:\n",
}


@pytest.mark.parametrize("runner", TROUBLE.values(), ids=TROUBLE.keys())
@pytest.mark.parametrize("entry", ["mod", "hook"])
def test_a_runner_in_trouble_leaves_the_spawn_unchanged(claude, entry, runner):
    code, api = claude(main=parent(spawn_call(TRIVIAL, "child")), child=CHILD)
    plugin = plugin_copy(code.project.parent / "plugin", runner=runner, hooks_only=entry == "hook")
    run = code.run("default", "--plugin-dir", str(plugin))
    assert run.code == 0, run.stderr
    assert only(requested(api, "child")) == (OPUS, "medium")
    assert run.seconds < 40


@pytest.mark.parametrize("entry", ["mod", "hook"])
def test_a_missing_runner_leaves_the_spawn_unchanged(claude, entry):
    code, api = claude(main=parent(spawn_call(TRIVIAL, "child")), child=CHILD)
    plugin = plugin_copy(code.project.parent / "plugin", without=["hooks/run.py"], hooks_only=entry == "hook")
    run = code.run("default", "--plugin-dir", str(plugin))
    assert run.code == 0, run.stderr
    assert only(requested(api, "child")) == (OPUS, "medium")


@pytest.mark.parametrize("entry", ["mod", "hook"])
def test_without_python_the_spawn_is_unchanged(claude, entry, sandbox):
    code, api = claude(main=parent(spawn_call(TRIVIAL, "child")), child=CHILD)
    tools = sandbox / "bin"
    tools.mkdir()
    for name in ("sh", "bash", "cat", "env", "git", "uname"):
        (tools / name).symlink_to(shutil.which(name) or f"/bin/{name}")
    plugin = plugin_copy(code.project.parent / "plugin", hooks_only=entry == "hook")
    run = code.run("default", "--plugin-dir", str(plugin), PATH=str(tools))
    assert run.code == 0, run.stderr
    assert only(requested(api, "child")) == (OPUS, "medium")
    assert code.records() == []


# --- odd places -------------------------------------------------------------


@pytest.mark.parametrize("name", ["with space", "it's (me)", "do$HOME", "naïve-日本"])
@pytest.mark.parametrize("entry", ["mod", "hook"])
def test_the_plugin_works_from_any_path(claude, entry, name):
    code, api = claude(main=parent(spawn_call(TRIVIAL, "child")), child=CHILD)
    plugin = plugin_copy(code.project.parent / name / "plugin", hooks_only=entry == "hook")
    run = code.run("default", "--plugin-dir", str(plugin))
    assert run.code == 0, run.stderr
    assert only(requested(api, "child")) == (HAIKU, "low")
    assert {each["entry"] for each in code.decisions()} == {entry}


def test_a_brief_too_large_for_the_hook_runs_unchanged(claude):
    code, api = claude(main=parent(spawn_call(TRIVIAL + " lorem ipsum" * 200_000, "child")), child=CHILD)
    run = code.run("default", "--plugin-dir", str(REPOSITORY))
    assert run.code == 0, run.stderr
    assert only(requested(api, "child")) == (OPUS, "medium")
    assert code.records()[0]["error_code"] == "PAYLOAD_TOO_LARGE"
