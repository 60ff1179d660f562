"""Quota, credit, scores, config and pause: what each allows, and what it says when it cannot be read."""

from __future__ import annotations

import json
import os
import tempfile
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from downshift import paths
from downshift.core.spawn import Model
from downshift.hot import spawn
from downshift.sessions import config, credit, pause, quota, rollout_quota, scores
from tests.sessions.test_models import damage, put
from tests.support.hooks import events

NOW = 1_800_000_000.0
MODELS = tuple(
    Model(id=name, harness="codex", tier=tier) for name, tier in (("a", "small"), ("b", "mid"), ("c", "frontier"))
)


def snapshot(*windows: dict, observed: float = NOW - 10, **fields) -> quota.Snapshot:
    told = {
        "harness": "codex",
        "source": "operator-normalized",
        "observed_at": observed,
        "windows": list(windows),
        **fields,
    }
    return quota.read_snapshot(told, "codex", "")


def window(used: object = 10, resets: object = NOW + 1000, **fields) -> dict:
    return {"id": "w", "scope": "harness", "used_percent": used, "resets_at": resets, **fields}


# --- quota ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("windows", "status"),
    [
        ([window(10)], "available"),
        ([window(99.9)], "available"),
        ([window(100)], "exhausted"),
        ([window(10), window(120)], "exhausted"),
        ([window(10, NOW - 1)], "stale"),
        ([window(None)], "unknown"),
        ([window(10, None)], "unknown"),
        ([window(True)], "unknown"),
        ([window(-1)], "unknown"),
        ([], "unknown"),
        ([window(10, scope="models", model_ids=["b"])], "unknown"),
        ([window(100, scope="models", model_ids=["b"]), window(10)], "available"),
        ([window(100, scope="models", model_ids=["a"]), window(10)], "exhausted"),
        ([window(10, scope="models", model_ids=["a"])], "available"),
    ],
)
def test_a_models_status_is_the_worst_of_the_windows_that_cover_it(windows, status):
    assert quota.status_of("a", snapshot(*windows), NOW) == status


@pytest.mark.parametrize(
    ("observed", "fields", "status"),
    [
        (NOW - 10, {}, "available"),
        (NOW - 299, {}, "available"),
        (NOW - 301, {}, "stale"),
        (NOW - 600, {"expires_at": NOW + 100}, "available"),
        (NOW - 901, {"expires_at": NOW + 100}, "stale"),
        (NOW + 3600, {}, "unknown"),
    ],
)
def test_an_observation_is_good_for_minutes_not_for_longer_than_it_may(observed, fields, status):
    assert quota.status_of("a", snapshot(window(), observed=observed, **fields), NOW) == status


@pytest.mark.parametrize(
    "told",
    [None, [], {}, {"harness": "cursor", "source": "cursor-usage", "observed_at": NOW, "windows": []}, {"source": "rumour", "observed_at": NOW, "windows": []},
     {"source": "codex-usage", "observed_at": "soon", "windows": []}, {"source": "codex-usage", "observed_at": NOW, "windows": {}}],
)  # fmt: skip
def test_a_snapshot_that_is_not_valid_speaks_and_allows_nothing(told):
    read = quota.read_snapshot(told, "codex", "")
    assert read.present
    assert quota.gate(MODELS, read, required=False, now=NOW).refused == ("a", "b", "c")


def test_without_any_source_everything_goes_on_unless_evidence_is_required():
    nothing = quota.Snapshot()
    assert quota.gate(MODELS, nothing, required=False, now=NOW) == quota.Gate(
        status="unknown", source="none", refused=()
    )
    assert quota.gate(MODELS, nothing, required=True, now=NOW).refused == ("a", "b", "c")


def test_one_exhausted_model_leaves_the_others():
    gate = quota.gate(
        MODELS, snapshot(window(100, scope="models", model_ids=["a"]), window(5)), required=False, now=NOW
    )
    assert (gate.refused, gate.status, gate.source) == (("a",), "available", "operator-normalized")


def test_the_payload_is_heard_before_the_cache_and_a_cache_without_this_harness_holds(home):
    state = paths.state({"HOME": str(home)})
    assert quota.snapshot_of("codex", {}, state, {}).present is False
    cached = {
        "version": 1,
        "harnesses": {"codex": {"source": "codex-usage", "observed_at": NOW, "windows": [window(100)]}},
    }
    put(home, "quota.json", cached)
    assert quota.status_of("a", quota.snapshot_of("codex", {}, state, {}), NOW) == "exhausted"
    payload = {"usage_quota": {"observed_at": NOW, "windows": [window(1)]}}
    assert quota.status_of("a", quota.snapshot_of("codex", payload, state, {}), NOW) == "available"
    other = quota.snapshot_of("cursor", {}, state, {})
    assert (other.present, quota.status_of("a", other, NOW)) == (True, "stale")


