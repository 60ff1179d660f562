"""The one way in. Hot verbs are handed over before anything is imported; everything else is for people."""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


# A test holds these to `hot.entry.VERBS`, which is not imported for people.
HOT = ("hook", "end", "statusline", "claude-code-post-tool-use", "claude-code-subagent-stop")


def main(arguments: "list[str] | None" = None) -> "NoReturn":
    """Run one command line and leave with its exit status."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if sys.version_info < (3, 9):  # noqa: UP036  # what comes next could not even be read
        sys.exit(0 if arguments[:1] and arguments[0] in HOT else "downshift: install Python 3.9 or later")
    if arguments and arguments[0] in HOT:
        from downshift.hot.entry import main as hot

        # Everything is written and closed: tearing the interpreter down would cost as much as starting it.
        os._exit(hot(arguments))
    sys.exit(_for_people(arguments))


def _for_people(arguments: "list[str]") -> int:
    if arguments[:1] in (["--version"], ["-V"]):
        arguments = ["version"]
    for stream in (sys.stdout, sys.stderr):
        # A terminal or pipe that cannot show an arrow gets a question mark, not a traceback.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        _new_enough()
        from downshift.cli import main as cli
    except ImportError as missing:
        # Not there, or so old that what we need of it is not there.
        if (missing.name or "").partition(".")[0] not in ("typer", "rich", "click"):
            raise
        # A plugin's user has Python and nothing else.
        from downshift.plain import main as cli
    return cli(arguments)


def _new_enough() -> None:
    """ImportError when typer is older than pyproject.toml asks for: it breaks on a newer click."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        major, minor = version("typer").split(".")[:2]
        old = (int(major), int(minor)) < (0, 16)
    except (PackageNotFoundError, ValueError):
        return
    if old:
        raise ImportError("typer is too old", name="typer")


if __name__ == "__main__":
    main()
