"""Over the whole development split: what must not change a brief's tier does not, and a harder request never lowers it."""

from __future__ import annotations

import statistics
import time

import pytest

from downshift.classify import model
from downshift.classify.classifier import classify
from downshift.commands.bench import _judge, _robustness
from tests.classify.test_corpus import rows

LEAST = {
    "case": 1.0,
    "spacing": 1.0,
    "politeness": 0.97,
    "markdown": 0.97,
    "paths": 0.97,
    "pasted": 0.97,
    "harder": 0.99,
}


@pytest.fixture(scope="module")
def judged():
    return [_judge(row) for row in rows("dev")]


def test_the_tier_survives_what_must_not_matter(judged):
    shares = _robustness(judged)
    assert {name: share for name, share in shares.items() if share < LEAST[name]} == {}


def test_a_brief_of_any_length_is_judged_in_bounded_time():
    """Budgets: 1.5 ms for 2,000 characters, 8 ms for 100,000, 1 ms to load. Five times that fails."""
    text = "\n".join(row["prompt"].replace("```", "") for row in rows("dev"))

    def median(call):
        times = []
        for _ in range(9):
            started = time.perf_counter()
            call()
            times.append((time.perf_counter() - started) * 1000)
        return statistics.median(times)

    assert median(model.load) < 5
    assert median(lambda: classify(text[:2000])) < 7.5
    assert median(lambda: classify(text[:100_000])) < 40
    assert median(lambda: classify("```\n" + text[:100_000])) < 40
