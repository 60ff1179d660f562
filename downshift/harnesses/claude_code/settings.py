"""The model a Claude Code session is configured to use: a guess, for when its transcript says nothing.

`--model` and a switch in mid-session are not visible here, which is why the
baseline it gives is marked as guessed.
"""

from __future__ import annotations

import os

from downshift import paths
from downshift.core.json_text import parse_object

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from downshift.core.spawn import Spawn
    from downshift.harnesses.readers import Readers


def config_dir(env: Mapping[str, str]) -> str:
    """Claude Code's own folder; empty when there is no home."""
    told = env.get("CLAUDE_CONFIG_DIR", "")
    if told:
        return told
    home = paths.home(env)
    return os.path.join(home, ".claude") if home else ""


def configured_model(spawn: Spawn, readers: Readers) -> str:
    """ANTHROPIC_MODEL, then the project's and the user's settings: the first that names a model."""
    named = readers.env.get("ANTHROPIC_MODEL", "") or next(
        (model for model in (_model(readers.text(path)) for path in _files(spawn, readers)) if model), ""
    )
    plain = named.strip().lower().partition("[")[0]
    if plain == "opusplan":
        return "opus" if spawn.permission_mode == "plan" else "sonnet"
    return "" if plain == "default" else plain


def _files(spawn: Spawn, readers: Readers) -> tuple[str, ...]:
    project = os.path.join(spawn.cwd, ".claude") if spawn.cwd else ""
    user = config_dir(readers.env)
    found = []
    if project:
        found += [os.path.join(project, "settings.local.json"), os.path.join(project, "settings.json")]
    if user:
        found.append(os.path.join(user, "settings.json"))
    return tuple(found)


def _model(text: str) -> str:
    model = (parse_object(text) or {}).get("model")
    return model if isinstance(model, str) else ""
