"""`downshift doctor`: is it installed, firing and honored? One line for each check, one fix for each finding."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile

from downshift import __version__, paths
from downshift.catalog.lookup import load
from downshift.commands.contract import Argument, Options, Result, Spec
from downshift.core.json_text import parse_object
from downshift.core.record import Record
from downshift.harnesses.claude_code.child_model import foreign_endpoint
from downshift.harnesses.readers import Readers
from downshift.harnesses.registry import ADAPTERS
from downshift.log import read
from downshift.log.link import link
from downshift.log.linked import Linked
from downshift.sessions import config
from downshift.state_files import read_object
from downshift.views.line import Line
from downshift.views.session import honored_counts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from downshift.harnesses.base import Adapter, Wiring

SPEC = Spec(
    name="doctor",
    help="Is Downshift installed, firing and honored? One fix for each finding.",
    example="downshift doctor",
    arguments=(Argument(name="--json", help="Print one JSON document.", default=False),),
)

OLDEST = (3, 9)
_STATE_FILES = (
    "config.json", "quota.json", "session-models.json", "discovered.json", "catalog.json", "scores.json",
)  # fmt: skip
_HOW_TO_WIRE = {
    "claude-code": "/plugin marketplace add <this repository>, then /plugin install downshift@downshift",
}
_LOG_BYTES = 8 * 1024 * 1024
_NOT_FOR_THE_SAMPLE = ("DOWNSHIFT_", "CLAUDE", "ANTHROPIC_")
_HOOK_SECONDS = 10
_TONES = {"ok": "good", "note": "", "warn": "warn", "bad": "bad"}


class Check(Record):
    """One finding: `state` is ok, note, warn or bad; the last two need the fix."""

    id: str
    state: str
    message: str
    fix: str = ""
    harness: str = ""


def run(options: Options) -> Result:
    """Every check; exit status 1 when one of them needs a fix."""
    readers, state = Readers(options.env), paths.state(options.env)
    damage = read.Damage()
    entries = _linked(state, damage) if state else []
    checks = [_interpreter(), _state_directory(state), _log(state, damage), *_files(state, options)]
    harnesses = {}
    for name, make in ADAPTERS.items():
        adapter = make()
        wiring = adapter.wiring(readers)
        seen = [entry for entry in entries if entry.decision.get("harness") == name]
        found = _harness(adapter, wiring, seen)
        checks += found
        honored = honored_counts(seen)
        last_seen = seen[-1].decision.get("timestamp") if seen else None
        state_word = _state_word(wiring, seen, honored, found)
        harnesses[name] = {"state": state_word, "honored": honored["k"], "of": honored["n"], "last_seen": last_seen}
    if not any(entry["state"] in ("never_fired", "not_honored", "working") for entry in harnesses.values()):
        checks += _nothing_wired(harnesses)
    checks += _environment(options)
    ok = not any(check.state in ("warn", "bad") for check in checks)
    data = {"version": __version__, "ok": ok, "checks": [_row(check) for check in checks], "harnesses": harnesses}
    return Result(lines=tuple(_lines(checks)), data=data, code=0 if ok else 1)


def _interpreter() -> Check:
    version = ".".join(str(part) for part in sys.version_info[:3])
    if sys.version_info >= OLDEST:
        return Check(id="python", state="ok", message=f"Python {version} at {sys.executable}")
    return Check(id="python", state="bad", message=f"Python {version} is too old", fix="install Python 3.9 or later")


def _state_directory(state: paths.State | None) -> Check:
    if state is None:
        return Check(id="state", state="bad", message="no home directory", fix=f"set HOME, or {paths.STATE_DIR}")
    if os.path.lexists(state.root) and not os.path.isdir(state.root):
        fix = f"move it away, or set {paths.STATE_DIR}"
        return Check(id="state", state="bad", message=f"{state.root} is not a folder: nothing is recorded", fix=fix)
    if not os.path.isdir(state.root):
        return Check(id="state", state="note", message=f"{state.root} does not exist yet: no spawn was recorded")
    wrong = [
        name
        for name in ("seen", "sessions")
        if os.path.lexists(state.file(name)) and not os.path.isdir(state.file(name))
    ]
    if wrong:
        fix = "move it away: Downshift makes a folder of that name"
        return Check(id="state", state="bad", message=f"{state.file(wrong[0])} is not a folder", fix=fix)
    if os.access(state.root, os.W_OK | os.X_OK):
        return Check(id="state", state="ok", message=f"{state.root} can be written")
    fix = f"make it writable, or set {paths.STATE_DIR} to a folder that is"
    return Check(id="state", state="bad", message=f"{state.root} cannot be written: nothing is recorded", fix=fix)


def _log(state: paths.State | None, damage: read.Damage) -> Check:
    files = read.files(state) if state else []
    if state and os.path.lexists(state.events) and (os.path.islink(state.events) or not os.path.isfile(state.events)):
        message = f"{state.events} is not a plain file: nothing is recorded"
        return Check(id="log", state="bad", message=message, fix="move it away")
    if not files:
        return Check(id="log", state="note", message="no log yet")
    size = sum(os.path.getsize(file) for file in files)
    told = f"{size / 1024:,.0f} KiB in {len(files)} file{'s' if len(files) > 1 else ''}"
    if damage.lines:
        fix = "nothing to do: they are skipped and counted"
        return Check(id="log", state="note", message=f"{told}, {damage.lines} damaged lines", fix=fix)
    return Check(id="log", state="ok", message=f"{told}, no damaged line in the newest part")


def _files(state: paths.State | None, options: Options) -> list[Check]:
    """Every small file of the operator that a hook would find damaged, in the hook's own words."""
    if state is None:
        return []
    problems = {file: read_object(state.file(file)).problem() for file in _STATE_FILES}
    problems["config.json"] = problems["config.json"] or config.load(state, options.env).problem
    problems["catalog.json"] = problems["catalog.json"] or load("claude-code", state).problem
    fix = "mend it, or move it away: until then nothing that depends on it is done"
    found = ((name, problem) for name, problem in problems.items() if problem)
    return [Check(id=f"file:{name}", state="bad", message=problem, fix=fix) for name, problem in found]


