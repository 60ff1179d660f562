"""Which models the account's credit covers, as the payload of this very call says.

`included_models`, when it is there and not empty, is a closed set: nothing
outside it is written. `unavailable_models` are never written. Without either,
nobody has denied anything.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from downshift.core.spawn import Model


def refused(models: tuple[Model, ...], payload: Mapping[str, Any]) -> tuple[str, ...]:
    """The ids of the session that may not be written for want of credit."""
    included, unavailable = _ids(payload.get("included_models")), _ids(payload.get("unavailable_models"))
    return tuple(
        model.id for model in models if _names(model) & unavailable or (included and not _names(model) & included)
    )


def _names(model: Model) -> frozenset[str]:
    return frozenset((model.id, model.wire))


def _ids(told: object) -> frozenset[str]:
    return frozenset(each for each in told if isinstance(each, str)) if isinstance(told, list) else frozenset()
