"""Ends of Claude Code's children, from real captures: which child, how it ended, what it used."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from downshift.core.tokens import Tokens
from downshift.harnesses import claude_code
from downshift.harnesses.base import ChildEnd, Usage
from tests.conftest import REPOSITORY
from tests.support.hooks import capture
from tests.support.world import World

TRANSCRIPTS = REPOSITORY / "tests" / "payloads" / "claude-code" / "transcripts"
SESSION = "/home/user/projects/-home-user-project/"


def world_of(case: str, session: str) -> World:
    """The agents of a captured session, where the payload says they lie."""
    files = {
        f"{SESSION}{session}/subagents/{path.name}": path.read_bytes() for path in (TRANSCRIPTS / case).rglob("agent-*")
    }
    return World(files)


def read(payload: dict, world: World | None = None) -> list[ChildEnd]:
    world = world or World()
    return [claude_code.read_usage(end, world) for end in claude_code.read_ends(payload, "", world)]


def one(payload: dict, world: World | None = None) -> ChildEnd:
    (end,) = read(payload, world)
    return end


def transcript(*rows: dict) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def answer(
    identity: str, output: int, *, model: str = "claude-haiku-5-5", stop: str | None = "end_turn", **block
) -> dict:
    content = [{"type": "text", "text": "said", **block}]
    usage = {
        "input_tokens": 10,
        "output_tokens": output,
        "cache_read_input_tokens": 300,
        "cache_creation_input_tokens": 20,
    }
    message = {"id": identity, "model": model, "stop_reason": stop, "usage": usage, "content": content}
    return {"type": "assistant", "message": message}


def ended(path: str = "/t/agent-a.jsonl", status: str = "completed") -> ChildEnd:
    spawn = claude_code.ids({"session_id": "s"})
    return ChildEnd(spawn=spawn, agent_id="a", status=status, transcript=path)


# --- which event says what -------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "status", "kind"),
    [
        ("PostToolUse-Agent-async", "launched", ""),
        ("PostToolUse-Agent-completed-rewritten", "completed", ""),
        ("PostToolUse-Agent-partial-after-error", "error", "unknown"),
        ("PostToolUseFailure-Agent-http-429", "error", "rate_limit"),
        ("PostToolUseFailure-Agent-model-404", "error", "model_not_found"),
        ("PostToolUseFailure-Agent-unknown-type", "error", "not_started"),
        ("PostToolUseFailure-Agent-denied-type", "error", "not_started"),
        ("SubagentStop-foreground", "completed", ""),
        ("SubagentStop-background", "completed", ""),
        ("SubagentStop-auto-mode", "completed", ""),
        ("SubagentStop-workflow", "completed", ""),
        ("StopFailure-subagent-http-500", "error", "server_error"),
        ("StopFailure-background-subagent", "error", "server_error"),
        ("PostToolUse-TaskStop", "stopped", ""),
    ],
)
def test_each_event_says_how_a_child_ended(name, status, kind):
    end = one(capture(name))
    assert (end.status, end.error_kind) == (status, kind)


@pytest.mark.parametrize(
    "name", ["SubagentStop-internal-compact", "PostToolUse-SendMessage-resume", "PostToolUse-Bash", "SessionEnd-print"]
)
def test_what_no_spawn_asked_for_has_no_end(name):
    assert read(capture(name)) == []


def test_an_agent_names_its_call_through_the_file_beside_its_transcript():
    payload = capture("SubagentStop-nested")
    world = world_of("nested", payload["session_id"])
    end = one(payload, world)
    assert end.agent_id == payload["agent_id"]
    assert end.spawn.tool_use_id.startswith("toolu_")


def test_the_usage_of_the_result_is_the_last_call_only_and_the_transcript_has_all():
    payload = capture("PostToolUse-Agent-two-api-calls")
    agent = payload["tool_response"]["agentId"]
    path = next((TRANSCRIPTS / "foreground-two-calls" / "subagents").glob("*.jsonl"))
    rows = {
        row["message"]["id"]: row["message"]["usage"]
        for row in map(json.loads, path.read_text().splitlines())
        if row["type"] == "assistant"
    }
    assert len(rows) == 2
    folder = payload["transcript_path"].removesuffix(".jsonl") + "/subagents/"
    end = one(payload, World({f"{folder}agent-{agent}.jsonl": path.read_bytes()}))
    assert end.usage is not None
    assert end.usage.tokens.output == sum(usage["output_tokens"] for usage in rows.values())
    assert end.usage.tokens.output > payload["tool_response"]["usage"]["output_tokens"]


def test_once_a_session_is_over_its_open_children_are_settled_from_their_files():
    payload = {**capture("SessionEnd-print"), "transcript_path": SESSION + "s.jsonl"}
    (interrupted,) = read(payload, world_of("interrupted", "s"))
    assert (interrupted.status, interrupted.usage) == ("interrupted", None)
    (failed,) = read(payload, world_of("failed-529", "s"))
    assert (failed.status, failed.error_kind) == ("error", "server_error")
    (resumed,) = read(payload, world_of("resumed", "s"))
    assert resumed.status == "completed"
    stopped = read(payload, world_of("bg-killed-tui", "s"))
    assert sorted(end.status for end in stopped) == ["interrupted", "stopped"]
    assert read({**payload, "reason": "clear"}, world_of("interrupted", "s")) == [], "those in the background go on"


@pytest.mark.parametrize("agent", ["../../etc/passwd", "a/b", ""])
def test_an_agent_id_that_is_no_file_name_leads_nowhere(agent):
    payload = {**capture("PostToolUse-TaskStop")}
    payload["tool_response"] = {"task_id": agent, "task_type": "local_agent"}
    assert all(not end.transcript for end in read(payload))


@pytest.mark.parametrize(
    ("reason", "error", "status", "kind"),
    [
        ("answer", "", "completed", ""),
        ("aborted", "", "interrupted", ""),
        ("stopped", "", "stopped", ""),
        ("refusal", "", "error", "refusal"),
        ("error", "rate_limit", "error", "rate_limit"),
        ("error", "", "error", "unknown"),
        ("something new", "", "unknown", ""),
    ],
)
def test_the_mod_tells_of_every_end(reason, error, status, kind):
    usage = [{"model": "claude-haiku-5-5", "input_tokens": 5, "output_tokens": 7, "cache_read_input_tokens": -1}]
    told = {"agent_id": "a", "reason": reason, "error": error, "usage": usage, "main_tokens": 99}
    end = one({"entry": "mod", "hook_event_name": "AgentEnded", "session_id": "s", **told})
    assert (end.status, end.error_kind) == (status, kind)
    assert end.usage == Usage(
        model="claude-haiku-5-5",
        tokens=Tokens(input=5, output=7),
        partial=status not in ("completed", "error"),
        main_tokens=99,
    )


# --- the transcript ----------------------------------------------------------------


def test_the_last_row_of_a_message_counts_and_notices_count_for_nothing():
    rows = [answer("m1", 1, stop=None), answer("m1", 50, stop="tool_use"), answer("m2", 7)]
    notice = {"type": "assistant", "message": {"model": "<synthetic>", "usage": {"input_tokens": 9}, "content": []}}
    world = World({"/t/agent-a.jsonl": transcript(*rows, notice)})
    end = claude_code.read_usage(ended(), world)
    assert end.usage is not None
    assert end.usage.tokens == Tokens(input=20, output=57, cache_read=600, cache_write=40)
    assert (end.usage.cumulative, end.usage.partial, end.usage.mixed) == (True, False, False)


def test_a_late_last_row_is_waited_for_and_a_missing_one_makes_the_count_partial():
    early = transcript(answer("m1", 5, stop="tool_use"))
    world = World({"/t/agent-a.jsonl": early})
    world.arrives = {"/t/agent-a.jsonl": (early + transcript(answer("m2", 6))).encode()}
    end = claude_code.read_usage(ended(), world)
    assert end.usage is not None
    assert (end.usage.tokens.output, end.usage.partial) == (11, False)
    world = World({"/t/agent-a.jsonl": early})
    end = claude_code.read_usage(ended(), world)
    assert end.usage is not None
    assert (end.usage.tokens.output, end.usage.partial) == (5, True)
    assert 0.3 < world.clock < 0.6, "the wait is bounded"


def test_an_interrupted_child_is_not_waited_for_and_is_partial():
    world = World({"/t/agent-a.jsonl": transcript(answer("m1", 5))})
    end = claude_code.read_usage(ended(status="interrupted"), world)
    assert end.usage is not None
    assert end.usage.partial
    assert world.clock == 0


def test_a_child_on_two_models_is_marked():
    world = World({"/t/agent-a.jsonl": transcript(answer("m1", 5), answer("m2", 5, model="claude-opus-5-5"))})
    end = claude_code.read_usage(ended(), world)
    assert end.usage is not None
    assert (end.usage.mixed, end.usage.model) == (True, "claude-opus-5-5")


def test_a_report_by_tool_in_auto_mode_is_final():
    handback = answer("m1", 5, stop="tool_use", type="tool_use", name="SubagentHandback", id="t1")
    result = {"type": "user", "message": {"content": [{"type": "tool_result", "tool_use_id": "t1"}]}}
    world = World({"/t/agent-a.jsonl": transcript(handback, result)})
    end = claude_code.read_usage(ended(), world)
    assert end.usage is not None
    assert not end.usage.partial
    assert world.clock == 0


@pytest.mark.parametrize(
    "data", [b"", b"\xff\xfe\n", b'{"type":"assistant"}\n', b'{"type":"assistant","message":5}\n', b'{"type":"user"']
)
def test_a_damaged_or_missing_transcript_costs_the_figures_only(data):
    end = claude_code.read_usage(ended(status="interrupted"), World({"/t/agent-a.jsonl": data}))
    assert end.status == "interrupted"
    assert end.usage is None or end.usage.tokens == Tokens()
    assert claude_code.read_usage(ended("/t/gone.jsonl", "error"), World()).usage is None


def test_a_row_with_absurd_numbers_counts_as_nothing():
    row = answer("m1", 5)
    row["message"]["usage"] = {
        "input_tokens": -5,
        "output_tokens": 10**15,
        "cache_read_input_tokens": "7",
        "cache_creation_input_tokens": True,
    }
    end = claude_code.read_usage(ended(), World({"/t/agent-a.jsonl": transcript(row)}))
    assert end.usage is not None
    assert end.usage.tokens == Tokens()


def test_the_captures_are_there():
    assert {path.name for path in Path(TRANSCRIPTS).iterdir()} >= {
        "interrupted",
        "failed-529",
        "resumed",
        "partial-500",
    }
