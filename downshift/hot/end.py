"""What happened to a child: the model it was started on, linked to the decision that was made about it."""

from __future__ import annotations

from downshift import paths
from downshift.catalog.lookup import load
from downshift.core import events
from downshift.harnesses.registry import ADAPTERS
from downshift.hot.report import note, timestamp
from downshift.hot.spawn import read_payload
from downshift.log.append import Writer
from downshift.log.link import honored
from downshift.log.read import decisions, events_of, tail

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def run(harness: str, event: str, env: Mapping[str, str], descriptor: int, say: Callable[[str], None]) -> None:
    """Record one observation. The answer is always neutral."""
    adapter = ADAPTERS[harness]()
    payload = read_payload(harness, env, descriptor)
    say(adapter.CAPABILITIES.neutral_answer)
    ended = adapter.read_end(payload, event) if payload else None
    state = paths.state(env)
    if ended is None or state is None or not ended.spawn.key():
        return
    now = timestamp()
    observed = events.resolved(ended.spawn, now=now, agent_id=ended.agent_id, ran_on=ended.resolved_model)
    linked = str(observed["linked_decision"])
    known = decisions(events_of(tail(state.session_log(str(observed["session_id"])))))
    decision = next((each for each in reversed(known) if each.get("correlation_id") == linked), None)
    if decision is None:
        return
    if decision.get("outcome") == "rewrite_emitted":
        observed["requested_model"] = decision.get("final_model")
        verdict = honored(decision, str(observed["final_model"]), load(harness, state))
        if verdict is not None:
            observed["rewrite_honored"] = verdict
    try:
        with Writer(state, paths.log_limit(env)) as log:
            log.record(observed)
    except OSError as error:
        note(f"could not record what the child ran on ({error.strerror or error})")
