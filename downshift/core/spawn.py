"""What the pipeline hands on: a spawn, the model it would run on, the models in reach, the class of its task."""

from __future__ import annotations

from downshift.core.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class Spawn(Record):
    """A subagent that a harness is about to start, in our words.

    Every field is text; the empty string means that the harness did not say.
    """

    harness: str
    entry: str
    """`mod` (inside the harness) or `hook` (a command the harness runs)."""
    task: str
    """The brief the parent wrote. Read to judge the spawn, never stored."""
    title: str = ""
    """The few words the parent gives beside it."""
    session_id: str = ""
    tool_use_id: str = ""
    run: str = ""
    """`<run id>/<index>` of an agent inside a workflow; those share one tool-use id."""
    correlation_id: str = ""
    agent_type: str = ""
    model: str = ""
    """The model named in the call itself."""
    effort: str = ""
    """The effort the child would have: named in the call, else its parent's."""
    parent_model: str = ""
    parent_agent_id: str = ""
    permission_mode: str = ""
    keeps_model: str = ""
    """Why the harness ignores another model: `fork`, `resume` or `teammate`."""
    forks_history: bool = False
    """Codex: the child starts from the parent's whole history."""
    cwd: str = ""
    transcript_path: str = ""

    def key(self) -> str:
        """What makes this spawn one spawn, for every process that sees it; empty when nothing does."""
        if not self.tool_use_id:
            return self.correlation_id
        return f"{self.tool_use_id}|{self.run}" if self.run else self.tool_use_id


class Baseline(Record):
    """The model this child would run on if nobody changed anything."""

    kind: str
    """explicit, definition, inherited, settings, parent_guess or unknown."""
    model: str = ""
    effort: str = ""
    """The effort that comes with it, where the call itself does not say."""
    forced: bool = False
    """The environment forces this model on every child; a rewrite would be ignored."""
    foreign_endpoint: bool = False
    """Requests go to a cloud provider or gateway whose models nobody has listed."""

    @property
    def guessed(self) -> bool:
        """Whether the model is an inference from settings rather than read from the harness."""
        return self.kind in ("settings", "parent_guess")


class Model(Record):
    """One model of one harness, as the catalog knows it."""

    id: str
    harness: str
    tier: str = ""
    """small, mid, frontier, or empty when the catalog does not know the id."""
    wire: str = ""
    """Its spelling in a spawn call: the harness's own word (Claude Code: haiku, sonnet, opus, fable), or as listed."""
    prices: tuple[float, float] | None = None
    """USD per million input and output tokens; None is unpriced, never free."""
    explicit_only: bool = False
    """Only written when the operator asked for it, and then only upwards."""
    efforts: tuple[str, ...] = ()
    """The efforts the model takes; empty when that is not known, which restricts nothing."""
    writable: bool = True
    """False for an id that the harness would refuse: it ranks, and is never written."""
    comp_hash: str = ""
    """Codex: a fork onto a model with another hash first pays a compaction on the parent's model."""

    def short(self) -> str:
        """The name people use for it."""
        return self.wire or self.id


class Session(Record):
    """The models one session can reach, from least to most capable. Only these may be written."""

    models: tuple[Model, ...] = ()
    source: str = "unknown"
    """payload, native, discovered, file, inferred, or unknown; a known list may be empty."""
    explicit_upshift: bool = False
    """The operator lets an upshift take models that are only for explicit use."""
    refused: Mapping[str, str] = {}
    """Ids that must not be written now, with the reason: `quota` or `credit`."""
    quota_status: str = "unknown"
    quota_source: str = "none"

    @property
    def known(self) -> bool:
        """Whether anything says which models there are."""
        return self.source != "unknown"


class Classification(Record):
    """How hard a task is, and how sure we are."""

    complexity: str
    probabilities: dict[str, float]
    confident: bool
    risk: tuple[str, ...] = ()
    """What the task touches that makes a mistake dear, such as `payment`."""
    reasons: tuple[tuple[str, float], ...] = ()
    """What decided, strongest first: (feature, weight)."""
    risk_floor: bool = False
    """Whether what the task touches raised it to MEDIUM."""
    named_model: str = ""
    """A model that the brief itself asks for, such as `opus`."""
