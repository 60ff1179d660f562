"""Every harness Downshift plugs into. One row each; the type checker holds it to the contract."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from downshift.harnesses.base import Adapter


def _claude_code() -> Adapter:
    from downshift.harnesses import claude_code

    return claude_code


def _codex() -> Adapter:
    from downshift.harnesses import codex

    return codex


def _opencode() -> Adapter:
    from downshift.harnesses import opencode

    return opencode


def _cursor() -> Adapter:
    from downshift.harnesses import cursor

    return cursor


def _kirocrew() -> Adapter:
    from downshift.harnesses import kirocrew

    return kirocrew


def _antigravity() -> Adapter:
    from downshift.harnesses import antigravity

    return antigravity


def _grok() -> Adapter:
    from downshift.harnesses import grok

    return grok


# Functions, so that a hook imports the one adapter it needs and no other.
ADAPTERS: dict[str, Callable[[], Adapter]] = {
    "claude-code": _claude_code,
    "codex": _codex,
    "opencode": _opencode,
    "cursor": _cursor,
    "kirocrew": _kirocrew,
    "antigravity": _antigravity,
    "grok": _grok,
}

# Top-level payload keys of hosts that also run other harnesses' hooks: the spawn is theirs to judge.
# Cursor and Copilot CLI run Claude Code's hooks, Grok too (Cursor: documented; Copilot CLI 1.0.102: seen;
# Grok: vendor source). Claude Code 2.1.332 sends none of these with a tool call.
FOREIGN_MARKERS: dict[str, tuple[str, ...]] = {
    "cursor": ("cursor_version", "conversation_id", "generation_id", "workspace_roots"),
    "grok": ("hookEventName", "workspaceRoot", "toolUseId"),
    "copilot": ("timestamp", "toolName", "toolArgs"),
}


def foreign_host(payload: Mapping[str, Any], harness: str) -> str:
    """The other host whose marker this payload carries; empty when there is none, and for a harness's own payload."""
    if any(marker in payload for marker in FOREIGN_MARKERS.get(harness, ())):
        return ""
    for host, markers in FOREIGN_MARKERS.items():
        if host != harness and any(marker in payload for marker in markers):
            return host
    return ""
