"""The model that an agent's definition file names: project agents, the user's own, those of installed plugins.

Formats read from Claude Code 2.1.332: Markdown with a front matter, in the
folder or below it; plugins are found through `installed_plugins.json`. Front
matter is YAML and this is not a YAML parser: what is not plainly a name is
unclear, and then nobody can say what the child would run on.
"""

from __future__ import annotations

import os

from downshift.harnesses.claude_code.plugin_files import manifest, plugin_roots
from downshift.harnesses.claude_code.settings import config_dir
from downshift.harnesses.fields import front_matter, upwards

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from downshift.harnesses.readers import Readers

UNCLEAR = "?"
"""There is a definition, or may be one, and what it names cannot be told."""
_HEAD = 32 * 1024
_MOST_FILES = 200
_DEEPEST = 4
_NOT_PLAIN = tuple(">|&*!{[%@`?")


def find_model(agent_type: str, cwd: str, readers: Readers) -> str | None:
    """The `model` of the definition: empty when it names none, `UNCLEAR`, or None when there is no definition."""
    plugin, colon, name = agent_type.partition(":")
    if colon:
        name = name.rpartition(":")[2]
        roots = plugin_roots(plugin, config_dir(readers.env), readers)
        if any("agents" in manifest(root, readers) for root in roots):
            return UNCLEAR  # it keeps its agents elsewhere
        folders = [os.path.join(root, "agents") for root in roots]
    else:
        name, folders = agent_type, list(_own_folders(cwd, readers))
    for folder in folders:
        found = _in_folder(folder, name, readers)
        if found is not None:
            return found
    return None


def _in_folder(folder: str, name: str, readers: Readers) -> str | None:
    """The model of the one definition of this name; `UNCLEAR` when several differ or not all could be looked at."""
    paths = list(_definitions(folder, readers, _DEEPEST))
    models = {_model(path, name, readers) for path in paths[:_MOST_FILES]} - {None}
    if len(models) > 1 or len(paths) > _MOST_FILES:
        return UNCLEAR
    return models.pop() if models else None


def _definitions(folder: str, readers: Readers, depth: int) -> Iterator[str]:
    for name in readers.names(folder):
        path = os.path.join(folder, name)
        if name.endswith(".md"):
            yield path
        elif depth and not name.startswith("."):
            yield from _definitions(path, readers, depth - 1)


def _model(path: str, name: str, readers: Readers) -> str | None:
    """The model that one file names for the agent; None when it is about another."""
    stem = os.path.basename(path)[: -len(".md")]
    head = readers.head(path, _HEAD)
    fields = front_matter(head)
    if not fields and head.startswith("---") and (stem == name or name in head):
        return UNCLEAR
    if any(key.startswith(_NOT_PLAIN) or key.startswith("<<") for key in fields) and (stem == name or name in head):
        return UNCLEAR
    if fields.get("name", stem) != name:
        return None
    model = fields.get("model", "")
    return UNCLEAR if model.startswith(_NOT_PLAIN) else model


def _own_folders(cwd: str, readers: Readers) -> Iterator[str]:
    for folder in upwards(cwd, readers):
        yield os.path.join(folder, ".claude", "agents")
    user = config_dir(readers.env)
    if user:
        yield os.path.join(user, "agents")
