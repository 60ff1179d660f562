"""Which models a session can reach: every source, in order, and in any state a file can be in."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from downshift import paths
from downshift.catalog.lookup import load
from downshift.core.spawn import Spawn
from downshift.sessions.models import Asked, resolve

NOW = 1_800_000_000.0
FRESH, OLD, AHEAD = "2027-01-15T07:00:00Z", "2027-01-01T00:00:00Z", "2027-02-01T00:00:00Z"
CATALOG = load("claude-code")
OPUS = CATALOG.find("opus")


def ask(home: Path, payload=None, env=None, harness="claude-code", session="s1", **changes):
    env = {"HOME": str(home), **(env or {})}
    fields = {
        "spawn": Spawn(harness=harness, entry="hook", task="x", session_id=session),
        "payload": payload or {},
        "current": OPUS,
        "catalog": load(harness),
        "env": env,
        "state": paths.state(env),
        "now": NOW,
        "infer": True,
        "strict": harness == "claude-code",
        **changes,
    }
    return resolve(Asked(**fields))


def put(home: Path, name: str, value: object) -> Path:
    path = home / ".downshift" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return path


def discovered(*ids: str, at: str = FRESH) -> dict:
    return {"version": 1, "harnesses": {"claude-code": {"source": "x", "fetched_at": at, "ordered": list(ids)}}}


def ids(found) -> list[str]:
    return [model.id for model in found[0].models]


# --- the current model ------------------------------------------------------


def test_the_current_model_proves_the_ladder_below_it(home):
    session, problem = ask(home)
    assert (session.source, problem) == ("inferred", "")
    assert ids((session,)) == ["claude-haiku-5-5", "claude-sonnet-5-5", "claude-opus-5-5"]


@pytest.mark.parametrize("changes", [{"current": None}, {"current": OPUS.replace(tier="")}, {"infer": False}])
def test_without_a_known_current_model_or_the_inference_the_session_is_unknown(home, changes):
    session, _ = ask(home, **changes)
    assert (session.known, session.models) == (False, ())


@pytest.mark.parametrize("off", ["off", "OFF", "0", "no"])
def test_the_inference_can_be_switched_off(home, off):
    assert ask(home, env={"DOWNSHIFT_INFER_SESSION": off})[0].known is False


# --- the order of the sources -----------------------------------------------


def test_the_first_source_that_speaks_wins(home):
    put(
        home, "session-models.json", {"claude-code": ["sonnet"], "sessions": {"claude-code": {"s1": ["haiku", "opus"]}}}
    )
    assert (ask(home)[0].source, ids(ask(home))) == ("file", ["claude-haiku-5-5", "claude-opus-5-5"])
    assert ids(ask(home, session="other")) == ["claude-sonnet-5-5"]
    put(home, "discovered.json", discovered("claude-opus-5-5"))
    assert (ask(home)[0].source, ids(ask(home))) == ("discovered", ["claude-opus-5-5"])
    payload = {"session_models": ["haiku"], "available_models": ["opus"]}
    assert (ask(home, payload)[0].source, ids(ask(home, payload))) == ("payload", ["claude-haiku-5-5"])


@pytest.mark.parametrize("field", ["session_models", "available_models"])
def test_a_field_of_the_payload_wins_even_when_it_is_empty(home, field):
    put(home, "session-models.json", {"claude-code": ["haiku"]})
    session, _ = ask(home, {field: []})
    assert (session.known, session.models) == (True, ())


@pytest.mark.parametrize("told", [None, "haiku", {"a": 1}, [1], ["haiku", None]])
def test_a_field_that_is_not_a_list_of_ids_makes_the_session_unknown(home, told):
    session, problem = ask(home, {"session_models": told})
    assert (session.known, "session_models" in problem) == (False, True)


def test_an_empty_list_in_the_file_is_known_and_empty(home):
    put(home, "session-models.json", {"claude-code": []})
    assert (ask(home)[0].known, ask(home)[0].models) == (True, ())


def test_the_file_can_be_elsewhere_and_quota_in_it_is_not_read(home, sandbox):
    (sandbox / "mine.json").write_text(json.dumps({"claude-code": ["haiku"], "quota": {"haiku": 0}, "_comment": "x"}))
    session, _ = ask(home, env={"DOWNSHIFT_SESSION_MODELS": str(sandbox / "mine.json")})
    assert (ids((session,)), session.refused) == (["claude-haiku-5-5"], {})


def test_another_harnesses_list_says_nothing(home):
    put(home, "session-models.json", {"codex": ["gpt-6-luna"]})
    assert ask(home)[0].source == "inferred"


# --- discovery --------------------------------------------------------------


@pytest.mark.parametrize(
    ("at", "env", "source"),
    [
        (FRESH, {}, "discovered"),
        (OLD, {}, "inferred"),
        (OLD, {"DOWNSHIFT_DISCOVERY_TTL": "0"}, "discovered"),
        (OLD, {"DOWNSHIFT_DISCOVERY_TTL": "10000h"}, "discovered"),
        (FRESH, {"DOWNSHIFT_DISCOVERY_TTL": "1m"}, "inferred"),
        (FRESH, {"DOWNSHIFT_DISCOVERY": "off"}, "inferred"),
        (FRESH, {"DOWNSHIFT_DISCOVERY_TTL": "soon"}, "unknown"),
        (AHEAD, {}, "unknown"),
        ("yesterday", {}, "unknown"),
    ],
)
def test_a_discovered_list_counts_while_it_is_fresh(home, at, env, source):
    put(home, "discovered.json", discovered("haiku", at=at))
    session, problem = ask(home, env=env)
    assert session.source == source
    assert bool(problem) == (source == "unknown")


# --- cursor -----------------------------------------------------------------


def native(**fields) -> dict:
    models = ["big", "small"]
    tiers = {"big": "frontier", "small": "small"}
    return {
        "observed_at": "2027-01-15T07:59:00Z",
        "available_models": models,
        "available_models_complete": True,
        **fields,
    }, {"model_metadata": [{"id": name, "tier": tier} for name, tier in tiers.items()]}


@pytest.mark.parametrize(
    ("fields", "known"),
    [
        ({}, True),
        ({"observed_at": "2027-01-15T07:00:00Z"}, False),
        ({"available_models_complete": False}, False),
        ({"observed_at": None}, False),
    ],
)
def test_cursors_native_export_counts_when_it_is_complete_and_fresh_and_is_ranked_by_tier(home, sandbox, fields, known):
    told, payload = native(**fields)
    (sandbox / "native.json").write_text(json.dumps(told))
    env = {"DOWNSHIFT_CURSOR_NATIVE_FILE": str(sandbox / "native.json")}
    session, problem = ask(home, payload, env, harness="cursor", infer=False)
    assert (session.known, bool(problem)) == (known, not known)
    assert [model.id for model in session.models] == (["small", "big"] if known else [])
    assert ask(home, payload, env)[0].source == "inferred", "only Cursor reads it"


# --- descriptors ------------------------------------------------------------


def test_a_descriptor_of_the_payload_is_stronger_than_the_catalog(home):
    described = {
        "id": "claude-opus-5-5",
        "tier": "mid",
        "efforts": ["low"],
        "input_per_million": 1,
        "output_per_million": 2,
    }
    session, _ = ask(home, {"session_models": ["claude-opus-5-5", "claude-haiku-5-5"], "model_metadata": [described]})
    opus = session.models[0]
    assert (opus.tier, opus.efforts, opus.prices) == ("mid", ("low",), (1, 2))


@pytest.mark.parametrize("metadata", [None, 7, [None], [{"id": "claude-opus-5-5", "tier": "huge"}], [{"tier": "mid"}]])
def test_a_descriptor_that_is_not_one_is_passed_over(home, metadata):
    session, _ = ask(home, {"session_models": ["claude-opus-5-5"], "model_metadata": metadata})
    assert session.models[0].tier == "frontier"


def test_an_inventory_in_no_order_ranks_only_what_has_a_tier(home):
    session, _ = ask(home, {"available_models": ["opus", "mystery", "haiku"]})
    assert ids((session,)) == ["claude-haiku-5-5", "claude-opus-5-5"]


def test_a_declared_order_may_hold_ids_that_nobody_knows(home):
    session, _ = ask(home, {"session_models": ["tiny", "huge"]}, harness="codex")
    assert [(model.id, model.tier, model.writable) for model in session.models] == [
        ("tiny", "", True),
        ("huge", "", True),
    ]


def test_an_id_that_the_harness_would_refuse_ranks_and_is_never_written(home):
    session, _ = ask(home, {"session_models": ["tiny", "opus"]})
    assert [model.writable for model in session.models] == [False, True]


def test_an_id_that_is_another_harnesses_own_is_known_as_such(home):
    session, _ = ask(home, {"session_models": ["gpt-6-luna"]})
    assert session.models[0].harness == "codex"


def test_explicit_upshift_comes_from_the_file_or_the_environment(home):
    assert ask(home)[0].explicit_upshift is False
    assert ask(home, env={"DOWNSHIFT_EXPLICIT_UPSHIFT": "1"})[0].explicit_upshift is True
    put(home, "session-models.json", {"explicit_upshift": True})
    assert ask(home)[0].explicit_upshift is True


# --- damage -----------------------------------------------------------------


def damage(path: Path, kind: str) -> None:
    path.parent.mkdir(exist_ok=True)
    good = json.dumps(discovered("haiku") if path.name == "discovered.json" else {"claude-code": ["haiku"]})
    if kind == "directory":
        path.mkdir()
    elif kind == "symlink":
        (path.parent / "elsewhere").write_text(good)
        path.symlink_to(path.parent / "elsewhere")
    elif kind == "fifo":
        os.mkfifo(path)
    else:
        texts = {
            "empty": "",
            "truncated": good[:-4],
            "array": "[]",
            "huge": good + " " * 1_100_000,
            "not utf-8": "\x00\x01",
        }
        path.write_text(texts[kind])


@pytest.mark.parametrize("kind", ["empty", "truncated", "array", "huge", "directory", "symlink", "fifo", "not utf-8"])
@pytest.mark.parametrize("name", ["session-models.json", "discovered.json"])
def test_a_damaged_file_makes_the_session_unknown_and_says_so(home, name, kind):
    damage(home / ".downshift" / name, kind)
    session, problem = ask(home)
    assert (session.known, session.models) == (False, ())
    assert name in problem


@pytest.mark.parametrize(
    "told", [{"claude-code": "haiku"}, {"claude-code": [1]}, {"sessions": []}, {"sessions": {"claude-code": []}}]
)
def test_a_file_with_a_value_of_the_wrong_kind_is_damaged_too(home, told):
    put(home, "session-models.json", told)
    session, problem = ask(home)
    assert (session.known, "session-models.json" in problem) == (False, True)
