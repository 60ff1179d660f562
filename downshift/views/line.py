"""One line of output, before a front end draws it."""

from __future__ import annotations

from downshift.core.record import Record


class Line(Record):
    """`tone` is title, good, warn, bad, dim or empty; it never carries meaning alone."""

    text: str
    tone: str = ""
