"""The parent's model in the transcript: of this very call, in any state a transcript can be in."""

from __future__ import annotations

import json
import time

import pytest

from downshift.core.spawn import Spawn
from downshift.harnesses.claude_code.child_model import read_baseline
from downshift.harnesses.claude_code.transcript import issuing_model
from downshift.harnesses.readers import Readers
from tests.conftest import REPOSITORY
from tests.support.world import World

PATH = "/t/session.jsonl"
OPUS, SONNET, HAIKU = "claude-opus-5-5", "claude-sonnet-5-5", "claude-haiku-5-5"
CAPTURES = REPOSITORY / "tests" / "payloads" / "claude-code" / "transcripts"


def call(model: str, identity: str, **fields: object) -> bytes:
    block = {"type": "tool_use", "id": identity, "name": "Agent", "input": {"model": "haiku", "prompt": "x"}}
    row = {"type": "assistant", "message": {"role": "assistant", "model": model, "content": [block]}, **fields}
    return json.dumps(row).encode() + b"\n"


def request(model: str) -> bytes:
    return json.dumps({"type": "api-request", "params": {"model": model}}).encode() + b"\n"


def spawn(**fields: str) -> Spawn:
    given = {"harness": "claude-code", "entry": "hook", "task": "x", "transcript_path": PATH, "tool_use_id": "toolu_1"}
    return Spawn(**{**given, **fields})


def model_in(data: bytes, **fields: str) -> str:
    return issuing_model(spawn(**fields), World({PATH: data}))


def test_the_row_that_issued_this_call_decides_not_the_newest():
    assert model_in(call(OPUS, "toolu_1") + call(SONNET, "toolu_2")) == OPUS


def test_a_result_that_mentions_the_call_is_not_its_row():
    result = b'{"type":"user","message":{"content":[{"tool_use_id":"toolu_1","id":"toolu_1"}],"model":"x"}}\n'
    assert model_in(call(OPUS, "toolu_1") + result) == OPUS


@pytest.mark.parametrize(
    "damage",
    [
        b"{torn",
        b"\xff\xfe\n",
        b"[]\n",
        b'{"type":"assistant","message":"toolu_1"}\n',
        b"null\n",
        b"\n\n",
        b"toolu_1 assistant\n",
    ],
)
def test_damaged_rows_are_passed_over(damage):
    assert model_in(call(OPUS, "toolu_1") + damage) == OPUS


def test_a_line_separator_inside_a_string_does_not_split_the_row():
    row = call(OPUS, "toolu_1").replace(b'"prompt": "x"', '"prompt": "a\u2028b\u0085c"'.encode())
    assert model_in(row) == OPUS


def test_a_row_that_comes_late_is_waited_for():
    world = World({PATH: request(SONNET)})
    world.arrives[PATH] = request(SONNET) + call(OPUS, "toolu_1")
    assert issuing_model(spawn(), world) == OPUS
    assert 0.1 < world.clock < 0.4


def test_after_the_wait_the_newest_request_or_answer_serves():
    world = World({PATH: call(OPUS, "toolu_0") + request(SONNET)})
    assert issuing_model(spawn(), world) == SONNET
    assert world.clock == pytest.approx(0.4, abs=0.05)


def test_a_synthetic_row_names_no_model():
    assert model_in(call(OPUS, "toolu_0") + call("<synthetic>", "toolu_9")) == OPUS


def test_a_nested_caller_has_a_transcript_of_its_own():
    files = {
        PATH: call(OPUS, "toolu_0"),
        "/t/session/subagents/agent-a1.jsonl": call(HAIKU, "toolu_1"),
        "/t/session/subagents/workflows/wf_9/agent-a2.jsonl": call(SONNET, "toolu_1"),
    }
    assert issuing_model(spawn(parent_agent_id="a1"), World(files)) == HAIKU
    assert issuing_model(spawn(parent_agent_id="a2"), World(files)) == SONNET
    assert issuing_model(spawn(parent_agent_id="ghost"), World(files)) == ""


def test_without_any_row_the_settings_are_a_guess():
    world = World({"/home/me/.claude/settings.json": '{"model": "opus[1m]"}'})
    found = read_baseline(spawn(), world)
    assert (found.kind, found.model, found.guessed) == ("settings", "opus", True)


@pytest.mark.parametrize(
    ("env", "files", "mode", "model"),
    [
        ({"ANTHROPIC_MODEL": "sonnet"}, {"/p/.claude/settings.json": '{"model":"opus"}'}, "", "sonnet"),
        (
            {},
            {"/p/.claude/settings.local.json": '{"model":"haiku"}', "/p/.claude/settings.json": '{"model":"opus"}'},
            "",
            "haiku",
        ),
        ({}, {"/home/me/.claude/settings.json": '{"model":"opusplan"}'}, "plan", "opus"),
        ({}, {"/home/me/.claude/settings.json": '{"model":"opusplan"}'}, "default", "sonnet"),
        ({"CLAUDE_CONFIG_DIR": "/cfg"}, {"/cfg/settings.json": '{"model":"opus"}'}, "", "opus"),
        ({}, {"/home/me/.claude/settings.json": '{"model":"default"}'}, "", ""),
        ({}, {"/home/me/.claude/settings.json": '{"model": 7}'}, "", ""),
        ({}, {"/home/me/.claude/settings.json": "{broken"}, "", ""),
        ({}, {}, "", ""),
    ],
)
def test_the_configured_model_is_read_in_claude_codes_own_order(env, files, mode, model):
    found = read_baseline(spawn(transcript_path="", cwd="/p", permission_mode=mode), World(files, env))
    assert found.model == model
    assert found.kind == ("settings" if model else "unknown")


@pytest.mark.parametrize(
    ("folder", "caller", "tool_use", "model"),
    [
        ("foreground-two-calls", "", "toolu_fake_0001_0", OPUS),
        ("nested", "ae1a54fe778596512", "toolu_fake_0004_0", SONNET),
    ],
)
def test_real_transcripts_give_the_model_that_was_on_the_wire(folder, caller, tool_use, model):
    path = next((CAPTURES / folder).glob("*.jsonl"))
    child = spawn(transcript_path=str(path), parent_agent_id=caller, tool_use_id=tool_use)
    assert issuing_model(child, Readers({})) == model


def test_a_transcript_of_600_megabytes_costs_what_its_tail_costs(sandbox):
    path = sandbox / "large.jsonl"
    with path.open("wb") as file:
        file.truncate(600 * 1024 * 1024)  # sparse: a hole of NULs, as damaged as a line can be
        file.seek(0, 2)
        file.write(b"\n" + call(OPUS, "toolu_1") + b'{"type":"user","text":"' + b"x" * 5_000_000 + b'"}\n' + b"torn")
    started = time.monotonic()
    assert issuing_model(spawn(transcript_path=str(path)), Readers({})) == OPUS
    assert time.monotonic() - started < 1.0
