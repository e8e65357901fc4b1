"""The one arc of an observer that another base is located in, by its reference point.

Arcs are those of `ninthgeom_kernel.arcs`. The reference point is the middle of the Front Facing, for discs
and ovals the centre.
"""

from __future__ import annotations

from typing import Any

from ninthgeom_kernel._jit import F8, F8_3, I8, NONE, U1_OUT2, U1_OUT3, kernel, scalar
from ninthgeom_kernel.bases import base_at

FRONT = 1
LEFT = 2
REAR = 4
RIGHT = 8


@scalar
def reference_point(
    ax: float, ay: float, ac: float, as_: float, bx: float, by: float, bc: float, bs: float, ahead: float
) -> tuple[float, float]:
    """Where a point ahead of b's centre is in the frame of a: forward and left."""
    dx = bx - ax + ahead * bc
    dy = by - ay + ahead * bs
    return ac * dx + as_ * dy, ac * dy - as_ * dx


@scalar
def to_facing(along: float, across: float, radius: float, dot: float) -> float:
    """From the centre to the middle of the Front Facing; 0 for discs and ovals."""
    return 0.0 if (radius > 0.0) & (min(along, across) <= dot) else along + radius


@scalar
def arc_of_point(u: float, v: float, along: float, across: float, tol: float) -> int:
    """Arc that a point lies in; a flank within tol of a divider, none deeper than tol inside."""
    x = abs(u) - along
    y = abs(v) - across
    squared = (x - y) * (x - y) * 0.5 if x + y >= 0.0 else x * x + y * y
    is_flank = (y >= x) | (squared <= tol * tol)
    end = FRONT if u >= 0.0 else REAR
    flank = LEFT if v >= 0.0 else RIGHT
    return 0 if max(x, y) < -tol else flank if is_flank else end


@scalar
def arc_of_disc(u: float, v: float, radius: float, tol: float) -> int:
    """Return the front arc, none deeper than tol inside."""
    rim = max(radius - tol, 0.0)
    return 0 if u * u + v * v < rim * rim else FRONT


@kernel(NONE(F8_3, F8_3, F8, F8, U1_OUT2, I8, I8))
def located_arcs(a: Any, b: Any, tol: float, dot: float, out: Any, start: int, stop: int) -> None:
    """Pair by pair.

    Arguments: observers a, others b (7, 1 or S, n) in; tol in inches; dot, the largest core of a disc;
    out (S, n); flat positions start to stop of out.
    Result: the arc of a that b's reference point lies in, front 1, left 2, rear 4, right 8; 0 inside a.
    Boundary: a divider belongs to the flank, within tol; a facing to its arc.
    Degenerate: discs and points have a front arc only; segments are rectangles.
    Reference: none needed.
    """
    n = out.shape[1]
    for row in range(start // n, (stop + n - 1) // n):
        part = slice(max(start - row * n, 0), min(stop - row * n, n))
        i = row if a.shape[1] > 1 else 0
        ax, ay, ac, as_ = a[0, i, part], a[1, i, part], a[2, i, part], a[3, i, part]
        aa, ab, ar = a[4, i, part], a[5, i, part], a[6, i, part]
        i = row if b.shape[1] > 1 else 0
        bx, by, bc, bs = b[0, i, part], b[1, i, part], b[2, i, part], b[3, i, part]
        ba, bb, br = b[4, i, part], b[5, i, part], b[6, i, part]
        answer = out[row, part]
        for j in range(len(answer)):
            ahead = to_facing(ba[j], bb[j], br[j], dot)
            u, v = reference_point(ax[j], ay[j], ac[j], as_[j], bx[j], by[j], bc[j], bs[j], ahead)
            of_disc = arc_of_disc(u, v, ar[j], tol)
            arc = arc_of_point(u, v, aa[j] + ar[j], ab[j] + ar[j], tol)
            answer[j] = of_disc if max(aa[j], ab[j]) <= dot else arc


@kernel(NONE(F8_3, F8_3, F8, F8, U1_OUT3, I8, I8))
def located_arcs_outer(a: Any, b: Any, tol: float, dot: float, out: Any, start: int, stop: int) -> None:
    """Every a with every b.

    Arguments: observers a (7, 1 or S, n), others b (7, 1 or S, m) in; tol in inches; dot, the largest core of
    a disc; out (S, n, m); flat positions start to stop of out.
    Result: as `located_arcs`.
    Boundary: as `located_arcs`.
    Degenerate: as `located_arcs`.
    Reference: as `located_arcs`.
    """
    n = out.shape[1]
    m = out.shape[2]
    for row in range(start // m, (stop + m - 1) // m):
        part = slice(max(start - row * m, 0), min(stop - row * m, m))
        ax, ay, ac, as_, aa, ab, ar = base_at(a, row // n, row % n)
        i = row // n if b.shape[1] > 1 else 0
        bx, by, bc, bs = b[0, i, part], b[1, i, part], b[2, i, part], b[3, i, part]
        ba, bb, br = b[4, i, part], b[5, i, part], b[6, i, part]
        answer = out[row // n, row % n, part]
        for j in range(len(answer)):
            ahead = to_facing(ba[j], bb[j], br[j], dot)
            u, v = reference_point(ax, ay, ac, as_, bx[j], by[j], bc[j], bs[j], ahead)
            of_disc = arc_of_disc(u, v, ar, tol)
            arc = arc_of_point(u, v, aa + ar, ab + ar, tol)
            answer[j] = of_disc if max(aa, ab) <= dot else arc
