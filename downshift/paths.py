"""Every environment variable Downshift reads, and every path below its state directory."""

from __future__ import annotations

import os

from downshift.core.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

OFF = "DOWNSHIFT_OFF"
NO_ROUTE = "DOWNSHIFT_NO_ROUTE"
QUIET = "DOWNSHIFT_QUIET"
STATE_DIR = "DOWNSHIFT_STATE_DIR"
EVENT_LOG = "DOWNSHIFT_EVENT_LOG"
LOG_MAX_MB = "DOWNSHIFT_LOG_MAX_MB"
CONTROL_SHARE = "DOWNSHIFT_CONTROL_SHARE"
INFER_SESSION = "DOWNSHIFT_INFER_SESSION"
RESPECT_EXPLICIT = "DOWNSHIFT_RESPECT_EXPLICIT"
EXPLICIT_UPSHIFT = "DOWNSHIFT_EXPLICIT_UPSHIFT"
SESSION_MODELS = "DOWNSHIFT_SESSION_MODELS"
DISCOVERED = "DOWNSHIFT_DISCOVERED"
DISCOVERY = "DOWNSHIFT_DISCOVERY"
DISCOVERY_TTL = "DOWNSHIFT_DISCOVERY_TTL"
CURSOR_NATIVE_FILE = "DOWNSHIFT_CURSOR_NATIVE_FILE"
QUOTA_FILE = "DOWNSHIFT_QUOTA_FILE"
QUOTA_MODE = "DOWNSHIFT_QUOTA_MODE"
SCORES = "DOWNSHIFT_SCORES"
SCORE_ROUTING = "DOWNSHIFT_SCORE_ROUTING"
ENTRY = "DOWNSHIFT_ENTRY"
VARIABLES = (
    OFF, NO_ROUTE, QUIET, STATE_DIR, EVENT_LOG, LOG_MAX_MB, CONTROL_SHARE, INFER_SESSION, RESPECT_EXPLICIT,
    EXPLICIT_UPSHIFT, SESSION_MODELS, DISCOVERED, DISCOVERY, DISCOVERY_TTL, CURSOR_NATIVE_FILE, QUOTA_FILE, QUOTA_MODE,
    SCORES, SCORE_ROUTING, ENTRY,
)  # fmt: skip

_OPTION = "CLAUDE_PLUGIN_OPTION_"
_DEFAULT_LOG_MB = 64


class State(Record):
    """The state directory: absolute paths, whether or not they exist."""

    root: str
    events: str
    live: str

    def file(self, *names: str) -> str:
        """A path below the state directory."""
        return os.path.join(self.root, *names)

    def session_log(self, session_hash: str) -> str:
        """The log of one session, so that reading it costs what the session costs and not what the log costs."""
        return self.file("sessions", session_hash[:16] + ".jsonl")


def home(env: Mapping[str, str]) -> str:
    """The user's home directory; empty when nothing says where it is."""
    told = env.get("HOME") or env.get("USERPROFILE") or os.path.expanduser("~")
    return told if os.path.isabs(told) else ""


def state(env: Mapping[str, str]) -> State | None:
    """Where Downshift keeps its files; None when there is no home and no override."""
    root = env.get(STATE_DIR, "")
    if not os.path.isabs(root):
        base = home(env)
        if not base:
            return None
        root = os.path.join(base, ".downshift")
        legacy = os.path.join(base, ".harness-downshift")
        if not os.path.isdir(root) and os.path.isdir(legacy):
            root = legacy
    told = env.get(EVENT_LOG, "")
    events = told if os.path.isabs(told) else os.path.join(root, "events.jsonl")
    return State(root=root, events=events, live=os.path.join(os.path.dirname(events), "live.json"))


def option(env: Mapping[str, str], name: str) -> str:
    """The plugin option that goes by the name of an environment variable; empty when it was never saved."""
    return env.get(_OPTION + name[len("DOWNSHIFT_") :], "")


def is_on(value: str) -> bool:
    """Whether a switch is on: `1`, `true`, `yes` or `on`, in any case."""
    return value.strip().lower() in ("1", "true", "yes", "on")


def flag(env: Mapping[str, str], name: str) -> bool:
    """Whether an environment variable is a switch that is on."""
    return is_on(env.get(name, ""))


def log_limit(env: Mapping[str, str]) -> int:
    """Size in bytes at which the log rotates; 0 keeps it in one file."""
    told = env.get(LOG_MAX_MB, "")
    return int(told if told.isascii() and told.isdigit() and len(told) < 8 else _DEFAULT_LOG_MB) * 1024 * 1024
