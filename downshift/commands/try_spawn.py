"""`downshift try`: what would happen to one spawn, and why. Judges exactly as the hook does, and changes nothing."""

from __future__ import annotations

import time

from downshift import paths
from downshift.catalog.lookup import load as load_catalog
from downshift.commands.contract import Argument, Options, Result, Spec
from downshift.core import events
from downshift.core.errors import UserError
from downshift.core.guardrails import most_specific
from downshift.core.spawn import Spawn
from downshift.core.spawn_state import state_of
from downshift.harnesses.readers import Readers
from downshift.harnesses.registry import ADAPTERS
from downshift.hot.judge import Inquiry, Judgement, case_of, conclude
from downshift.sessions import config
from downshift.views.line import Line
from downshift.views.lines import short
from downshift.views.reasons import explain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from downshift.catalog.lookup import Catalog
    from downshift.core.decision import Decision

SPEC = Spec(
    name="try",
    help="What would happen to a spawn with this brief, and why.",
    example='downshift try "rename the variable userId across auth.ts" --model opus',
    arguments=(
        Argument(name="task", help="The brief, as a parent agent would write it.", required=True),
        Argument(name="--harness", help="The harness that would start it.", default="claude-code"),
        Argument(name="--model", help="The model the session runs on (default: what your settings say)."),
        Argument(name="--agent", help="The type of the agent (default: the one that names no model)."),
        Argument(name="--explain", help="Show what decided.", default=False),
        Argument(name="--json", help="Print one JSON document.", default=False),
    ),
)

_NO_TYPE = {"claude-code": "general-purpose"}


def run(options: Options) -> Result:
    """Judge the brief in default permission mode, without a control draw."""
    judgement = _judge(options)
    decision = judgement.decision
    event = events.decision(decision, now="", correlation="")
    lines = [*_lines(decision, event, explained=options.flag("explain"))]
    lines += [Line(text=f"  {problem}", tone="warn") for problem in judgement.problems]
    return Result(lines=tuple(lines), data=_data(decision, event))


def _judge(options: Options) -> Judgement:
    harness, task, model = options.text("harness"), options.text("task"), options.text("model")
    if harness not in ADAPTERS:
        raise UserError(f"unknown harness {harness!r}", f"known: {', '.join(ADAPTERS)}", code=2)
    if not task.strip():
        raise UserError("the brief is empty", SPEC.example, code=2)
    state = paths.state(options.env)
    # With a model the mod entry is played, which is told the parent's model; without one, what a hook would find.
    spawn = Spawn(
        harness=harness,
        entry="mod" if model else "hook",
        task=task,
        agent_type=options.text("agent") or _NO_TYPE.get(harness, ""),
        parent_model=_full_id(load_catalog(harness, state), model),
        permission_mode="default",
        cwd=options.cwd,
    )
    inquiry = Inquiry(
        spawn=spawn,
        payload={},
        adapter=ADAPTERS[harness](),
        readers=Readers(options.env),
        state=state,
        settings=config.load(state, options.env),
        now=time.time(),
        explain=True,
    )
    case, problems = case_of(inquiry)
    if model and load_catalog(harness, state).find(model) is None:
        unknown = f"{model} is not in the catalog of {harness}: see `downshift models list --harness {harness}`"
        problems = (*problems, unknown)
    return conclude(case, inquiry, problems)


def _full_id(catalog: Catalog, model: str) -> str:
    """The id a harness would report for this model; what is not known stays as it is."""
    known = catalog.owned(model) if model else None
    return known.id if known else model


def _data(decision: Decision, event: dict[str, object]) -> dict[str, object]:
    case, target, would_be = decision.case, decision.target, decision.would_be
    return {
        "complexity": case.classification.complexity,
        "confident": case.classification.confident,
        "probabilities": event["probabilities"],
        "risk": list(case.classification.risk),
        "tier": decision.tier,
        "effort": decision.effort,
        "baseline": case.baseline_model.id if case.baseline_model else case.baseline.model or None,
        "baseline_kind": case.baseline.kind,
        "verdict": decision.verdict,
        "safe_verdict": decision.safe_verdict,
        "corrections": list(decision.corrections),
        "reason_codes": list(decision.reason_codes),
        "rewrite": target is not None,
        "target": target.short() if target else None,
        "would_be": would_be.short() if would_be else None,
        "state": state_of(event),
        "explain": [{"feature": feature, "weight": weight} for feature, weight in case.classification.reasons],
    }


def _lines(decision: Decision, event: dict[str, object], *, explained: bool) -> list[Line]:
    classification = decision.case.classification
    sure = "confident" if classification.confident else "not confident"
    lines = [Line(text=f"{classification.complexity} · {sure} · needs the {decision.tier} tier", tone="title")]
    lines.append(_outcome(decision, short(event["requested_model"])))
    hold = most_specific(decision.reason_codes)
    if hold:
        lines.append(Line(text=f"  {hold}: {explain(hold)}", tone="warn"))
    elif "AGENT_PINS_MODEL" in decision.reason_codes:
        lines.append(Line(text=f"  {explain('AGENT_PINS_MODEL')}"))
    if explained:
        lines += _explained(decision)
    return lines


def _outcome(decision: Decision, current: str) -> Line:
    target, would_be = decision.target, decision.would_be
    if target:
        effort = f", effort {decision.effort}" if decision.effort else ""
        cheaper = {
            "DOWNSHIFT": "its tokens would run on a cheaper model than requested",
            "UPSHIFT": "its tokens would run on a stronger model than requested",
        }.get(decision.verdict, "nobody knows what it would have run on")
        return Line(text=f"→ {decision.tier}: {current} → {target.short()}{effort} · {cheaper}", tone="good")
    if would_be:
        return Line(text=f"→ {decision.tier}: would be {would_be.short()} (not applied, tokens stay on {current})")
    return Line(text=f"→ nothing to change (tokens stay on {current})")


def _explained(decision: Decision) -> list[Line]:
    classification = decision.case.classification
    odds = " · ".join(f"{name} {value:.0%}" for name, value in classification.probabilities.items())
    lines = [Line(text=""), Line(text=f"  {odds}")]
    if classification.risk:
        lines.append(Line(text=f"  touches: {', '.join(classification.risk)}", tone="warn"))
    lines += [Line(text=f"  {weight:+.1f}  {feature}") for feature, weight in classification.reasons]
    if not classification.reasons:
        lines.append(Line(text="  nothing in the brief says how hard it is", tone="dim"))
    lines.append(Line(text=f"  baseline: {decision.case.baseline.model or 'unknown'} ({decision.case.baseline.kind})"))
    lines += [Line(text=f"  {code}: {explain(code)}", tone="dim") for code in decision.reason_codes]
    return lines
