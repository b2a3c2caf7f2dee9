"""Cholesky factors, compiled: blocks that fit the cache, on one thread.

Threads of a linear algebra library cost more than they give at these sizes. Sums are taken in the order that is
quickest on the machine, so they are not the same to the last bit as in plain Python: matrices of all sizes are
factored here. Imported only when there is one.

State: the columns left of the panel `start:stop` are done. Invariant: their lower half holds the factor; the panel has
the matrix less the product of all strips left of it before it is factored by itself. Reference: Golub and Van Loan,
Matrix Computations, section 4.2.
"""

import numpy as np
from numpy.typing import NDArray

from giveaway.compiling import native

Floats = NDArray[np.float64]
Number = int | np.int64

_SUMS = {"reassoc", "contract"}
_PANEL = 32
_STRIP = 256


def factor(matrix: Floats) -> bool:
    """Replace the lower half of a matrix by its Cholesky factor; tell whether it is positive definite."""
    # One panel needs no strips, whose kernel then is not compiled.
    return bool(_panel(matrix, 0, len(matrix)) if len(matrix) <= _PANEL else _panels(matrix))


@native(fastmath=_SUMS)
def _panels(matrix: Floats) -> bool:
    size = len(matrix)
    for start in range(0, size, _PANEL):
        stop = min(start + _PANEL, size)
        for begin in range(0, start, _STRIP):
            end = min(begin + _STRIP, start)
            for i in range(start, size, 4):
                j = start
                while j < stop and j < i + 4:
                    if i + 4 <= size and j + 2 <= stop:
                        _subtract(matrix, i, j, begin, end)
                        j += 2
                    else:
                        for row in range(i, min(i + 4, size)):
                            total = 0.0
                            for k in range(begin, end):
                                total += matrix[row, k] * matrix[j, k]
                            matrix[row, j] -= total
                        j += 1
        if not _panel(matrix, start, stop):
            return False
    return True


@native(fastmath=_SUMS)
def _panel(matrix: Floats, start: Number, stop: Number) -> bool:
    """Factor the columns of a panel, as far down as the matrix goes; tell whether it can be."""
    size = len(matrix)
    for j in range(start, stop):
        for i in range(j, size):
            total = matrix[i, j]
            for k in range(start, j):
                total -= matrix[i, k] * matrix[j, k]
            if i > j:
                matrix[i, j] = total / matrix[j, j]
            elif total > 0:
                matrix[j, j] = np.sqrt(total)
            else:
                return False
    return True


@native(fastmath=_SUMS)
def _subtract(matrix: Floats, i: Number, j: Number, begin: Number, end: Number) -> None:
    """Subtract a tile of four rows and two columns of the product of strips."""
    a = b = c = d = e = f = g = h = 0.0
    for k in range(begin, end):
        one, two = matrix[j, k], matrix[j + 1, k]
        a += matrix[i, k] * one
        b += matrix[i, k] * two
        c += matrix[i + 1, k] * one
        d += matrix[i + 1, k] * two
        e += matrix[i + 2, k] * one
        f += matrix[i + 2, k] * two
        g += matrix[i + 3, k] * one
        h += matrix[i + 3, k] * two
    matrix[i, j] -= a
    matrix[i, j + 1] -= b
    matrix[i + 1, j] -= c
    matrix[i + 1, j + 1] -= d
    matrix[i + 2, j] -= e
    matrix[i + 2, j + 1] -= f
    matrix[i + 3, j] -= g
    matrix[i + 3, j + 1] -= h


@native(fastmath=_SUMS)
def substitute(matrix: Floats, vector: Floats) -> None:
    """Solve with a Cholesky factor, in place."""
    size = len(vector)
    for i in range(size):
        total = vector[i]
        for k in range(i):
            total -= matrix[i, k] * vector[k]
        vector[i] = total / matrix[i, i]
    for i in range(size - 1, -1, -1):
        vector[i] /= matrix[i, i]
        for k in range(i):
            vector[k] -= matrix[i, k] * vector[i]
