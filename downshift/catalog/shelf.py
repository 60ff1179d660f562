"""Every harness's catalog at hand, for views that compare models again and again."""

from __future__ import annotations

from downshift.catalog.lookup import load
from downshift.core.tokens import moved

TYPE_CHECKING = False
if TYPE_CHECKING:
    from downshift.catalog.lookup import Catalog
    from downshift.paths import State


class Shelf:
    """The catalogs of every harness, each loaded once: `shelf(harness)`."""

    def __init__(self, state: State | None = None) -> None:
        self._state = state
        self._loaded: dict[str, Catalog] = {}
        self._moves: dict[tuple[str, str, str], str] = {}

    def __call__(self, harness: str) -> Catalog:
        """The catalog of one harness; an empty one for a harness nobody knows."""
        if harness not in self._loaded:
            self._loaded[harness] = load(harness, self._state)
        return self._loaded[harness]

    def moved(self, harness: str, before: str, after: str) -> str:
        """Where tokens ran against where they would have (see `core.tokens.moved`), by the ids of the two models."""
        key = harness, before, after
        if key not in self._moves:
            catalog = self(harness)
            self._moves[key] = moved(catalog.find(before), catalog.find(after))
        return self._moves[key]
