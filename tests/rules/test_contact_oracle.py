"""The oracle of contacts on battles set up by hand, most of them from the rules pages.

Millimetres; T stands north of the line y = 0 unless a test says otherwise, and enemies come from the south.
"""

from __future__ import annotations

from itertools import chain
from typing import Any

import pytest

from ninthgeom import Attached, Unit
from ninthgeom.t9a import Rules
from tests.rules.contact_lines import ring_spans
from tests.rules.contact_oracle import DUEL, GAP, ROUND, TOUCH, Duel, State, contacts, engaged_units
from tests.rules.contact_shapes import FRONT, LEFT, REAR, RIGHT, Figure, HairError, Place, engaged, steps

EAST, NORTH, WEST, SOUTH = range(4)
BLOCKING = ("interior", "none", "closed")


class Field:
    """Units and terrain in millimetres, whose models are asked by name."""

    def __init__(self) -> None:
        self.units: list[tuple[Figure, Place, str, str]] = []
        self.rings: list[Any] = []

    def unit(
        self, x: float, y: float, turn: int, base: Any, models: str, *, frozen: str = "", **more: Any
    ) -> None:
        """Add a unit with a letter for every slot, ranks first; a dot is an empty one.

        `frozen` gives the slots that the boundary goes by, if they are others.
        """
        attached = len(more.get("attached", ()))
        unit = Unit(models, base, models=len(models) - attached, **more)
        assert unit.n_slots == len(models)
        self.units.append((Figure(unit), Place(steps(x), steps(y), turn), models, frozen or models))

    def wall(self, *points: tuple[float, float]) -> None:
        self.rings.append(tuple((steps(x), steps(y)) for x, y in points))

    @property
    def state(self) -> State:
        figures, places, models, frozen = zip(*self.units, strict=True)
        masks = [[letter != "." for letter in chain(*names)] for names in (models, frozen)]
        return State(figures, places, masks[0], masks[1], None, self.rings)

    def contacts(self, *, duels: tuple[str, ...] = (), **rules: Any) -> dict[str, tuple[int, int, int]]:
        """Return kind and facings of the pairs in which the first model stands in an earlier unit."""
        names = list(chain(*(unit[2] for unit in self.units)))
        fights = [Duel(*(names.index(letter) for letter in pair)) for pair in duels]
        rows = contacts(self.state, Rules(**rules), fights)
        assert rows == sorted(rows)
        backwards = [(o, m, kind, other, one) for m, o, kind, one, other in rows]
        assert sorted(backwards) == rows
        return {names[m] + names[o]: tuple(rest) for m, o, *rest in rows if m < o}

    def kinds(self, kind: int, **rules: Any) -> set[str]:
        return {pair for pair, contact in self.contacts(**rules).items() if contact[0] == kind}


@pytest.fixture
def field() -> Field:
    return Field()


# --- gaps behind an incomplete rear rank (facts E27 to E29) ----------------------------------------


def rear_charge(field: Field, x: float, attackers: str) -> None:
    """A to E from x = 0 to 100, F behind B; the attackers' front edges touch F's rear at y = 0."""
    field.unit(50, 40, NORTH, (20, 20), "ABCDE.F...", files=5, side=0)
    field.unit(x + 10 * len(attackers), 0, NORTH, (20, 20), attackers, files=len(attackers), side=1)


@pytest.mark.parametrize("blocking", BLOCKING)
def test_e27_e28_gaps_behind_a_rear_charge(field, blocking):
    rear_charge(field, 15, "12345")
    found = field.contacts(gap_blocking=blocking)
    assert found["F1"] == (TOUCH, REAR, FRONT)
    assert found["A1"] == found["C2"] == found["C3"] == (GAP, REAR, FRONT)
    assert "B1" not in found  # its rear is covered by F
    assert "B2" not in found
    assert found["F2"][0] == TOUCH
    assert {pair for pair in found if pair[0] in "AC"} == {"A1", "C2", "C3"}


@pytest.mark.parametrize("blocking", ["interior", "none", "closed"])
def test_e29_corner_to_corner(field, blocking):
    field.unit(50, 40, NORTH, (20, 20), "ABCDEF....", files=5, side=0)
    field.unit(100, 0, NORTH, (20, 20), "56", files=2, side=1)
    # No base stands on either of the lines from corner to corner, so that all readings agree.
    found = field.contacts(gap_blocking=blocking)
    assert found["E5"][0] == found["E6"][0] == found["D5"][0] == GAP


