"""Every test runs in a sandbox: a home of its own, a clean environment, and a guard on the file system.

The guard is an audit hook, so it sees every way Python has to touch a file. A
test that writes outside its sandbox, or reads the real home, fails at once.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, configuration, settings

# Hypothesis keeps notes of its own; they go where nothing of the project or the developer is.
SCRATCH = Path(tempfile.mkdtemp(prefix="downshift-hypothesis-")).resolve()
configuration.set_hypothesis_home_dir(SCRATCH)
# No deadline: the machines that run tests are shared.
settings.register_profile(
    "downshift", database=None, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
settings.load_profile("downshift")

REPOSITORY = Path(__file__).resolve().parent.parent
REAL_HOME = Path(os.path.expanduser("~")).resolve()
HARNESSES = Path(os.environ.get("DOWNSHIFT_HARNESSES") or REAL_HOME / ".cache" / "downshift-harnesses")
KEPT_VARIABLES = ("PATH", "LANG", "LC_ALL", "TERM", "SYSTEMROOT", "PYTEST_XDIST_WORKER", "PYTEST_CURRENT_TEST", "CI")

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_CHANGES = {
    "os.mkdir": (0,), "os.rename": (0, 1), "os.remove": (0,), "os.rmdir": (0,), "os.symlink": (1,), "os.link": (1,),
    "os.truncate": (0,), "os.chmod": (0,), "os.chown": (0,), "os.utime": (0,), "os.mkfifo": (0,),
}  # fmt: skip


class TouchedTheRealMachine(BaseException):
    """Not an Exception, so that no `except Exception` in the code under test can swallow it."""


class _Guard:
    def __init__(self) -> None:
        self.sandbox: Path | None = None
        self.readable = tuple(
            str(Path(path).resolve())
            for path in (sys.prefix, sys.base_prefix, REPOSITORY, HARNESSES, *sys.path)
            if path
        )

    def __call__(self, event: str, arguments: tuple[object, ...]) -> None:
        if self.sandbox is None:
            return
        if event == "open":
            path, _, flags = arguments
            self._check(path, writing=isinstance(flags, int) and bool(flags & _WRITING))
        elif event in _CHANGES:
            for place in _CHANGES[event]:
                self._check(arguments[place], writing=True)

    def _check(self, given: object, *, writing: bool) -> None:
        if isinstance(given, int) or given is None:
            return
        try:
            path = os.path.abspath(os.fsdecode(given))  # type: ignore[arg-type]
        except (TypeError, ValueError):
            return
        if any(_below(path, str(root)) for root in (self.sandbox, SCRATCH, "/dev", "/proc")):
            return
        if writing and "__pycache__" not in path:
            raise TouchedTheRealMachine(f"a test writes outside its sandbox: {path}")
        if _below(path, str(REAL_HOME)) and not any(_below(path, root) for root in self.readable):
            raise TouchedTheRealMachine(f"a test reads the real home: {path}")


def _below(path: str, root: str) -> bool:
    return path == root or path.startswith(root.rstrip(os.sep) + os.sep)


GUARD = _Guard()
sys.addaudithook(GUARD)


@pytest.fixture(autouse=True)
def sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A home, a temporary directory and an environment that belong to this test alone."""
    home = tmp_path / "home"
    home.mkdir()
    (tmp_path / "tmp").mkdir()
    for name in list(os.environ):
        if name not in KEPT_VARIABLES:
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.chdir(tmp_path)
    GUARD.sandbox = tmp_path
    yield tmp_path
    GUARD.sandbox = None


@pytest.fixture
def home(sandbox: Path) -> Path:
    """The sandbox's home directory."""
    return sandbox / "home"


@pytest.fixture(scope="session", autouse=True)
def scratch_goes_away():
    yield
    shutil.rmtree(SCRATCH, ignore_errors=True)


@pytest.fixture(scope="session", autouse=True)
def real_home_is_untouched():
    """Child processes have no guard of ours in them; what they could have touched is looked at in the end."""
    watched = [REAL_HOME / name for name in (".downshift", ".claude", ".claude.json")]
    before = [path.stat().st_mtime_ns if path.exists() else None for path in watched]
    yield
    after = [path.stat().st_mtime_ns if path.exists() else None for path in watched]
    assert before == after, "a process started by a test touched the real home"
