"""Paths at the places that matter: on gates, along pieces, at corners and contacts."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from ninthgeom import Board, Terrain, Unit
from ninthgeom.skirmish import Ground, Rules, paths_clear
from ninthgeom.skirmish.paths import PathCheck

INCH = 25.4
NAN = (math.nan, math.nan)


def rect(x: float, y: float, width: float, depth: float) -> Terrain:
    ring = [(x, y), (x + width, y), (x + width, y + depth), (x, y + depth)]
    return Terrain(ring, kind="wall")


def disc(name: str, inches: float, **more: Any) -> Unit:
    return Unit(name, inches * INCH, shape="round", **more)


def walker(**more: Any) -> Unit:
    return disc("walker", 2.0, **{"size": 2, **more})


def check(board: Board, path: Any, others: Any = (), mover: Any = 0, **more: Any) -> PathCheck:
    """The mover's own place does not matter."""
    at = [(90.0, 90.0, 0.0), *((x, y, 0.0) for x, y in others)]
    return paths_clear(board, at, mover, path, **more)


def is_clear(*args: Any, **more: Any) -> bool:
    return bool(check(*args, **more).clear)


def gateway(gap: float = 0.8) -> Board:
    """Two posts with round heads that face each other: a gate from (0, 0) to (0, gap)."""
    return Board([walker(), disc("low", 2.0), disc("high", 2.0)])


def posts(gap: float = 0.8) -> list[tuple[float, float]]:
    return [(0.0, -1.0), (0.0, gap + 1.0)]


@pytest.mark.parametrize("turn", [0.0, 0.7])
@pytest.mark.parametrize("far", [0.0, 1e5])
@pytest.mark.parametrize(
    ("gap", "clear"), [(1.0, True), (0.999, False), (1.0 - 0.5e-6, True), (1.0 - 2e-6, False)]
)
def test_a_gap_of_exactly_an_inch_passes(gap: float, clear: bool, turn: float, far: float) -> None:
    # S-2 and ambiguities d and e: the base is two inches wide
    cos, sin = math.cos(turn), math.sin(turn)

    def moved(points: Any) -> Any:
        x, y = np.asarray(points, np.float64).T
        return np.stack([cos * x - sin * y + far, sin * x + cos * y - far], axis=1)

    walls = [[(-1, -5), (1, -5), (1, 0), (-1, 0)], [(-1, gap), (1, gap), (1, 5), (-1, 5)]]
    board = Board([walker()], [Terrain(moved(wall), kind="wall") for wall in walls])
    answer = check(board, moved([(-4, 0.5), (4, 0.5)]))
    assert answer.clear == clear
    assert answer.length == pytest.approx(8.0)
    if not clear:
        assert answer.gap_width == pytest.approx(gap, abs=1e-9)
        assert answer.gap.tolist() == [1, 2]
        assert answer.stopped_at == pytest.approx(3.0, abs=1e-5)
    board = gateway()
    answer = paths_clear(
        board, [(0, 0, 0), *((x, y, 0.0) for x, y in moved(posts(gap)))], 0, moved([(-4, 0.5), (4, 0.5)])
    )
    assert answer.clear == clear
    if not clear:
        assert answer.gap.tolist() == [1, 2]
        assert answer.stopped_at == pytest.approx(4.0, abs=1e-5)


@pytest.mark.parametrize(
    ("path", "clear"),
    [
        ([(-3, 0.4), (3, 0.4)], False),
        ([(-3, 0.4), (0, 0.4), (3, 0.4)], False),  # a corner on the gate
        ([(-3, 0.4), (0, 0.2), (0, 0.6), (3, 0.4)], False),  # along it
        ([(-3, 0.4), (0, 0.2), (0, 0.6), (-3, 0.4)], True),  # and back
        ([(-3, 0.4), (0, 0.4), (-3, 0.2)], True),
        ([(-3, 0.4), (0, 0.4)], True),  # the end is on it
        ([(0, 0.4), (3, 0.4)], True),
        ([(0, 0.4), (3, 0.4), (0, 0.4), (-3, 0.4)], False),
        ([(0, 0.4), (0, 0.4), (3, 0.4)], True),
        ([(-3, 0.4), (0.01, 0.4)], False),
        ([(-0.01, 0.4), (0.01, 0.4)], False),
        ([(-3, 0), (3, 0)], False),  # touches the lower post where the gate ends
        ([(-3, 0), (0, 0), (-3, 0.1)], True),
        ([(-3, 0.8), (0, 0.8), (3, 0.8)], False),
        ([(-3, 0.4), (-0.1, 0.4), (-0.1, 0.5), (-3, 0.4)], True),
    ],
)
@pytest.mark.parametrize("back", [False, True])
def test_touching_is_no_passing(path: list[Any], clear: bool, back: bool) -> None:
    assert is_clear(gateway(), path[::-1] if back else path, posts()) == clear