@pytest.mark.parametrize(("blocking", "met"), [("interior", True), ("none", True), ("closed", False)])
def test_line_along_the_side_of_a_base(field, blocking, met):
    # F stands behind E; the line x = 80 from D to 6 runs along its side.
    field.unit(50, 40, NORTH, (20, 20), "ABCDE....F", files=5, side=0)
    field.unit(90, 0, NORTH, (20, 20), "6", side=1)
    found = field.contacts(gap_blocking=blocking)
    assert found["F6"][0] == TOUCH
    assert ("D6" in found) == met
    assert "E6" not in found


def test_line_along_a_seam_of_two_bases(field):
    # B's right neighbour C, and F behind B; a character is wider than the file he is in front of.
    field.unit(
        20, 60, NORTH, (20, 20), "....EFX", files=2, side=0, attached=[Attached("x", (40, 40), place=(0, 0))]
    )
    field.unit(20, 0, NORTH, (20, 20), "1", side=1)
    found = field.contacts()
    assert {pair: contact[0] for pair, contact in found.items()} == {"E1": TOUCH, "F1": TOUCH}  # X is covered
    assert field.contacts(gap_blocking="none") == found


# --- what covers a facing (E30), how far contact reaches (E31) -------------------------------------


@pytest.mark.parametrize(("blocking", "met"), [("interior", False), ("none", True), ("closed", False)])
def test_e30_half_a_facing_covered(field, blocking, met):
    field.unit(
        20, 40, NORTH, (20, 20), "B.C", files=2, side=0, attached=[Attached("c", (40, 20), place=(0, 0))]
    )
    field.unit(10, 0, NORTH, (10, 20), "1", side=1)
    found = field.contacts(gap_blocking=blocking)
    assert found["B1"][0] == TOUCH
    assert ("C1" in found) == met
    # as wide as B: a line may run along B's side
    field.units[-1] = (Figure(Unit("1", (20, 20), side=1)), *field.units[-1][1:])
    assert ("C1" in field.contacts(gap_blocking=blocking)) == (blocking != "closed")


@pytest.mark.parametrize("blocking", BLOCKING)
def test_e31_no_gap_is_too_long(field, blocking):
    field.unit(100, 40, NORTH, (20, 20), "ABCDEFGHIJK.........", files=10, side=0)
    field.unit(200, 10, WEST, (20, 20), "1", side=1)
    found = field.contacts(gap_blocking=blocking)
    assert found["J1"] == (TOUCH, RIGHT, FRONT)
    assert found["K1"] == (GAP, RIGHT, FRONT)
    assert set(found) == {"J1", "K1"} or blocking == "none"


def test_empty_line_when_only_a_touch_is_left(field):
    # 1 comes into the flank at the height of the rear rank alone
    field.unit(100, 40, NORTH, (20, 20), "ABCDEFGHIJK.........", files=10, side=0)
    field.unit(200, 10, WEST, (20, 20), "1", side=1)
    # A to I have a neighbour at their right side
    assert set(field.contacts(gap_blocking="none")) == {"J1", "K1"}


# --- side characters (E32, E33) --------------------------------------------------------------------


def with_side_character(field: Field) -> None:
    """Two ranks of four, x from 0 to 100, and a character of 50 x 75 to their right; front at y = 0."""
    field.unit(50, 0, NORTH, (25, 50), "ABCDEFGHX", files=4, side=0, attached=[Attached("x", (50, 75))])


@pytest.mark.parametrize("blocking", BLOCKING)
def test_e32_past_a_side_character(field, blocking):
    with_side_character(field)
    field.unit(150, -87.5, WEST, (25, 50), "1", side=1)
    found = field.contacts(gap_blocking=blocking)
    assert found["X1"] == (TOUCH, RIGHT, FRONT)
    assert found["H1"] == (GAP, RIGHT, FRONT)  # half covered
    assert set(found) == {"X1", "H1"}


def test_e32_no_contact_where_the_character_stands(field):
    with_side_character(field)
    field.unit(150, -37.5, WEST, (25, 50), "1", side=1)
    assert set(field.contacts()) == {"X1"}
    assert set(field.contacts(gap_blocking="none")) == {"X1", "H1"}  # but not D, whom X covers


