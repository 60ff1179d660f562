"""Finding the request inside the brief: what the child must do, apart from what was pasted along with it."""

from __future__ import annotations

from downshift.core.record import Record

LIMIT = 16_000
"""Characters of the request part that are judged."""

_FENCES = ("```", "~~~")
_FILLERS = frozenset(
    "please can could would you just now also then finally first next and i we need needs want to should must so a an"
    " task your is the kindly quickly simply go ahead let's lets me help here's".split()
)
_SEPARATORS = str.maketrans(dict.fromkeys(";:!?\n\r\t", "."))
_NOISE = str.maketrans(dict.fromkeys("\"'`*()[]{}<>#|,=“”‘’«»", " "))


class Request(Record):
    """The request part of a brief, cut to words.

    `words` are lower-case; `clauses` are the same words, one tuple for each
    sentence or part of a sentence that could carry an instruction of its own.
    """

    words: tuple[str, ...]
    clauses: tuple[tuple[str, ...], ...]
    pasted: bool
    """Whether material (code, logs, quotations) was set apart."""
    rest: str
    """What lies beyond the limit: only searched for what it touches."""

    def text(self) -> str:
        """The words with single spaces around them, for phrase look-ups."""
        return " " + " ".join(self.words) + " "


def read(brief: str) -> Request:
    """The request in `brief`. Case, spacing and markdown emphasis do not change it."""
    kept, pasted = _without_material(brief)
    kept = "\n".join(" ".join(line.split()) for line in kept.lower().split("\n"))
    clauses = tuple(_clauses(kept[:LIMIT]))
    words = tuple(word for clause in clauses for word in clause)
    return Request(words=words, clauses=clauses, pasted=pasted, rest=kept[LIMIT:])


def head(clause: tuple[str, ...]) -> str:
    """The first word that can be an instruction, past pleasantries; empty when there is none."""
    return next((word for word in clause if word not in _FILLERS and not word.isdigit()), "")


def _without_material(brief: str) -> tuple[str, bool]:
    """Drop fenced blocks and quoted lines. An unclosed fence runs to the end, as Markdown has it."""
    lines, fence, pasted = [], "", False
    for line in brief.split("\n"):
        bare = line.strip()
        if fence:
            fence = "" if bare.startswith(fence) else fence
        elif bare.startswith(_FENCES):
            fence, pasted = bare[:3], True
        elif bare.startswith(">"):
            pasted = True
        else:
            lines.append(bare)
    return "\n".join(lines), pasted


def _clauses(text: str) -> list[tuple[str, ...]]:
    plain = text.translate(_SEPARATORS).translate(_NOISE)
    found = []
    for sentence in plain.replace(". ", "\n").replace("..", "\n").split("\n"):
        words: list[str] = []
        for word in sentence.split():
            bare = word.strip(".-")
            if bare in ("and", "then") and words:
                found.append(tuple(words))
                words = []
            elif bare:
                words.append(bare)
        if words:
            found.append(tuple(words))
    return found
