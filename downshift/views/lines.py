"""The one-line texts of a spawn: for the person in the harness, and for stderr."""

from __future__ import annotations

from downshift.core.guardrails import most_specific
from downshift.core.spawn_state import state_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from downshift.core.decision import Decision

_FAMILIES = ("haiku", "sonnet", "opus", "fable")


def short(model: object) -> str:
    """`claude-haiku-5-5` → `haiku`; an id without a name people use stays itself."""
    text = str(model or "unknown")
    return next((family for family in _FAMILIES if f"-{family}-" in f"-{text}-"), text)


def rewrite_line(decision: Decision) -> str:
    """What the person sees when a spawn is rewritten; empty when it is not."""
    target = decision.target
    if target is None:
        return ""
    current = decision.case.baseline_model
    was = f" (was {current.short()})" if current else ""
    return f"downshift: {decision.case.classification.complexity} → {target.short()}{was}"


def end_line(ran_on: str, tokens: str) -> str:
    """What the person sees when a child has ended; empty while its tokens are not known."""
    return f"↳ downshift: finished on {short(ran_on)} · {tokens}" if ran_on and tokens else ""


def spawn_line(event: Mapping[str, Any]) -> str:
    """What stderr says about a decision record."""
    state, current = state_of(event), short(event.get("requested_model"))
    if state == "switched":
        before, after = event.get("requested_effort") or "default", event.get("final_effort")
        efforts = f", effort {before} → {after}" if after else ""
        return f"spawn switched {current} → {short(event.get('final_model'))}{efforts} · {event.get('complexity')}"
    if state == "held":
        would = short(event.get("recommended_model"))
        instead = f" (would be {would})" if would != current else ""
        return f"spawn held on {current}{instead} [{most_specific(codes_of(event))}]"
    return f"spawn {state}, unchanged on {current}"


def codes_of(event: Mapping[str, Any]) -> list[str]:
    """The reason codes of a decision; what is not one is passed over."""
    codes = event.get("reason_codes")
    return [code for code in codes if isinstance(code, str)] if isinstance(codes, list) else []
