"""What the decisions of a window came to: counts, honored rewrites, and where tokens ran."""

from __future__ import annotations

from typing import NamedTuple

from downshift.core.spawn_state import STATES
from downshift.core.tiers import CLASSES
from downshift.core.tokens import CHEAPER, PRICIER, UNATTRIBUTED, UNCHANGED
from downshift.core.verdicts import DOWNSHIFT, UNKNOWN, UPSHIFT, VERDICTS
from downshift.log.rework import FAILED, redone
from downshift.views.line import Line, fitted
from downshift.views.session import agent_type_rows, honored_counts, honored_text
from downshift.views.tokens import Used, merged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from downshift.catalog.shelf import Shelf
    from downshift.log.linked import Linked

SCHEMA = 3
UNOBSERVED = "unobserved"
NOTE = (
    "Counts and tokens, no prices. Only applied rewrites count as up- or downshifted."
    " Tokens are those of children whose harness tells; the others are unobserved, not zero."
)


class _Kind(NamedTuple):
    """What is counted of an entry; of a million there are some hundred kinds."""

    state: str
    verdict: str
    complexity: str
    harness: str
    agent_type: str
    status: str
    error_kind: str
    corrected: bool
    codes: tuple[str, ...]


def _kind(entry: Linked) -> tuple[Any, ...]:
    """The fields of `_Kind`, as the plain tuple that is counted."""
    get = entry.decision.get
    codes = get("reason_codes")
    return (
        entry.state,
        str(get("verdict")),
        str(get("complexity")),
        str(get("harness") or "unknown"),
        str(get("agent_type") or "unknown"),
        entry.status,
        entry.error_kind,
        bool(get("corrections")),
        tuple(map(str, codes)) if isinstance(codes, list) else (),
    )


class Stats:
    """Every figure of a window, in one pass over its decisions."""

    def __init__(self, entries: Sequence[Linked], catalogs: Shelf) -> None:
        self.total = len(entries)
        self.states = dict.fromkeys(STATES, 0)
        self.verdicts = dict.fromkeys(VERDICTS, 0)
        self.complexity = dict.fromkeys(CLASSES, 0)
        self.applied = {DOWNSHIFT: 0, UPSHIFT: 0}
        self.corrected = 0
        self.not_applied = 0
        self.statuses: dict[str, int] = {}
        self.errors: dict[str, int] = {}
        self.reasons: dict[str, int] = {}
        self.by_harness: dict[str, int] = {}
        self._used: dict[tuple[str, str], Used] = {}
        """By harness and type of agent."""
        kinds: dict[tuple[Any, ...], int] = {}
        for entry in entries:
            kind = _kind(entry)
            kinds[kind] = kinds.get(kind, 0) + 1
            place = kind[3:5]
            if place not in self._used:
                self._used[place] = Used()
            self._used[place].add(entry, catalogs)
        for kind, count in kinds.items():
            self._count(_Kind(*kind), count)
        self.suspect = sum(entry.suspect for entry in entries)
        self.usage_records = sum(entry.used_records for entry in entries)
        self.used = merged(self._used.values())
        self.honored = honored_counts(entries)
        self.inferred = _inferred(entries) if self.honored["unobserved"] else 0
        self.reworked = len(redone(entries))

    def _count(self, kind: _Kind, count: int) -> None:
        """Count in `count` entries that are alike in everything that is counted."""
        counted = [
            (self.states, kind.state),
            (self.verdicts, kind.verdict if kind.verdict in self.verdicts else UNKNOWN),
            (self.complexity, kind.complexity),
            (self.by_harness, kind.harness),
            *((self.reasons, code) for code in kind.codes),
        ]
        if kind.status:
            counted.append((self.statuses, kind.status))
        if kind.status == "error":
            counted.append((self.errors, kind.error_kind or "unknown"))
        for counts, key in counted:
            counts[key] = counts.get(key, 0) + count
        self.corrected += count * kind.corrected
        if kind.verdict in self.applied and kind.state == "switched":
            self.applied[kind.verdict] += count
        elif kind.verdict in self.applied:
            self.not_applied += count

    def used_by_type(self) -> dict[str, Used]:
        """Tokens by type of agent."""
        types = dict.fromkeys(kind for _, kind in self._used)
        return {name: merged(used for (_, kind), used in self._used.items() if kind == name) for name in types}

    def rerouted(self) -> dict[str, dict[str, dict[str, int]] | str]:
        """By harness: tokens by where they ran, or `unobserved` where the harness told of none."""
        return {name: self._rerouted(name) for name in sorted(self.by_harness)}

    def _rerouted(self, name: str) -> dict[str, dict[str, int]] | str:
        total = merged(used for (harness, _), used in self._used.items() if harness == name)
        if not total.children:
            return UNOBSERVED
        places = (CHEAPER, PRICIER, UNCHANGED, UNATTRIBUTED)
        return {place: {"work": total.work[place], "cache": total.cache[place]} for place in places}


