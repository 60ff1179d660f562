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
    from types import CodeType, ModuleType
    from typing import Any

    # name, source below the package's folder, whether it is a package, code
    Ready = tuple[str, str, bool, CodeType]

_SPEC: Any = type(__spec__)
_MODULE: Any = type(sys)
_PACKAGE = os.path.dirname(os.path.abspath(__file__))
_MARK = b"downshift"
_DIGITS = 8
_HEAD = len(_MARK) + 2 * _DIGITS
_FOR_PEOPLE = ("cli.py", "plain.py", "commands", "discovery", "history", "schemas", "__pycache__", "_assets")


def path() -> str:
    """Where the bundle of this interpreter is kept."""
    return os.path.join(_PACKAGE, "__pycache__", f"hot.{sys.implementation.cache_tag}.bundle")


class Bundle:
    """Finds and loads the modules that only some hooks need, as the import system asks for them."""

    def __init__(self, start: int) -> None:
        self._start = start
        self._modules: dict[str, bytes] | None = None
        self._found: dict[str, CodeType] = {}

    @property
    def modules(self) -> dict[str, bytes]:
        """The second part of the bundle, read once somebody asks for it; empty when it cannot be read."""
        if self._modules is None:
            try:
                self._modules = marshal.loads(_part(self._start, -1))  # noqa: S302  # see install
            except (OSError, ValueError, EOFError, TypeError):
                self._modules = {}
        return self._modules

    def find_spec(self, name: str, *_: object) -> Any:
        """The spec of a module that is in the bundle; None leaves it to the next finder."""
        if not name.startswith("downshift.") or name not in self.modules:
            return None
        _, below, is_package, self._found[name] = marshal.loads(self.modules[name])  # noqa: S302  # see install
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
        exec(self._found[module.__name__], module.__dict__)  # noqa: S102  # what importing is


def install() -> bool:
    """Load what every hook needs, and let the rest be found in the bundle; False when there is none that is good."""
    try:
        head = _part(0, _HEAD)
        if not head.startswith(_MARK):
            return False
        told, always = int(head[-2 * _DIGITS : -_DIGITS], 16), int(head[-_DIGITS:], 16)
        stamps = marshal.loads(_part(_HEAD, told))  # noqa: S302  # as trusted as the .pyc files beside it
        if any(_stamp(below) != stamp for below, stamp in stamps.items()):
            return False
        modules = marshal.loads(_part(_HEAD + told, always))  # noqa: S302
    except (OSError, ValueError, EOFError, TypeError):
        return False
    sys.meta_path.insert(0, Bundle(_HEAD + told + always))
    for ready in modules:
        if ready[0] not in sys.modules:
            _load(ready)
    return True


def discard() -> None:
    """Remove the bundle after a failure: should it be what was damaged, the next hook works again."""
    try:
        os.unlink(path())
    except OSError:
        return


def _part(start: int, size: int) -> bytes:
    """A part of the bundle, in one read: `marshal.load` would ask the file for every few bytes."""
    handle = os.open(path(), os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    try:
        length = os.lseek(handle, 0, os.SEEK_END)  # refused by a pipe
        os.lseek(handle, start, os.SEEK_SET)
        return os.read(handle, length if size < 0 else size)
    finally:
        os.close(handle)


def _load(ready: Ready) -> None:
    """What the import system does for a module whose code is at hand, without asking it."""
    name, below, is_package, code = ready
    module = _MODULE(name)
    module.__file__ = os.path.join(_PACKAGE, below)
    module.__package__ = name if is_package else name.rpartition(".")[0]
    if is_package:
        module.__path__ = [os.path.dirname(module.__file__)]
    sys.modules[name] = module
    exec(code, module.__dict__)  # noqa: S102  # what importing is
    parent, _, child = name.rpartition(".")
    if parent in sys.modules:
        setattr(sys.modules[parent], child, module)


def save() -> None:
    """Write the bundle anew, whole or not at all. Best effort: an installation that cannot be written goes without."""
    temporary = f"{path()}.{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(path()), exist_ok=True)
        # Opened first: where nothing can be written, compiling for nothing would cost every hook a tenth of a second.
        with open(temporary, "wb") as file:
            file.write(_made())
        os.replace(temporary, path())
    except (OSError, ValueError, SyntaxError):
        return


def _made() -> bytes:
    """The stamps and what this process has imported, in an order that suits; then every other module by name."""
    stamps, modules = {}, {}
    for below in _sources():
        stamps[below] = _stamp(below)
        with open(os.path.join(_PACKAGE, below), "rb") as text:
            code = compile(text.read(), f"downshift/{below}", "exec", dont_inherit=True, optimize=2)
        name = _name(below)
        modules[name] = (name, below, below.endswith("__init__.py"), code)
    # The import system puts a module at the end of sys.modules once it is loaded, so this order has every module
    # behind what it needs. Where another Python does otherwise, `Bundle` finds what is missing.
    ordered = [modules[name] for name in sys.modules if name in modules]
    rest = {name: marshal.dumps(each) for name, each in modules.items() if name not in sys.modules}
    told, always = marshal.dumps(stamps), marshal.dumps(ordered)
    return _MARK + b"%08x%08x" % (len(told), len(always)) + told + always + marshal.dumps(rest)


def _sources() -> list[str]:
    """Every source that a hook may need, relative: a plugin's folder is copied to other places, the bundle with it."""
    found = []
    for folder, folders, files in os.walk(_PACKAGE):
        folders[:] = [name for name in folders if name not in _FOR_PEOPLE]
        paths = (os.path.join(folder, file) for file in files if file.endswith(".py") and file not in _FOR_PEOPLE)
        found += [os.path.relpath(each, _PACKAGE) for each in paths]
    return sorted(found)


def _name(below: str) -> str:
    parts = ["downshift", *below[: -len(".py")].split(os.sep)]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _stamp(below: str) -> tuple[int, int]:
    status = os.stat(os.path.join(_PACKAGE, below))
    return status.st_mtime_ns, status.st_size
