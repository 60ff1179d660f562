"""The commands for people who have Python and nothing else: argparse and plain text."""

from __future__ import annotations

import argparse

from downshift.commands.execute import execute
from downshift.commands.registry import ABOUT, commands

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from downshift.commands.contract import Spec
    from downshift.views.line import Line


def main(arguments: Sequence[str]) -> int:
    """Run one command; the exit status."""
    parser = argparse.ArgumentParser(prog="downshift", description=ABOUT)
    verbs = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for module in commands().values():
        _add(verbs, module.SPEC)
    try:
        given = vars(parser.parse_args(list(arguments)))
    except SystemExit as left:
        return int(left.code or 0)
    name = given.pop("command")
    return execute(name, given, show)


def show(lines: Sequence[Line]) -> None:
    """Print the lines; the tone is lost, the meaning is not."""
    for line in lines:
        print(line.text)


def _add(verbs: argparse._SubParsersAction[argparse.ArgumentParser], spec: Spec) -> None:
    parser = verbs.add_parser(spec.name, help=spec.help, description=spec.help, epilog=f"example: {spec.example}")
    for argument in spec.arguments:
        text = argument.help.replace("%", "%%")
        if isinstance(argument.default, bool):
            parser.add_argument(argument.name, help=text, action="store_true")
        elif argument.name.startswith("-"):
            parser.add_argument(argument.name, help=text, default=argument.default)
        elif argument.required:
            parser.add_argument(argument.name, help=text)
        else:
            choices = argument.choices or None
            parser.add_argument(
                argument.name, help=text, nargs="?", default=argument.default, choices=choices, metavar=argument.name
            )
