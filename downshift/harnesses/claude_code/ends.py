"""How children of Claude Code end. Measured on 2.1.332 (docs/harnesses/claude-code.md has the table).

The mod reports an end itself, however it came (`turn.complete`), with the usage
of that turn. A command hook hears less:
- SubagentStop closes a child that finished; it names no call.
- StopFailure closes one that an API error ended; in the foreground
  PostToolUseFailure (before any work) or PostToolUse (after some) follows.
- PostToolUse closes a foreground child and launches a background one.
- Nothing closes a child that was interrupted, and of a stopped one only the
  stop itself is heard. What is left open is settled when the session ends.
"""

from __future__ import annotations

import os

from downshift.core.json_text import parse_object
from downshift.core.tokens import Tokens, count
from downshift.harnesses.base import ChildEnd, Usage
from downshift.harnesses.claude_code import SPAWN_TOOLS, ids
from downshift.harnesses.fields import rows, table, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from downshift.harnesses.readers import Readers

_REASONS = {
    "answer": ("completed", ""),
    "aborted": ("interrupted", ""),
    "stopped": ("stopped", ""),
    "refusal": ("error", "refusal"),
    "error": ("error", "unknown"),
}
_LAUNCHED = "async_launched"
_BROKEN_OFF = "Agent terminated early due to an API error"
_CLEARED = "clear"
"""The reason of a SessionEnd after which children in the background go on."""
_MOST_AGENTS = 2000


def read_ends(payload: Mapping[str, Any], event: str, readers: Readers) -> Sequence[ChildEnd]:
    """What one event says about children; most events speak of one."""
    if payload.get("entry") == "mod":
        return _from_mod(payload, event)
    if event == "SubagentStop":
        return _of_agent(payload, readers, "completed", "")
    if event == "StopFailure":
        return _of_agent(payload, readers, "error", text(payload, "error"))
    if event == "SessionEnd":
        return () if payload.get("reason") == _CLEARED else _left_open(payload, readers)
    tool = payload.get("tool_name")
    if event == "PostToolUse" and tool == "TaskStop":
        return _stopped(payload, readers)
    if tool in SPAWN_TOOLS and event == "PostToolUse":
        return _returned(payload)
    if tool in SPAWN_TOOLS and event == "PostToolUseFailure":
        return _refused(payload)
    return ()


def _from_mod(payload: Mapping[str, Any], event: str) -> Sequence[ChildEnd]:
    agent = text(payload, "agent_id")
    if event == "SpawnResolved":
        status = "launched" if payload.get("background") is True else ""
        return _started(payload, agent, text(payload, "resolved_model"), status)
    status, kind = _REASONS.get(text(payload, "reason"), ("unknown", ""))
    if event != "AgentEnded" or not agent:
        return ()
    kind = text(payload, "error") or kind if status == "error" else ""
    end = ChildEnd(spawn=ids(payload), agent_id=agent, status=status, error_kind=kind)
    return (
        end.replace(
            usage=_told(payload, partial=status not in ("completed", "error")),
            last_text=text(payload, "last_assistant_message"),
            tool_calls=count(payload.get("tool_calls")),
        ),
    )


def _told(payload: Mapping[str, Any], *, partial: bool) -> Usage | None:
    """The mod's own count, one row for each model, the one of the last request at the end."""
    steps, total = rows(payload, "usage"), Tokens()
    if not steps:
        return None
    for step in steps:
        total = total.plus(tokens_of(step))
    return Usage(
        model=text(steps[-1], "model"),
        tokens=total,
        partial=partial,
        mixed=len(steps) > 1,
        main_tokens=count(payload.get("main_tokens")),
    )


def tokens_of(usage: Mapping[str, Any]) -> Tokens:
    """The `usage` object of the Messages API: input excludes what the cache gave or took."""
    return Tokens(
        input=count(usage.get("input_tokens")),
        output=count(usage.get("output_tokens")),
        cache_read=count(usage.get("cache_read_input_tokens")),
        cache_write=count(usage.get("cache_creation_input_tokens")),
    )


