r"""The parent's model, read from the row of the transcript that issued this very call.

A transcript is JSON Lines and may be hundreds of megabytes, with damaged lines
in it. Only its tail is read, split at `\n` alone, and only a row that can
matter is parsed. Claude Code writes asynchronously: 6 of 177 calls were not
there yet when the hook ran (2.1.332), so a missing row is waited for.
"""

from __future__ import annotations

import os

from downshift.core.json_text import parse_object

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from downshift.core.spawn import Spawn
    from downshift.harnesses.readers import Readers

_WINDOWS = (64 * 1024, 1024 * 1024, 8 * 1024 * 1024)
_WAIT = 0.4
_POLL = 0.02
_SYNTHETIC = "<synthetic>"


def issuing_model(spawn: Spawn, readers: Readers) -> str:
    """The model of the message that holds this call, else of the newest request; empty when there is neither."""
    path = caller_transcript(spawn, readers)
    if not path:
        return ""
    for window in _WINDOWS:
        data = readers.tail(path, window)
        model = _issued_by(data, spawn.tool_use_id)
        if model:
            return model
        if len(data) < window:
            break
    deadline = readers.now() + _WAIT
    while readers.now() < deadline:
        readers.sleep(_POLL)
        data = readers.tail(path, _WINDOWS[1])
        model = _issued_by(data, spawn.tool_use_id)
        if model:
            return model
    return _newest(readers.tail(path, _WINDOWS[1]))


def caller_transcript(spawn: Spawn, readers: Readers) -> str:
    """The transcript of the agent that makes the call: the session's, or a nested caller's own."""
    path = spawn.transcript_path
    if not path or not spawn.parent_agent_id:
        return path
    folder = os.path.join(path.removesuffix(".jsonl"), "subagents")
    name = f"agent-{os.path.basename(spawn.parent_agent_id)}.jsonl"
    runs = os.path.join(folder, "workflows")
    places = [folder, *(os.path.join(runs, run) for run in readers.names(runs))]
    return next((os.path.join(place, name) for place in places if name in readers.names(place)), "")


def _issued_by(data: bytes, tool_use_id: str) -> str:
    wanted = tool_use_id.encode("utf-8", "surrogatepass")
    if not wanted:
        return ""
    for line in _lines_backwards(data):
        if wanted in line and b"assistant" in line:
            row = parse_object(line.decode("utf-8", "replace"))
            if row and row.get("type") == "assistant" and _calls(row, tool_use_id):
                return _model(row.get("message"))
    return ""


def _newest(data: bytes) -> str:
    for line in _lines_backwards(data):
        if b'"api-request"' not in line and b'"assistant"' not in line:
            continue
        row = parse_object(line.decode("utf-8", "replace")) or {}
        source = {"assistant": "message", "api-request": "params"}.get(str(row.get("type")), "")
        model = _model(row.get(source))
        if model:
            return model
    return ""


def _lines_backwards(data: bytes) -> Iterator[bytes]:
    end = len(data)
    while end > 0:
        start = data.rfind(b"\n", 0, end) + 1
        if start < end:
            yield data[start:end]
        end = start - 1


def _calls(row: dict[str, Any], tool_use_id: str) -> bool:
    message = row.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    blocks = content if isinstance(content, list) else []
    return any(isinstance(block, dict) and block.get("id") == tool_use_id for block in blocks)


def _model(holder: object) -> str:
    model = holder.get("model") if isinstance(holder, dict) else None
    return model if isinstance(model, str) and model != _SYNTHETIC else ""
