"""The linear model: hashed features with integer weights, from a file that loads in a fraction of a millisecond.

`data/classifier.bin` is one line of JSON (what it was made from, scales,
thresholds) and then five bytes for each bucket: the rarity of a feature, and its
weight for small, mid, frontier, and for trivial within small.
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
COLUMNS = ("rarity", "small", "mid", "frontier", "trivial")
ZERO = 128
"""The byte that stands for a weight of nothing."""


class Model:
    """The weights, and what the training found out about them."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._start = data.index(b"\n") + 1
        self.facts: dict[str, Any] = parse(data[: self._start].decode("ascii"))
        self.buckets: int = self.facts["buckets"]

    def bucket(self, feature: str) -> int:
        """Where a feature falls; always the same place, on every Python and machine."""
        return int.from_bytes(feature.encode("utf-8", "replace"), "little") % self.buckets

    def _row(self, bucket: int) -> bytes:
        place = self._start + bucket * len(COLUMNS)
        return self._data[place : place + len(COLUMNS)]

    def scores(self, features: Iterable[str]) -> list[float]:
        """The scores for small, mid and frontier, and for trivial within small."""
        rows = [self._row(bucket) for bucket in {self.bucket(feature) for feature in features}]
        length = sum(row[0] ** 2 for row in rows) ** 0.5 or 1.0
        totals = [sum(row[0] * (row[column] - ZERO) for row in rows) for column in range(1, len(COLUMNS))]
        return [
            total / length * scale + bias
            for total, scale, bias in zip(totals, self.facts["scales"], self.facts["bias"])
        ]

    def contributions(self, features: Iterable[str], tier: str) -> list[tuple[str, float]]:
        """(feature, weight) of every feature that speaks for (above 0) or against a tier, weightiest first."""
        named = {name: self._row(self.bucket(name)) for name in features}
        length = sum(row[0] ** 2 for row in named.values()) ** 0.5 or 1.0
        chosen, found = COLUMNS.index(tier), []
        for name, row in named.items():
            parts = [row[0] * (row[column] - ZERO) / length * self.facts["scales"][column - 1] for column in (1, 2, 3)]
            found.append((name, parts[chosen - 1] - sum(parts) / 3))
        return sorted((each for each in found if each[1]), key=lambda each: (-abs(each[1]), each[0]))


def load() -> Model:
    """The shipped model."""
    return Model(assets.data_bytes(NAME))
