"""The whole log of a window: fast and slow roads agree, damage is counted and nothing is lost."""

from __future__ import annotations

import builtins
import json
import os
import time
from pathlib import Path

import pytest

from downshift import paths
from downshift.commands import report, stats
from downshift.commands.contract import Options
from downshift.core.errors import UserError
from downshift.history import stream, window
from downshift.log.append import Writer
from downshift.log.read import Damage
from tests.schemas.test_documents import fill


def state() -> paths.State:
    found = paths.state(os.environ)
    assert found is not None
    return found


def rows(damage: Damage | None = None, since: str = "") -> list[dict]:
    """What the views can see of each event, whichever road it took."""
    seen: list = []
    stream.feed(state(), damage or Damage(), since, seen.append)
    return [
        {
            key: event.get(key)
            for key in (stream._FIELDS if event.get("complexity") else stream._SEEN)
            if event.get(key) not in (None, "", [])
        }
        for event in seen
    ]


def without_msgspec(monkeypatch):
    real = builtins.__import__

    def refuse(name, *rest):
        if name == "msgspec":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", refuse)


def append(data: bytes) -> None:
    with open(state().events, "ab") as file:
        file.write(data)


def test_both_roads_read_the_same(monkeypatch):
    fill()
    whole = Path(state().events).read_bytes().split(b"\n")
    append(
        b"{broken\n"
        + whole[0]
        + whole[1]
        + b"\n"
        + b'{"outcome":"usage","timestamp":5}\n'
        + b"\xff\xfe\n[1]\n"
        + whole[0][:90]
    )
    fast_damage, slow_damage = Damage(), Damage()
    fast = rows(fast_damage)
    without_msgspec(monkeypatch)
    slow = rows(slow_damage)
    for each in slow:  # the fast road drops what the correlation id says already
        if "complexity" in each:
            each.pop("tool_use_hash", None)
    for each in fast:
        if "complexity" in each:
            each.pop("tool_use_hash", None)
    assert fast == slow
    assert fast_damage.lines == slow_damage.lines > 0


@pytest.mark.parametrize("field", ["complexity", "verdict", "corrections", "paused", "harness", "timestamp"])
@pytest.mark.parametrize("value", [5, None, [], {}, "what?"])
def test_a_field_of_another_type_costs_at_most_itself(field, value):
    fill()
    line = json.loads(Path(state().events).read_text().splitlines()[0])
    append(json.dumps({**line, "correlation_id": "new", field: value}).encode() + b"\n")
    result = stats.run(Options(values={"export": True, "days": "30"}, env=os.environ, cwd="/"))
    assert result.data["total"] >= 5


def test_a_window_ends_where_it_was_asked_to_end():
    fill()
    old = {
        "outcome": "allow",
        "complexity": "TRIVIAL",
        "correlation_id": "old",
        "timestamp": "2020-01-01T00:00:00.000Z",
    }
    append(json.dumps(old).encode() + b"\n")
    assert len(window.read(state(), "30").entries) == 5
    assert len(window.read(state(), "36500").entries) == 6


def test_a_window_that_crosses_a_rotation_is_whole():
    fill()
    os.rename(state().events, state().events + ".1")
    fill_more = {
        "outcome": "allow",
        "complexity": "SIMPLE",
        "correlation_id": "x",
        "timestamp": time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime()),
    }
    with Writer(state(), 0) as log:
        log.record(fill_more)
    assert len(window.read(state(), "30").entries) == 6


@pytest.mark.parametrize("days", ["0", "-1", "x", "1.5", "99999999"])
def test_days_that_are_none_are_refused_in_a_sentence(days):
    with pytest.raises(UserError, match="--days takes a number of days"):
        report.run(Options(values={"days": days}, env=os.environ, cwd="/"))


def test_usage_of_nobody_is_counted_as_unlinked():
    fill()
    now = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime())
    append(
        json.dumps({"outcome": "usage", "timestamp": now, "linked_decision": "gone", "output_tokens": 5}).encode()
        + b"\n"
    )
    data = stats.run(Options(values={"export": True, "days": "30"}, env=os.environ, cwd="/")).data
    assert data["usage_records"] == data["usage_linked"] + 1


def test_without_a_log_there_is_a_sentence():
    assert (
        stats.run(Options(values={"days": "30"}, env=os.environ, cwd="/")).lines[0].text
        == "last 30 days: no spawn has been seen"
    )
    assert "not enough data" in " ".join(
        line.text for line in report.run(Options(values={"days": "30"}, env=os.environ, cwd="/")).lines
    )
