"""Every reason for which a change that was considered is not made.

One function and one row for each. Ids and codes are permanent: they stand in
logs. R3 is retired. The table is documented in docs/reference/guardrails.md,
and a test compares the two.
"""

from __future__ import annotations

from downshift.core.record import Record
from downshift.core.spawn import Baseline, Classification, Model, Session, Spawn
from downshift.core.verdicts import DOWNSHIFT, UNKNOWN, UPSHIFT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class Facts(Record):
    """What a guardrail may look at."""

    spawn: Spawn
    baseline: Baseline
    classification: Classification
    session: Session
    verdict: str
    needed_tier: str
    target: Model | None
    """What selection chose; None when no model of the session will do."""
    current: Model | None = None
    """The baseline as the catalog knows it."""
    refused: str = ""
    """Why the model that would do may not be written: `quota` or `credit`."""
    lifted: bool = False
    """The operator's tier floor raised what the task needs."""
    gate_open: bool = True
    """Whether this entry may rewrite in this permission mode."""
    respect_explicit: bool = False
    pinned: bool = False
    """The operator pinned this type of agent or this project."""
    after_failure: bool = False
    """The last children like this one ended badly."""


def _unconfident(facts: Facts, verdict: str, tier: str = "") -> bool:
    fits = facts.verdict == verdict and tier in ("", facts.needed_tier)
    return fits and not facts.classification.confident


def unconfident_downshift(facts: Facts) -> bool:
    """Doubt about the task: it stays on the stronger model."""
    return _unconfident(facts, DOWNSHIFT)


def complex_downshift(facts: Facts) -> bool:
    """A complex task is never lowered."""
    return facts.verdict == DOWNSHIFT and facts.classification.complexity == "COMPLEX"


def foreign_model(facts: Facts) -> bool:
    """The chosen model belongs to another harness."""
    return facts.target is not None and facts.target.harness != facts.spawn.harness


def risk_downshift(facts: Facts) -> bool:
    """The task touches something where a mistake is dear."""
    return facts.verdict == DOWNSHIFT and bool(facts.classification.risk)


def unconfident_unknown_small(facts: Facts) -> bool:
    """Doubt about the task and about what it would run on."""
    return _unconfident(facts, UNKNOWN, "small")


def unconfident_unknown_frontier(facts: Facts) -> bool:
    """Doubt never writes the dearest tier over a model nobody has seen."""
    return _unconfident(facts, UNKNOWN, "frontier")


def unconfident_upshift(facts: Facts) -> bool:
    """Doubt never spends money; an operator's floor is no doubt."""
    return _unconfident(facts, UPSHIFT) and not facts.lifted


def unconfident_unknown_mid(facts: Facts) -> bool:
    """A task with no recognised signal is MEDIUM; that alone moves nothing."""
    return _unconfident(facts, UNKNOWN, "mid")


def guessed_baseline(facts: Facts) -> bool:
    """Below a guessed model only the small tier is sure to be lower."""
    return facts.verdict == DOWNSHIFT and facts.baseline.guessed and facts.needed_tier != "small"


def quota(facts: Facts) -> bool:
    """A model that would do has no usage left, or nobody has seen that it has."""
    return facts.refused == "quota"


def credit(facts: Facts) -> bool:
    """A model that would do is not covered by the account's credit."""
    return facts.refused == "credit"


def no_session(facts: Facts) -> bool:
    """Nobody knows which models this session can reach."""
    return not facts.session.known


def fork(facts: Facts) -> bool:
    """Forks, resumes and teammates keep their model whatever a hook says."""
    return bool(facts.spawn.keeps_model)


def fork_compaction(facts: Facts) -> bool:
    """Codex would first compact the parent's whole history on the parent's model: dearer than what is saved."""
    before, after = facts.current, facts.target
    hashes = {model.comp_hash for model in (before, after) if model and model.comp_hash}
    return facts.spawn.forks_history and len(hashes) > 1


def no_target(facts: Facts) -> bool:
    """No model of the session reaches the tier that the task needs."""
    return facts.session.known and facts.target is None and not facts.refused


def model_forced(facts: Facts) -> bool:
    """The environment forces one model on every child."""
    return facts.baseline.forced


def explicit_model(facts: Facts) -> bool:
    """The call names a model and the operator wants that respected; or it is one that is only for explicit use."""
    only = facts.current is not None and facts.current.explicit_only
    return only or (facts.respect_explicit and facts.baseline.kind == "explicit")


