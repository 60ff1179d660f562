"""The hook as harnesses run it: one spawn in, one answer out, whatever happens."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from downshift import paths
from downshift.core import control
from downshift.core.hashing import hash_id
from downshift.harnesses.registry import ADAPTERS, FOREIGN_MARKERS
from downshift.hot import entry
from tests.conftest import REPOSITORY
from tests.support.hooks import (
    COMPLEX,
    MEDIUM,
    OPUS,
    ROUTED,
    TRIVIAL,
    VAGUE,
    answer_in_process,
    capture,
    events,
    mod_payload,
    resolved_payload,
    run_hook,
)

REWRITE = {"model": "haiku", "effort": "low", "line": "downshift: TRIVIAL → haiku (was opus)"}


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, **ROUTED, **more}


@pytest.mark.process
def test_a_trivial_spawn_under_opus_goes_to_haiku_and_is_recorded():
    ran = run_hook(mod_payload(), ROUTED)
    assert (ran.code, ran.answer) == (0, REWRITE)
    assert ran.stderr == "downshift: spawn switched opus → haiku, effort default → low · TRIVIAL\n"
    (recorded,) = events()
    wanted = {
        "outcome": "rewrite_emitted",
        "requested_model": OPUS,
        "final_model": "claude-haiku-5-5",
        "entry": "mod",
        "baseline_kind": "inherited",
        "verdict": "DOWNSHIFT",
        "permission_mode": "auto",
        "session_id": hash_id("session-1"),
        "tool_use_hash": hash_id("toolu_1"),
    }
    assert wanted.items() <= recorded.items()


@pytest.mark.parametrize(
    ("prompt", "answer", "state"),
    [
        (TRIVIAL, "haiku", "switched"),
        (MEDIUM, "sonnet", "switched"),
        (COMPLEX, None, "observed"),
        (VAGUE, None, "held"),
    ],
)
def test_each_kind_of_task_is_answered_as_it_deserves(prompt, answer, state):
    said = json.loads(answer_in_process(mod_payload(prompt), environment()))
    assert said.get("model") == answer
    assert json.loads(Path(paths.state(os.environ).live).read_text())["last"]["state"] == state


def test_the_same_call_twice_gives_one_answer_and_one_event():
    answers = [answer_in_process(mod_payload(), environment()) for _ in range(3)]
    assert len(set(answers)) == 1
    assert len(events()) == 1


@pytest.mark.process
def test_eight_processes_at_once_about_one_spawn_agree_and_record_it_once():
    command = [sys.executable, "-I", "-S", str(REPOSITORY / "hooks" / "run.py"), "hook", "claude-code"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    started = [subprocess.Popen(command, env=environment(), **pipes) for _ in range(8)]
    data = json.dumps(mod_payload()).encode()
    for process in started:
        process.stdin.write(data)
        process.stdin.close()
    answers = {process.stdout.read() for process in started}
    for process in started:
        process.stderr.close()
        process.stdout.close()
        assert process.wait(10) == 0
    assert [json.loads(answer) for answer in answers] == [REWRITE]
    assert len(events()) == 1


def test_a_claim_whose_owner_died_is_decided_again_alike():
    folder = Path(paths.state(os.environ).file("seen"))
    folder.mkdir(parents=True)
    (folder / hash_id("toolu_1")[:32]).touch()
    assert json.loads(answer_in_process(mod_payload(), environment())) == REWRITE
    assert events() == []


def test_the_agents_of_one_workflow_are_separate_spawns():
    for index in range(3):
        answer_in_process(mod_payload(workflow={"run_id": "wf", "index": index}), environment())
    recorded = events()
    assert len({each["correlation_id"] for each in recorded}) == 3
    assert {each["tool_use_hash"] for each in recorded} == {hash_id("toolu_1")}


@pytest.mark.parametrize("mode", ["default", "acceptEdits", "dontAsk", "bypassPermissions"])
def test_the_command_hook_rewrites_where_it_may(mode):
    payload = capture("PreToolUse-Agent-foreground")
    payload.update(permission_mode=mode, tool_input={**payload["tool_input"], "model": "opus", "prompt": TRIVIAL})
    answer = json.loads(answer_in_process(payload, environment()))
    assert answer["hookSpecificOutput"]["updatedInput"] == {**payload["tool_input"], "model": "haiku", "effort": "low"}
    assert "permissionDecision" not in answer["hookSpecificOutput"]


@pytest.mark.parametrize("mode", ["auto", "plan"])
def test_the_command_hook_changes_nothing_where_a_change_would_be_denied(mode):
    payload = capture("PreToolUse-Agent-foreground")
    payload.update(permission_mode=mode, tool_input={**payload["tool_input"], "model": "opus", "prompt": TRIVIAL})
    assert answer_in_process(payload, environment()) == "{}"
    (recorded,) = events()
    assert "HELD_PERMISSION_MODE" in recorded["reason_codes"]
    assert recorded["recommended_model"] == "claude-haiku-5-5"


def test_no_prompt_path_or_raw_id_is_ever_written_down(sandbox):
    secret = "xyzzy-plugh"
    payload = mod_payload(
        f"Rename {secret} in /home/{secret}/file.ts", call=f"toolu_{secret}", session=secret, agent_type=secret,
        parent_agent_id=secret, cwd=f"/home/{secret}", permission_mode=secret, parent_model=f"claude-opus-{secret} {secret}",
    )  # fmt: skip
    answer_in_process(payload, environment())
    answer_in_process({"tool_name": "Agent", "entry": secret, secret: secret}, environment())
    answer_in_process(b"{" + secret.encode(), environment())
    written = [path for path in (sandbox / "home").rglob("*") if path.is_file()]
    assert written
    assert [path for path in written if secret in path.name or secret in path.read_text()] == []
    assert all(stat.S_IMODE(path.stat().st_mode) == 0o600 for path in written)


# --- switches ---------------------------------------------------------------


def test_no_route_judges_and_records_and_changes_nothing():
    assert answer_in_process(mod_payload(), environment(DOWNSHIFT_NO_ROUTE="1")) == "{}"
    (recorded,) = events()
    assert (recorded["outcome"], recorded["final_model"], recorded["recommended_model"]) == (
        "baseline",
        OPUS,
        "claude-haiku-5-5",
    )
    assert "CONTROL" not in recorded["reason_codes"]


def test_a_control_spawn_is_answered_like_a_failure_and_recorded_as_control():
    assert answer_in_process(mod_payload(), environment(DOWNSHIFT_CONTROL_SHARE="1")) == "{}"
    (recorded,) = events()
    assert (recorded["outcome"], "CONTROL" in recorded["reason_codes"]) == ("baseline", True)


def test_the_control_draw_follows_the_spawns_key():
    drawn = [call for call in (f"toolu_{number}" for number in range(60)) if control.in_control(call, 0.3)]
    for number in range(60):
        answer_in_process(mod_payload(call=f"toolu_{number}"), environment(DOWNSHIFT_CONTROL_SHARE="0.3"))
    controlled = [each["tool_use_hash"] for each in events() if "CONTROL" in each["reason_codes"]]
    assert controlled == [hash_id(call) for call in drawn]


@pytest.mark.parametrize(("share", "controlled"), [("1", True), ("0", False)])
def test_a_plugin_option_serves_where_the_environment_says_nothing(share, controlled):
    env = {**os.environ, "CLAUDE_PLUGIN_OPTION_CONTROL_SHARE": share}
    answer_in_process(mod_payload(), env)
    answer_in_process(mod_payload(call="toolu_2"), {**env, "DOWNSHIFT_CONTROL_SHARE": "0"})
    assert ["CONTROL" in each["reason_codes"] for each in events()] == [controlled, False]


def test_quiet_leaves_the_line_out_and_the_rest_alone():
    assert json.loads(answer_in_process(mod_payload(), environment(DOWNSHIFT_QUIET="1"))) == {
        "model": "haiku",
        "effort": "low",
    }
    assert len(events()) == 1


@pytest.mark.process
@pytest.mark.parametrize("payload", [mod_payload(), b"garbage", b""], ids=["spawn", "garbage", "empty"])
def test_off_answers_neutrally_and_writes_nothing(payload, home):
    ran = run_hook(payload, {"DOWNSHIFT_OFF": "1"})
    assert (ran.code, ran.text, ran.stderr) == (0, "{}", "")
    assert list(home.iterdir()) == []


@pytest.mark.process
def test_off_works_even_when_the_package_is_broken(sandbox):
    broken = sandbox / "copy"
    for name in (
        "hooks/run.py",
        "downshift/__init__.py",
        "downshift/__main__.py",
        "downshift/hot/__init__.py",
        "downshift/hot/entry.py",
    ):
        (broken / name).parent.mkdir(parents=True, exist_ok=True)
        (broken / name).write_bytes((REPOSITORY / name).read_bytes())
    assert run_hook(mod_payload(), {"DOWNSHIFT_OFF": "1"}, root=broken).text == "{}"
    ran = run_hook(mod_payload(), root=broken)
    assert (ran.code, ran.text) == (0, "{}")
    assert "runs unchanged" in ran.stderr


def test_the_state_directory_and_the_log_can_be_elsewhere(sandbox, home):
    env = environment(
        DOWNSHIFT_STATE_DIR=str(sandbox / "state"), DOWNSHIFT_EVENT_LOG=str(sandbox / "logs" / "mine.jsonl")
    )
    answer_in_process(mod_payload(), env)
    assert len(events(env)) == 1
    assert (sandbox / "logs" / "live.json").exists()
    assert (sandbox / "state" / "seen").is_dir()
    assert list(home.iterdir()) == []


def test_a_log_that_is_full_rotates_inside_the_hook():
    env = environment(DOWNSHIFT_LOG_MAX_MB="1")
    state = paths.state(env)
    os.makedirs(state.root)
    Path(state.events).write_bytes(b"{}\n" * (350 * 1024))
    answer_in_process(mod_payload(), env)
    assert os.path.getsize(state.events + ".1") == 3 * 350 * 1024
    assert len(events(env)) == 1


# --- children ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("ran_on", "honored"),
    [
        ("claude-haiku-5-5", True),
        ("claude-haiku-4-5-20251001", True),
        ("claude-opus-5-5", False),
        ("my-own-haiku", None),
    ],
)
def test_what_a_child_ran_on_is_linked_to_its_decision(ran_on, honored):
    answer_in_process(mod_payload(), environment())
    answer_in_process(mod_payload(call="toolu_2"), environment())
    assert answer_in_process(resolved_payload(ran_on), environment(), "end") == "{}"
    decided, _, resolved = events()
    assert resolved["linked_decision"] == decided["correlation_id"]
    assert (resolved["outcome"], resolved.get("rewrite_honored"), resolved["final_model"]) == (
        "resolved",
        honored,
        ran_on,
    )
    assert resolved["requested_model"] == "claude-haiku-5-5"
    assert resolved["agent_hash"] == hash_id("agent-1")


def test_a_child_that_was_left_alone_claims_no_honor():
    answer_in_process(mod_payload(COMPLEX), environment())
    answer_in_process(resolved_payload(OPUS), environment(), "end")
    assert "rewrite_honored" not in events()[1]


def test_a_child_nobody_decided_about_is_not_recorded():
    answer_in_process(resolved_payload(OPUS), environment(), "end")
    assert events() == []


def test_the_command_hook_reads_the_model_from_the_result():
    call = capture("PostToolUse-Agent-completed-rewritten")
    spawn = {
        **call,
        "hook_event_name": "PreToolUse",
        "tool_input": {**call["tool_input"], "prompt": TRIVIAL, "model": "opus"},
    }
    answer_in_process(spawn, environment())
    answer_in_process(call, environment(), "end")
    assert events()[1]["rewrite_honored"] is True


# --- other hosts ------------------------------------------------------------


def test_the_copy_of_a_spawn_that_another_host_runs_is_left_to_that_host(capfd):
    payload = json.loads((REPOSITORY / "tests" / "payloads" / "copilot" / "PreToolUse.json").read_text())
    assert answer_in_process(payload, environment()) == "{}"
    assert events() == []
    assert "copilot" in capfd.readouterr().err


@pytest.mark.parametrize("marker", [marker for markers in FOREIGN_MARKERS.values() for marker in markers])
def test_every_marker_of_another_host_is_respected(marker):
    assert answer_in_process({**mod_payload(), marker: "x"}, environment()) == "{}"
    assert events() == []


@pytest.mark.parametrize(
    "name", [path.stem for path in (REPOSITORY / "tests" / "payloads" / "claude-code").glob("*.json")]
)
def test_no_real_payload_of_claude_code_looks_foreign(name):
    answer_in_process(capture(name), environment())
    assert all(each["outcome"] != "error" for each in events())


def test_the_neutral_answers_of_the_entry_are_those_of_the_adapters():
    assert {name: load().CAPABILITIES.neutral_answer for name, load in ADAPTERS.items()} == entry.NEUTRAL


# --- anything ---------------------------------------------------------------


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=6,
)


@hypothesis_settings(max_examples=300)
@given(st.data())
def test_a_mutated_payload_is_answered_validly(data):
    payload = data.draw(
        st.sampled_from(
            [mod_payload(), capture("PreToolUse-Agent"), resolved_payload(OPUS), capture("PostToolUse-Agent-async")]
        )
    )
    for holder in (payload, payload.get("tool_input")):
        if isinstance(holder, dict):
            for key in data.draw(st.lists(st.sampled_from(sorted(holder)), max_size=3)):
                holder[key] = data.draw(JSON)
    for verb in ("hook", "end"):
        answer = json.loads(answer_in_process(payload, environment(), verb))
        call = payload.get("tool_input")
        if verb == "end" or answer == {}:
            assert answer == {}
        elif "hookSpecificOutput" in answer:
            changed = answer["hookSpecificOutput"]["updatedInput"]
            assert {**call, "model": changed["model"], "effort": changed["effort"]} == changed
        else:
            assert set(answer) <= {"model", "effort", "line"}
