"""discovered.json: what was found, when and where. A failing source leaves the old entry as it is."""

from __future__ import annotations

import json
import os

from downshift import paths
from downshift.core.errors import UserError
from downshift.state_files import MISSING, OK, read_object

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from downshift.discovery.rank import Ranked
    from downshift.discovery.sources import Source
    from downshift.paths import State

NAME = "discovered.json"


def path_of(state: State, env: Mapping[str, str]) -> str:
    """Where the discovered lists are kept."""
    return env.get(paths.DISCOVERED) or state.file(NAME)


def write_entry(path: str, harness: str, source: Source, ranked: Ranked, now: str) -> None:
    """Put one harness's list into the file; the others stay. A damaged file is not overwritten."""
    file = read_object(path)
    if file.status not in (OK, MISSING):
        raise UserError(f"{path}: {file.problem()}", "look at it, and move it away to start anew")
    harnesses = file.data.get("harnesses")
    entry = {
        "source": source.name,
        "fetched_at": now,
        "models": [{"id": each.id, "display": each.display, "created_at": each.created} for each in source.models],
        "ordered": list(ranked.ordered),
        "unranked": list(ranked.unranked),
        "superseded": list(ranked.superseded),
    }
    kept = harnesses if isinstance(harnesses, dict) else {}
    write_json(path, {"version": 1, "harnesses": {**kept, harness: entry}})


def write_json(path: str, value: dict[str, Any]) -> None:
    """Write a file of ours whole or not at all, readable by its owner only."""
    folder = os.path.dirname(path)
    temporary = f"{path}.{os.getpid()}"
    try:
        os.makedirs(folder, 0o700, exist_ok=True)
        handle = os.open(temporary, os.O_CREAT | os.O_TRUNC | os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0), 0o600)
        with open(handle, "w", encoding="utf-8") as file:
            file.write(json.dumps(value, indent=1) + "\n")
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as error:
        raise UserError(f"{path} cannot be written: {error.strerror}") from error
