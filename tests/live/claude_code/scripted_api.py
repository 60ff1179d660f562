"""A scripted stand-in for the Anthropic Messages API on loopback.

It logs every request, and answers POST /v1/messages from *scripts*. A script is
a list of steps, named by a marker in a prompt: `[[script:NAME]]`. The server
keeps no conversation: for each request it finds the LAST marker in a user-role
text, counts the assistant messages after it, and plays that step. So a main
thread and any number of nested, parallel, background or resumed subagents each
follow their own script. Past the end of a script the answer is a short text.

A step is a dict (or a function of the request body that returns one):

    text, thinking   blocks of that kind
    tool, input      one tool_use block
    tools            several of them: [{"name": …, "input": …}]
    usage, model     override what the answer claims
    error            an HTTP status to answer with; `times` fails only the first tries
    delay, hang      seconds to wait; never finish
    broken           how many of the first tries end in an error inside the stream
    verdict          what auto mode's server-side check says of each call:
                     "not_flagged" (default), "flagged" or None
"""

from __future__ import annotations

import itertools
import json
import re
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

MARK = re.compile(r"\[\[script:([A-Za-z0-9_.-]+)\]\]")
ERROR_TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    429: "rate_limit_error",
    500: "api_error",
    529: "overloaded_error",
}
ALWAYS = 10**9


