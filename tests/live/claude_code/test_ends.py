"""Ends of children in the real Claude Code: for each way to end, the record, and the tokens that the API sent."""

from __future__ import annotations

import json
import re
import signal

import pytest

from tests.conftest import REPOSITORY
from tests.live.claude_code.sandbox import plugin_copy, spawn_call
from tests.live.claude_code.terminal import STOP_AGENTS, Terminal
from tests.support.hooks import MEDIUM, TRIVIAL

pytestmark = [pytest.mark.live]

ENTRIES = ("mod", "hook")
LOOK = {"tool": "Bash", "input": {"command": "true", "description": "x"}}
WORK = [LOOK, {"text": "I looked at the file and renamed it as asked."}]
HANG = [LOOK, {"hang": True}]
FEW_RETRIES = {"CLAUDE_CODE_MAX_RETRIES": "1", "CLAUDE_CODE_OVERLOADED_RETRY_BASE_DELAY_MS": "50"}
DONE = {"text": "everything is done now, thank you"}


@pytest.fixture(params=ENTRIES)
def entry(request):
    return request.param


def plugin(code, entry: str) -> str:
    return str(REPOSITORY if entry == "mod" else plugin_copy(code.home / "plugin", hooks_only=True))


def play(claude, entry: str, main: list, *, ends: int = 1, **scripts):
    """Run the scripts to the end; the session as shown, the log's records, and the API."""
    code, api = claude(main=main, env=FEW_RETRIES, **scripts)
    run = code.run("bypassPermissions", "--plugin-dir", plugin(code, entry))
    assert run.code == 0, run.stderr
    assert code.wait_for(lambda: len([each for each in code.records() if is_end(each)]) >= ends), code.records()
    return code.session(), code.records(), api


def is_end(record: dict) -> bool:
    return record["outcome"] == "child_ended" and record["status"] != "launched"


def sent(api, *agents: str) -> dict[str, int]:
    """Every token that the API sent to these agents."""
    answers = [each for each in api.answers if each["agent_id"] in agents]
    names = ("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
    spent = [sum(each["usage"][name] for each in answers) for name in names]
    return {"work_tokens": spent[0] + spent[1], "cache_tokens": spent[2] + spent[3]}


def agents(api, *scripts: str) -> list[str]:
    return [api.messages(script=script)[0]["agent_id"] for script in scripts]


def used(spawn: dict) -> dict[str, int]:
    return {key: spawn["tokens"][key] for key in ("work_tokens", "cache_tokens")}


def the_child(body: dict) -> str:
    """The id of the agent that the parent has just started, as its tool result names it."""
    return re.findall(r"agentId: ([0-9a-z]+)", json.dumps(body))[0]


# --- how it ended --------------------------------------------------------------


def test_a_finished_child(claude, entry):
    shown, records, api = play(claude, entry, [{"tools": [spawn_call(TRIVIAL, "child")]}, DONE], child=WORK)
    (spawn,) = shown["spawns"]
    assert (spawn["status"], spawn["honored"], spawn["partial"], spawn["suspect"]) == ("completed", True, False, False)
    assert used(spawn) == sent(api, *agents(api, "child"))
    assert shown["tokens"]["saved_children"] == 1
    assert (shown["children_share"] is not None) == (entry == "mod")
    assert {each["entry"] for each in records} == {entry}


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (401, "authentication_failed"),
        (404, "model_not_found"),
        (429, "rate_limit"),
        (500, "server_error"),
        (529, "server_error"),
    ],
)
def test_a_child_whose_first_call_fails(claude, entry, status, kind):
    child = [{"error": status, "times": 99}]
    shown, _, _ = play(claude, entry, [{"tools": [spawn_call(TRIVIAL, "child")]}, DONE], child=child)
    (spawn,) = shown["spawns"]
    assert (spawn["status"], spawn["error_kind"], spawn["tokens"]) == ("error", kind, None)


def test_a_child_that_fails_after_some_work(claude, entry):
    child = [LOOK, {"error": 500, "times": 99}]
    shown, _, api = play(claude, entry, [{"tools": [spawn_call(TRIVIAL, "child")]}, DONE], child=child)
    (spawn,) = shown["spawns"]
    assert (spawn["status"], spawn["error_kind"]) == ("error", "server_error")
    assert used(spawn) == sent(api, *agents(api, "child"))


def test_a_child_whose_answer_breaks_off_once_is_retried_and_pays_for_what_it_got(claude, entry):
    child = [{**LOOK, "broken": 1}, WORK[1]]
    shown, _, api = play(claude, entry, [{"tools": [spawn_call(TRIVIAL, "child")]}, DONE], child=child)
    (spawn,) = shown["spawns"]
    assert spawn["status"] == "completed"
    assert len(api.messages(script="child", step=0)) == 2, "it was asked again"
    assert used(spawn) == sent(api, *agents(api, "child"))


