"""The shapes of what is printed as JSON, for other programs. Keys are added, never renamed.

`tests/schemas` holds the published schemas under docs/reference/json to these.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

State = Literal["switched", "held", "observed", "control", "paused", "blocked"]
Status = Literal["completed", "error", "interrupted", "stopped", "launched", "unknown"]


class _Document(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Tokens(_Document):
    """Tokens of one child or several. Work is input and output, cache is read and written."""

    children: int = Field(ge=0)
    saved_children: int = Field(ge=0)
    work_tokens: int = Field(ge=0)
    work_saved: int = Field(ge=0)
    cache_tokens: int = Field(ge=0)
    cache_saved: int = Field(ge=0)
    work_pricier: int | None = Field(default=None, description="only there when a child ran on a dearer model")
    cache_pricier: int | None = None
    partial: Literal[True] | None = Field(default=None, description="more was used than anybody saw")


class Honored(_Document):
    """k of n switched spawns ran on what was written."""

    k: int
    n: int
    refuted: int
    unobserved: int


class Counts(_Document):
    """Spawns by state."""

    switched: int
    held: int
    observed: int
    control: int
    paused: int
    blocked: int


class SessionSpawn(_Document):
    """One spawn of a session; null is what nobody observed."""

    state: State
    from_model: str | None
    to_model: str | None
    recommended_model: str | None
    from_effort: str | None
    to_effort: str | None
    complexity: str | None
    reason_codes: list[str] | None
    agent_type: str | None
    honored: bool | None
    observed_model: str | None
    status: Status | None
    error_kind: str | None
    tokens: Tokens | None
    time: str | None
    partial: bool | None
    suspect: bool | None


class Session(_Document):
    """`downshift session --json`."""

    session: str = Field(description="the first 8 hex of the session's hash")
    counts: Counts
    honored: Honored
    tokens: Tokens | None
    children_share: float | None = Field(description="children's part of the session's tokens, 0..1, where known")
    spawns: list[SessionSpawn]


class AgentType(_Document):
    """The tokens of one type of agent."""

    agent_type: str
    tokens: Tokens
    line: str


class PanelSpawn(_Document):
    """One spawn, ready to be drawn."""

    tool_use: str | None = Field(description="the hash of the tool call")
    state: State
    from_model: str | None
    to_model: str | None
    label: str
    tokens: Tokens | None
    tokens_label: str
    observed_model: str | None = Field(default=None, description="only there when it differs from to_model")


class Panel(_Document):
    """`downshift session --panel`."""

    session: str
    switched: int
    held: int
    observed: int
    honored: int
    refuted: int
    unobserved: int
    tokens: Tokens
    tokens_line: str
    by_agent_type: list[AgentType]
    spawns: list[PanelSpawn]


class ClassTokens(_Document):
    """Tokens of a group's completed tasks, by class; `records` is how many usage records they come from."""

    input: int
    output: int
    cache_read: int
    cache_write: int
    total: int
    records: int


class Group(_Document):
    """One side of the comparison."""

    spawns: int
    ended: int
    completed: int
    reworked: int
    rework_rate: float | None
    tokens: ClassTokens
    tokens_per_completed_task: float | None


class SavedTokens(Tokens):
    """The tokens of the window, with the two figures people ask for first."""

    work: int
    cache: int


class Completion(_Document):
    """Whether completed tasks of a harness can be counted."""

    measurable: bool
    reason: str


class Report(_Document):
    """`downshift report --json`."""

    window_days: int
    generated_at: str
    routed: Group
    control: Group
    excluded: int
    enough_data: bool
    tokens_saved: SavedTokens
    completion: dict[str, Completion]
    decisions_by_permission_mode: dict[str, int] | None = None


class Placed(_Document):
    """Tokens that ran in one place."""

    work: int
    cache: int


class Rerouted(_Document):
    """A harness's tokens by where they ran against where they would have."""

    cheaper: Placed
    pricier: Placed
    unchanged: Placed
    unattributed: Placed


class Export(_Document):
    """`downshift stats --export`."""

    schema_: Literal[3] = Field(alias="schema")
    window_days: int
    generated_at: str
    total: int
    downshifted: int
    upshifted: int
    ok: int
    unknown: int
    corrected: int
    not_applied: int
    usage_records: int
    usage_linked: int
    baseline_no_route: int
    control: int
    rewrite_shifted: int
    rewrite_honored: int
    rewrite_refuted: int
    rewrite_unobserved: int
    rewrite_honored_inferred: int
    by_complexity: dict[str, int]
    by_harness: dict[str, int]
    downshift_rate: float = Field(ge=0, le=1)
    tokens_rerouted: dict[str, Rerouted | Literal["unobserved"]]
    note: str


PUBLISHED: dict[str, type[BaseModel]] = {"session": Session, "panel": Panel, "report": Report, "export": Export}
"""Each is docs/reference/json/<name>.schema.json."""
