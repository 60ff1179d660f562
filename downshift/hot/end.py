"""What happened to a child: how it started or ended, what it used, linked to the decision that was made about it.

The way of an end: payload, ends, what is known of the child, records, answer.
"""

from __future__ import annotations

from downshift import paths
from downshift.catalog.lookup import load
from downshift.catalog.shelf import Shelf
from downshift.core import events
from downshift.core.json_text import render
from downshift.core.suspect import is_suspect
from downshift.core.tokens import Tokens
from downshift.harnesses.readers import Readers
from downshift.harnesses.registry import ADAPTERS
from downshift.hot.report import note, timestamp
from downshift.hot.spawn import read_payload
from downshift.log.append import Writer
from downshift.log.child import Child, known, lines_of
from downshift.log.link import honored
from downshift.log.linked import Linked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from downshift.catalog.lookup import Catalog
    from downshift.harnesses.base import Adapter, ChildEnd
    from downshift.paths import State


def run(harness: str, event: str, env: Mapping[str, str], descriptor: int, say: Callable[[str], None]) -> None:
    """Record what one event says about children. The answer changes nothing, and may hold a line for the person."""
    adapter = ADAPTERS[harness]()
    payload = read_payload(harness, env, descriptor)
    readers, state = Readers(env), paths.state(env)
    ends = adapter.read_ends(payload, event, readers) if payload and state else ()
    line = ""
    if state and ends:
        lines, catalog = lines_of(state, ends[0]), load(harness, state)  # one event speaks of one session
        known_children = [(end, child) for end in ends for child in [known(lines, end)] if child is not None]
        records = [
            {**record, **_verdict(child, record, catalog)}
            for end, child in known_children
            for record in _records(end, child, adapter, readers)
        ]
        _write_down(records, state, env)
        if known_children and adapter.CAPABILITIES.can_show_child_line and payload.get("entry") == "mod":
            line = _line(known_children[0][1], records, state, env)
    say(render({"line": line}) if line else adapter.CAPABILITIES.neutral_answer)


def _records(end: ChildEnd, child: Child, adapter: Adapter, readers: Readers) -> list[dict[str, object]]:
    """What an end adds to what is known of its child."""
    now = timestamp()
    records = _start(end, child, now)
    if end.status not in ("", "launched"):
        records += _end(adapter.read_usage(end, readers), child, now)
    return records


def _about(outcome: str, end: ChildEnd, child: Child, now: str) -> dict[str, object]:
    base = events.observation(outcome, child.decision, now=now, entry=end.spawn.entry, agent_id=end.agent_id)
    return base if base["agent_hash"] else {**base, "agent_hash": child.agent_hash}


def _start(end: ChildEnd, child: Child, now: str) -> list[dict[str, object]]:
    """What is new about the child's start."""
    records = []
    if end.resolved_model and not child.resolved:
        records.append(events.resolved(_about("resolved", end, child, now), ran_on=end.resolved_model))
    if end.status == "launched" and not child.launched:
        records.append(events.child_ended(_about("child_ended", end, child, now), run=1, status=end.status))
    return records


def _end(end: ChildEnd, child: Child, now: str) -> list[dict[str, object]]:
    """What is new about the child's end, and what it used since it last ended."""
    spent = _new_tokens(end, child)
    told = child.already_ended(end, spent, now)
    # A run whose end was told before its last words were written is paid for by the next event about it.
    run = child.unpaid if told else child.runs + 1
    records = []
    if run and end.usage is not None and spent is not None:
        base = _about("usage", end, child, now)
        record = events.usage(base, run=run, model=end.usage.model, tokens=spent)
        marks = {"partial": end.usage.partial, "mixed_models": end.usage.mixed, "main_tokens": end.usage.main_tokens}
        records.append({**record, **{name: mark for name, mark in marks.items() if mark}})
    if not told:
        base = _about("child_ended", end, child, now)
        suspect = end.status == "completed" and is_suspect(end.last_text, end.tool_calls)
        record = events.child_ended(base, run=run, status=end.status, error_kind=end.error_kind)
        records.append({**record, "suspect": True} if suspect else record)
    return records


def _new_tokens(end: ChildEnd, child: Child) -> Tokens | None:
    """What this run used; None when nobody says."""
    if end.usage is None:
        return None
    return end.usage.tokens.beyond(child.spent) if end.usage.cumulative else end.usage.tokens


def _verdict(child: Child, record: Mapping[str, Any], catalog: Catalog) -> dict[str, object]:
    """For a switched spawn, where a record names a model: what was written, and whether the child ran on it."""
    if "final_model" not in record or child.decision.get("outcome") != "rewrite_emitted":
        return {}
    told: dict[str, object] = {"requested_model": child.decision.get("final_model")}
    verdict = honored(child.decision, str(record["final_model"]), catalog)
    return told if verdict is None else {**told, "rewrite_honored": verdict}


def _line(child: Child, records: list[dict[str, object]], state: State, env: Mapping[str, str]) -> str:
    """What the person is told of a finished child; nothing when they want quiet or nothing was used."""
    from downshift.sessions.config import load as settings
    from downshift.views.lines import end_line
    from downshift.views.tokens import label

    entry = Linked(child.decision)
    for record in records:
        entry.take(record)
    if entry.tokens is None or settings(state, env).quiet:
        return ""
    return end_line(entry.ran_on, label(entry, Shelf(state), parts=True))


def _write_down(records: list[dict[str, object]], state: State, env: Mapping[str, str]) -> None:
    if not records:
        return
    try:
        with Writer(state, paths.log_limit(env)) as log:
            for record in records:
                log.record(record)
    except OSError as error:
        note(f"could not record what became of a child ({error.strerror or error})")
