"""The house rules that a machine can hold."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from downshift import __version__
from downshift.commands.registry import commands
from downshift.harnesses.registry import ADAPTERS
from tests.conftest import REPOSITORY
from tests.support.hooks import ROUTED, mod_payload, resolved_payload

PACKAGE = sorted((REPOSITORY / "downshift").rglob("*.py"))
FROZEN = REPOSITORY / "tests" / "hot" / "modules"


def functions(path: Path) -> list[ast.FunctionDef]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


@pytest.mark.parametrize("path", PACKAGE, ids=lambda path: str(path.relative_to(REPOSITORY)))
def test_modules_and_functions_stay_small_and_say_what_they_are(path: Path):
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 400
    assert ast.get_docstring(ast.parse(text)), "a module says what it is for"
    for function in functions(path):
        assert function.end_lineno - function.lineno < 60, function.name
        assert len(function.args.posonlyargs + function.args.args) <= 6, function.name


def test_the_median_file_and_function_are_small():
    lines = sorted(len(path.read_text().splitlines()) for path in PACKAGE)
    lengths = sorted(each.end_lineno - each.lineno + 1 for path in PACKAGE for each in functions(path))
    assert lines[len(lines) // 2] <= 110
    assert lengths[len(lengths) // 2] <= 12


def test_one_version_is_told_everywhere():
    plugin = json.loads((REPOSITORY / ".claude-plugin" / "plugin.json").read_text())
    assert plugin["version"] == __version__
    assert (
        f"## [{__version__}]" in (REPOSITORY / "CHANGELOG.md").read_text()
        or "## [Unreleased]" in (REPOSITORY / "CHANGELOG.md").read_text()
    )


def test_the_script_that_harnesses_run_only_hands_over():
    assert len((REPOSITORY / "hooks" / "run.py").read_text().splitlines()) <= 15


def test_a_harness_has_all_its_places():
    missing = [
        str(place.relative_to(REPOSITORY))
        for name in ADAPTERS
        for place in (REPOSITORY / "tests" / "payloads" / name, REPOSITORY / "docs" / "harnesses" / f"{name}.md")
        if not place.exists()
    ]
    assert missing == []


def test_a_command_is_one_module_of_its_own():
    modules = {path.stem for path in (REPOSITORY / "downshift" / "commands").glob("*.py")}
    listed = {module.__name__.rpartition(".")[2] for module in commands().values()}
    assert modules - listed == {"__init__", "contract", "registry", "execute"}


def test_no_module_is_named_like_one_of_the_standard_library():
    shadows = {path.stem for path in (REPOSITORY / "downshift").glob("*.py")} & set(sys.stdlib_module_names)
    assert shadows - {"__main__"} == set()


def imported_by(verb: str, payload: dict) -> list[str]:
    """Every module that a hook process has loaded when it is done, on this Python."""
    program = (
        "import os, sys\n"
        "sys.path.insert(0, sys.argv[1])\n"
        "def leave(status):\n    raise SystemExit(status)\n"
        "os._exit = leave\n"
        "from downshift import bundle\n"
        "bundle.install = lambda: True  # it would load what other hooks need too\n"
        "from downshift.__main__ import main\n"
        "sys.argv = ['run.py', sys.argv[2], 'claude-code']\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "sys.stderr.write('\\n' + ' '.join(sorted(sys.modules)))\n"
    )
    command = [sys.executable, "-I", "-S", "-c", program, str(REPOSITORY), verb]
    done = subprocess.run(
        command, input=json.dumps(payload).encode(), capture_output=True, env=ROUTED | {"HOME": str(Path.home())}
    )
    return done.stderr.decode().splitlines()[-1].split()


@pytest.mark.process
@pytest.mark.parametrize("verb", ["hook", "end"])
def test_what_a_hook_imports_is_frozen(verb: str):
    """What a hook imports is its cost. To change the list on purpose, edit the file this test names."""
    imported_by("hook", mod_payload(call="toolu_0"))  # so that the hourly sweep is not due
    payload = mod_payload() if verb == "hook" else resolved_payload("claude-haiku-5-5", call="toolu_0")
    imported = imported_by(verb, payload)
    ours = [name for name in imported if name.split(".")[0] == "downshift"]
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    bare = subprocess.run(
        [sys.executable, "-I", "-S", "-c", "import sys; print(*sys.modules)"], capture_output=True, text=True
    )
    library = sorted(set(imported) - set(ours) - set(bare.stdout.split()) - {"__main__"})
    path = FROZEN / f"{verb}.txt"
    frozen = json.loads(path.read_text())
    assert ours == frozen["downshift"], f"{path} says otherwise"
    assert library == frozen["library"].get(version, library), f"{path} says otherwise"
    assert version in frozen["library"] or version not in ("3.10", "3.11", "3.12", "3.13")


def test_nothing_of_this_machine_is_in_the_tree():
    tracked = subprocess.run(
        ["git", "ls-files"], cwd=REPOSITORY, capture_output=True, text=True, check=False
    ).stdout.split("\n")
    pattern = re.compile("|".join(re.escape(str(place)) for place in (REPOSITORY, Path(sys.prefix))))
    found = []
    for name in filter(None, tracked):
        try:
            text = (REPOSITORY / name).read_text(encoding="utf-8")
        except (UnicodeDecodeError, FileNotFoundError):
            continue
        if pattern.search(text):
            found.append(name)
    assert found == []


def test_a_registered_hook_can_neither_fail_nor_hang_a_session():
    hooks = json.loads((REPOSITORY / "hooks" / "hooks.json").read_text())["hooks"]
    handlers = [handler for groups in hooks.values() for group in groups for handler in group["hooks"]]
    assert len(handlers) == 6
    for handler in handlers:
        assert handler["command"].endswith("|| exit 0")
        assert handler["timeout"] <= 10