def test_many_small_steps_pass_like_one() -> None:
    # every step is much shorter than the tolerance where it matters
    fine = np.concatenate([[-1.0], np.linspace(-3e-6, 3e-6, 31), [1.0]])
    path = np.stack([fine, np.full(len(fine), 0.4)], axis=1)
    assert not is_clear(gateway(), path, posts())
    back = np.concatenate([path[:16], path[14::-1]])
    assert is_clear(gateway(), back, posts())


# A post stands below a tip at (0, 0) that points to the right; the gap is straight below it.
TIPS = {
    "right angle": [(0, 0), (0, 2), (-2, 2), (-2, 0)],
    "needle": [(0, 0), (-3, 0.8), (-3, 0)],
    "fine needle": [(0, 0), (-3, 0.01), (-3, 0)],
    "wedge": [(0, 0), (-1, 2), (-2, 0.5)],
}


@pytest.mark.parametrize("tip", list(TIPS))
@pytest.mark.parametrize("back", [False, True])
@pytest.mark.parametrize("mirrored", [False, True])
def test_round_a_corner_where_a_gap_ends(tip: str, back: bool, mirrored: bool) -> None:
    ring = np.array(TIPS[tip], np.float64)
    sign = -1.0 if mirrored else 1.0
    board = Board([walker(), disc("post", 2.0)], [Terrain(ring * (sign, 1.0), kind="wall")])
    post = [(0.0, -1.8)]
    upper = ring[1] / np.hypot(*ring[1]) * 0.5
    lower = ring[-1] / np.hypot(*ring[-1]) * 0.5

    def clear(path: Any) -> bool:
        points = np.array(path, np.float64) * (sign, 1.0)
        return is_clear(board, points[::-1] if back else points, post)

    outside = (0.5, 0.1)
    # along the upper side to the tip and away from it: not past the gap
    assert clear([upper, (0, 0), outside])
    assert clear([upper, (0, 0), (0.5, -0.2)])
    # and round it, through the gap's end
    assert not clear([upper, (0, 0), lower])
    assert not clear([outside, (0, 0), lower])
    assert not clear([(0.5, -0.2), (0, 0), lower])
    # near the lower side, to the tip, and back
    assert clear([lower, (0, 0), lower - (0.01, 0.05)])
    # far enough off the gap's end
    assert not clear([outside, (0.01, -0.01), (-0.5, -0.1)])


def test_pieces_in_contact_leave_nothing_between() -> None:
    board = gateway()
    answer = check(board, [(-3, 0), (3, 0)], posts(0.0))
    assert not answer.clear
    assert (answer.gap_width, answer.gap.tolist()) == (0.0, [1, 2])
    assert answer.stopped_at == pytest.approx(3.0, abs=1e-3)
    assert not is_clear(board, [(-3, 0), (0, 0), (3, 0)], posts(0.0))
    assert is_clear(board, [(-3, 0), (0, 0)], posts(0.0))
    assert is_clear(board, [(-3, 0), (0, 0), (-3, 0)], posts(0.0))
    assert not is_clear(board, [(-3, 0), (3, 0)], posts(0.5e-6))
    # without the rule for gaps too
    assert not is_clear(board, [(-3, 0), (3, 0)], posts(0.0), action="deploy")
    assert is_clear(board, [(-3, 0), (3, 0)], posts(3e-6), action="deploy")


def test_a_seam_of_two_walls() -> None:
    board = Board([walker()], [rect(0, 0, 2, 1), rect(2, 0, 2, 1)])
    answer = check(board, [(2, -1), (2, 3)])
    assert (bool(answer.clear), answer.gap_width, answer.gap.tolist()) == (False, 0.0, [1, 2])
    assert answer.stopped_at == pytest.approx(1.0, abs=1e-5)
    assert not is_clear(board, [(2, -1), (2, 0.5)])
    assert is_clear(board, [(2, -1), (2, 0), (2, -1)])
    assert is_clear(board, [(-1, 1), (5, 1)])
    assert is_clear(board, [(-1, 1), (2, 1), (5, 1)])