def _newest(state: paths.State) -> list[bytes]:
    """The last lines of the log, across a rotation."""
    return [line for path in read.files(state)[-2:] for line in read.tail(path, _LOG_BYTES)]


def _linked(state: paths.State, damage: read.Damage) -> list[Linked]:
    return link(read.events_of(_newest(state), damage))


def _harness(adapter: Adapter, wiring: Wiring, seen: list[Linked]) -> list[Check]:
    facts = adapter.CAPABILITIES
    name = facts.name
    if not wiring.installed:
        return [Check(id="installed", harness=name, state="note", message=f"{facts.title} was not found here")]
    if not wiring.commands:
        fix = "/plugin marketplace add <this repository>, then /plugin install downshift@downshift"
        return [
            Check(id="wired", harness=name, state="warn", message=f"{facts.title} does not call Downshift", fix=fix)
        ]
    ways = [*(f"plugin at {root}" for root in wiring.plugins)]
    if len(wiring.commands) > len(wiring.plugins):
        ways.append("hooks in settings")
    checks = [Check(id="wired", harness=name, state="ok", message=f"{facts.title} calls Downshift: {', '.join(ways)}")]
    if len(wiring.commands) > 1:
        fix = "one way is enough: remove the hooks from settings, or one of the plugins"
        checks.append(Check(id="duplicate", harness=name, state="note", message="it is wired more than once", fix=fix))
    if wiring.disabled:
        fix = "remove disableAllHooks from settings.json"
        checks.append(Check(id="disabled", harness=name, state="bad", message="every hook is switched off", fix=fix))
    checks += [_try_command(adapter, command) for command in wiring.commands]
    return [*checks, _fired(facts.name, seen)]


def _nothing_wired(harnesses: dict[str, dict[str, object]]) -> list[Check]:
    """One harness without Downshift is a choice; all of them is a finding."""
    here = [name for name, entry in harnesses.items() if entry["state"] == "not_wired"]
    if not here:
        return []
    message = f"none of the harnesses found here ({', '.join(here)}) calls Downshift"
    return [Check(id="nothing-wired", state="warn", message=message, fix="wire one of them, as said above")]


