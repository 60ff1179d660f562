"""The capability path beside the decision: its pick is recorded, and written only when the operator wants that."""

from __future__ import annotations

from downshift import paths
from downshift.core.tiers import rank
from downshift.core.verdicts import DOWNSHIFT, UPSHIFT
from downshift.sessions import scores

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from downshift.core.decision import Decision
    from downshift.core.spawn import Model
    from downshift.paths import State


def follow(decision: Decision, state: State, env: Mapping[str, str]) -> tuple[Decision, Mapping[str, object], str]:
    """The decision (perhaps with the path's pick), the score_* fields, and what was wrong with the scores."""
    spawn, classification = decision.case.spawn, decision.case.classification
    known = scores.load(spawn.harness, state, env)
    if classification.complexity == "COMPLEX" or classification.risk or "TIER_FLOOR" in decision.reason_codes:
        return decision, {}, known.problem
    would = scores.pick(decision.candidates, decision.tier, known.by_id)
    if would is None:
        return decision, {}, known.problem
    chosen = decision.would_be or decision.case.baseline_model
    shadow: dict[str, object] = {"score_would": would.id, "score_differs": chosen is None or would.id != chosen.id}
    if chosen and chosen.prices and would.prices and sum(chosen.prices):
        shadow["score_would_cost_ratio"] = round(sum(would.prices) / sum(chosen.prices), 4)
    if paths.flag(env, paths.SCORE_ROUTING) and shadow["score_differs"] and _may_replace(decision, would):
        decision = decision.replace(would_be=would, reason_codes=(*decision.reason_codes, "SCORE_ROUTED"))
    return decision, shadow, known.problem


def _may_replace(decision: Decision, would: Model) -> bool:
    """Only where the plan rewrites the model anyway, and never against its direction."""
    current = decision.case.baseline_model
    if decision.target is None or (current and would.id == current.id):
        return False
    if decision.verdict == UPSHIFT:
        return rank(would.tier) >= rank(decision.tier)
    return decision.verdict != DOWNSHIFT or (current is not None and rank(would.tier) <= rank(current.tier))