@pytest.mark.parametrize("kind", ["empty", "truncated", "array", "huge", "directory", "symlink"])
def test_a_damaged_cache_is_a_source_that_allows_nothing(home, kind):
    damage(home / ".downshift" / "quota.json", kind)
    read = quota.snapshot_of("codex", {}, paths.state({"HOME": str(home)}), {})
    assert (read.present, "quota.json" in read.problem) == (True, True)
    assert quota.gate(MODELS, read, required=False, now=NOW).refused == ("a", "b", "c")


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(max_size=5),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=9), inner),
        max_leaves=8,
    )
)
def test_any_snapshot_is_read_without_an_error(told):
    read = quota.read_snapshot(told, "codex", "")
    assert quota.status_of("a", read, NOW) in ("available", "exhausted", "stale", "unknown")


# --- Codex's own windows ------------------------------------------------------


def token_count(limits: object, at: str = "2027-01-15T07:59:50.000Z") -> bytes:
    row = {"timestamp": at, "type": "event_msg", "payload": {"type": "token_count", "info": {}, "rate_limits": limits}}
    return json.dumps(row).encode() + b"\n"


def limits(used: object = 10, resets: object = NOW + 1000) -> dict:
    return {"limit_id": "codex", "primary": {"used_percent": used, "resets_at": resets}, "secondary": None}


@pytest.mark.parametrize(
    ("tail", "status"),
    [
        (token_count(limits(10)), "available"),
        (token_count(limits(100)), "exhausted"),
        (token_count(limits(10)) + token_count(limits(100)), "exhausted"),
        (
            token_count(limits(100))
            + token_count(limits(10))
            + b'{"type":"event_msg","payload":{"text":"\\"token_count\\""}}\n',
            "available",
        ),
        (token_count(limits(10), "2027-01-15T07:00:00Z"), "stale"),
        (token_count(limits(10)) + b'{"payload":{"type":"token_count", torn', "stale"),
        (token_count(limits(10)) + token_count("none"), "stale"),
    ],
)
def test_the_newest_token_count_of_a_rollout_decides_at_its_own_time(tail, status):
    read = rollout_quota.snapshot_in(tail)
    assert read.present
    assert quota.status_of("a", read, NOW) == status


@pytest.mark.parametrize("tail", [b"", b"nothing\n", token_count(None), b'{"payload":{"type":"message"}}\n'])
def test_a_rollout_without_windows_is_no_source(tail):
    assert rollout_quota.snapshot_in(tail).present is False


def test_the_hook_reads_codexs_windows_from_the_rollout_it_is_given(home, sandbox):
    put(home, "session-models.json", {"codex": ["gpt-6-luna", "gpt-6-sol"]})
    for number, used in enumerate((10, 100)):
        rollout = sandbox / f"rollout-{number}.jsonl"
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        turn = (
            json.dumps({"type": "turn_context", "payload": {"model": "gpt-6-sol", "effort": "high"}}).encode() + b"\n"
        )
        rollout.write_bytes(turn + token_count(limits(used, time.time() + 99), now))
        call = {
            "hook_event_name": "PreToolUse", "session_id": "s", "turn_id": "t", "tool_name": "spawn_agent", "tool_use_id": f"c{number}",
            "transcript_path": str(rollout), "cwd": str(sandbox), "model": "gpt-6-sol", "permission_mode": "default",
            "tool_input": {"message": "Rename the variable userId across auth.ts"},
        }  # fmt: skip
        said: list[str] = []
        with tempfile.TemporaryFile() as file:
            file.write(json.dumps(call).encode())
            file.seek(0)
            spawn.run("codex", {**os.environ, "DOWNSHIFT_CONTROL_SHARE": "0"}, file.fileno(), said.append)
        answer = json.loads(said[0])
        if used < 100:
            assert answer["hookSpecificOutput"]["updatedInput"]["model"] == "gpt-6-luna"
        else:
            assert answer == {}
    statuses = [(each["quota_status"], each["quota_source"]) for each in events()]
    assert statuses == [("available", "codex-transcript"), ("exhausted", "codex-transcript")]


# --- credit -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("payload", "refused"),
    [
        ({}, ()),
        ({"included_models": []}, ()),
        ({"included_models": ["a"]}, ("b", "c")),
        ({"included_models": ["nothing here"]}, ("a", "b", "c")),
        ({"unavailable_models": ["b"]}, ("b",)),
        ({"included_models": ["a", "b"], "unavailable_models": ["b"]}, ("b", "c")),
        ({"included_models": "a", "unavailable_models": 3}, ()),
    ],
)
def test_an_included_set_is_closed_and_an_unavailable_id_is_never_written(payload, refused):
    assert credit.refused(MODELS, payload) == refused


# --- scores -----------------------------------------------------------------


def priced(name: str, price: float | None, tier: str = "mid") -> Model:
    return Model(id=name, harness="codex", tier=tier, prices=None if price is None else (price, price))


CANDIDATES = (priced("low", 1), priced("middle", 3), priced("cheap", 2), priced("high", 9))
KNOWN = {"low": 10.0, "middle": 50.0, "cheap": 55.0, "high": 90.0}


@pytest.mark.parametrize(("tier", "picked"), [("small", "low"), ("mid", "cheap"), ("frontier", None), ("", None)])
def test_the_path_takes_the_cheapest_that_reaches_the_level_and_abstains_on_the_frontier(tier, picked):
    found = scores.pick(CANDIDATES, tier, KNOWN)
    assert (found.id if found else None) == picked


