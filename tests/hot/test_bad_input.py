"""Bad input, and a machine in trouble: the answer is neutral, the trouble is recorded, and nothing hangs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time

import pytest

from downshift import paths
from downshift.hot import entry, stdin
from tests.conftest import REPOSITORY
from tests.hot.test_hook import REWRITE, environment
from tests.support.hooks import ROUTED, TRIVIAL, answer_in_process, events, mod_payload, run_hook

BAD = {
    "empty": (b"", "INVALID_EVENT"),
    "not json": (b"hello", "INVALID_EVENT"),
    "truncated": (json.dumps(mod_payload()).encode()[:-5], "INVALID_EVENT"),
    "array": (b"[1]", "INVALID_EVENT"),
    "null": (b"null", "INVALID_EVENT"),
    "deep": (b'{"a":' * 50_000, "INVALID_EVENT"),
    "not utf-8": (b"\xff\xfe\x00{", "INVALID_EVENT"),
    "oversized": (json.dumps(mod_payload("x" * 10_000_000)).encode(), "PAYLOAD_TOO_LARGE"),
}


@pytest.mark.process
@pytest.mark.parametrize(("data", "code"), BAD.values(), ids=BAD.keys())
@pytest.mark.parametrize("verb", ["hook", "end"])
def test_bad_input_is_answered_neutrally_recorded_and_quick(verb, data, code):
    ran = run_hook(data, ROUTED, verb=verb)
    assert (ran.code, ran.text) == (0, "{}")
    assert code in ran.stderr
    assert "Traceback" not in ran.stderr
    assert [(each["outcome"], each["error_code"]) for each in events()] == [("error", code)]
    assert ran.seconds < 3


@pytest.mark.process
def test_input_that_never_ends_is_given_up_after_two_seconds():
    command = [sys.executable, "-I", "-S", str(REPOSITORY / "hooks" / "run.py"), "hook", "claude-code"]
    started = time.monotonic()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        process.stdin.write(b'{"entry": "mod"')
        process.stdin.flush()
        assert process.stdout.read() == b"{}"
        assert process.wait(5) == 0
    assert 1.9 < time.monotonic() - started < 4
    assert events()[0]["error_code"] == "INPUT_TIMEOUT"


@pytest.mark.parametrize("prefix", [b"\xef\xbb\xbf", b" \n\t", b"\r\n"])
def test_a_byte_order_mark_and_spaces_are_read_over(prefix):
    assert json.loads(answer_in_process(prefix + json.dumps(mod_payload()).encode(), environment())) == REWRITE


def test_bytes_that_are_not_utf_8_inside_a_brief_are_replaced():
    data = json.dumps(mod_payload(TRIVIAL + " @")).encode().replace(b"@", b"\xff\xfe")
    assert json.loads(answer_in_process(data, environment())) == REWRITE


def test_a_brief_of_a_megabyte_is_judged_in_bounded_time():
    started = time.monotonic()
    answer_in_process(mod_payload("Rename the variable x. " + "lorem ipsum dolor " * 50_000), environment())
    assert time.monotonic() - started < 1


def test_reading_stops_at_a_descriptor_that_is_not_there():
    assert stdin.read(999_999).error == "READ_ERROR"


@pytest.mark.process
def test_a_closed_stdout_is_survived():
    read_end, write_end = os.pipe()
    os.close(read_end)
    command = [sys.executable, "-I", "-S", str(REPOSITORY / "hooks" / "run.py"), "hook", "claude-code"]
    done = subprocess.run(
        command, input=json.dumps(mod_payload()).encode(), env=environment(), stdout=write_end, stderr=subprocess.PIPE
    )
    os.close(write_end)
    assert done.returncode == 0
    assert len(events()) == 1


@pytest.mark.process
@pytest.mark.parametrize(
    "arguments", [[], ["hook"], ["hook", "nothing"], ["end", ""], ["hook", "claude-code", "x", "y"]]
)
def test_an_unknown_harness_is_answered_with_nothing_and_never_fails(arguments):
    command = [sys.executable, "-I", "-S", str(REPOSITORY / "hooks" / "run.py"), *(arguments or ["hook"])]
    done = subprocess.run(command, input=b"{}", capture_output=True)
    assert (done.returncode, done.stdout in (b"", b"{}")) == (0, True)


@pytest.mark.process
def test_a_state_directory_that_cannot_be_used_costs_the_record_and_not_the_answer(sandbox):
    blocked = sandbox / "blocked"
    blocked.write_text("a file where a folder should be")
    ran = run_hook(mod_payload(), {**ROUTED, "DOWNSHIFT_STATE_DIR": str(blocked)})
    assert (ran.code, ran.answer) == (0, REWRITE)
    assert "could not record" in ran.stderr


@pytest.mark.process
@pytest.mark.skipif(os.path.exists("/dev/full") is False, reason="no /dev/full on this system")
def test_a_full_disk_costs_the_record_and_not_the_answer():
    ran = run_hook(mod_payload(), {**ROUTED, "DOWNSHIFT_EVENT_LOG": "/dev/full"})
    assert (ran.code, ran.answer) == (0, REWRITE)
    assert "could not record" in ran.stderr


def test_without_a_home_the_answer_is_given_and_nothing_recorded(monkeypatch, capfd):
    monkeypatch.setattr(paths.os.path, "expanduser", lambda path: path)
    assert json.loads(answer_in_process(mod_payload(), ROUTED)) == REWRITE
    assert "nothing is recorded" in capfd.readouterr().err


@pytest.mark.process
@pytest.mark.parametrize("name", ["with space", "it's", 'a "quote"', "do$HOME", "(paren)", "naïve-日本"])
def test_state_and_plugin_may_lie_at_any_path(sandbox, name):
    root = sandbox / name / "plugin"
    root.parent.mkdir()
    os.symlink(REPOSITORY, root)
    env = {**ROUTED, "DOWNSHIFT_STATE_DIR": str(sandbox / name / "state")}
    assert run_hook(mod_payload(), env, root=root).answer == REWRITE
    assert len(events(env)) == 1


def test_a_bug_anywhere_is_a_neutral_answer_and_an_error_record(monkeypatch, capfd):
    def broken(*_):
        raise RuntimeError("a bug")

    from downshift.hot import spawn

    monkeypatch.setattr(spawn, "run", broken)
    monkeypatch.setattr(entry, "_said", False)
    assert entry.main(["hook", "claude-code"]) == 0
    shown = capfd.readouterr()
    assert (shown.out, "RuntimeError" in shown.err) == ("{}", True)
    assert events()[0]["error_code"] == "PANIC"


def test_an_error_after_the_answer_does_not_answer_twice(monkeypatch, capfd):
    from downshift.hot import spawn

    def broken_later(harness, env, descriptor, say):
        say('{"model": "haiku"}')
        raise RuntimeError("a bug")

    monkeypatch.setattr(spawn, "run", broken_later)
    monkeypatch.setattr(entry, "_said", False)
    assert entry.main(["hook", "claude-code"]) == 0
    assert capfd.readouterr().out == '{"model": "haiku"}'