def test_a_child_in_the_background(claude, entry):
    main = [{"tools": [spawn_call(TRIVIAL, "child", run_in_background=True)]}, *[DONE] * 4]
    shown, records, api = play(claude, entry, main, child=WORK)
    assert [each["status"] for each in records if each["outcome"] == "child_ended"] == ["launched", "completed"]
    assert used(shown["spawns"][0]) == sent(api, *agents(api, "child"))


def test_a_child_in_the_background_that_fails(claude, entry):
    main = [{"tools": [spawn_call(TRIVIAL, "child", run_in_background=True)]}, *[DONE] * 4]
    shown, _, _ = play(claude, entry, main, child=[{"error": 529, "times": 99}])
    assert (shown["spawns"][0]["status"], shown["spawns"][0]["error_kind"]) == ("error", "server_error")


def test_a_child_that_another_call_stops(claude, entry):
    def stop(body: dict) -> dict:
        return {"tool": "TaskStop", "input": {"task_id": the_child(body)}, "delay": 1.5}

    main = [{"tools": [spawn_call(TRIVIAL, "child", run_in_background=True)]}, stop, *[DONE] * 3]
    shown, _, api = play(claude, entry, main, child=HANG)
    (spawn,) = shown["spawns"]
    assert (spawn["status"], spawn["partial"]) == ("stopped", True)
    assert used(spawn) == sent(api, *agents(api, "child"))


@pytest.mark.parametrize("background", [False, True])
def test_a_child_that_is_interrupted_with_its_session(claude, entry, background):
    call = spawn_call(TRIVIAL, "child", run_in_background=background)
    code, api = claude(main=[{"tools": [call]}, {"hang": True}], child=HANG)
    process = code.start("bypassPermissions", "--plugin-dir", plugin(code, entry))
    assert code.wait_for(lambda: bool(api.messages(script="child", step=1)))
    assert code.wait_for(lambda: any(each["outcome"] == "resolved" for each in code.records()) or not background)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert code.wait_for(lambda: any(is_end(each) for each in code.records())), code.records()
    (spawn,) = code.session()["spawns"]
    assert (spawn["status"], spawn["partial"]) == ("interrupted", True)
    assert used(spawn) == sent(api, *agents(api, "child"))


@pytest.mark.parametrize("how", ["stopped by keys", "left behind"])
def test_a_child_in_a_terminal_that_the_person_ends(claude, entry, how):
    """In a terminal every child runs in the background. The mod hears of both as an aborted turn; the hook sees the file."""
    call = {"description": "a task", "prompt": f"{TRIVIAL} [[script:child]]", "subagent_type": "general-purpose"}
    code, api = claude(main=[{"tool": "Agent", "input": call}, *[DONE] * 5], child=HANG)
    with Terminal(code, "--plugin-dir", plugin(code, entry)) as terminal:
        terminal.submit("go [[script:main]]")
        assert code.wait_for(lambda: bool(api.messages(script="child", step=1))), terminal.text()[-500:]
        assert code.wait_for(lambda: any(each["outcome"] == "resolved" for each in code.records()))
        if how == "stopped by keys":
            terminal.press(STOP_AGENTS)
            terminal.press(STOP_AGENTS)
            assert entry == "hook" or code.wait_for(lambda: any(is_end(each) for each in code.records()))
        assert terminal.leave() == 0
    assert code.wait_for(lambda: any(is_end(each) for each in code.records())), code.records()
    (spawn,) = code.session()["spawns"]
    assert (spawn["status"], spawn["partial"]) == ({"mod": "interrupted", "hook": "stopped"}[entry], True)
    assert used(spawn) == sent(api, *agents(api, "child"))


def test_a_child_that_never_started(claude):
    shown, _, _ = play(claude, "hook", [{"tools": [spawn_call(TRIVIAL, "child", "nobody")]}, DONE])
    assert (shown["spawns"][0]["status"], shown["spawns"][0]["error_kind"]) == ("error", "not_started")


# --- whose tokens --------------------------------------------------------------


def test_every_token_of_parallel_and_nested_children_goes_to_its_own(claude, entry):
    outer = [
        {"tools": [spawn_call("List the files in src/.", "inner")]},
        {"text": "The inner one listed all the files."},
    ]
    main = [{"tools": [spawn_call(MEDIUM, "outer"), spawn_call(TRIVIAL, "a"), spawn_call(TRIVIAL, "b")]}, DONE]
    shown, records, api = play(claude, entry, main, ends=4, outer=outer, inner=WORK, a=WORK, b=WORK)
    expected = sorted((sent(api, agent) for agent in agents(api, "outer", "inner", "a", "b")), key=json.dumps)
    assert sorted((used(spawn) for spawn in shown["spawns"]), key=json.dumps) == expected
    nested = [each for each in records if each.get("parent_agent_hash")]
    assert len(nested) == 1
    honored = shown["honored"]
    assert (honored["k"], honored["refuted"], honored["unobserved"]) == (honored["n"], 0, 0)
    # A command hook may find no transcript yet when a session's first message spawns several, and then holds.
    assert honored["n"] == 4 or entry == "hook"


