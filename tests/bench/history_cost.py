"""How long `stats` and `report` take over a large log, and how much memory: `python tests/bench/history_cost.py [EVENTS]`.

Whole processes. Half the events and all of them, so that one sees whether the time grows in step.
Reports and never fails: times belong to the machine they were measured on.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

from downshift.core.hashing import hash_id  # noqa: E402
from downshift.core.json_text import render  # noqa: E402

DECISION = {
    "source": "hook", "entry": "mod", "harness": "claude-code", "parent_agent_hash": "", "agent_type": "general-purpose",
    "agent_type_hash": hash_id("general-purpose")[:16], "confident": True, "probabilities": {"TRIVIAL": 0.9, "SIMPLE": 0.05, "MEDIUM": 0.03, "COMPLEX": 0.02},
    "risk": [], "baseline_kind": "inherited", "requested_model": "claude-opus-5-5", "requested_model_raw": "claude-opus-5-5",
    "recommended_model": "claude-haiku-5-5", "requested_effort": "", "final_effort": "low", "corrections": [], "tier": "small", "estimated_savings": 0.9,
    "quota_status": "unknown", "quota_source": "none", "credit_held": False, "session_source": "inferred", "permission_mode": "auto", "policy_version": "1", "binary_version": "0.1.0",
}  # fmt: skip


def write(path: Path, events: int) -> None:
    """A month of spawns, four records each, forty to a session."""
    dice, spawns = random.Random(1), events // 4
    with path.open("w", encoding="ascii") as file:
        for number in range(spawns):
            day = 1 + number * 28 // spawns
            at = f"2026-11-{day:02d}T{number // 3600 % 24:02d}:{number // 60 % 60:02d}:{number % 60:02d}.{number % 1000:03d}Z"
            call, control = hash_id(f"t{number}"), dice.random() < 0.1
            switched = dice.random() < 0.5 and not control
            model = "claude-haiku-5-5" if switched else "claude-opus-5-5"
            base = {
                "timestamp": at,
                "harness": "claude-code",
                "session_id": hash_id(f"s{number // 40}"),
                "linked_decision": call[:32],
                "tool_use_hash": call,
                "agent_hash": hash_id(f"a{number}"),
            }
            decision = {
                "correlation_id": call[:32], "timestamp": at, "session_id": base["session_id"], "tool_use_hash": call, **DECISION,
                "complexity": dice.choice(["TRIVIAL", "SIMPLE", "MEDIUM", "COMPLEX"]), "final_model": model,
                "verdict": "DOWNSHIFT" if switched else "OK", "safe_verdict": "DOWNSHIFT" if switched else "OK",
                "reason_codes": ["CONTROL"] if control else ["CLASSIFIER_CONFIDENT"],
                "outcome": "baseline" if control else "rewrite_emitted" if switched else "allow",
            }  # fmt: skip
            verdict = {"rewrite_honored": True} if switched else {}
            used = {
                "input_tokens": dice.randrange(5000),
                "output_tokens": dice.randrange(3000),
                "cache_read_tokens": dice.randrange(90_000),
                "cache_write_tokens": dice.randrange(9000),
            }
            for event in (
                decision,
                {"outcome": "resolved", **base, "final_model": model, **verdict},
                {"outcome": "usage", **base, "run": 1, "final_model": model, **used, **verdict},
                {
                    "outcome": "child_ended",
                    **base,
                    "run": 1,
                    "status": "completed" if dice.random() < 0.95 else "error",
                },
            ):
                file.write(render(event) + "\n")


def measure(folder: str, *arguments: str) -> tuple[float, float]:
    """Seconds and megabytes of one whole process."""
    env = {"PATH": os.environ["PATH"], "HOME": folder, "DOWNSHIFT_STATE_DIR": folder}
    before = time.perf_counter()
    done = subprocess.Popen(
        [sys.executable, str(ROOT / "hooks" / "run.py"), *arguments], env=env, stdout=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(done.pid, 0)
    assert status == 0
    scale = 1024 if sys.platform != "darwin" else 1024 * 1024
    return time.perf_counter() - before, usage.ru_maxrss / scale


def panel(log_mb: int) -> float:
    """Seconds of `session --panel` for a session of forty spawns, whatever the size of the log."""
    with tempfile.TemporaryDirectory() as folder:
        log, sessions = Path(folder, "events.jsonl"), Path(folder, "sessions")
        write(log, 160)
        lines = log.read_bytes()
        sessions.mkdir()
        Path(sessions, hash_id("s0")[:16] + ".jsonl").write_bytes(lines)
        log.write_bytes(lines * (log_mb * 1024 * 1024 // len(lines)))
        return min(measure(folder, "session", "--panel")[0] for _ in range(5))


def main() -> None:
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    try:
        import msgspec
    except ImportError:
        road = "the standard library alone (budget for a million: 20 s)"
    else:
        road = f"msgspec {msgspec.__version__} (budget for a million: 5 s, 400 MB)"
    print(f"Python {sys.version.split()[0]}, {road}")
    for megabytes in (10, 100):
        seconds = panel(megabytes)
        print(f"session --panel beside a log of {megabytes:>3} MB {seconds * 1000:>5.0f} ms")
    for events in (most // 2, most):
        with tempfile.TemporaryDirectory() as folder:
            write(Path(folder, "events.jsonl"), events)
            for command in ("stats", "report"):
                seconds, megabytes = min(measure(folder, command, "--days", "3650") for _ in range(3))
                print(f"{command:<8}{events:>10,} events {seconds:>6.2f} s {megabytes:>6.0f} MB")


if __name__ == "__main__":
    main()
