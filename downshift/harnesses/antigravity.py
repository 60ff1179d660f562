"""Antigravity: payloads in, answers out. From documents and other people's captures; never run here.

What is told there, and the reason for what stands below:
- There is no silent answer: an empty object, bad JSON or an unknown key denies
  the call. Every answer is one whole decision.
- One call starts several subagents. The last one with a prompt is judged, and
  only its model is changed.
- A child names its model by alias (flash_lite, flash, pro), its parent reports a
  full id that the catalog maps to one. The effort is part of the id.
- A payload names no event. The one after a tool has ended carries `error`.
"""

from __future__ import annotations

from downshift.core.json_text import parse_object, render
from downshift.core.spawn import Baseline, Spawn
from downshift.harnesses.base import Capabilities, Plan, Wiring, always_open, never_applies, no_ends, no_usage
from downshift.harnesses.fields import (
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
    from collections.abc import Mapping
    from typing import Any

    from downshift.harnesses.readers import Readers

NAME = "antigravity"
SPAWN_TOOL = "invoke_subagent"
WIRE_MODELS = ("flash_lite", "flash", "pro")
# ~/.gemini itself belongs to the Gemini CLI.
_FOLDERS = ("config", "antigravity", "antigravity-cli", "antigravity-ide")

CAPABILITIES = Capabilities(
    name=NAME,
    title="Antigravity",
    neutral_answer='{"decision": "allow"}',
    can_rewrite_model=True,
    can_apply_effort=False,
    strict_model_names=True,
    infer_session=False,
    model_override_env="",
    child_end_events=("Stop",),
    usage_source="none",
    honor_source="child payload modelName",
    can_show_child_line=False,
    session_env="",
    payload_markers=("toolCall", "stepIdx"),
    evidence="documented",
)

gate_open = always_open
effort_applies = never_applies
read_ends = no_ends
read_usage = no_usage


def read_spawn(payload: Mapping[str, Any], env: Mapping[str, str]) -> Spawn | None:
    """The last subagent with a prompt; None for any other tool, and when no subagent has one."""
    del env
    tool = table(payload, "toolCall")
    if text(tool, "name") != SPAWN_TOOL or "error" in payload:
        return None
    subagents = _subagents(tool)
    judged = _judged(subagents)
    if judged is None:
        return None
    child = subagents[judged]
    return Spawn(
        harness=NAME,
        entry="hook",
        task=text(child, "Prompt"),
        session_id=text(payload, "conversationId"),
        agent_type=text(child, "TypeName"),
        model=text(child, "Model"),
        parent_model=text(payload, "modelName").strip(),
        cwd=next(iter(strings(payload, "workspacePaths")), ""),
        transcript_path=text(payload, "transcriptPath"),
    )


def baseline(spawn: Spawn, readers: Readers) -> Baseline:
    """The subagent's own model, then its definition's, then the parent's."""
    model = named(spawn.model)
    if model:
        return Baseline(kind="explicit", model=model)
    folders = (place(folder, ".agents", "agents") for folder in upwards(spawn.cwd, readers))
    model = pinned_model(spawn.agent_type, folders, readers)
    if model:
        return Baseline(kind="definition", model=model)
    return Baseline(kind="inherited" if spawn.parent_model else "unknown", model=spawn.parent_model)


def write_answer(plan: Plan, spawn: Spawn, payload: Mapping[str, Any], line: str) -> str:
    """Every argument as it came, with one subagent's model changed; else the plain permission."""
    del spawn, line
    arguments = table(table(payload, "toolCall"), "args")
    subagents = list(_subagents(table(payload, "toolCall")))
    judged = _judged(subagents)
    if plan.model not in WIRE_MODELS or judged is None:
        return CAPABILITIES.neutral_answer
    subagents[judged] = {**subagents[judged], "Model": plan.model}
    return render({"decision": "allow", "overwrite": {**arguments, "Subagents": subagents}})


def wiring(readers: Readers) -> Wiring:
    """The hooks in the machine's own hooks.json, by name; one that is switched off does not count."""
    folders = [in_home(readers.env, ".gemini", name) for name in _FOLDERS]
    by_name = parse_object(readers.text(place(folders[0], "hooks.json"))) or {}
    enabled = [hooks for hooks in by_name.values() if isinstance(hooks, dict) and hooks.get("enabled") is not False]
    commands = tuple(command for hooks in enabled for command in our_commands(hooks))
    return Wiring(installed=present(readers, folders, "agy"), commands=commands)


def sample() -> dict[str, Any]:
    """A spawn with the model named for the subagent."""
    child = {"TypeName": "general", "Role": "Lister", "Prompt": "List the files in src/.", "Model": "pro"}
    return {
        "conversationId": "downshift-doctor",
        "transcriptPath": "",
        "workspacePaths": [],
        "modelName": "gemini-3.8-pro",
        "stepIdx": 1,
        "toolCall": {"name": SPAWN_TOOL, "args": {"Subagents": [child]}},
    }


def _subagents(tool: Mapping[str, Any]) -> list[Any]:
    """The list as it came: entries that are not understood must be given back too."""
    subagents = table(tool, "args").get("Subagents")
    return subagents if isinstance(subagents, list) else []


def _judged(subagents: list[Any]) -> int | None:
    places = [at for at, each in enumerate(subagents) if isinstance(each, dict) and text(each, "Prompt").strip()]
    return places[-1] if places else None
