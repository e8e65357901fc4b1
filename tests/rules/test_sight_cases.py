"""Worked cases of line of sight: every sentence of the rules page, and the set-ups that players argue about.

Lengths are millimetres and the observer faces +y with its front edge on y = 0, unless said otherwise. Every
case is asked of the library at several places and angles, and of the slow computation that the random tests
compare with, so that it earns its trust here.
"""

import math
from dataclasses import replace

import numpy as np
import pytest

from ninthgeom import Attached, Board, Terrain, Unit, t9a
from tests.reference.board_sight_reference import State

NORTH, EAST, SOUTH, WEST = math.pi / 2, 0.0, -math.pi / 2, math.pi
QUARTER, TURNED, FAR = (
    (math.pi / 2, (24.0, 36.0)),
    (0.7, (12.3, 45.6)),
    (-2.5, (-500.0, 500.0)),
)
ASKED = {
    "library, quarter turn": (QUARTER, False),
    "library, turned": (TURNED, False),
    "library, far away": (FAR, False),
    "reference": (TURNED, True),
}
THIRD, SECOND = t9a.THIRD_EDITION, t9a.SECOND_EDITION
EDITIONS = pytest.mark.parametrize("rules", [THIRD, SECOND], ids=["third", "second"])


class Table:
    """A battle in millimetres, set up somewhere, about which questions are asked by name."""

    def __init__(self, motion, of_reference):
        angle, self.shift = motion
        self.angle = angle
        self.turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
        self.of_reference = of_reference
        self.units, self.positions, self.terrain = [], [], []

    def inches(self, points):
        return np.asarray(points, float) / 25.4 @ self.turn.T + self.shift

    def unit(self, name, x, y, heading=NORTH, base_mm=(20, 20), **more):
        self.units.append(Unit(name, base_mm, **more))
        self.positions.append([*self.inches([x, y]), heading + self.angle])

    def outline(self, corners, kind="impassable", **more):
        self.terrain.append(Terrain(self.inches(corners), kind=kind, **more))

    def wall(self, x0, y0, x1, y1, kind="impassable", **more):
        self.outline([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], kind, **more)

    def slit(self, x, y, width=2.0):
        """Leave only a slit round a point open, in a thin wall across everything."""
        self.wall(-2000, y - 0.5, x - width / 2, y + 0.5)
        self.wall(x + width / 2, y - 0.5, 2000, y + 0.5)

    @property
    def board(self):
        return Board(self.units, self.terrain)

    def slots(self, name):
        return self.board.model_slices[self.board.index(name)]

    def without(self, name, *dead):
        """Mask of living models where those in some slots of a unit are dead."""
        mask = self.board.occupied.copy()
        mask[self.slots(name)][list(dead)] = False
        return mask

    def state(self, rules, masks):
        return State(self.board, self.positions, rules, **masks)

    def sees(self, observer, target, rules=THIRD, **masks):
        if self.of_reference:
            index = self.board.index
            return self.state(rules, masks).unit_sees_unit(index(observer), index(target))
        answer = t9a.line_of_sight(
            self.board, self.positions, observers=[observer], targets=[target], rules=rules, **masks
        )
        return bool(answer[0, 0])

    def sees_point(self, observer, x, y, rules=THIRD, **masks):
        at = self.inches([x, y])
        if self.of_reference:
            return self.state(rules, masks).unit_sees_point(self.board.index(observer), at)
        answer = t9a.sees_points(self.board, self.positions, [at], observers=[observer], rules=rules, **masks)
        return bool(answer[0, 0])

    def point_sees(self, x, y, target, rules=THIRD, **masks):
        at = self.inches([x, y])
        if self.of_reference:
            return self.state(rules, masks).point_sees_unit(at, self.board.index(target))
        answer = t9a.seen_from_points(
            self.board, self.positions, [at], targets=[target], rules=rules, **masks
        )
        return bool(answer[0, 0])

    def who_sees(self, observer, target, rules=THIRD, **masks):
        """Slots of the observer, counted within it, whose models see the target."""
        own = self.slots(observer)
        if self.of_reference:
            state, aim = self.state(rules, masks), self.board.index(target)
            return [i - own.start for i in range(own.start, own.stop) if state.model_sees_unit(i, aim)]
        rows = t9a.models_see(
            self.board, self.positions, shooters=[observer], targets=[target], rules=rules, **masks
        )
        assert set(rows.target.tolist()) <= {self.board.index(target)}
        return sorted((rows.model - own.start).tolist())

    def which_seen(self, observer, target, rules=THIRD, **masks):
        """Slots of the target, counted within it, whose models some model of the observer sees."""
        own, others = self.slots(observer), self.slots(target)
        if self.of_reference:
            state = self.state(rules, masks)
            shooters = range(own.start, own.stop)
            return [
                i - others.start
                for i in range(others.start, others.stop)
                if any(state.model_sees_model(shooter, i) for shooter in shooters)
            ]
        rows = t9a.models_see(
            self.board,
            self.positions,
            shooters=[observer],
            target_models=list(range(others.start, others.stop)),
            rules=rules,
            **masks,
        )
        return sorted(set((rows.target - others.start).tolist()))


@pytest.fixture(params=ASKED.values(), ids=ASKED.keys())
def table(request):
    return Table(*request.param)


# ------------------------------------------------------------------- the worked cases, E1 to E18 and E48


@EDITIONS
@pytest.mark.parametrize(("x", "seen"), [(110.0, True), (110.01, False), (-110.0, True), (-110.01, False)])
def test_e1_e2_points_at_exactly_45_degrees_and_just_beyond(table, rules, x, seen):
    table.unit("shooter", 0, 0)
    assert table.sees_point("shooter", x, 100, rules) == seen


@EDITIONS
@pytest.mark.parametrize(("rear_rank", "seen"), [(True, True), (False, False)])
def test_e3_the_only_free_line_ends_in_an_empty_slot(table, rules, rear_rank, seen):
    table.unit("shooter", 0, 0)
    table.slit(10, 20)
    table.slit(60, 120)  # lines x = y / 2 and little else
    # Rear rank from y = 200 to 220: two models at the left, nobody at x = 100. The front rank ends at 106.
    table.unit("enemy", 56, 240, models=7)
    masks = {} if rear_rank else {"occupied": table.without("enemy", 5, 6)}
    assert table.sees("shooter", "enemy", rules, **masks) == seen


@pytest.mark.parametrize(
    ("observer", "blocker", "target", "or_equal", "larger"),
    [
        (1, 1, 1, False, True),  # E4; strictly larger in the first edition
        (1, 2, 3, True, True),  # E5
        (1, 3, 3, False, True),
        (3, 2, 1, True, True),
        (3, 3, 1, False, True),
        (1, 2, 1, False, False),
        (0, 0, 0, False, True),
        (5, 4, 0, True, True),
        (4, 5, 4, False, False),
    ],
)
def test_e4_e5_blockers_need_the_height_of_both(table, observer, blocker, target, or_equal, larger):
    table.unit("shooter", 0, 0, height=observer)
    table.unit("blocker", 0, 100, base_mm=(800, 20), height=blocker)
    table.unit("target", 0, 300, height=target)
    for rules in (THIRD, SECOND):
        assert table.sees("shooter", "target", rules) == or_equal
        assert table.sees("shooter", "target", replace(rules, los_height_op=">")) == larger
        assert table.sees("shooter", "blocker", rules)
    assert table.which_seen("shooter", "target") == [0] * or_equal


