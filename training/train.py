"""Trains the classifier: `python training/train.py`, with scikit-learn from the `train` extra.

Reads tests/prompts/train.jsonl, fixes thresholds and temperature on dev.jsonl,
and writes downshift/data/classifier.bin. The test split is never opened here.
Deterministic: the same corpus gives the same bytes on the same scikit-learn.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from sklearn.linear_model import LogisticRegression

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from downshift.classify import model as model_file  # noqa: E402
from downshift.classify.classifier import is_confident, probabilities_of  # noqa: E402
from downshift.classify.features import Brief, features  # noqa: E402
from downshift.core.tiers import TIER_OF, TIERS  # noqa: E402

PROMPTS = ROOT / "tests" / "prompts"
OUTPUT = ROOT / "downshift" / "data" / model_file.NAME
STRENGTH = 20.0
KEPT = 45_000
"""Features that are kept: those that weigh most."""
RISK = {"with_term": 0.08, "without": 0.2}
"""How likely a task must be to touch a risk (see `risk.py`): by cross-validation on train and dev."""
SAFE = {"small": 0.99, "mid": 0.97, "frontier": 0.95}
"""How many of the confident on dev have to be right (see `threshold_of`)."""


def read(split: str) -> list[dict]:
    """The rows of one split; `test` is refused."""
    if split == "test":
        raise SystemExit("the test split is not for training")
    return [json.loads(line) for line in (PROMPTS / f"{split}.jsonl").read_text(encoding="utf-8").splitlines()]


def place_of(feature: str) -> tuple[int, int]:
    """As `Model.place_of`, which the tests hold this to: (bucket, mark)."""
    return divmod_of(int.from_bytes(feature.encode("utf-8", "replace"), "little") % model_file.PRIME)


def divmod_of(number: int) -> tuple[int, int]:
    return number % model_file.BUCKETS, number // model_file.BUCKETS


def vocabulary(briefs: list[set[str]]) -> list[str]:
    """Every feature that two briefs have, in a fixed order."""
    seen: Counter[str] = Counter()
    for found in briefs:
        seen.update(found)
    return sorted(feature for feature, count in seen.items() if count > 1)


def matrix(briefs: list[set[str]], names: list[str]) -> sp.csr_matrix:
    """One row for each brief, one column for each feature."""
    columns = {name: place for place, name in enumerate(names)}
    cells = [sorted(columns[feature] for feature in found if feature in columns) for found in briefs]
    starts = np.concatenate([[0], np.cumsum([len(cell) for cell in cells])])
    indices = np.fromiter((column for cell in cells for column in cell), dtype=np.int32, count=int(starts[-1]))
    return sp.csr_matrix((np.ones(len(indices)), indices, starts), shape=(len(briefs), len(names)))


def rarity_of(counts: sp.csr_matrix) -> np.ndarray:
    """Inverse document frequency as a byte from 1 on."""
    seen = np.asarray(counts.sum(axis=0)).ravel()
    rarity = np.log((1 + counts.shape[0]) / (1 + seen)) + 1
    return np.maximum(1, np.rint(rarity / rarity.max() * 255)).astype(np.uint8)


def weighted(counts: sp.csr_matrix, rarity: np.ndarray) -> sp.csr_matrix:
    """Rows of unit length."""
    scaled = counts.multiply(rarity.astype(float)).tocsr()
    lengths = np.sqrt(np.asarray(scaled.multiply(scaled).sum(axis=1)).ravel())
    lengths[lengths == 0] = 1
    return sp.diags(1 / lengths) @ scaled


def fit(counts: sp.csr_matrix, labels: list[int], rarity: np.ndarray) -> LogisticRegression:
    """Logistic regression on weighted rows."""
    return LogisticRegression(C=STRENGTH, max_iter=3000, tol=1e-4).fit(weighted(counts, rarity), labels)


class Trained:
    """The features that are kept, their rarity, the weights of the columns and their biases."""

    def __init__(self, rows: list[dict]) -> None:
        # Every third brief without its title: some harnesses, and `try`, have none.
        titles = [row["description"] if place % 3 else "" for place, row in enumerate(rows)]
        briefs = [features(Brief(row["prompt"]), title) for row, title in zip(rows, titles, strict=True)]
        names = vocabulary(briefs)
        self._fit(rows, matrix(briefs, names))
        names = self._kept(names)
        self.names = names
        self._fit(rows, matrix(briefs, names))

    def _fit(self, rows: list[dict], counts: sp.csr_matrix) -> None:
        self.rarity = rarity_of(counts)
        by_tier = fit(counts, [TIERS.index(TIER_OF[row["label"]]) for row in rows], self.rarity)
        small = [place for place, row in enumerate(rows) if TIER_OF[row["label"]] == "small"]
        by_class = fit(counts[small], [int(rows[place]["label"] == "TRIVIAL") for place in small], self.rarity)
        by_risk = fit(counts, [int(touches(row)) for row in rows], self.rarity)
        fits = (by_tier, by_class, by_risk)
        self.weights = np.vstack([each.coef_ for each in fits])
        self.bias = np.concatenate([each.intercept_ for each in fits])

    def _kept(self, names: list[str]) -> list[str]:
        """The weightiest features; of two that fall into one bucket, the weightier."""
        importance = np.abs(self.weights[:3]).max(axis=0) * self.rarity
        taken: dict[int, str] = {}
        for place in np.argsort(-importance, kind="stable"):
            taken.setdefault(place_of(names[place])[0], names[place])
            if len(taken) == KEPT:
                break
        return sorted(taken.values())

    def pack(self, facts: dict, temperature: float = 1.0) -> bytes:
        """The file: a line of JSON, then seven bytes for each bucket (see `downshift/classify/model.py`)."""
        tops = np.abs(self.weights).max(axis=1)
        scaled = np.rint(self.weights / tops[:, None] * 127 + model_file.ZERO).astype(np.uint8)
        softer = [temperature if place < len(TIERS) else 1.0 for place in range(len(tops))]
        table = np.zeros((model_file.BUCKETS, len(model_file.COLUMNS)), dtype=np.uint8)
        for number, name in enumerate(self.names):
            bucket, mark = place_of(name)
            table[bucket] = [mark, self.rarity[number], *scaled[:, number]]
        body = table.tobytes()
        head = {
            "version": 2,
            "features": len(self.names),
            "scales": [float(top) / 127 / soft for top, soft in zip(tops, softer, strict=True)],
            "bias": [float(each) / soft for each, soft in zip(self.bias, softer, strict=True)],
            "weights_sha256": hashlib.sha256(body).hexdigest(),
            **facts,
        }
        return json.dumps(head).encode("ascii") + b"\n" + body


def touches(row: dict) -> bool:
    """Whether the task touches something dear; steering is about the brief and not about the task."""
    return any(name != "steering" for name in row["risk"])


def judged(data: bytes, rows: list[dict], *, titled: bool = True) -> list[tuple[str, dict[str, float], Brief]]:
    """(gold tier, probabilities, brief) by the packed model, exactly as the hook computes them."""
    model = model_file.Model(data)
    found = []
    for row in rows:
        brief = Brief(row["prompt"])
        scores = model.scores(features(brief, row["description"] if titled else ""))
        found.append((TIER_OF[row["label"]], probabilities_of(scores), brief))
    return found


def temperature_of(dev: list[tuple[str, dict[str, float], Brief]]) -> float:
    """The temperature with the least log loss on dev, on a grid."""

    def loss(temperature: float) -> float:
        total = 0.0
        for gold, p, _ in dev:
            tiers = np.array([p["TRIVIAL"] + p["SIMPLE"], p["MEDIUM"], p["COMPLEX"]]) ** (1 / temperature)
            total -= np.log(tiers[TIERS.index(gold)] / tiers.sum())
        return total

    return min((round(0.3 + step * 0.05, 2) for step in range(30)), key=loss)


def threshold_of(tier: str, dev: list[tuple[str, dict[str, float], Brief]], safe: float) -> float:
    """The lowest threshold down to which dev stays safe; above 1, which nothing reaches, when it never is.

    Safe: `safe` of the confidently small are small and none is frontier; of the
    confidently mid that share is not frontier, of the confidently frontier not small.
    """
    wrong = {"small": ("mid", "frontier"), "mid": ("frontier",), "frontier": ("small",)}[tier]
    found = 1.01
    for step in range(999, 339, -1):
        limits = dict.fromkeys(TIERS, step / 1000)
        sure = [gold for gold, p, brief in dev if _tier(p) == tier and is_confident(_name(tier), p, brief, limits)]
        good = sum(gold not in wrong for gold in sure)
        if good < safe * len(sure) or (tier == "small" and "frontier" in sure):
            break
        found = step / 1000
    return found


def _tier(p: dict[str, float]) -> str:
    return max(TIERS, key=lambda tier: sum(value for name, value in p.items() if TIER_OF[name] == tier))


def _name(tier: str) -> str:
    return {"small": "SIMPLE", "mid": "MEDIUM", "frontier": "COMPLEX"}[tier]


def main() -> None:
    rows, dev_rows = read("train"), read("dev")
    facts = {
        "train_sha256": hashlib.sha256((PROMPTS / "train.jsonl").read_bytes()).hexdigest(),
        "dev_sha256": hashlib.sha256((PROMPTS / "dev.jsonl").read_bytes()).hexdigest(),
        "risk": RISK,
        "thresholds": {"small": 1.0, "mid": 1.0, "frontier": 1.0},
    }
    trained = Trained(rows)
    temperature = temperature_of(judged(trained.pack(facts), dev_rows))
    dev = judged(trained.pack(facts, temperature), dev_rows)
    facts["thresholds"] = {tier: threshold_of(tier, dev, safe) for tier, safe in SAFE.items()}
    facts["temperature"] = temperature
    OUTPUT.write_bytes(trained.pack(facts, temperature))
    right = sum(_tier(p) == gold for gold, p, _ in dev)
    print(f"{len(rows)} rows, temperature {temperature}, thresholds {facts['thresholds']}")
    print(f"dev: tier accuracy {right / len(dev):.3f}; {OUTPUT.name}: {OUTPUT.stat().st_size} bytes")


if __name__ == "__main__":
    main()
