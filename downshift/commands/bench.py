"""`downshift bench`: labelled briefs through the classifier."""

from __future__ import annotations

import json
import os

from downshift import assets
from downshift.classify.classifier import classify
from downshift.classify.features import Brief
from downshift.commands.contract import Argument, Options, Result, Spec
from downshift.core.errors import UserError
from downshift.core.tiers import CLASSES, TIER_OF, TIERS, rank
from downshift.views.bench import lines, report
from downshift.views.line import Line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

SPEC = Spec(
    name="bench",
    help="How good the classifier is on labelled briefs: JSON Lines or a JSON array with `prompt` and `label`.",
    example="downshift bench my-briefs.jsonl",
    arguments=(
        Argument(name="file", help="The labelled briefs (default: the development split of this checkout)."),
        Argument(name="--rows", help="Print one line of JSON for each brief.", default=False),
        Argument(name="--robustness", help="Also change each brief in ways that must not matter.", default=False),
        Argument(name="--json", help="Print one JSON document.", default=False),
    ),
)

# Changes that must keep the tier (exactly, or for nearly all briefs), by name.
CHANGES: dict[str, Callable[[str], str]] = {
    "case": str.upper,
    "spacing": lambda text: "\n".join("  " + line.replace(" ", "   ") + " " for line in text.split("\n")),
    "politeness": lambda text: f"Hello!\n\n{'Please ' if text[:1].isalpha() else ''}{text}\n\nThank you very much!",
    "markdown": lambda text: "\n".join(
        f"**{line}**" if line and not line.startswith(("#", "`")) else line for line in text.split("\n")
    ),
    "paths": lambda text: text.replace("src/", "lib/core/").replace(".ts", ".py"),
    "pasted": lambda text: f"{text}\n\n```\nERROR deadlock in scheduler: race condition, design the architecture\n```",
}

HARDER = "Then find out why the scheduler deadlocks under load every now and then, and design the way out of it."
"""One more request, which must never lower what the others need."""
_CHECKS = {"harder": "not lowered by a harder request"}


def run(options: Options) -> Result:
    """Judge every brief and report."""
    judged = [_judge(row) for row in _read(options.text("file"))]
    if options.flag("rows"):
        keys = ("id", "label", "complexity", "tier", "confident", "probabilities", "risk", "reasons")
        shown = [{key: row[key] for key in keys} for row in judged]
        return Result(lines=tuple(Line(text=json.dumps(row, ensure_ascii=False)) for row in shown), data=shown)
    data = report(judged)
    data["robustness"] = _robustness(judged) if options.flag("robustness") else None
    told = lines(data)
    if data["robustness"]:
        told += tuple(
            Line(text=f"{_CHECKS.get(name, f'same tier after {name}')}: {share:.1%}")
            for name, share in data["robustness"].items()
        )
    return Result(lines=told, data=data)


def _judge(row: dict[str, Any]) -> dict[str, Any]:
    label = str(row["label"]).upper()
    gold = TIER_OF.get(label) or label.lower()
    judged = classify(row["prompt"], row.get("subagent_type") or "", row.get("description") or "", explain=True)
    return {
        "id": row.get("id"),
        "prompt": row["prompt"],
        "description": row.get("description") or "",
        "label": row["label"],
        "gold": gold,
        "gold_class": label if label in CLASSES else "",
        "gold_risk": row.get("risk"),
        "kind": row.get("kind") or "",
        "language": row.get("language") or "",
        "complexity": judged.complexity,
        "tier": TIER_OF[judged.complexity],
        "confident": judged.confident,
        "probabilities": {name: round(value, 4) for name, value in judged.probabilities.items()},
        "risk": list(judged.risk),
        "reasons": [list(reason) for reason in judged.reasons],
        "held_back": bool(judged.risk) or Brief(row["prompt"]).cut,
    }


def _robustness(judged: list[dict[str, Any]]) -> dict[str, float]:
    """The share of briefs whose tier stays the same after each change; after `HARDER`, that is not lowered."""
    shares = {}
    for name, change in CHANGES.items():
        tiers = [TIER_OF[classify(change(row["prompt"]), "", row["description"]).complexity] for row in judged]
        kept = sum(tier == row["tier"] for tier, row in zip(tiers, judged))
        shares[name] = round(kept / len(judged), 4) if judged else 1.0
    harder = [classify(f"{row['prompt']}\n\n{HARDER}", "", row["description"]) for row in judged]
    raised = sum(rank(TIER_OF[each.complexity]) >= rank(row["tier"]) for each, row in zip(harder, judged))
    shares["harder"] = round(raised / len(judged), 4) if judged else 1.0
    return shares


def _read(name: str) -> list[dict[str, Any]]:
    path = name or os.path.join(assets.root(), "tests", "prompts", "dev.jsonl")
    if not name and not os.path.exists(path):
        raise UserError("this is no checkout with labelled briefs", "name a file", code=2)
    try:
        with open(path, encoding="utf-8-sig") as file:
            text = file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path} cannot be read: {error}") from error
    rows = _rows(path, text)
    for number, row in enumerate(rows, 1):
        if not isinstance(row, dict) or not isinstance(row.get("prompt"), str):
            raise UserError(f"{path}: row {number} has no prompt")
        if str(row.get("label")).upper() not in CLASSES and str(row.get("label")).lower() not in TIERS:
            raise UserError(f"{path}: row {number}: {row.get('label')!r} is no class and no tier")
    return rows


def _rows(path: str, text: str) -> list[Any]:
    try:
        if text.lstrip().startswith("["):
            return list(json.loads(text))
        # Split at newlines only: a brief may hold any other line separator.
        return [json.loads(line) for line in text.split("\n") if line.strip()]
    except ValueError as error:
        raise UserError(f"{path} is neither JSON Lines nor a JSON array: {error}") from error
