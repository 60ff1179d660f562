"""Where the files that ship with Downshift are: beside the package in a checkout, inside it in a wheel."""

from __future__ import annotations

import os

_PACKAGE = os.path.dirname(os.path.abspath(__file__))


def root() -> str:
    """The folder that holds `hooks/`, `skills/` and the other folders for harnesses."""
    inside = os.path.join(_PACKAGE, "_assets")
    return inside if os.path.isdir(inside) else os.path.dirname(_PACKAGE)


def data(name: str) -> str:
    """The text of a file in `downshift/data/`."""
    return data_bytes(name).decode("utf-8")


def data_bytes(name: str) -> bytes:
    """The bytes of a file in `downshift/data/`."""
    with open(data_path(name), "rb") as file:
        return file.read()


def data_path(name: str) -> str:
    """Where a file in `downshift/data/` lies."""
    return os.path.join(_PACKAGE, "data", name)
