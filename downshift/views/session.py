"""One session's spawns: as data for `--json`, and as a tree that fits 80 columns."""

from __future__ import annotations

from downshift.core.guardrails import most_specific
from downshift.core.spawn_state import STATES
from downshift.log.linked import LAUNCHED
from downshift.views.line import WIDTH, Line, fitted, wrapped
from downshift.views.lines import codes_of, short
from downshift.views.reasons import explain
from downshift.views.tokens import Used, amount, child_tokens, moved_text, percent, used

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from downshift.catalog.shelf import Shelf
    from downshift.log.linked import Linked

_COLUMN = 7
"""The width of the figures before the tree."""
_ROOM = WIDTH - _COLUMN - 1
_TONES = {"switched": "good", "held": "warn", "blocked": "warn", "control": "dim", "paused": "dim"}
_UNROUTED = {
    "control": "control (unrouted)",
    "paused": "paused (unrouted)",
    "blocked": "blocked: respawn on another model",
}


def session_data(session: str, linked: Sequence[Linked], catalogs: Shelf) -> dict[str, Any]:
    """The document of `session --json`. What nobody observed is null, never zero."""
    counts = dict.fromkeys(STATES, 0)
    for entry in linked:
        counts[entry.state] += 1
    total = used(linked, catalogs)
    return {
        "session": session[:8],
        "counts": counts,
        "honored": honored_counts(linked),
        "tokens": total.data() if total.children else None,
        "children_share": children_share(linked),
        "spawns": [_row(entry, catalogs) for entry in linked],
    }


def honored_counts(linked: Iterable[Linked]) -> dict[str, int]:
    """K of n switched spawns ran on what was written; the others were refuted or not observed."""
    verdicts = [entry.honored for entry in linked if entry.state == "switched"]
    k, refuted = verdicts.count(True), verdicts.count(False)
    return {"k": k, "n": len(verdicts), "refuted": refuted, "unobserved": len(verdicts) - k - refuted}


def honored_text(honored: Mapping[str, int]) -> str:
    """`honored 2 of 3, 1 refuted`; empty when nothing was switched."""
    if not honored["n"]:
        return ""
    apart = "".join(f", {honored[word]} {word}" for word in ("refuted", "unobserved") if honored[word])
    return f"honored {honored['k']} of {honored['n']}{apart}"


def children_share(linked: Iterable[Linked]) -> float | None:
    """Which part of the session's tokens its children used, in 0..1; None when the main thread's are not known."""
    children, main = 0, 0
    for entry in linked:
        tokens = entry.tokens
        children += tokens.total if tokens else 0
        main = max(main, entry.main_tokens)
    return round(children / (children + main), 4) if main else None


def by_agent_type(linked: Iterable[Linked], catalogs: Shelf) -> list[dict[str, Any]]:
    """For each type of agent whose tokens are known: its figures and their line, the largest first."""
    types: dict[str, Used] = {}
    for entry in linked:
        types.setdefault(str(entry.decision.get("agent_type") or "unknown"), Used()).add(entry, catalogs)
    return agent_type_rows(types)


def agent_type_rows(types: Mapping[str, Used]) -> list[dict[str, Any]]:
    """The same from sums by type."""
    known = [(name, total) for name, total in types.items() if total.children]
    known.sort(key=lambda each: (-each[1].total, each[0]))
    return [
        {
            "agent_type": name,
            "tokens": total.data(),
            "line": f"{name}: {total.shares()} ({total.saved_children} of {total.children} agents)",
        }
        for name, total in known
    ]


def headline(data: Mapping[str, Any]) -> str:
    """`session a1b2c3d4 · 2 switched, 1 held · honored 2 of 2`."""
    counts = data["counts"]
    parts = [f"session {data['session']}", f"{counts['switched']} switched, {counts['held']} held"]
    parts += [f"{counts[state]} {state}" for state in ("observed", "control", "paused", "blocked") if counts[state]]
    return " · ".join([*parts, *filter(None, [honored_text(data["honored"])])])


def session_lines(session: str, linked: Sequence[Linked], catalogs: Shelf, *, why: bool) -> tuple[Line, ...]:
    """The headline and the tree; a child stands below the agent that spawned it. `why` gives the reasons."""
    data = session_data(session, linked, catalogs)
    head = [headline(data), used(linked, catalogs).line()]
    if data["children_share"] is not None:
        head.append(f"children used {percent(round(data['children_share'] * 10_000), 10_000)}% of the session's tokens")
    lines = [*fitted(head[0], "title"), *(Line(text=text) for text in head[1:] if text)]
    if linked:
        lines.append(Line(text=" tokens", tone="dim"))
    agents = {entry.agent_hash for entry in linked if entry.agent_hash}
    children: dict[str, list[Linked]] = {}
    for entry in linked:
        parent = str(entry.decision.get("parent_agent_hash", ""))
        children.setdefault(parent if parent in agents else "", []).append(entry)
    tree = _Tree(children, catalogs, why=why)
    types = [line for each in by_agent_type(linked, catalogs) for line in fitted(each["line"], "dim")]
    return (*lines, *tree.lines(), *types)


