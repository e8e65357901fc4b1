"""JSON of scene files: numbers without loss, errors with their line, and text that people can read."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from typing import Any, Final

# Enough for the rounding to the nearest double to be that of the exact product.
_PI: Final = Decimal("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899863")
_EXACT: Final = Context(prec=60, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[])
_MOST_DIGITS: Final = 25
_LINE: Final = 100
_INTEGER_KEYS: Final = frozenset({"models", "files", "side", "group", "height", "size", "place", "version"})


def radians(degrees: Decimal) -> float:
    """Return the radians nearest to an angle in degrees; infinite where no double is.

    Examples
    --------
    >>> radians(Decimal("90")) == math.pi / 2
    True
    """
    with localcontext(_EXACT):
        return float(degrees * _PI / 180)


def degrees(angle: float) -> Decimal:
    """Return the shortest number of degrees that `radians` turns into this angle.

    Doubles of degrees could not do that: some neighbours in radians have the same one.

    Examples
    --------
    >>> degrees(1.0), degrees(math.pi / 4)
    (Decimal('57.29577951308232'), Decimal('45'))
    """
    with localcontext(_EXACT):
        exact = Decimal(angle) * 180 / _PI
    rounded = (Context(prec=digits).create_decimal(exact) for digits in range(1, _MOST_DIGITS + 1))
    return next(short for short in rounded if radians(short) == angle)


def loads(text: str) -> Any:
    """Parse a scene; headings in degrees stay Decimal, other numbers with a point become float.

    Raises
    ------
    ValueError
        If it is no JSON or has a key twice in an object. NaN and infinities come through, for the checks of
        the values to name their place.
    """
    try:
        tree = json.loads(text, parse_float=Decimal, object_pairs_hook=_without_repetition)
        return _converted(tree, "")
    except json.JSONDecodeError as error:
        raise ValueError(f"line {error.lineno}, column {error.colno}: {error.msg}") from None
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except ArithmeticError:
        raise ValueError("a number has an exponent beyond all limits") from None


def dumps(tree: Any) -> str:
    """Write a scene: what fits in a line stays in one, and arrays of plain values always do."""
    return "".join(_pieces(tree, "")) + "\n"


def encoded(text: str) -> bytes:
    """Encode JSON, surrogates without their partner, which have no UTF-8, as what JSON has for them."""
    return text.encode("utf-8", "backslashreplace")


def _without_repetition(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in pairs:
        if key in result:
            raise ValueError(f"the key {key!r} stands twice in one object")
        result[key] = value
    return result


def _converted(value: Any, key: str) -> Any:
    if isinstance(value, dict):
        return {name: _converted(part, name) for name, part in value.items()}
    if isinstance(value, list):
        return [_converted(part, key) for part in value]
    if not isinstance(value, Decimal) or key == "heading_deg":
        return value
    number = float(value)
    # JSON knows no difference between 3 and 3.0.
    return int(number) if key in _INTEGER_KEYS and number.is_integer() else number


def _pieces(value: Any, indent: str) -> Iterator[str]:
    line = _line(value)
    short = len(indent) + len(line) <= _LINE
    if short or not isinstance(value, dict | list) or not _is_nested(value):
        yield line
        return
    inner = f"{indent}  "
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    yield opening
    separator = "\n"
    for key, part in value.items() if isinstance(value, dict) else ((None, part) for part in value):
        yield separator + inner + ("" if key is None else f"{_quoted(key)}: ")
        yield from _pieces(part, inner)
        separator = ",\n"
    yield f"\n{indent}{closing}"


def _is_nested(value: dict[str, Any] | list[Any]) -> bool:
    return isinstance(value, dict) or any(isinstance(part, dict | list) for part in value)


def _line(value: Any) -> str:
    if isinstance(value, dict):
        inside = ", ".join(f"{_quoted(key)}: {_line(part)}" for key, part in value.items())
        return f"{{{inside}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_line, value))}]"
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, Decimal):
        return _decimal(value)
    if isinstance(value, float) and value.is_integer() and not _is_negative_zero(value):
        return str(int(value))
    return json.dumps(value, allow_nan=False)


def _decimal(value: Decimal) -> str:
    if value.is_zero():
        return "-0.0" if value.is_signed() else "0"  # an integer -0 would lose its sign
    return f"{value:f}" if -_MOST_DIGITS < value.adjusted() < _MOST_DIGITS else str(value)


def _is_negative_zero(value: float) -> bool:
    return value == 0.0 and math.copysign(1.0, value) < 0.0


def _quoted(text: str) -> str:
    # A surrogate without its partner has no UTF-8; escaped it comes back as it was.
    lonely = any("\ud800" <= character <= "\udfff" for character in text)
    return json.dumps(text, ensure_ascii=lonely)
