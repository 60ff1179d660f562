"""Where the installed plugins of Claude Code lie.

File formats as Claude Code 2.1.332 writes them: `plugins/installed_plugins.json`
(version 2) and `plugins/known_marketplaces.json`.
"""

from __future__ import annotations

import os

from downshift.harnesses.fields import json_file, rows, table, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from downshift.harnesses.readers import Readers


def plugin_roots(plugin: str, config: str, readers: Readers) -> list[str]:
    """The folders that a plugin of this name is read from, by whatever marketplace it came."""
    installed = json_file(readers, config, "plugins", "installed_plugins.json")
    keys = [key for key in table(installed, "plugins") if key.partition("@")[0] == plugin]
    return [root for key in keys for root in roots(key, config, readers)]


def roots(key: str, config: str, readers: Readers) -> list[str]:
    """The folders that the plugin `name@marketplace` is read from."""
    plugin, _, market = key.partition("@")
    source = table(table(json_file(readers, config, "plugins", "known_marketplaces.json"), market), "source")
    # A folder marketplace is read where it lies, not from the copy that an installation makes.
    if source.get("source") == "directory" and text(source, "path"):
        folder = text(source, "path")
        listed = rows(json_file(readers, folder, ".claude-plugin", "marketplace.json"), "plugins")
        below = [text(each, "source") for each in listed if each.get("name") == plugin]
        if any(below):
            return [os.path.normpath(os.path.join(folder, each)) for each in below if each]
    installs = rows(table(json_file(readers, config, "plugins", "installed_plugins.json"), "plugins"), key)
    return [text(install, "installPath") for install in installs if text(install, "installPath")]


def manifest(root: str, readers: Readers) -> dict[str, Any]:
    """The plugin.json of a plugin; empty when there is none."""
    return json_file(readers, root, ".claude-plugin", "plugin.json")
