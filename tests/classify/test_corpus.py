"""The corpus: how much of it there is, how varied it is, and that no brief stands in it twice."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter, defaultdict

import pytest

from downshift.core.tiers import CLASSES, TIER_OF
from tests.conftest import REPOSITORY

PROMPTS = REPOSITORY / "tests" / "prompts"
LEAST = {"train": 2400, "dev": 500, "test": 500}
RISKS = {
    "secret",
    "authorisation",
    "cryptography",
    "payment",
    "vulnerability",
    "personal data",
    "destructive",
    "steering",
}
ADVERSARIAL = {"trap-up", "trap-down", "understated", "overstated", "steering", "vague", "mixed"}
LANGUAGES = {"en", "pt", "es", "de", "fr", "it", "ja", "zh", "ko"}
FIELDS = ["id", "subagent_type", "description", "prompt", "label", "risk", "kind", "language", "reason"]


def rows(split: str) -> list[dict]:
    lines = (PROMPTS / f"{split}.jsonl").read_text(encoding="utf-8").split("\n")
    return [json.loads(line) for line in lines if line]


ALL = {split: rows(split) for split in LEAST}


@pytest.mark.parametrize("split", LEAST)
def test_each_split_is_large_enough_and_whole(split):
    assert len(ALL[split]) >= LEAST[split]
    for row in ALL[split]:
        assert list(row) == FIELDS
        assert row["label"] in CLASSES
        assert set(row["risk"]) <= RISKS
        assert row["language"] in LANGUAGES
        assert all(row[name] for name in ("id", "description", "prompt", "kind", "reason"))


def test_no_id_stands_twice():
    ids = Counter(row["id"] for split in ALL.values() for row in split)
    assert [name for name, count in ids.items() if count > 1] == []


def test_the_test_split_is_the_one_that_was_fixed():
    told = (PROMPTS / "test.sha256").read_text().split()[0]
    assert hashlib.sha256((PROMPTS / "test.jsonl").read_bytes()).hexdigest() == told


def test_the_test_split_is_hard_enough_in_form():
    long = sum(len(row["prompt"]) >= 600 for row in ALL["test"])
    adversarial = sum(row["kind"] in ADVERSARIAL for row in ALL["test"])
    assert long >= len(ALL["test"]) / 2
    assert adversarial >= len(ALL["test"]) / 4


def test_languages_other_than_english_are_there_in_earnest():
    every = [row for split in ALL.values() for row in split]
    others = Counter(row["language"] for row in every if row["language"] != "en")
    assert sum(others.values()) >= 0.15 * len(every)
    assert set(others) == LANGUAGES - {"en"}


@pytest.mark.parametrize("split", LEAST)
def test_no_class_is_missing_or_takes_over(split):
    shares = Counter(TIER_OF[row["label"]] for row in ALL[split])
    assert all(0.15 <= shares[tier] / len(ALL[split]) <= 0.55 for tier in ("small", "mid", "frontier"))


def grams(text: str) -> set[tuple[str, ...]]:
    words = re.findall(r"\w+", text.lower())
    return {tuple(words[place : place + 5]) for place in range(len(words) - 4)} or {tuple(words)}


def test_no_two_briefs_share_more_than_forty_percent_of_their_word_5_grams():
    every = [(row["id"], grams(row["prompt"])) for split in ALL.values() for row in split]
    where: dict[tuple[str, ...], list[int]] = defaultdict(list)
    alike = []
    for number, (name, own) in enumerate(every):
        shared = Counter(other for gram in own for other in where[gram])
        for gram in own:
            where[gram].append(number)
        alike += [
            (name, every[other][0]) for other, n in shared.items() if n > 0.4 * min(len(own), len(every[other][1]))
        ]
    assert alike == []


def test_both_raters_are_recorded_and_agree_on_the_tiers():
    ratings = json.loads((PROMPTS / "ratings.json").read_text())
    pairs = [(TIER_OF[one["writer"]], TIER_OF[one["rater"]]) for one in ratings["rows"].values()]
    n = len(pairs)
    agreed = sum(a == b for a, b in pairs) / n
    chance = sum(
        sum(a == tier for a, _ in pairs) * sum(b == tier for _, b in pairs) / n / n
        for tier in ("small", "mid", "frontier")
    )
    kappa = (agreed - chance) / (1 - chance)
    assert kappa >= 0.85
    assert ratings["kappa"] == pytest.approx(kappa, abs=1e-3)
    assert set(ratings["rows"]) <= {row["id"] for split in ALL.values() for row in split}
    assert n >= 2500
