"""The compiled code of everything a hook can import, in one file.

Python looks for, opens and checks each module of a package on its own; for the
fifty small ones of a hook that costs more than half a start of the interpreter.
Python's remedy for one module is a file in `__pycache__`; this is the same
remedy for all of them: one file there, good only while every source it was made
from has the size and time it had then, and made anew by the next hook that finds
it stale. Without it, and where it cannot be written, imports work as they always
do, and the answers are the same.
"""

from __future__ import annotations

import marshal
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

    # name → (source below the package's folder, whether it is a package, marshalled code)
    Modules = dict[str, tuple[str, bool, bytes]]

_SPEC: Any = type(__spec__)
_PACKAGE = os.path.dirname(os.path.abspath(__file__))
_FOR_PEOPLE = ("cli.py", "plain.py", "commands", "discovery", "schemas", "__pycache__", "_assets")


def path() -> str:
    """Where the bundle of this interpreter is kept."""
    return os.path.join(_PACKAGE, "__pycache__", f"hot.{sys.implementation.cache_tag}.bundle")


class Bundle:
    """Finds and loads the modules of a bundle, as the import system asks for them."""

    def __init__(self, modules: Modules) -> None:
        self.modules = modules

    def find_spec(self, name: str, *_: object) -> Any:
        """The spec of a module that is in the bundle; None leaves it to the next finder."""
        found = self.modules.get(name)
        if found is None:
            return None
        below, is_package, _code = found
        source = os.path.join(_PACKAGE, below)
        spec = _SPEC(name, self, origin=source, is_package=is_package)
        spec.has_location = True
        if is_package:
            spec.submodule_search_locations = [os.path.dirname(source)]
        return spec

    def create_module(self, _: object) -> None:
        """Modules are made as usual."""

    def exec_module(self, module: ModuleType) -> None:
        """Run the code of one module."""
        exec(marshal.loads(self.modules[module.__name__][2]), module.__dict__)  # noqa: S102, S302  # what importing is


def install() -> bool:
    """Let imports be served from the bundle; False when there is none that is good."""
    try:
        with open(path(), "rb") as file:
            stamps, modules = marshal.loads(file.read())  # noqa: S302  # as trusted as the .pyc files beside it
        if any(_stamp(below) != stamp for below, stamp in stamps.items()):
            return False
    except (OSError, ValueError, EOFError, TypeError):
        return False
    sys.meta_path.insert(0, Bundle(modules))
    return True


def save() -> None:
    """Write the bundle anew, whole or not at all. Best effort: an installation that cannot be written goes without."""
    temporary = f"{path()}.{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(path()), exist_ok=True)
        # Opened first: where nothing can be written, compiling for nothing would cost every hook a tenth of a second.
        with open(temporary, "wb") as file:
            file.write(marshal.dumps(_made()))
        os.replace(temporary, path())
    except (OSError, ValueError, SyntaxError):
        return


def _made() -> tuple[dict[str, tuple[int, int]], Modules]:
    stamps: dict[str, tuple[int, int]] = {}
    modules: Modules = {}
    for folder, folders, files in os.walk(_PACKAGE):
        folders[:] = [name for name in folders if name not in _FOR_PEOPLE]
        for file in files:
            if not file.endswith(".py") or file in _FOR_PEOPLE:
                continue
            # Relative paths: a plugin's folder is copied to other places, this file with it.
            below = os.path.relpath(os.path.join(folder, file), _PACKAGE)
            stamps[below] = _stamp(below)
            with open(os.path.join(_PACKAGE, below), "rb") as text:
                code = compile(text.read(), f"downshift/{below}", "exec", dont_inherit=True, optimize=2)
            modules[_name(below)] = (below, file == "__init__.py", marshal.dumps(code))
    return stamps, modules


def _name(below: str) -> str:
    parts = ["downshift", *below[: -len(".py")].split(os.sep)]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _stamp(below: str) -> tuple[int, int]:
    status = os.stat(os.path.join(_PACKAGE, below))
    return status.st_mtime_ns, status.st_size
