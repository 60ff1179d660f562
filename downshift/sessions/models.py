"""Which models a session can reach. Only an id that is in this list is ever written.

Sources in order, the first that speaks wins: the payload, Cursor's native
export, what `models discover` found, the operator's session-models.json, and
what the current model proves. A source that is damaged speaks too: the session
is then unknown, never empty.
"""

from __future__ import annotations

import os

from downshift import paths
from downshift.core.clock import duration_of, seconds_of
from downshift.core.record import Record
from downshift.core.spawn import Model, Session, Spawn
from downshift.core.tiers import TIERS, rank
from downshift.state_files import MISSING, OK, File, read_object

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from downshift.catalog.lookup import Catalog
    from downshift.paths import State

DISCOVERY_TTL = 24 * 3600.0
NATIVE_TTL = 300.0
_FUTURE = 300.0
"""Seconds that two clocks may differ before a time counts as in the future."""
_OFF = ("off", "0", "false", "no")


class Asked(Record):
    """One question: whose session, and everything that may answer."""

    spawn: Spawn
    payload: Mapping[str, Any]
    current: Model | None
    catalog: Catalog
    env: Mapping[str, str]
    state: State | None
    now: float
    """Seconds since the epoch."""
    infer: bool
    """Whether the harness's current model proves access to the tiers below it."""
    strict: bool
    """Whether the harness refuses a name that is not its own spelling."""


class Found(Record):
    """What one source says: nothing (`ids` is None), a list, or that it is damaged (`problem`)."""

    source: str = "unknown"
    ids: tuple[str, ...] | None = None
    ordered: bool = True
    problem: str = ""


def resolve(asked: Asked) -> tuple[Session, str]:
    """The session's models, and a clause about a source that was damaged."""
    handwritten = _file(asked, paths.SESSION_MODELS, "session-models.json")
    found = next((each for each in _sources(asked, handwritten) if each.ids is not None or each.problem), Found())
    upshift = paths.flag(asked.env, paths.EXPLICIT_UPSHIFT) or handwritten.data.get("explicit_upshift") is True
    if found.ids is None:
        inferred = () if found.problem else _inferred(asked)
        source = "inferred" if inferred else "unknown"
        return Session(models=inferred, source=source, explicit_upshift=upshift), found.problem
    models = [_model(asked, raw) for raw in found.ids]
    if not found.ordered:
        # An inventory in no order: only what is known to have a tier can be ranked.
        known = (model for model in models if rank(model.tier) >= 0)
        models = sorted(known, key=lambda model: (rank(model.tier), (model.prices or (0.0, 0.0))[1], model.id))
    return Session(models=tuple(models), source=found.source, explicit_upshift=upshift), ""


def _sources(asked: Asked, handwritten: File) -> Iterable[Found]:
    yield _from_payload(asked.payload, asked.spawn.harness)
    if asked.spawn.harness == "cursor" and asked.env.get(paths.CURSOR_NATIVE_FILE):
        yield _from_native(asked)
    if asked.env.get(paths.DISCOVERY, "").lower() not in _OFF:
        yield _from_discovery(asked)
    yield _from_file(asked, handwritten)


def _from_payload(payload: Mapping[str, Any], harness: str) -> Found:
    """The fields that any harness may send; opencode's plugin sends what the user's providers have as `models`."""
    for key in ("session_models", "available_models"):
        if key in payload:
            return _listed(payload[key], "payload", f"the payload's {key}", ordered=key == "session_models")
    inventory = payload.get("models") if harness == "opencode" else None
    return Found() if inventory is None else _listed(inventory, "payload", "the payload's models", ordered=False)


