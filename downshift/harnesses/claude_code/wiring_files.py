"""How this machine's Claude Code reaches Downshift: as a plugin, through hooks in settings, both, or not at all.

File formats as Claude Code 2.1.332 writes them: `enabledPlugins` and `hooks` in
settings.json, `plugins/installed_plugins.json` (version 2) and
`plugins/known_marketplaces.json`.
"""

from __future__ import annotations

import os

from downshift.harnesses.base import Wiring
from downshift.harnesses.claude_code.plugin_files import roots
from downshift.harnesses.claude_code.settings import config_dir
from downshift.harnesses.fields import json_file, rows, table, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from downshift.harnesses.readers import Readers

PLUGIN = "downshift"
EVENT = "PreToolUse"


def read_wiring(readers: Readers) -> Wiring:
    """What is installed and enabled; a plugin that is installed but switched off does not count."""
    folder = config_dir(readers.env)
    settings = json_file(readers, folder, "settings.json")
    plugins = _plugins(folder, settings, readers)
    return Wiring(
        installed=bool(readers.names(folder)) or _on_path(readers),
        plugins=tuple(plugins),
        commands=(*_own_commands(settings), *_plugin_commands(plugins, readers)),
        disabled=bool(settings.get("disableAllHooks")),
    )


def _on_path(readers: Readers) -> bool:
    return any("claude" in readers.names(folder) for folder in readers.env.get("PATH", "").split(os.pathsep) if folder)


def _plugins(folder: str, settings: dict[str, Any], readers: Readers) -> list[str]:
    """The folders that enabled Downshift plugins are read from, enabled for the user or for one project."""
    known = table(json_file(readers, folder, "plugins", "installed_plugins.json"), "plugins")
    found = []
    for key in (each for each in known if each.partition("@")[0] == PLUGIN):
        projects = [
            os.path.join(text(one, "projectPath"), ".claude") for one in rows(known, key) if one.get("projectPath")
        ]
        files = [os.path.join(each, name) for each in projects for name in ("settings.json", "settings.local.json")]
        if any(
            table(each, "enabledPlugins").get(key) for each in (settings, *(json_file(readers, file) for file in files))
        ):
            found += roots(key, folder, readers)
    return found


def _own_commands(settings: dict[str, Any]) -> list[str]:
    return [command for command in _commands(settings.get("hooks")) if "downshift" in command]


def _plugin_commands(plugins: list[str], readers: Readers) -> list[str]:
    found = []
    for root in plugins:
        hooks = json_file(readers, root, "hooks", "hooks.json").get("hooks")
        found += [command.replace("${CLAUDE_PLUGIN_ROOT}", root) for command in _commands(hooks)]
    return found


def _commands(hooks: object) -> list[str]:
    groups = hooks.get(EVENT) if isinstance(hooks, dict) else None
    handlers = [_at(group, "hooks") for group in groups] if isinstance(groups, list) else []
    commands = [_at(one, "command") for several in handlers if isinstance(several, list) for one in several]
    return [command for command in commands if isinstance(command, str)]


def _at(value: object, *keys: str) -> object:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value
