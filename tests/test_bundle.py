"""The bundle changes how fast a hook starts, and nothing else."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY
from tests.support.hooks import ROUTED, events, mod_payload, run_hook

pytestmark = [pytest.mark.process]


@pytest.fixture
def copy(sandbox: Path) -> Path:
    """A copy of what a hook needs, without any compiled file."""
    root = sandbox / "copy"
    shutil.copytree(REPOSITORY / "downshift", root / "downshift", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(REPOSITORY / "hooks", root / "hooks")
    return root


def bundle(root: Path) -> Path:
    return next((root / "downshift" / "__pycache__").glob("hot.*.bundle"))


def parts(whole: bytes) -> tuple[bytes, bytes, bytes]:
    """The stamps, the modules of every hook, and the others."""
    first = 25 + int(whole[9:17], 16)
    second = first + int(whole[17:25], 16)
    return whole[25:first], whole[first:second], whole[second:]


def asked(root: Path, call: str, **env: str) -> dict:
    ran = run_hook(mod_payload(call=call), {**ROUTED, **env}, root=root)
    assert (ran.code, "Traceback" in ran.stderr) == (0, False)
    return ran.answer


def test_the_answer_is_the_same_with_and_without_it(copy):
    first = asked(copy, "toolu_1")
    assert bundle(copy).exists()
    assert asked(copy, "toolu_2") == first
    assert len(events()) == 2


def test_a_changed_source_is_noticed_and_the_bundle_made_anew(copy):
    asked(copy, "toolu_1")
    lines = copy / "downshift" / "views" / "lines.py"
    lines.write_text(lines.read_text().replace('return f"downshift: ', 'return f"changed: '))
    before = bundle(copy).read_bytes()
    assert asked(copy, "toolu_2")["line"].startswith("changed: ")
    assert bundle(copy).read_bytes() != before
    assert asked(copy, "toolu_3")["line"].startswith("changed: ")


def test_a_removed_source_is_noticed(copy):
    asked(copy, "toolu_1")
    (copy / "downshift" / "sessions" / "scores.py").unlink()
    assert asked(copy, "toolu_2")["model"] == "haiku"


def test_a_copy_of_the_folder_uses_its_own_sources(copy, sandbox):
    asked(copy, "toolu_1")
    other = sandbox / "other"
    shutil.copytree(copy, other)
    shutil.rmtree(copy)
    assert asked(other, "toolu_2")["model"] == "haiku"
    assert len(events()) == 2


@pytest.mark.parametrize("damage", [b"", b"garbage", b"\x00" * 100])
def test_a_damaged_bundle_is_passed_over_and_made_anew(copy, damage):
    asked(copy, "toolu_1")
    bundle(copy).write_bytes(damage)
    assert asked(copy, "toolu_2")["model"] == "haiku"
    assert len(bundle(copy).read_bytes()) > 10_000


def test_a_truncated_bundle_is_passed_over(copy):
    asked(copy, "toolu_1")
    bundle(copy).write_bytes(bundle(copy).read_bytes()[:-500])
    assert asked(copy, "toolu_2")["model"] == "haiku"


def test_where_it_cannot_be_written_imports_work_as_always(copy):
    (copy / "downshift" / "__pycache__").write_text("a file where the folder should be")
    for number in range(2):
        assert asked(copy, f"toolu_{number}")["model"] == "haiku"


@pytest.mark.parametrize(
    "damage", [lambda _: b"", lambda whole: whole[:9], lambda whole: whole[:5000], lambda _: b"\0" * 99]
)
def test_a_damaged_bundle_is_made_anew(copy, damage):
    asked(copy, "toolu_1")
    damaged = damage(bundle(copy).read_bytes())
    bundle(copy).write_bytes(damaged)
    assert asked(copy, "toolu_2")["model"] == "haiku"
    assert len(bundle(copy).read_bytes()) > 100_000


def test_a_bundle_whose_second_part_is_gone_leaves_the_rest_to_the_import_system(copy):
    asked(copy, "toolu_1")
    whole = bundle(copy).read_bytes()
    bundle(copy).write_bytes(whole[: -len(parts(whole)[2])])
    assert asked(copy, "toolu_2")["model"] == "haiku"


def test_a_bundle_that_makes_a_hook_fail_is_removed_so_that_the_next_one_works(copy):
    asked(copy, "toolu_1")
    whole = bundle(copy).read_bytes()
    bundle(copy).write_bytes(whole.replace(b"casefold", b"casefolx"))
    assert asked(copy, "toolu_2") == {}
    assert asked(copy, "toolu_3")["model"] == "haiku"


def test_a_pipe_in_place_of_the_bundle_is_not_waited_for(copy):
    asked(copy, "toolu_1")
    bundle(copy).unlink()
    os.mkfifo(copy / "downshift" / "__pycache__" / f"hot.{sys.implementation.cache_tag}.bundle")
    assert asked(copy, "toolu_2")["model"] == "haiku"
    assert bundle(copy).is_file()


def test_everything_a_hook_can_import_is_in_it_and_nothing_for_people(copy):
    import marshal

    asked(copy, "toolu_1")
    _, always, rest = parts(bundle(copy).read_bytes())
    modules = marshal.loads(rest)
    first = [ready[0] for ready in marshal.loads(always)]
    assert {"downshift.hot.spawn", "downshift.harnesses.claude_code"} <= set(first)
    assert {"downshift.sessions.quota", "downshift.harnesses.claude_code.transcript", "downshift.hot.end"} <= set(
        modules
    )
    people = ("downshift.commands", "downshift.cli", "downshift.schemas", "downshift.discovery", "downshift.history")
    assert [name for name in (*first, *modules) if name.startswith(people)] == []
    left = [name for name in os.listdir(bundle(copy).parent) if name.rpartition(".")[2].isdigit()]
    assert left == [], "no temporary file is left"
