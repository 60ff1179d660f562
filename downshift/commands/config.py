"""`downshift config`: every setting with where its value comes from, and what is wrong with config.json."""

from __future__ import annotations

from downshift import paths
from downshift.commands.contract import Argument, Options, Result, Spec
from downshift.sessions import config
from downshift.state_files import MISSING, OK, File, read_object
from downshift.views.line import Line

SPEC = Spec(
    name="config",
    help="Each setting in force, and where it comes from.",
    example="downshift config show",
    arguments=(
        Argument(name="action", help="show.", default="show", choices=("show",)),
        Argument(name="--json", help="Print one JSON document.", default=False),
    ),
)

# Setting → the environment variable that also sets it, empty for those that only the file has.
_SETTINGS = {
    "control_share": paths.CONTROL_SHARE,
    "quiet": paths.QUIET,
    "respect_explicit": paths.RESPECT_EXPLICIT,
    "tier_floor": "",
    "pins": "",
    "compactor": "",
    "statusline_command": "",
}


def run(options: Options) -> Result:
    """The settings; exit status 1 when the file is not used."""
    state, env = paths.state(options.env), options.env
    file = read_object(state.file(config.NAME)) if state else File(config.NAME, MISSING)
    settings = config.load(state, env)
    values = {
        "control_share": settings.control_share,
        "quiet": settings.quiet,
        "respect_explicit": settings.respect_explicit,
        "tier_floor": {"agent_type": dict(settings.tier_floor)},
        "pins": {"agent_type": list(settings.pinned_agent_types), "project": list(settings.pinned_projects)},
        "compactor": settings.compactor,
        "statusline_command": settings.statusline_command,
    }
    used = file.data if not settings.problem else {}
    rows = [{"name": name, "value": value, "source": _source(name, options, used)} for name, value in values.items()]
    details = _details(file) if file.status == OK else []
    lines = [Line(text=f"{row['name']:<17}{_shown(row['value']):<28}{row['source']}") for row in rows]
    lines += [Line(text=detail, tone="bad") for detail in ([settings.problem] if settings.problem else []) + details]
    data = {"settings": rows, "problem": settings.problem, "details": details, "path": file.path}
    return Result(lines=tuple(lines), data=data, code=1 if settings.problem else 0)


def _source(name: str, options: Options, used: dict[str, object]) -> str:
    variable = _SETTINGS[name]
    if variable and variable in options.env:
        return variable
    if name in used:
        return "config.json"
    return "plugin option" if variable and paths.option(options.env, variable) else "default"


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, dict):
        parts = [f"{key}: {inner}" for key, inner in value.items() if inner]
        return ", ".join(parts) or "none"
    return str(value)


def _details(file: File) -> list[str]:
    """What pydantic says about the file, line by line; nothing where the package is not installed."""
    try:
        from downshift.schemas.config import complaints
    except ModuleNotFoundError as missing:
        if missing.name != "pydantic":
            raise
        return []
    return complaints(file.data)