def test_corners_in_contact() -> None:
    board = Board([walker()], [rect(0, 0, 2, 1), rect(2, 1, 2, 1)])
    for path in ([(1, 2), (3, 0)], [(1, 2), (2, 1), (3, 0)], [(0, 1), (2, 1), (2, 0)]):
        answer = check(board, path)
        assert (bool(answer.clear), answer.gap_width, answer.gap.tolist()) == (False, 0.0, [1, 2])
    assert is_clear(board, [(1, 2), (2, 1), (1, 1)])
    assert is_clear(board, [(3, 0), (2, 1), (3, 1)])


def test_into_a_piece() -> None:
    board = Board([walker(), disc("other", 2.0)], [rect(5, 0, 2, 1)])
    answer = check(board, [(0, 0.5), (9, 0.5)], [(20, 0)])
    assert (bool(answer.clear), answer.gap.tolist()) == (False, [2, 2])
    assert math.isnan(answer.gap_width)
    assert answer.stopped_at == pytest.approx(5.0, abs=1e-5)
    answer = check(board, [(15, 0), (25, 0)], [(20, 0)])
    assert (answer.gap.tolist(), float(answer.stopped_at)) == ([1, 1], pytest.approx(4.0, abs=1e-5))
    # touching is free, also for a while
    assert is_clear(board, [(0, 1), (9, 1)], [(20, 0)])
    assert is_clear(board, [(15, 1), (25, 1)], [(20, 0)])
    assert is_clear(board, [(0, 0.5), (5, 0.5), (5, 1), (7, 1)], [(20, 0)])
    # a tolerance deep is touching
    assert is_clear(board, [(0, 1 - 0.9e-6), (9, 1 - 0.9e-6)], [(20, 0)])
    assert not is_clear(board, [(0, 1 - 1.1e-6), (9, 1 - 1.1e-6)], [(20, 0)])
    # who starts inside does not get anywhere
    assert check(board, [(6, 0.5), (9, 0.5)], [(20, 0)]).stopped_at == 0.0


def test_an_opening_within_one_piece() -> None:
    ring = [(0, 0), (3, 0), (3, 3), (0, 3), (0, 1.9), (2, 1.9), (2, 1.1), (0, 1.1)]
    board = Board([walker()], [Terrain(ring, kind="ruin")])
    answer = check(board, [(-2, 1.5), (1, 1.5)])
    assert (bool(answer.clear), answer.gap.tolist()) == (False, [1, 1])
    assert answer.gap_width == pytest.approx(0.8)
    assert answer.stopped_at == pytest.approx(2.0, abs=1e-5)
    assert is_clear(board, [(-2, 1.5), (0, 1.5), (-2, 2)])
    # who starts in such a passage may leave it
    assert is_clear(board, [(1, 1.5), (0.5, 1.5), (-2, 1.5)])
    assert not is_clear(board, [(1, 1.5), (-2, 1.5), (1, 1.5)])


def test_who_counts() -> None:
    # ambiguity f: those of the own group do not, those of others do, of whatever side
    path = [(-3, 0.4), (3, 0.4)]
    for groups, clear in ((("a", "a", "b"), True), (("a", "b", "c"), False), ((None, None, None), False)):
        names = zip(("walker", "low", "high"), groups, strict=True)
        board = Board([disc(name, 2.0, group=group) for name, group in names])
        assert is_clear(board, path, posts()) == clear
    board = gateway()
    for present, clear in (([True, True, True], False), ([True, False, True], True)):
        assert is_clear(board, path, posts(), present=present) == clear


def test_sizes_and_rules() -> None:
    path = [(-5, 1.0), (5, 1.0)]
    for size, clear in ((0, True), (2, True), (3, False), (5, False)):
        board = Board([walker(size=size), disc("low", 2.0), disc("high", 2.0)])
        assert is_clear(board, path, posts(2.0)) == clear
    board = gateway()
    assert not is_clear(board, path, posts(1.9), rules=Rules(sc_probe="base"))
    assert is_clear(board, path, posts(2.0), rules=Rules(sc_probe="base"))
    assert is_clear(board, [(-5, 0.3), (5, 0.3)], posts(0.6), rules=Rules(small_gap=0.6))


