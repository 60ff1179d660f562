"""Grok: payloads in, answers out. From the vendor's source and guide for 1.0.6; never run here.

What is told there, and the reason for what stands below:
- Keys are in camel case, the event's name is not.
- An input over 128 KB arrives cut: such a spawn is left alone, since the answer
  replaces the whole input.
- An input that Grok does not accept blocks the call, and so does a model it does
  not list. A spawn has no field for an effort.
- A payload does not name the parent's model, so nothing is inherited here.
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
    table,
    text,
    toml_strings,
    upwards,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from downshift.harnesses.readers import Readers

NAME = "grok"
SPAWN_TOOL = "spawn_subagent"

CAPABILITIES = Capabilities(
    name=NAME,
    title="Grok",
    neutral_answer="{}",
    can_rewrite_model=True,
    can_apply_effort=False,
    # Grok refuses what it does not list, and a session list is what it lists: every id in it may be written.
    strict_model_names=False,
    infer_session=False,
    model_override_env="",
    child_end_events=("SubagentStop", "PostToolUse", "PostToolUseFailure"),
    usage_source="child session updates",
    honor_source="meta.json of the child",
    can_show_child_line=False,
    session_env="",
    payload_markers=("hookEventName", "workspaceRoot", "toolUseId"),
    evidence="documented",
)

gate_open = always_open
effort_applies = never_applies
read_ends = no_ends
read_usage = no_usage


def read_spawn(payload: Mapping[str, Any], env: Mapping[str, str]) -> Spawn | None:
    """A spawn from a PreToolUse payload; None for any other tool, a cut input, or an empty brief."""
    del env
    call = table(payload, "toolInput")
    task = text(call, "prompt") or text(call, "description")
    if text(payload, "toolName") != SPAWN_TOOL or not before_tool(text(payload, "hookEventName")):
        return None
    if payload.get("toolInputTruncated") is True or not task.strip():
        return None
    return Spawn(
        harness=NAME,
        entry="hook",
        task=task,
        session_id=text(payload, "sessionId"),
        tool_use_id=text(payload, "toolUseId"),
        agent_type=text(call, "subagent_type"),
        model=text(call, "model"),
        permission_mode=text(payload, "permissionMode"),
        keeps_model="resume" if text(call, "resume_from") else "",
        cwd=text(payload, "cwd") or text(payload, "workspaceRoot"),
        transcript_path=text(payload, "transcriptPath"),
    )


def baseline(spawn: Spawn, readers: Readers) -> Baseline:
    """The call's model, then the one that the configuration or a definition pins for its type."""
    model = named(spawn.model)
    if model:
        return Baseline(kind="explicit", model=model)
    own = _home(readers)
    config = toml_strings(readers.text(place(own, "config.toml")))
    folders = (*(place(folder, ".grok", "agents") for folder in upwards(spawn.cwd, readers)), place(own, "agents"))
    model = config.get(("subagents", "models", spawn.agent_type), "") or pinned_model(
        spawn.agent_type, folders, readers
    )
    return Baseline(kind="definition" if model else "unknown", model=model)


def write_answer(plan: Plan, spawn: Spawn, payload: Mapping[str, Any], line: str) -> str:
    """The whole input with the model changed, and no decision: Grok's own permission check goes on."""
    del spawn, line
    if not plan.model:
        return CAPABILITIES.neutral_answer
    changed = {**payload["toolInput"], "model": plan.model}
    return render({"hookSpecificOutput": {"hookEventName": "PreToolUse", "updatedInput": changed}})


def wiring(readers: Readers) -> Wiring:
    """The hooks in every file of the user's own hooks folder, which Grok always trusts."""
    folder = _home(readers)
    hooks = place(folder, "hooks")
    files = [file for file in readers.names(hooks) if file.endswith(".json")]
    told = [parse_object(readers.text(place(hooks, file))) or {} for file in files]
    commands = tuple(command for each in told for command in our_commands(table(each, "hooks")))
    return Wiring(installed=present(readers, [folder], "grok"), commands=commands)


def sample() -> dict[str, Any]:
    """A spawn with the model named in the call."""
    return {
        "hookEventName": "pre_tool_use",
        "sessionId": "downshift-doctor",
        "cwd": "/",
        "workspaceRoot": "/",
        "permissionMode": "default",
        "toolName": SPAWN_TOOL,
        "toolUseId": "call_downshift_doctor",
        "toolInputTruncated": False,
        "toolInput": {
            "description": "List files",
            "prompt": "List the files in src/.",
            "subagent_type": "general-purpose",
            "background": False,
            "model": "grok-4.7",
        },
    }


def _home(readers: Readers) -> str:
    return readers.env.get("GROK_HOME") or in_home(readers.env, ".grok")
