"""Where a hook starts. Whatever happens here, the answer is valid and the exit status is 0.

This module imports nothing but built-in modules, so that DOWNSHIFT_OFF=1 works
even when the rest of the package does not.
"""

from __future__ import annotations

import gc
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# What leaves a spawn as it is. A test holds these to the adapters' own `neutral_answer`.
NEUTRAL = {
    "claude-code": "{}",
    "codex": "{}",
    "opencode": '{"v": 1, "action": "allow"}',
    "cursor": '{"permission": "allow"}',
    "kirocrew": "",
    "antigravity": '{"decision": "allow"}',
    "grok": "{}",
}

ALIASES = {
    "claude-code-post-tool-use": ("end", "claude-code", "PostToolUse"),
    "claude-code-subagent-stop": ("end", "claude-code", "SubagentStop"),
}
"""Verbs of earlier versions that people have in their settings."""
VERBS = ("hook", "end", "statusline", *ALIASES)

_ON = ("1", "true", "yes", "on")  # as `paths.is_on`, which would have to be imported


def main(arguments: Sequence[str]) -> int:
    """Run a hot verb: `hook <harness>`, `end <harness> [event]` or `statusline`. The exit status is always 0."""
    verb, harness, event = (*ALIASES.get(arguments[0], arguments), "", "", "")[:3]
    answer = NEUTRAL.get(harness, "")
    if os.environ.get("DOWNSHIFT_OFF", "").strip().lower() in _ON or (harness not in NEUTRAL and verb != "statusline"):
        _say(answer)
        return 0
    try:
        gc.disable()  # one short run: collecting would only find that everything is still in use
        from downshift import bundle

        bundled = bundle.install()
        if verb == "hook":
            from downshift.hot import spawn

            spawn.run(harness, os.environ, 0, _say)
        elif verb == "statusline":
            from downshift.hot import statusline

            statusline.run(os.environ, 0, _print)
        else:
            from downshift.hot import end

            end.run(harness, event, os.environ, 0, _say)
        if not bundled:
            bundle.save()
    except BaseException as error:  # noqa: BLE001  # a hook must never be in the way, whatever broke
        _panic(answer, harness, error)
    return 0


_said = False


def _say(text: str) -> None:
    """Print the answer, once. A harness that closed its end does not want it."""
    global _said  # noqa: PLW0603  # one process answers one question
    if _said:
        return
    _said = True
    _print(text.encode("ascii", "backslashreplace"))


def _print(data: bytes) -> None:
    try:
        while data:
            data = data[os.write(1, data) :]
    except OSError:
        return


def _panic(answer: str, harness: str, error: BaseException) -> None:
    outcome = "the spawn was judged and may not be recorded" if _said else "the spawn runs unchanged"
    _say(answer)
    try:
        note = f"downshift: {type(error).__name__} in the hook; {outcome}\n"
        os.write(2, note.encode("utf-8", "replace"))
        from downshift import bundle

        bundle.discard()
        from downshift.hot.report import report_error

        report_error("PANIC", harness, os.environ)
    except BaseException:  # noqa: BLE001  # the log itself may be what broke
        return
