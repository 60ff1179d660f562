"""Codex: payloads in, answers out. Written from measurements of 0.171.0; our own live tests are still ahead.

Measured, and the reason for what stands below:
- The newer spawn tool is reported with its namespace glued on
  (`collaborationspawn_agent`), so the name is matched by its end.
- There the brief reaches us as ciphertext: only the label of the task is read.
- A role that names a model beats the call and every hook. A call that names a
  model and no effort gets that model's own default effort.
- `updatedInput` replaces the whole input, counts only together with
  `permissionDecision: allow`, and a name Codex does not list kills the spawn.
"""

from __future__ import annotations

import os

from downshift.core.json_text import parse_object, render
from downshift.core.spawn import Baseline, Spawn
from downshift.harnesses.base import Capabilities, Plan, Wiring, always_applies, always_open, no_ends, no_usage
from downshift.harnesses.fields import (
    before_tool,
    in_home,
    named,
    our_commands,
    place,
    present,
    rows,
    table,
    text,
    toml_strings,
    upwards,
)  # fmt: skip
from downshift.harnesses.readers import Readers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

NAME = "codex"
FIRST_VERSION = ("spawn_agent", "multi_agent_v1spawn_agent")
ROLES_WITHOUT_MODEL = ("", "default", "explorer", "worker")
WIRE_EFFORTS = ("low", "medium", "high", "xhigh", "max", "ultra")
_WINDOWS = (64 * 1024, 1024 * 1024, 8 * 1024 * 1024)

CAPABILITIES = Capabilities(
    name=NAME,
    title="Codex",
    neutral_answer="{}",
    can_rewrite_model=True,
    can_apply_effort=True,
    # Codex refuses what it does not list, and a session list is what it lists: every id in it may be written.
    strict_model_names=False,
    infer_session=False,
    model_override_env="",
    child_end_events=("PostToolUse", "SubagentStart", "SubagentStop"),
    usage_source="child rollout",
    honor_source="SubagentStart model",
    can_show_child_line=False,
    session_env="",
    payload_markers=("turn_id",),
    usage_in_rollout=True,
    effort_alone=True,
    evidence="documented",
)

gate_open = always_open
effort_applies = always_applies
read_ends = no_ends
read_usage = no_usage


def read_spawn(payload: Mapping[str, Any], env: Mapping[str, str]) -> Spawn | None:
    """A spawn from a PreToolUse payload; None for any other tool, and when there is nothing to judge."""
    tool, call = text(payload, "tool_name"), table(payload, "tool_input")
    if not tool.endswith("spawn_agent") or not before_tool(text(payload, "hook_event_name")):
        return None
    first = tool in FIRST_VERSION and "task_name" not in call
    task = _message(call) if first else _label(call)
    if not task.strip():
        return None
    del env
    return Spawn(
        harness=NAME,
        entry="hook",
        task=task,
        session_id=text(payload, "session_id"),
        tool_use_id=text(payload, "tool_use_id"),
        agent_type=text(call, "agent_type"),
        model=text(call, "model"),
        effort=text(call, "reasoning_effort"),
        parent_model=text(payload, "model"),
        parent_agent_id=text(payload, "agent_id"),
        permission_mode=text(payload, "permission_mode"),
        # The first version forks when it is told to, the second unless it is told not to.
        forks_history=call.get("fork_context") is True if first else text(call, "fork_turns") != "none",
        cwd=text(payload, "cwd"),
        transcript_path=text(payload, "transcript_path"),
    )


def baseline(spawn: Spawn, readers: Readers) -> Baseline:
    """The role's model, the call's, the configured default for subagents, then that of the caller's newest turn."""
    role = _role(spawn, readers)
    if role is None:
        return Baseline(kind="unknown")
    if role:
        return Baseline(kind="definition", model=role)
    if named(spawn.model):
        return Baseline(kind="explicit", model=named(spawn.model))
    for _, config in _configs(spawn, readers):
        default = config.get(("agents", "default_subagent_model"), "")
        if default:
            return Baseline(kind="settings", model=default)
    model, effort = _turn(spawn.transcript_path, readers)
    model = model or spawn.parent_model
    return Baseline(kind="inherited" if model else "unknown", model=model, effort=effort)


