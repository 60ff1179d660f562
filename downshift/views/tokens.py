"""What children used and what of it ran on a cheaper model: figures and their labels. Tokens only, never money.

A saving is claimed for a switched spawn whose child was seen on a cheaper model
than it would have had. What was refuted, held, kept or in the control group
counts in the totals; what nobody saw has no figure at all.
"""

from __future__ import annotations

from downshift.core.spawn_state import state_of
from downshift.core.tokens import CHEAPER, PRICIER, UNATTRIBUTED, UNCHANGED, Tokens, moved
from downshift.views.lines import short

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from downshift.catalog.lookup import Catalog
    from downshift.log.link import Linked

    Catalogs = Callable[[str], Catalog]


def saving(entry: Linked, catalogs: Catalogs) -> str:
    """Where a child's tokens ran against where they would have: cheaper, pricier, unchanged or unattributed."""
    decision = entry.decision
    if state_of(decision) != "switched" or entry.honored is False:
        return UNCHANGED
    if not entry.ran_on or entry.mixed:
        return UNATTRIBUTED
    catalog = catalogs(str(decision.get("harness") or ""))
    return moved(catalog.find(str(decision.get("requested_model") or "")), catalog.find(entry.ran_on))


class Used:
    """Tokens of several children, and which of them were saved."""

    def __init__(self) -> None:
        self.children = 0
        self.saved_children = 0
        self.all = Tokens()
        self.saved = Tokens()
        self.pricier = Tokens()
        self.partial = False

    def add(self, entry: Linked, catalogs: Catalogs) -> None:
        """Count one child in, if anybody knows what it used."""
        tokens = entry.tokens
        if tokens is None:
            return
        self.children += 1
        self.all = self.all.plus(tokens)
        self.partial = self.partial or entry.partial
        where = saving(entry, catalogs)
        if where == CHEAPER:
            self.saved_children += 1
            self.saved = self.saved.plus(tokens)
        elif where == PRICIER:
            self.pricier = self.pricier.plus(tokens)

    def data(self) -> dict[str, Any]:
        """The figures under the keys of the panel."""
        found = {
            "children": self.children,
            "saved_children": self.saved_children,
            "work_tokens": self.all.work,
            "work_saved": self.saved.work,
            "cache_tokens": self.all.cache,
            "cache_saved": self.saved.cache,
        }
        if self.pricier.total:
            found.update(work_pricier=self.pricier.work, cache_pricier=self.pricier.cache)
        if self.partial:
            found["partial"] = True
        return found

    def line(self) -> str:
        """`tokens saved: work 62% · cache 58% (107k of 185k)`; empty while nothing is known."""
        if not self.children:
            return ""
        whole = amount(self.all.total, partial=self.partial)
        return f"tokens saved: {self.shares()} ({amount(self.saved.total)} of {whole})"

    def shares(self) -> str:
        """`work 62% · cache 58%`."""
        work, cache = percent(self.saved.work, self.all.work), percent(self.saved.cache, self.all.cache)
        return f"work {work}% · cache {cache}%"


def used(entries: Iterable[Linked], catalogs: Catalogs) -> Used:
    """The tokens of these children together."""
    total = Used()
    for entry in entries:
        total.add(entry, catalogs)
    return total


def child_tokens(entry: Linked, catalogs: Catalogs) -> dict[str, Any] | None:
    """The `tokens` of one child; None when nobody knows them."""
    one = used((entry,), catalogs)
    return one.data() if one.children else None


def label(entry: Linked, catalogs: Catalogs, *, parts: bool = False) -> str:
    """`48k tokens · saved from opus`; with `parts`, `48k tokens (work 2.1k, cache 46k) · …`. Empty when not known."""
    tokens = entry.tokens
    if tokens is None:
        return ""
    text = f"{amount(tokens.total, partial=entry.partial)} tokens"
    if parts:
        text += f" (work {amount(tokens.work)}, cache {amount(tokens.cache)})"
    moved_to = moved_text(entry, catalogs)
    return f"{text} · {moved_to}" if moved_to else text


def moved_text(entry: Linked, catalogs: Catalogs) -> str:
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
