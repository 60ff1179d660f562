"""Putting a discovered list in order: pure.

By tier, then output price, then id; of one family the newest. An id that the
catalog knows no tier for is reported and never used: a name is no evidence of
what a model can do.
"""

from __future__ import annotations

from downshift.core.record import Record
from downshift.core.tiers import rank

TYPE_CHECKING = False
if TYPE_CHECKING:
    from downshift.catalog.lookup import Catalog
    from downshift.discovery.sources import Listed, Source


class Ranked(Record):
    """What becomes of the listed ids."""

    ordered: tuple[str, ...]
    """From least to most capable; only these are read by the hook."""
    unranked: tuple[str, ...]
    """No tier is known for these."""
    superseded: tuple[str, ...]
    """A newer member of the same family is in `ordered`."""


def rank_source(source: Source, catalog: Catalog) -> Ranked:
    """The order of one source's models."""
    unranked = tuple(each.id for each in source.models if catalog.find(each.id) is None)
    families: dict[str, list[Listed]] = {}
    for each in source.models:
        model = catalog.find(each.id)
        if model is not None:
            families.setdefault(catalog.family(each.id), []).append(each)
    newest = {name: max(members, key=_age) for name, members in families.items()}
    kept = [each.id for each in newest.values()]
    superseded = tuple(each.id for members in families.values() for each in members if each.id not in kept)
    return Ranked(
        ordered=tuple(sorted(kept, key=lambda raw: _place(raw, catalog))), unranked=unranked, superseded=superseded
    )


def _age(listed: Listed) -> tuple[str, tuple[int, ...], str]:
    """The provider's own date, else the numbers in the id, compared from left to right."""
    digits = "".join(letter if letter.isdigit() else " " for letter in listed.id).split()
    return listed.created, tuple(int(number) for number in digits), listed.id


def _place(raw: str, catalog: Catalog) -> tuple[int, float, str]:
    model = catalog.find(raw)
    tier = rank(model.tier) if model else -1
    return tier, model.prices[1] if model and model.prices else float("inf"), raw  # no price is no bargain