class _Tree:
    """The spawns as a tree: first what a child used, then what became of it."""

    def __init__(self, children: dict[str, list[Linked]], catalogs: Shelf, *, why: bool) -> None:
        self._children = children
        self._catalogs = catalogs
        self._why = why
        self._lines: list[Line] = []

    def lines(self) -> list[Line]:
        """Every spawn once."""
        self._branch("", "")
        while self._children:  # in a damaged log an agent may descend from itself: shown all the same
            self._branch(next(iter(self._children)), "")
        return self._lines

    def _branch(self, parent: str, indent: str) -> None:
        entries = self._children.pop(parent, [])
        for place, entry in enumerate(entries):
            last = place == len(entries) - 1
            below = indent + ("   " if last else "│  ")
            tone = _TONES.get(entry.state, "")
            tokens = entry.tokens
            column = f"{'≥' if entry.partial else ''}{amount(tokens.total)}" if tokens else "–"
            rows = wrapped(_describe(entry, self._catalogs), indent + ("└─ " if last else "├─ "), below + "  ", _ROOM)
            self._lines += [
                Line(text=f"{'' if number else column:>{_COLUMN}} {row}", tone=tone) for number, row in enumerate(rows)
            ]
            if self._why:
                self._lines += [
                    Line(text=f"{'':{_COLUMN}} {row}")
                    for text in _why(entry)
                    for row in wrapped(text, below + "     ", below + "       ", _ROOM)
                ]
            if entry.agent_hash:
                self._branch(entry.agent_hash, below)


def _describe(entry: Linked, catalogs: Shelf) -> str:
    decision = entry.decision
    clock = str(decision.get("timestamp", ""))[11:19]
    parts = [f"{clock} {decision.get('agent_type')}", _what(entry), str(decision.get("complexity")), *_seen(entry)]
    parts += [word for word in (_ended(entry), moved_text(entry, catalogs)) if word]
    return " · ".join(parts)


def _what(entry: Linked) -> str:
    decision, state = entry.decision, entry.state
    current, final = short(decision.get("requested_model")), short(decision.get("final_model"))
    if state == "switched":
        return f"switched from {current} to {final}"
    if state == "held":
        return f"held on {current} [{most_specific(codes_of(decision))}]"
    return f"{_UNROUTED.get(state, 'kept')} on {current}"


def _seen(entry: Linked) -> list[str]:
    if entry.state != "switched":
        return []
    if entry.honored is None:
        return ["not observed"]
    return ["honored"] if entry.honored else [f"refuted: ran on {short(entry.ran_on)}"]


def _ended(entry: Linked) -> str:
    """How the child ended, where that is worth a word."""
    if entry.status == "error":
        return f"error ({entry.error_kind})" if entry.error_kind else "error"
    return "" if entry.status == "completed" else entry.status


def _why(entry: Linked) -> list[str]:
    decision = entry.decision
    mode = decision.get("permission_mode") or "unknown"
    texts = [f"permission mode {mode}, entry {decision.get('entry')}, baseline {decision.get('baseline_kind')}"]
    if decision.get("quota_status") not in (None, "unknown"):
        texts.append(f"quota {decision.get('quota_status')} (by {decision.get('quota_source')})")
    texts += [f"{code}: {explain(str(code))}" for code in codes_of(decision)]
    if entry.suspect:
        texts.append("suspect: its last message is too short to report anything, or claims work without a tool call")
    return texts


def _row(entry: Linked, catalogs: Shelf) -> dict[str, Any]:
    decision = entry.decision
    observed = entry.ran_on
    return {
        "state": entry.state,
        "from_model": decision.get("requested_model"),
        "to_model": decision.get("final_model"),
        "recommended_model": decision.get("recommended_model"),
        "from_effort": decision.get("requested_effort"),
        "to_effort": decision.get("final_effort"),
        "complexity": decision.get("complexity"),
        "reason_codes": decision.get("reason_codes"),
        "agent_type": decision.get("agent_type"),
        "honored": entry.honored,
        "observed_model": observed if observed and observed != decision.get("final_model") else None,
        "status": entry.status or None,
        "error_kind": entry.error_kind or None,
        "tokens": child_tokens(entry, catalogs),
        "time": decision.get("timestamp"),
        "partial": entry.partial if entry.tokens else None,
        "suspect": entry.suspect if entry.status not in ("", LAUNCHED) else None,
    }
