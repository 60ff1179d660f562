"""The model that an agent's definition file names: project agents, the user's own, those of installed plugins.

Formats read from Claude Code 2.1.332: Markdown with a front matter of
`key: value` lines; plugins are found through `installed_plugins.json`.
"""

from __future__ import annotations

import os

from downshift.core.json_text import parse_object
from downshift.harnesses.claude_code.settings import config_dir
from downshift.harnesses.fields import front_matter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from downshift.harnesses.readers import Readers

_MOST_FILES = 200
_MOST_PARENTS = 12


def find_model(agent_type: str, cwd: str, readers: Readers) -> str | None:
    """The `model` of the definition: empty when it names none, None when there is no definition."""
    plugin, colon, name = agent_type.partition(":")
    if colon:
        folders = _plugin_folders(plugin, readers)
        name = name.rpartition(":")[2]
    else:
        name, folders = agent_type, _own_folders(cwd, readers)
    for folder in folders:
        for path in _candidates(folder, name, readers):
            fields = front_matter(readers.text(path))
            if fields and fields.get("name", name) == name:
                return fields.get("model", "")
    return None


def _candidates(folder: str, name: str, readers: Readers) -> Iterator[str]:
    """The file that bears the agent's name first, then the others: `name` in the file is what counts."""
    files = [file for file in readers.names(folder) if file.endswith(".md")][:_MOST_FILES]
    files.sort(key=lambda file: file != f"{name}.md")
    return (os.path.join(folder, file) for file in files)


def _own_folders(cwd: str, readers: Readers) -> Iterator[str]:
    folder = cwd
    for _ in range(_MOST_PARENTS):
        if not folder:
            break
        yield os.path.join(folder, ".claude", "agents")
        parent = os.path.dirname(folder)
        if parent == folder or ".git" in readers.names(folder):
            break
        folder = parent
    user = config_dir(readers.env)
    if user:
        yield os.path.join(user, "agents")


def _plugin_folders(plugin: str, readers: Readers) -> Iterator[str]:
    known = parse_object(readers.text(os.path.join(config_dir(readers.env), "plugins", "installed_plugins.json"))) or {}
    plugins = known.get("plugins")
    for key, installs in plugins.items() if isinstance(plugins, dict) else ():
        if key.partition("@")[0] != plugin or not isinstance(installs, list):
            continue
        for install in installs:
            path = install.get("installPath") if isinstance(install, dict) else None
            if isinstance(path, str):
                yield os.path.join(path, "agents")