@pytest.mark.parametrize(
    ("action", "clear"),
    [(name, False) for name in ("move", "run", "charge", "disengage", "close ranks")]
    + [(name, True) for name in ("deploy", "place", "summon")],
)
def test_actions(action: str, clear: bool) -> None:
    # P10
    assert is_clear(gateway(), [(-3, 0.4), (3, 0.4)], posts(), action=action) == clear
    through = [(0, -4), (0, 4)]
    assert is_clear(gateway(), through, posts(), action=action) == (action in ("place", "summon"))


def test_flying_passes_everything() -> None:
    board = Board([walker(flying=True), disc("low", 2.0), disc("high", 2.0)], [rect(5, 0, 2, 1)])
    ground = Ground(closed=[(3, -9, 3, 9)])
    answer = check(board, [(-3, 0.4), (8, 0.4), (0, -1)], posts(), ground=ground)
    assert answer.clear
    assert answer.gap.tolist() == [-1, -1]


def test_ground() -> None:
    board = Board([walker()], [rect(0, 0, 1, 4), rect(0, 4.8, 1, 4)])
    path = [(-3, 4.4), (3, 4.4)]
    assert not is_clear(board, path)
    assert is_clear(board, path, ground=Ground([0]))
    access = [(-0.1, 3.9), (1.1, 3.9), (1.1, 4.9), (-0.1, 4.9)]
    assert is_clear(board, path, ground=Ground(access=[access]))
    door = [(-0.1, 1.0), (1.1, 1.0), (1.1, 1.5), (-0.1, 1.5)]
    ground = Ground(access=[door])
    assert is_clear(board, [(-3, 1.2), (3, 1.2)], ground=ground)
    assert is_clear(board, [(-3, 1.0), (3, 1.0)], ground=ground)
    assert not is_clear(board, [(-3, 0.9), (3, 0.9)], ground=ground)
    assert not is_clear(board, path, ground=ground)


def test_an_access_area_opens_the_gap_where_it_is() -> None:
    """Beside a door the gap is as narrow as before."""
    board = Board([walker()], [rect(0, 0, 3, 1), rect(3, 1.8, 3, 1)])
    ground = Ground(access=[rect(2.5, 1.0, 1, 0.4).outline])
    for y, free in ((1.2, True), (1.39, True), (1.41, False), (1.7, False)):
        path = [(1, y), (5, y)]
        assert not is_clear(board, path)
        assert bool(is_clear(board, path, ground=ground)) is free


def test_closed_openings() -> None:
    board = Board([walker()], [rect(0, 0, 1, 4), rect(0, 6, 1, 4)])
    ground = Ground(closed=[(1, 4, 1, 6)])
    path = [(-3, 5), (3, 5)]
    assert is_clear(board, path)
    answer = check(board, path, ground=ground)
    assert (bool(answer.clear), answer.gap_width, answer.gap.tolist()) == (False, 0.0, [3, 3])
    assert answer.stopped_at == pytest.approx(4.0)
    assert not is_clear(board, path, ground=ground, action="deploy")
    assert is_clear(board, [(-3, 5), (1, 5), (-3, 5)], ground=ground)
    # along the wall round the corner at which it ends, which belongs to the inner side
    assert is_clear(board, [(0, 5), (0.5, 4), (1, 4)], ground=ground)
    assert is_clear(board, [(3, 4), (1, 4), (1, 2)], ground=ground)
    assert not is_clear(board, [(0.5, 4), (1, 4), (1, 2)], ground=ground)


def test_length_and_allowance() -> None:
    board = gateway()
    path = [(10, 0), (13, 4), (13, 4), (13, 9)]
    assert check(board, path, posts()).length == pytest.approx(10.0)
    for allowance, clear in ((10.0, True), (10.0 - 0.9e-6, True), (10.0 - 1.1e-6, False), (99, True)):
        assert is_clear(board, path, posts(), allowance=allowance) == clear
    # P21: no move at all is clear
    for nothing in ([(10, 0)], [(10, 0), (10, 0)], [(10, 0), NAN]):
        answer = check(board, nothing, posts(), allowance=0)
        assert (bool(answer.clear), float(answer.length), float(answer.stopped_at)) == (True, 0.0, math.inf)
    # a path that is too long has nothing in its way
    answer = check(board, path, posts(), allowance=1)
    assert (bool(answer.clear), float(answer.stopped_at), answer.gap.tolist()) == (False, math.inf, [-1, -1])


