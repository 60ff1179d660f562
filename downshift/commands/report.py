"""`downshift report`: does it pay? Routed spawns against those that were left alone at random."""

from __future__ import annotations

from downshift import paths
from downshift.catalog.shelf import Shelf
from downshift.commands.contract import Argument, Options, Result, Spec
from downshift.harnesses.registry import ADAPTERS
from downshift.history import window
from downshift.views.report import Comparison, completion, report_data, report_lines
from downshift.views.session import honored_counts, honored_text

SPEC = Spec(
    name="report",
    help="Routed against control: tokens per completed task, and rework.",
    example="downshift report --days 7",
    arguments=(
        Argument(name="--days", help="How many days to look back.", default=window.DAYS),
        Argument(name="--json", help="Print one JSON document.", default=False),
    ),
)


def run(options: Options) -> Result:
    """Read the window and compare."""
    state = paths.state(options.env)
    seen = window.read(state, options.text("days"))
    comparison = Comparison(seen.entries, Shelf(state))
    ends = completion(seen.entries, {name: load().CAPABILITIES for name, load in ADAPTERS.items()})
    honored = honored_text(honored_counts(seen.entries))
    return Result(
        lines=report_lines(comparison, ends, seen.days, honored),
        data=report_data(comparison, ends, seen.days, seen.generated_at),
    )
