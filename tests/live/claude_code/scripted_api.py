"""A scripted stand-in for the Anthropic Messages API.

It listens on 127.0.0.1, logs every request it is sent as one JSON object, and
answers POST /v1/messages from *scripts*.  A script is a list of steps, named by
a marker in a prompt:

    [[script:NAME]]

The server keeps no conversation state.  For each request it finds the LAST
marker in a user-role text, counts the assistant messages after it, and plays
that step.  So a main thread and any number of (nested, parallel, background,
resumed) subagents each follow their own script, because each one's prompt
carries its own marker.  Past the end of a script, and for a request without a
marker or without tools (titles, summaries ...), the answer is a short text.

A step is a dict; the keys it may hold:
    text        "..."                      a text block
    thinking    "..."                      a thinking block (first)
    tool,input  "Agent", {...}             one tool_use block
    tools       [{"name":..,"input":..}]   several tool_use blocks in one message
    usage       {...}                      overrides the traceable default usage
    model       "..."                      the model id the answer claims
    error       529 | 400 | ...            answer an HTTP error instead; with
    error_type, error_message, retry_after
    times       N                          fail only the first N tries of this step
    stream_error True                      HTTP 200, then an SSE `error` event
    delay       seconds                    wait before answering
    hang        True                       send message_start, then never finish
    verdict     "not_flagged" | "flagged" | None   what auto mode's server-side
                safety check says of each tool call (only if the request asks)
A step may also be a function of the request body that returns such a dict, and
the text {{last_agent_id}} anywhere in a step stands for the last "agentId: X"
the request mentions (what SendMessage needs to resume a subagent).
"""
import itertools
import json
import re
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MARK = re.compile(r"\[\[script:([A-Za-z0-9_.-]+)\]\]")
ERROR_TYPES = {400: "invalid_request_error", 401: "authentication_error",
               403: "permission_error", 404: "not_found_error",
               413: "request_too_large", 429: "rate_limit_error",
               500: "api_error", 529: "overloaded_error"}


def _texts(message):
    content = message.get("content")
    if isinstance(content, str):
        return [content]
    return [b.get("text", "") for b in content or []
            if isinstance(b, dict) and b.get("type") == "text"]


def locate(body):
    """-> (script name or None, step index) for a Messages request body."""
    name, step = None, 0
    for message in body.get("messages", []):
        if message.get("role") == "assistant":
            step += 1
            continue
        for text in _texts(message):
            for found in MARK.finditer(text):
                name, step = found.group(1), 0
    return name, step


