"""One line of output, before a front end draws it."""

from __future__ import annotations

from downshift.core.record import Record


class Line(Record):
    """`tone` is title, good, warn, bad, dim or empty; it never carries meaning alone."""

    text: str
    tone: str = ""


def printable(text: str) -> str:
    """`text` without what would steer a terminal: names in a log come from payloads."""
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text)
