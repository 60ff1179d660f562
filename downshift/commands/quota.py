"""`downshift quota`: usage windows by hand. What is imported is an observation with an end, not a promise."""

from __future__ import annotations

import json
import os
import time

from downshift import paths
from downshift.commands.contract import Argument, Options, Result, Spec
from downshift.core.clock import seconds_of
from downshift.core.errors import UserError
from downshift.discovery.store import write_json
from downshift.harnesses.registry import ADAPTERS
from downshift.sessions import quota
from downshift.state_files import MISSING, OK
from downshift.views.line import Line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SPEC = Spec(
    name="quota",
    help="Usage windows: show what is known, or import what you know.",
    example="downshift quota import usage.json --harness codex",
    arguments=(
        Argument(name="action", help="status or import.", default="status", choices=("status", "import")),
        Argument(name="file", help="With import: a JSON file with the snapshot (see docs/reference/quota.md)."),
        Argument(name="--harness", help="The harness it is about.", default="claude-code"),
        Argument(name="--json", help="Print one JSON document.", default=False),
    ),
)

_LOCK_SECONDS = 1.0


def run(options: Options) -> Result:
    """Show or import."""
    harness = options.text("harness")
    if harness not in ADAPTERS:
        raise UserError(f"unknown harness {harness!r}", f"known: {', '.join(ADAPTERS)}", code=2)
    return _import(options, harness) if options.text("action") == "import" else _status(options)


def _status(options: Options) -> Result:
    state, now = paths.state(options.env), time.time()
    file = quota.cache(state, options.env)
    told = file.data.get("harnesses")
    data = {}
    for name, entry in told.items() if isinstance(told, dict) else ():
        read = quota.read_snapshot(entry, name, "")
        windows = [{"id": window.get("id"), "used_percent": window.get("used_percent")} for window in read.windows]
        status = read.problem or ("stale" if now > read.expires_at else "fresh")
        data[name] = {"source": read.source, "status": status, "windows": windows}
    lines = [Line(text=f"{name}: {entry['source']}, {entry['status']}", tone="title") for name, entry in data.items()]
    mode = "required" if quota.required(options.env) else "used where it is known"
    if not data:
        lines.append(
            Line(text=file.problem() or "nothing is known about usage windows", tone="warn" if file.problem() else "")
        )
    lines.append(Line(text=f"evidence of quota is {mode}", tone="dim"))
    return Result(
        lines=tuple(lines),
        data={"harnesses": data, "mode": mode, "problem": file.problem()},
        code=1 if file.problem() else 0,
    )


def _import(options: Options, harness: str) -> Result:
    snapshot = _read(options.text("file"), harness)
    state = paths.state(options.env)
    path = options.env.get(paths.QUOTA_FILE) or (state.file(quota.NAME) if state else "")
    if not path:
        raise UserError("no home directory", f"set HOME, or {paths.STATE_DIR}")
    with _Lock(path + ".lock"):
        file = quota.cache(state, options.env)
        if file.status not in (OK, MISSING):
            raise UserError(f"{path}: {file.problem()}", "look at it, and move it away to start anew")
        told = file.data.get("harnesses")
        known = told if isinstance(told, dict) else {}
        older = seconds_of(known.get(harness, {}).get("observed_at")) if isinstance(known.get(harness), dict) else None
        if older is not None and older > (seconds_of(snapshot["observed_at"]) or 0):
            raise UserError("a newer observation is there already", "nothing was changed")
        write_json(path, {"version": 1, "harnesses": {**known, harness: snapshot}})
    windows = len(snapshot["windows"])
    return Result(
        lines=(Line(text=f"{harness}: {windows} windows imported"),), data={"harness": harness, "windows": windows}
    )


def _read(name: str, harness: str) -> dict[str, Any]:
    if not name:
        raise UserError("import needs a file", SPEC.example, code=2)
    try:
        with open(name, encoding="utf-8") as file:
            told = json.load(file)
    except (OSError, ValueError) as error:
        raise UserError(f"{name} cannot be read as JSON: {error}") from error
    snapshot = {"harness": harness, "source": "operator-normalized", **told} if isinstance(told, dict) else told
    read = quota.read_snapshot(snapshot, harness, "")
    if read.problem or not read.windows:
        raise UserError(f"{name} is not a usage snapshot", "docs/reference/quota.md shows the shape")
    return dict(snapshot)


class _Lock:
    """A lock directory, so that the status line, the mod and a person do not write at once. Hooks never take it."""

    def __init__(self, path: str) -> None:
        self._path = path

    def __enter__(self) -> None:
        deadline = time.monotonic() + _LOCK_SECONDS
        os.makedirs(os.path.dirname(self._path), 0o700, exist_ok=True)
        while True:
            try:
                os.mkdir(self._path, 0o700)
                return
            except FileExistsError:  # noqa: PERF203  # waiting is the point
                if time.monotonic() > deadline:
                    message = f"{self._path} is held by another process"
                    raise UserError(message, "try again; remove it if no Downshift is running") from None
                time.sleep(0.02)

    def __exit__(self, *_: object) -> None:
        os.rmdir(self._path)