def write_answer(plan: Plan, spawn: Spawn, payload: Mapping[str, Any], line: str) -> str:
    """The whole input with the change; `{}` for an empty plan and for an effort that would kill the spawn."""
    del spawn
    change = {"model": plan.model, "reasoning_effort": plan.effort}
    change = {key: value for key, value in change.items() if value}
    if not change or plan.effort not in ("", *WIRE_EFFORTS):
        return CAPABILITIES.neutral_answer
    answer: dict[str, object] = {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "allow",
            "updatedInput": {**payload["tool_input"], **change},
        }
    }
    if line:
        answer["systemMessage"] = line
    return render(answer)


def wiring(readers: Readers) -> Wiring:
    """The hooks in the user's own hooks.json. Whether Codex trusts them is not visible there."""
    folder = _home(readers)
    hooks = parse_object(readers.text(place(folder, "hooks.json"))) or {}
    return Wiring(installed=present(readers, [folder], "codex"), commands=our_commands(table(hooks, "hooks")))


def sample() -> dict[str, Any]:
    """A spawn in the first version's shape, where the brief can be read, with the model named in the call."""
    return {
        "hook_event_name": "PreToolUse",
        "session_id": "downshift-doctor",
        "turn_id": "downshift-doctor",
        "tool_name": "spawn_agent",
        "tool_use_id": "call_downshift_doctor",
        "permission_mode": "default",
        "model": "gpt-6.2-sol",
        "tool_input": {"message": "List the files in src/.", "model": "gpt-6.2-sol"},
    }


def _message(call: Mapping[str, Any]) -> str:
    return text(call, "message") or "\n".join(text(item, "text") for item in rows(call, "items"))


def _label(call: Mapping[str, Any]) -> str:
    """The task's name as words. The role's name serves only without one: it says who works, not what is asked."""
    label = text(call, "task_name") or text(call, "agent_type")
    return label.replace("_", " ").replace("-", " ")


def _turn(transcript: str, readers: Readers) -> tuple[str, str]:
    """Model and effort of the newest turn in a rollout. A forked child's begins with its parent's turns."""
    for window in _WINDOWS if transcript else ():
        data = readers.tail(transcript, window)
        for line in reversed(data.split(b"\n")):
            row = (parse_object(line.decode("utf-8", "replace")) if b'"turn_context"' in line else None) or {}
            turn = table(row, "payload")
            if row.get("type") == "turn_context" and text(turn, "model"):
                return text(turn, "model"), text(turn, "effort")
        if len(data) < window:
            break
    return "", ""


def _role(spawn: Spawn, readers: Readers) -> str | None:
    """The model that the role pins; empty when it pins none, None when nobody defines it."""
    for folder, config in _configs(spawn, readers) if spawn.agent_type else ():
        if any(key[:2] == ("agents", spawn.agent_type) and len(key) > 2 for key in config):
            file = config.get(("agents", spawn.agent_type, "config_file"), "")
            return toml_strings(readers.text(os.path.join(folder, file))).get(("model",), "") if file else ""
        for file in (each for each in readers.names(os.path.join(folder, "agents")) if each.endswith(".toml")):
            fields = toml_strings(readers.text(os.path.join(folder, "agents", file)))
            if fields.get(("name",), file[: -len(".toml")]) == spawn.agent_type:
                return fields.get(("model",), "")
    return "" if spawn.agent_type in ROLES_WITHOUT_MODEL else None


def _configs(spawn: Spawn, readers: Readers) -> Iterator[tuple[str, dict[tuple[str, ...], str]]]:
    """Every folder with a configuration, nearest first, and what its config.toml says."""
    for folder in (*(place(above, ".codex") for above in upwards(spawn.cwd, readers)), _home(readers)):
        if folder:
            yield folder, toml_strings(readers.text(os.path.join(folder, "config.toml")))


def _home(readers: Readers) -> str:
    return readers.env.get("CODEX_HOME") or in_home(readers.env, ".codex")
