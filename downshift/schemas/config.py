"""The shape of config.json, for people: pydantic says where and why a value is wrong."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, ValidationError

Tier = Literal["small", "mid", "frontier"]


class TierFloor(BaseModel):
    """The least tier by agent type."""

    agent_type: dict[str, Tier] = {}


class Pins(BaseModel):
    """What is left alone."""

    agent_type: list[str] = []
    project: list[str] = []


class Config(BaseModel):
    """Every key of config.json. Keys that are not known are left for later versions."""

    model_config = ConfigDict(extra="ignore", strict=True)

    control_share: float = Field(default=0.1, ge=0, le=1)
    quiet: StrictBool = False
    respect_explicit: StrictBool = False
    compactor: StrictBool = True
    tier_floor: TierFloor = TierFloor()
    pins: Pins = Pins()
    statusline_command: str = ""


def complaints(data: dict[str, object]) -> list[str]:
    """One line for each value that is wrong."""
    try:
        Config.model_validate(data)
    except ValidationError as error:
        return [f"{'.'.join(str(part) for part in each['loc'])}: {each['msg']}" for each in error.errors()]
    return []
