"""Routed against control, and the counts of a window: by hand-checked arithmetic over logs of our own writer."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from downshift.catalog.shelf import Shelf
from downshift.harnesses.registry import ADAPTERS
from downshift.log.link import link
from downshift.log.rework import redone
from downshift.views.report import ENOUGH, Comparison, completion, report_data, report_lines
from downshift.views.stats import NOTE, Stats, detail_lines, export, stats_lines
from tests.log.test_link import at, decision, end, usage

CATALOGS = Shelf()
CAPABILITIES = {name: load().CAPABILITIES for name, load in ADAPTERS.items()}
CONTROL = {"outcome": "baseline", "reason_codes": ["CONTROL"], "final_model": "claude-opus-5-5"}


def task(number: int, when: int = 0, *, status: str = "completed", tokens: int = 100, **fields: object) -> list[dict]:
    """A spawn that ended ten seconds after it started; without tokens when there are none."""
    name = {"linked_decision": f"c{number}", "agent_hash": f"a{number}"}
    events = [decision(number, when, **fields), end(when + 10, status, **name)]
    return events + ([usage(when + 10, 0, input_tokens=tokens, **name)] if tokens else [])


def compare(*tasks: list[dict]) -> Comparison:
    return Comparison(link([event for each in tasks for event in each]), CATALOGS)


def group(comparison: Comparison, name: str) -> dict:
    return report_data(comparison, {}, 30, "now")[name]


# --- the comparison ---------------------------------------------------------------


def test_a_thousand_tasks_come_out_as_they_were_put_in():
    """900 routed and 100 control: tokens, failures, rework and exclusions counted by hand."""
    tasks = []
    for number, place in enumerate(range(900), 1):
        session = f"s{place // 3}"
        # Of every three: one completed with 90 tokens; one failed with 50 and redone four minutes later by the third, with 70.
        kind = place % 3
        when = place // 3 * 3600 % 80_000 + kind * 250
        if kind == 0:
            tasks.append(task(number, when, tokens=90, session_id=session, agent_type="scout"))
        elif kind == 1:
            tasks.append(task(number, when, status="error", tokens=50, session_id=session))
        else:
            tasks.append(task(number, when, tokens=70, session_id=session))
    tasks += [task(1000 + place, place, tokens=200, session_id=f"c{place}", **CONTROL) for place in range(100)]
    tasks += [task(2000 + place, place, session_id=f"p{place}", outcome="baseline", paused=True) for place in range(7)]
    comparison = compare(*tasks)
    assert group(comparison, "routed") == {
        "spawns": 900,
        "ended": 900,
        "completed": 600,
        "reworked": 300,
        "rework_rate": round(300 / 900, 4),
        "tokens": {"input": 63_000, "output": 0, "cache_read": 0, "cache_write": 0, "total": 63_000, "records": 900},
        "tokens_per_completed_task": 105.0,
    }
    assert group(comparison, "control")["tokens_per_completed_task"] == 200.0
    assert (comparison.excluded, comparison.enough, comparison.change) == (7, True, -47.5)


def test_too_few_completed_tasks_are_not_compared():
    nineteen = [task(place, place, session_id=f"c{place}", **CONTROL) for place in range(ENOUGH - 1)]
    routed = [task(100 + place, place, session_id=f"r{place}") for place in range(ENOUGH)]
    lines = [line.text for line in report_lines(compare(*nineteen, *routed), {}, 30, "")]
    assert compare(*nineteen, *routed).enough is False
    assert "not enough data: a comparison needs 20 completed tasks in each group" in lines
    one_more = task(99, 99, session_id="c99", **CONTROL)
    assert compare(*nineteen, *routed, one_more).enough is True


def test_failed_work_that_nobody_redid_is_added_to_nobody():
    comparison = compare(task(1, 0, status="error", tokens=500), task(2, 5000, tokens=10))
    routed = group(comparison, "routed")
    assert (routed["tokens"]["total"], routed["reworked"], routed["ended"]) == (10, 0, 2)


def test_a_chain_of_failures_is_paid_by_the_task_that_ends_it():
    first, second, third = (
        task(1, 0, status="error", tokens=5),
        task(2, 60, status="interrupted", tokens=7),
        task(3, 120, tokens=11),
    )
    routed = group(compare(first, second, third), "routed")
    assert (routed["tokens"]["total"], routed["reworked"], routed["completed"]) == (23, 2, 1)


def test_a_failure_of_one_group_is_paid_where_it_was_redone():
    failed = task(1, 0, status="error", tokens=5)
    redo = task(2, 60, tokens=11, **CONTROL)
    comparison = compare(failed, redo)
    assert (group(comparison, "control")["tokens"]["total"], group(comparison, "routed")["tokens"]["total"]) == (16, 0)
    assert group(comparison, "routed")["reworked"] == 1, "it failed in its own group"


@pytest.mark.parametrize(
    ("second", "again"),
    [
        ({"when": 610}, True),
        ({"when": 611}, False),
        ({"when": 60, "session_id": "other"}, False),
        ({"when": 60, "agent_type_hash": "other"}, False),
        ({"when": 5}, False),
    ],
)
def test_what_counts_as_redone(second, again):
    second = dict(second)
    events = [
        *task(1, 0, status="error", agent_type_hash="same"),
        *task(2, second.pop("when"), **{"agent_type_hash": "same", **second}),
    ]
    assert bool(redone(link(events))) is again


def test_one_spawn_redoes_one_failure():
    events = [*task(1, 0, status="error"), *task(2, 1, status="error"), *task(3, 60)]
    assert len(redone(link(events))) == 1


@pytest.mark.parametrize(
    ("status", "tokens", "counted"),
    [("completed", 0, 0), ("launched", 9, 0), ("stopped", 9, 0), ("unknown", 9, 0), ("completed", 9, 1)],
)
def test_a_completed_task_has_an_end_and_tokens(status, tokens, counted):
    assert group(compare(task(1, status=status, tokens=tokens)), "routed")["completed"] == counted


def test_completion_is_measurable_only_where_an_end_was_seen():
    entries = link(
        [
            *task(1),
            decision(2, harness="codex"),
            decision(3, harness="cursor"),
            decision(4, harness="nobody"),
            end(5, "launched", linked_decision="c2"),
        ]
    )
    found = completion(entries, CAPABILITIES)
    assert found["claude-code"] == {"measurable": True, "reason": "ends are seen"}
    assert {name: each["measurable"] for name, each in found.items() if name != "claude-code"} == {
        "codex": False,
        "cursor": False,
        "nobody": False,
    }


def test_modes_are_counted_only_where_they_are_known():
    assert "decisions_by_permission_mode" not in report_data(compare(task(1)), {}, 30, "now")
    data = report_data(compare(task(1, permission_mode="auto"), task(2, permission_mode="plan")), {}, 30, "now")
    assert data["decisions_by_permission_mode"] == {"auto": 1, "plan": 1}


# --- the counts ---------------------------------------------------------------------


def counted(*tasks: list[dict]) -> dict:
    return export(Stats(link([event for each in tasks for event in each]), CATALOGS), 30, "now", 0)


def test_the_export_has_the_keys_of_schema_3_and_counts_applied_rewrites_only():
    down = task(1, verdict="DOWNSHIFT")
    up = task(2, verdict="UPSHIFT", requested_model="claude-haiku-5-5", final_model="claude-sonnet-5-5")
    held = task(
        3,
        verdict="DOWNSHIFT",
        outcome="allow",
        corrections=["R1_UNCONFIDENT_DOWNSHIFT"],
        reason_codes=["HELD_UNCONFIDENT_DOWNSHIFT"],
        complexity="MEDIUM",
    )
    kept = task(4, verdict="OK", outcome="allow")
    control = task(5, verdict="DOWNSHIFT", **CONTROL)
    off = task(6, verdict="UNKNOWN", outcome="baseline", reason_codes=[])
    data = counted(down, up, held, kept, control, off)
    assert data == {
        "schema": 3, "window_days": 30, "generated_at": "now", "total": 6, "downshifted": 1, "upshifted": 1, "ok": 1, "unknown": 1,
        "corrected": 1, "not_applied": 2, "usage_records": 6, "usage_linked": 6, "baseline_no_route": 1, "control": 1, "rewrite_shifted": 2,
        "rewrite_honored": 0, "rewrite_refuted": 0, "rewrite_unobserved": 2, "rewrite_honored_inferred": 0,
        "by_complexity": {"TRIVIAL": 5, "SIMPLE": 0, "MEDIUM": 1, "COMPLEX": 0}, "by_harness": {"claude-code": 6}, "downshift_rate": 0.1667,
        "tokens_rerouted": {"claude-code": {"cheaper": {"work": 100, "cache": 0}, "pricier": {"work": 0, "cache": 0}, "unchanged": {"work": 400, "cache": 0}, "unattributed": {"work": 0, "cache": 0}}},
        "note": NOTE,
    } | {"tokens_rerouted": data["tokens_rerouted"]}  # fmt: skip
    assert sum(place["work"] for place in data["tokens_rerouted"]["claude-code"].values()) == 600


def test_a_harness_that_tells_of_no_tokens_is_unobserved_and_not_zero():
    assert counted([decision(1, harness="cursor")])["tokens_rerouted"] == {"cursor": "unobserved"}


def test_an_inferred_rewrite_is_counted_apart():
    later = decision(2, 50, baseline_kind="explicit", requested_model="claude-haiku-5-5", outcome="allow")
    data = counted([decision(1), later])
    assert (data["rewrite_honored"], data["rewrite_unobserved"], data["rewrite_honored_inferred"]) == (0, 1, 1)
    assert counted([decision(1), {**later, "session_id": "other"}])["rewrite_honored_inferred"] == 0
    assert counted([decision(1, 99), later])["rewrite_honored_inferred"] == 0, "an earlier call infers nothing"


def test_an_empty_window_says_so():
    assert [line.text for line in stats_lines(Stats([], CATALOGS), 1)] == ["last 1 day: no spawn has been seen"]


FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "verdict": st.sampled_from(["OK", "DOWNSHIFT", "UPSHIFT", "UNKNOWN", "?", None, 5]),
        "outcome": st.sampled_from(["rewrite_emitted", "allow", "baseline", "blocked"]),
        "reason_codes": st.sampled_from([["CONTROL"], ["HELD_RISK_DOWNSHIFT"], [], None, "x", [5]]),
        "harness": st.sampled_from(["claude-code", "codex", "", None]),
        "session_id": st.sampled_from(["s", "t", "", None]),
        "complexity": st.sampled_from(["TRIVIAL", "COMPLEX", "?"]),
        "requested_model": st.sampled_from(["claude-opus-5-5", "unknown", None, "claude-haiku-5-5"]),
    },
)
TASKS = st.lists(
    st.builds(
        lambda number, when, status, tokens, fields: task(number, when, status=status, tokens=tokens, **fields),
        st.integers(0, 50), st.integers(0, 2000), st.sampled_from(["completed", "error", "interrupted", "launched"]), st.integers(0, 900), FIELDS,
    ),
    max_size=12,
    unique_by=lambda events: events[0]["correlation_id"],
)  # fmt: skip


@given(TASKS)
def test_laws_of_every_window(tasks):
    events = [event for each in tasks for event in each]
    shuffled = [*events, *events[::2]]
    random.Random(7).shuffle(shuffled)
    data, again = counted(events), counted(shuffled)
    assert data == again, "order and repetition change nothing"
    assert data["total"] == sum(data["by_complexity"].values()) == sum(data["by_harness"].values())
    assert 0 <= data["downshift_rate"] <= 1
    comparison = Comparison(link(events), CATALOGS)
    report = report_data(comparison, {}, 30, "now")
    assert report["routed"]["spawns"] + report["control"]["spawns"] + report["excluded"] == data["total"]
    saved = report["tokens_saved"]
    assert saved["work_saved"] <= saved["work_tokens"]
    assert saved["cache_saved"] <= saved["cache_tokens"]
    for name in ("routed", "control"):
        assert report[name]["completed"] <= report[name]["ended"] <= report[name]["spawns"]
        assert report[name]["rework_rate"] is None or 0 <= report[name]["rework_rate"] <= 1
    assert report == report_data(Comparison(link(shuffled), CATALOGS), {}, 30, "now")


@given(TASKS)
def test_counts_add_up_over_a_log_that_is_split_by_session(tasks):
    events = [event for each in tasks for event in each]
    names = {event["correlation_id"]: event.get("session_id") for event in events if "complexity" in event}
    parts = [
        [event for event in events if (names[event.get("correlation_id") or event["linked_decision"]] == "s") is here]
        for here in (True, False)
    ]
    whole, split = counted(events), [counted(part) for part in parts]
    for key in (
        "total",
        "downshifted",
        "upshifted",
        "ok",
        "unknown",
        "corrected",
        "not_applied",
        "usage_records",
        "control",
        "rewrite_shifted",
    ):
        assert whole[key] == sum(part[key] for part in split)


# --- screens ------------------------------------------------------------------------


def test_everything_fits_80_columns():
    tasks = [
        task(
            number,
            number * 40,
            status=status,
            permission_mode="bypassPermissions",
            reason_codes=["HELD_UNCONFIDENT_UNKNOWN_FRONTIER", f"HELD_{number}"],
        )
        for number, status in enumerate(["completed", "error", "interrupted", "stopped"] * 8)
    ]
    entries = link([event for each in tasks for event in each])
    stats = Stats(entries, CATALOGS)
    shown = [
        *stats_lines(stats, 30),
        *detail_lines(stats),
        *report_lines(Comparison(entries, CATALOGS), completion(entries, CAPABILITIES), 30, "honored 1 of 1"),
    ]
    assert max(len(line.text) for line in shown) <= 80
    assert json.dumps(counted(*tasks))
    assert at(0).endswith("Z")
