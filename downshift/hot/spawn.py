"""The way of a spawn through a hook: payload, spawn, decision, answer, event, live.json, one line on stderr."""

from __future__ import annotations

import os
import time

from downshift import paths
from downshift.core import events
from downshift.core.json_text import parse_object
from downshift.harnesses.base import Plan, plan_of
from downshift.harnesses.readers import Readers
from downshift.harnesses.registry import ADAPTERS, foreign_host
from downshift.hot import stdin
from downshift.hot.judge import Inquiry, judge
from downshift.hot.report import note, report_error, timestamp
from downshift.log import live, seen
from downshift.log.append import Writer
from downshift.sessions.config import load
from downshift.views.lines import rewrite_line, spawn_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from downshift.paths import State


def run(harness: str, env: Mapping[str, str], descriptor: int, say: Callable[[str], None]) -> None:
    """Answer one hook call. `say` prints the answer; whatever comes after it cannot change it."""
    adapter = ADAPTERS[harness]()
    payload = read_payload(harness, env, descriptor)
    spawn = adapter.read_spawn(payload, env) if payload else None
    if spawn is None:
        say(adapter.CAPABILITIES.neutral_answer)
        return
    state = paths.state(env)
    claim = seen.claim(state, spawn.key()) if state else seen.Claim("", first=True)
    if claim.decided is not None:
        plan, line = Plan(), ""
        # The mod may have decided first, where a changed input from this hook would get the call denied.
        if adapter.gate_open(spawn):
            plan = Plan(model=str(claim.decided.get("model", "")), effort=str(claim.decided.get("effort", "")))
            line = str(claim.decided.get("line", ""))
        say(adapter.write_answer(plan, spawn, payload, line))
        return
    settings, key = load(state, env), spawn.key() or os.urandom(16).hex()
    inquiry = Inquiry(
        spawn=spawn,
        payload=payload,
        adapter=adapter,
        readers=Readers(env),
        state=state,
        settings=settings,
        now=time.time(),
    )
    judgement = judge(inquiry, key)
    plan = plan_of(judgement.decision)
    line = "" if settings.quiet else rewrite_line(judgement.decision)
    claim.settle({"model": plan.model, "effort": plan.effort, "line": line})
    say(adapter.write_answer(plan, spawn, payload, line))
    if claim.first:
        correlation = events.correlation_of(spawn, key)
        event = events.decision(judgement.decision, now=timestamp(), correlation=correlation)
        _write_down({**event, **judgement.shadow}, state, env)
    for problem in judgement.problems:
        note(problem)


def read_payload(harness: str, env: Mapping[str, str], descriptor: int) -> dict[str, Any]:
    """The payload on stdin; empty for bad input (recorded) and for another host's (left to its own hook)."""
    given = stdin.read(descriptor)
    payload = None if given.error else parse_object(given.text)
    if payload is None:
        code = given.error or "INVALID_EVENT"
        note(f"{code}: the input was not used")
        report_error(code, harness, env)
        return {}
    host = foreign_host(payload, harness)
    if host:
        note(f"this call comes from {host} and is left to its own hook")
        return {}
    return payload


def _write_down(event: dict[str, object], state: State | None, env: Mapping[str, str]) -> None:
    if state is None:
        note("no home directory: nothing is recorded")
    else:
        try:
            with Writer(state, paths.log_limit(env)) as log:
                log.record(event)
                if log.locked:
                    live.update(state, event)
        except OSError as error:
            note(f"could not record the decision ({error.strerror or error})")
        _sweep(state)
    note(spawn_line(event))


def _sweep(state: State) -> None:
    now = time.time()
    if seen.sweep_due(state, now):
        from downshift.log.sweep import sweep

        sweep(state, now)
