"""Which model of the session a task should run on."""

from __future__ import annotations

from downshift.core.spawn import Model, Session
from downshift.core.tiers import TIERS, rank
from downshift.core.verdicts import UPSHIFT


def choose(session: Session, needed_tier: str, verdict: str, current_tier: str) -> Model | None:
    """The least model of the session that reaches the needed tier; None when none does.

    A session that holds an id without a tier cannot be ranked by tier; its order
    decides then: first for small, middle for mid, last for frontier.
    """
    models = tuple(model for model in session.models if not model.explicit_only and model.id != "inherit")
    if not models:
        return None
    if any(rank(model.tier) < 0 for model in models):
        return models[_position(needed_tier, len(models))]
    floor = rank(needed_tier)
    if verdict == UPSHIFT:
        floor = max(floor, rank(current_tier))
    return next((model for model in models if rank(model.tier) >= floor), None)


def _position(tier: str, count: int) -> int:
    return {TIERS[0]: 0, TIERS[1]: count // 2, TIERS[2]: count - 1}[tier]
