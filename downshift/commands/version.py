"""`downshift version`."""

from __future__ import annotations

import os
import sys

from downshift import __version__, assets
from downshift.commands.contract import Argument, Options, Result, Spec
from downshift.views.line import Line

SPEC = Spec(
    name="version",
    help="Version and build.",
    example="downshift version",
    arguments=(Argument(name="--json", help="Print one JSON document.", default=False),),
)


def run(options: Options) -> Result:
    """Version, where it runs from, and the interpreter."""
    del options
    python = ".".join(str(part) for part in sys.version_info[:3])
    kind = "checkout or plugin" if os.path.isdir(os.path.join(assets.root(), "bin")) else "installed package"
    data = {"version": __version__, "python": python, "root": assets.root(), "kind": kind}
    return Result(lines=(Line(text=f"downshift {__version__} ({kind}, Python {python})"),), data=data)
