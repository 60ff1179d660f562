"""The docs say what the code does: every name is documented, and what the README tells people to run works."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from downshift import paths
from downshift.commands.registry import commands
from downshift.core import events
from downshift.core.guardrails import TABLE
from downshift.core.tokens import Tokens
from downshift.harnesses.registry import ADAPTERS
from downshift.views.reasons import CODES, HOLDS
from tests.conftest import REPOSITORY
from tests.core.test_decision import a_case

DOCS = REPOSITORY / "docs"
PAGES = [REPOSITORY / "README.md", REPOSITORY / "CHANGELOG.md", *sorted(DOCS.rglob("*.md"))]


def page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def test_the_guardrails_of_the_code_and_of_the_page_are_the_same_in_the_same_order():
    rows = re.findall(r"^\| (R\d_\w+|–) \| (HELD_\w+) \|", page("reference/guardrails.md"), re.MULTILINE)
    assert [(id_.replace("–", ""), code) for id_, code in rows] == [(row.id, row.code) for row in TABLE]


def test_every_hold_is_explained_to_people():
    assert set(HOLDS) == {row.code for row in TABLE}
    assert all(meaning and action for meaning, action in HOLDS.values())


def test_every_other_code_is_on_the_page():
    rows = re.findall(r"^\| ([A-Z_]+) \|", page("reference/guardrails.md"), re.MULTILINE)
    assert set(CODES) == set(rows) - {row.code for row in TABLE}


@pytest.mark.parametrize("name", paths.VARIABLES)
def test_every_variable_is_on_the_settings_page(name):
    assert f"`{name}`" in page("reference/settings.md")


def test_no_variable_is_read_that_the_settings_page_does_not_name():
    read = set()
    for path in (REPOSITORY / "downshift").rglob("*.py"):
        read |= set(re.findall(r"\"((?:DOWNSHIFT|CLAUDE_CODE|ANTHROPIC|CLAUDE_CONFIG)_\w+)\"", path.read_text()))
    named = set(re.findall(r"`(\w+)`", page("reference/settings.md")))
    assert read - named - {"CLAUDE_CODE_SESSION_ID"} == set()


def test_every_field_of_an_event_is_on_the_events_page():
    from downshift.core.decision import decide

    text = page("reference/events.md")
    fields = set(events.decision(decide(a_case(paused=True)), now="", correlation=""))
    base = events.observation("usage", {}, now="", entry="mod", agent_id="a")
    fields |= set(events.resolved(base, ran_on="m")) | set(events.error("X", now="", harness="h"))
    fields |= set(events.usage(base, run=1, model="m", tokens=Tokens()))
    fields |= set(events.child_ended(base, run=1, status="error", error_kind="x"))
    fields |= {"rewrite_honored", "requested_model", "partial", "mixed_models", "main_tokens", "suspect"}
    assert [name for name in fields if f"`{name}`" not in text] == []


@pytest.mark.parametrize("name", commands())
def test_every_command_is_in_the_readme_or_the_quickstart(name):
    assert f"downshift {name}" in (REPOSITORY / "README.md").read_text() + page("tutorials/quickstart.md") + (
        REPOSITORY / "CHANGELOG.md"
    ).read_text().replace("`session`", "downshift session").replace("`version`", "downshift version").replace(
        "`bench`", "downshift bench"
    )


def test_every_dependency_is_explained():
    project = (REPOSITORY / "pyproject.toml").read_text()
    named = re.findall(r"^  ?\"?([a-z][a-z-]+)>=", project, re.MULTILINE) + re.findall(
        r"dependencies = \[\"(.*)\"\]", project
    )
    names = set(re.findall(r"[a-z][a-z-]+(?=>=)", " ".join(named) + " ".join(f"{name}>=" for name in named)))
    assert {"typer", "pytest"} <= names
    assert [name for name in names if name not in page("explanation/dependencies.md")] == []


@pytest.mark.parametrize("name", ADAPTERS)
def test_every_harness_page_names_its_evidence(name):
    evidence = ADAPTERS[name]().CAPABILITIES.evidence
    assert evidence.split()[-1] in page(f"harnesses/{name}.md")


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(REPOSITORY)))
def test_links_between_pages_lead_somewhere(path: Path):
    targets = re.findall(r"\]\(([^)#:]+)\)", path.read_text(encoding="utf-8"))
    assert [target for target in targets if not (path.parent / target).exists()] == []


def shell_lines(path: Path) -> list[str]:
    blocks = re.findall(r"```sh\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines() if line.strip()]
    return [line for line in lines if line != "tests/run"]  # that one runs this test


@pytest.mark.process
@pytest.mark.parametrize(
    "line",
    [line for path in (REPOSITORY / "README.md", DOCS / "tutorials/quickstart.md") for line in shell_lines(path)],
)
def test_what_people_are_told_to_run_runs(line):
    done = subprocess.run(["sh", "-c", line], cwd=REPOSITORY, capture_output=True, text=True)
    assert "Traceback" not in done.stderr
    assert (done.returncode, bool(done.stdout)) == (0, True), done.stderr


def test_the_first_judgement_of_the_quickstart_is_what_is_printed():
    done = subprocess.run(
        ["bin/downshift", "try", "rename the variable userId across auth.ts", "--model", "opus"],
        cwd=REPOSITORY, capture_output=True, text=True,
    )  # fmt: skip
    assert done.stdout.strip() in page("tutorials/quickstart.md")
