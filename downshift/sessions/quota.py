"""How much of the usage windows is left, as far as anybody has said.

A percentage below 100 is an observation: it reserves nothing and promises
nothing. Where any source speaks, only a model whose windows are observed to have
room may be written; where none does, routing goes on with status unknown, unless
DOWNSHIFT_QUOTA_MODE=required.
"""

from __future__ import annotations

from downshift import paths
from downshift.core.clock import seconds_of
from downshift.core.record import Record
from downshift.core.spawn import Model
from downshift.state_files import MISSING, File, read_object

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from downshift.paths import State

NAME = "quota.json"
MAX_LIFETIME = 900.0
DEFAULT_LIFETIME = 300.0
_FUTURE = 60.0
AVAILABLE, EXHAUSTED, STALE, UNKNOWN = "available", "exhausted", "stale", "unknown"
SOURCES = (
    "codex-usage", "codex-transcript", "claude-statusline", "claude-mod", "cursor-usage", "operator-normalized",
    "payload",
)  # fmt: skip


class Snapshot(Record):
    """One observation of a harness's usage windows; `windows` is empty when it could not be read."""

    source: str = "none"
    observed_at: float = 0.0
    expires_at: float = 0.0
    windows: tuple[dict[str, Any], ...] = ()
    present: bool = False
    """Whether a source spoke at all, even if what it said is of no use."""
    problem: str = ""


class Gate(Record):
    """What the quota says about the models of a session."""

    status: str
    source: str
    refused: tuple[str, ...]
    problem: str = ""


def gate(models: tuple[Model, ...], snapshot: Snapshot, *, required: bool, now: float) -> Gate:
    """Which models may not be written; `status` is that of the first that may, else of the first of all."""
    if not snapshot.present:
        refused = tuple(model.id for model in models) if required else ()
        return Gate(status=UNKNOWN, source="none", refused=refused)
    statuses = {model.id: status_of(model.id, snapshot, now) for model in models}
    refused = tuple(name for name, status in statuses.items() if status != AVAILABLE)
    allowed = [name for name in statuses if name not in refused]
    status = AVAILABLE if allowed else next(iter(statuses.values()), UNKNOWN)
    return Gate(status=status, source=snapshot.source, refused=refused, problem=snapshot.problem)


def status_of(model: str, snapshot: Snapshot, now: float) -> str:
    """The status of one model over every window that covers it."""
    if now > snapshot.expires_at:
        return STALE
    if snapshot.observed_at - now > _FUTURE:
        return UNKNOWN
    covering = [window for window in snapshot.windows if _covers(window, model)]
    if not covering:
        return UNKNOWN
    found = [_window(window, now) for window in covering]
    return next((status for status in (EXHAUSTED, STALE, UNKNOWN) if status in found), AVAILABLE)


def snapshot_of(harness: str, payload: Mapping[str, Any], state: State | None, env: Mapping[str, str]) -> Snapshot:
    """What the payload says about usage, else what the cache holds for this harness."""
    told = payload.get("usage_quota")
    if told is not None:
        return read_snapshot(told, harness, "payload")
    file = cache(state, env)
    if file.status == MISSING:
        return Snapshot()
    harnesses = file.data.get("harnesses")
    entry = harnesses.get(harness) if isinstance(harnesses, dict) else None
    if entry is None:
        # A cache that is damaged, or knows other harnesses only, is a source that says nothing about this one.
        return Snapshot(present=True, problem=file.problem())
    return read_snapshot(entry, harness, "")


def cache(state: State | None, env: Mapping[str, str]) -> File:
    """The quota cache, as a file."""
    told = env.get(paths.QUOTA_FILE, "")
    if told:
        return read_object(told)
    return read_object(state.file(NAME)) if state else File(NAME, MISSING)


def required(env: Mapping[str, str]) -> bool:
    """Whether the operator wants nothing changed without evidence of quota."""
    return env.get(paths.QUOTA_MODE, "").strip().lower() == "required"


def read_snapshot(told: object, harness: str, source: str) -> Snapshot:
    """A snapshot from outside, checked field by field; one that is not valid is present and says nothing."""
    nothing = Snapshot(present=True, problem="a usage snapshot is not valid and is not used")
    if not isinstance(told, dict) or told.get("harness", harness) != harness:
        return nothing
    observed, windows = seconds_of(told.get("observed_at")), told.get("windows")
    source = source or str(told.get("source"))
    if observed is None or source not in SOURCES or not isinstance(windows, list):
        return nothing
    expires = seconds_of(told.get("expires_at")) or observed + DEFAULT_LIFETIME
    rows = tuple(window for window in windows if isinstance(window, dict))
    return Snapshot(
        source=source,
        observed_at=observed,
        expires_at=min(expires, observed + MAX_LIFETIME),
        windows=rows,
        present=True,
    )


def _covers(window: Mapping[str, Any], model: str) -> bool:
    if window.get("scope") == "harness":
        return True
    ids = window.get("model_ids")
    return window.get("scope") == "models" and isinstance(ids, list) and model in ids


def _window(window: Mapping[str, Any], now: float) -> str:
    used, resets = window.get("used_percent"), seconds_of(window.get("resets_at"))
    if not isinstance(used, (int, float)) or isinstance(used, bool) or used < 0 or resets is None:
        return UNKNOWN
    if resets <= now:
        return STALE
    return EXHAUSTED if used >= 100 else AVAILABLE