@pytest.mark.parametrize(
    ("observer", "blocker", "point_height", "seen"),
    [
        (1, 1, 0, False),  # E6 as the third edition has it
        (1, 0, 0, True),
        (1, 1, 1, False),  # and the second: a point is Standard
        (1, 0, 1, True),
        (0, 0, 0, False),
        (0, 0, 1, True),
        (0, 1, 1, False),
        (0, 1, 0, False),
        (2, 2, 3, True),
        (2, 3, 3, False),
    ],
)
def test_e6_height_of_a_ground_point(table, observer, blocker, point_height, seen):
    table.unit("shooter", 0, 0, height=observer)
    table.unit("blocker", 0, 100, base_mm=(800, 20), height=blocker)
    for preset in (THIRD, SECOND):
        rules = replace(preset, point_height=point_height)
        assert table.sees_point("shooter", 0, 300, rules) == seen
        # The other way round the same two heights are compared.
        assert table.point_sees(0, 300, "shooter", rules) == seen


def test_e6_points_of_the_editions(table):
    table.unit("shooter", 0, 0, height=0)
    table.unit("blocker", 0, 100, base_mm=(800, 20), height=0)
    assert not table.sees_point("shooter", 0, 300, THIRD)
    assert table.sees_point("shooter", 0, 300, SECOND)


@pytest.mark.parametrize("hole", [True, False])
def test_e7_line_through_an_empty_slot_of_an_intervening_unit(table, hole):
    table.unit("shooter", 0, 0)
    table.slit(10, 20)
    table.slit(60, 120)
    # As in E3: whoever stands in the rear rank, nobody stands where the lines are unless the rank is full.
    table.unit("between", 56, 240, models=7 if hole else 10)
    table.unit("target", 150, 300, SOUTH)
    assert not table.sees("shooter", "target", THIRD)
    assert table.sees("shooter", "target", SECOND) == hole
    assert table.sees("shooter", "target", replace(THIRD, boundary_blocks=False)) == hole
    assert not table.sees("shooter", "target", replace(SECOND, boundary_blocks=True))


@pytest.mark.parametrize(("touching", "seen"), [("clear", True), ("blocked", False)])
@EDITIONS
def test_e8_line_exactly_on_the_side_of_a_base(table, rules, touching, seen):
    table.unit("shooter", 0, 0)
    table.unit("between", -20, 150, base_mm=(60, 50))  # its right side is x = 10, as that of the shooter
    assert table.sees_point("shooter", 10, 300, replace(rules, touching=touching)) == seen
    assert table.sees_point("shooter", 10.1, 300, replace(rules, touching=touching))
    assert not table.sees_point("shooter", 9.9, 300, replace(rules, touching=touching))


def test_e8_touching_at_the_ends_of_the_line_only():
    # The Front Facing lies in the plane of the neighbours' fronts, the target in that of other fronts.
    table = Table(TURNED, of_reference=False)
    table.unit("shooter", 0, 0)
    for name, x in (("left", -20), ("right", 20)):
        table.unit(name, x, 0)
        table.unit(f"far {name}", x, 300, SOUTH)
    table.unit("target", 0, 300, SOUTH)
    assert table.sees("shooter", "target", replace(THIRD, touching="blocked"))
    assert table.sees_point("shooter", 0, 300, replace(THIRD, touching="blocked"))


def test_e8_presets(table):
    table.unit("shooter", 0, 0)
    table.unit("between", -20, 150, base_mm=(60, 50))
    assert table.sees_point("shooter", 10, 300, THIRD)
    assert not table.sees_point("shooter", 10, 300, SECOND)


@pytest.mark.parametrize("touching", ["clear", "blocked"])
@EDITIONS
def test_e9_bases_that_touch_at_a_corner_leave_no_slit(table, rules, touching):
    rules = replace(rules, touching=touching)
    table.unit("shooter", 0, 0)
    table.unit("left", -100, 50, base_mm=(200, 20))
    table.unit("right", 100, 70, base_mm=(200, 20))
    assert not table.sees_point("shooter", 0, 300, rules)


@pytest.mark.parametrize("touching", ["clear", "blocked"])
def test_e9_a_millimetre_between_them_does(table, touching):
    table.unit("shooter", 0, 0)
    table.unit("left", -100.5, 50, base_mm=(200, 20))
    table.unit("right", 100.5, 70, base_mm=(200, 20))
    assert table.sees_point("shooter", 0, 300, replace(THIRD, touching=touching))


@pytest.mark.parametrize(("touching", "seen"), [("clear", True), ("blocked", False)])
def test_e9_apart_along_the_line_they_are_only_touched(table, touching, seen):
    table.unit("shooter", 0, 0)
    table.unit("left", -100, 49, base_mm=(200, 20))
    table.unit("right", 100, 70, base_mm=(200, 20))
    assert table.sees_point("shooter", 0, 300, replace(THIRD, touching=touching)) == seen


@EDITIONS
def test_e10_rank_three_looks_past_its_own_ranks(table, rules):
    table.unit("archers", 0, 0, models=15)
    table.unit("target", 0, 300, SOUTH)
    assert table.who_sees("archers", "target", rules) == list(range(15))


@EDITIONS
def test_e11_rank_two_looks_from_the_front_edge_straight_ahead(table, rules):
    table.unit("archers", 50, 0, models=10)  # files from x = 0 to 100
    table.unit("target", 70, 300, SOUTH)
    table.wall(-500, 1, 60.5, 30)
    table.wall(79.5, 1, 600, 30)
    assert table.who_sees("archers", "target", rules) == [3, 8]
    assert table.sees("archers", "target", rules)
    # Without the two nobody stands where the line starts.
    nobody = {"occupied": table.without("archers", 3, 8)}
    assert not table.sees("archers", "target", rules, **nobody)
    only_second_rank = {"occupied": table.without("archers", 3)}
    assert table.who_sees("archers", "target", rules, **only_second_rank) == [8]
    assert table.sees("archers", "target", rules, **only_second_rank)


@EDITIONS
def test_e12_the_targets_own_unit_never_blocks(table, rules):
    table.unit("shooter", 0, 0)
    hidden = Attached("wizard", (40, 40), height=1, place=(1, 1))
    table.unit("trolls", 0, 200, SOUTH, (40, 40), models=8, files=3, height=3, attached=[hidden])
    assert table.which_seen("shooter", "trolls", rules) == list(range(9))
    table.unit("others", 0, 150, SOUTH, (400, 40), height=2)
    # Somebody else does: the trolls can be seen above them, the wizard cannot.
    assert table.which_seen("shooter", "trolls", rules) == list(range(8))
    assert table.sees("shooter", "trolls", rules)


