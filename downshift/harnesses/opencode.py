"""opencode: our plugin's messages in, our answers out (wire version 1).

opencode runs no hook commands. Our plugin inside it hears a child's first
message, sends what it knows, and sets the model and variant that are answered.
That a model set there reaches the child was measured on 1.18.33; the way
through this adapter is not run yet.

- A model is `provider/model`, and one that the person's providers do not offer
  kills the spawn: only what the plugin listed is ever answered.
- A variant is opencode's word for an effort; one that a model does not know is
  ignored.
"""

from __future__ import annotations

from downshift.core.json_text import render
from downshift.core.spawn import Baseline, Spawn
from downshift.harnesses.base import Capabilities, Plan, Wiring, always_applies, always_open, no_ends, no_usage
from downshift.harnesses.fields import in_home, place, present, strings, table, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from downshift.harnesses.readers import Readers

NAME = "opencode"
VERSION = 1
PLUGIN = "downshift.js"

CAPABILITIES = Capabilities(
    name=NAME,
    title="opencode",
    neutral_answer='{"v": 1, "action": "allow"}',
    can_rewrite_model=True,
    can_apply_effort=True,
    # What is not on the plugin's list is held back in write_answer; the ids on it are the user's own.
    strict_model_names=False,
    infer_session=False,
    model_override_env="",
    child_end_events=("child_done",),
    usage_source="child messages",
    honor_source="child messages",
    can_show_child_line=False,
    session_env="",
    payload_markers=(),
    evidence="documented",
)

gate_open = always_open
effort_applies = always_applies
read_ends = no_ends
read_usage = no_usage


def read_spawn(payload: Mapping[str, Any], env: Mapping[str, str]) -> Spawn | None:
    """A spawn from the plugin's message; None for another kind or version, and for an empty brief."""
    del env
    task = text(payload, "prompt") or text(payload, "description")
    if payload.get("v") != VERSION or text(payload, "type") != "spawn" or not task.strip():
        return None
    ids = table(payload, "correlation")
    return Spawn(
        harness=NAME,
        entry="mod",
        task=task,
        session_id=text(ids, "parent"),
        tool_use_id=text(ids, "call"),
        # A child that is resumed keeps its id, so the id serves only where the call has none.
        correlation_id=text(ids, "child"),
        agent_type=text(payload, "agent"),
        effort=text(payload, "variant"),
        parent_model=text(payload, "model").strip(),
        keeps_model="resume" if payload.get("resumed") is True else "",
        cwd=text(payload, "cwd"),
    )


def baseline(spawn: Spawn, readers: Readers) -> Baseline:
    """The model that opencode chose. Whether from the agent's definition or from the parent, it does not say."""
    del readers
    return Baseline(kind="inherited" if spawn.parent_model else "unknown", model=spawn.parent_model)


def write_answer(plan: Plan, spawn: Spawn, payload: Mapping[str, Any], line: str) -> str:
    """The model in full, and the variant; the neutral answer for a model that is not on the plugin's list."""
    del line
    # A name without a provider means the provider that the child would have used: another may bill another account.
    model = plan.model if "/" in plan.model else f"{spawn.parent_model.partition('/')[0]}/{plan.model}"
    if not plan.model or model not in strings(payload, "models"):
        return CAPABILITIES.neutral_answer
    answer = {"v": VERSION, "action": "rewrite", "model": model}
    return render({**answer, "variant": plan.effort} if plan.effort else answer)


def wiring(readers: Readers) -> Wiring:
    """Our plugin's file, in either of the folders that opencode reads plugins from. There is no command to try."""
    folder = in_home(readers.env, ".config", "opencode")
    plugins = (place(folder, name) for name in ("plugin", "plugins"))
    return Wiring(
        installed=present(readers, [folder], "opencode"),
        plugins=tuple(each for each in plugins if PLUGIN in readers.names(each)),
    )


def sample() -> dict[str, Any]:
    """A spawn on a frontier model of a provider that has a small one too."""
    return {
        "v": VERSION,
        "type": "spawn",
        "correlation": {"parent": "ses_downshift_doctor", "call": "call_downshift_doctor", "child": "ses_downshift"},
        "agent": "general",
        "model": "anthropic/claude-opus-5-5",
        "description": "List files",
        "prompt": "List the files in src/.",
        "resumed": False,
        "models": ["anthropic/claude-haiku-5-5", "anthropic/claude-opus-5-5"],
    }
