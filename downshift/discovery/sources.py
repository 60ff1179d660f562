"""Where each harness says which models it has. One function for each; UserError when it cannot be asked.

Commands and formats as documented or seen: codex 0.171.0 (`models_cache.json`,
`codex debug models`), opencode 1.18.33 (`opencode models`); cursor-agent,
kiro-cli, agy and grok are documented, not run.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import urllib.error
import urllib.request

from downshift import paths
from downshift.core.errors import UserError
from downshift.core.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

MAX_OUTPUT = 4 * 1024 * 1024
_SECONDS = 30
_API = "https://api.anthropic.com"


class Listed(Record):
    """One model as its source names it. `created` orders the members of a family; empty when not told."""

    id: str
    display: str = ""
    created: str = ""


class Source(Record):
    """What a source said: its name, and the models in its own order."""

    name: str
    models: tuple[Listed, ...]


def claude_code(env: Mapping[str, str]) -> Source:
    """The Models API, with the user's own key. A redirect is not followed, so that the key goes nowhere else."""
    key = env.get("ANTHROPIC_API_KEY", "")
    if not key:
        raise UserError("the Models API needs ANTHROPIC_API_KEY", "a subscription has no list of models to ask for")
    url = env.get("ANTHROPIC_BASE_URL", _API).rstrip("/") + "/v1/models?limit=1000"
    if not url.startswith(("https://", "http://127.0.0.1", "http://localhost")):
        raise UserError(f"the key is not sent to {url}", "ANTHROPIC_BASE_URL must be https, or on this machine")
    request = urllib.request.Request(url, headers={"x-api-key": key, "anthropic-version": "2023-06-01"})  # noqa: S310  # checked above
    try:
        with urllib.request.build_opener(_NoRedirect).open(request, timeout=_SECONDS) as answer:
            rows = _json(answer.read(MAX_OUTPUT), "the Models API").get("data")
    except (OSError, urllib.error.URLError) as error:
        raise UserError(f"the Models API did not answer: {error}") from error
    return Source(name="models-api", models=_rows(rows, "id", "display_name", "created_at"))


def codex(env: Mapping[str, str]) -> Source:
    """The cache that Codex keeps, else `codex debug models`. A hidden model is not in the picker; it is left out."""
    folder = env.get("CODEX_HOME") or os.path.join(paths.home(env), ".codex")
    cache = os.path.join(folder, "models_cache.json")
    try:
        with open(cache, "rb") as file:
            name, told = "models_cache.json", _json(file.read(MAX_OUTPUT), cache)
    except OSError:
        name, told = "codex debug models", _json(_run(["codex", "debug", "models"]), "codex debug models")
    rows = told.get("models")
    listed = (
        [row for row in rows if isinstance(row, dict) and row.get("visibility") == "list"]
        if isinstance(rows, list)
        else []
    )
    return Source(name=name, models=_rows(listed, "slug", "display_name", ""))


def kirocrew(_: Mapping[str, str]) -> Source:
    """`auto` is a choice, not a model."""
    told = _json(_run(["kiro-cli", "chat", "--list-models", "--format", "json"]), "kiro-cli")
    models = _rows(told.get("models"), "model_id", "model_name", "")
    return Source(name="kiro-cli", models=tuple(model for model in models if model.id != "auto"))


def antigravity(_: Mapping[str, str]) -> Source:
    """The parent's picker. Its ids have no relation to the aliases that a subagent takes; they are only shown."""
    told = _json(_run(["agy", "--output-format", "json", "models"]), "agy")
    return Source(name="agy", models=_rows(told.get("models"), "id", "name", ""))


def cursor(_: Mapping[str, str]) -> Source:
    """Lines of `id - Display name` between a header and a footer."""
    text = _run(["cursor-agent", "models"]).decode("utf-8", "replace")
    pairs = [line.strip().partition(" - ") for line in text.splitlines() if " - " in line]
    models = tuple(Listed(id=name, display=display.strip()) for name, _, display in pairs if _is_id(name))
    return _not_empty(Source(name="cursor-agent", models=models))


def opencode(_: Mapping[str, str]) -> Source:
    """A line `provider/model` for each model of the user's providers."""
    lines = _run(["opencode", "models"]).decode("utf-8", "replace").splitlines()
    models = tuple(Listed(id=line.strip()) for line in lines if "/" in line and _is_id(line.strip()))
    return _not_empty(Source(name="opencode models", models=models))


def grok(_: Mapping[str, str]) -> Source:
    """A text block; what looks like an id is taken."""
    words = _run(["grok", "models"]).decode("utf-8", "replace").split()
    models = tuple(Listed(id=word) for word in dict.fromkeys(words) if word.startswith("grok-") and _is_id(word))
    return _not_empty(Source(name="grok models", models=models))


SOURCES: dict[str, Callable[[Mapping[str, str]], Source]] = {
    "claude-code": claude_code,
    "codex": codex,
    "cursor": cursor,
    "kirocrew": kirocrew,
    "antigravity": antigravity,
    "opencode": opencode,
    "grok": grok,
}


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        return None


def _run(command: list[str]) -> bytes:
    if not shutil.which(command[0]):
        raise UserError(f"{command[0]} is not on PATH")
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=_SECONDS, check=False)  # noqa: S603  # a fixed command
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UserError(f"`{' '.join(command)}` did not answer") from error
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise UserError(f"`{' '.join(command)}` failed: {said[-1] if said else f'status {done.returncode}'}")
    if len(done.stdout) > MAX_OUTPUT:
        raise UserError(f"`{' '.join(command)}` printed more than 4 MiB")
    return done.stdout


def _json(data: bytes, name: str) -> dict[str, Any]:
    try:
        told = json.loads(data)
    except ValueError as error:
        raise UserError(f"{name} is not JSON") from error
    return told if isinstance(told, dict) else {}


def _rows(rows: object, identity: str, display: str, created: str) -> tuple[Listed, ...]:
    found = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    return tuple(
        Listed(id=row[identity], display=str(row.get(display) or ""), created=str(row.get(created) or ""))
        for row in found
        if isinstance(row.get(identity), str) and _is_id(row[identity])
    )


def _is_id(text: str) -> bool:
    return 0 < len(text) <= 128 and all(letter.isalnum() or letter in "._:/-" for letter in text)


def _not_empty(source: Source) -> Source:
    if not source.models:
        raise UserError(f"{source.name} listed nothing that looks like a model id")
    return source
