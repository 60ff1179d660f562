"""The one word that says what happened to a spawn."""

from __future__ import annotations

STATES = ("switched", "held", "observed", "control", "paused", "blocked")

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def state_of(event: Mapping[str, object]) -> str:
    """The state of a decision record: blocked > paused > control > held > switched > observed.

    `baseline` covers three causes: a paused session, the control draw and
    DOWNSHIFT_NO_ROUTE=1; the last two read as control, since neither was changed.
    """
    outcome = event.get("outcome")
    if outcome == "blocked":
        return "blocked"
    if outcome == "baseline":
        return "paused" if event.get("paused") else "control"
    codes = event.get("reason_codes")
    if event.get("corrections") or (isinstance(codes, list) and any(str(code).startswith("HELD_") for code in codes)):
        return "held"
    return "switched" if outcome == "rewrite_emitted" else "observed"
