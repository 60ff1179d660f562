"""What a panel draws: `session --panel`. Labels are ready-made, so that a panel computes nothing."""

from __future__ import annotations

from downshift.core.tiers import TIERS
from downshift.views.lines import short
from downshift.views.session import by_agent_type, honored_counts
from downshift.views.tokens import child_tokens, label, used

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from downshift.catalog.shelf import Shelf
    from downshift.log.linked import Linked

_LABELS = {
    "held": "held: original model kept",
    "observed": "kept",
    "control": "control (unrouted)",
    "paused": "paused (unrouted)",
    "blocked": "blocked: respawn on another model",
}


def panel_data(session: str, linked: Sequence[Linked], catalogs: Shelf) -> dict[str, Any]:
    """The document. Shapes: docs/reference/json/panel.schema.json."""
    states = [entry.state for entry in linked]
    honored = honored_counts(linked)
    total = used(linked, catalogs)
    return {
        "session": session[:8],
        "switched": states.count("switched"),
        "held": states.count("held"),
        "observed": states.count("observed"),
        "honored": honored["k"],
        "refuted": honored["refuted"],
        "unobserved": honored["unobserved"],
        "tokens": total.data(),
        "tokens_line": total.line(),
        "by_agent_type": by_agent_type(linked, catalogs),
        "spawns": [_spawn(entry, catalogs) for entry in linked],
    }


def _spawn(entry: Linked, catalogs: Shelf) -> dict[str, Any]:
    decision, state = entry.decision, entry.state
    spawn: dict[str, Any] = {
        "tool_use": decision.get("tool_use_hash"),
        "state": state,
        "from_model": decision.get("requested_model"),
        "to_model": decision.get("final_model"),
        "label": _LABELS.get(state) or _switched(entry, catalogs),
        "tokens": child_tokens(entry, catalogs),
        "tokens_label": label(entry, catalogs),
    }
    if entry.ran_on and entry.ran_on != "unknown" and not _same(entry, catalogs):
        spawn["observed_model"] = entry.ran_on
    return spawn


def _switched(entry: Linked, catalogs: Shelf) -> str:
    decision = entry.decision
    model = catalogs(str(decision.get("harness") or "")).find(str(decision.get("final_model") or ""))
    tier = f" ({model.tier})" if model and model.tier in TIERS else ""
    return f"{short(decision.get('requested_model'))} → {short(decision.get('final_model'))}{tier}"


def _same(entry: Linked, catalogs: Shelf) -> bool:
    """Whether the child ran on what was decided; a dated id is the same model."""
    catalog = catalogs(str(entry.decision.get("harness") or ""))
    told = str(entry.decision.get("final_model") or "")
    one, other = catalog.find(told), catalog.find(entry.ran_on)
    return entry.ran_on == told or (one is not None and other is not None and one.id == other.id)
