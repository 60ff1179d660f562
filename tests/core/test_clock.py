"""Times as text, against the library."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from downshift.core.clock import duration_of, seconds_of

ZONES = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))


@given(st.datetimes(datetime(1970, 1, 2), datetime(9998, 1, 1), timezones=ZONES))
def test_a_time_is_read_as_the_library_reads_it(moment):
    assert seconds_of(moment.isoformat(timespec="milliseconds")) == pytest.approx(moment.timestamp(), abs=0.002)


@given(st.text() | st.none() | st.booleans() | st.lists(st.text()))
def test_anything_else_is_no_time(told):
    if not (isinstance(told, str) and len(told) >= 20 and told[4:5] == "-"):
        assert seconds_of(told) is None


def test_numbers_and_z_are_times():
    assert (seconds_of(12), seconds_of(1.5), seconds_of("1970-01-01T00:00:10Z")) == (12.0, 1.5, 10.0)
    assert [
        seconds_of(text) for text in ("2026-13-01T00:00:00Z", "2026-12-01T00:00:00", "2026-12-01T00:00:00?01:00")
    ] == [None] * 3


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("24h", 86400),
        ("1h30m", 5400),
        ("500ms", 0.5),
        ("0", 0),
        ("2.5s", 2.5),
        ("", None),
        ("soon", None),
        ("5", None),
        ("1d", None),
        ("h", None),
    ],
)
def test_durations(text, seconds):
    assert duration_of(text) == seconds
