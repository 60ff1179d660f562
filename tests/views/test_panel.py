"""What a panel is given: the keys and labels of the contract, and nothing to compute."""

from __future__ import annotations

import pytest

from downshift.catalog.shelf import Shelf
from downshift.views.panel import panel_data
from tests.log.test_link import decision, link, usage

CATALOGS = Shelf()


def test_the_document_has_the_keys_of_the_contract():
    told = usage(linked_decision="c1", output=2000, cache_read_tokens=46_000, rewrite_honored=True)
    data = panel_data("a1b2c3d4e5f60718", link([decision(1, agent_type="general-purpose"), told]), CATALOGS)
    tokens = {
        "children": 1,
        "saved_children": 1,
        "work_tokens": 2000,
        "work_saved": 2000,
        "cache_tokens": 46_000,
        "cache_saved": 46_000,
    }
    assert data == {
        "session": "a1b2c3d4",
        "switched": 1,
        "held": 0,
        "observed": 0,
        "honored": 1,
        "refuted": 0,
        "unobserved": 0,
        "tokens": tokens,
        "tokens_line": "tokens saved: work 100% · cache 100% (48k of 48k)",
        "by_agent_type": [
            {
                "agent_type": "general-purpose",
                "tokens": tokens,
                "line": "general-purpose: work 100% · cache 100% (1 of 1 agents)",
            }
        ],
        "spawns": [
            {
                "tool_use": "t1",
                "state": "switched",
                "from_model": "claude-opus-5-5",
                "to_model": "claude-haiku-5-5",
                "label": "opus → haiku (small)",
                "tokens": tokens,
                "tokens_label": "48k tokens · saved from opus",
            }
        ],
    }


@pytest.mark.parametrize(
    ("fields", "label"),
    [
        ({"final_model": "claude-sonnet-5-5"}, "opus → sonnet (mid)"),
        ({"final_model": "nobody-knows"}, "opus → nobody-knows"),
        ({"corrections": ["R1_UNCONFIDENT_DOWNSHIFT"]}, "held: original model kept"),
        ({"outcome": "allow"}, "kept"),
        ({"outcome": "baseline", "reason_codes": ["CONTROL"]}, "control (unrouted)"),
        ({"outcome": "baseline", "paused": True}, "paused (unrouted)"),
        ({"outcome": "blocked"}, "blocked: respawn on another model"),
    ],
)
def test_labels_are_ready_made(fields, label):
    assert panel_data("x", link([decision(1, **fields)]), CATALOGS)["spawns"][0]["label"] == label


@pytest.mark.parametrize(
    ("ran_on", "shown"),
    [
        ("claude-haiku-5-5", None),
        ("claude-haiku-5-5-20261101", None),
        ("unknown", None),
        ("claude-opus-5-5", "claude-opus-5-5"),
        ("nobody-knows", "nobody-knows"),
    ],
)
def test_the_observed_model_is_there_only_when_it_differs(ran_on, shown):
    spawn = panel_data("x", link([decision(1), usage(linked_decision="c1", final_model=ran_on)]), CATALOGS)["spawns"][0]
    assert spawn.get("observed_model") == shown


def test_an_empty_session_has_the_same_keys_and_no_figures():
    data = panel_data("", [], CATALOGS)
    assert (data["tokens_line"], data["spawns"], data["tokens"]["children"]) == ("", [], 0)
