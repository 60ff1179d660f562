"""From what is known about a spawn to what is done with it."""

from __future__ import annotations

from downshift.core.guardrails import Facts, Guardrail, fired
from downshift.core.record import Record
from downshift.core.selection import Need, choose, eligible, fit_effort
from downshift.core.spawn import Baseline, Classification, Model, Session, Spawn
from downshift.core.tiers import EFFORT_OF, EFFORT_OF_TIER, TIER_OF, rank
from downshift.core.verdicts import OK, verdict_of


class Case(Record):
    """One spawn with everything that decides about it."""

    spawn: Spawn
    baseline: Baseline
    baseline_model: Model | None
    """The baseline as the catalog knows it; None for an unknown id or no baseline."""
    classification: Classification
    session: Session
    can_rewrite: bool = True
    """False for a harness whose hooks cannot change a spawn."""
    gate_open: bool = True
    respect_explicit: bool = False
    tier_floor: str = ""
    """The operator's least tier for this type of agent."""
    pinned: bool = False
    after_failure: bool = False
    effort_applies: bool = True
    """False when the environment sets the effort of every child: then none is claimed."""
    effort_alone: bool = False
    """Whether this harness takes an effort without a model."""
    paused: bool = False
    no_route: bool = False
    control: bool = False


class Decision(Record):
    """What Downshift decided, before any harness's spelling of it."""

    case: Case
    tier: str
    verdict: str
    safe_verdict: str
    """The verdict that was acted on: OK when a guardrail held it."""
    corrections: tuple[str, ...]
    reason_codes: tuple[str, ...]
    would_be: Model | None
    """What selection chose, whether or not it is written; None when that is no change."""
    effort: str
    """The effort that goes with `would_be`, or alone; empty when none is claimed."""
    outcome: str
    candidates: tuple[Model, ...] = ()
    """What selection could choose from."""

    @property
    def target(self) -> Model | None:
        """The model to write; None leaves the model as it is."""
        return self.would_be if self.outcome == "rewrite_emitted" else None


def decide(case: Case) -> Decision:
    """Judge one spawn. Pure and deterministic: two processes that see one spawn decide alike."""
    tier, lifted = _needed(case)
    current = case.baseline_model
    verdict = verdict_of(current.tier if current else "", tier)
    pinned_by_agent = case.baseline.kind == "definition"
    need = Need(
        tier=tier,
        verdict=verdict,
        current=current,
        strongest=case.baseline.guessed or case.session.explicit_upshift,
        explicit=case.session.explicit_upshift,
    )
    target = None if verdict == OK else choose(case.session, need, frozenset(case.session.refused))
    holds: tuple[Guardrail, ...] = ()
    if verdict != OK and not pinned_by_agent:
        holds = fired(_facts(case, need, target, lifted=lifted))
    changes = target is not None and not pinned_by_agent and (current is None or target.id != current.id)
    effort = _effort(case, tier, target if changes else current, lifted=lifted)
    alone = _effort_alone(case, verdict) and effort != case.spawn.effort
    return Decision(
        case=case,
        tier=tier,
        verdict=verdict,
        safe_verdict=OK if holds or pinned_by_agent else verdict,
        corrections=tuple(hold.id for hold in holds if hold.id),
        reason_codes=_reason_codes(case, pinned=pinned_by_agent, lifted=lifted) + tuple(hold.code for hold in holds),
        would_be=target if changes else None,
        effort=effort if changes or alone else "",
        outcome=_outcome(case, rewrite=(changes or bool(alone and effort)) and not holds),
        candidates=tuple(model for model in eligible(case.session, need) if model.id not in case.session.refused),
    )


def _needed(case: Case) -> tuple[str, bool]:
    """The tier this spawn gets, and whether the operator's floor raised it.

    The floor acts on a known baseline only. It raises what a confident
    classification asks for; without confidence it raises a child that is below it.
    """
    own, floor = TIER_OF[case.classification.complexity], case.tier_floor
    have = rank(case.baseline_model.tier) if case.baseline_model else -1
    below = own if case.classification.confident else case.baseline_model.tier if case.baseline_model else own
    if have >= 0 and rank(floor) > rank(below):
        return floor, True
    return own, False


def _facts(case: Case, need: Need, target: Model | None, *, lifted: bool) -> Facts:
    return Facts(
        spawn=case.spawn,
        baseline=case.baseline,
        classification=case.classification,
        session=case.session,
        verdict=need.verdict,
        needed_tier=need.tier,
        target=target,
        current=case.baseline_model,
        refused=_refused(case, need, target),
        lifted=lifted,
        gate_open=case.gate_open,
        respect_explicit=case.respect_explicit,
        pinned=case.pinned,
        after_failure=case.after_failure,
    )


def _refused(case: Case, need: Need, target: Model | None) -> str:
    """Why the model that would have been chosen may not be written, where that leaves the spawn as it is."""
    current, refused = case.baseline_model, case.session.refused
    if not refused or (target is not None and (current is None or target.id != current.id)):
        return ""
    wanted = choose(case.session, need)
    return refused.get(wanted.id, "") if wanted else ""


def _effort(case: Case, tier: str, model: Model | None, *, lifted: bool) -> str:
    if not case.effort_applies or model is None:
        return ""
    wanted = EFFORT_OF_TIER[tier] if lifted else EFFORT_OF[case.classification.complexity]
    return fit_effort(wanted, model)


def _effort_alone(case: Case, verdict: str) -> bool:
    """Whether an effort may be written without a model: nothing else is to change, and the child takes it."""
    left_alone = case.pinned or case.baseline.kind == "definition" or bool(case.spawn.keeps_model)
    sure = case.classification.confident and not case.classification.named_model
    return case.effort_alone and verdict == OK and sure and case.gate_open and not left_alone


def _reason_codes(case: Case, *, pinned: bool, lifted: bool) -> tuple[str, ...]:
    classification, unrouted = case.classification, case.paused or case.no_route
    known = (
        ("CLASSIFIER_CONFIDENT" if classification.confident else "CLASSIFIER_UNCONFIDENT", True),
        ("RISK_FLOOR", classification.risk_floor),
        ("TIER_FLOOR", lifted),
        ("BASELINE_FROM_SETTINGS", case.baseline.kind == "settings"),
        ("AGENT_PINS_MODEL", pinned),
        ("CONTROL", case.control and not unrouted),
    )
    return tuple(code for code, applies in known if applies)


def _outcome(case: Case, *, rewrite: bool) -> str:
    if case.paused or case.no_route or case.control:
        return "baseline"
    return "rewrite_emitted" if rewrite and case.can_rewrite else "allow"
