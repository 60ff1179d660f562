"""The verdict compares what a child would run on with what its task needs."""

from __future__ import annotations

from downshift.core.tiers import rank

OK = "OK"
DOWNSHIFT = "DOWNSHIFT"
UPSHIFT = "UPSHIFT"
UNKNOWN = "UNKNOWN"
VERDICTS = (OK, DOWNSHIFT, UPSHIFT, UNKNOWN)


def verdict_of(baseline_tier: str, needed_tier: str) -> str:
    """UNKNOWN when the baseline has no tier that can be compared."""
    have, need = rank(baseline_tier), rank(needed_tier)
    if have < 0:
        return UNKNOWN
    if have == need:
        return OK
    return DOWNSHIFT if have > need else UPSHIFT
