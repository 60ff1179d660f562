"""Which models a session can reach when nobody has listed them."""

from __future__ import annotations

import pytest

from downshift.catalog.lookup import load
from downshift.sessions.models import resolve

CATALOG = load("claude-code")
OPUS = CATALOG.find("opus")


def test_the_current_model_proves_the_ladder_below_it():
    session = resolve(OPUS, CATALOG, {}, infer=True)
    assert session.source == "inferred"
    assert session.models[-1] == OPUS


@pytest.mark.parametrize("current", [None, OPUS.replace(tier="")])
def test_without_a_known_current_model_nothing_is_reachable(current):
    assert resolve(current, CATALOG, {}, infer=True).models == ()


@pytest.mark.parametrize("off", ["off", "OFF", "0", "no"])
def test_the_inference_can_be_switched_off(off):
    assert resolve(OPUS, CATALOG, {"DOWNSHIFT_INFER_SESSION": off}, infer=True).models == ()


def test_a_harness_without_the_inference_has_no_list():
    assert resolve(OPUS, CATALOG, {}, infer=False).models == ()
