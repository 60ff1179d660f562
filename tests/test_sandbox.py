"""The guard of the sandbox works, and so does what every test stands on."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.conftest import REAL_HOME, REPOSITORY, TouchedTheRealMachine


@pytest.mark.parametrize(
    "write",
    [
        lambda: open(REPOSITORY / "made-by-a-test", "w"),
        lambda: os.open(REPOSITORY / "made-by-a-test", os.O_CREAT | os.O_WRONLY),
        lambda: (REPOSITORY / "made-by-a-test").mkdir(),
        lambda: os.rename(REPOSITORY / "README.md", REPOSITORY / "README.old"),
        lambda: os.remove(REPOSITORY / "README.md"),
        lambda: os.symlink("x", REPOSITORY / "made-by-a-test"),
    ],
    ids=["open", "os.open", "mkdir", "rename", "remove", "symlink"],
)
def test_writing_outside_the_sandbox_fails_the_test(write):
    with pytest.raises(TouchedTheRealMachine):
        write()
    assert (REPOSITORY / "README.md").exists()
    assert not (REPOSITORY / "made-by-a-test").exists()


def test_reading_the_real_home_fails_the_test():
    with pytest.raises(TouchedTheRealMachine):
        open(REAL_HOME / ".claude.json")


def test_code_under_test_cannot_swallow_the_guard():
    with pytest.raises(TouchedTheRealMachine):
        try:
            open(REPOSITORY / "made-by-a-test", "w")
        except Exception:  # noqa: BLE001
            pytest.fail("the guard was swallowed")


def test_the_home_of_a_test_is_its_own(home: Path):
    assert Path(os.path.expanduser("~")) == home
    (home / "file").write_text("mine")
    assert (home / "file").read_text() == "mine"


def test_no_variable_of_the_developer_reaches_a_test():
    assert [name for name in os.environ if name.startswith(("DOWNSHIFT_", "CLAUDE", "ANTHROPIC"))] == []
