"""Figures of tokens: when a saving may be claimed, and how numbers are written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from downshift.catalog.shelf import Shelf
from downshift.views.tokens import amount, label, percent, saving, used
from tests.log.test_link import decision, link, usage

CATALOGS = Shelf()


def entry(ran_on: str = "claude-haiku-5-5", **fields: object):
    honored = fields.pop("rewrite_honored", True)
    more = {key: fields.pop(key) for key in ("partial", "mixed_models") if key in fields}
    told = usage(
        linked_decision="c1",
        final_model=ran_on,
        rewrite_honored=honored,
        input_tokens=95,
        cache_read_tokens=900,
        **more,
    )
    return link([decision(1, **fields), told])[0]


@pytest.mark.parametrize(
    ("fields", "where"),
    [
        ({}, "cheaper"),
        ({"rewrite_honored": None}, "cheaper"),
        ({"ran_on": "claude-haiku-4-5-20251001"}, "cheaper"),
        ({"ran_on": "claude-opus-4-8"}, "pricier"),
        (
            {"requested_model": "claude-haiku-5-5", "final_model": "claude-sonnet-5-5", "ran_on": "claude-sonnet-5-5"},
            "pricier",
        ),
        ({"ran_on": "claude-opus-5-5", "rewrite_honored": False}, "unchanged"),
        ({"outcome": "allow", "ran_on": "claude-opus-5-5"}, "unchanged"),
        ({"outcome": "baseline", "reason_codes": ["CONTROL"]}, "unchanged"),
        ({"corrections": ["R1_UNCONFIDENT_DOWNSHIFT"]}, "unchanged"),
        ({"requested_model": "unknown"}, "unattributed"),
        ({"ran_on": "nobody-knows"}, "unattributed"),
        ({"mixed_models": True}, "unattributed"),
    ],
)
def test_a_saving_is_claimed_only_where_a_switched_child_was_seen_on_a_cheaper_model(fields, where):
    assert saving(entry(**fields), CATALOGS) == where


def test_what_is_dearer_adds_to_the_pricier_figures_and_never_lowers_the_saved_ones():
    cheap, dear = entry(), entry("claude-opus-4-8")
    both = used([cheap, dear], CATALOGS).data()
    assert both == {
        "children": 2, "saved_children": 1, "work_tokens": 200, "work_saved": 100, "cache_tokens": 1800, "cache_saved": 900,
        "work_pricier": 100, "cache_pricier": 900,
    }  # fmt: skip


def test_the_lines_are_those_of_the_contract():
    assert used([entry()], CATALOGS).line() == "tokens saved: work 100% · cache 100% (1.0k of 1.0k)"
    assert label(entry(), CATALOGS) == "1.0k tokens · saved from opus"
    assert label(entry(), CATALOGS, parts=True) == "1.0k tokens (work 100, cache 900) · saved from opus"
    assert label(entry("claude-opus-4-8"), CATALOGS) == "1.0k tokens · pricier than opus"
    assert label(entry(partial=True, outcome="allow"), CATALOGS) == "≥ 1.0k tokens"
    assert label(link([decision(1)])[0], CATALOGS) == ""
    assert used([link([decision(1)])[0]], CATALOGS).line() == ""


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        (0, "0"),
        (999, "999"),
        (1000, "1.0k"),
        (2149, "2.1k"),
        (9949, "9.9k"),
        (9950, "10k"),
        (48_400, "48k"),
        (999_400, "999k"),
        (999_600, "1.0M"),
        (1_250_000, "1.2M"),
        (3 * 10**9, "3.0G"),
    ],
)
def test_amounts_are_short(tokens, text):
    assert amount(tokens) == text


@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_no_share_is_over_100_percent_and_only_everything_is_100(part, whole):
    share = percent(min(part, whole), whole)
    assert 0 <= share <= 100
    assert (share == 100) == (0 < whole <= part)
