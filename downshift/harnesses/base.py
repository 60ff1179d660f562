"""The contract between the shared runner and a harness.

An adapter is a module (or package) whose names satisfy `Adapter`. It describes;
the runner acts: an adapter opens no file except through `Readers`, prints
nothing and holds no routing logic. The smallest way in: read
`harnesses/claude_code/__init__.py`, then docs/explanation/architecture.md.
"""

from __future__ import annotations

from downshift.core.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, Protocol

    from downshift.core.decision import Decision
    from downshift.core.spawn import Baseline, Spawn
    from downshift.core.tokens import Tokens
    from downshift.harnesses.readers import Readers

    class Adapter(Protocol):
        """What every harness module provides."""

        # What the harness can do and how we know it.
        CAPABILITIES: Capabilities

        # The payload as a spawn; None when it is not a spawn or holds nothing to judge.
        def read_spawn(self, payload: Mapping[str, Any], env: Mapping[str, str]) -> Spawn | None: ...

        # The model the child would run on if nobody changed anything.
        def baseline(self, spawn: Spawn, readers: Readers) -> Baseline: ...

        # Whether a rewrite through this entry would be accepted in this permission mode.
        def gate_open(self, spawn: Spawn) -> bool: ...

        # Whether an effort we write would reach the child.
        def effort_applies(self, env: Mapping[str, str]) -> bool: ...

        # The answer for the harness. `line` is for the person; empty means say nothing.
        def write_answer(self, plan: Plan, spawn: Spawn, payload: Mapping[str, Any], line: str) -> str: ...

        # How this machine's copy of the harness reaches Downshift.
        def wiring(self, readers: Readers) -> Wiring: ...

        # A payload that a harness of this kind would send for a trivial spawn, for `doctor` to try.
        def sample(self) -> dict[str, Any]: ...

        # How children started or ended; empty when the event says nothing about any.
        def read_ends(self, payload: Mapping[str, Any], event: str, readers: Readers) -> Sequence[ChildEnd]: ...

        # The end with what the child used and how it went, from its own transcript; as it is where there is none.
        def read_usage(self, end: ChildEnd, readers: Readers) -> ChildEnd: ...


class Plan(Record):
    """What is written into a spawn: the harness's own spelling of a model, and an effort (empty: none)."""

    model: str = ""
    effort: str = ""


class Usage(Record):
    """What a child used, as far as its harness tells."""

    model: str
    """The model that the API reported for the last request."""
    tokens: Tokens
    cumulative: bool = False
    """Whether this is everything the child has ever used, so that a resumed one counts its first run again."""
    partial: bool = False
    """Whether more was used than the source shows."""
    mixed: bool = False
    """Whether the requests ran on more than one model."""
    main_tokens: int = 0
    """What the main thread had used by then, all classes together; 0 when that is not known."""


class ChildEnd(Record):
    """What a harness says about a child that started or ended. Of the spawn only the ids are known."""

    spawn: Spawn
    agent_id: str = ""
    resolved_model: str = ""
    """The model the harness says it started the child on."""
    status: str = ""
    """One of `events.STATUSES`; empty for a child that has only started."""
    error_kind: str = ""
    """One of `events.ERROR_KINDS`, for a status of `error`."""
    usage: Usage | None = None
    """When the event itself tells."""
    transcript: str = ""
    """Else the child's own transcript, for `read_usage`."""
    last_text: str = ""
    """The child's last words: looked at for `suspect`, never stored."""
    tool_calls: int = -1
    """How many tools the child called; below zero when that is not known."""


class Wiring(Record):
    """How a harness on this machine reaches Downshift."""

    installed: bool
    plugins: tuple[str, ...] = ()
    """Folders of enabled plugins of ours."""
    commands: tuple[str, ...] = ()
    """The registered spawn hooks, ready for a shell."""
    disabled: bool = False
    """The user has switched every hook and mod off."""


class Capabilities(Record):
    """Facts about a harness, as data: the harness pages and `doctor` are made from them."""

    name: str
    title: str
    neutral_answer: str
    """What leaves a spawn unchanged."""
    can_rewrite_model: bool
    can_apply_effort: bool
    strict_model_names: bool
    """Whether the harness takes its own words only, those that the catalog has as `wire`."""
    infer_session: bool
    """Whether the current model proves access to the tiers below it."""
    model_override_env: str
    child_end_events: tuple[str, ...]
    usage_source: str
    honor_source: str
    can_show_child_line: bool
    session_env: str
    payload_markers: tuple[str, ...]
    """Top-level payload keys that only this harness sends."""
    usage_in_rollout: bool = False
    """Whether the caller's transcript holds the account's usage windows."""
    effort_alone: bool = False
    """Whether an effort without a model is taken, and worth writing: the child would inherit the parent's."""
    evidence: str
    """`live-verified <version>` or `documented`."""


def plan_of(decision: Decision) -> Plan:
    """What a decision writes; an empty plan leaves the spawn as it is."""
    if decision.outcome != "rewrite_emitted":
        return Plan()
    return Plan(model=decision.target.short() if decision.target else "", effort=decision.effort)


# What most harnesses have in common, to assign: `gate_open = always_open`.


def always_open(spawn: Spawn) -> bool:
    """No permission mode is known in which a rewrite is refused."""
    del spawn
    return True


def always_applies(env: Mapping[str, str]) -> bool:
    """No variable is known that sets the effort of every child."""
    del env
    return True


def never_applies(env: Mapping[str, str]) -> bool:
    """The harness takes no effort for a child."""
    del env
    return False


def no_ends(payload: Mapping[str, Any], event: str, readers: Readers) -> Sequence[ChildEnd]:
    """The ends of this harness's children are not read yet."""
    del payload, event, readers
    return ()


def no_usage(end: ChildEnd, readers: Readers) -> ChildEnd:
    """No source of this harness tells what a child used."""
    del readers
    return end
