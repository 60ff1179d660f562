"""Claude Code: payloads in, answers out. Measured on 2.1.332 (parts on 2.1.289 and 2.1.240).

Two entries lead here. The mod (`entry: mod`) sends what `agent.spawn` knows and
applies what we answer, in every permission mode. The command hook (PreToolUse
on `Agent`, once `Task`) answers with `updatedInput`.

Measured, and the reason for what stands below:
- `updatedInput` replaces the whole input, and any model outside sonnet, opus,
  haiku, fable or effort outside low..max kills the spawn.
- In `auto` and `plan` mode a changed input gets the call, and its siblings in
  the same message, denied. With `permissionDecision: allow` it would pass, and
  would switch off the person's own safety check; so none is ever sent.
- Changing the model resets the child's effort, so an effort goes with it.
"""

from __future__ import annotations

from downshift.core.json_text import render
from downshift.core.spawn import Baseline, Spawn
from downshift.harnesses.base import Capabilities, ChildEnd, Plan
from downshift.harnesses.fields import text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from downshift.harnesses.base import Wiring
    from downshift.harnesses.readers import Readers

NAME = "claude-code"
SPAWN_TOOLS = ("Agent", "Task")
WIRE_MODELS = ("haiku", "sonnet", "opus", "fable")
WIRE_EFFORTS = ("low", "medium", "high", "xhigh", "max")
HOOK_CANNOT_REWRITE_IN = ("auto", "plan")

CAPABILITIES = Capabilities(
    name=NAME,
    title="Claude Code",
    neutral_answer="{}",
    can_rewrite_model=True,
    can_apply_effort=True,
    strict_model_names=True,
    infer_session=True,
    model_override_env="CLAUDE_CODE_SUBAGENT_MODEL",
    child_end_events=("PostToolUse", "PostToolUseFailure", "SubagentStop", "StopFailure"),
    usage_source="child transcript",
    honor_source="resolved model",
    can_show_child_line=True,
    session_env="CLAUDE_CODE_SESSION_ID",
    payload_markers=(),
    evidence="live-verified 2.1.332",
)


def read_spawn(payload: Mapping[str, Any], env: Mapping[str, str]) -> Spawn | None:
    """A spawn from the mod's message or from a PreToolUse payload; None for any other tool or an empty brief."""
    del env
    call = payload.get("tool_input")
    if payload.get("tool_name") not in SPAWN_TOOLS or not isinstance(call, dict):
        return None
    task = text(call, "prompt") or text(call, "description")
    if not task.strip():
        return None
    return ids(payload).replace(
        task=task,
        title=text(call, "description"),
        agent_type=text(call, "subagent_type"),
        model=text(call, "model"),
        effort=text(call, "effort") or _level(payload.get("effort")),
        parent_model=text(payload, "parent_model"),
        parent_agent_id=text(payload, "parent_agent_id") or text(payload, "agent_id"),
        permission_mode=text(payload, "permission_mode"),
        keeps_model=_keeps_model(payload, call),
        cwd=text(payload, "cwd"),
        transcript_path=text(payload, "transcript_path"),
    )


def baseline(spawn: Spawn, readers: Readers) -> Baseline:
    """See `child_model.py`, which is not needed to read an end."""
    from downshift.harnesses.claude_code.child_model import read_baseline

    return read_baseline(spawn, readers)


def gate_open(spawn: Spawn) -> bool:
    """The mod may rewrite anywhere; the hook not where a changed input is denied."""
    return spawn.entry == "mod" or spawn.permission_mode not in HOOK_CANNOT_REWRITE_IN


def effort_applies(env: Mapping[str, str]) -> bool:
    """CLAUDE_CODE_EFFORT_LEVEL beats every other effort; one that the user gave all subagents is the user's choice."""
    return not (env.get("CLAUDE_CODE_EFFORT_LEVEL") or env.get("CLAUDE_CODE_SUBAGENT_EFFORT"))


def write_answer(plan: Plan, spawn: Spawn, payload: Mapping[str, Any], line: str) -> str:
    """The mod's answer or the hook's; `{}` for an empty plan and for a name that would kill the spawn."""
    if plan.model not in WIRE_MODELS or plan.effort not in ("", *WIRE_EFFORTS):
        return CAPABILITIES.neutral_answer
    change = {"model": plan.model}
    if plan.effort:
        change["effort"] = plan.effort
    if spawn.entry == "mod":
        return render({**change, "line": line} if line else change)
    answer: dict[str, object] = {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "updatedInput": {**payload["tool_input"], **change},
        }
    }
    if line:
        answer["systemMessage"] = line
    try:
        return render(answer)
    except ValueError:  # the call holds a number that cannot be given back as it came
        return CAPABILITIES.neutral_answer


def read_ends(payload: Mapping[str, Any], event: str, readers: Readers) -> Sequence[ChildEnd]:
    """See `ends.py`, which is not needed to judge a spawn."""
    from downshift.harnesses.claude_code import ends

    return ends.read_ends(payload, event or text(payload, "hook_event_name"), readers)


def read_usage(end: ChildEnd, readers: Readers) -> ChildEnd:
    """See `child_usage.py`."""
    from downshift.harnesses.claude_code.child_usage import with_usage

    return with_usage(end, readers)


def wiring(readers: Readers) -> Wiring:
    """See `wiring_files.py`; only `doctor` asks."""
    from downshift.harnesses.claude_code.wiring_files import read_wiring

    return read_wiring(readers)


def sample() -> dict[str, Any]:
    """A spawn under Opus, named in the call, so that no transcript is needed."""
    return {
        "hook_event_name": "PreToolUse",
        "session_id": "downshift-doctor",
        "tool_name": "Agent",
        "tool_use_id": "toolu_downshift_doctor",
        "permission_mode": "default",
        "tool_input": {
            "description": "List files",
            "prompt": "List the files in src/.",
            "subagent_type": "general-purpose",
            "model": "opus",
        },
    }


def ids(payload: Mapping[str, Any]) -> Spawn:
    """The ids by which a payload names its spawn."""
    workflow = payload.get("workflow")
    run = f"{workflow.get('run_id')}/{workflow.get('index')}" if isinstance(workflow, dict) else ""
    return Spawn(
        harness=NAME,
        entry="mod" if payload.get("entry") == "mod" else "hook",
        task="",
        session_id=text(payload, "session_id"),
        tool_use_id=text(payload, "tool_use_id"),
        run=run,
        correlation_id=text(payload, "correlation_id"),
    )


def _keeps_model(payload: Mapping[str, Any], call: Mapping[str, Any]) -> str:
    """Forks, resumes and teammates ignore a rewritten model; only the mod is told of all three."""
    if text(call, "subagent_type") == "fork":
        return "fork"
    return next((reason for reason in ("fork", "resume", "teammate") if payload.get(reason)), "")


def _level(effort: object) -> str:
    return text(effort, "level") if isinstance(effort, dict) else ""