class ScriptedApi:
    def __init__(self, scripts=None, port=0, log_path=None, headers=None,
                 reject_models=(), full_bodies=False):
        self.scripts = dict(scripts or {})
        self.log_path = log_path
        self.extra_headers = dict(headers or {})     # on every response
        self.reject_models = tuple(reject_models)    # answered with a 404
        self.full_bodies = full_bodies
        self.requests = []                           # everything logged so far
        self.lock = threading.Lock()
        self.ids = itertools.count(1)
        self.tries = {}
        fake = self

        class Handler(_Handler):
            server_ref = fake
        self.httpd = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self.httpd.daemon_threads = True
        self.port = self.httpd.server_address[1]
        self.url = "http://127.0.0.1:%d" % self.port
        self.thread = threading.Thread(target=self.httpd.serve_forever, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *exc):
        self.httpd.shutdown()
        self.httpd.server_close()

    def log(self, record):
        with self.lock:
            record["n"] = len(self.requests)
            self.requests.append(record)
            if self.log_path:
                with open(self.log_path, "a") as handle:
                    handle.write(json.dumps(record) + "\n")

    def messages(self, **want):
        """Logged POST /v1/messages records whose fields equal `want`."""
        return [r for r in self.requests if r.get("kind") == "messages"
                and all(r.get(k) == v for k, v in want.items())]

    def step_for(self, body, headers):
        name, index = locate(body)
        if not body.get("tools") and not headers.get("x-claude-code-agent-id"):
            return None, index, {"text": "auxiliary reply"}
        if name is None or name not in self.scripts:
            return name, index, {"text": "no script"}
        steps = self.scripts[name]
        if index >= len(steps):
            return name, index, {"text": "script %s is over" % name}
        step = steps[index]
        if callable(step):
            step = step(body)
        text = json.dumps(step)
        if "{{last_agent_id}}" in text:
            ids = re.findall(r"agentId: (\w+)", json.dumps(body.get("messages")))
            step = json.loads(text.replace("{{last_agent_id}}", ids[-1] if ids else "none"))
        return name, index, step


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_ref = None

    def log_message(self, *args):
        pass

    def _json(self, status, obj, headers=()):
        data = json.dumps(obj).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.send_header("request-id", "req_fake_%d" % next(self.server_ref.ids))
        for key, value in list(self.server_ref.extra_headers.items()) + list(headers):
            self.send_header(key, value)
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self):
        self.server_ref.log({"kind": "other", "method": "GET", "path": self.path, "t": time.time()})
        if self.path.startswith("/v1/models"):
            return self._json(200, {"data": [], "has_more": False, "first_id": None, "last_id": None})
        self._json(404, {"type": "error", "error": {"type": "not_found_error", "message": "no"}})

    def do_HEAD(self):
        self.server_ref.log({"kind": "other", "method": "HEAD", "path": self.path, "t": time.time()})
        self.send_response(200)
        self.send_header("content-length", "0")
        self.end_headers()

    def do_POST(self):
        fake = self.server_ref
        arrived = time.time()
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        try:
            body = json.loads(raw or b"{}")
        except ValueError:
            body = {}
        path = self.path.split("?")[0]
        headers = {k.lower(): v for k, v in self.headers.items()}
        if path == "/v1/messages/count_tokens":
            fake.log({"kind": "count_tokens", "t": arrived, "model": body.get("model")})
            return self._json(200, {"input_tokens": 1234})
        if path != "/v1/messages":
            fake.log({"kind": "other", "method": "POST", "path": self.path, "t": arrived,
                      "head": raw[:300].decode("utf-8", "replace")})
            return self._json(404, {"type": "error", "error": {"type": "not_found_error", "message": "no"}})

        name, index, step = fake.step_for(body, headers)
        system = body.get("system")
        if isinstance(system, list):
            system_texts = [b.get("text", "") for b in system]
        else:
            system_texts = [system or ""]
        messages = body.get("messages", [])
        record = {
            "kind": "messages", "t": arrived, "script": name, "step": index,
            "model": body.get("model"), "stream": body.get("stream"),
            "max_tokens": body.get("max_tokens"), "thinking": body.get("thinking"),
            "output_config": body.get("output_config"),
            "speed": body.get("speed"), "temperature": body.get("temperature"),
            "other_fields": sorted(k for k in body if k not in
                                   ("model", "messages", "system", "tools", "stream", "max_tokens")),
            "metadata": body.get("metadata"),
            "agent_id": headers.get("x-claude-code-agent-id"),
            "parent_agent_id": headers.get("x-claude-code-parent-agent-id"),
            "beta": headers.get("anthropic-beta"),
            "headers": {k: v for k, v in headers.items()
                        if k not in ("x-api-key", "authorization", "content-length", "connection")},
            "system_head": [t[:160] for t in system_texts],
            "tools": [t.get("name") for t in body.get("tools") or []],
            "n_messages": len(messages),
            "last_role": messages[-1]["role"] if messages else None,
            "last_text": (_texts(messages[-1])[-1:] or [""])[0][-400:] if messages else "",
        }
        if fake.full_bodies:
            record["body"] = body
        tries = 0
        if name is not None:
            with fake.lock:
                key = (name, index)
                tries = fake.tries[key] = fake.tries.get(key, 0) + 1
        record["try"] = tries
        fake.log(record)

        if step.get("delay"):
            time.sleep(step["delay"])
        if body.get("model") in fake.reject_models:
            return self._error(404, {"error_message": "model: %s" % body.get("model")})
        if step.get("error") and tries <= step.get("times", 10 ** 9):
            return self._error(step["error"], step)
        message_id = "msg_fake_%04d" % next(fake.ids)
        blocks = self._blocks(step, message_id)
        usage = {"input_tokens": 100 + next(fake.ids), "cache_creation_input_tokens": 20,
                 "cache_read_input_tokens": 300, "output_tokens": 10 + len(json.dumps(blocks)) // 4}
        usage.update(step.get("usage") or {})
        stop = "tool_use" if any(b["type"] == "tool_use" for b in blocks) else "end_turn"
        stop = step.get("stop_reason", stop)
        model = step.get("model") or body.get("model")
        envelope = {"id": message_id, "type": "message", "role": "assistant", "model": model,
                    "content": [], "stop_reason": None, "stop_sequence": None, "usage": usage}
        if body.get("safeguards") and step.get("verdict", "not_flagged"):
            calls = [b["id"] for b in blocks if b["type"] == "tool_use"]
            verdict = {"type": "evaluated", "outcome": step.get("verdict", "not_flagged")}
            if verdict["outcome"] == "flagged":
                verdict["explanation"] = "scripted verdict"
            envelope["safeguard_results"] = [{"type": "dangerous_tool_use", "status": {
                "type": "available", "tool_uses": {c: verdict for c in calls}}}]
        record["answered"] = {"message_id": message_id, "usage": usage, "stop": stop}
        if not body.get("stream"):
            envelope.update(content=blocks, stop_reason=stop)
            return self._json(200, envelope)
        try:
            self._stream(envelope, blocks, stop, usage, step)
        except OSError:
            record["client_left"] = time.time()

    def _error(self, status, step):
        extra = []
        if step.get("retry_after") is not None:
            extra.append(("retry-after", str(step["retry_after"])))
        if step.get("should_retry") is not None:
            extra.append(("x-should-retry", step["should_retry"]))
        self._json(status, {"type": "error", "error": {
            "type": step.get("error_type") or ERROR_TYPES.get(status, "api_error"),
            "message": step.get("error_message") or "scripted %d" % status}}, extra)

    @staticmethod
    def _blocks(step, message_id):
        blocks = []
        if step.get("thinking"):
            blocks.append({"type": "thinking", "thinking": step["thinking"], "signature": "c2ln"})
        if step.get("text") is not None:
            blocks.append({"type": "text", "text": step["text"]})
        calls = list(step.get("tools") or [])
        if step.get("tool"):
            calls.append({"name": step["tool"], "input": step.get("input") or {}})
        for number, call in enumerate(calls):
            blocks.append({"type": "tool_use", "id": call.get("id") or "toolu_%s_%d" % (message_id[4:], number),
                           "name": call["name"], "input": call["input"]})
        return blocks or [{"type": "text", "text": "ok"}]

    def _stream(self, envelope, blocks, stop, usage, step):
        safeguards = envelope.pop("safeguard_results", None)
        self.send_response(200)
        self.send_header("content-type", "text/event-stream; charset=utf-8")
        self.send_header("cache-control", "no-cache")
        self.send_header("request-id", "req_fake_%d" % next(self.server_ref.ids))
        for key, value in self.server_ref.extra_headers.items():
            self.send_header(key, value)
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()

        def event(kind, **data):
            payload = ("event: %s\ndata: %s\n\n" % (kind, json.dumps(dict(type=kind, **data)))).encode()
            self.wfile.write(b"%x\r\n%s\r\n" % (len(payload), payload))
            self.wfile.flush()

        event("message_start", message=dict(envelope, usage=dict(usage, output_tokens=1)))
        if step.get("stream_error"):
            event("error", error={"type": "overloaded_error", "message": "scripted stream error"})
            self.wfile.write(b"0\r\n\r\n")
            return
        while step.get("hang"):                      # until the client goes away
            time.sleep(0.25)
            event("ping")
        for index, block in enumerate(blocks):
            if block["type"] == "text":
                event("content_block_start", index=index, content_block={"type": "text", "text": ""})
                event("content_block_delta", index=index, delta={"type": "text_delta", "text": block["text"]})
            elif block["type"] == "thinking":
                event("content_block_start", index=index,
                      content_block={"type": "thinking", "thinking": "", "signature": ""})
                event("content_block_delta", index=index,
                      delta={"type": "thinking_delta", "thinking": block["thinking"]})
                event("content_block_delta", index=index,
                      delta={"type": "signature_delta", "signature": block["signature"]})
            else:
                event("content_block_start", index=index, content_block=dict(block, input={}))
                event("content_block_delta", index=index,
                      delta={"type": "input_json_delta", "partial_json": json.dumps(block["input"])})
            event("content_block_stop", index=index)
        delta = {"stop_reason": stop, "stop_sequence": None}
        if safeguards is not None:
            delta["safeguard_results"] = safeguards
        event("message_delta", delta=delta, usage=usage)
        event("message_stop")
        self.wfile.write(b"0\r\n\r\n")
        self.wfile.flush()