@pytest.mark.parametrize(
    ("stops", "blocking", "met"),
    [("boundaries", "interior", False), ("boundaries", "none", False), ("none", "interior", True)],
)
def test_e33_a_third_boundary_ends_the_line(field, stops, blocking, met):
    with_side_character(field)
    field.unit(125, -100, NORTH, (25, 25), "1", side=1)
    assert field.contacts()["X1"][0] == GAP
    # a third unit behind X, with one model left
    field.unit(125, -75, NORTH, (10, 5), ".2....", files=3, side=0, frozen="222222")
    assert ("X1" in field.contacts(gap_blocking=blocking, gap_stops_at=stops)) == met


@pytest.mark.parametrize(
    ("corners", "met"),
    [
        ([(110, -90), (140, -90), (140, -80), (110, -80)], set()),
        ([(110, -90), (125, -90), (125, -80), (110, -80)], {"interior", "closed"}),
        ([(112.5, -90), (137.5, -90), (137.5, -80), (112.5, -80)], {"interior"}),
        ([(112.5, -90), (125, -80), (137.5, -90)], {"interior"}),
        ([(100, -85), (125, -99), (150, -85), (125, -80)], set()),
    ],
)
@pytest.mark.parametrize("blocking", ["interior", "closed"])
def test_impassable_terrain_ends_the_line(field, corners, met, blocking):
    with_side_character(field)
    field.unit(125, -100, NORTH, (25, 25), "1", side=1)
    field.wall(*corners)
    assert ("X1" in field.contacts(gap_blocking=blocking)) == (blocking in met)
    assert "X1" in field.contacts(gap_blocking=blocking, gap_stops_at="none")


# --- corners (E25) ---------------------------------------------------------------------------------


def test_e25_corner_to_corner(field):
    field.unit(50, 40, NORTH, (20, 20), "ABCDEFGHIJ", files=5, side=0)
    field.unit(-20, 0, NORTH, (20, 20), "1234", files=2, side=1)
    assert field.contacts() == {"F2": (TOUCH, LEFT | REAR, FRONT | RIGHT)}
    assert field.contacts(corner_facing="flank") == {"F2": (TOUCH, LEFT, RIGHT)}
    # the middles of the fronts lie level with the rear of T, and 40 ahead of 2 but 50 to its right
    assert field.contacts(corner_facing="located") == {"F2": (TOUCH, LEFT, RIGHT)}


def test_corner_of_boundaries_without_bases(field):
    field.unit(50, 40, NORTH, (20, 20), "ABCDEF....", files=5, side=0)
    field.unit(120, 0, NORTH, (20, 20), "12", files=2, side=1)
    # one line down from E's corner to that of 1, and one across from F's
    assert field.contacts() == {"E1": (GAP, REAR, FRONT), "F1": (GAP, RIGHT, LEFT)}
    assert field.contacts(corner_facing="flank") == {"F1": (GAP, RIGHT, LEFT)}


def test_corner_contact_of_models_follows_their_units(field):
    field.unit(20, 0, NORTH, (20, 20), "AB", files=2, side=0)
    field.unit(50, 0, SOUTH, (20, 20), "1", side=1)  # from x = 40, beside B, corner to corner with it
    field.unit(30, 0, SOUTH, (20, 20), "2", side=1)
    for policy in ("both", "flank", "located"):
        assert field.contacts(corner_facing=policy)["A2"] == (TOUCH, FRONT, FRONT)
    assert field.contacts()["B1"] == (TOUCH, FRONT | RIGHT, FRONT | RIGHT)


def test_overlapping_units_meet_where_they_overlap_least(field):
    field.unit(50, 0, NORTH, (100, 100), "A", side=0)
    field.unit(50, -10, SOUTH, (100, 100), "1", side=1)
    assert field.contacts() == {"A1": (TOUCH, FRONT, FRONT)}
    field.units[1] = (field.units[1][0], Place(steps(140), steps(-10), SOUTH), "1", "1")
    assert field.contacts() == {"A1": (TOUCH, FRONT | RIGHT, FRONT | RIGHT)}


# --- round bases (E35) -----------------------------------------------------------------------------


