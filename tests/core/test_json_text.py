"""The fast JSON agrees with the library's, and with itself."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from downshift.core import json_text
from tests.conftest import REPOSITORY

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=20,
)


@given(VALUES)
def test_what_is_rendered_reads_back(value):
    assert json_text.parse(json_text.render(value)) == value


@given(VALUES)
def test_it_reads_what_the_library_writes_and_writes_what_the_library_reads(value):
    assert json_text.parse(json.dumps(value, indent=2)) == value
    assert json.loads(json_text.render(value)) == value


@pytest.mark.parametrize("number", [float("inf"), float("-inf"), float("nan")])
def test_a_number_that_json_has_not_is_refused(number):
    for render in (json_text.render, json_text._render_plainly):
        with pytest.raises(ValueError):
            render([number])


@given(st.text())
def test_text_that_is_not_json_is_a_value_error_and_nothing_else(text):
    try:
        expected = json.loads(text, strict=False)
    except ValueError:
        with pytest.raises(ValueError):
            json_text.parse(text)
    else:
        assert repr(json_text.parse(text)) == repr(expected)


@pytest.mark.parametrize("text", ["", "  ", "{", '{"a":1}}', "[1,]", "nul", '"open', "{'a':1}", "[" * 100_000])
def test_damaged_text_is_refused(text):
    with pytest.raises(ValueError):
        json_text.parse(text)
    assert json_text.parse_object(text) is None


@pytest.mark.process
@pytest.mark.parametrize("text", ["{", '{"a": "x', "[1,]", '{"a" 1}', "nul"])
def test_damaged_text_is_refused_where_json_was_never_imported(text):
    program = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from downshift.core.json_text import parse_object\n"
        "assert parse_object(sys.argv[2]) is None\n"
    )
    subprocess.run([sys.executable, "-I", "-S", "-c", program, str(REPOSITORY), text], check=True)


def test_a_lone_surrogate_survives_the_round_trip():
    assert json_text.parse(json_text.render("\ud800")) == "\ud800"


def test_line_separators_inside_a_string_stay_where_they_are():
    assert json_text.parse('"a\u2028b"') == "a\u2028b"
    assert "\n" not in json_text.render("a\nb\u2028c")


def test_without_the_accelerators_the_results_are_the_same(monkeypatch):
    monkeypatch.setattr(json_text, "_json", None)
    assert json_text.parse('{"a": [1, 2.5, null, "\\u00e9"]}') == {"a": [1, 2.5, None, "é"]}
    assert json_text.parse_at('xx{"a":1}yy', 2) == ({"a": 1}, 9)
    assert json_text.render({"a": [1, "é"]}) == '{"a": [1, "\\u00e9"]}'
    with pytest.raises(ValueError):
        json_text.parse("[" * 100_000)


def test_an_accelerator_that_has_changed_gives_way_to_the_library(monkeypatch):
    class Changed:
        encode_basestring_ascii = None

        @staticmethod
        def make_scanner(*_):
            raise TypeError

        make_encoder = make_scanner

    monkeypatch.setattr(json_text, "_json", Changed)
    assert json_text.parse('{"a": 1}') == {"a": 1}
    assert json_text.render({"a": 1}) == '{"a": 1}'
