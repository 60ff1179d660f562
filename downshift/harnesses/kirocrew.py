"""KiroCrew (over kiro-cli): payloads in, silence out. From the vendor's documents and source; never run here.

What is told there, and the reason for what stands below:
- A hook can let a call pass (status 0, nothing printed) or block it (status 2).
  It cannot change it, so this adapter only reads.
- Only `spawn_run` takes a model. Kiro's own `subagent` tool has a field for one
  and ignores it, so neither that tool nor its older form is read here: nobody
  could do anything about such a spawn.
- The child of a call without a model runs on a default of the account, not on
  the parent's model, so nothing is inherited.
"""

from __future__ import annotations

from downshift.core.json_text import parse_object
from downshift.core.spawn import Baseline, Spawn
from downshift.harnesses.base import Capabilities, Plan, Wiring, always_open, never_applies, no_ends, no_usage
from downshift.harnesses.fields import (
    before_tool,
    in_home,
    named,
    our_commands,
    place,
    present,
    rows,
    strings,
    table,
    text,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from downshift.harnesses.readers import Readers

NAME = "kirocrew"
ONE_OR_MORE = "spawn_run"
AND_WAIT = "spawn_sub_agents"
PICKED_BY_KIRO = "auto"

CAPABILITIES = Capabilities(
    name=NAME,
    title="KiroCrew",
    neutral_answer="",
    can_rewrite_model=False,
    can_apply_effort=False,
    strict_model_names=False,
    infer_session=False,
    model_override_env="",
    child_end_events=("postToolUse",),
    usage_source="none",
    honor_source="none",
    can_show_child_line=False,
    session_env="",
    payload_markers=(),
    evidence="documented",
)

gate_open = always_open
effort_applies = never_applies
read_ends = no_ends
read_usage = no_usage


def read_spawn(payload: Mapping[str, Any], env: Mapping[str, str]) -> Spawn | None:
    """A spawn from a preToolUse payload; None for any other tool or an empty brief."""
    del env
    tool = text(payload, "tool_name").rpartition("/")[2]
    call = table(payload, "tool_input")
    if not before_tool(text(payload, "hook_event_name")):
        return None
    task, agent_type = _asked(tool, call)
    if not task.strip():
        return None
    return Spawn(
        harness=NAME,
        entry="hook",
        task=task,
        session_id=text(payload, "session_id"),
        agent_type=agent_type,
        model=text(call, "model") if tool == ONE_OR_MORE else "",
        cwd=text(payload, "cwd"),
    )


def baseline(spawn: Spawn, readers: Readers) -> Baseline:
    """The call's model; without one nobody can tell."""
    del readers
    model = named(spawn.model, PICKED_BY_KIRO)
    return Baseline(kind="explicit" if model else "unknown", model=model)


def write_answer(plan: Plan, spawn: Spawn, payload: Mapping[str, Any], line: str) -> str:
    """Nothing: whatever is printed before a tool is ignored, or worse, read as context."""
    del plan, spawn, payload, line
    return CAPABILITIES.neutral_answer


def wiring(readers: Readers) -> Wiring:
    """The hooks that KiroCrew copies into its agents. kiro-cli alone is not KiroCrew, so its program proves nothing."""
    folder = place(readers.env.get("KIRO_HOME") or in_home(readers.env, ".kiro"), "crew")
    agent = table(parse_object(readers.text(place(folder, "config.json"))) or {}, "agent")
    return Wiring(installed=present(readers, [folder]), commands=our_commands(table(agent, "kiro_hooks")))


def sample() -> dict[str, Any]:
    """A spawn with the model named in the call."""
    return {
        "hook_event_name": "preToolUse",
        "session_id": "downshift-doctor",
        "tool_name": "@kirocrew-core/spawn_run",
        "tool_input": {
            "task": "List the files in src/.",
            "agent": "kirocrew-worker",
            "model": "claude-opus-5.5",
        },
    }


def _asked(tool: str, call: Mapping[str, Any]) -> tuple[str, str]:
    """What is asked of the children of one call, and of which type they are; empty where they differ or do not say.

    The children of a call share one model, so the hardest of their tasks decides, and all are judged together.
    """
    if tool == ONE_OR_MORE:
        return text(call, "task") or "\n".join(strings(call, "tasks")), text(call, "agent")
    if tool != AND_WAIT:
        return "", ""
    children = rows(call, "agents")
    types = {text(child, "agent_or_mode") for child in children}
    return "\n".join(text(child, "prompt") for child in children), types.pop() if len(types) == 1 else ""
