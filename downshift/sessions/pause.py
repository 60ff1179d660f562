"""Pausing one session: its spawns are judged and recorded, never changed."""

from __future__ import annotations

import os

from downshift.core.hashing import hash_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from downshift.paths import State


def is_paused(state: State | None, session_id: str) -> bool:
    """Whether the session with this raw id is paused; one that has no id cannot be."""
    return bool(state and session_id) and os.path.exists(_marker(state, hash_id(session_id)))  # type: ignore[arg-type]


def set_paused(state: State, session_hash: str, *, paused: bool) -> None:
    """Pause a session or let it go on. OSError when the state directory cannot be written."""
    marker = _marker(state, session_hash)
    if paused:
        os.makedirs(os.path.dirname(marker), 0o700, exist_ok=True)
        os.close(os.open(marker, os.O_CREAT | os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0), 0o600))
    elif os.path.lexists(marker):
        os.unlink(marker)


def _marker(state: State, session_hash: str) -> str:
    return state.file("paused", session_hash[:16])
