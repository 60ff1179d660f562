"""Which models a session can reach. Only an id that is in this list is ever written."""

from __future__ import annotations

from downshift import paths
from downshift.core.spawn import Model, Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from downshift.catalog.lookup import Catalog


def resolve(current: Model | None, catalog: Catalog, env: Mapping[str, str], *, infer: bool) -> Session:
    """The session's models; empty with source `unknown` when nothing says which they are.

    Where the harness allows it (`infer`), the current model proves access to
    itself and to the tiers below it: enough to go down, never to go up.
    """
    wanted = env.get(paths.INFER_SESSION, "").strip().lower() not in ("off", "0", "false", "no")
    if current is None or not current.tier or not infer or not wanted:
        return Session()
    return Session(models=catalog.ladder(current), source="inferred")