def named_model(facts: Facts) -> bool:
    """The brief itself says which model to use."""
    return bool(facts.classification.named_model)


def permission_mode(facts: Facts) -> bool:
    """A rewrite through this entry would get the call denied in this permission mode."""
    return not facts.gate_open


def unknown_endpoint(facts: Facts) -> bool:
    """A cloud provider or gateway may not serve the models we would name."""
    return facts.baseline.foreign_endpoint and facts.session.source == "inferred"


def after_failure(facts: Facts) -> bool:
    """The last children of this type on this model ended badly: the next one is not lowered."""
    return facts.verdict == DOWNSHIFT and facts.after_failure


def pinned(facts: Facts) -> bool:
    """The operator wants this type of agent, or this project, left alone."""
    return facts.pinned


class Guardrail(Record):
    """One row: the id that goes to `corrections` (empty for a plain hold), the code people see, the rule."""

    id: str
    code: str
    fires: Callable[[Facts], bool]


TABLE = tuple(
    Guardrail(id=id_, code=code, fires=fires)
    for id_, code, fires in (
        ("R1_UNCONFIDENT_DOWNSHIFT", "HELD_UNCONFIDENT_DOWNSHIFT", unconfident_downshift),
        ("R2_COMPLEX_DOWNSHIFT", "HELD_COMPLEX_DOWNSHIFT", complex_downshift),
        ("R4_FOREIGN_MODEL", "HELD_FOREIGN_MODEL", foreign_model),
        ("R5_RISK_DOWNSHIFT", "HELD_RISK_DOWNSHIFT", risk_downshift),
        ("R6_UNCONFIDENT_UNKNOWN_SMALL", "HELD_UNCONFIDENT_UNKNOWN_SMALL", unconfident_unknown_small),
        ("R7_UNCONFIDENT_UNKNOWN_FRONTIER", "HELD_UNCONFIDENT_UNKNOWN_FRONTIER", unconfident_unknown_frontier),
        ("R8_UNCONFIDENT_UPSHIFT", "HELD_UNCONFIDENT_UPSHIFT", unconfident_upshift),
        ("R9_UNCONFIDENT_UNKNOWN_MID", "HELD_UNCONFIDENT_UNKNOWN_MID", unconfident_unknown_mid),
        ("", "HELD_GUESSED_BASELINE", guessed_baseline),
        ("", "HELD_QUOTA", quota),
        ("", "HELD_CREDIT", credit),
        ("", "HELD_NO_SESSION", no_session),
        ("", "HELD_FORK", fork),
        ("", "HELD_FORK_COMPACTION", fork_compaction),
        ("", "HELD_NO_TARGET", no_target),
        ("", "HELD_MODEL_FORCED", model_forced),
        ("", "HELD_EXPLICIT_MODEL", explicit_model),
        ("", "HELD_NAMED_MODEL", named_model),
        ("", "HELD_PERMISSION_MODE", permission_mode),
        ("", "HELD_UNKNOWN_ENDPOINT", unknown_endpoint),
        ("", "HELD_AFTER_FAILURE", after_failure),
        ("", "HELD_PINNED", pinned),
    )
)

# What a person is shown first: the reason that says most about this spawn. Doubt comes last.
_MOST_SPECIFIC = (
    "HELD_PINNED",
    "HELD_MODEL_FORCED",
    "HELD_FORK",
    "HELD_NAMED_MODEL",
    "HELD_EXPLICIT_MODEL",
    "HELD_UNKNOWN_ENDPOINT",
    "HELD_AFTER_FAILURE",
    "HELD_RISK_DOWNSHIFT",
    "HELD_COMPLEX_DOWNSHIFT",
    "HELD_FORK_COMPACTION",
    "HELD_QUOTA",
    "HELD_CREDIT",
    "HELD_NO_SESSION",
    "HELD_NO_TARGET",
    "HELD_FOREIGN_MODEL",
    "HELD_GUESSED_BASELINE",
    "HELD_PERMISSION_MODE",
)


def fired(facts: Facts) -> tuple[Guardrail, ...]:
    """Every guardrail that holds this spawn, in table order."""
    return tuple(guardrail for guardrail in TABLE if guardrail.fires(facts))


def most_specific(codes: list[str] | tuple[str, ...]) -> str:
    """The one HELD_ code to show a person; empty when nothing holds."""
    held = [code for code in codes if code.startswith("HELD_")]
    return next((code for code in _MOST_SPECIFIC if code in held), held[0] if held else "")
