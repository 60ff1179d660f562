"""What is decided about a spawn, as laws over every combination that can occur."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from downshift.core import events, guardrails
from downshift.core.decision import Case, decide
from downshift.core.guardrails import TABLE
from downshift.core.spawn import Baseline, Classification, Model, Session, Spawn
from downshift.core.spawn_state import state_of
from downshift.core.tiers import CLASSES, EFFORT_OF, TIER_OF, TIERS, rank

HARNESS = "claude-code"
LADDER = tuple(Model(id=f"m-{tier}", harness=HARNESS, tier=tier, wire=tier) for tier in TIERS)
FRONTIER = LADDER[2]


def a_case(**changes) -> Case:
    classification = Classification(complexity="TRIVIAL", probabilities=dict.fromkeys(CLASSES, 0.25), confident=True)
    case = Case(
        spawn=Spawn(harness=HARNESS, entry="mod", task="x", tool_use_id="t", session_id="s"),
        baseline=Baseline(kind="inherited", model=FRONTIER.id),
        baseline_model=FRONTIER,
        classification=classification.replace(**changes.pop("classification", {})),
        session=Session(models=LADDER, source="inferred"),
    )
    for part in ("spawn", "baseline"):
        case = case.replace(**{part: getattr(case, part).replace(**changes.pop(part, {}))})
    return case.replace(**changes)


KINDS = ("explicit", "inherited", "definition", "settings", "parent_guess", "unknown")
CASES = st.builds(
    lambda complexity, confident, kind, tier, risk, length, gate, forced, foreign, keeps, named, respect, off: a_case(
        classification={"complexity": complexity, "confident": confident, "risk": risk, "named_model": named},
        baseline={"kind": kind, "forced": forced, "foreign_endpoint": foreign},
        baseline_model=LADDER[rank(tier)] if tier and kind != "unknown" else None,
        session=Session(models=LADDER[:length], source="inferred") if length else Session(),
        spawn={"keeps_model": keeps},
        gate_open=gate,
        respect_explicit=respect,
        control=off == "control",
        paused=off == "paused",
        no_route=off == "no_route",
    ),
    st.sampled_from(CLASSES),
    st.booleans(),
    st.sampled_from(KINDS),
    st.sampled_from(("", *TIERS)),
    st.sampled_from(((), ("payment",))),
    st.integers(0, 3),
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.sampled_from(("", "", "fork")),
    st.sampled_from(("", "", "opus")),
    st.booleans(),
    st.sampled_from(("", "", "control", "paused", "no_route")),
)


@given(CASES)
def test_what_is_written_is_always_a_model_of_the_session_and_of_this_harness(case):
    target = decide(case).target
    assert target is None or (target in case.session.models and target.harness == HARNESS and target.short())


@given(CASES)
def test_held_and_switched_exclude_each_other(case):
    made = decide(case)
    held = any(code.startswith("HELD_") for code in made.reason_codes)
    state = state_of(events.decision(made, now="", correlation=""))
    assert not (held and made.target)
    assert (state == "switched") == (made.target is not None)
    assert state != "held" or held


@given(CASES)
def test_doubt_never_moves_the_model(case):
    unsure = case.replace(classification=case.classification.replace(confident=False))
    assert decide(unsure).target is None


@given(CASES)
def test_a_task_that_touches_risk_is_never_lowered(case):
    risky = case.replace(classification=case.classification.replace(risk=("payment",)))
    made = decide(risky)
    assert made.target is None or made.verdict != "DOWNSHIFT"


@given(CASES)
def test_a_pinned_agent_is_never_rewritten_and_says_so(case):
    pinned = case.replace(baseline=case.baseline.replace(kind="definition"))
    made = decide(pinned)
    assert made.target is None
    assert "AGENT_PINS_MODEL" in made.reason_codes


@given(CASES)
def test_a_spawn_that_is_off_limits_is_judged_and_never_changed(case):
    for switch in ("control", "paused", "no_route"):
        made = decide(case.replace(**{switch: True}))
        assert (made.outcome, made.target) == ("baseline", None)
    assert "CONTROL" not in decide(case.replace(control=True, paused=True)).reason_codes
    assert "CONTROL" not in decide(case.replace(control=True, no_route=True, paused=False)).reason_codes


@given(CASES)
def test_a_target_reaches_the_tier_the_task_needs(case):
    made = decide(case)
    assert made.target is None or rank(made.target.tier) >= rank(made.tier)


@given(CASES)
def test_the_same_case_is_decided_alike_twice(case):
    assert decide(case) == decide(case)


@given(CASES)
def test_corrections_and_codes_name_the_same_guardrails_in_table_order(case):
    made = decide(case)
    codes = [code for code in made.reason_codes if code.startswith("HELD_")]
    by_code = {row.code: row.id for row in TABLE}
    assert list(made.corrections) == [by_code[code] for code in codes if by_code[code]]
    assert codes == [row.code for row in TABLE if row.code in codes]
    assert (made.safe_verdict == "OK") or not codes


@pytest.mark.parametrize("complexity", CLASSES)
def test_effort_follows_the_class(complexity):
    made = decide(a_case(classification={"complexity": complexity}))
    assert (made.tier, made.effort) == (TIER_OF[complexity], EFFORT_OF[complexity])


def test_no_effort_is_claimed_where_the_environment_sets_it():
    made = decide(a_case(effort_applies=False))
    assert (made.target, made.effort) == (LADDER[0], "")


def test_a_current_model_that_is_already_right_is_observed():
    made = decide(a_case(classification={"complexity": "COMPLEX"}))
    assert (made.verdict, made.outcome, made.reason_codes) == ("OK", "allow", ("CLASSIFIER_CONFIDENT",))


# One case for each row of the table, so that no guardrail can go missing unseen.
FIRES = {
    "HELD_UNCONFIDENT_DOWNSHIFT": {"classification": {"confident": False}},
    "HELD_COMPLEX_DOWNSHIFT": None,  # the highest tier is COMPLEX's own: only a session above it could lower one
    "HELD_FOREIGN_MODEL": {"session": Session(models=tuple(each.replace(harness="codex") for each in LADDER))},
    "HELD_RISK_DOWNSHIFT": {"classification": {"risk": ("payment",)}},
    "HELD_UNCONFIDENT_UNKNOWN_SMALL": {"classification": {"confident": False}, "baseline_model": None},
    "HELD_UNCONFIDENT_UNKNOWN_FRONTIER": {
        "classification": {"confident": False, "complexity": "COMPLEX"},
        "baseline_model": None,
    },
    "HELD_UNCONFIDENT_UPSHIFT": {
        "classification": {"confident": False, "complexity": "COMPLEX"},
        "baseline_model": LADDER[0],
    },
    "HELD_UNCONFIDENT_UNKNOWN_MID": {
        "classification": {"confident": False, "complexity": "MEDIUM"},
        "baseline_model": None,
    },
    "HELD_GUESSED_BASELINE": {"classification": {"complexity": "MEDIUM"}, "baseline": {"kind": "settings"}},
    "HELD_NO_SESSION": {"session": Session()},
    "HELD_FORK": {"spawn": {"keeps_model": "fork"}},
    "HELD_NO_TARGET": {"session": Session(models=LADDER[:1]), "classification": {"complexity": "MEDIUM"}},
    "HELD_MODEL_FORCED": {"baseline": {"forced": True}},
    "HELD_EXPLICIT_MODEL": {"baseline": {"kind": "explicit"}, "respect_explicit": True},
    "HELD_NAMED_MODEL": {"classification": {"named_model": "opus"}},
    "HELD_PERMISSION_MODE": {"gate_open": False},
    "HELD_UNKNOWN_ENDPOINT": {"baseline": {"foreign_endpoint": True}},
}


def test_every_guardrail_has_a_case_here():
    assert set(FIRES) == {row.code for row in TABLE}


@pytest.mark.parametrize(("code", "changes"), [(code, changes) for code, changes in FIRES.items() if changes])
def test_each_guardrail_holds_the_spawn_it_is_for(code, changes):
    made = decide(a_case(**changes))
    assert code in made.reason_codes
    assert (made.target, made.safe_verdict) == (None, "OK")


def test_without_any_of_them_the_spawn_is_switched():
    assert decide(a_case()).target == LADDER[0]


def test_a_complex_task_above_the_tiers_is_not_lowered():
    facts = guardrails.Facts(
        spawn=a_case().spawn,
        baseline=a_case().baseline,
        classification=a_case(classification={"complexity": "COMPLEX"}).classification,
        session=a_case().session,
        verdict="DOWNSHIFT",
        needed_tier="frontier",
        target=LADDER[2],
        gate_open=True,
        respect_explicit=False,
    )
    assert [row.id for row in guardrails.fired(facts)] == ["R2_COMPLEX_DOWNSHIFT"]


def test_the_most_telling_hold_is_shown_first():
    held = ["HELD_UNCONFIDENT_DOWNSHIFT", "HELD_RISK_DOWNSHIFT", "HELD_PERMISSION_MODE"]
    for order in itertools.permutations(held):
        assert guardrails.most_specific(list(order)) == "HELD_RISK_DOWNSHIFT"
    assert guardrails.most_specific(["CONTROL"]) == ""
    assert guardrails.most_specific(["HELD_UNCONFIDENT_UPSHIFT"]) == "HELD_UNCONFIDENT_UPSHIFT"


def test_holds_change_no_verdict():
    made = decide(a_case(gate_open=False))
    assert (made.verdict, made.safe_verdict, made.would_be) == ("DOWNSHIFT", "OK", LADDER[0])
