"""The way of an end through the hook: what is recorded, once, for the right child, and what the person is told."""

from __future__ import annotations

import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from downshift import paths
from downshift.catalog.shelf import Shelf
from downshift.core.hashing import hash_id
from downshift.log.sessions import linked
from downshift.views.session import session_data
from tests.support.hooks import ROUTED, answer_in_process, events, mod_payload, resolved_payload, run_hook

HAIKU = "claude-haiku-5-5"


@pytest.fixture
def env():
    return {**os.environ, **ROUTED}


def ended(
    reason: str = "answer", *, call: str = "toolu_1", agent: str = "agent-1", output: int = 70, **more: object
) -> dict:
    """What the mod sends when a child ends."""
    used = {
        "model": HAIKU,
        "input_tokens": 30,
        "output_tokens": output,
        "cache_read_input_tokens": 900,
        "cache_creation_input_tokens": 0,
    }
    base = resolved_payload("", call=call, agent=agent)
    told = {"usage": [used], "tool_calls": 2, "last_assistant_message": "I renamed it in three places."}
    return {**base, "hook_event_name": "AgentEnded", "reason": reason, **told, **more}


def stopped(agent: str, path: Path, **more: object) -> dict:
    """What Claude Code sends a command hook when a child has stopped."""
    return {
        "hook_event_name": "SubagentStop",
        "session_id": "session-1",
        "agent_id": agent,
        "agent_type": "general-purpose",
        "agent_transcript_path": str(path),
        **more,
    }


def write_transcript(folder: Path, agent: str, *outputs: int, call: str = "toolu_1") -> Path:
    path = folder / f"agent-{agent}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = [
        {
            "type": "assistant",
            "message": {
                "id": f"m{number}",
                "model": HAIKU,
                "stop_reason": "end_turn",
                "content": [{"type": "text", "text": "It is done, as you asked."}],
                "usage": {"output_tokens": output},
            },
        }
        for number, output in enumerate(outputs)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    path.with_suffix(".meta.json").write_text(json.dumps({"toolUseId": call, "finished": True}), encoding="utf-8")
    return path


def tell(payload: dict, env: dict) -> str:
    return answer_in_process(payload, env, verb="end")


def decide(env: dict, **more: object) -> None:
    answer_in_process(mod_payload(**more), env)


def seen(outcome: str) -> list[dict]:
    return [each for each in events() if each["outcome"] == outcome]


def shown(env: dict) -> dict:
    state = paths.state(env)
    assert state is not None
    session = hash_id("session-1")[:16]
    return session_data(session, linked(state, session), Shelf())


def test_an_end_leaves_a_usage_and_an_end_that_name_the_decision(env):
    decide(env)
    assert json.loads(tell(ended(), env)) == {
        "line": "↳ downshift: finished on haiku · 1.0k tokens (work 100, cache 900) · saved from opus"
    }
    (usage,), (end,) = seen("usage"), seen("child_ended")
    decision = events()[0]
    assert usage["linked_decision"] == end["linked_decision"] == decision["correlation_id"]
    assert (usage["output_tokens"], usage["run"], usage["rewrite_honored"], end["status"]) == (70, 1, True, "completed")
    assert "partial" not in usage
    assert "suspect" not in end


def test_nothing_that_was_said_is_written_down(env):
    decide(env)
    tell(ended(last_assistant_message="the launch code is 0000-SECRET, I renamed it"), env)
    state = paths.state(env)
    assert state is not None
    written = "".join(path.read_text(errors="replace") for path in Path(state.root).rglob("*") if path.is_file())
    assert "SECRET" not in written
    assert "agent-1" not in written


@pytest.mark.parametrize("text", ["done", "", "I have fixed it all, every test passes."])
def test_an_empty_looking_end_is_marked_and_not_called_a_failure(env, text):
    decide(env)
    tell(ended(last_assistant_message=text, tool_calls=0), env)
    assert seen("child_ended")[0]["suspect"] is True
    assert shown(env)["spawns"][0]["status"] == "completed"


def test_quiet_leaves_out_the_line_and_nothing_else(env):
    decide(env)
    assert tell(ended(), {**env, "DOWNSHIFT_QUIET": "1"}) == "{}"
    assert len(seen("usage")) == 1


def test_a_resumed_child_ends_again_and_only_what_is_new_is_added(env, sandbox):
    decide(env)
    tell(ended(), env)
    tell(ended(output=30), env)
    assert [(each["run"], each["output_tokens"]) for each in seen("usage")] == [(1, 70), (2, 30)]
    folder = sandbox / "agents"
    decide(env, call="toolu_2")
    tell(stopped("agent-2", write_transcript(folder, "agent-2", 10, call="toolu_2")), env)
    tell(stopped("agent-2", write_transcript(folder, "agent-2", 10, 25, call="toolu_2")), env)
    assert [(each["run"], each["output_tokens"]) for each in seen("usage")[2:]] == [(1, 10), (2, 25)]


