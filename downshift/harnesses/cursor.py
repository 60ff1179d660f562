"""Cursor: payloads in, answers out. From the vendor's documents and other people's captures; never run here.

What is told there, and the reason for what stands below:
- A Task call carries no transcript, and its top-level `model` is often empty.
  The parent's model is a guess for the child: Cursor may start it on a fast
  variant, or on Composer where the plan does not cover the model.
- The effort is part of a model's id, so none is written.
- Whether a rewritten model is honored has been doubted; nothing here claims it.
"""

from __future__ import annotations

from downshift.core.json_text import parse_object, render
from downshift.core.spawn import Baseline, Spawn
from downshift.harnesses.base import Capabilities, Plan, Wiring, always_open, never_applies, no_ends, no_usage
from downshift.harnesses.fields import (
    before_tool,
    in_home,
    named,
    our_commands,
    pinned_model,
    place,
    present,
    strings,
    table,
    text,
    upwards,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from downshift.harnesses.readers import Readers

NAME = "cursor"
SPAWN_TOOL = "Task"
PICKED_BY_CURSOR = "default"
# A built-in that always runs on a fast model of Cursor's choice: nobody can say which.
FIXED_TYPES = ("explore",)
_DEFINITIONS = (".cursor", ".claude", ".codex")

CAPABILITIES = Capabilities(
    name=NAME,
    title="Cursor",
    neutral_answer='{"permission": "allow"}',
    can_rewrite_model=True,
    can_apply_effort=False,
    strict_model_names=False,
    infer_session=False,
    model_override_env="",
    child_end_events=("subagentStop", "postToolUse", "postToolUseFailure"),
    usage_source="none",
    honor_source="child payload model_id",
    can_show_child_line=False,
    session_env="CURSOR_CONVERSATION_ID",
    payload_markers=("cursor_version", "conversation_id", "generation_id", "workspace_roots"),
    evidence="documented",
)

gate_open = always_open
effort_applies = never_applies
read_ends = no_ends
read_usage = no_usage


def read_spawn(payload: Mapping[str, Any], env: Mapping[str, str]) -> Spawn | None:
    """A spawn from a preToolUse payload; None for any other tool or an empty brief."""
    del env
    call = table(payload, "tool_input")
    task = text(call, "prompt") or text(call, "description")
    if text(payload, "tool_name") != SPAWN_TOOL or not before_tool(text(payload, "hook_event_name")):
        return None
    if not task.strip():
        return None
    parent = (named(text(payload, key), PICKED_BY_CURSOR) for key in ("model_id", "model"))
    return Spawn(
        harness=NAME,
        entry="hook",
        task=task,
        session_id=text(payload, "conversation_id") or text(payload, "session_id"),
        tool_use_id=text(payload, "tool_use_id"),
        agent_type=text(call, "subagent_type"),
        model=text(call, "model"),
        parent_model=next((model for model in parent if model), ""),
        keeps_model="resume" if text(call, "resume") else "",
        cwd=text(payload, "cwd") or next(iter(strings(payload, "workspace_roots")), ""),
        transcript_path=text(payload, "transcript_path"),
    )


def baseline(spawn: Spawn, readers: Readers) -> Baseline:
    """The call's model, then the definition's, then the parent's as a guess."""
    model = named(spawn.model, PICKED_BY_CURSOR)
    if model:
        return Baseline(kind="explicit", model=model)
    model = pinned_model(spawn.agent_type, _agents(spawn, readers), readers)
    if model or spawn.agent_type in FIXED_TYPES:
        return Baseline(kind="definition", model=model)
    return Baseline(kind="parent_guess" if spawn.parent_model else "unknown", model=spawn.parent_model)


def write_answer(plan: Plan, spawn: Spawn, payload: Mapping[str, Any], line: str) -> str:
    """The whole input with the model changed, and the permission that Cursor asks every answer for."""
    del spawn, line
    if not plan.model:
        return CAPABILITIES.neutral_answer
    return render({"permission": "allow", "updated_input": {**payload["tool_input"], "model": plan.model}})


def wiring(readers: Readers) -> Wiring:
    """The hooks in the user's own hooks.json, the one file that every Cursor reads."""
    folder = in_home(readers.env, ".cursor")
    hooks = parse_object(readers.text(place(folder, "hooks.json"))) or {}
    found = present(readers, [folder], "cursor", "cursor-agent")
    return Wiring(installed=found, commands=our_commands(table(hooks, "hooks")))


def sample() -> dict[str, Any]:
    """A spawn with the model named in the call."""
    return {
        "hook_event_name": "preToolUse",
        "conversation_id": "downshift-doctor",
        "generation_id": "downshift-doctor",
        "cursor_version": "3.24.9",
        "workspace_roots": [],
        "model": "",
        "tool_name": SPAWN_TOOL,
        "tool_use_id": "tool_downshift_doctor",
        "tool_input": {
            "description": "List files",
            "prompt": "List the files in src/.",
            "subagent_type": "generalPurpose",
            "model": "claude-opus-5-5-medium",
        },
    }


def _agents(spawn: Spawn, readers: Readers) -> Iterator[str]:
    """Where definitions lie: the project's before the user's own."""
    for base in (*upwards(spawn.cwd, readers), in_home(readers.env)):
        yield from (place(base, folder, "agents") for folder in _DEFINITIONS)