@pytest.mark.parametrize(
    "candidates", [(), (priced("unheard-of", 1), *CANDIDATES), (priced("low", None), CANDIDATES[1])]
)
def test_the_path_abstains_when_a_candidate_has_no_score_or_no_price(candidates):
    assert scores.pick(candidates, "mid", KNOWN) is None


@pytest.mark.parametrize(
    ("text", "env", "found"),
    [
        ({"scores": {"gpt-6-luna": 40, "gpt-6-sol": "x", "other": 1}}, {}, {"gpt-6-luna": 40.0}),
        ({"scores": {"gpt-6-luna": 40}}, {"DOWNSHIFT_SCORES": "off"}, {}),
        ({"scores": []}, {}, {}),
        ("{", {}, {}),
    ],
)
def test_scores_are_read_through_the_id_map(home, text, env, found):
    put(home, "scores.json", text)
    read = scores.load("codex", paths.state({"HOME": str(home)}), env)
    assert dict(read.by_id) == found
    assert bool(read.problem) == (text in ("{", {"scores": []}))


# --- config -----------------------------------------------------------------


def settings(home: Path, env: dict | None = None) -> config.Settings:
    return config.load(paths.state({"HOME": str(home)}), env or {})


def test_the_environment_beats_the_file_beats_the_plugins_option_beats_the_default(home):
    option = {"CLAUDE_PLUGIN_OPTION_CONTROL_SHARE": "0.3", "CLAUDE_PLUGIN_OPTION_QUIET": "true"}
    assert (settings(home).control_share, settings(home).quiet) == (0.1, False)
    assert (settings(home, option).control_share, settings(home, option).quiet) == (0.3, True)
    put(home, "config.json", {"control_share": 0.2, "quiet": False, "respect_explicit": True})
    assert (settings(home, option).control_share, settings(home, option).quiet) == (0.2, False)
    assert settings(home).respect_explicit is True
    own = {"DOWNSHIFT_CONTROL_SHARE": "0", "DOWNSHIFT_QUIET": "1", "DOWNSHIFT_RESPECT_EXPLICIT": "0"}
    assert (settings(home, own).control_share, settings(home, own).quiet) == (0.0, True)
    assert settings(home, own).respect_explicit is False


def test_floors_and_pins_are_by_agent_type_and_project(home):
    pins = {"agent_type": ["db-expert"], "project": ["/home/me/bank"]}
    put(home, "config.json", {"tier_floor": {"agent_type": {"reviewer": "mid"}}, "pins": pins})
    read = settings(home)
    assert (read.floor("reviewer"), read.floor(""), read.floor("x")) == ("mid", "", "")
    assert [read.pins(kind, cwd) for kind, cwd in (("db-expert", ""), ("", "/home/me/bank"), ("", "/home/me/bank/src"), ("", "/home/me/banking"), ("x", "/"))] == [
        True, True, True, False, False,
    ]  # fmt: skip


WRONG = [
    {"control_share": 2}, {"control_share": "0.1"}, {"control_share": True}, {"quiet": "yes"}, {"respect_explicit": 1}, {"compactor": "on"},
    {"tier_floor": "mid"}, {"tier_floor": {"agent_type": {"x": "huge"}}}, {"tier_floor": {"agent_type": []}}, {"pins": ["x"]}, {"pins": {"project": "x"}},
]  # fmt: skip


@pytest.mark.parametrize("told", WRONG)
def test_one_wrong_value_makes_the_whole_file_unusable_and_names_the_key(home, told):
    put(home, "config.json", {"quiet": True, **told} if "quiet" not in told else told)
    read = settings(home)
    assert (read.quiet, read.control_share) == (False, 0.1)
    assert next(iter(told)) in read.problem


@pytest.mark.parametrize("kind", ["empty", "truncated", "array", "huge", "directory", "symlink"])
def test_a_damaged_config_is_said_to_be_and_the_defaults_stand(home, kind):
    damage(home / ".downshift" / "config.json", kind)
    assert (settings(home).control_share, "config.json" in settings(home).problem) == (0.1, True)


def test_a_key_nobody_knows_is_no_error(home):
    put(home, "config.json", {"quiet": True, "later": {"anything": 1}})
    assert (settings(home).quiet, settings(home).problem) == (True, "")


# --- pause ------------------------------------------------------------------


def test_a_session_is_paused_until_it_is_resumed_and_only_that_one(home):
    from downshift.core.hashing import hash_id

    state = paths.state({"HOME": str(home)})
    pause.set_paused(state, hash_id("s1"), paused=True)
    pause.set_paused(state, hash_id("s1"), paused=True)
    assert [pause.is_paused(state, name) for name in ("s1", "s2", "")] == [True, False, False]
    pause.set_paused(state, hash_id("s1"), paused=False)
    pause.set_paused(state, hash_id("s1"), paused=False)
    assert pause.is_paused(state, "s1") is False
    assert json.dumps([path.name for path in (home / ".downshift" / "paused").iterdir()]) == "[]"