@EDITIONS
def test_e13_out_of_a_hill_and_through_it(table, rules):
    table.wall(-100, -60, 100, 100, "hill")
    table.unit("on it", 0, 0)
    table.unit("behind it", 0, -100)
    table.unit("target", 0, 300, SOUTH)
    assert table.sees("on it", "target", rules)
    assert table.sees("target", "on it", rules)
    assert not table.sees("behind it", "target", rules)
    assert not table.sees("target", "behind it", rules)
    assert table.sees_point("on it", 0, 200, rules)
    assert table.sees_point("behind it", 50, 50, rules)  # into the hill
    assert not table.sees_point("behind it", 0, 200, rules)


@pytest.mark.parametrize(
    ("edge", "fully", "centre"),
    [(-8, False, True), (-12, False, False), (0, True, True), (5, True, True), (-0.1, False, True)],
)
@EDITIONS
def test_e14_half_on_a_hill(table, rules, edge, fully, centre):
    table.wall(-100, -100, 100, edge, "hill")  # the shooter stands from y = -20 to 0
    table.unit("shooter", 0, 0)
    table.unit("between", 0, 100, base_mm=(800, 20))
    table.unit("target", 0, 300, SOUTH)
    for elevated, seen in (("fully", fully), ("centre", centre)):
        policy = replace(rules, elevated=elevated, touching="clear")
        assert table.sees("shooter", "target", policy) == seen
        assert table.who_sees("shooter", "target", policy) == [0] * seen
        assert table.sees_point("shooter", 0, 300, policy) == seen
        # Only the observer's place counts.
        assert not table.sees("target", "shooter", policy)
        assert not table.point_sees(0, -50, "target", policy)


def test_e14_presets(table):
    table.wall(-100, -100, 100, -8, "hill")
    table.unit("shooter", 0, 0)
    table.unit("between", 0, 100, base_mm=(800, 20))
    table.unit("target", 0, 300, SOUTH)
    assert not table.sees("shooter", "target", THIRD)
    assert table.sees("shooter", "target", SECOND)


@EDITIONS
@pytest.mark.parametrize("kind", ["forest", "field", "ruin", "water", "wall"])
def test_e15_cover_never_blocks(table, rules, kind):
    table.unit("shooter", 0, 0)
    table.unit("target", 0, 300, SOUTH)
    table.wall(-500, 50, 500, 200, kind)
    assert table.sees("shooter", "target", rules)
    assert table.sees_point("shooter", 0, 250, rules)


def test_e16_skirmish_formation(table):
    table.unit("shooter", 0, 0)
    table.unit("target", 0, 300, SOUTH)
    table.unit("scouts", 0, 150, models=8, files=8, formation="skirmish")
    assert table.sees("shooter", "target", SECOND)
    assert not table.sees("shooter", "target", THIRD)
    assert table.sees("shooter", "target", replace(THIRD, skirmish_blocks=False))
    # Bases alone leave gaps of 12.5 mm, which a boundary closes.
    assert table.sees("shooter", "target", replace(SECOND, skirmish_blocks=True))
    assert not table.sees("shooter", "target", replace(SECOND, skirmish_blocks=True, boundary_blocks=True))
    assert table.sees("shooter", "target", replace(THIRD, boundary_blocks=False))
    # They see and are seen as all others.
    assert table.sees("scouts", "target", SECOND)
    assert table.sees("shooter", "scouts", SECOND)


@pytest.mark.parametrize(
    ("shooter", "between", "target", "seen"),
    [
        ((1, False), (1, False), (1, True), True),  # E17
        ((1, True), (1, False), (1, False), True),  # from a Tall model
        ((1, False), (1, True), (1, True), False),  # unless Tall themselves
        ((1, False), (2, False), (1, True), False),  # of the same height, not larger
        ((1, False), (1, False), (1, False), False),
        ((3, False), (3, False), (1, True), False),  # larger than the Tall one
        ((1, False), (3, False), (3, True), True),
        ((3, True), (3, False), (1, False), True),
        ((3, True), (3, True), (3, True), False),
    ],
)
def test_e17_tall(table, shooter, between, target, seen):
    table.unit("shooter", 0, 0, height=shooter[0], tall=shooter[1])
    table.unit("between", 0, 100, base_mm=(800, 20), height=between[0], tall=between[1])
    table.unit("target", 0, 300, SOUTH, height=target[0], tall=target[1])
    assert table.sees("shooter", "target", SECOND) == seen
    assert table.which_seen("shooter", "target", SECOND) == [0] * seen
    assert not table.sees("shooter", "target", THIRD)
    assert table.sees("shooter", "target", replace(THIRD, tall_exempt=True)) == seen
    assert not table.sees("shooter", "target", replace(SECOND, tall_exempt=False))


def test_e17_tall_characters_in_units(table):
    table.unit("shooter", 0, 0)
    table.unit("between", 0, 100, base_mm=(800, 20))
    champion = Attached("champion", (20, 20), tall=True, place=(0, 0))
    table.unit("target", 0, 300, SOUTH, models=4, files=5, attached=[champion])
    assert table.sees("shooter", "target", SECOND)
    assert table.which_seen("shooter", "target", SECOND) == [4]
    # A Tall one in the unit between hides a Tall target, but only where he stands.
    table.unit("guard", 0, 150, models=4, files=5, attached=[Attached("banner", (20, 20), tall=True)])
    table.unit("giant", 0, 500, SOUTH, tall=True)
    lines = {"present": [True, False, False, True, True]}
    assert not table.sees("shooter", "giant", SECOND, **lines)
    without = {**lines, "occupied": table.without("guard", 4)}
    assert table.sees("shooter", "giant", SECOND, **without)
    # Seen from a Tall model.
    table.unit("knight", 0, -10, models=4, files=5, attached=[champion])
    table.unit("plain", 0, 600, SOUTH, (200, 20))
    lines = {"present": [False, True, False, False, False, True, True]}
    assert table.who_sees("knight", "plain", SECOND, **lines) == [4]
    assert table.sees("knight", "plain", SECOND, **lines)
    assert not table.sees("knight", "plain", THIRD, **lines)


