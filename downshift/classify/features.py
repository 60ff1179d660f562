"""What the linear model sees of a brief. Pure Python without `re`, since a hook pays for both.

The request is told apart from what stands beside it: pasted material (fenced
blocks, quotations) and sections such as context, constraints or return format
are material, not what is asked. Case, spacing, emphasis and pleasantries change
nothing. Training and scoring both come through here, so they cannot differ.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

LIMIT = 8_000
"""Characters of a brief that are judged, pasted ones apart; the rest is only searched for what it touches."""

_FENCES = ("```", "~~~")
# First words of headings, by what their section holds.
_SECTIONS = {
    word: kind
    for kind, words in {
        "beside": (
            "context background situation history findings known notes note setup environment motivation evidence material"
            " reference logs log current constraints rules limits boundaries avoid ownership return report output format"
            " reply answer reporting response handback acceptance done criteria definition verification kontext contexte"
            " contexto contesto antecedentes hintergrund rückgabe retour devuelve retorno 背景 出力 返回 约束 제약 배경"
        ),
        "task": (
            "task goal objective ask mission request job todo steps work assignment scope deliverable deliverables what"
            " aufgabe ziel auftrag tâche objectif tarea objetivo tarefa compito obiettivo 依頼 作業 任务 目标 작업 목표"
        ),
    }.items()
    for word in words.split()
}
_EDGES = "\"'`*_()[]{}<>,.;:!?-|=#“”‘’«»、。，；：？！「」（）"
_PREFIX = 6
_FEW_WORDS = 9
_NO_REQUEST = 3
_PLEASANTRIES = frozenset(
    "please kindly can could would will you just hi hello hey thanks thank very much many so in advance"
    " good luck cheers bitte danke vielen dank könntest könnten s'il te vous plaît merci pourriez peux por"
    " favor gracias podrías puedes obrigado você poderia per favore grazie potresti puoi".split()
)


class Brief:
    """A brief cut into the request and what stands beside it; `asked` is the request as sentences of words."""

    def __init__(self, text: str) -> None:
        self.request: list[str] = []
        self.beside: list[str] = []
        self.cut = False
        """Whether there was more than is judged."""
        kind, fence, size = "task", "", 0
        for line in text.casefold().split("\n"):
            bare = " ".join(line.split())
            if fence:
                fence = "" if bare.startswith(fence) else fence
            elif bare.startswith(_FENCES):
                fence = bare[:3]
            elif bare and not bare.startswith(">"):
                size += len(bare)
                if size > LIMIT:
                    self.cut = True
                    break
                kind, rest = _section(bare, kind)
                if rest:
                    (self.beside if kind == "beside" else self.request).append(rest)
        if not self.request:
            self.request, self.beside = self.beside, []
        self.asked = sentences(self.request)

    def empty(self) -> bool:
        """Whether there are hardly any words at all."""
        return self._size() < _NO_REQUEST

    def vague(self) -> bool:
        """Whether the request is a few words without a path, a number or a name in them: too little to judge by."""
        return self._size() < _FEW_WORDS and not any(word[0] == "<" for sentence in self.asked for word in sentence)

    def _size(self) -> int:
        """How many words the request has; where no spaces part them, about four pieces make one."""
        words = [word for sentence in self.asked for word in sentence]
        wide = sum(_is_wide(word[0]) for word in words)
        return len(words) - wide + wide // 4


def _section(line: str, kind: str) -> tuple[str, str]:
    """The kind of section that goes on with this line, and what of the line is text."""
    bare = line.strip("#*_=- ")
    heading, colon, rest = bare.partition(":")
    if not colon:
        heading, colon, rest = bare.partition("：")
    words = heading.strip("*_ ").split()
    if not words or len(words) > 4 or not (colon or line[0] in "#*="):
        return kind, line
    found = next((_SECTIONS[word] for word in words if word in _SECTIONS), "")
    if not found:
        return ("task" if line[0] == "#" else kind), line
    return found, rest.strip("*_ ")


def sentences(lines: Iterable[str]) -> list[list[str]]:
    """Lower-case words of each sentence. A path, a number and an identifier are each one sign, whatever they say."""
    found: list[list[str]] = []
    for line in lines:
        words: list[str] = []
        for raw in line.split():
            word = raw.strip(_EDGES)
            if word.isascii() and word.isalpha():  # nearly every word
                words.append(word)
            elif word:
                words += _signs(word)
            if raw[-1] in ".?!;。？！" and words:
                found.append(words)
                words = []
        if words:
            found.append(words)
    return found


def _signs(word: str) -> list[str]:
    if not word.isascii() and any(map(_is_wide, word)):
        return [sign for run, wide in _runs(word) for sign in (_bigrams(run) if wide else [_sign(run)])]
    return [_sign(word)]


def _sign(word: str) -> str:
    if "/" in word or ("." in word and not word.replace(".", "").isdigit()):
        return "<path>"
    if any(letter.isdigit() for letter in word):
        return "<number>"
    return "<name>" if "_" in word else word


def _runs(word: str) -> list[tuple[str, bool]]:
    """A word of a script without spaces, cut where other letters begin or end: `auth.tsの変数` has two runs."""
    runs: list[tuple[str, bool]] = []
    for letter in word:
        wide = _is_wide(letter)
        if runs and runs[-1][1] is wide:
            runs[-1] = (runs[-1][0] + letter, wide)
        else:
            runs.append((letter, wide))
    stripped = ((run if wide else run.strip(_EDGES), wide) for run, wide in runs)
    return [(run, wide) for run, wide in stripped if run]


def _bigrams(run: str) -> list[str]:
    return [run[place : place + 2] for place in range(max(1, len(run) - 1))]


def _is_wide(letter: str) -> bool:
    return "\u3040" <= letter <= "\u9fff" or "\uac00" <= letter <= "\ud7a3"


def features(brief: Brief, title: str) -> set[str]:
    """The features of a brief; `title` is the few words that a parent gives beside it, empty when there are none."""
    asked = [_plainly(sentence) for sentence in brief.asked]
    asked = [sentence for sentence in asked if sentence]
    found: set[str] = set()
    named = sentences([" ".join(title.casefold().split())])
    for sentence in (*named, *asked, *map(_plainly, sentences(brief.beside))):
        _pairs(found, sentence)
    found.update("d:" + word for sentence in named for word in sentence)
    for sentence in asked:
        found.update(["r:" + word[:_PREFIX] for word in sentence])
        found.add("h:" + sentence[0])
        found.add("h:" + " ".join(sentence[:2]))
    _shape(found, brief, asked)
    return found


def _plainly(sentence: list[str]) -> list[str]:
    """A sentence without the pleasantries it begins with."""
    start = next((place for place, word in enumerate(sentence) if word not in _PLEASANTRIES), len(sentence))
    return sentence[start:]


def _pairs(found: set[str], sentence: list[str]) -> None:
    """The words of everything that is not pasted, alone and in pairs."""
    before = ""
    for word in sentence:
        found.add("a:" + word)
        if before:
            found.add(f"b:{before} {word}")
        before = word


def _shape(found: set[str], brief: Brief, asked: list[list[str]]) -> None:
    words = [word for sentence in asked for word in sentence]
    counts = {
        "words": len(words),
        "sentences": len(asked),
        "paths": words.count("<path>"),
        "numbers": words.count("<number>"),
        "names": words.count("<name>"),
        "questions": sum(line.count("?") + line.count("？") for line in brief.request),
    }
    for name, count in counts.items():
        found.update(f"#:{name}>{1 << step >> 1}" for step in range(count.bit_length() + 1))
