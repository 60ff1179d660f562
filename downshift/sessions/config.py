"""The operator's settings: the environment, then config.json, then the plugin's options, then the defaults."""

from __future__ import annotations

from downshift import paths
from downshift.core.control import DEFAULT_SHARE, share_of
from downshift.core.record import Record
from downshift.core.tiers import TIERS
from downshift.state_files import OK, File, read_object

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from downshift.paths import State

NAME = "config.json"


class Settings(Record):
    """What the operator wants. `problem` says what was wrong with config.json; its values are then not used."""

    control_share: float = DEFAULT_SHARE
    quiet: bool = False
    respect_explicit: bool = False
    compactor: bool = True
    tier_floor: Mapping[str, str] = {}
    """Agent type → the least tier its spawns get, even when the classification is not confident."""
    pinned_agent_types: tuple[str, ...] = ()
    pinned_projects: tuple[str, ...] = ()
    """Absolute folders; a spawn in one of them, or below, is left alone."""
    statusline_command: str = ""
    """The user's own status line command, run after ours."""
    problem: str = ""

    def floor(self, agent_type: str) -> str:
        """The tier floor for a type of agent; empty when there is none."""
        return self.tier_floor.get(agent_type or "general-purpose", "")

    def pins(self, agent_type: str, cwd: str) -> bool:
        """Whether the operator pinned this type of agent or this project."""
        below = any(cwd == project or cwd.startswith(project.rstrip("/") + "/") for project in self.pinned_projects)
        return below or (agent_type or "general-purpose") in self.pinned_agent_types


def load(state: State | None, env: Mapping[str, str]) -> Settings:
    """The settings in force for this process."""
    file = read_object(state.file(NAME)) if state else File("", OK)
    told = file.data if not wrong(file.data) else {}
    floors, pins = told.get("tier_floor", {}), told.get("pins", {})
    return Settings(
        control_share=_share(env, told),
        quiet=_flag(env, told, paths.QUIET),
        respect_explicit=_flag(env, told, paths.RESPECT_EXPLICIT),
        compactor=told.get("compactor") is not False,
        tier_floor=floors.get("agent_type", {}),
        pinned_agent_types=tuple(pins.get("agent_type", ())),
        pinned_projects=tuple(pins.get("project", ())),
        statusline_command=told.get("statusline_command", ""),
        problem=file.problem() or _named(file, wrong(file.data)),
    )


def wrong(data: Mapping[str, object]) -> str:
    """The first key of a config whose value is not what it should be; empty when all is well.

    One wrong value makes the whole file unusable: half a config is not what anybody wrote.
    """
    for key, is_right in _KEYS.items():
        if key in data and not is_right(data[key]):
            return key
    return ""


def _is_share(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= 1


def _is_bool(value: object) -> bool:
    return isinstance(value, bool)


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _are_words(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(word, str) for word in value)


def _are_floors(value: object) -> bool:
    floors = value.get("agent_type", {}) if isinstance(value, dict) else None
    return isinstance(floors, dict) and all(tier in TIERS for tier in floors.values())


def _are_pins(value: object) -> bool:
    return isinstance(value, dict) and all(_are_words(value.get(key, [])) for key in ("agent_type", "project"))


_KEYS = {
    "control_share": _is_share,
    "quiet": _is_bool,
    "respect_explicit": _is_bool,
    "compactor": _is_bool,
    "tier_floor": _are_floors,
    "pins": _are_pins,
    "statusline_command": _is_text,
}


def _share(env: Mapping[str, str], told: Mapping[str, object]) -> float:
    own = env.get(paths.CONTROL_SHARE)
    if own:
        return share_of(own)
    written = told.get("control_share")
    if isinstance(written, (int, float)):
        return float(written)
    option = paths.option(env, paths.CONTROL_SHARE)
    return share_of(option) if option else DEFAULT_SHARE


def _flag(env: Mapping[str, str], told: Mapping[str, object], name: str) -> bool:
    if name in env:
        return paths.is_on(env[name])
    key = name[len("DOWNSHIFT_") :].lower()
    return bool(told[key]) if key in told else paths.is_on(paths.option(env, name))


def _named(file: File, key: str) -> str:
    return f"{NAME}: {key} is not valid; the file is not used" if key and file.status == OK else ""
