"""Routed spawns against the control group: tokens per completed task, and rework.

By intent: a spawn belongs to the group it was drawn into, whatever became of it.
"""

from __future__ import annotations

from downshift.log.rework import FAILED, redone
from downshift.views.line import Line, fitted
from downshift.views.tokens import Used, amount, used

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from downshift.catalog.shelf import Shelf
    from downshift.harnesses.base import Capabilities
    from downshift.log.linked import Linked

ENOUGH = 20
"""Completed tasks that each group needs before the two are compared."""
_ENDED = ("completed", *FAILED)
_CLASSES = ("input", "output", "cache_read", "cache_write")


class Group:
    """One side of the comparison."""

    def __init__(self) -> None:
        self.spawns = 0
        self.ended = 0
        self.completed = 0
        self.reworked = 0
        self.records = 0
        self.tokens = [0, 0, 0, 0]

    def add(self, entry: Linked, *, reworked: bool) -> None:
        """Count one spawn."""
        self.spawns += 1
        self.ended += entry.status in _ENDED
        self.reworked += reworked
        if is_task(entry):
            self.completed += 1
            self.spend(entry)

    def spend(self, entry: Linked) -> None:
        """Add what a child used to the cost of the group's completed tasks."""
        spent = entry.counts
        if spent is not None:
            self.records += entry.used_records
            self.tokens = [total + part for total, part in zip(self.tokens, spent)]

    @property
    def per_task(self) -> float | None:
        """Tokens for each completed task; None without one."""
        return round(sum(self.tokens) / self.completed, 1) if self.completed else None

    def data(self) -> dict[str, Any]:
        """The group under the keys of `report --json`."""
        return {
            "spawns": self.spawns,
            "ended": self.ended,
            "completed": self.completed,
            "reworked": self.reworked,
            "rework_rate": round(self.reworked / self.ended, 4) if self.ended else None,
            "tokens": {
                **dict(zip(_CLASSES, self.tokens)),
                "total": sum(self.tokens),
                "records": self.records,
            },
            "tokens_per_completed_task": self.per_task,
        }


def is_task(entry: Linked) -> bool:
    """A completed task: its child ended completed and told what it used."""
    spent = entry.counts
    return entry.status == "completed" and spent is not None and sum(spent) > 0


def group_of(entry: Linked) -> str:
    """`control`, `routed`, or empty for what was left unrouted and not at random."""
    if "CONTROL" in (entry.decision.get("reason_codes") or ()):
        return "control"
    return "" if entry.state in ("control", "paused") else "routed"


class Comparison:
    """The two groups of a window."""

    def __init__(self, entries: Sequence[Linked], catalogs: Shelf) -> None:
        self.groups = {"routed": Group(), "control": Group()}
        self.excluded = 0
        self.used: Used = used(entries, catalogs)
        self.modes: dict[str, int] = {}
        again = redone(entries)
        for entry in entries:
            mode = str(entry.decision.get("permission_mode") or "")
            if mode:
                self.modes[mode] = self.modes.get(mode, 0) + 1
            group = self.groups.get(group_of(entry))
            if group is None:
                self.excluded += 1
                continue
            group.add(entry, reworked=id(entry) in again)
        for entry in entries:
            if id(entry) in again:
                self._charge(entry, again)

    def _charge(self, failed: Linked, again: Mapping[int, Linked]) -> None:
        """Add a failed child's tokens to the task that got its work done in the end; to nobody when none did."""
        entry: Linked | None = failed
        for _ in range(1000):  # in a log with broken clocks a chain could close on itself
            entry = again.get(id(entry))
            if entry is None:
                return
            if is_task(entry):
                group = self.groups.get(group_of(entry))
                if group is not None and group_of(failed):
                    group.spend(failed)
                return

    @property
    def enough(self) -> bool:
        """Whether both groups have the completed tasks that a comparison needs."""
        return all(group.completed >= ENOUGH for group in self.groups.values())

    @property
    def change(self) -> float | None:
        """How much more (above 0) or less routed tasks use than control tasks, in percent."""
        routed, control = self.groups["routed"].per_task, self.groups["control"].per_task
        return round(100 * (routed / control - 1), 1) if self.enough and routed is not None and control else None


