"""Running a command for a front end: errors become sentences and exit statuses here, and only here."""

from __future__ import annotations

import json
import os
import sys
import traceback

from downshift import assets, paths
from downshift.commands.contract import Options
from downshift.commands.registry import commands
from downshift.core import regular
from downshift.core.errors import UserError
from downshift.views.line import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from downshift.commands.contract import Result
    from downshift.views.line import Line

BUG = 3
_CLEAR = "\x1b[H\x1b[J"
"""To the upper left corner, and nothing below it."""
INTERRUPTED = 130
# What lies at a path of ours may be a link to something precious, or a pipe.
_WRITE = os.O_CREAT | os.O_TRUNC | os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


class _UnprintedError(Exception):
    """The result was there and its reader was not."""


def execute(name: str, values: Mapping[str, str | bool], show: Callable[[tuple[Line, ...]], None]) -> int:
    """Run one command and print its result; `show` draws lines. The exit status."""
    try:
        _remember()
        result = commands()[name].run(Options(values=values, env=os.environ, cwd=_cwd()))
        _print(result, show, as_json=result.data_only or bool(values.get("json")))
    except UserError as error:
        print(f"downshift {name}: {error.message}", file=sys.stderr)
        if error.hint:
            print(f"  {error.hint}", file=sys.stderr)
        return error.code
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader left early (`| head`): nothing of ours went wrong. Python must not complain at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except _UnprintedError as error:
        print(f"downshift {name}: the output could not be written ({error})", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Exception:  # noqa: BLE001  # the boundary: a bug becomes a report and a status
        print(f"downshift {name}: this is a bug in Downshift. Details: {_report()}", file=sys.stderr)
        return BUG
    return result.code


def _print(result: Result, show: Callable[[tuple[Line, ...]], None], *, as_json: bool) -> None:
    if sys.stdout is None:  # closed by the caller, who wants the status only
        return
    try:
        if as_json:
            print(json.dumps(result.data, indent=2, ensure_ascii=False))
        else:
            _show(result.lines, show)
            for lines in result.frames if sys.stdout.isatty() else ():
                sys.stdout.write(_CLEAR)
                _show(lines, show)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _UnprintedError(error.strerror or str(error)) from error


def _show(lines: tuple[Line, ...], show: Callable[[tuple[Line, ...]], None]) -> None:
    show(tuple(line.replace(text=printable(line.text)) for line in lines))
    sys.stdout.flush()


def _remember() -> None:
    """Keep where Python and the launcher are, for hooks and sibling mods; only once there is a state directory."""
    state = paths.state(os.environ)
    launcher = os.path.join(assets.root(), "bin", "downshift")
    if state is None or not os.path.isdir(state.root):
        return
    places = {"python": os.path.realpath(sys.executable), "launcher": launcher if os.path.exists(launcher) else ""}
    for name, place in places.items():
        try:
            if place and _first_line(state.file(name)) != place:
                with open(os.open(state.file(name), _WRITE, 0o600), "w", encoding="utf-8") as file:
                    file.write(place + "\n")
        except OSError:  # noqa: PERF203  # two files
            continue


def _first_line(path: str) -> str:
    return regular.read(path, 0, 4096).decode("utf-8", "replace").partition("\n")[0]


def _cwd() -> str:
    try:
        return os.getcwd()
    except OSError:  # removed under us
        return ""


def _report() -> str:
    """Write the traceback where the user can find it; the path, or the traceback itself when nothing can be written."""
    text = traceback.format_exc()
    state = paths.state(os.environ)
    if state is None:
        return text
    path = state.file("bug.txt")
    try:
        os.makedirs(state.root, 0o700, exist_ok=True)
        with open(os.open(path, _WRITE, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
    except OSError:
        return text
    return path