def _returned(payload: Mapping[str, Any]) -> Sequence[ChildEnd]:
    response = table(payload, "tool_response")
    agent, status = text(response, "agentId"), text(response, "status")
    if status == _LAUNCHED:
        return _started(payload, agent, text(response, "resolvedModel"), "launched")
    said = [text(block, "text") for block in rows(response, "content")]
    failed = bool(said) and said[0].startswith(_BROKEN_OFF)
    return tuple(
        end.replace(
            error_kind=_kind(said[0]) if failed else "",
            transcript=_transcript(payload, agent),
            last_text=said[0] if said else "",
            tool_calls=count(response.get("totalToolUseCount")),
        )
        for end in _started(payload, agent, text(response, "resolvedModel"), "error" if failed else "completed")
    )


def _refused(payload: Mapping[str, Any]) -> Sequence[ChildEnd]:
    """The call itself failed: before the child's first answer, or before there was a child."""
    if payload.get("is_interrupt") is True:
        return (ChildEnd(spawn=ids(payload), status="interrupted"),)
    said = text(payload, "error")
    kind = _kind(said) if said.startswith(_BROKEN_OFF) else "not_started"
    return (ChildEnd(spawn=ids(payload), status="error", error_kind=kind),)


def _started(payload: Mapping[str, Any], agent: str, model: str, status: str) -> Sequence[ChildEnd]:
    if not model:
        return ()
    return (ChildEnd(spawn=ids(payload), agent_id=agent, resolved_model=model, status=status),)


def _of_agent(payload: Mapping[str, Any], readers: Readers, status: str, kind: str) -> Sequence[ChildEnd]:
    """An event that names the agent, and through the agent's own file the call."""
    agent = text(payload, "agent_id")
    # `/compact` and side questions have agents of no type, which no spawn asked for.
    if not agent or not text(payload, "agent_type"):
        return ()
    path = text(payload, "agent_transcript_path") or _transcript(payload, agent)
    meta = _meta(path, readers)
    return (
        ChildEnd(
            spawn=ids(payload).replace(tool_use_id=text(meta, "toolUseId")),
            agent_id=agent,
            status=status,
            error_kind=kind,
            transcript=path,
            last_text=text(payload, "last_assistant_message"),
        ),
    )


def _stopped(payload: Mapping[str, Any], readers: Readers) -> Sequence[ChildEnd]:
    response = table(payload, "tool_response")
    agent = text(response, "task_id")
    if text(response, "task_type") != "local_agent" or not agent:
        return ()
    return (_settled(payload, _transcript(payload, agent), agent, readers, "stopped"),)


def _left_open(payload: Mapping[str, Any], readers: Readers) -> Sequence[ChildEnd]:
    """Every agent of the session; the runner keeps those whose end nobody has heard of."""
    folder = _folder(payload)
    agents = [
        name[len("agent-") : -len(".meta.json")]
        for name in readers.names(folder)
        if name.startswith("agent-") and name.endswith(".meta.json")
    ]
    return [
        _settled(payload, _transcript(payload, agent), agent, readers, "interrupted") for agent in agents[:_MOST_AGENTS]
    ]


def _settled(payload: Mapping[str, Any], path: str, agent: str, readers: Readers, otherwise: str) -> ChildEnd:
    meta = _meta(path, readers)
    status = "stopped" if meta.get("stoppedByUser") is True else otherwise
    if meta.get("finished") is True and otherwise == "interrupted":
        status = "unknown"  # its end was missed; `read_usage` sees how it went
    spawn = ids(payload).replace(tool_use_id=text(meta, "toolUseId"))
    return ChildEnd(spawn=spawn, agent_id=agent, status=status, transcript=path)


def _meta(path: str, readers: Readers) -> dict[str, Any]:
    """What Claude Code notes about an agent beside its transcript; it names the call that spawned it."""
    stem = path[: -len(".jsonl")] if path.endswith(".jsonl") else ""
    return parse_object(readers.text(stem + ".meta.json")) or {} if stem else {}


def _folder(payload: Mapping[str, Any]) -> str:
    path = text(payload, "transcript_path")
    return os.path.join(path[: -len(".jsonl")], "subagents") if path.endswith(".jsonl") else ""


def _transcript(payload: Mapping[str, Any], agent: str) -> str:
    folder = _folder(payload)
    # An id is a file name here: one that leads elsewhere is none of ours.
    return os.path.join(folder, f"agent-{agent}.jsonl") if folder and agent == os.path.basename(agent) else ""


def _kind(said: str) -> str:
    """`… (error type rate_limit, HTTP 429, …)` → `rate_limit`."""
    _, _, rest = said.partition("(error type ")
    return rest.partition(",")[0].partition(")")[0].strip() or "unknown"
