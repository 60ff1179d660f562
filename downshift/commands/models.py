"""`downshift models`: the catalog in force, what each harness says it has, and public scores."""

from __future__ import annotations

import time

from downshift import paths
from downshift.catalog.lookup import Catalog, load
from downshift.commands.contract import Argument, Options, Result, Spec
from downshift.core.errors import UserError
from downshift.discovery.rank import rank_source
from downshift.discovery.sources import SOURCES
from downshift.discovery.store import path_of, write_entry
from downshift.harnesses.registry import ADAPTERS
from downshift.sessions import scores
from downshift.views.line import Line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from downshift.core.spawn import Model

SPEC = Spec(
    name="models",
    help="The models of a harness: the catalog in force, what the harness itself lists, public scores.",
    example="downshift models list --harness codex",
    arguments=(
        Argument(
            name="action",
            help="list: the catalog in force. discover: ask the harness and keep its list. scores: public scores.",
            default="list",
            choices=("list", "discover", "scores"),
        ),
        Argument(name="--harness", help="One harness (default for list: all; for the others: claude-code)."),
        Argument(name="--status", help="With scores: say which models have one.", default=False),
        Argument(name="--json", help="Print one JSON document.", default=False),
    ),
)


def run(options: Options) -> Result:
    """One of the three."""
    harness = options.text("harness")
    if harness and harness not in ADAPTERS:
        raise UserError(f"unknown harness {harness!r}", f"known: {', '.join(ADAPTERS)}", code=2)
    action = {"list": _list, "discover": _discover, "scores": _scores}[options.text("action")]
    return action(options, harness)


def _catalog(options: Options, harness: str) -> Catalog:
    catalog = load(harness, paths.state(options.env))
    if catalog.problem:
        raise UserError(catalog.problem, "mend or remove catalog.json in the state directory")
    return catalog


def _list(options: Options, harness: str) -> Result:
    data = {
        name: [_row(model) for model in _catalog(options, name).models()]
        for name in ([harness] if harness else ADAPTERS)
    }
    lines: list[Line] = []
    for name, rows in data.items():
        lines.append(Line(text=name, tone="title"))
        lines += [Line(text=_told(row)) for row in rows] or [Line(text="  no model is known", tone="dim")]
    return Result(lines=tuple(lines), data=data)


def _row(model: Model) -> dict[str, object]:
    prices = model.prices or (None, None)
    return {
        "id": model.id,
        "tier": model.tier,
        "wire": model.wire or model.id,
        "input_per_million": prices[0],
        "output_per_million": prices[1],
        "explicit_only": model.explicit_only,
        "efforts": list(model.efforts),
    }


def _told(row: dict[str, object]) -> str:
    only = " · only for explicit use" if row["explicit_only"] else ""
    unpriced = "" if row["output_per_million"] is not None else " · no price known"
    return f"  {row['tier']:<9}{row['id']}{only}{unpriced}"


def _discover(options: Options, harness: str) -> Result:
    harness = harness or "claude-code"
    state = paths.state(options.env)
    if state is None:
        raise UserError("no home directory", f"set HOME, or {paths.STATE_DIR}")
    source = SOURCES[harness](options.env)
    ranked = rank_source(source, _catalog(options, harness))
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    path = path_of(state, options.env)
    write_entry(path, harness, source, ranked, now)
    lines = [Line(text=f"{harness}: {len(source.models)} models from {source.name}, kept in {path}", tone="title")]
    lines += [Line(text=f"  {raw}") for raw in ranked.ordered]
    lines += [Line(text=f"  {raw}: no tier is known, not used", tone="dim") for raw in ranked.unranked]
    lines += [Line(text=f"  {raw}: a newer one of its family is listed", tone="dim") for raw in ranked.superseded]
    data = {
        "harness": harness,
        "source": source.name,
        "fetched_at": now,
        "ordered": list(ranked.ordered),
        "unranked": list(ranked.unranked),
        "superseded": list(ranked.superseded),
    }
    return Result(lines=tuple(lines), data=data)


def _scores(options: Options, harness: str) -> Result:
    harness = harness or "claude-code"
    known = scores.load(harness, paths.state(options.env), options.env)
    models = _catalog(options, harness).models()
    rows = [{"id": model.id, "score": known.by_id.get(model.id)} for model in models]
    routing = "applied" if paths.flag(options.env, paths.SCORE_ROUTING) else "recorded only"
    lines = [
        Line(
            text=f"{harness}: {len(known.by_id)} of {len(models)} models have a score; picks are {routing}",
            tone="title",
        )
    ]
    lines += [Line(text=f"  {row['id']}: {'no score' if row['score'] is None else row['score']}") for row in rows]
    if known.problem:
        lines.append(Line(text=f"  {known.problem}", tone="warn"))
    return Result(
        lines=tuple(lines), data={"harness": harness, "routing": routing, "models": rows, "problem": known.problem}
    )
