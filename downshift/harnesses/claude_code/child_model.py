"""Which model a Claude Code child would run on, strongest reason first.

Measured on 2.1.332 (the wire, 5 session models × 11 agents): a forced
environment model, then the call's own model, then the agent's definition (an
explicit `inherit` counts), then CLAUDE_CODE_SUBAGENT_MODEL for agents that name
no model, then the parent's model.
"""

from __future__ import annotations

from downshift.core.spawn import Baseline, Spawn
from downshift.paths import is_on

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from downshift.harnesses.readers import Readers

INHERIT = "inherit"

# What the built-in types name as their model; the empty string names none.
# claude-code-guide was read in the binary, the others were measured.
BUILT_IN = {
    "": "",
    "general-purpose": "",
    "claude": "",
    "workflow-subagent": "",
    "fork": INHERIT,
    "Explore": INHERIT,
    "Plan": INHERIT,
    "statusline-setup": "sonnet",
    "claude-code-guide": "haiku",
}
_CLOUD = ("CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY")
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


def read_baseline(spawn: Spawn, readers: Readers) -> Baseline:
    """The model of this child, how it is known, and what would get in the way of another."""
    env = readers.env
    foreign = foreign_endpoint(env)
    variable = _named(env.get("CLAUDE_CODE_SUBAGENT_MODEL", ""))
    if variable and is_on(env.get("CLAUDE_CODE_SUBAGENT_MODEL_FORCE", "")):
        return Baseline(kind="inherited", model=variable, forced=True, foreign_endpoint=foreign)
    if _named(spawn.model):
        return Baseline(kind="explicit", model=_exact(spawn.model, spawn.parent_model), foreign_endpoint=foreign)
    defined = definition(spawn, readers)
    if defined is None:
        return Baseline(kind="unknown", foreign_endpoint=foreign)
    if _named(defined):
        return Baseline(kind="definition", model=_exact(defined, spawn.parent_model), foreign_endpoint=foreign)
    if spawn.run:
        variable = _named(env.get("CLAUDE_CODE_WORKFLOW_SUBAGENT_MODEL", "")) or variable
    if variable and not defined:
        return Baseline(kind="inherited", model=variable, foreign_endpoint=foreign)
    model, kind = _parent(spawn, readers)
    if spawn.agent_type == "Explore" and "fable" in model and not env.get("CLAUDE_CODE_DISABLE_EXPLORE_INHERIT_CAP"):
        # Explore is capped at Opus; a cloud or gateway may keep it on Fable, and nobody can tell from here.
        model, kind = ("", "unknown") if foreign else ("opus", kind)
    return Baseline(kind=kind, model=model, foreign_endpoint=foreign)


def definition(spawn: Spawn, readers: Readers) -> str | None:
    """The model the agent's definition names: an alias or id, `inherit`, empty for none; None when nobody can tell.

    A file of the user's that bears the name of a built-in type takes its place.
    """
    if spawn.agent_type in ("fork", "workflow-subagent"):
        return BUILT_IN[spawn.agent_type]
    from downshift.harnesses.claude_code.agents import UNCLEAR, find_model

    found = find_model(spawn.agent_type or "general-purpose", spawn.cwd, readers)
    return None if found == UNCLEAR else BUILT_IN.get(spawn.agent_type) if found is None else found


def foreign_endpoint(env: Mapping[str, str]) -> bool:
    """Whether requests leave for something other than Anthropic.

    A router on this machine counts as Anthropic: it takes the ids that Claude Code sends, by design.
    """
    if any(env.get(name, "").strip().lower() not in ("", "0", "false") for name in _CLOUD):
        return True
    url = env.get("ANTHROPIC_BASE_URL", "")
    if not url:
        return False
    authority = url.partition("://")[2]
    for end in "/\\?#":
        authority = authority.partition(end)[0]
    host = authority.rpartition("@")[2].lower()
    name = host if host.endswith("]") else host.rpartition(":")[0] or host
    return name not in _LOOPBACK and name != "anthropic.com" and not name.endswith(".anthropic.com")


def _parent(spawn: Spawn, readers: Readers) -> tuple[str, str]:
    """The parent's model and how it is known."""
    if spawn.parent_model:
        return spawn.parent_model, "inherited"
    if spawn.entry == "mod":
        return "", "unknown"
    from downshift.harnesses.claude_code.transcript import issuing_model

    model = issuing_model(spawn, readers)
    if model:
        return model, "inherited"
    from downshift.harnesses.claude_code.settings import configured_model

    model = configured_model(spawn, readers)
    return (model, "settings") if model else ("", "unknown")


def _named(model: str) -> str:
    """The model that a field names; empty for nothing and for `inherit`."""
    model = model.strip()
    return "" if model.lower() == INHERIT else model


def _exact(model: str, parent_model: str) -> str:
    """An alias of the parent's own family means the parent's exact id."""
    return parent_model if f"-{model.lower()}-" in parent_model else model
