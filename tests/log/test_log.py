"""The log under every kind of weather: many writers, torn ends, full disks, damaged lines."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from downshift import paths
from downshift.core.hashing import hash_id
from downshift.log import append, live, read, seen, sweep
from downshift.log.append import Writer
from tests.conftest import REPOSITORY

MB = 1024 * 1024


@pytest.fixture
def state(home: Path) -> paths.State:
    return paths.state({"HOME": str(home)})


def event(number: int = 0, **fields: object) -> dict[str, object]:
    return {"outcome": "allow", "complexity": "TRIVIAL", "session_id": "ab" * 32, "number": number, **fields}


def write(state: paths.State, *events: dict[str, object], limit: int = 64 * MB) -> None:
    for each in events:
        with Writer(state, limit) as log:
            log.record(each)


def numbers(state: paths.State) -> list[object]:
    raw = (line for file in read.files(state) for line in read.lines(file))
    return [each["number"] for each in read.events_of(raw)]


def test_an_event_goes_to_the_log_and_to_its_sessions_own_file(state):
    write(state, event(1), event(2, session_id=""))
    assert numbers(state) == [1, 2]
    assert [each["number"] for each in read.events_of(read.tail(state.session_log("ab" * 32)))] == [1]


def test_only_the_owner_can_read_what_is_written(state):
    write(state, event(1))
    assert (os.stat(state.root).st_mode & 0o777, os.stat(state.events).st_mode & 0o777) == (0o700, 0o600)
    assert os.stat(state.session_log("ab" * 32)).st_mode & 0o777 == 0o600


@pytest.mark.process
def test_64_processes_at_once_lose_and_tear_nothing(state, sandbox):
    program = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from downshift import paths; from downshift.log.append import Writer; import os\n"
        "state = paths.state(os.environ)\n"
        "for i in range(5):\n"
        "    with Writer(state, 0) as log: log.record({'outcome': 'x', 'number': int(sys.argv[2]) * 5 + i, 'session_id': 'ab' * 32})\n"
    )
    started = [
        subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", program, str(REPOSITORY), str(number)], env=dict(os.environ)
        )
        for number in range(64)
    ]
    assert [process.wait(60) for process in started] == [0] * 64
    assert sorted(numbers(state)) == list(range(320))


def test_rotation_loses_nothing_while_many_write(state):
    threads = [
        threading.Thread(target=lambda first=first: write(state, *(event(first + i) for i in range(25)), limit=6000))
        for first in range(0, 200, 25)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(numbers(state)) == list(range(200))
    assert len(read.files(state)) > 1


def test_rotation_keeps_ten_backups_and_the_newest_events(state):
    write(state, *(event(number) for number in range(60)), limit=250)
    assert len(read.files(state)) == 11
    assert numbers(state)[-1] == 59
    assert numbers(state) == sorted(numbers(state))


def test_a_limit_of_zero_never_rotates(state):
    write(state, *(event(number) for number in range(20)), limit=0)
    assert read.files(state) == [state.events]


def test_a_torn_end_is_closed_before_the_next_line(state):
    write(state, event(1))
    with open(state.events, "ab") as file:
        file.write(b'{"outcome": "allow", "number": 2')
    write(state, event(3))
    assert numbers(state) == [1, 3]


def test_a_disk_that_fills_up_leaves_no_half_line(state, monkeypatch):
    write(state, event(1))
    real = os.write
    monkeypatch.setattr(append.os, "write", lambda handle, data: real(handle, data[:10]))
    with pytest.raises(OSError, match="full"):
        write(state, event(2))
    monkeypatch.undo()
    write(state, event(3))
    assert numbers(state) == [1, 3]


def test_a_full_disk_is_an_error_for_the_caller(state, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(append.os, "write", full)
    with pytest.raises(OSError, match="No space"):
        write(state, event(1))


def test_a_record_too_large_for_one_write_is_refused(state):
    with pytest.raises(OSError, match="larger"):
        write(state, event(1, text="x" * 3000))
    assert numbers(state) == []


def test_a_symlink_in_place_of_the_log_is_not_followed(state, sandbox):
    os.makedirs(state.root)
    target = sandbox / "theirs"
    target.write_text("precious")
    os.symlink(target, state.events)
    with pytest.raises(OSError):
        write(state, event(1))
    assert target.read_text() == "precious"


def test_a_lock_that_is_held_too_long_does_not_stop_a_writer(state):
    with Writer(state, 0) as holder:
        write(state, event(1))
        holder.record(event(2))
    assert sorted(numbers(state)) == [1, 2]


PIECES = st.sampled_from(
    [b'{"outcome": "allow", "number": %d}' % number for number in range(3)]
    + [b"", b"{torn", b'{"outcome": "allow", "numb', b"\xff\xfe", b"[]", b"null", "\u2028".encode(), b'"}{"']
)


@given(st.lists(st.tuples(PIECES, st.sampled_from([b"\n", b"\n\n", b" \n"]))))
def test_damaged_lines_cost_themselves_and_nothing_else(pieces):
    raw = b"".join(piece + end for piece, end in pieces)
    damage = read.Damage()
    found = [each["number"] for each in read.events_of(raw.split(b"\n"), damage)]
    assert found == [
        json.loads(piece)["number"] for piece, _ in pieces if piece.startswith(b'{"outcome": "allow", "number"')
    ]
    blank = {b"", "\u2028".encode()}
    assert damage.lines == sum(
        1 for piece, _ in pieces if piece not in blank and not piece.startswith(b'{"outcome": "allow", "number"')
    )


def test_welded_records_and_one_behind_a_torn_one_are_taken_apart():
    whole = '{"outcome": "allow", "number": 1, "probabilities": {"TRIVIAL": 1}}'
    lines = [(whole + whole).encode(), ('{"outcome": "al' + whole).encode(), (whole + '{"outcome"').encode()]
    assert [each["number"] for each in read.events_of(lines)] == [1, 1, 1, 1]


def test_a_tail_drops_the_line_it_cut_through(sandbox):
    path = sandbox / "log"
    path.write_bytes(b"first line\nsecond\nthird\n")
    assert read.tail(str(path), 12) == [b"third", b""]
    assert read.tail(str(path), 1000)[0] == b"first line"
    assert read.tail(str(sandbox / "missing")) == []


def test_a_claim_outlives_an_hour_but_not_a_day(state):
    os.makedirs(state.file("seen"))
    for name, hours in (("a" * 32, 23), ("b" * 32, 25)):
        Path(state.file("seen", name)).write_text("x")
        os.utime(state.file("seen", name), (1e9 - hours * 3600, 1e9 - hours * 3600))
    sweep.sweep(state, 1e9)
    assert sorted(os.listdir(state.file("seen"))) == [".swept", "a" * 32]


def test_nothing_but_our_own_files_is_swept(state, sandbox):
    elsewhere = sandbox / "elsewhere"
    elsewhere.mkdir()
    os.makedirs(state.root)
    os.symlink(elsewhere, state.file("seen"))
    os.makedirs(state.file("sessions"))
    theirs = [Path(state.file("sessions", name)) for name in ("thesis.docx", "notes.jsonl", "A" * 16 + ".jsonl")]
    for path in (elsewhere / ("b" * 32), *theirs):
        path.write_text("x")
        os.utime(path, (1, 1))
    sweep.sweep(state, 1e9)
    assert all(path.exists() for path in (elsewhere / ("b" * 32), *theirs))


def test_a_pipe_in_place_of_a_file_is_not_waited_for(state):
    os.makedirs(state.file("seen"))
    os.mkfifo(state.live)
    os.mkfifo(state.file("seen", hash_id("toolu_1")[:32]))
    assert seen.claim(state, "toolu_1").decided is None
    assert read.tail(state.live) == []


def test_a_lock_that_cannot_be_had_does_not_stop_the_recording(state):
    os.makedirs(state.events + ".lock")
    with Writer(state, 0) as log:
        assert log.locked is False
        log.record({"outcome": "resolved"})
    assert Path(state.events).read_text() == '{"outcome": "resolved"}\n'


def test_live_counts_one_session_and_starts_anew_with_the_next(state):
    def decided(session: str, **fields: object) -> dict[str, object]:
        names = [
            "harness",
            "timestamp",
            "requested_model",
            "final_model",
            "requested_effort",
            "final_effort",
            "recommended_model",
        ]
        return {
            **dict.fromkeys(names, "x"),
            "complexity": "TRIVIAL",
            "reason_codes": [],
            "session_id": session,
            **fields,
        }

    one, two = "11" * 32, "22" * 32
    for each in (
        decided(one, outcome="rewrite_emitted"),
        decided(one, outcome="allow"),
        decided(one, outcome="baseline"),
    ):
        live.update(state, each)
    shown = json.loads(Path(state.live).read_text())
    assert shown["counts"] == {"switched": 1, "held": 0, "observed": 1, "control": 1}
    assert (shown["session"], shown["last"]["state"]) == ("11111111", "control")
    live.update(state, decided(two, outcome="allow", reason_codes=["HELD_FORK"]))
    assert json.loads(Path(state.live).read_text())["counts"] == {"switched": 0, "held": 1, "observed": 0}
    assert sorted(os.listdir(os.path.dirname(state.live))) == ["live.json"]


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"session": "11111111", "counts": [1]}', '{"session":"11111111","counts":{"held":"x"}}']
)
def test_a_damaged_live_file_is_written_anew(state, text):
    os.makedirs(state.root)
    Path(state.live).write_text(text)
    fields = "harness timestamp requested_model final_model requested_effort final_effort recommended_model complexity"
    live.update(
        state, {**dict.fromkeys(fields.split(), "x"), "outcome": "allow", "reason_codes": [], "session_id": "11" * 32}
    )
    assert json.loads(Path(state.live).read_text())["counts"]["observed"] == 1


def test_the_first_process_claims_a_spawn_and_later_ones_take_its_decision_over(state):
    first = seen.claim(state, "toolu_1")
    first.settle({"model": "haiku"})
    second = seen.claim(state, "toolu_1")
    assert (first.first, second.first, second.decided) == (True, False, {"model": "haiku"})
    assert seen.claim(state, "toolu_2").first


def test_a_claim_that_is_never_settled_is_waited_for_briefly(state):
    seen.claim(state, "toolu_1")
    later = seen.claim(state, "toolu_1")
    assert (later.first, later.decided) == (False, None)


def test_a_state_directory_that_cannot_be_written_makes_everyone_first(state, sandbox):
    (sandbox / "home" / ".downshift").write_text("a file, not a folder")
    claim = seen.claim(state, "toolu_1")
    claim.settle({})
    assert claim.first


def test_a_claim_does_not_hold_the_id_itself(state):
    seen.claim(state, "toolu_secret")
    assert "secret" not in "".join(os.listdir(state.file("seen")))


def test_old_claims_and_sessions_are_swept_and_young_ones_stay(state):
    for folder, digits, ending in (("seen", 32, ""), ("sessions", 16, ".jsonl")):
        os.makedirs(state.file(folder))
        for name, age in (("a", 3600), ("b", 15 * 24 * 3600)):
            path = state.file(folder, name * digits + ending)
            Path(path).write_text("x")
            os.utime(path, (1e9 - age, 1e9 - age))
    assert seen.sweep_due(state, 1e9)
    sweep.sweep(state, 1e9)
    assert sorted(os.listdir(state.file("seen"))) == [".swept", "a" * 32]
    assert os.listdir(state.file("sessions")) == ["a" * 16 + ".jsonl"]
    assert not seen.sweep_due(state, 1e9 + 10)
    assert seen.sweep_due(state, 1e9 + 3601)
    assert seen.sweep_due(state, 1e9 - 10), "a clock that went backwards does not stop the sweeping"
