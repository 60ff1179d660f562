"""What children used and what of it ran on a cheaper model: figures and their labels. Tokens only, never money.

A saving is claimed for a switched spawn whose child was seen on a cheaper model
than it would have had. What was refuted, held, kept or in the control group
counts in the totals; what nobody saw has no figure at all.
"""

from __future__ import annotations

from downshift.core.tokens import CHEAPER, PRICIER, UNATTRIBUTED, UNCHANGED
from downshift.views.lines import short

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from downshift.catalog.shelf import Shelf
    from downshift.log.linked import Linked


def saving(entry: Linked, catalogs: Shelf) -> str:
    """Where a child's tokens ran against where they would have: cheaper, pricier, unchanged or unattributed."""
    if entry.state != "switched" or entry.honored is False:
        return UNCHANGED
    ran_on = entry.ran_on
    if not ran_on or entry.mixed:
        return UNATTRIBUTED
    decision = entry.decision
    return catalogs.moved(str(decision.get("harness") or ""), str(decision.get("requested_model") or ""), ran_on)


class Used:
    """Tokens of several children, and where they ran: (work, cache) by what `saving` says."""

    def __init__(self) -> None:
        self.children = 0
        self.saved_children = 0
        self.work = dict.fromkeys((CHEAPER, PRICIER, UNCHANGED, UNATTRIBUTED), 0)
        self.cache = dict(self.work)
        self.partial = False

    def add(self, entry: Linked, catalogs: Shelf) -> None:
        """Count one child in, if anybody knows what it used."""
        used = entry.counts
        if used is None:
            return
        where = saving(entry, catalogs)
        self.children += 1
        self.saved_children += where == CHEAPER
        self.work[where] += used[0] + used[1]
        self.cache[where] += used[2] + used[3]
        self.partial = self.partial or entry.partial

    def merge(self, other: Used) -> None:
        """Count other children in."""
        self.children += other.children
        self.saved_children += other.saved_children
        for mine, theirs in ((self.work, other.work), (self.cache, other.cache)):
            for where, tokens in theirs.items():
                mine[where] += tokens
        self.partial = self.partial or other.partial

    @property
    def total(self) -> int:
        """Every token."""
        return sum(self.work.values()) + sum(self.cache.values())

    @property
    def saved(self) -> int:
        """Those that ran on a cheaper model."""
        return self.work[CHEAPER] + self.cache[CHEAPER]

    def data(self) -> dict[str, Any]:
        """The figures under the keys of the panel."""
        found = {
            "children": self.children,
            "saved_children": self.saved_children,
            "work_tokens": sum(self.work.values()),
            "work_saved": self.work[CHEAPER],
            "cache_tokens": sum(self.cache.values()),
            "cache_saved": self.cache[CHEAPER],
        }
        if self.work[PRICIER] + self.cache[PRICIER]:
            found.update(work_pricier=self.work[PRICIER], cache_pricier=self.cache[PRICIER])
        if self.partial:
            found["partial"] = True
        return found

    def line(self) -> str:
        """`tokens saved: work 62% · cache 58% (107k of 185k)`; empty while nothing is known."""
        if not self.children:
            return ""
        return f"tokens saved: {self.shares()} ({amount(self.saved)} of {amount(self.total, partial=self.partial)})"

    def shares(self) -> str:
        """`work 62% · cache 58%`."""
        work, cache = (percent(spent[CHEAPER], sum(spent.values())) for spent in (self.work, self.cache))
        return f"work {work}% · cache {cache}%"


def used(entries: Iterable[Linked], catalogs: Shelf) -> Used:
    """The tokens of these children together."""
    total = Used()
    for entry in entries:
        total.add(entry, catalogs)
    return total


def merged(parts: Iterable[Used]) -> Used:
    """Several sums together."""
    total = Used()
    for part in parts:
        total.merge(part)
    return total


def child_tokens(entry: Linked, catalogs: Shelf) -> dict[str, Any] | None:
    """The `tokens` of one child; None when nobody knows them."""
    one = used((entry,), catalogs)
    return one.data() if one.children else None


def label(entry: Linked, catalogs: Shelf, *, parts: bool = False) -> str:
    """`48k tokens · saved from opus`; with `parts`, `48k tokens (work 2.1k, cache 46k) · …`. Empty when not known."""
    tokens = entry.tokens
    if tokens is None:
        return ""
    text = f"{amount(tokens.total, partial=entry.partial)} tokens"
    if parts:
        text += f" (work {amount(tokens.work)}, cache {amount(tokens.cache)})"
    moved_to = moved_text(entry, catalogs)
    return f"{text} · {moved_to}" if moved_to else text


def moved_text(entry: Linked, catalogs: Shelf) -> str:
    """`saved from opus` or `pricier than haiku`; empty when the tokens are not known or stayed in their price."""
    if entry.tokens is None:
        return ""
    before = short(entry.decision.get("requested_model"))
    return {CHEAPER: f"saved from {before}", PRICIER: f"pricier than {before}"}.get(saving(entry, catalogs), "")


def amount(tokens: int, *, partial: bool = False) -> str:
    """`950`, `2.1k`, `48k`, `1.2M`; `≥` before it when more was used than anybody saw."""
    for size, unit in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        # The unit changes where rounding would reach it: 999,950 is 1.0M, not 1000k.
        if tokens >= size - size // 2000:
            value = tokens / size
            text = f"{value:.1f}{unit}" if value < 9.95 else f"{value:.0f}{unit}"
            break
    else:
        text = str(tokens)
    return ("≥ " if partial else "") + text


def percent(part: int, whole: int) -> int:
    """A share in whole percent, rounded half up; 100 only for everything and 0 only for nothing."""
    if part <= 0 or whole <= 0:
        return 0
    return 100 if part >= whole else min(99, max(1, (200 * part + whole) // (2 * whole)))