def completion(entries: Sequence[Linked], capabilities: Mapping[str, Capabilities]) -> dict[str, dict[str, Any]]:
    """For each harness of the window: whether its completed tasks can be counted, and why not."""
    found: dict[str, dict[str, Any]] = {}
    seen: dict[str, bool] = {}
    for entry in entries:
        harness = str(entry.decision.get("harness") or "unknown")
        seen[harness] = seen.get(harness, False) or entry.observed
    for harness, observed in sorted(seen.items()):
        known = capabilities.get(harness)
        if known is None or not known.child_end_events:
            found[harness] = {"measurable": False, "reason": "no end event of this harness is known"}
        elif not observed:
            found[harness] = {"measurable": False, "reason": "no end of a child has been seen yet"}
        else:
            found[harness] = {"measurable": True, "reason": "ends are seen"}
    return found


def report_data(comparison: Comparison, ends: Mapping[str, Any], window_days: int, generated_at: str) -> dict[str, Any]:
    """The document of `report --json` (docs/reference/json/report.schema.json)."""
    tokens = comparison.used.data()
    data: dict[str, Any] = {
        "window_days": window_days,
        "generated_at": generated_at,
        **{name: group.data() for name, group in comparison.groups.items()},
        "excluded": comparison.excluded,
        "enough_data": comparison.enough,
        "tokens_saved": {"work": tokens["work_saved"], "cache": tokens["cache_saved"], **tokens},
        "completion": dict(ends),
    }
    if comparison.modes:
        data["decisions_by_permission_mode"] = dict(sorted(comparison.modes.items()))
    return data


def report_lines(comparison: Comparison, ends: Mapping[str, Any], window_days: int, honored: str) -> tuple[Line, ...]:
    """What people read. `honored` is the sentence about honored rewrites, empty when there is none."""
    days = f"last {window_days} day{'s' if window_days != 1 else ''}"
    lines = [Line(text=f"Routed versus control, {days}", tone="title")]
    lines.append(Line(text=f"{'':<9}{'spawns':>8}{'ended':>8}{'completed':>11}{'tokens/completed':>18}{'rework':>9}"))
    for name, group in comparison.groups.items():
        per_task = amount(round(group.per_task)) if group.per_task is not None else "-"
        rework = f"{100 * group.reworked / group.ended:.1f}%" if group.ended else "-"
        row = f"{name:<9}{group.spawns:>8}{group.ended:>8}{group.completed:>11}{per_task:>18}{rework:>9}"
        lines.append(Line(text=row))
    lines += fitted(_compared(comparison))
    if comparison.excluded:
        lines += fitted(f"excluded: {comparison.excluded} (paused or DOWNSHIFT_NO_ROUTE, not a random sample)")
    lines += fitted(honored) if honored else []
    if comparison.modes:
        counts = ", ".join(f"{mode} {count}" for mode, count in sorted(comparison.modes.items()))
        lines += [Line(text=""), Line(text="Decisions by permission mode", tone="title"), *fitted(counts)]
    lines += [Line(text=""), Line(text="Plan lens (tokens only)", tone="title")]
    lines.append(Line(text=comparison.used.line() or "tokens saved: unobserved"))
    lines.append(Line(text=f"tokens per completed task: {_per_task(comparison)}"))
    lines += [Line(text=""), Line(text="Completion measurable, by harness", tone="title")]
    for name, each in ends.items():
        lines += fitted(f"{name}: {'yes' if each['measurable'] else 'no'}, {each['reason']}")
    return tuple(lines)


def _compared(comparison: Comparison) -> str:
    change = comparison.change
    if change is None:
        return f"not enough data: a comparison needs {ENOUGH} completed tasks in each group"
    return f"tokens per completed task: {_per_task(comparison)} ({change:+.1f}%)"


def _per_task(comparison: Comparison) -> str:
    texts = []
    for name, group in comparison.groups.items():
        texts.append(f"{name} {amount(round(group.per_task)) if group.per_task is not None else '-'}")
    return ", ".join(texts)