class ScriptedApi:
    """The server; a context manager. `requests` holds everything it was asked, `answers` what it sent whole."""

    def __init__(self, scripts: dict[str, Any]) -> None:
        self.scripts = dict(scripts)
        self.requests: list[dict[str, Any]] = []
        self.answers: list[dict[str, Any]] = []
        self._lock = threading.Lock()
        self._numbers = itertools.count(1)
        self._tries: dict[tuple[str | None, int], int] = {}
        handler = type("Handler", (_Handler,), {"api": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> ScriptedApi:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def messages(self, **wanted: object) -> list[dict[str, Any]]:
        """The logged message requests whose fields are as wanted."""
        return [each for each in self.requests if all(each.get(key) == value for key, value in wanted.items())]

    def number(self) -> int:
        """The next number, for ids."""
        return next(self._numbers)

    def play(self, body: dict[str, Any], headers: dict[str, str]) -> tuple[dict[str, Any], int]:
        """The step that answers this request, and how often it was asked for."""
        name, index = locate(body)
        with self._lock:
            tries = self._tries[name, index] = self._tries.get((name, index), 0) + 1
            self.requests.append(
                {
                    "script": name,
                    "step": index,
                    "model": body.get("model"),
                    "output_config": body.get("output_config"),
                    "agent_id": headers.get("x-claude-code-agent-id"),
                    "parent_agent_id": headers.get("x-claude-code-parent-agent-id"),
                    "session_id": headers.get("x-claude-code-session-id"),
                }
            )
        steps = self.scripts.get(str(name), [])
        step = steps[index] if index < len(steps) else {"text": f"script {name} is over"}
        return (step(body) if callable(step) else step), tries


def locate(body: dict[str, Any]) -> tuple[str | None, int]:
    """The script that a request follows, and at which step it is."""
    name, step = None, 0
    for message in body.get("messages", []):
        if message.get("role") == "assistant":
            step += 1
            continue
        for found in itertools.chain.from_iterable(MARK.findall(text) for text in _texts(message)):
            name, step = found, 0
    return name, step


def _texts(message: dict[str, Any]) -> list[str]:
    content = message.get("content")
    if isinstance(content, str):
        return [content]
    return [str(block.get("text", "")) for block in content or [] if block.get("type") == "text"]


def blocks_of(step: dict[str, Any], identity: str) -> list[dict[str, Any]]:
    """The content blocks of a step."""
    blocks: list[dict[str, Any]] = []
    if step.get("thinking"):
        blocks.append({"type": "thinking", "thinking": step["thinking"], "signature": "c2ln"})
    if step.get("text") is not None:
        blocks.append({"type": "text", "text": step["text"]})
    calls = list(step.get("tools") or [])
    if step.get("tool"):
        calls.append({"name": step["tool"], "input": step.get("input") or {}})
    for number, call in enumerate(calls):
        blocks.append(
            {"type": "tool_use", "id": f"toolu_{identity}_{number}", "name": call["name"], "input": call["input"]}
        )
    return blocks or [{"type": "text", "text": "ok"}]


def verdicts_of(step: dict[str, Any], blocks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What auto mode's check says of the calls in an answer."""
    outcome = step.get("verdict", "not_flagged")
    verdict = {"type": "evaluated", "outcome": outcome}
    if outcome == "flagged":
        verdict["explanation"] = "scripted verdict"
    calls = {block["id"]: verdict for block in blocks if block["type"] == "tool_use"}
    return [{"type": "dangerous_tool_use", "status": {"type": "available", "tool_uses": calls}}]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    api: ScriptedApi

    def log_message(self, *_: object) -> None:
        """Quiet."""

    def do_GET(self) -> None:
        self._json(404, {"type": "error", "error": {"type": "not_found_error", "message": "no"}})

    do_HEAD = do_GET

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        if self.path.split("?")[0] != "/v1/messages":
            self.do_GET()
            return
        body = json.loads(raw)
        headers = {name.lower(): value for name, value in self.headers.items()}
        if not body.get("tools") and "x-claude-code-agent-id" not in headers:
            step, tries = {"text": "auxiliary reply"}, 1  # a title or a summary
        else:
            step, tries = self.api.play(body, headers)
        time.sleep(step.get("delay", 0))
        if step.get("error") and tries <= step.get("times", ALWAYS):
            self._error(step["error"])
        elif body.get("stream") and tries <= step.get("broken", 0):
            self._break_off(body)
        else:
            self._answer(body, step, headers.get("x-claude-code-agent-id"))

    def _answer(self, body: dict[str, Any], step: dict[str, Any], agent_id: str | None) -> None:
        identity = f"fake_{self.api.number():04d}"
        blocks = blocks_of(step, identity)
        calls = any(block["type"] == "tool_use" for block in blocks)
        usage = {
            "input_tokens": 100 + self.api.number(),
            "cache_creation_input_tokens": 20,
            "cache_read_input_tokens": 300,
            "output_tokens": 10 + len(json.dumps(blocks)) // 4,
            **(step.get("usage") or {}),
        }
        if not step.get("hang"):
            self.api.answers.append({"agent_id": agent_id, "usage": usage})
        message = {
            "id": f"msg_{identity}",
            "type": "message",
            "role": "assistant",
            "model": step.get("model") or body.get("model"),
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": usage,
        }
        end: dict[str, Any] = {"stop_reason": "tool_use" if calls else "end_turn", "stop_sequence": None}
        if body.get("safeguards") and step.get("verdict", "not_flagged"):
            end["safeguard_results"] = verdicts_of(step, blocks)
        if not body.get("stream"):
            self._json(200, {**message, **end, "content": blocks})
            return
        try:
            self._stream(message, blocks, end, hang=bool(step.get("hang")))
        except OSError:
            return  # the client left

    def _break_off(self, body: dict[str, Any]) -> None:
        """Begin an answer and end it with an error event, as an overloaded server does."""
        self._head(200, "text/event-stream; charset=utf-8", ("transfer-encoding", "chunked"))
        usage = {"input_tokens": 9, "output_tokens": 1}
        empty = {
            "id": "msg_broken",
            "type": "message",
            "role": "assistant",
            "model": body.get("model"),
            "content": [],
            "usage": usage,
        }
        self._event("message_start", message=empty)
        self._event("error", error={"type": "overloaded_error", "message": "scripted"})
        self.wfile.write(b"0\r\n\r\n")

    def _error(self, status: int) -> None:
        error = {"type": ERROR_TYPES.get(status, "api_error"), "message": f"scripted {status}"}
        self._json(status, {"type": "error", "error": error})

    def _json(self, status: int, value: object) -> None:
        data = json.dumps(value).encode()
        self._head(status, "application/json", ("content-length", str(len(data))))
        if self.command != "HEAD":
            self.wfile.write(data)

    def _head(self, status: int, kind: str, *more: tuple[str, str]) -> None:
        self.send_response(status)
        for name, value in (("content-type", kind), ("request-id", f"req_fake_{self.api.number()}"), *more):
            self.send_header(name, value)
        self.end_headers()

    def _stream(
        self, message: dict[str, Any], blocks: list[dict[str, Any]], end: dict[str, Any], *, hang: bool
    ) -> None:
        self._head(200, "text/event-stream; charset=utf-8", ("transfer-encoding", "chunked"))
        usage = message["usage"]
        self._event("message_start", message={**message, "usage": {**usage, "output_tokens": 1}})
        while hang:  # until the client goes away
            time.sleep(0.25)
            self._event("ping")
        for index, block in enumerate(blocks):
            empty, deltas = _pieces(block)
            self._event("content_block_start", index=index, content_block=empty)
            for delta in deltas:
                self._event("content_block_delta", index=index, delta=delta)
            self._event("content_block_stop", index=index)
        self._event("message_delta", delta=end, usage=usage)
        self._event("message_stop")
        self.wfile.write(b"0\r\n\r\n")
        self.wfile.flush()

    def _event(self, kind: str, **data: object) -> None:
        payload = f"event: {kind}\ndata: {json.dumps({'type': kind, **data})}\n\n".encode()
        self.wfile.write(b"%x\r\n%s\r\n" % (len(payload), payload))
        self.wfile.flush()


def _pieces(block: dict[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """How a block is streamed: its empty form, then what is added to it."""
    if block["type"] == "text":
        return {"type": "text", "text": ""}, [{"type": "text_delta", "text": block["text"]}]
    if block["type"] == "thinking":
        added = [{"type": "thinking_delta", "thinking": block["thinking"]}]
        signed = {"type": "signature_delta", "signature": block["signature"]}
        return {"type": "thinking", "thinking": "", "signature": ""}, [*added, signed]
    text = json.dumps(block["input"])
    return {**block, "input": {}}, [{"type": "input_json_delta", "partial_json": text}]