@pytest.mark.parametrize(("front", "met"), [("open", set("BCD")), ("closed", set("ABCDE"))])
def test_e35_straight_in_front_of_a_round_base(field, front, met):
    field.unit(0, 0, NORTH, (20, 20), "ABCDE", files=5, side=0)
    field.unit(0, 30, NORTH, 60, "o", shape="round", side=1)
    found = field.contacts(round_front=front)
    assert found == {f"{m}o": (ROUND, FRONT, FRONT) for m in met}


@pytest.mark.parametrize("shape", ["round", "oval"])
def test_round_bases_meet_each_other(field, shape):
    field.unit(0, 0, NORTH, 60, "o", shape="round", side=0)
    field.unit(30, 40, EAST, 40 if shape == "round" else (40, 40), "p", shape=shape, side=1)
    assert field.contacts() == {"op": (ROUND, FRONT, FRONT)}
    field.units[1] = (field.units[1][0], Place(steps(30), steps(41), EAST), "p", "p")
    assert field.contacts() == {}


@pytest.mark.parametrize(
    ("beside", "ahead", "facings"), [(18, 24, FRONT), (24, 18, RIGHT), (30, 30, FRONT | RIGHT)]
)
def test_round_base_at_a_corner(field, beside, ahead, facings):
    field.unit(0, 0, NORTH, (20, 20), "ABCDE", files=5, side=0)
    if facings == FRONT | RIGHT:  # its radius is no whole number, so it overlaps
        ahead = beside = 21
    field.unit(50 + beside, ahead, WEST, 60, "o", shape="round", side=1)
    assert engaged_units(field.state, 0, 1, Rules()) == facings
    assert engaged_units(field.state, 1, 0, Rules()) == FRONT
    assert field.contacts() == {"Eo": (ROUND, facings, FRONT)}
    one = RIGHT if facings != FRONT else FRONT
    assert engaged_units(field.state, 0, 1, Rules(corner_facing="flank")) == one
    assert field.contacts(corner_facing="flank") == {"Eo": (ROUND, one, FRONT)}


def test_models_between_hide_a_round_base(field):
    with_side_character(field)
    field.unit(112.5, -130, NORTH, 60, "o", shape="round", side=1)  # straight below x = 82.5 to 142.5
    assert set(field.contacts()) == {"Ho", "Xo"}
    field.unit(125, -75, NORTH, (50, 5), "2", side=0)
    assert set(field.contacts()) == {"Ho"}
    assert set(field.contacts(gap_blocking="none", gap_stops_at="none")) == {"Ho"}


@pytest.mark.parametrize(
    ("left", "low", "right", "met"),
    [
        (19, 0.5, 40, set("CD")),
        (20, 0.5, 40, set("CD")),
        (21, 0.5, 40, set("BCD")),  # lines from x = 20 to 21 pass its end
        (19, 0.5, 38, set("BCD")),
    ],
)
def test_lines_end_on_the_near_side_of_a_round_base(field, left, low, right, met):
    field.unit(50, 0, NORTH, (20, 20), "ABCDE", files=5, side=0)
    field.unit(50, 30, EAST, 60, "o", shape="round", side=1)
    field.unit((left + right) / 2, low + 1, NORTH, (right - left, 1), "2", side=1)
    assert {pair[0] for pair in field.kinds(ROUND)} == met


# --- loose formations ------------------------------------------------------------------------------


def test_skirmishers_cover_those_behind(field):
    field.unit(0, 0, NORTH, (20, 20), "ABCD", files=2, side=0, formation="skirmish")
    field.unit(0, 0, SOUTH, (80, 20), "1", side=1)
    assert {pair: c[0] for pair, c in field.contacts().items()} == {"A1": TOUCH, "B1": TOUCH}
    field.units[0] = (*field.units[0][:2], ".BCD", "ABCD")
    assert {pair: c[0] for pair, c in field.contacts().items()} == {"B1": TOUCH, "C1": GAP}


# --- duels, sides and who is there -----------------------------------------------------------------


def test_duel_over_the_width_of_a_unit(field):
    field.unit(0, 0, NORTH, (20, 20), "ABCDE", files=5, side=0)
    field.unit(0, 0, SOUTH, (20, 20), "12345", files=5, side=1)  # 1 stands opposite E
    found = field.contacts(duels=("A1", "B4"))
    assert found["A1"] == (DUEL, FRONT, FRONT)
    assert found["B4"] == (TOUCH, FRONT, FRONT)


