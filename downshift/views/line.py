"""One line of output, before a front end draws it."""

from __future__ import annotations

from downshift.core.record import Record

WIDTH = 80
"""The columns that everything fits in."""
_GLUE = "\N{NO-BREAK SPACE}"


class Line(Record):
    """`tone` is title, good, warn, bad, dim or empty; it never carries meaning alone."""

    text: str
    tone: str = ""


def printable(text: str) -> str:
    """`text` without what would steer a terminal: names in a log come from payloads."""
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text)


def wrapped(text: str, first: str, further: str, width: int = WIDTH) -> list[str]:
    """The words of `text` in rows of at most `width` columns, each behind its own indentation."""
    rows, row = [], first
    # A separator belongs to the word before it.
    for word in (each.replace(_GLUE, " ") for each in text.replace(" · ", f"{_GLUE}· ").split(" ") if each):
        if len(row) + len(word) > width and row not in (first, further):
            rows.append(row.rstrip())
            row = further
        row += f"{word} "
    return [*rows, row.rstrip()]


def fitted(text: str, tone: str = "") -> list[Line]:
    """A sentence as lines that fit; what does not go into the first stands below it, indented."""
    return [Line(text=row, tone=tone) for row in wrapped(text, "", "  ")]
