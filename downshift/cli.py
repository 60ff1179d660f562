"""The commands with typer and rich, made from the same specs as `plain`. No logic here."""

from __future__ import annotations

import inspect
from typing import Literal

import typer
from rich.console import Console
from rich.text import Text

from downshift.commands.execute import execute
from downshift.commands.registry import ABOUT, commands

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from downshift.commands.contract import Argument, CommandModule
    from downshift.views.line import Line

_STYLES = {"title": "bold", "good": "green", "warn": "yellow", "bad": "red", "dim": "dim", "": ""}


def main(arguments: Sequence[str]) -> int:
    """Run one command; the exit status."""
    try:
        left = application()(list(arguments), prog_name="downshift", standalone_mode=True)
    except SystemExit as exited:
        left = exited.code
    return left if isinstance(left, int) else 0


def application() -> typer.Typer:
    """The typer app: one command for each spec."""
    app = typer.Typer(help=ABOUT, no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
    for module in commands().values():
        spec = module.SPEC
        app.command(name=spec.name, help=spec.help, epilog=f"Example: {spec.example}")(_handler(module))
    return app


def show(lines: Sequence[Line]) -> None:
    """Print the lines in their tones; without colour where the terminal or NO_COLOR says so."""
    console = _Console(highlight=False, soft_wrap=True)
    for line in lines:
        console.print(Text(line.text, style=_STYLES[line.tone]))


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """A reader that left early is no error; the boundary in `execute` knows what to do."""
        raise BrokenPipeError


def _handler(module: CommandModule) -> Callable[..., None]:
    """A function with the signature that typer turns into the options of the spec."""

    def handler(**values: str | bool) -> None:
        raise typer.Exit(execute(module.SPEC.name, values, show))

    parameters = [_parameter(argument) for argument in module.SPEC.arguments]
    handler.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # what typer reads
    handler.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return handler


def _parameter(argument: Argument) -> inspect.Parameter:
    if argument.name.startswith("-"):
        # One declaration only: typer must not invent a `--no-…` for a flag.
        default = typer.Option(argument.default, argument.name, help=argument.help, show_default=bool(argument.default))
    else:
        default = typer.Argument(... if argument.required else argument.default, help=argument.help)
    kind = bool if isinstance(argument.default, bool) else Literal[argument.choices] if argument.choices else str
    return inspect.Parameter(argument.key, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)