def _from_native(asked: Asked) -> Found:
    """Cursor's own export, named by the operator: complete, and no older than five minutes."""
    file = read_object(asked.env[paths.CURSOR_NATIVE_FILE])
    told, at = file.data, seconds_of(file.data.get("observed_at"))
    if file.status != OK:
        return Found(problem=file.problem() or f"{paths.CURSOR_NATIVE_FILE} names a file that is not there")
    if at is None or told.get("available_models_complete") is not True or not -_FUTURE <= asked.now - at <= NATIVE_TTL:
        return Found(problem=f"{os.path.basename(file.path)} is stale or not complete and is not used")
    return _listed(told.get("available_models"), "native", os.path.basename(file.path), ordered=False)


def _from_discovery(asked: Asked) -> Found:
    file = _file(asked, paths.DISCOVERED, "discovered.json")
    if file.status != OK:
        return Found(problem=file.problem())
    told = file.data.get("harnesses")
    entry = told.get(asked.spawn.harness) if isinstance(told, dict) else None
    if entry is None:
        return Found()
    ttl = asked.env.get(paths.DISCOVERY_TTL, "")
    kept = duration_of(ttl) if ttl else DISCOVERY_TTL
    at = seconds_of(entry.get("fetched_at")) if isinstance(entry, dict) else None
    if kept is None:
        return Found(problem=f"{paths.DISCOVERY_TTL} is not a duration such as 24h")
    if at is None or at - asked.now > _FUTURE:
        return Found(problem="discovered.json is dated in the future or not at all and is not used")
    if kept and asked.now - at > kept:
        return Found()  # too old to say anything; `doctor` says so
    return _listed(entry.get("ordered"), "discovered", "discovered.json", ordered=True)


def _from_file(asked: Asked, file: File) -> Found:
    if file.status != OK:
        return Found(problem=file.problem())
    harness = asked.spawn.harness
    sessions = file.data.get("sessions", {})
    own = sessions.get(harness, {}) if isinstance(sessions, dict) else None
    if not isinstance(own, dict):
        return Found(problem="session-models.json: sessions is not valid; the file is not used")
    told = own.get(asked.spawn.session_id, file.data.get(harness)) if asked.spawn.session_id else file.data.get(harness)
    return Found() if told is None else _listed(told, "file", "session-models.json", ordered=True)


def _listed(told: object, source: str, name: str, *, ordered: bool) -> Found:
    if isinstance(told, list) and all(isinstance(each, str) for each in told):
        return Found(source=source, ids=tuple(dict.fromkeys(each for each in told if each)), ordered=ordered)
    return Found(problem=f"{name} is not a list of model ids and is not used")


def _inferred(asked: Asked) -> tuple[Model, ...]:
    current = asked.current
    wanted = asked.env.get(paths.INFER_SESSION, "").strip().lower() not in _OFF
    return asked.catalog.ladder(current) if current and current.tier and asked.infer and wanted else ()


def _model(asked: Asked, raw: str) -> Model:
    """A listed id with what is known of it: the payload's own descriptor first, then the catalog."""
    known = asked.catalog.find(raw)
    model = known or Model(id=raw, harness=asked.catalog.owner(raw))
    writable = bool(model.wire) or not asked.strict
    model = model.replace(wire=model.wire or raw, writable=writable)
    described = _descriptor(asked.payload, raw)
    if described.get("tier") in TIERS:
        model = model.replace(tier=described["tier"])
    efforts = described.get("efforts")
    if isinstance(efforts, list):
        model = model.replace(efforts=tuple(effort for effort in efforts if isinstance(effort, str)))
    prices = described.get("input_per_million"), described.get("output_per_million")
    if all(isinstance(price, (int, float)) and price >= 0 for price in prices):
        model = model.replace(prices=prices)
    return model


def _descriptor(payload: Mapping[str, Any], raw: str) -> dict[str, Any]:
    described = payload.get("model_metadata")
    rows = described if isinstance(described, list) else ()
    return next((row for row in rows if isinstance(row, dict) and row.get("id") == raw), {})


def _file(asked: Asked, override: str, name: str) -> File:
    told = asked.env.get(override, "")
    if told:
        return read_object(told)
    return read_object(asked.state.file(name)) if asked.state else File(name, MISSING)