def test_a_resumed_child_is_one_child_with_two_runs(claude, entry):
    def resume(body: dict) -> dict:
        message = {"to": the_child(body), "summary": "more of it please", "message": "more [[script:again]]"}
        return {"tool": "SendMessage", "input": message}

    main = [{"tools": [spawn_call(TRIVIAL, "child")]}, resume, *[DONE] * 4]
    shown, records, api = play(claude, entry, main, ends=2, child=WORK, again=WORK)
    assert [each["run"] for each in records if each["outcome"] == "usage"] == [1, 2]
    switched = [spawn for spawn in shown["spawns"] if spawn["state"] == "switched"]
    assert [used(spawn) for spawn in switched] == [sent(api, *agents(api, "child"))]


def test_the_agents_of_a_workflow_have_ends_where_the_mod_sees_them(claude):
    script = (
        "export const meta = { name: 'probe', description: 'probe', phases: [{title:'P'}] }\nphase('P')\n"
        f"const r = await agent('{TRIVIAL} [[script:one]]', {{label:'x', phase:'P'}})\n"
        f"const q = await agent('{TRIVIAL} [[script:two]]', {{label:'y', phase:'P'}})\n"
        "return {r, q}"
    )
    main = [{"tool": "Workflow", "input": {"script": script}}, *[DONE] * 4]
    shown, _, api = play(claude, "mod", main, ends=2, one=WORK, two=WORK)
    assert [spawn["status"] for spawn in shown["spawns"]] == ["completed", "completed"]
    assert [used(spawn) for spawn in shown["spawns"]] == [sent(api, agent) for agent in agents(api, "one", "two")]


def test_an_end_that_no_spawn_asked_for_is_nobodys(claude, entry):
    """A forked skill runs as an agent that was never judged."""
    code, api = claude(main=[{"tool": "Skill", "input": {"skill": "forky"}}, DONE], skill=WORK)
    folder = code.project / ".claude" / "skills" / "forky"
    folder.mkdir(parents=True)
    text = "---\nname: forky\ndescription: forks\ncontext: fork\n---\n\nDo it [[script:skill]]\n"
    (folder / "SKILL.md").write_text(text, encoding="utf-8")
    assert code.run("bypassPermissions", "--plugin-dir", plugin(code, entry)).code == 0
    assert api.messages(script="skill"), "the skill never ran"
    assert code.records() == []


def test_the_person_is_told_what_a_finished_child_used(claude):
    code, api = claude(main=[{"tools": [spawn_call(TRIVIAL, "child")]}, DONE], child=WORK)
    run = code.run("auto", "--plugin-dir", str(REPOSITORY))
    tokens = sent(api, *agents(api, "child"))
    total = sum(tokens.values())
    (line,) = [text for text in run.said() if "↳" in text]
    assert line.startswith("↳ downshift: finished on haiku · ")
    assert line.endswith(" · saved from opus")
    assert f"{total / 1000:.1f}k tokens" in line or f"{total} tokens" in line
    quiet, _ = claude(main=[{"tools": [spawn_call(TRIVIAL, "child")]}, DONE], child=WORK, env={"DOWNSHIFT_QUIET": "1"})
    assert not quiet.run("auto", "--plugin-dir", str(REPOSITORY)).said()


def test_a_terminal_shows_the_end_of_a_child_and_the_status_line(claude):
    call = {"description": "a task", "prompt": f"{TRIVIAL} [[script:child]]", "subagent_type": "general-purpose"}
    code, _ = claude(main=[{"tool": "Agent", "input": call}, *[DONE] * 5], child=WORK)
    launcher = REPOSITORY / "bin" / "downshift"
    code.settings(statusLine={"type": "command", "command": f"'{launcher}' statusline"})
    with Terminal(code, "--plugin-dir", str(REPOSITORY)) as terminal:
        terminal.submit("go [[script:main]]")
        assert terminal.wait_for("finished on haiku"), terminal.text()[-800:]
        # A terminal redraws only what has changed, so the line may come in two parts.
        assert terminal.wait_for("downshift · 1 subagent · 1 switched"), terminal.text()[-800:]
        assert terminal.wait_for("tokens saved work 100%"), terminal.text()[-800:]
        assert terminal.leave() == 0
