"""The judgement of one spawn, from what the adapter read to the decision. `try` and every hook share it."""

from __future__ import annotations

import os

from downshift import paths
from downshift.catalog.lookup import load
from downshift.classify.classifier import classify
from downshift.core.control import in_control
from downshift.core.decision import Case, Decision, decide
from downshift.core.hashing import hash_id
from downshift.core.record import Record
from downshift.core.spawn import Session
from downshift.core.verdicts import DOWNSHIFT
from downshift.sessions import credit
from downshift.sessions.config import Settings
from downshift.sessions.models import Asked, resolve
from downshift.sessions.pause import is_paused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from downshift.core.spawn import Spawn
    from downshift.harnesses.base import Adapter
    from downshift.harnesses.readers import Readers
    from downshift.paths import State
    from downshift.sessions.quota import Snapshot


class Inquiry(Record):
    """One spawn, and everything that its judgement may look at."""

    spawn: Spawn
    payload: Mapping[str, Any]
    adapter: Adapter
    readers: Readers
    state: State | None
    settings: Settings
    now: float
    """Seconds since the epoch."""
    explain: bool = False
    """Whether the reasons are wanted; a hook has nobody to tell them to."""


class Judgement(Record):
    """The decision, what the score path would have picked, and what was wrong with the files it looked at."""

    decision: Decision
    shadow: Mapping[str, object] = {}
    """The score_* fields of the record; empty where the path abstains."""
    problems: tuple[str, ...] = ()


def judge(inquiry: Inquiry, key: str) -> Judgement:
    """Decide about a live spawn: the case, the switches and the control draw."""
    no_route = paths.flag(inquiry.readers.env, paths.NO_ROUTE)
    paused = is_paused(inquiry.state, inquiry.spawn.session_id)
    control = not no_route and not paused and in_control(key, inquiry.settings.control_share)
    case, problems = case_of(inquiry)
    return conclude(case.replace(no_route=no_route, paused=paused, control=control), inquiry, problems)


def case_of(inquiry: Inquiry) -> tuple[Case, tuple[str, ...]]:
    """Everything that decides about this spawn but the switches that turn routing off; and what could not be read."""
    spawn, readers, settings = inquiry.spawn, inquiry.readers, inquiry.settings
    facts = inquiry.adapter.CAPABILITIES
    catalog = load(facts.name, inquiry.state)
    baseline = inquiry.adapter.baseline(spawn, readers)
    if baseline.effort and not spawn.effort:
        spawn = spawn.replace(effort=baseline.effort)
    current = catalog.find(baseline.model) if baseline.model else None
    asked = Asked(
        spawn=spawn,
        payload=inquiry.payload,
        current=current,
        catalog=catalog,
        env=readers.env,
        state=inquiry.state,
        now=inquiry.now,
        infer=facts.infer_session,
        strict=facts.strict_model_names,
    )
    session, problem = resolve(asked)
    session, quota_problem = _limited(session, inquiry)
    case = Case(
        spawn=spawn,
        baseline=baseline,
        baseline_model=current,
        classification=classify(spawn.task, spawn.agent_type, spawn.title, explain=inquiry.explain),
        session=session,
        can_rewrite=facts.can_rewrite_model,
        gate_open=inquiry.adapter.gate_open(spawn),
        respect_explicit=settings.respect_explicit,
        tier_floor=settings.floor(spawn.agent_type),
        pinned=settings.pins(spawn.agent_type, spawn.cwd),
        effort_applies=facts.can_apply_effort and inquiry.adapter.effort_applies(readers.env),
        effort_alone=facts.effort_alone,
    )
    return case, tuple(each for each in (catalog.problem, settings.problem, problem, quota_problem) if each)


def conclude(case: Case, inquiry: Inquiry, problems: tuple[str, ...]) -> Judgement:
    """The decision about a case, after a look at how the last children like it ended and at the score path."""
    decision = decide(case)
    if decision.target and decision.verdict == DOWNSHIFT and _failing(decision, inquiry):
        decision = decide(case.replace(after_failure=True))
    if inquiry.state is None or not os.path.exists(inquiry.state.file("scores.json")):
        return Judgement(decision=decision, problems=problems)
    from downshift.hot.score_path import follow

    decision, shadow, problem = follow(decision, inquiry.state, inquiry.readers.env)
    return Judgement(decision=decision, shadow=shadow, problems=(*problems, problem) if problem else problems)


def _limited(session: Session, inquiry: Inquiry) -> tuple[Session, str]:
    """The session with the ids that quota and credit refuse."""
    refused = dict.fromkeys(credit.refused(session.models, inquiry.payload), "credit")
    env, state, facts = inquiry.readers.env, inquiry.state, inquiry.adapter.CAPABILITIES
    cached = env.get(paths.QUOTA_FILE) or (state and os.path.lexists(state.file("quota.json")))
    told = "usage_quota" in inquiry.payload or facts.usage_in_rollout
    if not (cached or told or env.get(paths.QUOTA_MODE)):
        return session.replace(refused=refused), ""
    from downshift.sessions import quota

    snapshot = _in_rollout(inquiry) or quota.snapshot_of(facts.name, inquiry.payload, state, env)
    gate = quota.gate(session.models, snapshot, required=quota.required(env), now=inquiry.now)
    refused = {**dict.fromkeys(gate.refused, "quota"), **refused}
    return session.replace(refused=refused, quota_status=gate.status, quota_source=gate.source), gate.problem


def _in_rollout(inquiry: Inquiry) -> Snapshot | None:
    """The windows in the caller's own transcript, where the harness keeps them; the payload's word comes first."""
    path = inquiry.spawn.transcript_path
    if not inquiry.adapter.CAPABILITIES.usage_in_rollout or not path or "usage_quota" in inquiry.payload:
        return None
    from downshift.sessions.rollout_quota import TAIL, snapshot_in

    tail = inquiry.readers.tail(path, TAIL)
    snapshot = snapshot_in(tail)
    return snapshot if snapshot.present else None


def _failing(decision: Decision, inquiry: Inquiry) -> bool:
    spawn, target = inquiry.spawn, decision.target
    if inquiry.state is None or target is None or not spawn.session_id:
        return False
    from downshift.log.failures import last_ended_badly

    kind = hash_id(spawn.agent_type)[:16]
    return last_ended_badly(inquiry.state, hash_id(spawn.session_id), kind, target.id, inquiry.now)
