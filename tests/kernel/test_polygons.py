"""Kernels of polygons: few pairs, so that they run as plain Python too."""

import numpy as np
import pytest

from ninthgeom import Bases, Polygons, distance, relation, shortest_line, within
from tests.reference.polygon_checks import check_against_exact
from tests.reference.polygon_reference import NAMED


@pytest.mark.parametrize("with_base", [True, False])
def test_against_exact_arithmetic(with_base):
    assert check_against_exact(7, 30, with_base=with_base) > 5


def test_all_pairs_are_the_single_ones():
    polygons = Polygons([outline.to_shapely() for outline in list(NAMED.values())[:5]])
    bases = Bases([0.5, 1.5, 8.0], 1.0, 0.3, width=[1.0, 0.0, 2.0], depth=1.0, radius=[0.25, 0.0, 0.0])
    for question in (distance, relation, shortest_line):
        single = [[question(base, polygon) for polygon in polygons] for base in bases]
        np.testing.assert_array_equal(question(bases[:, None], polygons), single)
    np.testing.assert_array_equal(
        within(polygons[:, None], bases, 1.0), distance(polygons[:, None], bases) <= 1.0 + 1e-6
    )