@pytest.mark.parametrize("plain", [True, False])
def test_e17_a_unit_is_tall_when_all_its_models_are(table, plain):
    # A wall leaves only lines to the right end of the target, where nobody is as Tall as the champion.
    champion = Attached("champion", (20, 20), tall=True, place=(0, 0))
    table.unit("shooter", 30, 0)
    table.unit("between", 0, 100, base_mm=(800, 20))
    table.unit("target", 0, 300, NORTH, models=4, files=5, tall=not plain, attached=[champion])
    table.slit(30, 20)
    table.slit(30, 280)
    assert table.sees("shooter", "target", SECOND) == (not plain)
    # Alone in the front rank he is the whole unit, empty slots included.
    alone = {"occupied": table.without("target", 0, 1, 2, 3)}
    assert table.sees("shooter", "target", SECOND, **alone)
    # As an obstacle: to a Tall giant only Tall models are in the way, or a Tall boundary where those count.
    table.unit("giant", 30, 600, SOUTH, (20, 20), tall=True)
    no_blocker = {"present": [True, False, True, True]}
    alone = {"occupied": table.without("target", 0, 1, 2, 3)}
    table.slit(30, 400)
    both = replace(SECOND, boundary_blocks=True)
    assert table.sees("shooter", "giant", SECOND, **no_blocker) == plain
    assert table.sees("shooter", "giant", both, **no_blocker) == plain
    assert table.sees("shooter", "giant", SECOND, **no_blocker, **alone)
    assert not table.sees("shooter", "giant", both, **no_blocker, **alone)


@EDITIONS
@pytest.mark.parametrize("shape", ["round", "oval"])
def test_e18_round_bases_look_in_all_directions(table, rules, shape):
    table.unit("mortar", 0, 0, NORTH, 60 if shape == "round" else (40, 60), shape=shape)
    for x, y in ((0, 300), (300, 0), (0, -300), (-300, 0), (-200, -210)):
        assert table.sees_point("mortar", x, y, rules)
    table.unit("behind", 0, -200)
    assert table.sees("mortar", "behind", rules)
    assert table.sees("behind", "mortar", rules)
    # From any point of the base: 29 mm aside is still in it.
    table.wall(-500, -100, 18, -90)
    table.wall(20, -100, 500, -90)
    table.unit("target", 19, -400)
    present = {"present": [True, False, True]}
    assert table.sees("mortar", "target", rules, **present)
    table.wall(-500, -110, 40, -105)
    assert not table.sees("mortar", "target", rules, **present)


@EDITIONS
def test_e48_bases_block_fully(table, rules):
    table.unit("shooter", 0, 0)
    table.unit("target", 0, 300, SOUTH, (40, 40))
    # The target's own base never hides it; a point in it is hidden by it as by any other base.
    assert table.sees("shooter", "target", rules)
    assert not table.sees_point("shooter", 0, 320, rules)
    assert not table.sees_point("shooter", 0, 301, rules)
    assert table.sees_point("shooter", 0, 299, rules)
    assert not table.point_sees(0, 320, "shooter", rules)
    # What is on the base of somebody else is seen only where no line has to enter that base.
    table.unit("smaller", 0, 320, SOUTH, (10, 10))
    assert not table.sees("shooter", "smaller", rules)
    table.unit("wider", 0, 320, SOUTH, (60, 10))
    absent = {"present": [True, True, False, True]}
    assert table.sees("shooter", "wider", rules, **absent)


# -------------------------------------------------------------------------- the figure of the rules page


@EDITIONS
def test_figure_seen_in_an_empty_part_and_hidden_behind_impassable(table, rules):
    table.unit("D", 0, 0, NORTH, (25, 50))
    table.unit("B", 100, 250, SOUTH, models=10)
    table.unit("C", -90, 300, SOUTH, models=10)
    table.wall(-100, 100, 10, 150)
    # A faces east: two models of its rear rank stand in the north, three slots in the south are empty.
    table.unit("A", 300, 250, EAST, models=7)
    table.wall(130, 200, 206, 201)
    assert table.sees("D", "B", rules)
    assert table.sees("D", "A", rules)
    assert not table.sees("D", "C", rules)


# --------------------------------------------------------------------------------- where lines start


@EDITIONS
def test_the_line_starts_in_the_front_facing(table, rules):
    # A wall across the base, behind the facing, is not in the way; before it, it is.
    table.unit("shooter", 0, 0, base_mm=(40, 60))
    table.unit("target", 0, 300, SOUTH)
    table.wall(-500, -30, 500, -20)
    assert table.sees("shooter", "target", rules)
    table.wall(-500, 20, 500, 30)
    assert not table.sees("shooter", "target", rules)


@EDITIONS
def test_nobody_looks_back_or_aside(table, rules):
    table.unit("shooter", 0, 0, base_mm=(40, 60))
    for name, x, y in (("behind", 0, -200), ("left", -200, 0), ("right", 200, -30)):
        table.unit(name, x, y)
        assert not table.sees("shooter", name, rules)
    table.unit("ahead", 200, 190)
    assert table.sees("shooter", "ahead", rules)


@EDITIONS
def test_the_front_edge_moves_back_with_the_first_rank_that_lives(table, rules):
    table.unit("archers", 0, 0, models=10)
    table.unit("target", 0, 300, SOUTH)
    table.wall(-500, -15, 500, -5)  # in the place of the first rank
    assert table.sees("archers", "target", rules)
    second_rank = {"occupied": table.without("archers", 0, 1, 2, 3, 4)}
    assert not table.sees("archers", "target", rules, **second_rank)
    assert table.who_sees("archers", "target", rules, **second_rank) == []


@EDITIONS
def test_holes_in_the_rear_rank(table, rules):
    table.unit("archers", 50, 0, models=8, occupied=[True] * 5 + [True, False, True, False, True])
    table.unit("target", 50, 300, SOUTH, (200, 20))
    assert table.who_sees("archers", "target", rules) == [0, 1, 2, 3, 4, 5, 7, 9]
    # Two models of the first rank fall: through file 1 nobody looks, through file 2 the one behind does.
    fallen = {"occupied": table.without("archers", 1, 2)}
    assert table.who_sees("archers", "target", rules, **fallen) == [0, 3, 4, 5, 7, 9]
    table.wall(-500, 1, 20.5, 60)
    table.wall(39.5, 1, 600, 60)  # only file 1 is open
    assert table.who_sees("archers", "target", rules) == [1]
    assert table.sees("archers", "target", rules)
    assert not table.sees("archers", "target", rules, **fallen)
    assert not table.sees_point("archers", 30, 200, rules, **fallen)
    assert table.sees_point("archers", 30, 200, rules)


@EDITIONS
def test_gaps_of_a_skirmish_formation_are_no_facings(table, rules):
    # Bases 20 wide, 12.5 apart: the gap between the middle two of four is x from -6.25 to 6.25.
    table.unit("scouts", 0, 0, models=4, files=4, formation="skirmish")
    table.unit("target", 0, 300, SOUTH)
    table.wall(-500, 0.5, -3, 40)
    table.wall(3, 0.5, 500, 40)
    assert not table.sees("scouts", "target", rules)
    assert not table.sees_point("scouts", 0, 200, rules)
    assert table.sees("target", "scouts", rules)  # the boundary has no gaps


