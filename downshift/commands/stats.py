"""`downshift stats`: what the decisions of the last days came to."""

from __future__ import annotations

from downshift import paths
from downshift.catalog.shelf import Shelf
from downshift.commands.contract import Argument, Options, Result, Spec
from downshift.history import window
from downshift.views.line import Line
from downshift.views.stats import Stats, detail_lines, export, stats_lines

SPEC = Spec(
    name="stats",
    help="What the decisions of the last days came to: switched, held, honored, tokens.",
    example="downshift stats --days 7 --detail",
    arguments=(
        Argument(name="--days", help="How many days to look back.", default=window.DAYS),
        Argument(name="--detail", help="Show where the figures come from.", default=False),
        Argument(name="--export", help="Print the counters as one JSON document (schema 3).", default=False),
        Argument(name="--json", help="The same as --export.", default=False),
    ),
)


def run(options: Options) -> Result:
    """Read the window and count."""
    state = paths.state(options.env)
    seen, catalogs = window.read(state, options.text("days")), Shelf(state)
    stats = Stats(seen.entries, catalogs)
    data = export(stats, seen.days, seen.generated_at, seen.unlinked)
    lines = stats_lines(stats, seen.days)
    if options.flag("detail"):
        lines += detail_lines(stats)
    elif stats.total:
        lines += (Line(text="downshift stats --detail shows where this comes from", tone="dim"),)
    if seen.damaged:
        lines += (Line(text=f"{seen.damaged} damaged lines of the log were skipped", tone="warn"),)
    return Result(lines=lines, data=data, data_only=options.flag("export"))
