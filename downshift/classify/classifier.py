"""The classifier: brief and agent type in, `Classification` out. Deterministic, local, explainable.

Two layers: evidence from the words of the request gives a probability for each
class, and a risk layer says what a mistake would cost. Small is only confident
when nothing in the request speaks against it.
"""

from __future__ import annotations

from downshift.classify import lexicon
from downshift.classify.request import Request, head, read
from downshift.core.spawn import Classification
from downshift.core.tiers import CLASSES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

_PRIOR: Final = {"TRIVIAL": 0.0, "SIMPLE": 0.2, "MEDIUM": 0.8, "COMPLEX": 0.0}
_LONG_REQUEST: Final = 90
"""Words beyond which a request is no longer surely one small thing."""
_MANY_CLAUSES: Final = 7
_CONFIDENT: Final = {"small": 0.80, "MEDIUM": 0.55, "COMPLEX": 0.70}


class Evidence:
    """What speaks for which class, in the order found."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, str, float]] = []
        self._asked: dict[str, float] = {}
        self._said: dict[str, dict[str, float]] = {}

    def asks(self, verb: str, complexity: str, weight: float) -> None:
        """An instruction. Several small ones do not add up to a hard one, nor to a surer small one."""
        self.rows.append((f"asks to “{verb}”", complexity, weight))
        self._asked[complexity] = max(weight, self._asked.get(complexity, 0.0))

    def says(self, feature: str, complexity: str, weight: float) -> None:
        """Anything else in the brief; the same feature counts once."""
        self.rows.append((feature, complexity, weight))
        self._said.setdefault(complexity, {})[feature] = weight

    def total(self, complexity: str) -> float:
        """The weight for a class."""
        return self._asked.get(complexity, 0.0) + sum(self._said.get(complexity, {}).values())


def classify(brief: str, agent_type: str) -> Classification:
    """How hard the task in `brief` is. The agent type alone proves nothing and only settles a tie."""
    request = read(brief)
    text = request.text()
    evidence = _evidence(request, text, agent_type)
    touched = text + request.rest
    risk = tuple(name for name, words in lexicon.RISK.items() if any(f" {word} " in touched for word in words))
    steered = any(f" {phrase} " in text for phrase in lexicon.STEERING)
    probabilities = _probabilities({name: _PRIOR[name] + evidence.total(name) for name in CLASSES})
    complexity = max(CLASSES, key=lambda name: probabilities[name])
    confident = _confident(complexity, probabilities, evidence, request) and not steered
    reasons = [(f"{feature} → {name}", weight) for feature, name, weight in evidence.rows]
    floored = bool(risk) and complexity in ("TRIVIAL", "SIMPLE")
    if floored:
        complexity, confident = "MEDIUM", False
        reasons.append(("risk floor", 1.0))
    if steered:
        risk = (*risk, "steering")
        reasons.append(("text that tries to choose the model", 1.0))
    return Classification(
        complexity=complexity,
        probabilities=probabilities,
        confident=confident,
        risk=risk,
        reasons=tuple(sorted(dict(reasons).items(), key=lambda reason: (-reason[1], reason[0]))),
        risk_floor=floored,
        named_model=_named_model(request),
    )


def _evidence(request: Request, text: str, agent_type: str) -> Evidence:
    evidence = Evidence()
    for clause in request.clauses:
        verb = head(clause)
        for complexity, heads in lexicon.HEADS.items():
            if verb in heads:
                evidence.asks(verb, complexity, heads[verb])
    for complexity, phrases in lexicon.PHRASES.items():
        for phrase, weight in phrases.items():
            if f" {phrase} " in text:
                evidence.says(f"“{phrase}”", complexity, weight)
    if len(request.words) > _LONG_REQUEST:
        evidence.says(f"more than {_LONG_REQUEST} words", "MEDIUM", 1.0)
    if len(request.clauses) > _MANY_CLAUSES:
        evidence.says(f"more than {_MANY_CLAUSES} clauses", "MEDIUM", 0.8)
    if agent_type == "Plan":
        evidence.says("agent type Plan", "COMPLEX", 0.4)
    return evidence


def _probabilities(scores: dict[str, float]) -> dict[str, float]:
    powers = {name: 2.718281828459045**score for name, score in scores.items()}
    total = sum(powers.values())
    return {name: power / total for name, power in powers.items()}


def _confident(complexity: str, probabilities: dict[str, float], evidence: Evidence, request: Request) -> bool:
    against_small = evidence.total("MEDIUM") + evidence.total("COMPLEX")
    if complexity in ("TRIVIAL", "SIMPLE"):
        sure = probabilities["TRIVIAL"] + probabilities["SIMPLE"] >= _CONFIDENT["small"]
        return sure and against_small == 0 and len(request.words) >= 3
    if complexity == "MEDIUM":
        return probabilities["MEDIUM"] >= _CONFIDENT["MEDIUM"] and against_small > 0 and evidence.total("COMPLEX") == 0
    return probabilities["COMPLEX"] >= _CONFIDENT["COMPLEX"]


def _named_model(request: Request) -> str:
    """A model that the brief asks for: its name within three words of a cue such as “use” or “on”."""
    words = request.words
    for place, word in enumerate(words):
        if word in lexicon.MODEL_NAMES:
            near = words[max(0, place - 3) : place] + words[place + 1 : place + 2]
            if lexicon.MODEL_CUES.intersection(near):
                return word
    return ""
