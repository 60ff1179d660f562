"""What labelled briefs say about the classifier: accuracy, the errors that matter, and how often it is sure. Pure."""

from __future__ import annotations

from downshift.core.tiers import CLASSES, TIER_OF, TIERS
from downshift.views.line import Line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

_COVERAGES = (20, 30, 40, 50, 60, 70, 80)
_Z = 1.959963984540054


def report(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The document of `bench --json`, from judged rows (see `commands/bench.py`)."""
    return {
        "n": len(rows),
        "tier_accuracy": interval(sum(row["tier"] == row["gold"] for row in rows), len(rows)),
        "class_accuracy": _class_accuracy(rows),
        "confusion": {gold: _seen([row for row in rows if row["gold"] == gold]) for gold in TIERS},
        "frontier_to_small_confident": sum(row["gold"] == "frontier" and _sure(row, "small") for row in rows),
        "frontier_to_mid": _share(rows, "frontier", "mid"),
        "small_to_mid": _share(rows, "small", "mid"),
        "small_to_frontier": _share(rows, "small", "frontier"),
        "small_confident_share": _small_confident(rows),
        "mid_confident": _mid_confident(rows),
        "abstention": interval(sum(not row["confident"] for row in rows), len(rows)),
        "distribution": _seen(rows),
        "risk": _risk(rows),
        "curve": {"small": curve(rows, "small"), "mid": curve(rows, "mid")},
        "by_kind": _groups(rows, "kind"),
        "by_language": _groups(rows, "language"),
    }


def curve(rows: Sequence[dict[str, Any]], tier: str) -> list[dict[str, float]]:
    """For 20, 30, … 80 % of the tasks of a tier, most certain first: how many of those taken really are of it."""
    names = [name for name in CLASSES if TIER_OF[name] == tier]
    ranked = sorted(
        rows, key=lambda row: -sum(row["probabilities"][name] for name in names) + 2 * bool(row["held_back"])
    )
    total, points = sum(row["gold"] == tier for row in rows), []
    for coverage in _COVERAGES:
        right = taken = 0
        while taken < len(ranked) and right * 100 < coverage * total:
            right += ranked[taken]["gold"] == tier
            taken += 1
        inside = {other: sum(row["gold"] == other for row in ranked[:taken]) for other in TIERS if other != tier}
        points.append({"coverage": coverage, "precision": round(right / taken, 4) if taken else 0.0, **inside})
    return points


def lines(data: dict[str, Any]) -> tuple[Line, ...]:
    """The report for people, within 80 columns."""
    small, told = data["small_confident_share"], [Line(text=f"{data['n']} briefs", tone="title")]
    told.append(Line(text=f"tier accuracy        {_shown(data['tier_accuracy'])}"))
    told.append(Line(text=f"class accuracy       {_shown(data['class_accuracy'])}"))
    told.append(Line(text=f"surely small         {small['n']}, of them small {_shown(small['precision'])}"))
    told.append(Line(text=f"  of all small tasks {_shown(small['coverage'])}"))
    told.append(Line(text=f"  frontier among them {data['frontier_to_small_confident']} (must be 0)"))
    mid = data["mid_confident"]
    told.append(Line(text=f"surely mid           {mid['n']}, of them not frontier {_shown(mid['not_frontier'])}"))
    told.append(Line(text=f"frontier seen as mid {_shown(data['frontier_to_mid'])}"))
    told.append(
        Line(
            text=f"small seen as mid    {_shown(data['small_to_mid'])}, as frontier {_shown(data['small_to_frontier'])}"
        )
    )
    told.append(Line(text=f"not sure             {_shown(data['abstention'])}"))
    told.append(
        Line(
            text=f"risk                 precision {data['risk']['precision']:.2f}, recall {data['risk']['recall']:.2f}"
        )
    )
    told += [Line(text=""), Line(text="gold \\ seen   " + "".join(f"{tier:>10}" for tier in TIERS))]
    told += [
        Line(text=f"{gold:<14}" + "".join(f"{row[tier]:>10}" for tier in TIERS))
        for gold, row in data["confusion"].items()
    ]
    told += [Line(text=""), Line(text="coverage of small: precision (mid, frontier inside)")]
    points = data["curve"]["small"]
    told += [Line(text=f"  {p['coverage']} %: {p['precision']:.3f} ({p['mid']}, {p['frontier']})") for p in points]
    told.append(Line(text=""))
    for name in ("by_kind", "by_language"):
        for group, row in data[name].items():
            figures = f"tier accuracy {row['tier_accuracy']:.2f}, not sure {row['abstention']:.2f}"
            told.append(Line(text=f"  {group:<16}{row['n']:>5}  {figures}"))
    return tuple(told)


def _shown(value: dict[str, float]) -> str:
    return f"{value['value']:.1%} ({value['low']:.1%} to {value['high']:.1%})"


def interval(right: int, total: int) -> dict[str, float]:
    """A share with its 95 % interval (Wilson)."""
    if not total:
        return {"value": 0.0, "low": 0.0, "high": 1.0}
    share, squared = right / total, _Z * _Z
    middle = (share + squared / (2 * total)) / (1 + squared / total)
    half = _Z * (share * (1 - share) / total + squared / (4 * total * total)) ** 0.5 / (1 + squared / total)
    return {
        "value": round(share, 4),
        "low": round(max(0.0, middle - half), 4),
        "high": round(min(1.0, middle + half), 4),
    }


def _sure(row: dict[str, Any], tier: str) -> bool:
    return bool(row["confident"]) and row["tier"] == tier


def _seen(rows: Sequence[dict[str, Any]]) -> dict[str, int]:
    return {tier: sum(row["tier"] == tier for row in rows) for tier in TIERS}


def _share(rows: Sequence[dict[str, Any]], gold: str, seen: str) -> dict[str, float]:
    of = [row for row in rows if row["gold"] == gold]
    return interval(sum(row["tier"] == seen for row in of), len(of))


def _class_accuracy(rows: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Over the rows that are labelled with a class and not only with a tier."""
    known = [row for row in rows if row["gold_class"]]
    return interval(sum(row["complexity"] == row["gold_class"] for row in known), len(known))


def _small_confident(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    sure = [row for row in rows if _sure(row, "small")]
    right = sum(row["gold"] == "small" for row in sure)
    return {
        "n": len(sure),
        "precision": interval(right, len(sure)),
        "coverage": interval(right, sum(row["gold"] == "small" for row in rows)),
    }


def _mid_confident(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    sure = [row for row in rows if _sure(row, "mid")]
    return {"n": len(sure), "not_frontier": interval(sum(row["gold"] != "frontier" for row in sure), len(sure))}


def _risk(rows: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Over the briefs whose risks are labelled: is any risk seen where there is one?"""
    known = [row for row in rows if row["gold_risk"] is not None]
    both = sum(bool(row["risk"]) and bool(row["gold_risk"]) for row in known)
    seen, there = sum(bool(row["risk"]) for row in known), sum(bool(row["gold_risk"]) for row in known)
    return {"precision": round(both / seen, 4) if seen else 1.0, "recall": round(both / there, 4) if there else 1.0}


def _groups(rows: Sequence[dict[str, Any]], key: str) -> dict[str, dict[str, float]]:
    groups: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        groups.setdefault(str(row[key]), []).append(row)
    return {
        name: {
            "n": len(of),
            "tier_accuracy": round(sum(row["tier"] == row["gold"] for row in of) / len(of), 4),
            "abstention": round(sum(not row["confident"] for row in of) / len(of), 4),
        }
        for name, of in sorted(groups.items())
        if name
    }
