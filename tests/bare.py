"""What a user without any package has: the hook and the plain commands, on whatever Python runs this file (3.9 or later).

Standard library only, no test framework: `python3.9 tests/bare.py`.
"""

import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RUNNER = os.path.join(ROOT, "hooks", "run.py")
SPAWN = {
    "entry": "mod",
    "hook_event_name": "PreToolUse",
    "session_id": "s",
    "tool_use_id": "toolu_1",
    "tool_name": "Agent",
    "tool_input": {
        "description": "d",
        "prompt": "Rename the variable userId across auth.ts",
        "subagent_type": "general-purpose",
    },
    "parent_model": "claude-opus-5-5",
    "permission_mode": "auto",
}
RESOLVED = {
    "entry": "mod",
    "hook_event_name": "SpawnResolved",
    "session_id": "s",
    "tool_use_id": "toolu_1",
    "agent_id": "a",
    "resolved_model": "claude-haiku-5-5",
}


def run(arguments, env, payload=None, isolated=False):
    flags = ["-I", "-S"] if isolated else ["-S"]
    data = None if payload is None else payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    done = subprocess.run(
        [sys.executable, *flags, RUNNER, *arguments], input=data, env=env, capture_output=True, timeout=60
    )
    assert b"Traceback" not in done.stderr, done.stderr.decode()
    return done.returncode, done.stdout.decode()


def main():
    with tempfile.TemporaryDirectory() as home:
        env = {"HOME": home, "PATH": os.environ["PATH"], "DOWNSHIFT_CONTROL_SHARE": "0", "PYTHONUTF8": "1"}
        for _ in range(2):
            code, answer = run(["hook", "claude-code"], env, SPAWN, isolated=True)
            assert (code, json.loads(answer)["model"]) == (0, "haiku"), answer
        assert run(["end", "claude-code"], env, RESOLVED, isolated=True) == (0, "{}")
        for bad in (b"", b"{", b'{"a": tru', b"[" * 50_000, b"\xff\xfe"):
            assert run(["hook", "claude-code"], env, bad, isolated=True) == (0, "{}"), bad
        code, text = run(["session", "--json"], env)
        assert (code, json.loads(text)["honored"]["k"]) == (0, 1), text
        for arguments, wanted in (
            (["try", "rename the variable userId across auth.ts", "--model", "opus", "--explain"], "haiku"),
            (["demo", "--why"], "control"),
            (["session", "--why"], "switched from opus"),
            (["version"], "downshift"),
            (["try", "--help"], "example"),
        ):
            code, text = run(arguments, env)
            assert code == 0, (arguments, code, text)
            assert wanted in text, (arguments, text)
        code, text = run(["doctor", "--json"], env)
        assert json.loads(text)["checks"], text
    print("ok   Python", sys.version.split()[0])


if __name__ == "__main__":
    main()
