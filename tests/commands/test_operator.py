"""The commands with which an operator steers: models, quota, config, pause."""

from __future__ import annotations

import json
import os

import pytest

from downshift.core.hashing import hash_id
from tests.sessions.test_limits import WRONG
from tests.sessions.test_models import damage, put
from tests.support.fronts import FRONTS, said
from tests.support.hooks import ROUTED, answer_in_process, events, mod_payload


def data(front, capsys, *arguments: str) -> dict:
    return json.loads(said(front, capsys, *arguments, "--json")[1])


def test_models_list_prints_the_catalog_in_force(front, capsys, home):
    put(
        home,
        "catalog.json",
        {"harnesses": {"claude-code": [{"id": "claude-haiku-5-5", "output": 9}, {"id": "mine", "tier": "mid"}]}},
    )
    rows = {row["id"]: row for row in data(front, capsys, "models", "list", "--harness", "claude-code")["claude-code"]}
    assert (rows["claude-haiku-5-5"]["output_per_million"], rows["claude-haiku-5-5"]["tier"]) == (9, "small")
    assert rows["mine"]["tier"] == "mid"


@pytest.mark.parametrize(
    "told",
    [
        "{",
        [],
        {"harnesses": []},
        {"harnesses": {"claude-code": [{"id": "x", "tier": "huge"}]}},
        {"harnesses": {"codex": [{}]}},
    ],
)
def test_a_catalog_that_is_not_one_is_refused_by_people_and_passed_over_by_hooks(front, capsys, home, told):
    put(home, "catalog.json", told)
    code, _, err = said(front, capsys, "models", "list")
    assert (code, "catalog.json" in err) == (1, True)
    assert json.loads(answer_in_process(mod_payload(), {**os.environ, **ROUTED}))["model"] == "haiku"
    assert "catalog.json" in capsys.readouterr().err or True


@pytest.mark.process
def test_models_discover_keeps_what_the_harness_says_and_the_hook_uses_it(front, capsys, home):
    (home / ".codex").mkdir()
    rows = [{"slug": name, "visibility": "list"} for name in ("gpt-6-sol", "gpt-6-luna", "unheard-of")]
    (home / ".codex" / "models_cache.json").write_text(json.dumps({"models": rows}))
    found = data(front, capsys, "models", "discover", "--harness", "codex")
    assert (found["ordered"], found["unranked"]) == (["gpt-6-luna", "gpt-6-sol"], ["unheard-of"])
    shown = data(front, capsys, "try", "rename the variable x in a.ts", "--harness", "codex", "--model", "gpt-6-sol")
    assert shown["target"] == "gpt-6-luna"


def test_quota_is_imported_shown_and_respected(front, capsys, home, sandbox):
    window = {"id": "w", "scope": "models", "model_ids": ["claude-haiku-5-5"], "used_percent": 100, "resets_at": 4e9}
    fine = {"id": "v", "scope": "harness", "used_percent": 10, "resets_at": 4e9}
    (sandbox / "usage.json").write_text(
        json.dumps({"observed_at": __import__("time").time(), "windows": [window, fine]})
    )
    assert said(front, capsys, "quota", "import", str(sandbox / "usage.json"))[0] == 0
    assert data(front, capsys, "quota", "status")["harnesses"]["claude-code"]["status"] == "fresh"
    assert json.loads(answer_in_process(mod_payload(), {**os.environ, **ROUTED}))["model"] == "sonnet"
    assert events()[0]["quota_status"] == "available"


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        '{"windows": []}',
        '{"observed_at": 1, "windows": "x"}',
        '{"source": "rumour", "observed_at": 1, "windows": [{}]}',
    ],
)
def test_a_snapshot_that_is_not_one_is_not_imported(front, capsys, home, sandbox, text):
    (sandbox / "usage.json").write_text(text)
    assert said(front, capsys, "quota", "import", str(sandbox / "usage.json"))[0] == 1
    assert not (home / ".downshift" / "quota.json").exists()


def test_an_older_observation_does_not_replace_a_newer_one(front, capsys, home, sandbox):
    for number, observed in enumerate((2_000_000_000, 1_900_000_000)):
        (sandbox / "usage.json").write_text(json.dumps({"observed_at": observed, "windows": [{"id": "w"}]}))
        assert said(front, capsys, "quota", "import", str(sandbox / "usage.json"))[0] == number
    kept = json.loads((home / ".downshift" / "quota.json").read_text())
    assert kept["harnesses"]["claude-code"]["observed_at"] == 2_000_000_000


