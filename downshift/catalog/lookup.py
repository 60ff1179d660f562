"""The model catalog: what an id means, and the ladder of models below one.

Ids, aliases and prices of Claude Code as 2.1.332 applies them.
"""

from __future__ import annotations

from downshift import assets
from downshift.core.json_text import parse
from downshift.core.spawn import Model
from downshift.core.tiers import rank

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Catalog:
    """The models of one harness, from least to most capable."""

    def __init__(self, harness: str, entries: list[dict[str, Any]]) -> None:
        self.harness = harness
        self._entries = entries

    def models(self) -> tuple[Model, ...]:
        """Every model, in catalog order."""
        return tuple(self._model(entry) for entry in self._entries)

    def owned(self, raw: str) -> Model | None:
        """The model with exactly this id or alias."""
        entry = self._exact(_plain(raw))
        return self._model(entry) if entry else None

    def find(self, raw: str) -> Model | None:
        """The model that `raw` means: an id, an alias, a dated id, else the longest family it starts with.

        A model found by its family alone keeps its own id: it ranks like the
        family, and nobody claims it is the family's newest member.
        """
        name = _plain(raw)
        entry = self._exact(name) or self._exact(_undated(name))
        if entry:
            return self._model(entry)
        families = [entry for entry in self._entries if name.startswith(str(entry["family"]) + "-")]
        if not families:
            return None
        nearest = max(families, key=lambda entry: len(str(entry["family"])))
        return self._model(nearest).replace(id=_undated(name), prices=None)

    def ladder(self, top: Model) -> tuple[Model, ...]:
        """One model for each tier below `top`, then `top` itself: what a session on `top` can surely reach."""
        below: dict[str, Model] = {}
        for entry in self._entries:
            model = self._model(entry)
            if entry.get("inferred", True) and rank(model.tier) < rank(top.tier):
                below.setdefault(model.tier, model)
        return (*below.values(), top)

    def _exact(self, name: str) -> dict[str, Any] | None:
        return next((entry for entry in self._entries if name == entry["id"] or name in entry.get("aliases", ())), None)

    def _model(self, entry: dict[str, Any]) -> Model:
        priced = "input" in entry and "output" in entry
        return Model(
            id=entry["id"],
            harness=self.harness,
            tier=entry["tier"],
            wire=entry.get("wire", ""),
            prices=(entry["input"], entry["output"]) if priced else None,
            explicit_only=bool(entry.get("explicit_only")),
            efforts=tuple(entry.get("efforts", ())),
            comp_hash=str(entry.get("comp_hash", "")),
        )


def load(harness: str) -> Catalog:
    """The shipped catalog of one harness; empty for a harness it does not know."""
    shipped = parse(assets.data("catalog.json"))
    return Catalog(harness, shipped["harnesses"].get(harness, []))


def _plain(raw: str) -> str:
    """`provider/Claude-Opus-5-5[1m]` → `claude-opus-5-5`."""
    return raw.strip().lower().rpartition("/")[2].partition("[")[0]


def _undated(name: str) -> str:
    """`claude-haiku-4-5-20251001` → `claude-haiku-4-5`."""
    stem, _, date = name.rpartition("-")
    return stem if stem and len(date) == 8 and date.isdigit() else name
