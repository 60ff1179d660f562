"""What a child used, summed from its own transcript.

One answer of the API is several rows, one for each block, with the same message
id and usage; while it streams the output grows. So the last row of an id counts
(2.1.332). Rows of the model `<synthetic>` are notices, not answers.
"""

from __future__ import annotations

from downshift.core.json_text import parse_object
from downshift.core.tokens import Tokens
from downshift.harnesses.base import Usage
from downshift.harnesses.claude_code.ends import tokens_of
from downshift.harnesses.fields import rows, table, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from downshift.harnesses.base import ChildEnd
    from downshift.harnesses.readers import Readers

_MOST_BYTES = 64 * 1024 * 1024
_WAIT = 0.4
_POLL = 0.02
_SYNTHETIC = "<synthetic>"
_HANDBACK = "SubagentHandback"
"""The tool by which a child reports in auto mode; nothing has to come after it."""
_WRITTEN = ("completed", "error")
"""Ends after which a last row is written, maybe a moment later."""
_FINAL = ("end_turn", "stop_sequence", "max_tokens", "refusal")


def with_usage(end: ChildEnd, readers: Readers) -> ChildEnd:
    """The end with everything its child has used so far, waiting a moment for the last row of a finished one."""
    if not end.transcript:
        return end
    deadline = readers.now() + _WAIT
    while True:
        seen = _Seen(readers.tail(end.transcript, _MOST_BYTES))
        if seen.final or end.status not in _WRITTEN or readers.now() >= deadline:
            break
        readers.sleep(_POLL)
    status, kind = _judged(end, seen)
    return end.replace(
        status=status,
        error_kind=kind,
        usage=seen.usage(partial=status in ("interrupted", "stopped") or not seen.final),
        last_text=end.last_text or seen.last_text,
        tool_calls=seen.tool_calls,
    )


def _judged(end: ChildEnd, seen: _Seen) -> tuple[str, str]:
    """How a child ended of which only its files tell."""
    if end.status != "unknown":
        return end.status, end.error_kind
    if seen.error:
        return "error", seen.error
    return ("completed" if seen.final else "interrupted"), ""


class _Seen:
    """The rows of a transcript, added up."""

    def __init__(self, data: bytes) -> None:
        self._counted: dict[str, tuple[str, Tokens]] = {}
        self.tool_calls = 0
        self.last_text = ""
        self.error = ""
        self.final = False
        self._handed_back = False
        calls: set[str] = set()
        # A tail that starts inside a row loses that row only.
        for line in data.split(b"\n"):
            row = parse_object(line.decode("utf-8", "replace")) if _may_matter(line) else None
            if row is not None and row.get("type") == "assistant":
                self._add(row, table(row, "message"), calls)
            elif row is not None and row.get("type") == "user" and not self._handed_back:
                self.final, self.error = False, ""
        self.tool_calls = len(calls)

    def _add(self, row: dict[str, Any], message: dict[str, Any], calls: set[str]) -> None:
        if message.get("model") == _SYNTHETIC:
            self.final, self.error = True, text(row, "error") or "unknown"
            return
        blocks = rows(message, "content")
        used = [block for block in blocks if block.get("type") == "tool_use"]
        calls.update(text(block, "id") for block in used)
        self.last_text = next((text(each, "text") for each in blocks if each.get("type") == "text"), self.last_text)
        self._handed_back = any(block.get("name") == _HANDBACK for block in used)
        self.final = message.get("stop_reason") in _FINAL or self._handed_back
        self.error = ""
        identity = text(message, "id") or text(row, "uuid")
        self._counted[identity] = (text(message, "model"), tokens_of(table(message, "usage")))

    def usage(self, *, partial: bool) -> Usage | None:
        """Everything together; None where nothing was answered."""
        if not self._counted:
            return None
        total = Tokens()
        for _, tokens in self._counted.values():
            total = total.plus(tokens)
        models = [model for model, _ in self._counted.values()]
        return Usage(model=models[-1], tokens=total, cumulative=True, partial=partial, mixed=len(set(models)) > 1)


def _may_matter(line: bytes) -> bool:
    return b'"assistant"' in line or b'"user"' in line
