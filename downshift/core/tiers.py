"""Complexity classes, model tiers, efforts, and how they map onto each other."""

from __future__ import annotations

CLASSES = ("TRIVIAL", "SIMPLE", "MEDIUM", "COMPLEX")
TIERS = ("small", "mid", "frontier")
EFFORTS = ("low", "medium", "high", "xhigh", "max")

TIER_OF = {"TRIVIAL": "small", "SIMPLE": "small", "MEDIUM": "mid", "COMPLEX": "frontier"}
EFFORT_OF = {"TRIVIAL": "low", "SIMPLE": "low", "MEDIUM": "medium", "COMPLEX": "high"}
EFFORT_OF_TIER = {"small": "low", "mid": "medium", "frontier": "high"}


def rank(tier: str) -> int:
    """0 for small, 1 for mid, 2 for frontier; -1 for a tier that is not known."""
    return TIERS.index(tier) if tier in TIERS else -1
