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
    if event.get("corrections"):
        return "held"
    codes = event.get("reason_codes")
    for code in codes if isinstance(codes, list) else ():
        if str(code).startswith("HELD_"):
            return "held"
    return "switched" if outcome == "rewrite_emitted" else "observed"
