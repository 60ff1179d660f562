"""Times as text: RFC 3339 read without the `datetime` module, which a hook cannot afford."""

from __future__ import annotations

_UNITS = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}


def seconds_of(text: object) -> float | None:
    """Seconds since the epoch of an RFC 3339 time, or of a plain number of seconds; None for anything else."""
    if isinstance(text, (int, float)) and not isinstance(text, bool):
        return float(text)
    if not isinstance(text, str) or len(text) < 20 or text[4] + text[7] != "--" or text[10] not in "Tt ":
        return None
    try:
        year, month, day = int(text[:4]), int(text[5:7]), int(text[8:10])
        clock, offset = _split_offset(text[11:])
        hour, minute, second = clock.split(":")
        return _days(year, month, day) * 86400.0 + int(hour) * 3600 + int(minute) * 60 + float(second) - offset
    except ValueError:
        return None


def duration_of(text: str) -> float | None:
    """Seconds of a duration such as `24h`, `1h30m`, `500ms` or `0`; None when it is not one."""
    if text == "0":
        return 0.0
    total, number = 0.0, ""
    rest = text
    while rest:
        digits = next((place for place, letter in enumerate(rest) if letter not in "0123456789."), len(rest))
        number, rest = rest[:digits], rest[digits:]
        unit = next((name for name in ("ms", "h", "m", "s") if rest.startswith(name)), "")
        try:
            total += float(number) * _UNITS[unit]
        except (ValueError, KeyError):
            return None
        rest = rest[len(unit) :]
    return total if text else None


def _split_offset(text: str) -> tuple[str, float]:
    if text[-1:] in ("Z", "z"):
        return text[:-1], 0.0
    sign = {"+": 1.0, "-": -1.0}[text[-6]] if text[-6:-5] in ("+", "-") else 0.0
    if not sign:
        raise ValueError(text)
    return text[:-6], sign * (int(text[-5:-3]) * 3600 + int(text[-2:]) * 60)


def _days(year: int, month: int, day: int) -> int:
    """Days since 1970-01-01 in the Gregorian calendar."""
    if not (1 <= month <= 12 and 1 <= day <= 31):
        raise ValueError(month)
    year -= month <= 2
    era, of_era = divmod(year, 400)
    of_year = (153 * (month + (-3 if month > 2 else 9)) + 2) // 5 + day - 1
    return era * 146097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719468
