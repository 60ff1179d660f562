"""Every test of a command runs through both front ends."""

from __future__ import annotations

import pytest

from tests.support.fronts import FRONTS


@pytest.fixture(params=FRONTS)
def front(request):
    return FRONTS[request.param]