def test_duellist_who_fell_still_stands_for_the_duel(field):
    field.unit(0, 0, NORTH, (20, 20), "AB", files=2, side=0)
    field.unit(0, 0, SOUTH, (40, 40), "1", side=1)
    places = [place for _, place, _, _ in field.units]
    state = State([unit[0] for unit in field.units], places, [True, True, False])
    assert contacts(state, Rules()) == []
    assert contacts(state, Rules(), [Duel(0, 2)]) == [(0, 2, DUEL, FRONT, FRONT), (2, 0, DUEL, FRONT, FRONT)]
    far = State(state.figures, [places[0], Place(0, steps(1), SOUTH)], state.occupied)
    assert contacts(far, Rules(), [Duel(0, 2)]) == []
    absent = State(state.figures, places, state.occupied, present=[True, False])
    assert contacts(absent, Rules(), [Duel(0, 2)]) == []


@pytest.mark.parametrize(("sides", "met"), [((0, 0, 1), False), ((0, 0, 0), True), ((0, 1, 1), True)])
def test_only_enemies_are_in_contact(field, sides, met):
    field.unit(0, 0, NORTH, (20, 20), "A", side=sides[0])
    field.unit(0, 0, SOUTH, (20, 20), "1", side=sides[1])
    field.unit(500, 0, SOUTH, (20, 20), "z", side=sides[2])
    assert ("A1" in field.contacts()) == met
    assert engaged_units(field.state, 0, 1, Rules()) == FRONT


def test_frozen_boundaries_keep_contact(field):
    field.unit(50, 40, NORTH, (20, 20), "ABCDE.....", files=5, side=0, frozen="ABCDEFGHIJ")
    field.unit(50, 0, NORTH, (20, 20), "1", side=1)
    assert field.contacts() == dict.fromkeys(("B1", "C1", "D1"), (GAP, REAR, FRONT))
    field.units[0] = (*field.units[0][:3], "ABCDE.....")
    assert field.contacts() == {}


# --- the parts -------------------------------------------------------------------------------------


def test_polygons_along_a_line():
    def spans(ring: Any, x: float, *, closed: bool = False) -> list[tuple[float, float]]:
        grid = tuple((steps(px), steps(py)) for px, py in ring)
        return [
            (float(a / steps(1)), float(b / steps(1))) for a, b in ring_spans(grid, steps(x), closed=closed)
        ]

    corner = [(0, 0), (4, 0), (4, 2), (2, 2), (2, 6), (0, 6)]  # an L
    assert spans(corner, 1) == [(0, 6)]
    assert spans(corner, 3) == [(0, 2)]
    assert spans(corner, 2) == [(0, 2)]  # along its own edge from 2 to 6
    assert (2, 6) in spans(corner, 2, closed=True)
    assert spans(corner, 0) == spans(corner, 4) == []
    assert (0, 6) in spans(corner, 0, closed=True)
    diamond = [(0, 0), (3, -2), (6, 0), (3, 2)]
    assert spans(diamond, 3) == [(-2, 2)]
    assert spans(diamond, 1.5) == [(-1, 1)]
    assert spans(diamond, 0) == []
    assert spans(diamond, 0, closed=True) == [(0, 0)]
    notch = [(0, 0), (6, 0), (6, 4), (3, 2), (0, 4)]
    assert spans(notch, 3) == [(0, 2)]
    assert spans(notch, 7) == spans(notch, 7, closed=True) == []


def test_hairs_are_refused():
    edge, disc = Figure(Unit("a", (20, 20))), Figure(Unit("o", 60, shape="round"))
    corner = steps(10)
    for dx, dy, fair in ((18, 24, True), (18.0625, 24, True), (18 + 2**-11, 24, False)):
        places = [Place(0, 0, NORTH), Place(corner + steps(dx), steps(dy), NORTH)]
        state = State([edge, disc], places, [True, True])
        if fair:
            assert bool(contacts(state, Rules())) == (dx == 18)
        else:
            with pytest.raises(HairError):
                contacts(state, Rules())
    near = State([edge, disc], [Place(0, 0, NORTH), Place(corner + 5, steps(30), NORTH)], [True, True])
    with pytest.raises(HairError):
        engaged(near.boundaries[0], NORTH, near.boundaries[1], NORTH, Rules())
