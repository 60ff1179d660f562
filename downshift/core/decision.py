"""From what is known about a spawn to what is done with it."""

from __future__ import annotations

from downshift.core.guardrails import Facts, Guardrail, fired
from downshift.core.record import Record
from downshift.core.selection import choose
from downshift.core.spawn import Baseline, Classification, Model, Session, Spawn
from downshift.core.tiers import EFFORT_OF, TIER_OF
from downshift.core.verdicts import OK, verdict_of


class Case(Record):
    """One spawn with everything that decides about it."""

    spawn: Spawn
    baseline: Baseline
    baseline_model: Model | None
    """The baseline as the catalog knows it; None for an unknown id or no baseline."""
    classification: Classification
    session: Session
    gate_open: bool = True
    respect_explicit: bool = False
    effort_applies: bool = True
    """False when the environment sets the effort of every child: then none is claimed."""
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
    """The effort that goes with `would_be`; empty when none is claimed."""
    outcome: str

    @property
    def target(self) -> Model | None:
        """The model to write; None leaves the spawn as it is."""
        return self.would_be if self.outcome == "rewrite_emitted" else None


def decide(case: Case) -> Decision:
    """Judge one spawn. Pure and deterministic: two processes that see one spawn decide alike."""
    classification = case.classification
    tier = TIER_OF[classification.complexity]
    current_tier = case.baseline_model.tier if case.baseline_model else ""
    verdict = verdict_of(current_tier, tier)
    pinned = case.baseline.kind == "definition"
    target = None if verdict == OK else choose(case.session, tier, verdict, current_tier)
    holds: tuple[Guardrail, ...] = ()
    if verdict != OK and not pinned:
        facts = Facts(
            spawn=case.spawn,
            baseline=case.baseline,
            classification=classification,
            session=case.session,
            verdict=verdict,
            needed_tier=tier,
            target=target,
            gate_open=case.gate_open,
            respect_explicit=case.respect_explicit,
        )
        holds = fired(facts)
    changes = target is not None and not pinned and target != case.baseline_model
    return Decision(
        case=case,
        tier=tier,
        verdict=verdict,
        safe_verdict=OK if holds or pinned else verdict,
        corrections=tuple(hold.id for hold in holds if hold.id),
        reason_codes=_reason_codes(case, pinned=pinned) + tuple(hold.code for hold in holds),
        would_be=target if changes else None,
        effort=EFFORT_OF[classification.complexity] if case.effort_applies else "",
        outcome=_outcome(case, rewrite=changes and not holds),
    )


def _reason_codes(case: Case, *, pinned: bool) -> tuple[str, ...]:
    classification, unrouted = case.classification, case.paused or case.no_route
    known = (
        ("CLASSIFIER_CONFIDENT" if classification.confident else "CLASSIFIER_UNCONFIDENT", True),
        ("RISK_FLOOR", "risk floor" in dict(classification.reasons)),
        ("BASELINE_FROM_SETTINGS", case.baseline.kind == "settings"),
        ("AGENT_PINS_MODEL", pinned),
        ("CONTROL", case.control and not unrouted),
    )
    return tuple(code for code, applies in known if applies)


def _outcome(case: Case, *, rewrite: bool) -> str:
    if case.paused or case.no_route or case.control:
        return "baseline"
    return "rewrite_emitted" if rewrite else "allow"