def test_paths_end_early() -> None:
    board = gateway()
    path = [(-3, 0.4), (-1, 0.4), (3, 0.4)]
    short = [(-3, 0.4), (-1, 0.4), NAN]
    answer = check(board, [path, short], posts())
    assert answer.clear.tolist() == [False, True]
    assert answer.length.tolist() == pytest.approx([6.0, 2.0])


def test_batches_are_their_parts() -> None:
    rng = np.random.default_rng(5)
    units = [disc(f"m{i}", 1.5, group=f"g{i // 2}", size=1 + 2 * (i % 2), flying=i == 5) for i in range(6)]
    board = Board(units, [rect(4, 4, 2, 3), rect(8.5, 4, 0.4, 3)])
    at = np.zeros((4, 6, 3))
    at[..., :2] = rng.uniform(0, 12, (4, 6, 2))
    paths = rng.uniform(-2, 14, (3, 4, 4, 2))
    paths[0, 0, 2:] = math.nan
    mover = rng.integers(0, 6, (3, 4))
    present = rng.random((4, 6)) < 0.8
    mover = np.where(present[np.arange(4), mover], mover, present.argmax(axis=1))
    ground = Ground(closed=[(0, 0, 3, 3)])
    limits = rng.uniform(5, 30, (3, 1))
    whole = paths_clear(board, at, mover, paths, present=present, ground=ground, allowance=limits)
    assert whole.clear.shape == (3, 4)
    assert 0 < whole.clear.sum() < 12
    threads = paths_clear(
        board, at, mover, paths, present=present, ground=ground, allowance=limits, workers=2
    )
    for k, s in np.ndindex(3, 4):
        single = paths_clear(
            board,
            at[s],
            int(mover[k, s]),
            paths[k, s],
            present=present[s],
            ground=ground,
            allowance=limits[k, 0],
        )
        for name in ("clear", "length", "gap_width", "gap", "stopped_at"):
            np.testing.assert_array_equal(getattr(single, name), getattr(whole, name)[k, s])
            np.testing.assert_array_equal(getattr(threads, name), getattr(whole, name))


def test_nothing_asked() -> None:
    board = gateway()
    answer = paths_clear(board, np.zeros((0, 3, 3)), 0, np.zeros((0, 2, 2)))
    assert answer.clear.shape == (0,)
    assert answer.gap.shape == (0, 2)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"mover": "nobody"}, "nobody"),
        ({"mover": 9}, r"mover.* 9"),
        ({"mover": [0, -1]}, r"mover\[1\].*-1"),
        ({"path": [(0, 0, 0)]}, "paths"),
        ({"path": np.zeros((0, 2))}, "paths"),
        ({"path": [NAN, (0, 0)]}, r"paths\[0\]"),
        ({"path": [(0, 0), NAN, (0, 0)]}, r"paths\[2\]"),
        ({"path": [(0, 0), (1, math.nan)]}, r"paths\[1, 1\]"),
        ({"path": [(0, 0), (1, 1e7)]}, r"paths\[1, 1\]"),
        ({"allowance": -1}, "allowance"),
        ({"allowance": math.nan}, "allowance"),
        ({"action": "dance"}, "dance"),
        ({"present": [False, True, True]}, "walker"),
        ({"path": np.zeros((2, 2, 2)), "allowance": [1, 2, 3]}, "allowance"),
    ],
)
def test_errors_name_what_is_wrong(change: dict[str, Any], message: str) -> None:
    arguments = {"path": [(0, 0), (1, 1)], "others": posts(), **change}
    with pytest.raises(ValueError, match=message):
        check(gateway(), **arguments)


def test_types() -> None:
    with pytest.raises(TypeError, match="mover"):
        check(gateway(), [(0, 0), (1, 1)], posts(), mover=0.5)
    with pytest.raises(ValueError, match="spears"):
        paths_clear(Board([Unit("spears", (20, 20), models=5)]), [[0, 0, 0]], 0, [(0, 0)])
