"""The judgement of one spawn, from what the adapter read to the decision. `try` and every hook share it."""

from __future__ import annotations

from downshift import paths
from downshift.catalog.lookup import load
from downshift.classify.classifier import classify
from downshift.core.control import DEFAULT_SHARE, in_control, share_of
from downshift.core.decision import Case, Decision, decide
from downshift.sessions.models import resolve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from downshift.core.spawn import Spawn
    from downshift.harnesses.base import Adapter
    from downshift.harnesses.readers import Readers


def case_of(spawn: Spawn, adapter: Adapter, readers: Readers) -> Case:
    """Everything that decides about this spawn but the switches that turn routing off."""
    env, facts = readers.env, adapter.CAPABILITIES
    catalog = load(facts.name)
    baseline = adapter.baseline(spawn, readers)
    current = catalog.find(baseline.model) if baseline.model else None
    return Case(
        spawn=spawn,
        baseline=baseline,
        baseline_model=current,
        classification=classify(spawn.task, spawn.agent_type),
        session=resolve(current, catalog, env, infer=facts.infer_session),
        gate_open=adapter.gate_open(spawn),
        respect_explicit=paths.flag(env, paths.RESPECT_EXPLICIT),
        effort_applies=facts.can_apply_effort and adapter.effort_applies(env),
    )


def judge(spawn: Spawn, adapter: Adapter, readers: Readers, *, key: str) -> Decision:
    """Decide about a live spawn: the case, the switches and the control draw."""
    env = readers.env
    no_route = paths.flag(env, paths.NO_ROUTE)
    case = case_of(spawn, adapter, readers)
    return decide(case.replace(no_route=no_route, control=not no_route and in_control(key, _share(env))))


def _share(env: Mapping[str, str]) -> float:
    told = paths.setting(env, paths.CONTROL_SHARE)
    return share_of(told) if told else DEFAULT_SHARE