@EDITIONS
def test_characters_look_from_their_own_place(table, rules):
    # A long base reaches over two ranks in file 1; one that does not match stands at the right side.
    lord = Attached("lord", (25, 50), place=(0, 1))
    mount = Attached("mount", (40, 60))
    table.unit("guard", 0, 0, base_mm=(25, 25), models=8, attached=[lord, mount])
    table.unit("target", 0, 500, SOUTH, (800, 20))
    assert table.who_sees("guard", "target", rules) == list(range(10))
    # Files from x = -62.5 to 62.5, then the mount from there to 102.5.
    table.wall(-500, 1, 65, 60)
    table.wall(102, 1, 800, 60)
    assert table.who_sees("guard", "target", rules) == [9]
    assert not table.sees("guard", "target", rules, occupied=table.without("guard", 9))


@EDITIONS
def test_own_unit_never_blocks(table, rules):
    # Rank and file of height 3 round a character of height 1, in every rank.
    small = Attached("small", (40, 40), height=1, place=(1, 1))
    table.unit("trolls", 0, 0, NORTH, (40, 40), models=8, files=3, height=3, attached=[small])
    table.unit("target", 0, 300, SOUTH)
    assert table.who_sees("trolls", "target", rules) == list(range(9))


# ------------------------------------------------------------------------------------------- heights


@EDITIONS
@pytest.mark.parametrize(("file", "seen"), [(2, False), (0, True)])
def test_a_tall_character_blocks_where_his_unit_does_not(table, rules, file, seen):
    lord = Attached("lord", (20, 20), height=3, place=(0, file))
    table.unit("shooter", 0, 0, height=3)
    table.unit("guard", 0, 150, models=9, attached=[lord])
    assert table.sees_point("shooter", 0, 300, rules) == seen
    assert table.sees_point("shooter", 0, 300, rules, occupied=table.without("guard", 9))


@EDITIONS
def test_majority_height_ties_to_the_smaller(table, rules):
    # One Standard model and one Large character side by side, each 200 wide.
    lord = Attached("lord", (200, 20), height=3, place=(0, 1))
    table.unit("shooter", -100, 0, height=3)
    table.unit("pair", 0, 150, base_mm=(200, 20), files=2, attached=[lord])
    table.unit("low", -100, -30)
    # The Large shooter looks over the Standard half.
    assert table.sees_point("shooter", -100, 300, rules)
    assert not table.sees_point("low", -100, 300, rules)


def test_majority_height_of_those_who_live(table):
    lord = Attached("lord", (20, 20), height=3, place=(0, 0))
    table.unit("shooter", 0, 0, height=3)
    table.unit("guard", 0, 150, models=4, files=5, attached=[lord])  # the lord from x = -50 to -30
    assert table.sees_point("shooter", 0, 300)
    one_more = {"occupied": table.without("guard", 1, 2, 3)}  # a tie, Standard
    assert table.sees_point("shooter", 0, 300, **one_more)
    alone = {"occupied": table.without("guard", 0, 1, 2, 3)}
    # The boundary is as long as before and now as high as the lord.
    assert not table.sees_point("shooter", 0, 300, THIRD, **alone)
    assert table.sees_point("shooter", 0, 300, SECOND, **alone)
    # A Standard observer cannot look through a Standard boundary in either case.
    table.unit("low", 0, -30)
    assert not table.sees_point("low", 0, 300, THIRD)


@EDITIONS
def test_a_large_character_is_seen_where_his_unit_is_not(table, rules):
    lord = Attached("lord", (20, 20), height=3, place=(0, 1))
    table.unit("shooter", 0, 0)
    table.unit("between", 0, 150, base_mm=(800, 20), height=2)
    table.unit("guard", 0, 300, SOUTH, models=9, attached=[lord])
    assert table.sees("shooter", "guard", rules)
    assert table.which_seen("shooter", "guard", rules) == [9]
    assert not table.sees("shooter", "guard", rules, occupied=table.without("guard", 9))


@EDITIONS
def test_a_small_character_is_hidden_where_his_unit_is_seen(table, rules):
    small = Attached("small", (40, 40), height=1, place=(0, 1))
    table.unit("shooter", 0, 0)
    table.unit("between", 0, 150, base_mm=(800, 20), height=2)
    table.unit("trolls", 0, 300, SOUTH, (40, 40), models=5, files=3, height=3, attached=[small])
    assert table.sees("shooter", "trolls", rules)
    assert table.which_seen("shooter", "trolls", rules) == [0, 1, 2, 3, 4]


@EDITIONS
def test_three_heights_along_a_front(table, rules):
    # From the left: Standard, Standard, height 3, Standard, height 5; second rank Standard.
    heroes = [
        Attached("lord", (20, 20), height=3, place=(0, 2)),
        Attached("giant", (20, 20), height=5, place=(0, 4)),
    ]
    table.unit("guard", 0, 0, models=8, attached=heroes)
    table.unit("low", 0, 200, base_mm=(1500, 20), height=2)
    table.unit("high", 0, 300, base_mm=(1500, 20), height=4)
    table.unit("target", 0, 400, SOUTH, (1000, 20))
    only_low = {"present": [True, True, False, True]}
    assert table.who_sees("guard", "target", rules) == [9]
    assert table.who_sees("guard", "target", rules, **only_low) == [8, 9]
    assert table.who_sees("guard", "high", rules) == list(range(10))  # high enough to be seen above the low
    assert table.who_sees("guard", "low", rules) == list(range(10))
    assert table.sees("guard", "target", rules)
    fallen = {"occupied": table.without("guard", 9)}
    assert not table.sees("guard", "target", rules, **fallen)
    assert table.sees("guard", "target", rules, **fallen, **only_low)
    # Where the giant stands lines of the others are no help: a gap before the Standard files only.
    table.wall(-500, 1, -49, 60)
    table.wall(-11, 1, 500, 60)  # open from x = -49 to -11
    assert table.who_sees("guard", "low", rules) == [0, 1, 3, 4]
    assert not table.sees("guard", "target", rules)
    assert not table.sees("guard", "target", rules, **only_low)


def test_terrain_with_a_height_is_compared_as_a_unit_is(table):
    table.unit("shooter", 0, 0, height=2)
    table.unit("target", 0, 300, SOUTH, height=1)
    table.wall(-500, 100, 500, 120, height=2)
    for rules in (THIRD, SECOND):
        assert not table.sees("shooter", "target", rules)
        assert table.sees("shooter", "target", replace(rules, los_height_op=">"))
    table.terrain.clear()
    table.wall(-500, 100, 500, 120, "hill", height=1)
    for rules in (THIRD, SECOND):
        assert table.sees("shooter", "target", rules)
    table.terrain.clear()
    table.wall(-500, 100, 500, 120, "ruin", opaque=True, height=5)
    table.wall(-500, 200, 500, 220, "impassable", opaque=False)
    assert not table.sees("shooter", "target")
    table.terrain.pop(0)
    assert table.sees("shooter", "target")