def _try_command(adapter: Adapter, command: str) -> Check:
    """Run the command exactly as it is registered, on a sample spawn, with a state directory of its own."""
    name = adapter.CAPABILITIES.name
    with tempfile.TemporaryDirectory(prefix="downshift-doctor-") as folder:
        kept = {key: value for key, value in os.environ.items() if not key.startswith(_NOT_FOR_THE_SAMPLE)}
        env = {**kept, paths.STATE_DIR: folder, paths.CONTROL_SHARE: "0"}
        sample = json.dumps({**_models_of(adapter), **adapter.sample()}).encode()
        try:
            # The user's own registered hook, run for the user who asks whether it works.
            ran = subprocess.run(  # noqa: S603
                ["/bin/sh", "-c", command], input=sample, env=env, capture_output=True, timeout=_HOOK_SECONDS
            )  # the user's own registered hook, run by the user
        except (OSError, subprocess.TimeoutExpired) as error:
            fix = "run the command by hand to see why"
            return Check(id="command", harness=name, state="bad", message=f"the hook did not answer: {error}", fix=fix)
    facts, printed = adapter.CAPABILITIES, ran.stdout.decode("utf-8", "replace").strip()
    moved = printed != facts.neutral_answer and parse_object(printed) is not None
    if ran.returncode == 0 and (moved or (not facts.can_rewrite_model and printed == facts.neutral_answer)):
        told = "the registered hook moved a sample spawn" if moved else "the registered hook answered a sample spawn"
        return Check(id="command", harness=name, state="ok", message=told)
    problem = ran.stderr.decode("utf-8", "replace").strip().splitlines()
    said = problem[-1] if problem else f"status {ran.returncode}, no usable answer"
    fix = "reinstall the plugin; if it stays, check that python3 works in a plain shell"
    return Check(id="command", harness=name, state="bad", message=f"the registered hook failed: {said}", fix=fix)


def _models_of(adapter: Adapter) -> dict[str, object]:
    """A session list for the sample, where the harness does not prove one by itself."""
    facts = adapter.CAPABILITIES
    listed = [model.id for model in load(facts.name).models() if not model.explicit_only]
    return {} if facts.infer_session else {"session_models": listed}


def _fired(name: str, seen: list[Linked]) -> Check:
    if not seen:
        return Check(
            id="fired", harness=name, state="note", message="no spawn seen yet: start a subagent and look again"
        )
    honored, last = honored_counts(seen), seen[-1].decision.get("timestamp")
    told = f"last spawn {last} · honored {honored['k']} of {honored['n']}"
    if honored["n"] and not honored["k"] and honored["refuted"]:
        fix = "see `downshift session --why`; an availableModels setting or a gateway may refuse the smaller models"
        return Check(id="fired", harness=name, state="warn", message=told, fix=fix)
    return Check(id="fired", harness=name, state="ok", message=told)


def _state_word(wiring: Wiring, seen: list[Linked], honored: dict[str, int], checks: list[Check]) -> str:
    if not wiring.installed:
        return "not_installed"
    if not wiring.commands or wiring.disabled or any(each.id == "command" and each.state == "bad" for each in checks):
        return "not_wired"
    if not seen:
        return "never_fired"
    return "not_honored" if honored["refuted"] and not honored["k"] else "working"


def _environment(options: Options) -> list[Check]:
    env, checks = options.env, []
    for name, effect in ((paths.OFF, "Downshift does nothing"), (paths.NO_ROUTE, "spawns are recorded, never changed")):
        if paths.flag(env, name):
            checks.append(Check(id="switch", state="note", message=f"{name} is set: {effect}", fix=f"unset {name}"))
    if foreign_endpoint(env):
        message = "Claude Code's requests leave for something other than Anthropic: each of its spawns is held"
        fix = "none needed; Downshift does not know which models answer there"
        checks.append(Check(id="endpoint", state="note", message=message, fix=fix))
    if paths.flag(env, "CLAUDE_CODE_SUBAGENT_MODEL_FORCE"):
        fix = "unset CLAUDE_CODE_SUBAGENT_MODEL_FORCE"
        checks.append(Check(id="forced", state="warn", message="every subagent is forced onto one model", fix=fix))
    return checks


def _row(check: Check) -> dict[str, str]:
    parts = {"id": check.id, "harness": check.harness, "state": check.state, "message": check.message, "fix": check.fix}
    return dict(parts)


def _lines(checks: list[Check]) -> list[Line]:
    lines = []
    for check in checks:
        where = f"{check.harness} " if check.harness else ""
        lines.append(Line(text=f"{check.state:<4}  {where}{check.id}: {check.message}", tone=_TONES[check.state]))
        if check.fix:
            lines.append(Line(text=f"      → {check.fix}"))
    text = "Not verified from here: what a real session's account may use, and spawns no hook sees (forked skills)."
    return [*lines, Line(text=text, tone="dim")]
