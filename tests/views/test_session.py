"""The view of a session: what it counts, what it shows, and what it does not know."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from downshift.catalog.shelf import Shelf
from downshift.core.events import STATUSES
from downshift.log.link import link
from downshift.views.line import WIDTH
from downshift.views.lines import short, spawn_line
from downshift.views.session import headline, session_data, session_lines

CATALOGS = Shelf()
HASHES = ["aa", "bb", "cc"]


def decision(number: int, **fields: object) -> dict[str, object]:
    return {
        "correlation_id": f"c{number}", "harness": "claude-code", "timestamp": f"2026-12-01T10:00:{number:02d}.000Z", "entry": "mod", "agent_type": "general-purpose",
        "complexity": "TRIVIAL", "requested_model": "claude-opus-5-5", "final_model": "claude-haiku-5-5", "recommended_model": "claude-haiku-5-5",
        "requested_effort": "", "final_effort": "low", "reason_codes": ["CLASSIFIER_CONFIDENT"], "outcome": "rewrite_emitted",
        "permission_mode": "auto", "baseline_kind": "inherited", "parent_agent_hash": "", **fields,
    }  # fmt: skip


def resolved(number: int, **fields: object) -> dict[str, object]:
    return {
        "outcome": "resolved",
        "linked_decision": f"c{number}",
        "agent_hash": f"a{number}",
        "final_model": "claude-haiku-5-5",
        **fields,
    }


def used(number: int, **fields: object) -> dict[str, object]:
    return {
        **resolved(number), "outcome": "usage", "run": 1, "input_tokens": 1, "output_tokens": 101, "cache_read_tokens": 300,
        "cache_write_tokens": 0, **fields,
    }  # fmt: skip


def ended(number: int, **fields: object) -> dict[str, object]:
    return {**resolved(number), "outcome": "child_ended", "run": 1, "status": "completed", **fields}


KEPT = {"outcome": "allow", "final_model": "claude-opus-5-5"}


def test_the_tree_says_what_happened_and_what_is_not_known():
    events = [
        decision(1),
        resolved(1, rewrite_honored=True),
        decision(2),
        resolved(2, rewrite_honored=False, final_model="claude-opus-5-5"),
        decision(3),
        decision(4, **KEPT, reason_codes=["HELD_UNCONFIDENT_DOWNSHIFT", "HELD_RISK_DOWNSHIFT"]),
        decision(5, **KEPT, complexity="COMPLEX", parent_agent_hash="a1"),
        decision(6, **{**KEPT, "outcome": "baseline"}, reason_codes=["CONTROL"]),
        used(1, rewrite_honored=True, main_tokens=4818),
        used(2, rewrite_honored=False, final_model="claude-opus-5-5", partial=True),
        used(4, final_model="claude-opus-5-5", output_tokens=501),
        ended(1),
        ended(2, status="interrupted"),
        ended(5, status="error", error_kind="rate_limit"),
    ]
    linked = link(events)
    assert [line.text for line in session_lines("abcdef0123456789", linked, CATALOGS, why=False)] == [
        "session abcdef01 · 3 switched, 1 held · 1 observed · 1 control · honored 1 of 3,",
        "  1 refuted, 1 unobserved",
        "tokens saved: work 14% · cache 33% (402 of ≥ 1.6k)",
        "children used 25% of the session's tokens",
        " tokens",
        "    402 ├─ 10:00:01 general-purpose · switched from opus to haiku · TRIVIAL ·",
        "        │    honored · saved from opus",
        "      – │  └─ 10:00:05 general-purpose · kept on opus · COMPLEX · error",
        "        │       (rate_limit)",
        "   ≥402 ├─ 10:00:02 general-purpose · switched from opus to haiku · TRIVIAL ·",
        "        │    refuted: ran on opus · interrupted",
        "      – ├─ 10:00:03 general-purpose · switched from opus to haiku · TRIVIAL ·",
        "        │    not observed",
        "    802 ├─ 10:00:04 general-purpose · held on opus [HELD_RISK_DOWNSHIFT] ·",
        "        │    TRIVIAL",
        "      – └─ 10:00:06 general-purpose · control (unrouted) on opus · TRIVIAL",
        "general-purpose: work 14% · cache 33% (1 of 3 agents)",
    ]
    data = session_data("abcdef0123456789", linked, CATALOGS)
    assert data["honored"] == {"k": 1, "n": 3, "refuted": 1, "unobserved": 1}
    assert data["tokens"] == {
        "children": 3,
        "saved_children": 1,
        "work_tokens": 706,
        "work_saved": 102,
        "cache_tokens": 900,
        "cache_saved": 300,
        "partial": True,
    }
    by_time = {row["time"][17:19]: row for row in data["spawns"]}
    assert (by_time["01"]["honored"], by_time["02"]["honored"], by_time["03"]["honored"]) == (True, False, None)
    assert (by_time["01"]["observed_model"], by_time["02"]["observed_model"]) == (None, "claude-opus-5-5")


def test_the_keys_of_a_row_are_those_of_the_contract():
    row = session_data("x", link([decision(1)]), CATALOGS)["spawns"][0]
    assert list(row) == [
        "state",
        "from_model",
        "to_model",
        "recommended_model",
        "from_effort",
        "to_effort",
        "complexity",
        "reason_codes",
        "agent_type",
        "honored",
        "observed_model",
        "status",
        "error_kind",
        "tokens",
        "time",
        "partial",
        "suspect",
    ]


def test_why_gives_the_reasons_in_words():
    lines = [
        line.text
        for line in session_lines("x", link([decision(1, **KEPT, reason_codes=["HELD_FORK"])]), CATALOGS, why=True)
    ]
    assert any("permission mode auto" in line for line in lines)
    assert any("HELD_FORK: forks, resumes and teammates keep their model" in line for line in lines)


TIMES = st.sampled_from([f"2026-12-01T11:00:0{second}.000Z" for second in range(5)])
EVENTS = st.lists(
    st.one_of(
        st.builds(decision, st.integers(0, 9), parent_agent_hash=st.sampled_from(["", "a1", "a2", "a3", "zz"])),
        st.builds(resolved, st.integers(0, 9), rewrite_honored=st.sampled_from([True, False])),
        st.builds(used, st.integers(0, 9), run=st.integers(1, 3), output_tokens=st.integers(-9, 9000), timestamp=TIMES),
        st.builds(ended, st.integers(0, 9), status=st.sampled_from(STATUSES), run=st.integers(1, 3), timestamp=TIMES),
    ),
    max_size=20,
)


@given(EVENTS)
def test_every_spawn_stands_in_the_tree_exactly_once_within_80_columns(events):
    linked = link(events)
    lines = session_lines("x" * 16, linked, CATALOGS, why=False)
    assert all(len(line.text) <= WIDTH for line in lines)
    for entry in linked:
        clock = str(entry.decision["timestamp"])[11:19]
        shown = sum(clock in line.text for line in lines)
        assert shown == 1, "even one whose parents form a circle"


@given(EVENTS, st.randoms())
def test_duplicates_and_the_order_of_events_change_nothing(events, random):
    shuffled = [*events, *events[: len(events) // 2]]
    random.shuffle(shuffled)
    before, after = (session_data("x", link(order), CATALOGS) for order in (events, shuffled))
    assert before == after


@pytest.mark.parametrize("codes", [5, "HELD_RISK", ["HELD_FORK", 3, None], {}, None])
@pytest.mark.parametrize("honored", [[], "yes", 1, None])
def test_fields_of_the_wrong_type_are_shown_as_far_as_they_go(codes, honored):
    linked = link([decision(1, reason_codes=codes), resolved(1, rewrite_honored=honored), decision(2, **KEPT)])
    assert len(session_lines("x" * 16, linked, CATALOGS, why=True)) >= 3
    assert session_data("x", linked, CATALOGS)["counts"]["observed"] == 1


def test_an_empty_session_has_a_headline_too():
    assert headline(session_data("", [], CATALOGS)) == "session  · 0 switched, 0 held"


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("claude-opus-5-5", "opus"),
        ("haiku", "haiku"),
        ("claude-haiku-4-5-20251001", "haiku"),
        ("gpt-6-luna", "gpt-6-luna"),
        ("", "unknown"),
        (None, "unknown"),
    ],
)
def test_models_go_by_the_name_people_use(model, name):
    assert short(model) == name


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({}, "spawn switched opus → haiku, effort default → low · TRIVIAL"),
        ({"requested_effort": "high"}, "spawn switched opus → haiku, effort high → low · TRIVIAL"),
        ({"final_effort": ""}, "spawn switched opus → haiku · TRIVIAL"),
        ({**KEPT, "reason_codes": ["HELD_FORK"]}, "spawn held on opus (would be haiku) [HELD_FORK]"),
        (
            {**KEPT, "reason_codes": ["HELD_FORK"], "recommended_model": "claude-opus-5-5"},
            "spawn held on opus [HELD_FORK]",
        ),
        (KEPT, "spawn observed, unchanged on opus"),
        ({"outcome": "baseline", "reason_codes": ["CONTROL"]}, "spawn control, unchanged on opus"),
    ],
)
def test_the_line_on_stderr_says_what_was_done(fields, line):
    assert spawn_line(decision(1, **fields)) == line
