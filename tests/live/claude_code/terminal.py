"""The real Claude Code in a terminal of its own: keys in, text out."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
import threading
import time

from tests.live.claude_code.sandbox import BINARY, ClaudeCode

STOP_AGENTS = b"\x18\x0b"  # ctrl-x ctrl-k
_SEQUENCE = re.compile(rb"\x1b\[[0-9;?]*[a-zA-Z]")


class Terminal:
    """A context manager; the session is open while it is."""

    def __init__(self, code: ClaudeCode, *arguments: str) -> None:
        self._keys, end = pty.openpty()
        fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 150, 0, 0))
        self._process = subprocess.Popen(
            [str(BINARY), "--permission-mode", "bypassPermissions", "--model", "opus", *arguments],
            cwd=code.project, env=code.environment, stdin=end, stdout=end, stderr=end, start_new_session=True,
        )  # fmt: skip
        os.close(end)
        self._shown: list[bytes] = []
        threading.Thread(target=self._read, daemon=True).start()

    def __enter__(self) -> Terminal:
        assert self.wait_for("bypass permissions on"), self.text()
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            os.killpg(self._process.pid, 9)
        self._process.wait()
        os.close(self._keys)

    def _read(self) -> None:
        while True:
            try:
                data = os.read(self._keys, 65536)
            except OSError:
                return
            if not data:
                return
            self._shown.append(data)

    def text(self) -> str:
        """Everything that was ever shown, without the sequences that place and colour it."""
        return _SEQUENCE.sub(b"", b"".join(self._shown)).decode("utf-8", "replace")

    def wait_for(self, what: str, seconds: float = 20) -> bool:
        """Wait until `what` has been shown."""
        deadline = time.monotonic() + seconds
        while what not in self.text():
            if time.monotonic() > deadline:
                return False
            time.sleep(0.05)
        return True

    def press(self, keys: bytes) -> None:
        """Press some keys, and leave the program a moment."""
        os.write(self._keys, keys)
        time.sleep(0.5)

    def submit(self, prompt: str) -> None:
        """Type a prompt and send it."""
        self.press(prompt.encode())
        self.press(b"\r")

    def leave(self) -> int:
        """End the session as a person does; the exit status."""
        for _ in range(2):
            self.press(b"\x03")
        return self._process.wait(20)