@EDITIONS
@pytest.mark.parametrize("kind", ["impassable", "hill"])
def test_terrain_without_a_height_always_blocks(table, rules, kind):
    table.unit("giant", 0, 0, height=5, tall=True)
    table.unit("tower", 0, 300, SOUTH, height=5, tall=True)
    table.wall(-500, 100, 500, 120, kind)
    assert not table.sees("giant", "tower", replace(rules, los_height_op=">"))
    assert not table.sees_point("giant", 0, 300, rules)
    assert not table.point_sees(0, 50, "tower", rules)


# ------------------------------------------------------------------------------------ who is in the way


@EDITIONS
def test_friend_and_foe_block_alike_and_the_absent_never(table, rules):
    table.unit("shooter", 0, 0, side=0)
    table.unit("target", 0, 300, SOUTH, side=1)
    table.unit("friend", 0, 100, base_mm=(800, 20), side=0)
    table.unit("foe", 0, 200, base_mm=(800, 20), side=1)
    for present, seen in ((1, 1), False), ((1, 0), False), ((0, 1), False), ((0, 0), True):
        masks = {"present": [True, True, *map(bool, present)]}
        assert table.sees("shooter", "target", rules, **masks) == seen
        assert table.sees_point("shooter", 0, 290, rules, **masks) == seen
        assert table.point_sees(0, 10, "target", rules, **masks) == seen
    dead = table.board.occupied.copy()
    dead[2:] = False
    assert table.sees("shooter", "target", rules, occupied=dead)
    # Who is not there neither sees nor is seen.
    gone = {"present": [True, False, True, True]}
    assert not table.sees("friend", "target", rules, **gone)
    assert not table.sees("target", "friend", rules, **gone)
    assert table.who_sees("friend", "target", rules, **gone) == []
    assert table.which_seen("friend", "target", rules, **gone) == []
    assert not table.sees_point("target", 0, 250, rules, **gone)
    assert not table.point_sees(0, 250, "target", rules, **gone)


@EDITIONS
def test_a_full_block_of_ranks_has_no_seams(table, rules):
    # The shooter looks straight along the seam between two files, and along that between two ranks.
    table.unit("shooter", 0, 0, base_mm=(2, 20))
    table.unit("block", 0, 200, models=16, files=4)
    assert not table.sees_point("shooter", 0, 300, rules)
    table.unit("from the side", -200, 180, EAST, (2, 20))
    assert not table.sees_point("from the side", 200, 180, rules)


@pytest.mark.parametrize(("rules", "seen"), [(THIRD, False), (SECOND, True)], ids=["third", "second"])
def test_a_lost_file_opens_a_block_of_bases_only(table, rules, seen):
    table.unit("shooter", 0, 0)
    table.unit("block", 0, 150, models=9, files=3)
    gone = {"occupied": table.without("block", 1, 4, 7)}
    assert not table.sees_point("shooter", 0, 300, rules)
    assert table.sees_point("shooter", 0, 300, rules, **gone) == seen
    one_left = {"occupied": table.without("block", 1, 7)}
    assert not table.sees_point("shooter", 0, 300, rules, **one_left)


@EDITIONS
def test_a_blocker_beside_or_behind_does_not_matter(table, rules):
    table.unit("shooter", 0, 0)
    table.unit("target", 0, 300, SOUTH)
    table.unit("beside", 25, 0)
    table.unit("near the line", 32, 150)
    table.unit("behind", 0, 400, base_mm=(400, 20), height=5)
    assert table.sees("shooter", "target", rules)


@EDITIONS
def test_units_in_contact_hide_nobody_from_each_other(table, rules):
    table.unit("left", 0, 0, models=10)
    table.unit("right", 0, 0, SOUTH, models=10)
    assert table.sees("left", "right", rules)
    assert table.sees("right", "left", rules)


@EDITIONS
def test_tolerance_closes_slits(rules):
    # 0.254 mm are a hundredth of an inch.
    table = Table(TURNED, of_reference=False)
    table.unit("shooter", 0, 0)
    table.unit("left", -100.127, 100, base_mm=(200, 20))
    table.unit("right", 100.127, 100, base_mm=(200, 20))
    asked = {"rules": rules, "observers": ["shooter"]}
    points = [table.inches([0, 300])]
    assert t9a.sees_points(table.board, table.positions, points, **asked)[0, 0]
    assert not t9a.sees_points(table.board, table.positions, points, tol=0.011, **asked)[0, 0]


@EDITIONS
def test_several_together_hide(table, rules):
    table.unit("shooter", 0, 0, base_mm=(40, 20))
    table.unit("target", 0, 300, SOUTH)
    table.unit("a", -150, 100, base_mm=(300, 20))
    table.unit("b", 146, 121, base_mm=(300, 20))  # not in contact, but no line is as oblique
    assert not table.sees("shooter", "target", rules)
    for gone in (2, 3):
        present = np.ones(4, bool)
        present[gone] = False
        assert table.sees("shooter", "target", rules, present=present)


def test_the_end_point_lies_in_the_front_arc_of_the_unit(table):
    # What the second edition asks for besides; it holds for every line that a model may draw.
    table.unit("archers", 0, 0, models=10)
    for x in np.linspace(-400, 400, 21):
        for y in (-30.0, -5.0, 5.0, 120.0):
            in_arc = y >= 0 and abs(x) <= 50 + y
            assert table.sees_point("archers", x, y, SECOND) == in_arc


# --------------------------------------------------------------------------------------------- hills


@EDITIONS
def test_hill_under_half_of_the_front(table, rules):
    table.unit("archers", 50, 0, models=5)  # files from x = 0 to 100
    table.unit("target", -200, 600, SOUTH)
    table.wall(-400, -50, 40, 200, "hill")  # under files 0 and 1
    assert table.who_sees("archers", "target", rules) == [0, 1]
    assert table.sees("archers", "target", rules)
    # Without the two nobody's line starts in the hill, though the boundary still touches it.
    fallen = {"occupied": table.without("archers", 0, 1)}
    assert not table.sees("archers", "target", rules, **fallen)
    # The same for one base as wide as all.
    table.unit("chariot", 50, 0, NORTH, (100, 50))
    alone = {"present": [False, True, True]}
    assert table.sees("chariot", "target", rules, **alone)
    table.wall(-60, 5, 45, 20)  # hides from whoever stands on the hill
    assert not table.sees("chariot", "target", rules, **alone)
    table.terrain.pop(0)
    assert table.sees("chariot", "target", rules, **alone)


@EDITIONS
def test_hill_under_half_of_the_target(table, rules):
    table.unit("shooter", 0, 0)
    table.wall(-50, 100, 50, 300, "hill")
    table.unit("target", 50, 280, SOUTH, (100, 40))  # x from 0 to 100
    assert table.sees("shooter", "target", rules)
    assert table.which_seen("shooter", "target", rules) == [0]
    # Inside the hill a wall hides the half that stands on it; the rest is beyond the hill for every line.
    table.wall(-50, 250, 55, 255)
    assert not table.sees("shooter", "target", rules)
    assert table.which_seen("shooter", "target", rules) == []
    table.terrain.pop(0)
    assert table.sees("shooter", "target", rules)


