"""The linear model: hashed features with integer weights, from a file that loads in a fraction of a millisecond.

`data/classifier.bin` is one line of JSON (what it was made from, scales,
thresholds) and then seven bytes for each bucket: a mark that tells the feature it
belongs to from others that fall there too, its rarity (0: nobody's), and its weight
for small, mid, frontier, for trivial within small, and for touching a risk.
It is written by `training/train.py`.
"""

from __future__ import annotations

from downshift import assets
from downshift.core.json_text import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from mmap import mmap
    from typing import Any

NAME = "classifier.bin"
COLUMNS = ("mark", "rarity", "small", "mid", "frontier", "trivial", "risk")
PRIME = 33_554_393
"""The largest prime below 2**25: what a feature's bytes are divided by."""
BUCKETS = 1 << 17
ZERO = 128
"""The byte that stands for a weight of nothing."""


class Model:
    """The weights, and what the training found out about them."""

    def __init__(self, data: bytes | mmap) -> None:
        self._data = data
        self._start = data.find(b"\n") + 1
        self.facts: dict[str, Any] = parse(data[: self._start].decode("ascii"))

    def place_of(self, feature: str) -> tuple[int, int]:
        """(bucket, mark) of a feature; always the same, on every Python and machine."""
        number = int.from_bytes(feature.encode("utf-8", "replace"), "little") % PRIME
        return number % BUCKETS, number // BUCKETS

    def _row(self, feature: str) -> bytes:
        """The bytes of a feature; all nothing for one that was never learnt."""
        bucket, mark = self.place_of(feature)
        place = self._start + bucket * len(COLUMNS)
        row = self._data[place : place + len(COLUMNS)]
        return row if row[0] == mark else bytes(len(COLUMNS))

    def scores(self, features: Iterable[str]) -> list[float]:
        """The scores for small, mid and frontier, for trivial within small, and for touching a risk."""
        # One loop without calls: a long brief has some thousand features.
        data, start, number = self._data, self._start, int.from_bytes
        squares = small = mid = frontier = trivial = risk = mass = 0
        for feature in features:
            hashed = number(feature.encode("utf-8", "replace"), "little") % PRIME
            place = start + hashed % BUCKETS * 7
            rarity = data[place + 1]
            if rarity and data[place] == hashed // BUCKETS:
                squares += rarity * rarity
                mass += rarity
                small += rarity * data[place + 2]
                mid += rarity * data[place + 3]
                frontier += rarity * data[place + 4]
                trivial += rarity * data[place + 5]
                risk += rarity * data[place + 6]
        length = squares**0.5 or 1.0
        totals = (total - mass * ZERO for total in (small, mid, frontier, trivial, risk))
        return [
            total / length * scale + bias
            for total, scale, bias in zip(totals, self.facts["scales"], self.facts["bias"])
        ]

    def contributions(self, features: Iterable[str], tier: str) -> list[tuple[str, float]]:
        """(feature, weight) of every feature that speaks for (above 0) or against a tier, weightiest first."""
        named = {name: self._row(name) for name in features}
        length = sum(row[1] ** 2 for row in named.values()) ** 0.5 or 1.0
        chosen, found = COLUMNS.index(tier), []
        for name, row in named.items():
            parts = [row[1] * (row[column] - ZERO) / length * self.facts["scales"][column - 2] for column in (2, 3, 4)]
            found.append((name, parts[chosen - 2] - sum(parts) / 3))
        return sorted((each for each in found if each[1]), key=lambda each: (-abs(each[1]), each[0]))


def load() -> Model:
    """The shipped model. A brief needs a few hundred rows of it: the pages they lie on are read, and no others."""
    path = assets.data_path(NAME)
    try:
        import mmap

        with open(path, "rb") as file:
            return Model(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except ImportError:
        return Model(assets.data_bytes(NAME))
