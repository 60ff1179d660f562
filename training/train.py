"""Trains the classifier: `python training/train.py`, with scikit-learn from the `train` extra.

Reads tests/prompts/train.jsonl, fixes thresholds and temperature on dev.jsonl,
and writes downshift/data/classifier.bin. The test split is never opened here.
Deterministic: the same corpus gives the same bytes on the same scikit-learn.
"""

from __future__ import annotations

import hashlib
import json
import sys
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
BUCKETS = 65521  # the largest prime below 2**16
STRENGTH = 8.0
SAFE = {"small": 0.98, "mid": 0.97, "frontier": 0.95}


def read(split: str) -> list[dict]:
    """The rows of one split; `test` is refused."""
    if split == "test":
        raise SystemExit("the test split is not for training")
    return [json.loads(line) for line in (PROMPTS / f"{split}.jsonl").read_text(encoding="utf-8").splitlines()]


def bucket(feature: str) -> int:
    """As `Model.bucket`, which the tests hold this to."""
    return int.from_bytes(feature.encode("utf-8", "replace"), "little") % BUCKETS


def matrix(rows: list[dict], *, titled: bool) -> sp.csr_matrix:
    """One row for each brief, one column for each bucket."""
    cells = [{bucket(f) for f in features(Brief(row["prompt"]), row["description"] if titled else "")} for row in rows]
    lengths = [len(cell) for cell in cells]
    columns = np.fromiter((column for cell in cells for column in sorted(cell)), dtype=np.int32, count=sum(lengths))
    starts = np.concatenate([[0], np.cumsum(lengths)])
    return sp.csr_matrix((np.ones(len(columns)), columns, starts), shape=(len(rows), BUCKETS))


def rarity_of(counts: sp.csr_matrix) -> np.ndarray:
    """Inverse document frequency as a byte; 0 for what was seen less than twice."""
    seen = np.asarray(counts.sum(axis=0)).ravel()
    rarity = np.log((1 + counts.shape[0]) / (1 + seen)) + 1
    rarity[seen < 2] = 0
    return np.rint(rarity / rarity.max() * 255).astype(np.uint8)


def weighted(counts: sp.csr_matrix, rarity: np.ndarray) -> sp.csr_matrix:
    """Rows of unit length."""
    scaled = counts.multiply(rarity.astype(float)).tocsr()
    lengths = np.sqrt(np.asarray(scaled.multiply(scaled).sum(axis=1)).ravel())
    lengths[lengths == 0] = 1
    return sp.diags(1 / lengths) @ scaled


def fit(counts: sp.csr_matrix, labels: list[int], rarity: np.ndarray) -> LogisticRegression:
    """Logistic regression on weighted rows."""
    return LogisticRegression(C=STRENGTH, max_iter=2000, tol=1e-4).fit(weighted(counts, rarity), labels)


def train(rows: list[dict]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(rarity, weights of the four columns, biases)."""
    titled, plain = matrix(rows, titled=True), matrix(rows, titled=False)
    rarity = rarity_of(titled)
    counts = sp.vstack([titled, plain]).tocsr()
    tiers = [TIERS.index(TIER_OF[row["label"]]) for row in rows] * 2
    by_tier = fit(counts, tiers, rarity)
    small = [place for place, row in enumerate(rows * 2) if TIER_OF[row["label"]] == "small"]
    labels = [int((rows * 2)[place]["label"] == "TRIVIAL") for place in small]
    by_class = fit(counts[small], labels, rarity)
    weights = np.vstack([by_tier.coef_, by_class.coef_])
    return rarity, weights, np.concatenate([by_tier.intercept_, by_class.intercept_])


def pack(rarity: np.ndarray, weights: np.ndarray, bias: np.ndarray, facts: dict, temperature: float = 1.0) -> bytes:
    """The file: a line of JSON, then five bytes for each bucket."""
    tops = np.abs(weights).max(axis=1)
    scaled = np.rint(weights / tops[:, None] * 127 + model_file.ZERO).astype(np.uint8)
    scales = [float(top) / 127 / (temperature if place < len(TIERS) else 1.0) for place, top in enumerate(tops)]
    biases = [float(each) / (temperature if place < len(TIERS) else 1.0) for place, each in enumerate(bias)]
    body = np.ascontiguousarray(np.vstack([rarity[None, :], scaled]).T).tobytes()
    checksum = hashlib.sha256(body).hexdigest()
    head = {"version": 1, "buckets": BUCKETS, "scales": scales, "bias": biases, "weights_sha256": checksum, **facts}
    return json.dumps(head).encode("ascii") + b"\n" + body


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
    """The least threshold at which dev is safe; above 1, which nothing reaches, when there is none.

    Safe: `safe` of the confidently small are small and none is frontier; of the
    confidently mid that share is not frontier, of the confidently frontier not small.
    """
    wrong = {"small": ("mid", "frontier"), "mid": ("frontier",), "frontier": ("small",)}[tier]
    for step in range(340, 1000):
        limits = dict.fromkeys(TIERS, step / 1000)
        sure = [gold for gold, p, brief in dev if _tier(p) == tier and is_confident(_name(tier), p, brief, limits)]
        good = sum(gold not in wrong for gold in sure)
        if sure and good >= safe * len(sure) and not (tier == "small" and "frontier" in sure):
            return step / 1000
    return 1.01


def _tier(p: dict[str, float]) -> str:
    return max(TIERS, key=lambda tier: sum(value for name, value in p.items() if TIER_OF[name] == tier))


def _name(tier: str) -> str:
    return {"small": "SIMPLE", "mid": "MEDIUM", "frontier": "COMPLEX"}[tier]


def main() -> None:
    rows, dev_rows = read("train"), read("dev")
    facts = {
        "train_sha256": hashlib.sha256((PROMPTS / "train.jsonl").read_bytes()).hexdigest(),
        "dev_sha256": hashlib.sha256((PROMPTS / "dev.jsonl").read_bytes()).hexdigest(),
        "thresholds": {"small": 1.0, "mid": 1.0, "frontier": 1.0},
    }
    rarity, weights, bias = train(rows)
    temperature = temperature_of(judged(pack(rarity, weights, bias, facts), dev_rows))
    dev = judged(pack(rarity, weights, bias, facts, temperature), dev_rows)
    facts["thresholds"] = {tier: threshold_of(tier, dev, safe) for tier, safe in SAFE.items()}
    facts["temperature"] = temperature
    OUTPUT.write_bytes(pack(rarity, weights, bias, facts, temperature))
    right = sum(_tier(p) == gold for gold, p, _ in dev)
    print(f"{len(rows)} rows, temperature {temperature}, thresholds {facts['thresholds']}")
    print(f"dev: tier accuracy {right / len(dev):.3f}; {OUTPUT.name}: {OUTPUT.stat().st_size} bytes")


if __name__ == "__main__":
    main()
