"""What an id means, and which models a session can surely reach."""

from __future__ import annotations

import itertools
import json

import pytest

from downshift import assets
from downshift.catalog.lookup import load
from downshift.core.tiers import TIERS, rank

CATALOG = load("claude-code")
SHIPPED = json.loads(assets.data("catalog.json"))["harnesses"]


@pytest.mark.parametrize(
    ("raw", "meaning", "tier"),
    [
        ("claude-opus-5-5", "claude-opus-5-5", "frontier"),
        ("opus", "claude-opus-5-5", "frontier"),
        ("Claude-Opus-5-5", "claude-opus-5-5", "frontier"),
        ("claude-opus-5-5[1m]", "claude-opus-5-5", "frontier"),
        ("anthropic/claude-sonnet-5.5", "claude-sonnet-5-5", "mid"),
        ("claude-haiku-4-5-20251001", "claude-haiku-4-5", "small"),
        ("claude-haiku-4-9", "claude-haiku-4-9", "small"),
        ("claude-opus-4-5", "claude-opus-4-5", "frontier"),
        ("claude-sonnet-7", "claude-sonnet-7", "mid"),
        ("fable", "claude-fable-5-2", "frontier"),
    ],
)
def test_an_id_is_found_exactly_by_alias_by_date_or_by_family(raw, meaning, tier):
    model = CATALOG.find(raw)
    assert model is not None
    assert (model.id, model.tier) == (meaning, tier)


@pytest.mark.parametrize("raw", ["", "gpt-6-luna", "claude", "opusplan", "claude-opusculum", "haiku-ish"])
def test_what_is_not_known_is_not_guessed(raw):
    assert CATALOG.find(raw) is None


def test_a_model_known_by_its_family_alone_has_no_price():
    assert CATALOG.find("claude-sonnet-7").prices is None
    assert CATALOG.find("claude-sonnet-5-5").prices == (2.0, 10.0)


def test_ownership_takes_exact_ids_and_aliases_only():
    assert CATALOG.owned("haiku") is not None
    assert CATALOG.owned("claude-haiku-4-5-20251001") is None


@pytest.mark.parametrize(
    ("top", "ladder"),
    [
        ("opus", ["claude-haiku-5-5", "claude-sonnet-5-5", "claude-opus-5-5"]),
        ("claude-opus-4-8", ["claude-haiku-5-5", "claude-sonnet-5-5", "claude-opus-4-8"]),
        ("sonnet", ["claude-haiku-5-5", "claude-sonnet-5-5"]),
        ("haiku", ["claude-haiku-5-5"]),
        ("fable", ["claude-haiku-5-5", "claude-sonnet-5-5", "claude-fable-5-2"]),
    ],
)
def test_the_ladder_goes_down_from_the_current_model_and_never_above_it(top, ladder):
    assert [model.id for model in CATALOG.ladder(CATALOG.find(top))] == ladder


def test_an_unknown_harness_has_an_empty_catalog():
    assert load("nothing").models() == ()


@pytest.mark.parametrize("harness", SHIPPED)
def test_the_shipped_catalog_is_consistent(harness):
    entries = SHIPPED[harness]
    names = list(itertools.chain.from_iterable((entry["id"], *entry["aliases"]) for entry in entries))
    assert len(names) == len(set(names)), "an id or alias stands twice"
    assert len({entry["family"] for entry in entries}) == len(entries), "two entries claim one family"
    assert all(entry["tier"] in TIERS for entry in entries)
    tiers = [rank(entry["tier"]) for entry in entries]
    assert tiers == sorted(tiers), "the order is from least to most capable"
    assert all(name == name.lower() for name in names)
