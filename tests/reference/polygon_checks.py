"""Questions about polygons, compared with their exact answers."""

import math
import random

import numpy as np

from ninthgeom import (
    TOLERANCE,
    Bases,
    Polygons,
    Relation,
    distance,
    in_contact,
    interiors_meet,
    relation,
    shortest_line,
    wholly_within,
    within,
)
from tests.reference.polygon_reference import Outline, answers, random_pair
from tests.reference.rationals import Core

APART, POINT, LINE, PARTIAL, INSIDE, CONTAINS, EQUAL = Relation
SWAPPED = np.array([APART, POINT, LINE, PARTIAL, CONTAINS, INSIDE, EQUAL])


def as_batch(shapes: list[Core] | list[Outline]) -> Bases | Polygons:
    """Rational shapes as the library takes them."""
    if isinstance(shapes[0], Outline):
        return Polygons([shape.to_shapely() for shape in shapes])
    numbers = [
        (c.x, c.y, math.atan2(c.turn[1], c.turn[0]), c.across + c.radius, c.along + c.radius, c.radius)
        for c in shapes
    ]
    x, y, heading, across, along, radius = np.array(numbers, dtype=float).T
    return Bases(x, y, heading, width=2.0 * across, depth=2.0 * along, radius=radius)


def check_against_exact(seed: int, n: int, *, with_base: bool) -> int:
    """Compare all questions about n pairs; return how many were in contact."""
    draw = random.Random(seed)
    pairs = [random_pair(draw, with_base=with_base) for _ in range(n)]
    exact = [answers(*pair) for pair in pairs]
    # Round corners may be off the tolerance by less than anything exact is.
    clear = [
        i
        for i, answer in enumerate(exact)
        if not 1e-9 < abs(math.sqrt(answer.squared) - float(answer.radii)) < 1e-4
    ]
    pairs, exact = [pairs[i] for i in clear], [exact[i] for i in clear]
    a, b = as_batch([pair[0] for pair in pairs]), as_batch([pair[1] for pair in pairs])

    def wrong(found: np.ndarray, expected: list[object], what: str) -> list[str]:
        return [
            f"seed {seed}, {what}: {found[i]} instead of {expected[i]} for {pairs[i]}"
            for i in np.flatnonzero(found != np.array(expected))
        ]

    faults = wrong(relation(a, b), [answer.code for answer in exact], "relation")
    faults += wrong(relation(b, a), SWAPPED[[answer.code for answer in exact]].tolist(), "relation, swapped")
    faults += wrong(in_contact(a, b), [answer.in_contact for answer in exact], "in_contact")
    faults += wrong(interiors_meet(a, b), [answer.do_meet for answer in exact], "interiors_meet")
    faults += wrong(wholly_within(a, b), [answer.is_within for answer in exact], "wholly_within")
    faults += wrong(wholly_within(b, a), [answer.is_around for answer in exact], "wholly_within, swapped")
    assert not faults[:3]
    expected = np.array([answer.distance for answer in exact])
    np.testing.assert_allclose(distance(a, b), expected, rtol=0.0, atol=1e-9)
    np.testing.assert_allclose(distance(b, a), expected, rtol=0.0, atol=1e-9)
    lines = shortest_line(a, b)
    np.testing.assert_allclose(
        np.hypot(lines[:, 2] - lines[:, 0], lines[:, 3] - lines[:, 1]), expected, rtol=0.0, atol=1e-9
    )
    if isinstance(a, Bases):
        np.testing.assert_array_equal(shortest_line(b, a), lines[:, [2, 3, 0, 1]])
    ends = (Bases.point(lines[:, k], lines[:, k + 1]) for k in (0, 2))
    for end, shape in zip(ends, (a, b), strict=True):
        assert distance(end, shape, tol=0.0).max() <= TOLERANCE + 1e-9
    for limit in (0.5, 2.0):
        np.testing.assert_array_equal(within(a, b, limit), expected <= limit + TOLERANCE)
    return int(np.count_nonzero(relation(a, b) != APART))
