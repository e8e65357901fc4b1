"""The exact reference, on cases that can be seen on squared paper."""

from fractions import Fraction

import pytest

from tests.reference.rationals import Core, depth_of_segment, excess, gap, gap_sign, inside_arcs, located_arc

EAST = (Fraction(1), Fraction(0))
TILTED = (Fraction(3, 5), Fraction(4, 5))


def core(x, y, along, across, radius=0, turn=EAST):
    return Core(Fraction(x), Fraction(y), turn, Fraction(along), Fraction(across), Fraction(radius))


def test_gap():
    square = core(0, 0, 1, 1)
    assert gap(square, core(4, 5, 1, 1)) == pytest.approx(13**0.5)
    assert gap(square, core(2, 0, 1, 1)) == 0.0
    assert gap(square, core(1.5, 0, 1, 1)) == -0.5
    assert gap(core(0, 0, 0, 0, 1), core(3, 4, 0, 0, 1)) == 3.0
    assert [gap_sign(square, core(x, 2, 1, 1)) for x in (1, 2, 2.25)] == [0, 0, 1]
    # A square on its tip: its corner is the root of 2 from its centre.
    assert gap_sign(square, core(0, Fraction(12, 5), 1, 1, turn=TILTED)) == 0


def test_excess_and_depth():
    assert excess(core(0, 0, 1, 1), core(0, 0, 2, 2)) == -1.0
    assert excess(core(5, 5, 1, 1), core(0, 0, 3, 2)) == 5.0
    assert excess(core(0, 0, 0, 0, 2), core(0, 0, 0, 0, 3)) == -1.0
    assert depth_of_segment(core(0, 1, 5, 0), core(0, 0, 2, 2)) == pytest.approx(1.0)
    assert depth_of_segment(core(0, 3, 5, 0), core(0, 0, 2, 2)) == pytest.approx(-1.0)


def test_arcs():
    square = core(0, 0, 1, 1)
    assert inside_arcs(square, core(5, 0, 1, 1), 0.0) == 1
    assert inside_arcs(square, core(5, 5, 1, 1), 0.0) == 3
    assert inside_arcs(square, core(0, 0, 9, 9), 0.0) == 15
    assert inside_arcs(square, core(0, 0, Fraction(1, 2), 1), 0.0) == 0
    assert [located_arc(square, core(x, y, 1, 1)) for x, y in ((5, 0), (0, 5), (-5, 0), (0, -5))] == [
        1,
        2,
        4,
        8,
    ]
    assert located_arc(square, core(4, 5, 1, 1)) == 2
    assert located_arc(square, core(0, 0, 0, 0, 1)) == 0
