"""Harness × kind of baseline, through the adapters: which model a child would run on, and how surely it is known.

One row for every kind that a harness can have. A kind without a row is one that
the harness cannot have: nothing on it says so much.
"""

from __future__ import annotations

import json
from types import ModuleType

import pytest

from downshift.catalog.lookup import load
from downshift.harnesses import antigravity, claude_code, codex, cursor, grok, kirocrew, opencode
from downshift.harnesses.base import Plan
from tests.support.world import World, agent_file

KINDS = ("explicit", "definition", "inherited", "settings", "parent_guess", "unknown")
ADAPTERS = {
    adapter.CAPABILITIES.name: adapter
    for adapter in (claude_code, codex, cursor, kirocrew, antigravity, opencode, grok)
}
TURN = json.dumps({"type": "turn_context", "payload": {"model": "gpt-6.2-sol", "effort": "high"}}) + "\n"
ISSUED = {
    "type": "assistant",
    "message": {"model": "claude-opus-5-5", "content": [{"type": "tool_use", "id": "call_1"}]},
}


def claude_call(**call: object) -> dict:
    tool_input = {"prompt": "Rename x to y.", **call}
    ids = {"session_id": "s", "tool_use_id": "call_1", "cwd": "/p", "transcript_path": "/t/s.jsonl"}
    return {"hook_event_name": "PreToolUse", "tool_name": "Agent", "tool_input": tool_input, **ids}


def codex_call(parent: str = "", **call: object) -> dict:
    tool_input = {"task_name": "rename_x", "message": "gAAAA", "fork_turns": "none", **call}
    where = {"transcript_path": "/t/s.jsonl", "cwd": "/p", "model": parent}
    return {"hook_event_name": "PreToolUse", "tool_name": "collaborationspawn_agent", "tool_input": tool_input, **where}


def cursor_call(model_id: str = "", **call: object) -> dict:
    tool_input = {"prompt": "Rename x to y.", "subagent_type": "prober", **call}
    where = {"workspace_roots": ["/p"], "model_id": model_id, "model": "default"}
    return {"hook_event_name": "preToolUse", "tool_name": "Task", "tool_input": tool_input, **where}


def kiro_call(**call: object) -> dict:
    tool_input = {"task": "Rename x to y.", **call}
    return {"hook_event_name": "preToolUse", "tool_name": "@kirocrew-core/spawn_run", "tool_input": tool_input}


def antigravity_call(model_name: str = "", **child: object) -> dict:
    subagent = {"Prompt": "Rename x to y.", "TypeName": "prober", **child}
    where = {"conversationId": "c", "workspacePaths": ["/p"], "modelName": model_name}
    return {"toolCall": {"name": "invoke_subagent", "args": {"Subagents": [subagent]}}, **where}


def opencode_call(model: str) -> dict:
    return {"v": 1, "type": "spawn", "correlation": {"call": "call_1"}, "model": model, "prompt": "Rename x to y."}


def grok_call(**call: object) -> dict:
    tool_input = {"prompt": "Rename x to y.", "subagent_type": "explore", **call}
    return {"hookEventName": "pre_tool_use", "toolName": "spawn_subagent", "toolInput": tool_input, "cwd": "/p"}


