"""What several adapters need: fields of payloads that are not ours, and the files in which a model is pinned.

A field of another type counts as absent, and a line that is not understood is
passed over: neither may stand in the way of a spawn.
"""

from __future__ import annotations

import os

from downshift import paths
from downshift.core.json_text import parse_object

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from downshift.harnesses.readers import Readers

_MOST_FILES = 200
_MOST_PARENTS = 12


def text(values: Mapping[str, Any], key: str) -> str:
    """A field as text; empty for anything else."""
    value = values.get(key)
    return value if isinstance(value, str) else ""


def table(values: Mapping[str, Any], key: str) -> dict[str, Any]:
    """A field as an object; empty for anything else."""
    value = values.get(key)
    return value if isinstance(value, dict) else {}


def json_file(readers: Readers, *path: str) -> dict[str, Any]:
    """The object in a small JSON file, by the parts of its path; empty when there is none."""
    return parse_object(readers.text(os.path.join(*path))) or {}


def rows(values: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    """The objects in a list field."""
    value = values.get(key)
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def strings(values: Mapping[str, Any], key: str) -> list[str]:
    """The texts in a list field."""
    value = values.get(key)
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def named(model: str, *others: str) -> str:
    """The model that a field names; empty for nothing, for `inherit`, and for `others` that name none."""
    model = model.strip()
    return "" if model.lower() in ("inherit", *others) else model


def before_tool(event: str) -> bool:
    """Whether an event is the one before a tool runs, in any harness's spelling; one without a name passes."""
    return event.lower().replace("_", "") in ("", "pretooluse")


def place(folder: str, *names: str) -> str:
    """A path below a folder; empty when there is no folder, so that nothing is looked for where we happen to run."""
    return os.path.join(folder, *names) if folder else ""


def in_home(env: Mapping[str, str], *names: str) -> str:
    """A path below the home directory; empty when there is none."""
    return place(paths.home(env), *names)


def upwards(folder: str, readers: Readers) -> Iterator[str]:
    """The folder and those above it, up to the root of its repository."""
    for _ in range(_MOST_PARENTS):
        if not os.path.isabs(folder):
            return
        yield folder
        parent = os.path.dirname(folder)
        if parent == folder or readers.exists(os.path.join(folder, ".git")):
            return
        folder = parent


def pinned_model(agent_type: str, folders: Iterable[str], readers: Readers) -> str:
    """The model in the front matter of the first Markdown definition of this type; empty when there is none."""
    for folder in folders if agent_type else ():
        files = [file for file in readers.names(folder) if file.endswith(".md")][:_MOST_FILES]
        # The name inside the file counts; the file that bears it is the likeliest.
        for file in sorted(files, key=lambda file: file != f"{agent_type}.md"):
            found = front_matter(readers.text(os.path.join(folder, file)))
            if found.get("name", file[: -len(".md")]) == agent_type:
                return named(found.get("model", ""))
    return ""


def front_matter(content: str) -> dict[str, str]:
    """The top-level `key: value` lines between the first two `---` lines; empty when there is no such block.

    What YAML allows beyond that stays visible: a value that goes on in the next
    lines is joined, a block scalar keeps its `>` or `|`, a flow mapping its `{`.
    """
    lines = content.replace("\r\n", "\n").split("\n")
    fields: dict[str, str] = {}
    last = ""
    for line in lines[1:] if lines[0].strip() == "---" else ():
        bare = line.strip()
        if bare == "---":
            return {key: _scalar(value) for key, value in fields.items()}
        if not bare or bare.startswith("#"):
            continue
        key, colon, value = line.partition(":")
        if line[0] in " \t":
            fields[last] = f"{fields.get(last, '')} {bare}".strip()
        elif colon:
            last = key.strip().strip("'\"")
            fields[last] = value.strip()
    return {}


def _scalar(value: str) -> str:
    return value[1:].partition(value[0])[0] if value[:1] in ("'", '"') else value.partition(" #")[0].strip()


def toml_strings(content: str) -> dict[tuple[str, ...], str]:
    """The strings that stand on one line of a TOML file, by their full key. Python 3.9 has no TOML library."""
    found: dict[tuple[str, ...], str] = {}
    header: tuple[str, ...] = ()
    closing = ""
    for line in content.split("\n"):
        key, equals, value = line.strip().partition("=")
        value = value.strip()
        if closing:
            closing = "" if closing in line else closing
        elif key.startswith("["):
            header = _key(line.strip().lstrip("[").partition("]")[0])
        elif equals and value[:3] in ('"""', "'''"):
            closing = "" if value[:3] in value[3:] else value[:3]
        elif equals and value[:1] in ('"', "'"):
            found[header + _key(key)] = value[1:].partition(value[0])[0]
    return found


def _key(dotted: str) -> tuple[str, ...]:
    parts, rest = [], dotted.strip()
    while rest:
        if rest[0] in ("'", '"'):
            part, _, rest = rest[1:].partition(rest[0])
            rest = rest.partition(".")[2]
        else:
            part, _, rest = rest.partition(".")
        parts.append(part.strip())
        rest = rest.strip()
    return tuple(parts)


def present(readers: Readers, folders: Iterable[str], *programs: str) -> bool:
    """Whether one of a harness's folders holds anything, or one of its programs is on the PATH."""
    places = [folder for folder in readers.env.get("PATH", "").split(os.pathsep) if folder]
    return any(readers.names(folder) for folder in folders) or any(
        program in readers.names(folder) for folder in places for program in programs
    )


def our_commands(hooks: Mapping[str, Any]) -> tuple[str, ...]:
    """The commands of ours that are registered for the event before a tool runs, alone or in groups."""
    entries = [entry for event in hooks if before_tool(event) for entry in rows(hooks, event)]
    handlers = [handler for entry in entries for handler in (entry, *rows(entry, "hooks"))]
    return tuple(command for command in (text(handler, "command") for handler in handlers) if "downshift" in command)
