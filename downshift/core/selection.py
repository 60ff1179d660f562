"""Which model of the session a task should run on.

Where the catalog ranks every candidate, tiers decide; a list with an unknown id
is ranked by its own order. The floor is set before anything is skipped: what is
exhausted or not credited never lowers it.
"""

from __future__ import annotations

from downshift.core.record import Record
from downshift.core.spawn import Model, Session
from downshift.core.tiers import EFFORTS, TIERS, rank
from downshift.core.verdicts import DOWNSHIFT, UPSHIFT

INHERIT = "inherit"


class Need(Record):
    """What is asked of the session."""

    tier: str
    verdict: str
    current: Model | None = None
    """What the child would run on."""
    strongest: bool = False
    """An upshift takes the strongest model: on a guessed baseline, or when the operator asked for it."""
    explicit: bool = False
    """Models that are only for explicit use may be taken, upwards."""


def choose(session: Session, need: Need, refused: frozenset[str] = frozenset()) -> Model | None:
    """The model for this task; None when none will do. Ids in `refused` are skipped."""
    candidates = eligible(session, need)
    if not candidates:
        return None
    by_tier = all(rank(model.tier) >= 0 for model in candidates)
    floor = _by_tier(candidates, need) if by_tier else _by_position(candidates, need)
    allowed = [model for model in floor if model.id not in refused]
    if not allowed:
        return None
    if need.verdict != UPSHIFT:
        return allowed[0]
    if need.strongest or not by_tier:
        return allowed[-1]
    least = min(rank(model.tier) for model in allowed)
    return next(model for model in reversed(allowed) if rank(model.tier) == least)


def eligible(session: Session, need: Need) -> list[Model]:
    """The session's models that may be written at all."""
    upward = need.explicit and need.verdict == UPSHIFT
    return [
        model
        for model in session.models
        if model.id != INHERIT and model.writable and (upward or not model.explicit_only)
    ]


def fit_effort(wanted: str, model: Model) -> str:
    """The effort to write with a model: the wanted one, else the nearest above it, else the nearest below."""
    if not model.efforts or wanted in model.efforts or wanted not in EFFORTS:
        return wanted
    order = [*EFFORTS[EFFORTS.index(wanted) :], *reversed(EFFORTS[: EFFORTS.index(wanted)])]
    return next((effort for effort in order if effort in model.efforts), "")


def _by_tier(candidates: list[Model], need: Need) -> list[Model]:
    """Those at or above the floor, weakest tier first for an upshift, in list order otherwise."""
    have, floor, ceiling = rank(need.current.tier) if need.current else -1, rank(need.tier), len(TIERS)
    if need.verdict == UPSHIFT:
        above = [model for model in candidates if rank(model.tier) >= max(floor, have)]
        return sorted(above, key=lambda model: rank(model.tier))
    if need.verdict == DOWNSHIFT:
        ceiling = have  # a downshift that finds only stronger models is none
    return [model for model in candidates if floor <= rank(model.tier) <= ceiling]


def _by_position(candidates: list[Model], need: Need) -> list[Model]:
    """First for small, middle for mid, last for frontier, and what comes after it."""
    count = len(candidates)
    start = {TIERS[0]: 0, TIERS[1]: count // 2, TIERS[2]: count - 1}[need.tier]
    ids = [model.id for model in candidates]
    here = ids.index(need.current.id) if need.current and need.current.id in ids else -1
    if here < 0:
        return candidates[start:]
    if need.verdict == DOWNSHIFT:
        return candidates[start : here + 1]
    return candidates[max(start, here) :] if need.verdict == UPSHIFT else candidates[start:]
