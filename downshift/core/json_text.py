"""JSON for the hot path: `json` itself imports `re`, which alone doubles the start-up of a hook.

The C scanner and encoder behind `json` do the same work without it. Where they
are missing or have changed, plain `json` takes over; the results are the same.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    _json: Any
else:
    try:
        import _json
    except ImportError:  # not CPython
        _json = None

_PLAIN = (False, False, False)  # sort_keys, skipkeys, allow_nan
_SPACES = " \t\n\r"


class _Rules:
    """What the C scanner asks its context for."""

    strict = False  # control characters inside strings are read, not refused
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = staticmethod(float)
    memo: dict[str, str] = {}  # noqa: RUF012  # the scanner's own cache of keys, cleared by it


_RULES: Any = _Rules


def parse(text: str) -> Any:
    """The value of one JSON document; ValueError when it is not one."""
    text = text.strip(_SPACES)
    try:
        value, end = parse_at(text, 0)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    if end != len(text):
        raise ValueError("text after the JSON document")
    return value


def parse_at(text: str, start: int) -> tuple[Any, int]:
    """The JSON value that begins at `start`, and where it ends; ValueError when none begins there."""
    if _json is not None:
        try:
            value, end = _json.make_scanner(_RULES)(text, start)
            return value, int(end)
        except (StopIteration, RecursionError, SystemError) as error:
            # SystemError: the scanner wants to raise json.JSONDecodeError and `json` was never imported.
            raise ValueError("not JSON") from error
        except TypeError:
            pass
    import json

    return json.JSONDecoder(strict=False).raw_decode(text, start)


def parse_object(text: str) -> dict[str, Any] | None:
    """The object that `text` holds, or None for anything else."""
    try:
        value = parse(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def render(value: object) -> str:
    """One line of JSON in ASCII, with `, ` and `: ` as separators; ValueError for a number that JSON has not."""
    if _json is None:
        return _render_plainly(value)
    try:
        encode = _json.make_encoder(None, _refuse, _json.encode_basestring_ascii, None, ": ", ", ", *_PLAIN)
    except TypeError:
        return _render_plainly(value)
    return "".join(encode(value, 0))


def _refuse(value: object) -> object:
    raise TypeError(f"{type(value).__name__} is not JSON")


def _render_plainly(value: object) -> str:
    import json

    return json.dumps(value, allow_nan=False)
