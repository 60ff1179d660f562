"""Joining what was decided with what was observed."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from downshift.catalog.lookup import Catalog


def honored(decision: Mapping[str, Any], ran_on: str, catalog: Catalog) -> bool | None:
    """Whether the child ran on what was written; None when the catalog cannot compare the two.

    A harness resolves the name we write to an id of its own (Claude Code 2.1.289:
    `haiku` became claude-haiku-4-5-20251001), so names that go by one wire name
    are one model here.
    """
    wanted, got = catalog.find(str(decision.get("final_model", ""))), catalog.find(ran_on)
    if wanted is None or got is None:
        return None
    return wanted.id == got.id or bool(wanted.wire and wanted.wire == got.wire)


class Linked:
    """One decision and what was seen of its child."""

    def __init__(self, decision: dict[str, Any]) -> None:
        self.decision = decision
        self.resolved: dict[str, Any] | None = None

    @property
    def agent_hash(self) -> str:
        """The child's agent id, hashed; empty until the harness has named it."""
        return str((self.resolved or {}).get("agent_hash", ""))


def link(events: Iterable[dict[str, Any]]) -> list[Linked]:
    """Every decision, oldest first, with the first observation that names it. A repeated decision counts once."""
    linked: dict[str, Linked] = {}
    observed = []
    for event in events:
        if event.get("outcome") == "resolved":
            observed.append(event)
        elif "complexity" in event:
            linked.setdefault(str(event.get("correlation_id", len(linked))), Linked(event))
    for event in observed:
        entry = linked.get(str(event.get("linked_decision")))
        if entry is not None and entry.resolved is None:
            entry.resolved = event
    return sorted(linked.values(), key=lambda entry: str(entry.decision.get("timestamp", "")))
