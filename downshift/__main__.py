"""The one way in. Hot verbs are handed over before anything is imported; everything else is for people."""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


def main(arguments: "list[str] | None" = None) -> "NoReturn":
    """Run one command line and leave with its exit status."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if arguments and arguments[0] in ("hook", "end"):
        from downshift.hot.entry import main as hot

        # Everything is written and closed: tearing the interpreter down would cost as much as starting it.
        os._exit(hot(arguments))
    sys.exit(_for_people(arguments))


def _for_people(arguments: "list[str]") -> int:
    for stream in (sys.stdout, sys.stderr):
        # A terminal or pipe that cannot show an arrow gets a question mark, not a traceback.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        from downshift.cli import main as cli
    except ModuleNotFoundError as missing:
        if missing.name not in ("typer", "rich"):
            raise
        # A plugin's user has Python and nothing else.
        from downshift.plain import main as cli
    return cli(arguments)


if __name__ == "__main__":
    main()
