"""The commands for people, through both front ends."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import pytest

from downshift.commands import execute
from downshift.commands.registry import commands
from downshift.core.errors import UserError
from tests.conftest import REPOSITORY
from tests.support.fronts import said
from tests.support.hooks import COMPLEX, ROUTED, TRIVIAL, VAGUE, answer_in_process, mod_payload, resolved_payload

LAUNCHER = str(REPOSITORY / "bin" / "downshift")


def a_session() -> None:
    env = {**os.environ, **ROUTED}
    answer_in_process(mod_payload(), env)
    answer_in_process(resolved_payload("claude-haiku-5-5"), env, "end")
    answer_in_process(mod_payload(VAGUE, call="toolu_2"), env)


def test_try_judges_as_the_hook_does(front, capsys):
    code, out, _ = said(front, capsys, "try", TRIVIAL, "--model", "opus", "--json")
    data = json.loads(out)
    hook = json.loads(answer_in_process(mod_payload(), {**os.environ, **ROUTED}))
    assert (code, data["target"], data["effort"], data["state"]) == (0, hook["model"], hook["effort"], "switched")
    assert set(data) == {
        "complexity",
        "confident",
        "probabilities",
        "risk",
        "tier",
        "effort",
        "baseline",
        "baseline_kind",
        "verdict",
        "safe_verdict",
        "corrections",
        "reason_codes",
        "rewrite",
        "target",
        "would_be",
        "state",
        "explain",
    }


def test_try_explains_a_hold_and_what_to_do(front, capsys):
    code, out, _ = said(front, capsys, "try", VAGUE, "--model", "opus")
    assert code == 0
    assert "not applied, tokens stay on opus" in out
    assert "HELD_UNCONFIDENT_DOWNSHIFT" in out
    assert "→ name the files" in " ".join(out.split())


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([TRIVIAL, "--model", "sonnet"], "sonnet → haiku"),
        ([TRIVIAL, "--model", "haiku"], "nothing to change"),
        ([COMPLEX, "--model", "haiku"], "HELD_NO_TARGET"),
        ([TRIVIAL, "--model", "unheard-of"], "HELD_NO_SESSION"),
        ([TRIVIAL], "--model opus"),
        ([TRIVIAL, "--model", "opus", "--agent", "statusline-setup"], "never rewritten"),
        ([TRIVIAL, "--model", "opus", "--explain"], "says “"),
    ],
)
def test_try_says_in_a_line_what_would_happen(front, capsys, arguments, words):
    code, out, _ = said(front, capsys, "try", *arguments)
    assert code == 0
    assert words in " ".join(out.split())


def test_try_judges_for_a_harness_of_another_kind(front, capsys):
    _, out, _ = said(front, capsys, "try", TRIVIAL, "--harness", "codex", "--model", "gpt-5.6-sol")
    assert "tokens stay on gpt-5.6-sol" in out
    assert "not in the catalog" not in out


def test_try_says_that_it_does_not_know_a_model(front, capsys):
    _, out, _ = said(front, capsys, "try", TRIVIAL, "--model", "claude-nonsense-9")
    assert "claude-nonsense-9 is not in the catalog of claude-code" in " ".join(out.split())


def test_try_leaves_nothing_behind(front, capsys, home):
    said(front, capsys, "try", TRIVIAL, "--model", "opus")
    assert list(home.iterdir()) == []


@pytest.mark.parametrize(
    "arguments", [["try"], ["try", " "], ["try", "x", "--harness", "nope"], ["bogus"], ["try", "x", "--what"], []]
)
def test_a_wrong_call_is_a_usage_error(front, capsys, arguments):
    code, _, err = said(front, capsys, *arguments)
    assert code == 2
    assert "Traceback" not in err


@pytest.mark.parametrize("name", commands())
def test_every_command_has_help_with_its_example(front, capsys, name):
    code, out, _ = said(front, capsys, name, "--help")
    assert code == 0
    spec = commands()[name].SPEC
    flat = "".join(out.split())
    assert "".join(spec.example.split()) in flat
    assert all(argument.name.lstrip("-") in out for argument in spec.arguments)


def test_session_shows_the_latest_or_the_one_asked_for(front, capsys):
    a_session()
    answer_in_process(mod_payload(call="toolu_9", session="other"), {**os.environ, **ROUTED})
    _, latest, _ = said(front, capsys, "session", "--json")
    assert len(json.loads(latest)["spawns"]) == 1
    for wanted in (
        "session-1",
        json.loads(said(front, capsys, "session", "--session", "session-1", "--json")[1])["session"],
    ):
        data = json.loads(said(front, capsys, "session", "--session", wanted, "--json")[1])
        assert [row["state"] for row in data["spawns"]] == ["switched", "held"]
        assert data["honored"] == {"k": 1, "n": 1, "refuted": 0, "unobserved": 0}


def test_session_inside_claude_code_shows_that_session(front, capsys, monkeypatch):
    a_session()
    answer_in_process(mod_payload(call="toolu_9", session="other"), {**os.environ, **ROUTED})
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "session-1")
    assert len(json.loads(said(front, capsys, "session", "--json")[1])["spawns"]) == 2


def test_session_without_any_spawn_says_so(front, capsys):
    code, out, _ = said(front, capsys, "session")
    assert (code, "No spawn has been seen yet" in out) == (0, True)
    assert json.loads(said(front, capsys, "session", "--json")[1])["spawns"] == []


def test_session_that_is_not_known_is_refused(front, capsys):
    code, out, err = said(front, capsys, "session", "--session", "deadbeef")
    assert (code, out, "deadbeef" in err) == (1, "", True)


@pytest.mark.process
def test_demo_shows_every_state_and_leaves_nothing_behind(front, capsys, sandbox):
    code, out, _ = said(front, capsys, "demo", "--json")
    states = {row["state"] for row in json.loads(out)["spawns"]}
    assert (code, states) == (0, {"switched", "held", "observed", "control"})
    assert list((sandbox / "home").iterdir()) == list((sandbox / "tmp").iterdir()) == []


@pytest.mark.process
def test_demo_shows_the_same_whatever_the_users_settings_are(front, capsys, monkeypatch):
    for name, value in (("DOWNSHIFT_OFF", "1"), ("DOWNSHIFT_NO_ROUTE", "1"), ("CLAUDE_CODE_SUBAGENT_MODEL", "opus")):
        monkeypatch.setenv(name, value)
    _, out, _ = said(front, capsys, "demo", "--json")
    assert json.loads(out)["counts"]["switched"] == 3


def test_version_tells_itself_and_where_it_runs(front, capsys):
    _, out, _ = said(front, capsys, "version", "--json")
    assert json.loads(out)["root"] == str(REPOSITORY)


@pytest.mark.process
@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_output_that_cannot_show_an_arrow_is_no_error(encoding):
    command = [sys.executable, str(REPOSITORY / "hooks" / "run.py"), "try", TRIVIAL, "--model", "opus"]
    done = subprocess.run(
        command, env={**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}, capture_output=True
    )
    assert (done.returncode, b"haiku" in done.stdout, done.stderr) == (0, True, b"")


# --- the boundary -----------------------------------------------------------


def test_an_error_for_people_is_a_sentence_a_hint_and_a_status(front, capsys, monkeypatch):
    def refuse(_):
        raise UserError("it cannot be done", "do this instead")

    monkeypatch.setattr(commands()["version"], "run", refuse)
    code, out, err = said(front, capsys, "version")
    assert (code, out, err) == (1, "", "downshift version: it cannot be done\n  do this instead\n")


def test_a_bug_is_said_to_be_one_and_leaves_a_report(front, capsys, monkeypatch, home):
    def broken(_):
        raise RuntimeError("oh no")

    monkeypatch.setattr(commands()["version"], "run", broken)
    code, _, err = said(front, capsys, "version")
    assert (code, "bug" in err) == (execute.BUG, True)
    assert "oh no" in (home / ".downshift" / "bug.txt").read_text()


def test_an_interrupt_is_130(front, capsys, monkeypatch):
    def interrupted(_):
        raise KeyboardInterrupt

    monkeypatch.setattr(commands()["version"], "run", interrupted)
    assert said(front, capsys, "version")[0] == 130


@pytest.mark.process
def test_a_reader_that_leaves_early_is_no_error():
    command = f"{sys.executable} {REPOSITORY}/hooks/run.py demo --why | head -1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.process
@pytest.mark.parametrize("name", ["with space", "it's", "do$HOME", "(x)", "日本"])
def test_the_launcher_works_through_links_and_from_anywhere(sandbox, name):
    link = sandbox / name
    link.mkdir()
    (link / "ds").symlink_to(LAUNCHER)
    (sandbox / "relative").symlink_to(f"{name}/ds")
    for path in (link / "ds", sandbox / "relative"):
        done = subprocess.run([str(path), "version"], cwd="/", capture_output=True, text=True)
        assert done.stdout.startswith("downshift "), done.stderr


@pytest.mark.process
def test_the_launcher_runs_hooks_with_the_remembered_interpreter(sandbox, home):
    (home / ".downshift").mkdir()
    fake = sandbox / "python"
    fake.write_text("#!/bin/sh\necho remembered $1 $2\n")
    fake.chmod(0o755)
    (home / ".downshift" / "python").write_text(f"{fake}\n")
    done = subprocess.run([LAUNCHER, "hook", "claude-code"], input="{}", capture_output=True, text=True)
    assert done.stdout == "remembered -I -S\n"
    fake.unlink()
    assert subprocess.run([LAUNCHER, "hook", "claude-code"], input="{}", capture_output=True, text=True).stdout == "{}"


def test_where_python_and_the_launcher_are_is_remembered_once_there_is_a_state_directory(front, capsys, home):
    said(front, capsys, "version")
    assert list(home.iterdir()) == []
    (home / ".downshift").mkdir()
    said(front, capsys, "version")
    assert (home / ".downshift" / "python").read_text() == os.path.realpath(sys.executable) + "\n"
    assert (home / ".downshift" / "launcher").read_text() == LAUNCHER + "\n"


@pytest.mark.process
def test_the_launcher_says_when_there_is_no_python(sandbox):
    (sandbox / "bin").mkdir()
    for name in ("dirname", "readlink"):
        (sandbox / "bin" / name).symlink_to(f"/usr/bin/{name}")
    done = subprocess.run(
        ["/bin/sh", LAUNCHER, "version"], env={"PATH": str(sandbox / "bin")}, capture_output=True, text=True
    )
    assert (done.returncode, "python3 was not found" in done.stderr) == (1, True)


# --- what lies where it should not ------------------------------------------


def test_a_folder_that_was_removed_under_us_is_no_bug(front, capsys, sandbox):
    gone = sandbox / "gone"
    gone.mkdir()
    os.chdir(gone)
    gone.rmdir()
    code, out, err = said(front, capsys, "try", TRIVIAL, "--model", "opus")
    os.chdir(sandbox)
    assert (code, err) == (0, "")
    assert "haiku" in out


def test_a_link_in_place_of_what_is_remembered_is_not_followed(front, capsys, home):
    folder = home / ".downshift"
    folder.mkdir()
    (home / "precious").write_text("precious")
    (folder / "python").symlink_to(home / "precious")
    os.mkfifo(folder / "launcher")
    assert said(front, capsys, "version")[0] == 0
    assert (home / "precious").read_text() == "precious"


@pytest.mark.parametrize("asked", ["--version", "-V"])
def test_the_usual_ways_to_ask_for_the_version_work(asked, capsys):
    from downshift import __main__ as way_in

    assert way_in._for_people([asked]) == 0
    assert "0.1.0" in capsys.readouterr().out


def test_an_old_typer_falls_back_to_plain(monkeypatch, capsys):
    import importlib.metadata

    from downshift import __main__ as way_in

    monkeypatch.setattr(importlib.metadata, "version", lambda _: "0.12.5")
    assert way_in._for_people(["version"]) == 0
    assert "0.1.0" in capsys.readouterr().out


@pytest.mark.parametrize(("arguments", "status"), [(["hook", "claude-code"], 0), (["version"], "install Python 3.9")])
def test_a_python_that_is_too_old_is_told_in_words_and_never_in_the_way(monkeypatch, arguments, status):
    from downshift import __main__ as way_in

    monkeypatch.setattr(sys, "version_info", (3, 7, 1))
    with pytest.raises(SystemExit) as left:
        way_in.main(arguments)
    assert left.value.code == status or str(status) in str(left.value.code)


def test_the_launcher_never_stands_in_the_way_of_a_hook(sandbox, home):
    (home / ".downshift").mkdir()
    (home / ".downshift" / "python").write_text("/usr\n")
    empty = sandbox / "empty"
    empty.mkdir()
    for name in ("dirname", "readlink"):
        (empty / name).symlink_to(shutil.which(name))
    launcher = [str(REPOSITORY / "bin" / "downshift"), "hook", "claude-code"]
    ran = subprocess.run(launcher, input=b"{}", env={"HOME": str(home), "PATH": str(empty)}, capture_output=True)
    assert (ran.returncode, ran.stderr) == (0, b"")


def test_what_would_steer_a_terminal_is_never_printed(front, capsys):
    for more in ((), ("--json",)):
        _, out, _ = said(front, capsys, "try", TRIVIAL, "--model", "\x1b]0;owned\x07", *more)
        assert "owned" in out
        assert "\x1b" not in out
        assert "\x07" not in out


@pytest.mark.process
@pytest.mark.parametrize(("target", "status", "words"), [(">&-", 0, ""), (">/dev/full", 1, "could not be written")])
def test_an_output_that_cannot_be_written_is_no_bug(target, status, words):
    ran = subprocess.run(["/bin/sh", "-c", f'"{LAUNCHER}" version {target}'], capture_output=True, text=True)
    assert (ran.returncode, words in ran.stderr) == (status, True)
    assert "bug" not in ran.stderr
    assert "Exception" not in ran.stderr