def test_several_events_about_one_end_leave_one_record(env, sandbox):
    decide(env)
    path = write_transcript(sandbox / "s" / "subagents", "agent-1", 10)
    result = {
        "status": "completed",
        "agentId": "agent-1",
        "resolvedModel": HAIKU,
        "content": [{"type": "text", "text": "It is done, as you asked."}],
    }
    returned = {
        "hook_event_name": "PostToolUse",
        "tool_name": "Agent",
        "tool_use_id": "toolu_1",
        "session_id": "session-1",
        "transcript_path": str(sandbox / "s.jsonl"),
        "tool_response": result,
    }
    over = {
        "hook_event_name": "SessionEnd",
        "reason": "other",
        "session_id": "session-1",
        "transcript_path": str(sandbox / "s.jsonl"),
    }
    for payload in (stopped("agent-1", path), returned, stopped("agent-1", path), over):
        tell(payload, env)
    assert (len(seen("usage")), len(seen("child_ended")), len(seen("resolved"))) == (1, 1, 1)


def test_an_end_that_both_entries_tell_is_one(env, sandbox):
    decide(env)
    path = write_transcript(sandbox / "agents", "agent-1", 70)
    tell(stopped("agent-1", path), env)
    tell(ended(), env)
    assert (len(seen("usage")), len(seen("child_ended"))) == (1, 1)


def test_what_a_failed_child_used_is_recorded_when_it_is_written_later_than_its_end(env, sandbox):
    decide(env)
    path = write_transcript(sandbox / "s" / "subagents", "agent-1")
    failed = {**stopped("agent-1", path), "hook_event_name": "StopFailure", "error": "server_error"}
    tell(failed, env)
    assert seen("usage") == []
    write_transcript(sandbox / "s" / "subagents", "agent-1", 42)
    tell(failed, env)
    assert [(each["run"], each["output_tokens"]) for each in seen("usage")] == [(1, 42)]
    assert len(seen("child_ended")) == 1


def test_ends_told_by_eight_processes_at_once_are_counted_once(env, sandbox):
    decide(env)
    path = write_transcript(sandbox / "agents", "agent-1", 70)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: run_hook(stopped("agent-1", path), ROUTED, verb="end"), range(8)))
    tokens = shown(env)["tokens"]
    assert (tokens["children"], tokens["work_tokens"]) == (1, 70)


def test_two_sessions_may_have_agents_of_one_name(env):
    decide(env)
    decide(env, session="session-2", call="toolu_2")
    tell(ended(), env)
    tell({**ended(call="toolu_2"), "session_id": "session-2"}, env)
    first, second = seen("usage")
    assert first["linked_decision"] != second["linked_decision"]


def test_an_agent_without_a_call_is_found_by_its_earlier_records(env):
    decide(env)
    tell(resolved_payload(HAIKU), env)
    tell({**ended(), "tool_use_id": ""}, env)
    assert len(seen("usage")) == 1


@pytest.mark.parametrize(
    "payload",
    [
        {**ended(), "tool_use_id": "toolu_9", "agent_id": "nobody"},
        {**ended(), "session_id": "other"},
        {**ended(), "session_id": ""},
    ],
)
def test_a_child_that_no_decision_was_made_about_leaves_nothing(env, payload):
    decide(env)
    assert tell(payload, env) == "{}"
    assert len(events()) == 1


def test_a_child_of_the_control_group_has_an_end_and_no_claim(env):
    env = {**env, "DOWNSHIFT_CONTROL_SHARE": "1"}
    decide(env)
    tell(ended(), env)
    assert events()[0]["outcome"] == "baseline"
    assert "rewrite_honored" not in seen("usage")[0]
    assert shown(env)["tokens"]["saved_children"] == 0


def test_a_decision_far_back_in_a_long_session_is_still_found(env):
    decide(env)
    state = paths.state(env)
    assert state is not None
    path = state.session_log(hash_id("session-1"))
    line = json.dumps({"outcome": "error", "error_code": "X" * 500}) + "\n"
    with open(path, "a", encoding="utf-8") as file:
        file.write(line * 4000)
    tell(ended(), env)
    assert len(seen("usage")) == 1


def test_a_transcript_that_vanishes_costs_the_figures_only(env, sandbox):
    decide(env)
    tell({**stopped("agent-1", sandbox / "agent-1.jsonl"), "tool_use_id": "toolu_1"}, env)
    assert seen("child_ended") == [], "nothing names its call any more"
    path = write_transcript(sandbox / "agents", "agent-1", 70)
    path.unlink()
    tell(stopped("agent-1", path), env)
    assert (len(seen("child_ended")), seen("usage")) == (1, [])


@pytest.mark.parametrize("usage", [[], "x", [5], [{"model": 7}], [{"model": HAIKU, "output_tokens": -4}], [{}] * 500])
def test_usage_of_any_shape_is_survived(env, usage):
    decide(env)
    assert json.loads(tell(ended(usage=usage), env)) is not None
    assert len(seen("child_ended")) == 1
