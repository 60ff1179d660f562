"""Small immutable records for the hot path.

`dataclasses` would add more to a hook's start-up than all of our own modules
together, so this is the part of it that we need: keyword construction, defaults
from the class body, equality, a readable `repr` and `replace`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing_extensions import Self, dataclass_transform
else:

    def dataclass_transform(**_):
        return lambda cls: cls


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Record:
    """Base of every record. The type checker treats a subclass as a frozen, keyword-only dataclass."""

    def __init__(self, **values: object) -> None:
        self.__dict__.update(values)

    def replace(self, **changes: object) -> Self:
        """A copy with some fields changed."""
        copy = type(self)(**self.__dict__)
        copy.__dict__.update(changes)
        return copy

    def _values(self) -> dict[str, object]:
        names = [name for base in reversed(type(self).__mro__) for name in vars(base).get("__annotations__", ())]
        return {name: getattr(self, name, None) for name in names}

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and isinstance(other, Record) and self._values() == other._values()

    __hash__ = None  # type: ignore[assignment]  # records hold dicts; nothing of ours uses them as keys

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in self._values().items())
        return f"{type(self).__name__}({fields})"
