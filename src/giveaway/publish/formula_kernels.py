"""The cells of delimited text that a spreadsheet would take for formulas, counted byte by byte."""

import numpy as np
from numpy.typing import NDArray

from giveaway.compiling import kernel

# Where in a cell the next byte stands.
START, PLAIN, QUOTED, CLOSING = 0, 1, 2, 3
# What the cell is so far, as far as it matters: nothing yet, harmless, a formula, or a number in the making.
EMPTY, HARMLESS, FORMULA, SIGN, POINT, DIGITS, POWER, POWER_SIGN, POWER_DIGITS = 0, 1, 2, 3, 4, 5, 6, 7, 8

SIGNS, POINTS, POWERS = (ord("+"), ord("-")), (ord("."), ord(",")), (ord("e"), ord("E"))
STARTS, ENDS = (ord("="), ord("@"), ord("\t"), ord("\r")), (ord("\n"), ord("\r"))
QUOTE = ord('"')


def fresh() -> NDArray[np.int64]:
    """Return the state at the start of a file: the place in a cell, and what the cell is so far."""
    return np.array([START, EMPTY], np.int64)


@kernel
def _after(cell: int, byte: int) -> int:
    """Return what a cell is with one more byte: a sign and what follows is a number, or else a formula."""
    digit = 48 <= byte <= 57
    if cell in (HARMLESS, FORMULA):
        return cell
    if cell == EMPTY:
        if byte in SIGNS:
            return SIGN
        return FORMULA if byte in STARTS else HARMLESS
    if cell <= DIGITS:
        if digit:
            return DIGITS
        if byte in POINTS:
            return DIGITS if cell == DIGITS else POINT
        return POWER if cell == DIGITS and byte in POWERS else FORMULA
    if digit:
        return POWER_DIGITS
    return POWER_SIGN if cell == POWER and byte in SIGNS else FORMULA


@kernel
def _is_formula(cell: int) -> bool:
    """Tell whether a whole cell is a formula; a sign alone is a dash."""
    return cell in (FORMULA, POINT, POWER, POWER_SIGN)


@kernel
def formulas(text: NDArray[np.uint8], separator: int, state: NDArray[np.int64]) -> int:
    """Count the formulas among the cells that end in a piece of text, and keep the state for the next piece."""
    place, cell, found = state[0], state[1], 0
    for byte in text:
        if place == QUOTED:
            if byte == QUOTE:
                place = CLOSING
            else:
                cell = _after(cell, byte)
        elif place == CLOSING and byte == QUOTE:
            place = QUOTED
            cell = _after(cell, byte)
        elif byte == separator or byte in ENDS:
            found += _is_formula(cell)
            place, cell = START, EMPTY
        elif place == START and byte == QUOTE:
            place = QUOTED
        else:
            place = PLAIN
            cell = _after(cell, byte)
    state[0], state[1] = place, cell
    return found
