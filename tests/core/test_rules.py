"""The small rules: verdicts, control draw, hashing, spawn state."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from downshift.core import control, hashing, spawn_state, verdicts


@pytest.mark.parametrize(
    ("have", "need", "verdict"),
    [
        ("frontier", "small", "DOWNSHIFT"),
        ("frontier", "mid", "DOWNSHIFT"),
        ("mid", "mid", "OK"),
        ("small", "frontier", "UPSHIFT"),
        ("", "small", "UNKNOWN"),
        ("huge", "small", "UNKNOWN"),
    ],
)
def test_the_verdict_compares_what_is_there_with_what_is_needed(have, need, verdict):
    assert verdicts.verdict_of(have, need) == verdict


def test_ids_are_hashed_with_the_prefix_of_the_contract():
    expected = hashlib.sha256(b"harness-downshift-session-v1:toolu_1").hexdigest()
    assert hashing.hash_id("toolu_1") == expected
    assert hashing.hash_id("") == ""
    assert len(hashing.hash_id("\ud800")) == 64


@given(st.text())
def test_a_key_always_falls_at_the_same_place_between_0_and_1(key):
    assert 0 <= hashing.fraction(key) < 1
    assert hashing.fraction(key) == hashing.fraction(key)


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 1.0])
def test_the_control_group_is_within_a_point_of_its_share(share):
    drawn = sum(control.in_control(f"toolu_{number}", share) for number in range(10_000))
    assert abs(drawn / 10_000 - share) <= 0.01


@pytest.mark.parametrize(
    ("text", "share"),
    [("0", 0), ("0.25", 0.25), ("7", 1), ("-1", 0), ("", 0.1), ("ten", 0.1), ("nan", 0.1), ("inf", 1), ("1e-3", 0.001)],
)
def test_a_share_is_clamped_and_what_cannot_be_read_is_the_default(text, share):
    assert control.share_of(text) == share


@pytest.mark.parametrize(
    ("event", "state"),
    [
        ({"outcome": "rewrite_emitted", "reason_codes": ["CLASSIFIER_CONFIDENT"]}, "switched"),
        ({"outcome": "allow", "reason_codes": ["CLASSIFIER_CONFIDENT"]}, "observed"),
        ({"outcome": "allow", "reason_codes": ["HELD_FORK"]}, "held"),
        ({"outcome": "rewrite_emitted", "reason_codes": ["HELD_FORK"]}, "held"),
        ({"outcome": "allow", "reason_codes": [], "corrections": ["R1_UNCONFIDENT_DOWNSHIFT"]}, "held"),
        ({"outcome": "baseline", "reason_codes": ["CONTROL", "HELD_FORK"]}, "control"),
        ({"outcome": "baseline", "reason_codes": []}, "control"),
        ({"outcome": "baseline", "reason_codes": ["CONTROL"], "paused": True}, "paused"),
        ({"outcome": "blocked", "reason_codes": ["HELD_FORK"], "paused": True}, "blocked"),
        ({"outcome": "allow", "reason_codes": None}, "observed"),
        ({}, "observed"),
    ],
)
def test_every_spawn_has_exactly_one_state(event, state):
    assert spawn_state.state_of(event) == state