@EDITIONS
def test_round_base_half_on_a_hill(table, rules):
    table.unit("mortar", 0, 0, NORTH, 60, shape="round")
    table.wall(-400, -100, 0, 200, "hill")
    table.unit("target", -200, 600, SOUTH)
    assert table.sees("mortar", "target", rules)
    assert table.sees("target", "mortar", rules)
    table.wall(-90, 50, 5, 55)
    assert not table.sees("mortar", "target", rules)
    assert not table.sees("target", "mortar", rules)
    table.terrain.pop(0)
    assert table.sees("mortar", "target", rules)


@EDITIONS
def test_both_on_one_hill(table, rules):
    table.unit("shooter", 0, 0)
    table.unit("target", 0, 300, SOUTH)
    table.wall(-100, -50, 100, 400, "hill")
    assert table.sees("shooter", "target", rules)
    # A hill with a bay: the line leaves it and comes back, and both its ends are in it.
    table.terrain.clear()
    bay = [(-100, -50), (100, -50), (100, 50), (-50, 50), (-50, 250), (100, 250), (100, 400), (-100, 400)]
    table.outline(bay, "hill")
    assert table.sees("shooter", "target", rules)
    assert table.sees_point("shooter", 0, 150, rules)  # in the bay


@EDITIONS
def test_from_hill_to_hill(table, rules):
    table.unit("shooter", 0, 0)
    table.unit("target", 0, 500, SOUTH)
    table.wall(-100, -50, 100, 100, "hill")
    table.wall(-100, 400, 100, 600, "hill")
    assert table.sees("shooter", "target", rules)
    table.wall(-300, 200, 300, 300, "hill")
    assert not table.sees("shooter", "target", rules)
    # The one in between overlaps the first: a line may start in both of them, but it starts in one only.
    table.terrain.pop()
    table.wall(-300, 50, 300, 300, "hill")
    assert not table.sees("shooter", "target", rules)
    # Under the shooter both count as its own.
    table.terrain.pop()
    table.wall(-300, -10, 300, 300, "hill")
    assert table.sees("shooter", "target", rules)


@EDITIONS
def test_overlapping_hills_of_the_shooter_and_of_the_target(table, rules):
    table.unit("shooter", 0, 0)
    table.unit("target", 0, 500, SOUTH)
    table.wall(-200, -50, 200, 300, "hill")
    table.wall(-200, 200, 200, 600, "hill")
    assert table.sees("shooter", "target", rules)
    assert table.sees_point("shooter", 0, 450, rules)
    assert not table.sees_point("shooter", 0, 700, rules)


@EDITIONS
def test_standing_in_impassable_terrain_helps_nobody(table, rules):
    table.unit("shooter", 0, 0)
    table.unit("target", 0, 300, SOUTH)
    table.wall(-100, -50, 100, 100, "impassable")
    assert not table.sees("shooter", "target", rules)
    assert not table.sees("target", "shooter", rules)
    assert not table.sees_point("target", 0, 50, rules)
    assert not table.point_sees(0, 50, "target", rules)


@EDITIONS
def test_opaque_ruin_is_looked_into_and_out_of(table, rules):
    table.unit("shooter", 0, 0)
    table.unit("target", 0, 300, SOUTH)
    table.wall(-100, -50, 100, 100, "ruin", opaque=True)
    assert table.sees("shooter", "target", rules)
    assert table.sees("target", "shooter", rules)
    table.unit("behind", 0, -100)
    assert not table.sees("behind", "target", rules, present=[False, True, True])


@pytest.mark.parametrize(("opaque_exempt", "seen"), [("inside", False), ("touch", True)])
@EDITIONS
def test_an_end_that_only_touches_the_hill(table, rules, opaque_exempt, seen):
    policy = replace(rules, opaque_exempt=opaque_exempt)
    table.unit("shooter", 0, 0)
    table.unit("target", 0, 300, SOUTH)
    alone = {"present": [True, False]}
    table.wall(-500, 0, 500, 200, "hill")  # from the Front Facing on
    assert table.sees("shooter", "target", policy) == seen
    assert table.sees_point("shooter", 0, 300, policy, **alone) == seen
    table.terrain.clear()
    table.wall(-500, 100, 500, 300, "hill")  # up to the target
    assert table.sees("shooter", "target", policy) == seen
    assert table.sees_point("shooter", 0, 300, policy, **alone) == seen
    assert table.point_sees(0, 300, "shooter", policy, **alone) == seen
    table.terrain.clear()
    table.wall(-500, 100, 500, 300.1, "hill")  # a little further
    assert table.sees("shooter", "target", policy)
    assert table.sees_point("shooter", 0, 300, policy, **alone)


@pytest.mark.parametrize(("opaque_exempt", "seen"), [("inside", False), ("touch", True)])
@EDITIONS
def test_a_front_along_one_arm_of_a_hill(table, rules, opaque_exempt, seen):
    # The hill is a T: a bar from y = 0 to 100 and a stem behind it, beside which the shooter stands.
    policy = replace(rules, opaque_exempt=opaque_exempt)
    table.unit("shooter", -60, 0)
    table.unit("target", -60, 300, SOUTH)
    bar = [(-100, 0), (-30, 0), (-30, -80), (30, -80), (30, 0), (100, 0), (100, 100), (-100, 100)]
    table.outline(bar, "hill")
    assert table.sees("shooter", "target", policy) == seen
    assert table.sees_point("shooter", -60, 250, policy) == seen
    assert table.point_sees(-60, 0.1, "target", policy)
    table.unit("on it", 0, -10)
    assert table.sees("on it", "target", policy)


@pytest.mark.parametrize(("opaque_exempt", "seen"), [("inside", [0, 1]), ("touch", [0, 1, 2])])
def test_hill_that_ends_between_two_files(table, opaque_exempt, seen):
    table.unit("archers", 50, 0, models=5)  # files from x = 0 to 100
    table.wall(-400, -50, 40, 200, "hill")
    # File 2 has one point on the edge, from which a line could go through the hill.
    policy = replace(THIRD, opaque_exempt=opaque_exempt)
    table.unit("target", -200, 600, SOUTH)
    assert table.who_sees("archers", "target", policy) == seen


@EDITIONS
def test_points_on_a_hill(table, rules):
    table.unit("watch", 0, 0)
    table.unit("block", 0, 250, base_mm=(400, 20))
    table.wall(-200, 100, 200, 200, "hill")
    assert table.sees_point("watch", 0, 150, rules)
    assert table.point_sees(0, 150, "watch", rules)
    assert not table.sees_point("watch", 0, 220, rules)
    assert not table.point_sees(0, 220, "watch", rules)
    # A point is no model: it is not elevated, and what is beyond stays hidden.
    table.unit("far", 0, 400, SOUTH)
    assert not table.point_sees(0, 150, "far", rules)


