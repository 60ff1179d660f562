"""Joining observations to decisions: by name, by call, by agent, by nearness, in any order, each once."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from downshift.core.tokens import Tokens
from downshift.log.link import link
from downshift.log.linked import Linked

DAY = 24 * 3600


def at(seconds: int) -> str:
    return f"2026-12-{1 + seconds // DAY:02d}T{seconds % DAY // 3600:02d}:{seconds % 3600 // 60:02d}:{seconds % 60:02d}.000Z"


def decision(number: int, when: int = 0, **fields: object) -> dict[str, object]:
    return {
        "correlation_id": f"c{number}", "tool_use_hash": f"t{number}", "timestamp": at(when), "session_id": "s", "harness": "claude-code",
        "complexity": "TRIVIAL", "outcome": "rewrite_emitted", "requested_model": "claude-opus-5-5", "final_model": "claude-haiku-5-5", **fields,
    }  # fmt: skip


def usage(when: int = 1, output: int = 5, **fields: object) -> dict[str, object]:
    base = {"outcome": "usage", "timestamp": at(when), "session_id": "s", "harness": "claude-code", "run": 1}
    return {**base, "final_model": "claude-haiku-5-5", "output_tokens": output, **fields}


def end(when: int = 1, status: str = "completed", **fields: object) -> dict[str, object]:
    base = {"outcome": "child_ended", "timestamp": at(when), "session_id": "s", "harness": "claude-code", "run": 1}
    return {**base, "status": status, **fields}


def output(entry: Linked) -> int | None:
    return entry.tokens.output if entry.tokens else None


@pytest.mark.parametrize(
    "names",
    [{"linked_decision": "c2"}, {"tool_use_hash": "t2"}, {"agent_hash": "a2"}],
    ids=["decision", "call", "agent"],
)
def test_an_observation_finds_its_decision_by_whatever_names_it(names):
    resolved = {
        "outcome": "resolved",
        "timestamp": at(0),
        "linked_decision": "c2",
        "agent_hash": "a2",
        "final_model": "m",
    }
    first, second = link([usage(**names), decision(1), decision(2, 1), resolved])
    assert (output(first), output(second)) == (None, 5)


def test_a_record_that_names_another_decision_is_not_given_to_a_near_one():
    (entry,) = link([decision(1), usage(linked_decision="gone"), usage(tool_use_hash="gone")])
    assert output(entry) is None


def test_what_names_nothing_goes_to_the_last_switched_spawn_of_its_session_each_once():
    kept = decision(3, 5, outcome="allow")
    other = decision(4, 6, session_id="elsewhere")
    entries = link([decision(1, 0), decision(2, 2), kept, other, usage(10, 7), usage(11, 8), usage(12, 9)])
    assert [output(entry) for entry in entries] == [8, 7, None, None]


def test_nearness_ends_after_a_day_and_never_reaches_back():
    assert output(link([decision(1), usage(DAY)])[0]) == 5
    assert output(link([decision(1), usage(DAY + 1)])[0]) is None
    assert output(link([decision(1, 10), usage(9)])[0]) is None


def test_the_runs_of_a_resumed_child_add_up_and_a_repeated_record_does_not():
    name = {"linked_decision": "c1"}
    events = [decision(1), usage(1, 5, **name), usage(9, 7, run=2, **name), usage(9, 7, run=2, **name)]
    assert link(events)[0].tokens == Tokens(output=12)


def test_a_launch_does_not_take_the_place_of_an_end():
    name = {"linked_decision": "c1"}
    launched, ended = end(1, "launched", **name), end(2, "error", error_kind="rate_limit", **name)
    assert link([decision(1), launched])[0].status == "launched"
    for order in ([launched, ended], [ended, launched]):
        (entry,) = link([decision(1), *order])
        assert (entry.status, entry.error_kind, entry.ended_at is not None) == ("error", "rate_limit", True)


def test_what_the_api_reported_outweighs_what_the_harness_said_it_would_start():
    name = {"linked_decision": "c1"}
    resolved = {
        "outcome": "resolved",
        "timestamp": at(0),
        "final_model": "claude-haiku-5-5",
        "rewrite_honored": True,
        **name,
    }
    told = usage(1, final_model="claude-opus-5-5", rewrite_honored=False, **name)
    (entry,) = link([decision(1), resolved, told])
    assert (entry.honored, entry.ran_on) == (False, "claude-opus-5-5")
    (entry,) = link([decision(1), resolved])
    assert (entry.honored, entry.ran_on) == (True, "claude-haiku-5-5")
    assert link([decision(1)])[0].honored is None


def test_older_logs_say_cached_tokens_for_what_was_read():
    (entry,) = link([decision(1), usage(linked_decision="c1", cached_tokens=30)])
    assert entry.tokens == Tokens(output=5, cache_read=30)


@pytest.mark.parametrize("value", [-1, 10**13, "5", None, True, 1.5, []])
def test_counts_that_cannot_be_count_as_nothing(value):
    (entry,) = link([decision(1), usage(linked_decision="c1", output_tokens=value, input_tokens=3, run=value)])
    assert entry.tokens == Tokens(input=3)


def test_a_clock_that_goes_backwards_hides_nothing():
    (entry,) = link([decision(1, 100), usage(1, linked_decision="c1"), end(1, linked_decision="c1")])
    assert (output(entry), entry.status) == (5, "completed")


NAMES = st.sampled_from(
    [{"linked_decision": f"c{number}"} for number in range(4)]
    + [{"tool_use_hash": f"t{number}"} for number in range(4)]
)
EVENTS = st.lists(
    st.one_of(
        st.builds(decision, st.integers(0, 3)),
        st.builds(
            lambda when, out, run, name: usage(when, out, run=run, **name),
            st.integers(0, 5),
            st.integers(0, 99),
            st.integers(1, 2),
            NAMES,
        ),
        st.builds(
            lambda when, status, name: end(when, status, **name),
            st.integers(0, 5),
            st.sampled_from(["completed", "error", "launched"]),
            NAMES,
        ),
    ),
    max_size=25,
)


def shown(events: list[dict[str, object]]) -> list[tuple[object, ...]]:
    rows = [
        (e.decision["correlation_id"], e.tokens and e.tokens.output, e.status, e.ran_on, e.honored)
        for e in link(events)
    ]
    return sorted(rows, key=repr)


@given(EVENTS, st.randoms())
def test_order_and_repetition_change_nothing(events, random):
    shuffled = [*events, *events]
    random.shuffle(shuffled)
    assert shown(events) == shown(shuffled)
