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
    lambda complexity, confident, kind, tier, risk, length, gate, forced, foreign, keeps, named, respect, off, floor, rest: (
        a_case(
            classification={"complexity": complexity, "confident": confident, "risk": risk, "named_model": named},
            baseline={"kind": kind, "forced": forced, "foreign_endpoint": foreign},
            baseline_model=LADDER[rank(tier)] if tier and kind != "unknown" else None,
            session=Session(
                models=LADDER[:length],
                source="inferred",
                refused=dict.fromkeys(rest[0], "quota"),
                explicit_upshift=rest[1],
            )
            if length
            else Session(),
            tier_floor=floor,
            pinned=rest[2],
            after_failure=rest[3],
            spawn={"keeps_model": keeps},
            gate_open=gate,
            respect_explicit=respect,
            control=off == "control",
            paused=off == "paused",
            no_route=off == "no_route",
        )
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
    st.sampled_from(("", "", "", *TIERS)),
    st.tuples(
        st.sampled_from(((), (), ("m-small",), ("m-small", "m-mid"))), st.booleans(), st.booleans(), st.booleans()
    ),
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
def test_doubt_never_moves_the_model_except_up_to_the_operators_floor_from_a_known_baseline(case):
    unsure = case.replace(classification=case.classification.replace(confident=False))
    target = decide(unsure).target
    if target is not None:
        assert case.baseline_model is not None
        assert rank(case.baseline_model.tier) < rank(case.tier_floor) <= rank(target.tier)
    assert decide(unsure.replace(tier_floor="")).target is None


@pytest.mark.parametrize("kind", KINDS)
def test_doubt_moves_nothing_in_any_combination_of_kind_tier_and_class(kind):
    """Exhaustive where the laws above are sampled; every combination, confident and not."""
    for tier, complexity, confident in itertools.product(("", *TIERS), CLASSES, (False, True)):
        known = LADDER[rank(tier)] if tier and kind != "unknown" else None
        made = decide(
            a_case(
                classification={"complexity": complexity, "confident": confident},
                baseline={"kind": kind},
                baseline_model=known,
            )
        )
        if not confident or kind == "definition":
            assert made.target is None
        elif known is None:
            assert made.target.tier == TIER_OF[complexity]
        elif made.target is not None:
            strongest = made.verdict == "UPSHIFT" and kind in ("settings", "parent_guess")
            assert made.target.tier == ("frontier" if strongest else TIER_OF[complexity]) != known.tier
        elif made.verdict != "OK":
            assert made.reason_codes[-1].startswith("HELD_")


@given(CASES)
def test_a_downshift_never_raises_and_an_upshift_never_lowers(case):
    made = decide(case)
    if made.target is not None and case.baseline_model is not None:
        step = rank(made.target.tier) - rank(case.baseline_model.tier)
        assert step < 0 if made.verdict == "DOWNSHIFT" else step > 0


@given(CASES)
def test_what_is_exhausted_is_never_written_and_never_lowers_the_floor(case):
    made = decide(case)
    assert made.target is None or made.target.id not in case.session.refused
    assert made.target is None or rank(made.target.tier) >= rank(made.tier)


@given(CASES)
def test_a_longer_list_does_not_change_the_pick_for_a_tier_it_does_not_concern(case):
    longer = case.replace(session=case.session.replace(models=(*case.session.models, LADDER[2].replace(id="m-other"))))
    before, after = decide(case), decide(longer)
    # A baseline that is only known from settings may be any model of the list, so there the list does concern it.
    if case.baseline.guessed:
        return
    if before.target is not None and before.tier != "frontier":
        assert after.target == before.target


@given(CASES)
def test_a_floor_never_lowers_and_never_acts_on_an_unknown_baseline(case):
    floored, free = decide(case), decide(case.replace(tier_floor=""))
    assert rank(floored.tier) >= rank(free.tier) or not case.classification.confident
    if case.baseline_model is None:
        assert floored.target == free.target
    if floored.target and free.target:
        assert rank(floored.target.tier) >= rank(free.target.tier)


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
    assert (made.tier, made.effort) == (TIER_OF[complexity], EFFORT_OF[complexity] if made.target else "")


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
    "HELD_FOREIGN_MODEL": {
        "session": Session(models=tuple(each.replace(harness="codex") for each in LADDER), source="file")
    },
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
    "HELD_NO_TARGET": {
        "session": Session(models=LADDER[:1], source="file"),
        "classification": {"complexity": "MEDIUM"},
    },
    "HELD_QUOTA": {
        "session": Session(models=LADDER, source="file", refused=dict.fromkeys(("m-small", "m-mid"), "quota"))
    },
    "HELD_CREDIT": {"session": Session(models=LADDER[:1], source="file", refused={"m-small": "credit"})},
    "HELD_FORK_COMPACTION": {
        "spawn": {"forks_history": True},
        "baseline_model": FRONTIER.replace(comp_hash="3000"),
        "session": Session(models=(LADDER[0].replace(comp_hash="2911"),), source="file"),
    },
    "HELD_AFTER_FAILURE": {"after_failure": True},
    "HELD_PINNED": {"pinned": True},
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


# --- the operator's floor, effort alone, explicit-only models -----------------


@pytest.mark.parametrize(
    ("current", "complexity", "confident", "floor", "target", "codes"),
    [
        ("small", "SIMPLE", True, "mid", "m-mid", {"TIER_FLOOR"}),
        ("small", "MEDIUM", False, "mid", "m-mid", {"TIER_FLOOR"}),
        ("small", "COMPLEX", False, "mid", "m-mid", {"TIER_FLOOR"}),
        ("frontier", "TRIVIAL", True, "mid", "m-mid", {"TIER_FLOOR"}),
        ("frontier", "TRIVIAL", False, "mid", None, {"HELD_UNCONFIDENT_DOWNSHIFT"}),
        ("mid", "TRIVIAL", True, "mid", None, {"TIER_FLOOR"}),
        ("frontier", "MEDIUM", True, "small", "m-mid", set()),
        (None, "TRIVIAL", True, "mid", "m-small", set()),
        (None, "TRIVIAL", False, "mid", None, {"HELD_UNCONFIDENT_UNKNOWN_SMALL"}),
    ],
)
def test_the_operators_tier_floor(current, complexity, confident, floor, target, codes):
    made = decide(
        a_case(
            classification={"complexity": complexity, "confident": confident},
            baseline_model=LADDER[rank(current)] if current else None,
            tier_floor=floor,
        )
    )
    assert (made.target.id if made.target else None) == target
    assert codes <= set(made.reason_codes)
    assert ("TIER_FLOOR" in made.reason_codes) == ("TIER_FLOOR" in codes)


def test_a_lifted_spawn_gets_the_effort_of_its_new_tier():
    made = decide(a_case(classification={"complexity": "SIMPLE"}, baseline_model=LADDER[0], tier_floor="mid"))
    assert (made.target.id, made.effort) == ("m-mid", "medium")


@pytest.mark.parametrize(
    ("changes", "effort", "outcome"),
    [
        ({}, "high", "rewrite_emitted"),
        ({"effort_alone": False}, "", "allow"),
        ({"classification": {"complexity": "COMPLEX", "confident": False}}, "", "allow"),
        ({"spawn": {"effort": "high"}}, "", "allow"),
        ({"effort_applies": False}, "", "allow"),
        ({"control": True}, "high", "baseline"),
        ({"can_rewrite": False}, "high", "allow"),
    ],
)
def test_where_an_effort_is_taken_alone_it_is_written_without_a_model(changes, effort, outcome):
    made = decide(a_case(**{"classification": {"complexity": "COMPLEX"}, "effort_alone": True, **changes}))
    assert (made.target, made.effort, made.outcome) == (None, effort, outcome)


def test_a_child_on_a_model_for_explicit_use_only_stays_on_it():
    made = decide(a_case(baseline_model=FRONTIER.replace(id="astra", explicit_only=True)))
    assert (made.target, "HELD_EXPLICIT_MODEL" in made.reason_codes) == (None, True)


def test_quota_and_credit_hold_only_what_would_have_been_chosen():
    refused = Session(models=LADDER, source="file", refused={"m-mid": "quota"})
    assert decide(a_case(session=refused)).target == LADDER[0]
    made = decide(a_case(session=refused, classification={"complexity": "MEDIUM"}))
    assert (made.target, made.reason_codes[1:]) == (None, ("HELD_QUOTA",)), "the next one up is what it runs on already"
