"""Discovery: what each source says, how it is ranked, and how it is kept."""

from __future__ import annotations

import json
import os
import stat
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from downshift.catalog.lookup import load
from downshift.core.errors import UserError
from downshift.discovery import rank, sources, store
from downshift.discovery.sources import Listed, Source


def program(folder: Path, name: str, output: str, code: int = 0) -> dict[str, str]:
    """A stand-in for a harness's command line on PATH."""
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.out").write_text(output)
    (folder / name).write_text(f"#!/bin/sh\necho oops >&2\ncat '{folder}/{name}.out'\nexit {code}\n")
    (folder / name).chmod(0o755)
    return {"PATH": f"{folder}:/usr/bin:/bin", "HOME": os.environ["HOME"]}


@pytest.fixture
def api():
    """A Models API on loopback; `answers` maps a path to (status, headers, body)."""
    seen: list[dict[str, str]] = []
    answers: dict[str, tuple[int, dict[str, str], bytes]] = {}

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_):
            """Quiet."""

        def do_GET(self):
            seen.append({"path": self.path, **{name.lower(): value for name, value in self.headers.items()}})
            status, headers, body = answers.get(self.path.split("?")[0], (404, {}, b"{}"))
            self.send_response(status)
            for name, value in {**headers, "content-length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}", answers, seen
    server.shutdown()
    server.server_close()


def test_the_models_api_is_asked_with_the_users_key(api):
    url, answers, seen = api
    rows = [
        {"id": "claude-opus-5-5", "display_name": "Opus", "created_at": "2026-09-01"},
        {"id": 7},
        "odd",
        {"id": "bad id"},
    ]
    answers["/v1/models"] = (200, {}, json.dumps({"data": rows}).encode())
    found = sources.claude_code({"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": url})
    assert [model.id for model in found.models] == ["claude-opus-5-5"]
    assert seen[0]["x-api-key"] == "k"


def test_a_redirect_is_not_followed_so_that_the_key_goes_nowhere_else(api):
    url, answers, seen = api
    answers["/v1/models"] = (302, {"location": f"{url}/elsewhere"}, b"")
    with pytest.raises(UserError):
        sources.claude_code({"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": url})
    assert len(seen) == 1


@pytest.mark.parametrize(
    "env",
    [
        {},
        {"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": "http://gateway.example"},
        {"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": "http://127.0.0.1:1"},
    ],
    ids=["no key", "not encrypted", "no answer"],
)
def test_without_a_key_or_a_safe_endpoint_nothing_is_asked(env):
    with pytest.raises(UserError):
        sources.claude_code(env)


def test_codex_reads_its_cache_and_leaves_the_hidden_out(home):
    (home / ".codex").mkdir()
    rows = [
        {"slug": "gpt-6-luna", "visibility": "list", "display_name": "Luna"},
        {"slug": "gpt-reserve", "visibility": "hide"},
    ]
    (home / ".codex" / "models_cache.json").write_text(json.dumps({"models": rows}))
    found = sources.codex(dict(os.environ))
    assert (found.name, [model.id for model in found.models]) == ("models_cache.json", ["gpt-6-luna"])


@pytest.mark.process
@pytest.mark.parametrize(
    ("harness", "name", "output", "ids"),
    [
        ("codex", "codex", json.dumps({"models": [{"slug": "gpt-6-sol", "visibility": "list"}]}), ["gpt-6-sol"]),
        (
            "kirocrew",
            "kiro-cli",
            json.dumps({"models": [{"model_id": "auto"}, {"model_id": "claude-haiku-4-5"}]}),
            ["claude-haiku-4-5"],
        ),
        ("antigravity", "agy", json.dumps({"models": [{"id": "gemini-3.8-pro", "name": "Pro"}]}), ["gemini-3.8-pro"]),
        (
            "cursor",
            "cursor-agent",
            "Available models\n\ncomposer-2.5 - Composer\nno line\nbad id! - x\n\nTip: choose\n",
            ["composer-2.5"],
        ),
        (
            "opencode",
            "opencode",
            "anthropic/claude-haiku-4-5\nopencode/big pickle\nnoise\n",
            ["anthropic/claude-haiku-4-5"],
        ),
        ("grok", "grok", "Models:\n  * grok-4.6 (default)\n  - grok-4.7\n", ["grok-4.6", "grok-4.7"]),
    ],
)
def test_each_command_line_is_asked_and_read(monkeypatch, sandbox, harness, name, output, ids):
    env = program(sandbox / "bin", name, output)
    monkeypatch.setenv("PATH", env["PATH"])
    assert [model.id for model in sources.SOURCES[harness](env).models] == ids


@pytest.mark.process
@pytest.mark.parametrize(("output", "code"), [("not json", 0), ("{}", 1), ("x" * 5_000_000, 0)])
def test_a_command_that_fails_or_prints_rubbish_is_a_sentence(monkeypatch, sandbox, output, code):
    monkeypatch.setenv("PATH", program(sandbox / "bin", "kiro-cli", output, code)["PATH"])
    with pytest.raises(UserError):
        sources.kirocrew({})


def test_a_command_that_is_not_there_is_a_sentence(monkeypatch, sandbox):
    monkeypatch.setenv("PATH", str(sandbox))
    for harness in ("cursor", "kirocrew", "antigravity", "opencode", "grok"):
        with pytest.raises(UserError, match="not on PATH"):
            sources.SOURCES[harness]({})


def test_a_list_is_ranked_by_tier_and_price_with_the_newest_of_each_family():
    listed = [
        Listed(id="claude-opus-5-5"),
        Listed(id="mystery"),
        Listed(id="claude-haiku-5-5"),
        Listed(id="claude-sonnet-5-5", created="2026-08-01"),
        Listed(id="claude-sonnet-6-0", created="2026-11-01"),
    ]
    ranked = rank.rank_source(Source(name="x", models=tuple(listed)), load("claude-code"))
    assert ranked.ordered == ("claude-haiku-5-5", "claude-sonnet-6-0", "claude-opus-5-5")
    assert (ranked.unranked, ranked.superseded) == (("mystery",), ("claude-sonnet-5-5",))


SOURCE = Source(name="x", models=(Listed(id="a"),))
RANKED = rank.Ranked(ordered=("a",), unranked=(), superseded=())


def test_what_was_found_is_kept_beside_the_other_harnesses_and_private(home):
    path = str(home / ".downshift" / "discovered.json")
    store.write_entry(path, "codex", SOURCE, RANKED, "2026-12-01T00:00:00Z")
    store.write_entry(path, "cursor", SOURCE, RANKED, "2026-12-01T00:00:00Z")
    told = json.loads(Path(path).read_text())
    assert (told["version"], sorted(told["harnesses"])) == (1, ["codex", "cursor"])
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    assert os.listdir(home / ".downshift") == ["discovered.json"]


def test_a_damaged_file_is_not_overwritten(home):
    path = home / "discovered.json"
    path.write_text("{torn")
    with pytest.raises(UserError):
        store.write_entry(str(path), "codex", SOURCE, RANKED, "x")
    assert path.read_text() == "{torn"
