"""Which model is chosen. One row for each sentence of the contract on session models."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from downshift.core.selection import Need, choose, fit_effort
from downshift.core.spawn import Model, Session
from downshift.core.tiers import EFFORTS, TIERS, rank


def model(name: str, **fields: object) -> Model:
    """`s1` is small, `m1` mid, `f1` frontier; anything else has no tier."""
    tier = {"s": "small", "m": "mid", "f": "frontier"}.get(name[0], "") if name[1:].isdigit() else ""
    return Model(id=name, harness="h", tier=tier, **fields)  # type: ignore[arg-type]


def session(names: str) -> Session:
    """`s1 m1 f1!`: a list in order; `!` marks a model for explicit use only."""
    listed = [model(name.rstrip("!"), explicit_only=name.endswith("!")) for name in names.split()]
    return Session(models=tuple(listed), source="file")


ROWS = [
    # sentence, list, verdict, needed tier, current, refused, flags, chosen
    ("first id at or above the needed tier", "s1 m1 f1", "DOWNSHIFT", "small", "f1", "", "", "s1"),
    ("first id at or above the needed tier", "s1 m1 f1", "DOWNSHIFT", "mid", "f1", "", "", "m1"),
    ("in list order, wherever it stands", "m1 s1 f1", "DOWNSHIFT", "small", "f1", "", "", "m1"),
    ("a frontier model at the end does not stop a mid task", "s1 m1 f1 f2", "DOWNSHIFT", "mid", "f1", "", "", "m1"),
    ("no id reaches the tier: nothing is rewritten", "s1", "DOWNSHIFT", "mid", "f1", "", "", None),
    ("an unknown verdict takes the first at or above", "s1 m1 f1", "UNKNOWN", "frontier", "", "", "", "f1"),
    ("an unknown verdict takes the first at or above", "s1 m1 f1", "UNKNOWN", "small", "", "", "", "s1"),
    ("an id without a tier: positions, first for small", "a b c", "UNKNOWN", "small", "", "", "", "a"),
    ("positions, midpoint for mid", "a b c", "UNKNOWN", "mid", "", "", "", "b"),
    ("positions, midpoint for mid", "a b c d", "UNKNOWN", "mid", "", "", "", "c"),
    ("positions, last for frontier", "a b c", "UNKNOWN", "frontier", "", "", "", "c"),
    ("one unknown id is enough for positions", "s1 b f1", "DOWNSHIFT", "mid", "f1", "", "", "b"),
    ("an exhausted id is skipped, the next at or above wins", "s1 m1 f1", "DOWNSHIFT", "small", "f1", "s1", "", "m1"),
    ("an exhausted id never lowers the floor", "s1 m1 f1", "DOWNSHIFT", "mid", "f1", "m1", "", "f1"),
    ("every such id exhausted: nothing is rewritten", "s1 m1", "DOWNSHIFT", "mid", "f1", "m1", "", None),
    ("a downshift never passes the current tier", "s1 f1", "DOWNSHIFT", "small", "m1", "s1", "", None),
    ("positions skip the exhausted too", "a b c", "UNKNOWN", "small", "", "a", "", "b"),
    ("an upshift takes the least model at the needed tier", "s1 m1 f1", "UPSHIFT", "mid", "s1", "", "", "m1"),
    ("later position first within a tier", "s1 m1 m2 f1", "UPSHIFT", "mid", "s1", "", "", "m2"),
    ("never below the current model", "s1 m1 f1", "UPSHIFT", "mid", "m1", "", "", "m1"),
    ("an upshift skips what the quota refuses", "s1 m1 m2 f1", "UPSHIFT", "mid", "s1", "m2", "", "m1"),
    ("an upshift goes on to the next tier when one is used up", "s1 m1 f1", "UPSHIFT", "mid", "s1", "m1", "", "f1"),
    ("none qualifies: nothing is rewritten", "s1 m1", "UPSHIFT", "frontier", "s1", "", "", None),
    ("unranked upshift: the last allowed id", "a b c", "UPSHIFT", "mid", "a", "", "", "c"),
    ("unranked upshift: not the refused", "a b c", "UPSHIFT", "mid", "a", "c", "", "b"),
    ("unranked upshift: not earlier than the midpoint", "a b c", "UPSHIFT", "mid", "a", "b c", "", None),
    ("a guessed baseline keeps the strongest", "s1 m1 f1", "UPSHIFT", "mid", "s1", "", "strongest", "f1"),
    ("explicit-only ids take no part", "s1 m1 f1!", "UPSHIFT", "frontier", "s1", "", "", None),
    ("unless the operator says so, and then the last wins", "s1 f1 f2!", "UPSHIFT", "mid", "s1", "", "strongest explicit", "f2"),
    ("and only upwards", "s1! m1 f1", "DOWNSHIFT", "small", "f1", "", "explicit", "m1"),
    ("and never on an unknown verdict", "s1! m1", "UNKNOWN", "small", "", "", "explicit", "m1"),
    ("a single listed model serves every tier", "a", "UNKNOWN", "small", "", "", "", "a"),
    ("a single listed model serves every tier", "a", "UNKNOWN", "frontier", "", "", "", "a"),
    ("inherit is never chosen", "inherit m1", "UNKNOWN", "small", "", "", "", "m1"),
    ("a list of inherit alone has no target", "inherit", "UNKNOWN", "small", "", "", "", None),
    ("an empty list has no target", "", "UNKNOWN", "small", "", "", "", None),
    ("an id the catalog does not know can be written", "mystery", "DOWNSHIFT", "small", "f1", "", "", "mystery"),
    ("positions: a downshift never passes the current id", "a b c", "DOWNSHIFT", "frontier", "b", "", "", None),
    ("positions: a downshift stays below the current id", "a b c", "DOWNSHIFT", "small", "c", "a", "", "b"),
]  # fmt: skip


@pytest.mark.parametrize(("sentence", "names", "verdict", "tier", "current", "refused", "flags", "chosen"), ROWS)
def test_how_a_target_is_chosen(sentence, names, verdict, tier, current, refused, flags, chosen):
    need = Need(
        tier=tier,
        verdict=verdict,
        current=model(current) if current else None,
        strongest="strongest" in flags,
        explicit="explicit" in flags,
    )
    found = choose(session(names), need, frozenset(refused.split()))
    assert (found.id if found else None) == chosen, sentence


def test_an_id_that_would_be_refused_by_the_harness_is_never_chosen():
    listed = Session(models=(model("s1", writable=False), model("m1")), source="file")
    assert choose(listed, Need(tier="small", verdict="UNKNOWN")).id == "m1"


NAMES = st.lists(st.sampled_from(["s1", "s2", "m1", "m2", "f1", "f2", "x", "inherit"]), unique=True, max_size=6)
NEEDS = st.builds(
    lambda tier, verdict, current, strongest: Need(
        tier=tier, verdict=verdict, current=model(current), strongest=strongest
    ),
    st.sampled_from(TIERS),
    st.sampled_from(["DOWNSHIFT", "UPSHIFT", "UNKNOWN"]),
    st.sampled_from(["s1", "m1", "f1", "x"]),
    st.booleans(),
)
REFUSED = st.frozensets(st.sampled_from(["s1", "m1", "f1", "x"]))


@given(NAMES, NEEDS, REFUSED)
def test_what_is_chosen_is_listed_allowed_and_never_below_the_floor(names, need, refused):
    listed = session(" ".join(names))
    found = choose(listed, need, refused)
    if found is None:
        return
    assert found in listed.models
    assert found.id not in refused | {"inherit"}
    if "x" not in names:
        assert rank(found.tier) >= rank(need.tier)


@given(NAMES, NEEDS, REFUSED)
def test_refusing_more_never_gives_a_weaker_model(names, need, refused):
    if "x" in names:
        return
    listed = session(" ".join(names))
    free, limited = choose(listed, need), choose(listed, need, refused)
    if free and limited and not need.strongest and names == sorted(names, key=lambda name: "smf".find(name[0])):
        assert rank(limited.tier) >= rank(free.tier)


@given(st.sampled_from(EFFORTS), st.lists(st.sampled_from(EFFORTS), unique=True))
def test_an_effort_is_one_that_the_model_takes_and_the_nearest_one_upwards_first(wanted, efforts):
    found = fit_effort(wanted, model("s1", efforts=tuple(efforts)))
    assert found == wanted if not efforts or wanted in efforts else found in efforts
    above = [effort for effort in EFFORTS if effort in efforts and EFFORTS.index(effort) >= EFFORTS.index(wanted)]
    if efforts and above:
        assert found == above[0]


def test_an_effort_that_is_no_effort_of_ours_is_left_as_it_is():
    assert fit_effort("", model("s1", efforts=("low",))) == ""
