"""Writes tests/classify/answers.json: what the classifier says about every tenth development brief. Run it after a training."""

from __future__ import annotations

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

from downshift.classify.classifier import classify  # noqa: E402


def main() -> None:
    lines = (ROOT / "tests" / "prompts" / "dev.jsonl").read_text(encoding="utf-8").split("\n")
    answers = []
    for row in [json.loads(line) for line in lines if line][::10]:
        judged = classify(row["prompt"])
        answers.append(
            {
                "id": row["id"],
                "prompt": row["prompt"],
                "complexity": judged.complexity,
                "confident": judged.confident,
                "probabilities": {name: round(value, 6) for name, value in judged.probabilities.items()},
            }
        )
    text = json.dumps(answers, ensure_ascii=False, indent=1)
    (ROOT / "tests" / "classify" / "answers.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
