"""The model catalog: what an id means, and the ladder of models below one.

Ids, aliases and prices of Claude Code as 2.1.332 applies them.
"""

from __future__ import annotations

from downshift import assets
from downshift.core.json_text import parse
from downshift.core.spawn import Model
from downshift.core.tiers import TIERS, rank
from downshift.state_files import MISSING, read_object

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from downshift.paths import State

NAME = "catalog.json"


class Catalog:
    """The models of one harness, from least to most capable."""

    def __init__(self, harness: str, harnesses: Mapping[str, list[dict[str, Any]]], problem: str = "") -> None:
        self.harness = harness
        self.problem = problem
        self._harnesses = harnesses
        self._entries = harnesses.get(harness, [])

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

    def family(self, raw: str) -> str:
        """The family of an id; empty when the catalog does not know it."""
        name = _plain(raw)
        entry = self._exact(name) or self._exact(_undated(name))
        families = [str(each["family"]) for each in self._entries if name.startswith(str(each["family"]) + "-")]
        return str(entry["family"]) if entry else max(families, key=len, default="")

    def owner(self, raw: str) -> str:
        """The harness that an id belongs to: another one's only when it knows it exactly and this one not at all."""
        if self.find(raw) is None:
            for harness in self._harnesses:
                if harness != self.harness and Catalog(harness, self._harnesses).owned(raw):
                    return harness
        return self.harness

    def ladder(self, top: Model) -> tuple[Model, ...]:
        """One model for each tier below `top`, then `top` itself: what a session on `top` can surely reach."""
        below: dict[str, Model] = {}
        for entry in self._entries:
            model = self._model(entry)
            if entry.get("inferred", True) and rank(model.tier) < rank(top.tier):
                below.setdefault(model.tier, model)
        return (*below.values(), top)

    def _exact(self, name: str) -> dict[str, Any] | None:
        return next((each for each in self._entries if name == each["id"] or name in each.get("aliases", ())), None)

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


def load(harness: str, state: State | None = None) -> Catalog:
    """The catalog of one harness: what ships, with the operator's own catalog.json over it by (harness, id)."""
    shipped = parse(assets.data("catalog.json"))["harnesses"]
    file = read_object(state.file(NAME)) if state else None
    if file is None or file.status == MISSING:
        return Catalog(harness, shipped)
    own = file.data.get("harnesses", {})
    problem = file.problem() or ("" if _valid(own) else f"{NAME} is not valid and is not used")
    if problem:
        return Catalog(harness, shipped, problem)
    merged = {name: _merged(shipped.get(name, []), own.get(name, [])) for name in {**shipped, **own}}
    return Catalog(harness, merged)


def _valid(harnesses: object) -> bool:
    if not isinstance(harnesses, dict):
        return False
    lists = list(harnesses.values())
    return all(isinstance(each, list) and all(_is_entry(entry) for entry in each) for each in lists)


def _is_entry(entry: object) -> bool:
    """An id is enough to override an entry; a tier is needed where there is none to override."""
    if not isinstance(entry, dict) or not isinstance(entry.get("id"), str) or not entry["id"]:
        return False
    prices = [entry[key] for key in ("input", "output") if key in entry]
    words = [entry.get(key, "") for key in ("wire", "family")]
    lists = [entry.get(key, []) for key in ("aliases", "efforts")]
    return (
        entry.get("tier", TIERS[0]) in TIERS
        and all(isinstance(price, (int, float)) and price >= 0 for price in prices)
        and all(isinstance(word, str) for word in words)
        and all(isinstance(each, list) and all(isinstance(word, str) for word in each) for each in lists)
    )


def _merged(shipped: list[dict[str, Any]], own: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The entries by id, each after those of lower tiers; the operator's word wins."""
    by_id = {entry["id"]: entry for entry in shipped}
    for entry in own:
        known = by_id.get(entry["id"], {"family": entry["id"], "tier": ""})
        by_id[entry["id"]] = {**known, **entry}
    return sorted((entry for entry in by_id.values() if entry["tier"]), key=lambda entry: rank(entry["tier"]))


def _plain(raw: str) -> str:
    """`provider/Claude-Opus-5-5[1m]` → `claude-opus-5-5`."""
    return raw.strip().lower().rpartition("/")[2].partition("[")[0]


def _undated(name: str) -> str:
    """`claude-haiku-4-5-20251001` → `claude-haiku-4-5`."""
    stem, _, date = name.rpartition("-")
    return stem if stem and len(date) == 8 and date.isdigit() else name
