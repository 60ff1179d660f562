"""The wheel, installed where there is no checkout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY
from tests.support.hooks import mod_payload

SHIPPED = (
    "hooks/run.py",
    "hooks/register.ts",
    "hooks/hooks.json",
    ".claude-plugin/plugin.json",
    "skills/downshift/SKILL.md",
)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(REPOSITORY)]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "TMPDIR": str(folder)})
    assert done.returncode == 0, done.stdout + done.stderr
    return next(folder.glob("*.whl"))


def test_the_wheel_holds_the_files_for_harnesses(wheel: Path):
    names = zipfile.ZipFile(wheel).namelist()
    assert [name for name in SHIPPED if f"downshift/_assets/{name}" not in names] == []
    assert len(names) == len(set(names)), "a file stands twice in the wheel"
    assert "downshift/data/catalog.json" in names


@pytest.mark.process
def test_installed_without_its_packages_it_works_from_anywhere(wheel: Path, sandbox: Path):
    venv.create(sandbox / "env", with_pip=True)
    python = str(sandbox / "env" / "bin" / "python")
    install = [
        python,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--no-index",
        "--disable-pip-version-check",
        str(wheel),
    ]
    subprocess.run(install, check=True)
    downshift = str(sandbox / "env" / "bin" / "downshift")
    env = {"HOME": str(sandbox / "home"), "PATH": os.environ["PATH"], "DOWNSHIFT_CONTROL_SHARE": "0"}

    def run(*arguments: str, data: bytes = b"") -> str:
        done = subprocess.run([downshift, *arguments], cwd="/", env=env, input=data, capture_output=True)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode()

    assert "installed package" in run("version")
    assert "opus → haiku" in run("try", "rename the variable userId across auth.ts", "--model", "opus")
    assert "control" in run("demo")
    assert json.loads(run("hook", "claude-code", data=json.dumps(mod_payload()).encode()))["model"] == "haiku"
    runner = subprocess.run(
        [python, "-c", "from downshift import assets; print(assets.root())"], cwd="/", capture_output=True, text=True
    ).stdout.strip()
    done = subprocess.run(
        [python, "-I", "-S", f"{runner}/hooks/run.py", "hook", "claude-code"],
        cwd="/",
        env=env,
        input=b"",
        capture_output=True,
    )
    assert (done.returncode, done.stdout) == (0, b"{}")
