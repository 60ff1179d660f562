"""The status line: our segment, the user's own command after it, and the bridge to the quota cache."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from downshift import paths
from downshift.__main__ import HOT
from downshift.hot import entry, statusline
from downshift.sessions import quota
from tests.conftest import REPOSITORY
from tests.hot.test_end import ended
from tests.support.hooks import ROUTED, answer_in_process, capture, mod_payload

PAYLOAD = capture("StatusLine-rate-limits")
for window in PAYLOAD["rate_limits"].values():
    window["resets_at"] = int(time.time()) + 9999  # the capture's own are over


@pytest.fixture
def env():
    return {**os.environ, **ROUTED}


def state_of(env: dict) -> paths.State:
    state = paths.state(env)
    assert state is not None
    return state


def line(payload: object = PAYLOAD, **more: str) -> bytes:
    """What a real process prints."""
    data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    command = [sys.executable, "-I", "-S", str(REPOSITORY / "hooks" / "run.py"), "statusline"]
    done = subprocess.run(command, input=data, env={**os.environ, **more}, capture_output=True, timeout=30)
    assert done.returncode == 0
    return done.stdout


def configure(env: dict, **values: object) -> None:
    state = state_of(env)
    os.makedirs(state.root, exist_ok=True)
    with open(state.file("config.json"), "w", encoding="utf-8") as file:
        json.dump(values, file)


def test_the_segment_counts_the_sessions_spawns_and_what_was_saved(env):
    session = PAYLOAD["session_id"]
    assert line() == b""
    answer_in_process(mod_payload(session=session), env)
    assert line().decode() == "◆ downshift · 1 subagent · 1 switched\n"
    answer_in_process({**ended(), "session_id": session}, env, verb="end")
    answer_in_process(mod_payload("Have a think about the reports page", session=session, call="toolu_2"), env)
    assert line().decode() == "◆ downshift · 2 subagents · 1 switched · 1 held · tokens saved work 100% · cache 100%\n"


def test_a_refuted_rewrite_is_said(env):
    session = PAYLOAD["session_id"]
    answer_in_process(mod_payload(session=session), env)
    used = [{"model": "claude-opus-5-5", "output_tokens": 7}]
    answer_in_process({**ended(usage=used), "session_id": session}, env, verb="end")
    assert line().decode() == "◆ downshift · 1 subagent · 1 switched · 1 not honored\n"


def test_the_users_own_command_comes_after_ours_byte_for_byte(env):
    answer_in_process(mod_payload(session=PAYLOAD["session_id"]), env)
    configure(env, statusline_command="printf 'mine \\377 '; cat | wc -c; echo failed >&2; exit 3")
    size = len(json.dumps(PAYLOAD).encode())
    printed = line()
    ours, _, theirs = printed.partition(b"\n")
    assert ours.startswith("◆ downshift".encode())
    assert theirs.split() == [b"mine", b"\xff", str(size).encode()]


def test_the_users_own_command_is_given_up_when_it_takes_too_long(env, monkeypatch):
    monkeypatch.setattr(statusline, "COMMAND_SECONDS", 0.3)
    started = time.monotonic()
    assert statusline._own("echo early; sleep 60 & sleep 60", b"{}") in (b"early\n", b"")
    assert time.monotonic() - started < 5


def test_the_subscriptions_windows_reach_the_quota_cache(env):
    line()
    now = time.time()
    snapshot = quota.snapshot_of("claude-code", {}, state_of(env), env)
    assert (snapshot.source, snapshot.problem) == ("claude-statusline", "")
    assert [window["used_percent"] for window in snapshot.windows] == [42, 17]
    assert quota.status_of("claude-haiku-5-5", snapshot, now) == quota.AVAILABLE


def test_the_cache_keeps_what_others_wrote_and_is_not_written_at_every_turn(env):
    path = state_of(env).file(quota.NAME)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"version": 1, "harnesses": {"codex": {"source": "codex-usage"}}}, file)
    line()
    with open(path, encoding="utf-8") as file:
        assert set(json.load(file)["harnesses"]) == {"codex", "claude-code"}
    before = os.stat(path).st_mtime_ns
    line()
    assert os.stat(path).st_mtime_ns == before
    changed = {**PAYLOAD, "rate_limits": {"five_hour": {"used_percentage": 43, "resets_at": 1896083201}}}
    line(changed)
    assert os.stat(path).st_mtime_ns != before


def test_a_damaged_cache_and_one_that_the_user_named_are_left_alone(env, sandbox):
    path = state_of(env).file(quota.NAME)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write("{broken")
    line()
    assert Path(path).read_text(encoding="utf-8") == "{broken"
    os.unlink(path)
    line(DOWNSHIFT_QUOTA_FILE=str(sandbox / "mine.json"))
    assert not os.path.exists(path)
    assert not (sandbox / "mine.json").exists()


def test_an_api_key_has_no_windows_and_writes_nothing(env):
    line(capture("StatusLine-api-key"))
    assert not os.path.exists(state_of(env).file(quota.NAME))


@pytest.mark.parametrize(
    "data",
    [b"", b"[]", b"{", b"\xff\xfe", b'{"session_id": 5, "rate_limits": "x"}', b'{"rate_limits": {"five_hour": 7}}'],
)
def test_bad_input_prints_nothing_of_ours_and_never_fails(data):
    assert line(data) == b""


def test_off_prints_nothing(env):
    answer_in_process(mod_payload(session=PAYLOAD["session_id"]), env)
    assert line(DOWNSHIFT_OFF="1") == b""


def test_the_hot_verbs_are_those_of_the_entry():
    assert HOT == entry.VERBS


@pytest.mark.parametrize("alias", entry.ALIASES)
def test_the_verbs_of_earlier_versions_still_answer(alias):
    command = [sys.executable, "-I", "-S", str(REPOSITORY / "hooks" / "run.py"), alias]
    done = subprocess.run(command, input=b"{}", capture_output=True, timeout=30)
    assert (done.returncode, done.stdout) == (0, b"{}")
