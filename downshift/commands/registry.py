"""Every command, in the order of the help. One row each."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from downshift.commands.contract import CommandModule

ABOUT = "Downshift runs each subagent on the least model and effort that will do its task well."


def commands() -> dict[str, CommandModule]:
    """Name → module."""
    from downshift.commands import (
        bench,
        config,
        demo,
        doctor,
        models,
        quota,
        report,
        session,
        stats,
        try_spawn,
        version,
        watch,
    )

    modules = (try_spawn, session, watch, stats, report, doctor, models, quota, config, bench, demo, version)
    return {module.SPEC.name: module for module in modules}
