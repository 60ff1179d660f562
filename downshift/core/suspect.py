"""Ends that look empty: the child may have claimed work that it never did.

It is counted and shown, and never called a success or a failure.
"""

from __future__ import annotations

SHORTEST = 20
"""Characters of a last message under which nothing can have been reported."""
_CLAIMS = (
    "i have ", "i've ", "i added", "i changed", "i created", "i fixed", "i implemented", "i ran", "i removed",
    "i renamed", "i updated", "i verified", "i wrote", "all tests pass", "has been ", "have been ", "successfully",
    "is now ", "are now ",
)  # fmt: skip


def is_suspect(last_text: str, tool_calls: int) -> bool:
    """Whether a finished child's last words are too short to report anything, or claim work without any tool call.

    `tool_calls` below zero means that nobody counted them.
    """
    said = last_text.strip()
    if len(said) < SHORTEST:
        return True
    lowered = said.lower()
    return tool_calls == 0 and any(claim in lowered for claim in _CLAIMS)