def test_a_damaged_cache_is_not_overwritten_and_holds(front, capsys, home, sandbox):
    put(home, "quota.json", "{torn")
    (sandbox / "usage.json").write_text(json.dumps({"observed_at": 2e9, "windows": [{"id": "w"}]}))
    assert said(front, capsys, "quota", "import", str(sandbox / "usage.json"))[0] == 1
    assert (home / ".downshift" / "quota.json").read_text() == "{torn"
    assert said(front, capsys, "quota", "status")[0] == 1
    assert answer_in_process(mod_payload(), {**os.environ, **ROUTED}) == "{}"
    assert "HELD_QUOTA" in events()[0]["reason_codes"]


def test_config_show_says_where_each_value_comes_from(front, capsys, home, monkeypatch):
    put(home, "config.json", {"quiet": True, "tier_floor": {"agent_type": {"reviewer": "mid"}}})
    monkeypatch.setenv("DOWNSHIFT_CONTROL_SHARE", "0.5")
    monkeypatch.setenv("CLAUDE_PLUGIN_OPTION_QUIET", "false")
    rows = {row["name"]: (row["value"], row["source"]) for row in data(front, capsys, "config", "show")["settings"]}
    assert rows["control_share"] == (0.5, "DOWNSHIFT_CONTROL_SHARE")
    assert rows["quiet"] == (True, "config.json")
    assert rows["tier_floor"] == ({"agent_type": {"reviewer": "mid"}}, "config.json")
    assert rows["respect_explicit"] == (False, "default")


@pytest.mark.parametrize("told", WRONG)
def test_pydantic_and_the_hook_agree_on_what_is_wrong(front, capsys, home, told):
    put(home, "config.json", told)
    code, out, _ = said(front, capsys, "config", "show", "--json")
    shown = json.loads(out)
    assert (code, bool(shown["problem"]), bool(shown["details"])) == (1, True, True)


@pytest.mark.parametrize(
    "told",
    [{}, {"control_share": 0.5}, {"control_share": 1}, {"compactor": False, "later": 1}, {"pins": {"project": ["/x"]}}],
)
def test_pydantic_and_the_hook_agree_on_what_is_right(front, capsys, home, told):
    put(home, "config.json", told)
    code, out, _ = said(front, capsys, "config", "show", "--json")
    assert (code, json.loads(out)["problem"], json.loads(out)["details"]) == (0, "", [])


def test_a_floor_and_a_pin_of_the_config_reach_the_hook(home):
    pins = {"agent_type": ["db-expert"]}
    put(
        home,
        "config.json",
        {"tier_floor": {"agent_type": {"general-purpose": "mid"}}, "pins": pins, "control_share": 0},
    )
    assert json.loads(answer_in_process(mod_payload(), dict(os.environ)))["model"] == "sonnet"
    (home / ".claude" / "agents").mkdir(parents=True)
    (home / ".claude" / "agents" / "db-expert.md").write_text("---\nname: db-expert\n---\n")
    assert answer_in_process(mod_payload(call="toolu_2", agent_type="db-expert"), dict(os.environ)) == "{}"
    assert ["TIER_FLOOR" in each["reason_codes"] for each in events()] == [True, False]
    assert "HELD_PINNED" in events()[1]["reason_codes"]


def test_a_paused_session_is_judged_and_left_alone_until_it_is_resumed(front, capsys, home):
    env = {**os.environ, **ROUTED}
    assert said(front, capsys, "session", "--session", "session-1", "--pause")[0] == 0
    assert answer_in_process(mod_payload(), env) == "{}"
    assert answer_in_process(mod_payload(call="toolu_2", session="other"), env) != "{}"
    assert data(front, capsys, "session", "--session", "session-1")["counts"]["paused"] == 1
    for wanted in ("session-1", hash_id("session-1")[:8]):
        assert said(front, capsys, "session", "--session", wanted, "--resume")[0] == 0
    assert answer_in_process(mod_payload(call="toolu_3"), env) != "{}"


def test_pausing_inside_a_session_means_that_session(front, capsys, monkeypatch):
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "session-1")
    assert said(front, capsys, "session", "--pause")[0] == 0
    assert answer_in_process(mod_payload(), {**os.environ, **ROUTED}) == "{}"


@pytest.mark.parametrize("arguments", [["--pause"], ["--pause", "--resume", "--session", "x"]])
def test_a_pause_of_nothing_in_particular_is_a_usage_error(front, capsys, arguments):
    assert said(front, capsys, "session", *arguments)[0] == 2


# --- damage of each file, seen by the hook and by doctor ----------------------

NAMES = ("config.json", "quota.json", "session-models.json", "discovered.json", "catalog.json", "scores.json")