def _inferred(entries: Iterable[Linked]) -> int:
    """Rewrites nobody saw, after which a later call of the same session itself asked for the model that was written.

    A correlation, not an observation: it is counted apart and never as honored.
    """
    asked: dict[tuple[str, str], set[str]] = {}
    found = 0
    for entry in sorted(entries, key=lambda each: str(each.decision.get("timestamp") or ""), reverse=True):
        decision = entry.decision
        session = str(decision.get("session_id") or "")
        key = str(decision.get("harness") or ""), session
        if entry.state == "switched" and entry.honored is None:
            found += bool(session) and decision.get("final_model") in asked.get(key, ())
        if decision.get("baseline_kind") == "explicit":
            asked.setdefault(key, set()).add(str(decision.get("requested_model")))
    return found


def export(stats: Stats, window_days: int, generated_at: str, unlinked: int) -> dict[str, Any]:
    """The document of `stats --export`, schema 3 (docs/reference/json/export.schema.json).

    `unlinked` is how many usage records of the window belong to no decision of it.
    """
    honored, shifted = stats.honored, stats.applied[DOWNSHIFT]
    return {
        "schema": SCHEMA,
        "window_days": window_days,
        "generated_at": generated_at,
        "total": stats.total,
        "downshifted": shifted,
        "upshifted": stats.applied[UPSHIFT],
        "ok": stats.verdicts["OK"],
        "unknown": stats.verdicts["UNKNOWN"],
        "corrected": stats.corrected,
        "not_applied": stats.not_applied,
        "usage_records": stats.usage_records + unlinked,
        "usage_linked": stats.usage_records,
        "baseline_no_route": _no_route(stats),
        "control": stats.reasons.get("CONTROL", 0),
        "rewrite_shifted": honored["n"],
        "rewrite_honored": honored["k"],
        "rewrite_refuted": honored["refuted"],
        "rewrite_unobserved": honored["unobserved"],
        "rewrite_honored_inferred": stats.inferred,
        "by_complexity": stats.complexity,
        "by_harness": dict(sorted(stats.by_harness.items())),
        "downshift_rate": round(shifted / stats.total, 4) if stats.total else 0.0,
        "tokens_rerouted": stats.rerouted(),
        "note": NOTE,
    }


def _no_route(stats: Stats) -> int:
    """Unrouted on purpose and not at random: paused sessions and DOWNSHIFT_NO_ROUTE."""
    return stats.states["control"] + stats.states["paused"] - stats.reasons.get("CONTROL", 0)


def stats_lines(stats: Stats, window_days: int) -> tuple[Line, ...]:
    """What people read first."""
    days = f"last {window_days} day{'s' if window_days != 1 else ''}"
    if not stats.total:
        return (Line(text=f"{days}: no spawn has been seen", tone="title"),)
    counts = stats.states
    parts = [f"{days}: {stats.total} spawns", f"{counts['switched']} switched, {counts['held']} held"]
    parts += [f"{counts[state]} {state}" for state in ("observed", "control", "paused", "blocked") if counts[state]]
    texts = [honored_text(stats.honored), stats.used.line() or "tokens: unobserved"]
    return (*fitted(" · ".join(parts), "title"), *(line for text in texts if text for line in fitted(text)))


def detail_lines(stats: Stats) -> tuple[Line, ...]:
    """Where the figures come from."""
    lines: list[Line] = []
    rows = [
        ("by class", stats.complexity),
        ("by end", stats.statuses),
        ("errors", stats.errors),
        ("shifts", {"down": stats.applied[DOWNSHIFT], "up": stats.applied[UPSHIFT], "not applied": stats.not_applied}),
        ("redone", {"within ten minutes": stats.reworked} if any(stats.statuses.get(each) for each in FAILED) else {}),
        ("suspect", {"ends": stats.suspect} if stats.suspect else {}),
        ("inferred", {"honored by a later call": stats.inferred} if stats.inferred else {}),
        ("holds", {code: count for code, count in _most(stats.reasons) if code.startswith("HELD_")}),
        ("by harness", dict(sorted(stats.by_harness.items()))),
    ]
    for name, figures in rows:
        lines += _figures(name, figures)
    unseen = [name for name, places in stats.rerouted().items() if places == UNOBSERVED]
    if unseen:
        lines.append(Line(text=f"tokens unobserved: {', '.join(unseen)}", tone="dim"))
    for each in agent_type_rows(stats.used_by_type()):
        lines += fitted(each["line"], "dim")
    return tuple(lines)


def _most(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))


def _figures(name: str, figures: Mapping[str, int]) -> list[Line]:
    """`by class    TRIVIAL 3 · MEDIUM 2`, in rows of 80 columns; nothing where there is nothing."""
    shown = [f"{key} {count}" for key, count in figures.items() if count]
    rows, row = [], ""
    for text in shown:
        if row and 12 + len(row) + 3 + len(text) > 78:
            rows.append(row + " ·")
            row = text
        else:
            row = f"{row} · {text}" if row else text
    if row:
        rows.append(row)
    return [Line(text=f"{'' if place else name:<12}{text}") for place, text in enumerate(rows)]
