"""One session's spawns: as data for `--json`, and as a tree that fits 80 columns."""

from __future__ import annotations

from downshift.core.guardrails import most_specific
from downshift.core.spawn_state import STATES, state_of
from downshift.views.line import Line
from downshift.views.lines import short
from downshift.views.reasons import explain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from downshift.log.link import Linked

WIDTH = 80
_TONES = {"switched": "good", "held": "warn", "blocked": "warn", "control": "dim", "paused": "dim"}
_UNROUTED = {
    "control": "control (unrouted)",
    "paused": "paused (unrouted)",
    "blocked": "blocked: respawn on another model",
}


def session_data(session: str, linked: Sequence[Linked]) -> dict[str, Any]:
    """The document of `session --json`. What nobody observed is null, never zero."""
    counts = dict.fromkeys(STATES, 0)
    for entry in linked:
        counts[state_of(entry.decision)] += 1
    return {
        "session": session[:8],
        "counts": counts,
        "honored": honored_counts(linked),
        "tokens": None,
        "spawns": [_row(entry) for entry in linked],
    }


def honored_counts(linked: Sequence[Linked]) -> dict[str, int]:
    """K of n switched spawns ran on what was written; the others were refuted or not observed."""
    switched = [entry for entry in linked if state_of(entry.decision) == "switched"]
    verdicts = [(entry.resolved or {}).get("rewrite_honored") for entry in switched]
    k, refuted = verdicts.count(True), verdicts.count(False)
    return {"k": k, "n": len(switched), "refuted": refuted, "unobserved": len(switched) - k - refuted}


def headline(data: dict[str, Any]) -> str:
    """`session a1b2c3d4 · 2 switched, 1 held · honored 2 of 2`."""
    counts, honored = data["counts"], data["honored"]
    parts = [f"session {data['session']}", f"{counts['switched']} switched, {counts['held']} held"]
    parts += [f"{counts[state]} {state}" for state in ("observed", "control", "paused", "blocked") if counts[state]]
    if honored["n"]:
        apart = "".join(f", {honored[word]} {word}" for word in ("refuted", "unobserved") if honored[word])
        parts.append(f"honored {honored['k']} of {honored['n']}{apart}")
    return " · ".join(parts)


def session_lines(session: str, linked: Sequence[Linked], *, why: bool) -> tuple[Line, ...]:
    """The headline and the tree; a child stands below the agent that spawned it. `why` gives the reasons."""
    agents = {entry.agent_hash for entry in linked if entry.agent_hash}
    children: dict[str, list[Linked]] = {}
    for entry in linked:
        parent = str(entry.decision.get("parent_agent_hash", ""))
        children.setdefault(parent if parent in agents else "", []).append(entry)
    lines = [Line(text=headline(session_data(session, linked)), tone="title")]
    _branch("", "", children, lines, why=why)
    while children:  # in a damaged log an agent may descend from itself: shown all the same
        _branch(next(iter(children)), "", children, lines, why=why)
    return tuple(lines)


def _branch(parent: str, indent: str, children: dict[str, list[Linked]], lines: list[Line], *, why: bool) -> None:
    entries = children.pop(parent, [])
    for place, entry in enumerate(entries):
        last = place == len(entries) - 1
        below = indent + ("   " if last else "│  ")
        tone = _TONES.get(state_of(entry.decision), "")
        rows = _wrapped(_describe(entry), indent + ("└─ " if last else "├─ "), below + "  ")
        lines += [Line(text=row, tone=tone) for row in rows]
        if why:
            lines += [
                Line(text=row)
                for text in _why(entry.decision)
                for row in _wrapped(text, below + "     ", below + "       ")
            ]
        if entry.agent_hash:
            _branch(entry.agent_hash, below, children, lines, why=why)


def _describe(entry: Linked) -> str:
    decision = entry.decision
    clock = str(decision.get("timestamp", ""))[11:19]
    return f"{clock} {decision.get('agent_type')} · {_what(entry)} · {decision.get('complexity')}{_seen(entry)}"


def _what(entry: Linked) -> str:
    decision, state = entry.decision, state_of(entry.decision)
    current, final = short(decision.get("requested_model")), short(decision.get("final_model"))
    if state == "switched":
        return f"switched from {current} to {final}"
    if state == "held":
        return f"held on {current} [{most_specific(_codes(decision))}]"
    return f"{_UNROUTED.get(state, 'kept')} on {current}"


def _seen(entry: Linked) -> str:
    verdict = (entry.resolved or {}).get("rewrite_honored")
    if state_of(entry.decision) != "switched":
        return ""
    ran = short((entry.resolved or {}).get("final_model"))
    if isinstance(verdict, bool):
        return " · honored" if verdict else f" · refuted: ran on {ran}"
    return " · not observed"


def _codes(decision: dict[str, Any]) -> list[str]:
    codes = decision.get("reason_codes")
    return [code for code in codes if isinstance(code, str)] if isinstance(codes, list) else []


def _why(decision: dict[str, Any]) -> list[str]:
    mode = decision.get("permission_mode") or "unknown"
    texts = [f"permission mode {mode}, entry {decision.get('entry')}, baseline {decision.get('baseline_kind')}"]
    return texts + [f"{code}: {explain(str(code))}" for code in _codes(decision)]


def _wrapped(text: str, first: str, further: str) -> list[str]:
    """The words of `text` in rows of at most 80 columns, each behind its own indentation."""
    rows, row = [], first
    for word in text.split():
        if len(row) + len(word) + 1 > WIDTH and row not in (first, further):
            rows.append(row.rstrip())
            row = further
        row += f"{word} "
    return [*rows, row.rstrip()]


def _row(entry: Linked) -> dict[str, Any]:
    decision, resolved = entry.decision, entry.resolved or {}
    observed = resolved.get("final_model")
    return {
        "state": state_of(decision),
        "from_model": decision.get("requested_model"),
        "to_model": decision.get("final_model"),
        "recommended_model": decision.get("recommended_model"),
        "from_effort": decision.get("requested_effort"),
        "to_effort": decision.get("final_effort"),
        "complexity": decision.get("complexity"),
        "reason_codes": decision.get("reason_codes"),
        "agent_type": decision.get("agent_type"),
        "honored": resolved.get("rewrite_honored"),
        "observed_model": observed if observed != decision.get("final_model") else None,
        "status": None,
        "tokens": None,
        "time": decision.get("timestamp"),
        "partial": None,
        "suspect": None,
    }
