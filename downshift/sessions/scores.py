"""The capability path: a second way to pick a model of the session, by public scores.

It takes the cheapest candidate whose score reaches the level that the task's
tier needs, measured over the session's own range. It adds no candidate, and it
abstains on COMPLEX work, on any risk, on a lift, and when any candidate has no
score or no price. By default its pick is only recorded.
"""

from __future__ import annotations

from downshift import assets, paths
from downshift.core.json_text import parse
from downshift.core.record import Record
from downshift.core.spawn import Model
from downshift.state_files import MISSING, File, read_object

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from downshift.paths import State

NAME = "scores.json"
# Where in the session's own range, from its lowest score (0) to its highest (1), a tier's level lies.
LEVELS = {"small": 0.0, "mid": 0.5}


class Scores(Record):
    """Public scores by session id. Empty when they are off, missing or damaged."""

    by_id: Mapping[str, float] = {}
    problem: str = ""


def load(harness: str, state: State | None, env: Mapping[str, str]) -> Scores:
    """The scores of one harness's models: what the state directory holds, through the shipped id map."""
    if env.get(paths.SCORES, "").lower() == "off":
        return Scores()
    file = read_object(state.file(NAME)) if state else File(NAME, MISSING)
    if file.status == MISSING:
        return Scores()
    rows = file.data.get("scores")
    if not isinstance(rows, dict):
        return Scores(problem=file.problem() or f"{NAME} is not valid and is not used")
    names = parse(assets.data("idmap.json")).get(harness, {})
    found = {raw: rows.get(name) for raw, name in names.items()}
    valid = {
        raw: float(score) for raw, score in found.items() if isinstance(score, (int, float)) and -1e9 < score < 1e9
    }
    return Scores(by_id=valid)


def pick(candidates: tuple[Model, ...], tier: str, scores: Mapping[str, float]) -> Model | None:
    """The cheapest candidate that reaches the tier's level; None where the path abstains."""
    if tier not in LEVELS or not candidates:
        return None
    known = [
        (scores[model.id], sum(model.prices), model) for model in candidates if model.id in scores and model.prices
    ]
    if len(known) != len(candidates):
        return None
    lowest, highest = min(row[0] for row in known), max(row[0] for row in known)
    level = lowest + LEVELS[tier] * (highest - lowest)
    return min((row for row in known if row[0] >= level), key=lambda row: (row[1], row[2].id))[2]
