"""What a command is: a `SPEC` that says how it is called, and `run(options) -> Result`.

The two front ends, `cli` (typer and rich) and `plain` (standard library), are
made from the specs, so they cannot differ.
"""

from __future__ import annotations

from downshift.core.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Protocol

    from downshift.views.line import Line

    class CommandModule(Protocol):
        """The names every module of a command provides."""

        SPEC: Spec
        """How it is called."""

        def run(self, options: Options) -> Result:
            """Do it. UserError for what the user can mend."""
            ...


class Argument(Record):
    """One argument: positional when its name has no dashes, a flag when `default` is a bool, else text."""

    name: str
    help: str
    default: str | bool = ""
    required: bool = False
    choices: tuple[str, ...] = ()
    """The only values it takes; empty for any text."""

    @property
    def key(self) -> str:
        """The name without its dashes."""
        return self.name.lstrip("-").replace("-", "_")


class Spec(Record):
    """How a command is called."""

    name: str
    help: str
    example: str
    arguments: tuple[Argument, ...] = ()


class Options(Record):
    """What the user said, and the world the command runs in."""

    values: Mapping[str, str | bool]
    env: Mapping[str, str]
    cwd: str

    def text(self, key: str) -> str:
        """The value of a text argument."""
        return str(self.values.get(key, ""))

    def flag(self, key: str) -> bool:
        """Whether a flag was given."""
        return bool(self.values.get(key))


class Result(Record):
    """What a command found: lines for people, `data` for `--json`, and the exit status."""

    lines: tuple[Line, ...]
    data: object = None
    code: int = 0
    frames: Iterable[tuple[Line, ...]] = ()
    """More of the same as time goes by, for a terminal; elsewhere the lines are all there is."""
    data_only: bool = False
    """Whether `data` is the answer even without --json: it is for a program."""
