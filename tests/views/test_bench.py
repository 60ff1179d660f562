"""The figures of the bench, checked by hand on few rows."""

from __future__ import annotations

import json

import pytest

from downshift import cli, plain
from downshift.views.bench import curve, report


def row(gold: str, tier: str, confident: bool, small: float, **fields) -> dict:
    names = {"small": "SIMPLE", "mid": "MEDIUM", "frontier": "COMPLEX"}
    rest = (1 - small) / 2
    return {
        "gold": gold, "gold_class": "", "gold_risk": None, "tier": tier, "complexity": names[tier], "confident": confident,
        "probabilities": {"TRIVIAL": 0.0, "SIMPLE": small, "MEDIUM": rest, "COMPLEX": rest}, "risk": [], "kind": "edit",
        "language": "en", "held_back": False, **fields,
    }  # fmt: skip


ROWS = [
    row("small", "small", True, 0.99),
    row("small", "small", True, 0.95),
    row("mid", "small", True, 0.94),
    row("small", "mid", False, 0.40),
    row("small", "small", False, 0.60, kind="run", language="de"),
    row("mid", "mid", True, 0.10),
    row("frontier", "mid", True, 0.20),
    row("frontier", "frontier", True, 0.01, gold_risk=["payment"], risk=["payment"], gold_class="COMPLEX"),
    row("frontier", "small", False, 0.70, gold_risk=[], risk=["secret"]),
]


def test_the_figures_are_what_a_person_would_count():
    data = report(ROWS)
    assert data["n"] == 9
    assert data["tier_accuracy"]["value"] == pytest.approx(5 / 9, abs=1e-4)
    assert data["confusion"]["small"] == {"small": 3, "mid": 1, "frontier": 0}
    assert data["frontier_to_small_confident"] == 0
    assert data["frontier_to_mid"]["value"] == pytest.approx(1 / 3, abs=1e-4)
    assert data["small_confident_share"]["n"] == 3
    assert data["small_confident_share"]["precision"]["value"] == pytest.approx(2 / 3, abs=1e-4)
    assert data["small_confident_share"]["coverage"]["value"] == 0.5
    assert data["mid_confident"] == {"n": 2, "not_frontier": data["mid_confident"]["not_frontier"]}
    assert data["mid_confident"]["not_frontier"]["value"] == 0.5
    assert data["abstention"]["value"] == pytest.approx(3 / 9, abs=1e-4)
    assert data["class_accuracy"]["value"] == 1.0
    assert data["risk"] == {"precision": 0.5, "recall": 1.0}
    assert data["by_language"]["de"] == {"n": 1, "tier_accuracy": 1.0, "abstention": 1.0}
    interval = data["tier_accuracy"]
    assert 0 <= interval["low"] < interval["value"] < interval["high"] <= 1


def test_the_curve_takes_the_surest_first_and_those_held_back_last():
    points = {point["coverage"]: point for point in curve(ROWS, "small")}
    assert points[50] == {"coverage": 50, "precision": 1.0, "mid": 0, "frontier": 0}
    assert points[70] == {"coverage": 70, "precision": 0.6, "mid": 1, "frontier": 1}
    held = [{**ROWS[0], "held_back": True}, *ROWS[1:]]
    assert curve(held, "small")[0]["precision"] == 1.0


@pytest.mark.parametrize("front", [plain.main, cli.main])
@pytest.mark.parametrize("shape", ["lines", "array"])
def test_bench_reads_lines_and_arrays_and_prints_rows(front, shape, sandbox, capsys):
    rows = [
        {"prompt": "List the files in src/", "label": "trivial", "id": "a"},
        {"prompt": "a\u2028b redesign the locking", "label": "frontier", "risk": []},
    ]
    text = json.dumps(rows) if shape == "array" else "\n".join(json.dumps(each, ensure_ascii=False) for each in rows)
    (sandbox / "briefs").write_text("\ufeff" + text, encoding="utf-8")
    assert front(["bench", str(sandbox / "briefs"), "--rows"]) == 0
    shown = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [list(each) for each in shown] == [
        ["id", "label", "complexity", "tier", "confident", "probabilities", "risk", "reasons"]
    ] * 2
    assert (shown[0]["id"], shown[0]["tier"]) == ("a", "small")
    assert front(["bench", str(sandbox / "briefs"), "--json", "--robustness"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["n"], data["robustness"]["case"], data["robustness"]["spacing"]) == (2, 1.0, 1.0)


@pytest.mark.parametrize(
    "text", ["{", "[1]", '{"prompt": 3, "label": "mid"}', '{"prompt": "x", "label": "huge"}', '{"prompt": "x"}']
)
def test_bench_says_what_is_wrong_with_a_file(text, sandbox, capsys):
    (sandbox / "briefs").write_text(text)
    assert plain.main(["bench", str(sandbox / "briefs")]) == 1
    assert str(sandbox / "briefs") in capsys.readouterr().err


def test_bench_without_a_file_uses_the_development_split(capsys):
    assert plain.main(["bench", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["n"] >= 400
    assert data["frontier_to_small_confident"] == 0
    assert data["small_confident_share"]["precision"]["value"] >= 0.97
