"""Tokens that a child used, and whether they ran on a cheaper model than they would have."""

from __future__ import annotations

from downshift.core.record import Record
from downshift.core.tiers import rank

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from downshift.core.spawn import Model

MOST = 10**12
"""More than any child can use; a larger count is damage."""
CHEAPER, PRICIER, UNCHANGED, UNATTRIBUTED = "cheaper", "pricier", "unchanged", "unattributed"


class Tokens(Record):
    """Counts by class, as APIs bill them: `input` is without what the cache gave or took."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0

    @property
    def work(self) -> int:
        """Input and output."""
        return self.input + self.output

    @property
    def cache(self) -> int:
        """Read and written."""
        return self.cache_read + self.cache_write

    @property
    def total(self) -> int:
        """All four."""
        return self.work + self.cache

    def plus(self, other: Tokens) -> Tokens:
        """Both together."""
        return Tokens(
            input=self.input + other.input,
            output=self.output + other.output,
            cache_read=self.cache_read + other.cache_read,
            cache_write=self.cache_write + other.cache_write,
        )

    def beyond(self, other: Tokens) -> Tokens:
        """What is new since `other`; never less than nothing."""
        return Tokens(
            input=max(0, self.input - other.input),
            output=max(0, self.output - other.output),
            cache_read=max(0, self.cache_read - other.cache_read),
            cache_write=max(0, self.cache_write - other.cache_write),
        )


def count(value: object) -> int:
    """A count from outside; nothing for what cannot be one."""
    return value if type(value) is int and 0 <= value <= MOST else 0


def counts(event: Mapping[str, Any]) -> tuple[int, int, int, int]:
    """Input, output, cache read and cache write of a `usage` record; an older one says `cached_tokens` for reads."""
    read = event.get("cache_read_tokens")
    return (
        count(event.get("input_tokens")),
        count(event.get("output_tokens")),
        count(event.get("cached_tokens") if read is None else read),
        count(event.get("cache_write_tokens")),
    )


def recorded(event: Mapping[str, Any]) -> Tokens:
    """The tokens of a `usage` record."""
    spent, received, read, written = counts(event)
    return Tokens(input=spent, output=received, cache_read=read, cache_write=written)


def moved(before: Model | None, after: Model | None) -> str:
    """Where tokens ran against where they would have: by tier, within a tier by output price when both have one."""
    if before is None or after is None:
        return UNATTRIBUTED
    if before.id == after.id:
        return UNCHANGED
    step = rank(after.tier) - rank(before.tier)
    if not step and before.prices and after.prices:
        difference = after.prices[1] - before.prices[1]
        step = (difference > 0) - (difference < 0)
    return CHEAPER if step < 0 else PRICIER if step > 0 else UNCHANGED
