"""What a hook costs as a whole process, beside `python3 -I -S -c pass` in the same run: `python tests/bench/hook_cost.py [PAIRS]`.

Medians of alternating pairs, so that a drift of the machine's speed hits both.
Reports and never fails: times belong to the machine they were measured on.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from tests.support.hooks import TRIVIAL, capture, mod_payload, resolved_payload

ROOT = Path(__file__).resolve().parent.parent.parent
CASES = (("empty", 0), ("100 MB log", 100), ("every file", 0))
PYTHON = os.path.realpath(sys.executable)


def timed(arguments: list[str], data: bytes, env: dict[str, str]) -> float:
    started = time.perf_counter()
    subprocess.run([PYTHON, "-I", "-S", *arguments], input=data, env=env, capture_output=True, check=True)
    return time.perf_counter() - started


def every_file(state: Path) -> None:
    """Each small file of the operator, with something in it."""
    now = time.time()
    window = {"id": "five_hour", "scope": "harness", "used_percent": 10, "resets_at": now + 9999}
    snapshot = {
        "source": "claude-mod",
        "observed_at": now,
        "expires_at": now + 900,
        "windows": [window, {**window, "id": "week"}],
    }
    ids = ["claude-haiku-5-5", "claude-sonnet-5-5", "claude-opus-5-5"]
    files = {
        "config.json": {"tier_floor": {"agent_type": {"reviewer": "mid"}}, "pins": {"project": ["/elsewhere"]}},
        "quota.json": {"version": 1, "harnesses": {"claude-code": snapshot}},
        "session-models.json": {"claude-code": ["haiku", "sonnet", "opus"], "codex": ["gpt-6-luna", "gpt-6-sol"]},
        "discovered.json": {
            "version": 1,
            "harnesses": {"claude-code": {"source": "x", "fetched_at": now, "ordered": ids}},
        },
        "catalog.json": {"harnesses": {"claude-code": [{"id": "claude-opus-5-5", "output": 20}]}},
        "scores.json": {"scores": {name: 80 + place for place, name in enumerate(ids)}},
    }
    for name, value in files.items():
        (state / name).write_text(json.dumps(value))


def ended(call: str, session: str) -> dict:
    """What the mod sends when a child has ended; the answer holds a line for the person."""
    used = {"model": "claude-haiku-5-5", "input_tokens": 900, "output_tokens": 700, "cache_read_input_tokens": 40_000}
    told = {"reason": "answer", "usage": [used], "tool_calls": 3, "last_assistant_message": "Renamed it everywhere."}
    return {**resolved_payload("", call=call, session=session), "hook_event_name": "AgentEnded", **told}


def measure(verb: str, case: str, log_mb: int, pairs: int) -> tuple[float, float, float]:
    """Median milliseconds of the bare interpreter and of the hook, and the median ratio of the pairs."""
    with tempfile.TemporaryDirectory() as folder:
        env = {"HOME": folder, "DOWNSHIFT_CONTROL_SHARE": "0", "DOWNSHIFT_LOG_MAX_MB": "0"}
        state = Path(folder, ".downshift")
        state.mkdir()
        with (state / "events.jsonl").open("wb") as file:
            line = json.dumps({"outcome": "allow", "complexity": "TRIVIAL", "padding": "x" * 900}).encode() + b"\n"
            for _ in range(log_mb):
                file.write(line * (1024 * 1024 // len(line)))
        if case == "every file":
            every_file(state)
        runner = str(ROOT / "hooks" / "run.py")
        bare, hook = [], []
        for number in range(-2, pairs):
            call, session = f"toolu_{number}", f"session-{number // 20}"
            spawn = json.dumps(mod_payload(TRIVIAL, call=call, session=session)).encode()
            data = spawn
            if verb == "end":
                timed([runner, "hook", "claude-code"], spawn, env)
                data = json.dumps(ended(call, session)).encode()
            elif verb == "statusline":
                timed([runner, "hook", "claude-code"], spawn, env)
                timed([runner, "end", "claude-code"], json.dumps(ended(call, session)).encode(), env)
                data = json.dumps({**capture("StatusLine-rate-limits"), "session_id": session}).encode()
            pair = timed(["-c", "pass"], data, env), timed([runner, verb, "claude-code"], data, env)
            if number >= 0:  # the first two warm up
                bare.append(pair[0])
                hook.append(pair[1])
    ratio = statistics.median(after / before for before, after in zip(bare, hook, strict=True))
    return statistics.median(bare) * 1000, statistics.median(hook) * 1000, ratio


def main() -> None:
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else 31
    print(f"Python {sys.version.split()[0]}, medians of {pairs} alternating pairs, whole processes")
    print(f"{'verb':<11}{'state':>12}{'bare':>10}{'hook':>10}{'ratio':>8}   budget")
    for verb, budget in (("hook", "2.0"), ("end", "3.0"), ("statusline", "2.5")):
        for case, size in CASES:
            bare, hook, ratio = measure(verb, case, size, pairs)
            print(f"{verb:<11}{case:>12}{bare:>7.1f} ms{hook:>7.1f} ms{ratio:>8.2f}   {budget}")


if __name__ == "__main__":
    main()
