"""The linear model: hashed features with integer weights, from a file that loads in a fraction of a millisecond.

`data/classifier.bin` is one line of JSON (what it was made from, scales,
thresholds) and then five planes of one byte for each bucket: the rarity of a
feature, and its weight for small, mid, frontier, and for trivial within small.
It is written by `training/train.py`.
"""

from __future__ import annotations

from downshift import assets
from downshift.core.json_text import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

NAME = "classifier.bin"
PLANES = ("rarity", "small", "mid", "frontier", "trivial")
ZERO = 128
"""The byte that stands for a weight of nothing."""


class Model:
    """The weights, and what the training found out about them."""

    def __init__(self, data: bytes) -> None:
        header, _, body = data.partition(b"\n")
        self.facts: dict[str, Any] = parse(header.decode("ascii"))
        self.buckets: int = self.facts["buckets"]
        self._planes = [body[start : start + self.buckets] for start in range(0, len(body), self.buckets)]
        self._scales: list[float] = self.facts["scales"]

    def bucket(self, feature: str) -> int:
        """Where a feature falls; always the same place, on every Python and machine."""
        return int.from_bytes(feature.encode("utf-8", "replace"), "little") % self.buckets

    def scores(self, features: Iterable[str]) -> list[float]:
        """The scores for small, mid and frontier, and for trivial within small."""
        rarity, *weights = self._planes
        seen = {self.bucket(feature) for feature in features}
        known = [bucket for bucket in seen if rarity[bucket]]
        length = sum(rarity[bucket] ** 2 for bucket in known) ** 0.5 or 1.0
        totals = [sum(rarity[bucket] * (plane[bucket] - ZERO) for bucket in known) for plane in weights]
        pairs = zip(totals, self._scales, self.facts["bias"])
        return [total / length * scale + bias for total, scale, bias in pairs]

    def contributions(self, features: Iterable[str], tier: str) -> list[tuple[str, float]]:
        """(feature, weight) of every feature that speaks for (above 0) or against a tier, weightiest first."""
        rarity, *weights = self._planes
        names = list(features)
        length = sum(rarity[bucket] ** 2 for bucket in {self.bucket(name) for name in names}) ** 0.5 or 1.0
        chosen, rows = PLANES.index(tier) - 1, []
        for name in names:
            bucket = self.bucket(name)
            parts = [
                rarity[bucket] * (plane[bucket] - ZERO) / length * scale
                for plane, scale in zip(weights[:3], self._scales)
            ]
            rows.append((name, parts[chosen] - sum(parts) / 3))
        return sorted((row for row in rows if row[1]), key=lambda row: (-abs(row[1]), row[0]))


def load() -> Model:
    """The shipped model."""
    return Model(assets.data_bytes(NAME))
