"""The classifier: brief and agent type in, `Classification` out. Deterministic, local, explainable.

Two layers: a linear model over what the request asks for gives a probability for
each class, and rules say what a mistake would cost. What is confident was fixed
on a development split only; see docs/explanation/classifier.md.
"""

from __future__ import annotations

from downshift.classify import risk as risks
from downshift.classify.features import LIMIT, Brief, features
from downshift.classify.model import Model, load
from downshift.core.spawn import Classification
from downshift.core.tiers import TIER_OF

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_E = 2.718281828459045
_PLAUSIBLE = 0.2
"""How likely a tier must be to count where another is likelier; fixed on dev."""
_SHOWN = 8
_MODEL_NAMES = ("opus", "sonnet", "haiku", "fable")
_MODEL_CUES = frozenset(["on", "use", "using", "with", "via", "model", "run"])


def classify(text: str, agent_type: str = "", title: str = "", *, explain: bool = False) -> Classification:
    """How hard the task in `text` is. `title` is what the parent calls it; the agent type alone proves nothing."""
    del agent_type
    model, brief = load(), Brief(text)
    found = features(brief, title)
    scores = model.scores(found)
    probabilities = probabilities_of(scores)
    steered = risks.steers(brief.request)
    enough = model.facts["risk"]
    told = risks.touched(brief.asked, " ".join((*brief.request, *brief.beside)), share(scores[4]), enough)
    risk = tuple(dict.fromkeys((*told, *risks.touched_beyond(text[LIMIT:].casefold() if brief.cut else ""))))
    complexity = _class(probabilities)
    floored = bool(risk) and complexity in ("TRIVIAL", "SIMPLE")
    named = _named_model(brief.asked)
    confident = not (steered or (TIER_OF[complexity] == "small" and risks.judges(brief.asked))) and is_confident(
        complexity, probabilities, brief, model.facts["thresholds"]
    )
    return Classification(
        complexity="MEDIUM" if floored else complexity,
        probabilities=probabilities,
        confident=confident and not floored,
        risk=(*risk, "steering") if steered else risk,
        reasons=_reasons(model, found, TIER_OF[complexity]) if explain else (),
        risk_floor=floored,
        named_model=named,
    )


def probabilities_of(scores: list[float]) -> dict[str, float]:
    """A probability for each class, from the scores of the tiers and of trivial within small."""
    top = max(scores[:3])
    powers = [_E ** (score - top) for score in scores[:3]]
    small, mid, frontier = (power / sum(powers) for power in powers)
    trivial = share(scores[3])
    return {"TRIVIAL": small * trivial, "SIMPLE": small * (1 - trivial), "MEDIUM": mid, "COMPLEX": frontier}


def share(score: float) -> float:
    """The logistic function."""
    powered: float = _E ** -max(-30.0, min(30.0, score))
    return 1 / (1 + powered)


def is_confident(
    complexity: str, probabilities: Mapping[str, float], brief: Brief, thresholds: Mapping[str, float]
) -> bool:
    """Whether the expected cost of being wrong is low enough: under-routing is dear, over-routing is cheap."""
    if brief.empty():
        return False
    if complexity == "COMPLEX":
        return probabilities["COMPLEX"] >= thresholds["frontier"]
    if complexity == "MEDIUM":
        return probabilities["MEDIUM"] >= thresholds["mid"] and not brief.vague()
    small = probabilities["TRIVIAL"] + probabilities["SIMPLE"]
    return small >= thresholds["small"] and not brief.cut


def _class(probabilities: Mapping[str, float]) -> str:
    """The class of the likeliest tier; within small the likelier of its two classes.

    A brief that may be small and may need the frontier is taken for the middle:
    the dearest mistake, either way, is to be two tiers off.
    """
    small, frontier = probabilities["TRIVIAL"] + probabilities["SIMPLE"], probabilities["COMPLEX"]
    if min(small, frontier) >= _PLAUSIBLE:
        return "MEDIUM"
    if small >= max(probabilities["MEDIUM"], frontier):
        return "TRIVIAL" if probabilities["TRIVIAL"] >= probabilities["SIMPLE"] else "SIMPLE"
    return "MEDIUM" if probabilities["MEDIUM"] >= frontier else "COMPLEX"


def _reasons(model: Model, found: set[str], tier: str) -> tuple[tuple[str, float], ...]:
    """What speaks most for the tier that was found, and what against it (below 0)."""
    rows = model.contributions(found, tier)
    pro, contra = ([row for row in rows if (row[1] > 0) is for_it] for for_it in (True, False))
    shown = pro[:_SHOWN] + contra[: _SHOWN // 3]
    return tuple((f"{_in_words(name)} → {tier}", round(weight, 2)) for name, weight in shown)


def _in_words(feature: str) -> str:
    """A feature as a person would say it."""
    kind, _, value = feature.partition(":")
    if kind == "#":
        name, _, least = value.partition(">")
        return f"at least {least} {name}" if least != "0" else f"any number of {name}"
    said = {
        "a": "says “{}”",
        "b": "says “{}”",
        "r": "asks with “{}…”",
        "h": "asks to “{}”",
        "d": "title says “{}”",
    }
    return said.get(kind, "{}").format(value)


def _named_model(asked: list[list[str]]) -> str:
    """A model that the brief asks for: its name within three words of a cue such as “use” or “on”."""
    for sentence in asked:
        for place, word in enumerate(sentence):
            near = sentence[max(0, place - 3) : place] + sentence[place + 1 : place + 2]
            if word in _MODEL_NAMES and _MODEL_CUES.intersection(near):
                return word
    return ""
