"""Which segments meet a disc in a polygon, and which only a disc round it, pair by pair."""

from __future__ import annotations

from typing import Any

from ninthgeom_kernel._jit import F8_2, F8_3, F8_OUT2, I8, I8_3, NONE, U1_OUT2, kernel
from ninthgeom_kernel.crossing import STRIP, against_discs


@kernel(NONE(F8_3, I8_3, F8_2, F8_OUT2, U1_OUT2, I8, I8, I8, I8))
def meet_discs(
    a: Any, b: Any, discs: Any, strip: Any, out: Any, top: int, bottom: int, first: int, last: int
) -> None:
    """Pair by pair.

    Arguments: segments a (4, 1 or S, n), indices b (1, 1 or S, n) of polygons, and their discs (4, N) in:
    centre, squared radii of the inner and of the outer disc, negative where there is none; scratch
    (4, STRIP); out (S, n), rows top to bottom, columns first to last.
    Result: met 1 in the inner disc, open 2 in the outer one, else apart 0.
    Boundary: closed.
    Degenerate: segments without length are points.
    Reference: none needed.
    """
    rows = bottom - top
    for turn in range(rows * ((last - first + STRIP - 1) // STRIP)):
        row = top + turn % rows
        start = first + turn // rows * STRIP
        part = slice(start, min(start + STRIP, last))
        h = row if a.shape[1] > 1 else 0
        x0, y0, x1, y1 = a[0, h, part], a[1, h, part], a[2, h, part], a[3, h, part]
        index = b[0, row if b.shape[1] > 1 else 0, part]
        if b.shape[1] > 1 or row == top:
            # A loop that reads discs in any order would not be vectorised.
            for j in range(len(index)):
                for line in range(4):
                    strip[line, j] = discs[line, index[j]]
        x, y, inner, outer = strip[0], strip[1], strip[2], strip[3]
        answer = out[row, part]
        for j in range(len(answer)):
            answer[j] = against_discs(x0[j], y0[j], x1[j], y1[j], x[j], y[j], inner[j], outer[j])