@EDITIONS
def test_elevated_models_ignore_models_but_no_terrain(table, rules):
    table.wall(-200, -200, 200, 20, "hill")
    table.unit("shooter", 0, 0)
    table.unit("target", 0, 400, SOUTH)
    table.unit("giant", 0, 200, base_mm=(800, 20), height=5)
    assert table.sees("shooter", "target", rules)
    table.wall(-500, 300, 500, 320)
    assert not table.sees("shooter", "target", rules)
    table.terrain.pop()
    table.wall(-500, 300, 500, 320, "hill")
    assert not table.sees("shooter", "target", rules)


@EDITIONS
def test_elevated_models_are_in_the_way_of_each_other(table, rules):
    table.wall(-300, -200, 300, 120, "hill")
    table.unit("shooter", 0, 0)
    table.unit("target", 0, 400, SOUTH)
    table.unit("between", 0, 100, base_mm=(500, 20))
    assert not table.sees("shooter", "target", rules)
    # On another hill is elevated as well.
    table.terrain.clear()
    table.wall(-300, -200, 300, 20, "hill")
    table.wall(-300, 70, 300, 110, "hill", height=0)
    assert not table.sees("shooter", "target", rules)
    table.terrain.pop()
    assert table.sees("shooter", "target", rules)


def test_elevated_one_by_one(table):
    # Only files 0 and 1 stand wholly on the hill; the centre of file 2 is on it as well.
    table.wall(-200, -200, 55, 20, "hill")
    table.unit("archers", 50, 0, models=10)  # files from x = 0 to 100
    table.unit("between", 50, 200, base_mm=(2000, 20))
    table.unit("target", 50, 500, SOUTH, (500, 20))
    assert table.who_sees("archers", "target", THIRD) == [0, 1, 5, 6]
    assert table.who_sees("archers", "target", SECOND) == [0, 1, 2, 5, 6, 7]
    assert table.sees("archers", "target", THIRD)
    nobody = {"occupied": table.without("archers", 0, 1, 2, 5, 6, 7)}
    for rules in (THIRD, SECOND):
        assert not table.sees("archers", "target", rules, **nobody)
    centre = {"occupied": table.without("archers", 0, 1, 5, 6)}
    assert not table.sees("archers", "target", THIRD, **centre)
    assert table.sees("archers", "target", SECOND, **centre)


@EDITIONS
def test_an_elevated_model_behind_a_larger_one_that_is_not(table, rules):
    # One file: a lord of height 3 in front, behind him a Standard model that stands on a hill.
    lord = Attached("lord", (20, 20), height=3, place=(0, 0))
    table.wall(-100, -100, 100, -20, "hill")
    table.unit("file", 0, 0, files=1, attached=[lord])
    table.unit("target", 0, 300, SOUTH)
    # What is elevated itself hides from the elevated model, but the lord looks over it.
    table.wall(-900, 80, 900, 120, "hill", height=0)
    table.unit("on a hill", 0, 110, base_mm=(1000, 20), height=2)
    table.unit("giant", 0, 200, base_mm=(1000, 20), height=5)
    for blocker, who in ((2, 1), (3, 0)):
        present = np.array([True, True, False, False])
        present[blocker] = True
        assert table.who_sees("file", "target", rules, present=present) == [who]
        assert table.sees("file", "target", rules, present=present)
        assert table.sees_point("file", 0, 290, rules, present=present)
        other = {"present": present, "occupied": table.without("file", who)}
        assert not table.sees("file", "target", rules, **other)
        assert not table.sees_point("file", 0, 290, rules, **other)


def test_an_elevated_base_in_a_boundary_that_is_not(table):
    # The two left models of those between stand on a hill, their boundary does not.
    table.wall(-300, -200, 300, 20, "hill")
    table.wall(-60, 60, -8, 110, "hill", height=0)
    table.unit("shooter", 0, 0)
    table.unit("between", 0, 100, models=5)  # from x = -50 to 50: files 0 and 1 up to x = -10
    for rules in (THIRD, SECOND):
        assert table.sees_point("shooter", 20, 300, rules)
        assert not table.sees_point("shooter", -70, 300, rules)


# ------------------------------------------------------------------------- reports from other programs


@pytest.mark.parametrize("touching", ["clear", "blocked"])
def test_end_of_a_wall_on_another_wall(table, touching):
    table.unit("shooter", 0, 0)
    table.unit("target", 0, 300, SOUTH)
    table.wall(-500, 100, 0, 110)
    table.wall(0, 50, 10, 160)  # the end of the first lies on its side
    table.wall(10, 120, 500, 130)
    assert not table.sees("shooter", "target", replace(THIRD, touching=touching))


@pytest.mark.parametrize("touching", ["clear", "blocked"])
def test_diagonal_blocks_that_share_a_corner(table, touching):
    table.unit("shooter", 0, 0)
    for i in range(-20, 20):  # a diagonal row of blocks, corner to corner
        table.wall(20 * i, 100 + 2 * i, 20 * (i + 1), 102 + 2 * i)
    assert not table.sees_point("shooter", 0, 300, replace(THIRD, touching=touching))


@EDITIONS
def test_a_deep_footprint_does_not_block_its_own_sight(table, rules):
    table.unit("ship", 0, 0, base_mm=(40, 400), height=5)
    table.unit("target", 0, 200, SOUTH)
    assert table.sees("ship", "target", rules)
    assert table.sees("target", "ship", rules)
    assert table.sees_point("target", 0, 1, rules)


@EDITIONS
def test_round_bases_of_one_height_see_each_other(table, rules):
    table.unit("a", 0, 0, NORTH, 60, shape="round")
    table.unit("b", 150, 260, WEST, 40, shape="round")
    table.unit("between", 75, 130, 0.3, (80, 20))
    table.wall(-100, 60, 20, 70)
    assert table.sees("a", "b", rules) == table.sees("b", "a", rules)


def test_wrong_input_raises():
    board = Board([Unit("a", (20, 20)), Unit("b", (20, 20))])
    positions = [[10, 10, 0], [20, 10, 0]]
    with pytest.raises(TypeError, match="rules"):
        t9a.sees_points(board, positions, [[1, 2]], rules="3E")
    with pytest.raises(ValueError, match="points"):
        t9a.sees_points(board, positions, [[1, 2, 3]])
    with pytest.raises(ValueError, match="points"):
        t9a.seen_from_points(board, positions, [[math.nan, 2]])
    with pytest.raises(ValueError, match="shooters"):
        t9a.models_see(board, positions, shooters=["c"])
    with pytest.raises(ValueError, match="target_models"):
        t9a.models_see(board, positions, target_models=[2])
    for field, value in (
        ("los_height_op", ">>"),
        ("touching", "maybe"),
        ("point_height", 6),
        ("elevated", "half"),
        ("opaque_exempt", "near"),
    ):
        with pytest.raises(ValueError, match=field):
            t9a.Rules(**{field: value})