@pytest.mark.parametrize("kind", ["empty", "truncated", "array", "huge", "directory", "symlink"])
@pytest.mark.parametrize("name", NAMES)
def test_a_damaged_file_is_one_line_on_stderr_and_one_finding_of_doctor(capfd, home, name, kind):
    damage(home / ".downshift" / name, kind)
    answer = answer_in_process(mod_payload(), {**os.environ, **ROUTED})
    lines = [line for line in capfd.readouterr().err.splitlines() if name in line]
    assert len(lines) == 1
    if name in ("quota.json", "session-models.json", "discovered.json"):
        assert answer == "{}", "no rewrite that depends on it"
    found = {check["id"]: check for check in data(FRONTS["plain"], capfd, "doctor")["checks"]}
    assert (found[f"file:{name}"]["state"], bool(found[f"file:{name}"]["fix"])) == ("bad", True)


# --- after failures -----------------------------------------------------------


def end(call: str, status: str, when: str) -> dict[str, object]:
    return {
        "outcome": "child_ended", "status": status, "timestamp": when, "session_id": hash_id("session-1"),
        "linked_decision": hash_id(call)[:32], "harness": "claude-code",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("statuses", "held"),
    [(["error", "error"], True), (["completed", "error"], False), (["error", "completed"], False), (["error"], False), (["interrupted", "error"], True),
     (["error", "error", "completed"], True), (["completed", "error", "error"], True)],
)  # fmt: skip
def test_after_two_bad_ends_the_next_child_of_the_type_is_not_lowered(statuses, held):
    from downshift import paths
    from downshift.hot.report import timestamp
    from downshift.log.append import Writer

    env = {**os.environ, **ROUTED}
    for number, status in enumerate(statuses):
        answer_in_process(mod_payload(call=f"toolu_{number}"), env)
        with Writer(paths.state(env), 0) as log:
            log.record(end(f"toolu_{number}", status, timestamp()))
    assert answer_in_process(mod_payload(call="toolu_9"), env) == (
        "{}" if held else answer_in_process(mod_payload(call="toolu_9"), env)
    )
    assert ("HELD_AFTER_FAILURE" in events()[-1]["reason_codes"]) is held
    other = answer_in_process(mod_payload(call="toolu_10", agent_type="Explore"), env)
    assert json.loads(other)["model"] == "haiku", "another type has another record"


# --- public scores ------------------------------------------------------------

SCORES = {
    "scores": {
        "claude-haiku-5-5": 80,
        "claude-sonnet-5-5": 85,
        "claude-opus-5-5": 90,
        "claude-haiku-4-5": 50,
        "claude-fable-5-1": 95,
    }
}


@pytest.mark.parametrize(("routing", "model"), [("", "sonnet"), ("1", "sonnet")])
def test_scores_are_shadow_by_default(home, routing, model):
    put(home, "scores.json", SCORES)
    from tests.support.hooks import MEDIUM

    answer = json.loads(
        answer_in_process(mod_payload(MEDIUM), {**os.environ, **ROUTED, "DOWNSHIFT_SCORE_ROUTING": routing})
    )
    recorded = events()[0]
    assert (answer["model"], recorded["score_would"], recorded["score_differs"]) == (model, "claude-sonnet-5-5", False)
    assert recorded["score_would_cost_ratio"] == 1.0


@pytest.mark.parametrize(("routing", "model", "code"), [("", "sonnet", False), ("1", "haiku", True)])
def test_a_pick_that_differs_is_written_only_when_the_operator_wants_that(home, routing, model, code):
    put(home, "scores.json", {"scores": {**SCORES["scores"], "claude-haiku-5-5": 89, "claude-sonnet-5-5": 60}})
    from tests.support.hooks import MEDIUM

    answer = json.loads(
        answer_in_process(mod_payload(MEDIUM), {**os.environ, **ROUTED, "DOWNSHIFT_SCORE_ROUTING": routing})
    )
    recorded = events()[0]
    assert (answer["model"], recorded["score_differs"], "SCORE_ROUTED" in recorded["reason_codes"]) == (
        model,
        True,
        code,
    )
    assert recorded["final_model"] == f"claude-{model}-5-5"


def test_the_path_abstains_on_risk_and_on_complex_work(home):
    put(home, "scores.json", SCORES)
    from tests.support.hooks import COMPLEX

    for number, prompt in enumerate((COMPLEX, "Rotate the credentials in keys.md")):
        answer_in_process(mod_payload(prompt, call=f"toolu_{number}"), {**os.environ, **ROUTED})
    assert all("score_would" not in each for each in events())
