"""The two front ends of the commands, and what one of them said."""

from __future__ import annotations

from downshift import cli, plain

FRONTS = {"plain": plain.main, "cli": cli.main}


def said(front, capsys, *arguments: str) -> tuple[int, str, str]:
    """Status, output and error of one command."""
    code = front(list(arguments))
    shown = capsys.readouterr()
    return code, shown.out, shown.err
