"""The records of the log: how each is built, and the vocabulary that keeps private text out of them.

Docs: docs/reference/events.md. Keys are added, never renamed; old lines must still read.
"""

from __future__ import annotations

from downshift import __version__
from downshift.core.hashing import hash_id
from downshift.core.tiers import EFFORTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from downshift.core.decision import Decision
    from downshift.core.spawn import Model, Spawn
    from downshift.core.tokens import Tokens

POLICY_VERSION = "1"

PERMISSION_MODES = ("default", "acceptEdits", "plan", "auto", "dontAsk", "bypassPermissions")
AGENT_TYPES = ("general-purpose", "Explore", "Plan", "claude", "workflow-subagent", "statusline-setup")
STATUSES = ("completed", "error", "interrupted", "stopped", "launched", "unknown")
ERROR_KINDS = (
    "authentication_failed", "invalid_request", "model_not_found", "not_started", "rate_limit", "refusal",
    "server_error", "unknown",
)  # fmt: skip
OWN_AGENT_PREFIX = "downshift:"

_MODEL_CHARACTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:/-[]")
_MODEL_LENGTH = 64


def model_id(raw: str) -> str:
    """A model id that is safe to store: `unknown` when there is none, `invalid` when it is not an id."""
    if not raw:
        return "unknown"
    return raw if len(raw) <= _MODEL_LENGTH and _MODEL_CHARACTERS.issuperset(raw) else "invalid"


def one_of(raw: str, words: Iterable[str], otherwise: str) -> str:
    """`raw` when it is one of our words; the name of an agent or mode may be private."""
    return raw if raw in words else otherwise


def agent_type(raw: str) -> str:
    """A built-in type or one of ours by name; a person's own types are `custom`."""
    if raw.startswith(OWN_AGENT_PREFIX) and raw[len(OWN_AGENT_PREFIX) :].isalpha():
        return raw[:_MODEL_LENGTH]
    return one_of(raw, AGENT_TYPES, "custom") if raw else "general-purpose"


def correlation_of(spawn: Spawn, fresh: str) -> str:
    """The id that joins the records of one spawn; `fresh` serves a spawn that carries no id at all."""
    return hash_id(spawn.key() or fresh)[:32]


def decision(made: Decision, *, now: str, correlation: str) -> dict[str, object]:
    """The record of one decision."""
    case, spawn = made.case, made.case.spawn
    classification, baseline, would_be = case.classification, case.baseline, made.would_be
    target, session = made.target, case.session
    effort = one_of(spawn.effort, ("", *EFFORTS), "other")
    current = case.baseline_model.id if case.baseline_model else ""
    event: dict[str, object] = {
        "correlation_id": correlation,
        "timestamp": now,
        "source": "hook",
        "entry": spawn.entry,
        "harness": spawn.harness,
        "session_id": hash_id(spawn.session_id),
        "tool_use_hash": hash_id(spawn.tool_use_id),
        "parent_agent_hash": hash_id(spawn.parent_agent_id),
        "agent_type": agent_type(spawn.agent_type),
        "agent_type_hash": hash_id(spawn.agent_type)[:16],
        "complexity": classification.complexity,
        "confident": classification.confident,
        "probabilities": {name: round(value, 2) for name, value in classification.probabilities.items()},
        "risk": list(classification.risk),
        "baseline_kind": baseline.kind,
        "requested_model": model_id(current),
        "requested_model_raw": model_id(baseline.model),
        "final_model": target.id if target else model_id(current),
        "recommended_model": would_be.id if would_be else model_id(current),
        "requested_effort": effort,
        "final_effort": made.effort if made.effort and made.outcome == "rewrite_emitted" else effort,
        "verdict": made.verdict,
        "safe_verdict": made.safe_verdict,
        "corrections": list(made.corrections),
        "reason_codes": list(made.reason_codes),
        "tier": made.tier,
        "outcome": made.outcome,
        "estimated_savings": savings(case.baseline_model, target),
        "quota_status": session.quota_status,
        "quota_source": session.quota_source,
        "credit_held": "HELD_CREDIT" in made.reason_codes,
        "session_source": session.source,
        "permission_mode": one_of(spawn.permission_mode, ("", *PERMISSION_MODES), "other"),
        "policy_version": POLICY_VERSION,
        "binary_version": __version__,
    }
    if case.paused:
        event["paused"] = True
    return event


def savings(current: Model | None, target: Model | None) -> float:
    """The share of the list price that one token of input and one of output cost less, in 0..1."""
    if current is None or target is None or not current.prices or not target.prices:
        return 0.0
    before, after = sum(current.prices), sum(target.prices)
    return round(max(0.0, 1 - after / before), 4) if before > 0 else 0.0


def observation(outcome: str, decision: Mapping[str, Any], *, now: str, entry: str, agent_id: str) -> dict[str, object]:
    """What every observation of a child says: which decision it belongs to, and which agent it is."""
    return {
        "outcome": outcome,
        "timestamp": now,
        "source": "hook",
        "entry": entry,
        "harness": decision.get("harness"),
        "session_id": decision.get("session_id"),
        "linked_decision": decision.get("correlation_id"),
        "tool_use_hash": decision.get("tool_use_hash"),
        "agent_hash": hash_id(agent_id),
    }


def resolved(base: dict[str, object], *, ran_on: str) -> dict[str, object]:
    """What the harness says it started the child on. `rewrite_honored` is judged when it is written."""
    return {**base, "final_model": model_id(ran_on)}


def usage(base: dict[str, object], *, run: int, model: str, tokens: Tokens) -> dict[str, object]:
    """What the child used in one run of it (a resumed child runs again)."""
    return {
        **base,
        "run": run,
        "final_model": model_id(model),
        "input_tokens": tokens.input,
        "output_tokens": tokens.output,
        "cache_read_tokens": tokens.cache_read,
        "cache_write_tokens": tokens.cache_write,
    }


def child_ended(base: dict[str, object], *, run: int, status: str, error_kind: str = "") -> dict[str, object]:
    """How one run of a child ended; `launched` is a child in the background that has just begun."""
    event = {**base, "run": run, "status": one_of(status, STATUSES, "unknown")}
    if status == "error":
        event["error_kind"] = one_of(error_kind, ERROR_KINDS, "other")
    return event


def error(code: str, *, now: str, harness: str) -> dict[str, object]:
    """Something went wrong and the spawn ran unchanged."""
    return {"outcome": "error", "timestamp": now, "source": "hook", "harness": harness, "error_code": code}
