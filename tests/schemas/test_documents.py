"""What is printed as JSON has the published shape, and the published shape is the one in the code.

To change a schema on purpose: `python tests/schemas/test_documents.py`.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from downshift.commands.contract import Options
from downshift.commands.registry import commands
from downshift.schemas.documents import PUBLISHED

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "reference" / "json"
CALLS = {
    "session": ("session", {"json": True}),
    "panel": ("session", {"panel": True}),
    "report": ("report", {"json": True, "days": "30"}),
    "export": ("stats", {"export": True, "days": "30"}),
}


def text_of(name: str) -> str:
    return json.dumps(PUBLISHED[name].model_json_schema(by_alias=True), indent=1) + "\n"


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_published_schema_is_that_of_the_code(name):
    assert (FOLDER / f"{name}.schema.json").read_text(encoding="utf-8") == text_of(name)


def fill() -> None:
    """A log with every state, end and figure in it."""
    from tests.hot.test_end import ended
    from tests.support.hooks import COMPLEX, MEDIUM, TRIVIAL, VAGUE, answer_in_process, mod_payload, resolved_payload

    for number, prompt in enumerate((TRIVIAL, MEDIUM, COMPLEX, VAGUE, TRIVIAL)):
        env = {**os.environ, "DOWNSHIFT_CONTROL_SHARE": "1" if number == 4 else "0"}
        call, agent = f"toolu_{number}", f"agent-{number}"
        answer_in_process(mod_payload(prompt, call=call), env)
        answer_in_process(resolved_payload("claude-haiku-5-5", call=call, agent=agent), env, verb="end")
        reason = ("answer", "error", "aborted", "answer", "stopped")[number]
        answer_in_process(ended(reason, call=call, agent=agent, main_tokens=9000), env, verb="end")


@pytest.mark.parametrize("filled", [False, True], ids=["empty", "filled"])
@pytest.mark.parametrize("name", PUBLISHED)
def test_what_is_printed_has_that_shape(name, filled):
    if filled:
        fill()
    command, values = CALLS[name]
    result = commands()[command].run(Options(values=values, env=os.environ, cwd="/"))
    data = json.loads(json.dumps(result.data))
    PUBLISHED[name].model_validate(data)
    if filled and name == "session":
        assert {each["status"] for each in data["spawns"]} == {"completed", "error", "interrupted", "stopped"}


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for each in PUBLISHED:
        (FOLDER / f"{each}.schema.json").write_text(text_of(each), encoding="utf-8")
