"""What the adapters share: fields of any type, front matter, TOML by the line, folders, and registered commands."""

from __future__ import annotations

import pytest

from downshift.harnesses import fields
from tests.support.world import World, agent_file

ODD = {"text": 3, "table": [], "rows": [{"a": 1}, 2, "x"], "strings": ["a", None, "b"]}


def test_a_field_of_another_type_counts_as_absent():
    assert (fields.text(ODD, "text"), fields.table(ODD, "table")) == ("", {})
    assert (fields.rows(ODD, "rows"), fields.strings(ODD, "strings")) == ([{"a": 1}], ["a", "b"])
    assert (fields.rows(ODD, "text"), fields.strings(ODD, "none")) == ([], [])


@pytest.mark.parametrize(
    ("event", "before"),
    [
        ("PreToolUse", True),
        ("preToolUse", True),
        ("pre_tool_use", True),
        ("", True),
        ("PostToolUse", False),
        ("x", False),
    ],
)
def test_the_event_before_a_tool_is_known_in_every_spelling(event, before):
    assert fields.before_tool(event) is before


TOML = """
# model = "commented"
model = "top"  # a note
'quoted.key' = 'single'
text = \"\"\"
model = "inside"
model = "still inside"
\"\"\"
one_line = '''closed'''
after = "seen"
number = 3
[agents.reviewer] # a note
config_file = "r.toml"
a."b.c" = "deep"
[[many]]
name = "x"
[broken
name = "y"
= "no key"
"""


def test_toml_is_read_by_the_line():
    assert fields.toml_strings(TOML) == {
        ("# model",): "commented",
        ("model",): "top",
        ("quoted.key",): "single",
        ("after",): "seen",
        ("agents", "reviewer", "config_file"): "r.toml",
        ("agents", "reviewer", "a", "b.c"): "deep",
        ("many", "name"): "x",
        ("broken", "name"): "y",
        ("broken",): "no key",
    }


@pytest.mark.parametrize("end", ["\r\n", "\n"])
def test_line_endings_of_another_system_change_nothing(end):
    files = {"/a/probe.md": agent_file("probe", model="m").replace("\n", end)}
    assert fields.pinned_model("probe", ["/a"], World(files)) == "m"
    assert fields.toml_strings(f'model = "m"{end}other = "x"{end}')[("model",)] == "m"


@pytest.mark.parametrize(
    ("content", "model"),
    [
        ("---\nname: probe\nmodel: m # note\n---\n", "m"),
        ("---\nmodel: 'm'\n---\n", "m"),
        ("---\nname: probe\nnested:\n  model: m\n---\n", ""),
        ("---\nname: probe\nmodel: INHERIT\n---\n", ""),
        ("---\nname: other\nmodel: m\n---\n", ""),
        ("---\nname: probe\nmodel: m\n", ""),
        ("text\n---\nmodel: m\n---\n", ""),
        ("", ""),
    ],
)
def test_a_definition_pins_what_its_front_matter_names(content, model):
    assert fields.pinned_model("probe", ["/none", "/a"], World({"/a/probe.md": content})) == model


def test_the_first_definition_counts_and_a_spawn_without_a_type_has_none():
    files = {
        "/a/probe.md": agent_file("probe"),
        "/b/probe.md": agent_file("probe", model="m"),
        "/b/.md": agent_file(""),
    }
    assert fields.pinned_model("probe", ["/a", "/b"], World(files)) == ""
    assert fields.pinned_model("probe", ["/b", "/a"], World(files)) == "m"
    assert fields.pinned_model("", ["/b"], World(files)) == ""


@pytest.mark.parametrize(
    ("folder", "files", "found"),
    [
        ("/p/a/b", {"/p/.git/HEAD": "ref"}, ["/p/a/b", "/p/a", "/p"]),
        ("/p/a/b", {"/p/a/.git": "gitdir: x"}, ["/p/a/b", "/p/a"]),
        ("/p/a", {}, ["/p/a", "/p", "/"]),
        ("p/a", {}, []),
        ("", {}, []),
    ],
)
def test_folders_are_searched_up_to_the_root_of_the_repository(folder, files, found):
    assert list(fields.upwards(folder, World(files))) == found


def test_no_folder_searches_forever():
    assert len(list(fields.upwards("/a" * 100, World()))) == 12


def test_without_a_folder_nothing_is_looked_for_where_we_happen_to_run():
    assert fields.place("", "config.toml") == ""
    assert fields.in_home({"HOME": "relative"}, ".codex") == ""
    assert fields.in_home({"HOME": "/home/me"}, ".codex") == "/home/me/.codex"


def test_commands_of_ours_are_found_alone_and_in_groups():
    alone, grouped = {"command": "downshift a"}, {"hooks": [{"command": "downshift b"}, {"command": "other"}]}
    hooks = {"preToolUse": [alone, grouped, 3], "PostToolUse": [{"command": "downshift end"}], "stop": None}
    assert fields.our_commands(hooks) == ("downshift a", "downshift b")