# harness, kind, the model, what the harness sends, the files of the machine
TABLE = (
    ("claude-code", "explicit", "haiku", claude_call(model="haiku"), {}),
    ("claude-code", "definition", "sonnet", claude_call(subagent_type="statusline-setup"), {}),
    ("claude-code", "definition", "haiku", claude_call(subagent_type="prober"),
     {"/p/.claude/agents/prober.md": agent_file("prober", model="haiku")}),
    ("claude-code", "inherited", "claude-opus-5-5", claude_call(), {"/t/s.jsonl": json.dumps(ISSUED) + "\n"}),
    ("claude-code", "settings", "opus", claude_call(), {"/p/.claude/settings.json": '{"model": "opus"}'}),
    ("claude-code", "unknown", "", claude_call(subagent_type="ghost"), {}),
    ("codex", "explicit", "gpt-6-luna", codex_call("gpt-6.2-sol", model="gpt-6-luna"), {}),
    ("codex", "definition", "gpt-5.6-terra", codex_call(agent_type="reviewer"),
     {"/home/me/.codex/agents/reviewer.toml": 'model = "gpt-5.6-terra"\n'}),
    ("codex", "inherited", "gpt-6.2-sol", codex_call("gpt-5.5"), {"/t/s.jsonl": TURN}),
    ("codex", "inherited", "gpt-5.5", codex_call("gpt-5.5"), {}),
    ("codex", "settings", "gpt-6-luna", codex_call("gpt-5.5"),
     {"/home/me/.codex/config.toml": '[agents]\ndefault_subagent_model = "gpt-6-luna"\n'}),
    ("codex", "unknown", "", codex_call(), {}),
    ("codex", "unknown", "", codex_call("gpt-5.5", agent_type="ghost"), {}),
    ("cursor", "explicit", "composer-2.5", cursor_call("claude-opus-5-5-medium", model="composer-2.5"), {}),
    ("cursor", "definition", "composer-2.5", cursor_call("claude-opus-5-5-medium"),
     {"/p/.cursor/agents/prober.md": agent_file("prober", model="composer-2.5")}),
    ("cursor", "definition", "", cursor_call("claude-opus-5-5-medium", subagent_type="explore"), {}),
    ("cursor", "parent_guess", "claude-opus-5-5-medium", cursor_call("claude-opus-5-5-medium", model="inherit"), {}),
    ("cursor", "unknown", "", cursor_call(), {}),
    ("kirocrew", "explicit", "claude-opus-4.8", kiro_call(model="claude-opus-4.8"), {}),
    ("kirocrew", "unknown", "", kiro_call(), {}),
    ("antigravity", "explicit", "pro", antigravity_call("gemini-3.7-flash-high", Model="pro"), {}),
    ("antigravity", "definition", "gemini-3.8-flash-high", antigravity_call("gemini-3.8-pro"),
     {"/p/.agents/agents/prober.md": agent_file("prober", model="gemini-3.8-flash-high")}),
    ("antigravity", "inherited", "gemini-3.7-flash-high", antigravity_call("gemini-3.7-flash-high", Model="inherit"), {}),
    ("antigravity", "unknown", "", antigravity_call(Model="inherit"), {}),
    ("opencode", "inherited", "anthropic/claude-opus-5-5", opencode_call("anthropic/claude-opus-5-5"), {}),
    ("opencode", "unknown", "", opencode_call(""), {}),
    ("grok", "explicit", "grok-4.7", grok_call(model="grok-4.7"), {}),
    ("grok", "definition", "grok-4.7-build-fast", grok_call(),
     {"/home/me/.grok/config.toml": '[subagents.models]\nexplore = "grok-4.7-build-fast"\n'}),
    ("grok", "unknown", "", grok_call(), {}),
)  # fmt: skip


def adapter_of(harness: str) -> ModuleType:
    return ADAPTERS[harness]


@pytest.mark.parametrize(("harness", "kind", "model", "payload", "files"), TABLE)
def test_a_baseline_has_the_kind_and_model_of_the_table(harness, kind, model, payload, files):
    adapter, world = adapter_of(harness), World(files)
    child = adapter.read_spawn(payload, world.env)
    assert child is not None
    found = adapter.baseline(child, world)
    assert (found.kind, found.model) == (kind, model)


@pytest.mark.parametrize(("harness", "kind", "model", "payload", "files"), TABLE)
def test_the_catalog_knows_every_model_of_the_table(harness, kind, model, payload, files):
    assert (load(harness).find(model) is not None) == bool(model)


def test_every_harness_may_not_know_and_every_kind_has_a_row():
    assert {harness for harness, kind, *_ in TABLE if kind == "unknown"} == set(ADAPTERS)
    assert {kind for _, kind, *_ in TABLE} == set(KINDS)


@pytest.mark.parametrize("harness", ADAPTERS)
def test_an_empty_plan_gives_the_harnesses_own_neutral_answer(harness):
    adapter = adapter_of(harness)
    payload = next(payload for name, _, _, payload, _ in TABLE if name == harness)
    child = adapter.read_spawn(payload, {})
    assert adapter.write_answer(Plan(), child, payload, "a line") == adapter.CAPABILITIES.neutral_answer


@pytest.mark.parametrize("harness", ADAPTERS)
def test_a_sample_is_a_spawn_of_its_own_harness_with_a_frontier_model(harness):
    adapter = adapter_of(harness)
    child = adapter.read_spawn(adapter.sample(), {})
    assert child.harness == harness
    found = load(harness).find(adapter.baseline(child, World()).model)
    assert found is not None
    assert found.tier == "frontier"
