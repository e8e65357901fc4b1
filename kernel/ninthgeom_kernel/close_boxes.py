"""Pairs of boxes that may be in contact, in each of many scenes."""

from __future__ import annotations

from typing import Any

from ninthgeom_kernel._jit import F8, F8_3, I8, I8_OUT1, I8_OUT2, NONE, kernel


@kernel(NONE(F8_3, I8, F8, I8_OUT2, I8_OUT1))
def close_boxes(bases: Any, n_first: int, reach: float, out: Any, count: Any) -> None:
    """Find pairs of bases whose bounding boxes, turned as they are, are no further apart than ``reach``.

    Arguments: columns of bases (7, S, n); the first ``n_first`` of each scene are not compared with each
    other; reach; out (k, 3) and count (1,), written.
    Result: out holds scene and the two indices, the smaller one first, sorted by scene; count how many pairs
    there are, maybe more than out has room for; then it holds the first ones.
    Boundary rule: closed. Rectangles that overlap by more than four times ``reach`` are left out: nothing
    comes between them.
    Degenerate: boxes no larger than ``reach`` are left out; segments are like any other.
    Reference: separating axis theorem.
    """
    n = bases.shape[2]
    found = 0
    for scene in range(bases.shape[1]):
        for b in range(n_first, n):
            x = bases[0, scene, b]
            y = bases[1, scene, b]
            cos = bases[2, scene, b]
            sin = bases[3, scene, b]
            along = bases[4, scene, b]
            across = bases[5, scene, b]
            radius = bases[6, scene, b]
            far = along + across + radius + reach
            if along + across + radius <= reach:
                continue  # points block nothing, and absent units stand in one place
            for a in range(b):
                dx = bases[0, scene, a] - x
                dy = bases[1, scene, a] - y
                most = far + bases[4, scene, a] + bases[5, scene, a] + bases[6, scene, a]
                if dx * dx + dy * dy <= most * most:
                    c = bases[2, scene, a]
                    s = bases[3, scene, a]
                    u = bases[4, scene, a]
                    v = bases[5, scene, a]
                    cosine = abs(c * cos + s * sin)
                    sine = abs(s * cos - c * sin)
                    separation = max(
                        abs(dx * c + dy * s) - u - along * cosine - across * sine,
                        abs(dy * c - dx * s) - v - along * sine - across * cosine,
                        abs(dx * cos + dy * sin) - along - u * cosine - v * sine,
                        abs(dy * cos - dx * sin) - across - u * sine - v * cosine,
                    )
                    round_by = radius + bases[6, scene, a]
                    is_deep = a >= n_first and round_by == 0.0 and separation < -4.0 * reach
                    is_point = u + v + bases[6, scene, a] <= reach
                    if separation - round_by <= reach and not is_deep and not is_point:
                        if found < out.shape[0]:
                            out[found, 0] = scene
                            out[found, 1] = a
                            out[found, 2] = b
                        found += 1
    count[0] = found
