"""How far convex shapes are apart, against shapely and against support functions written out."""

import numpy as np
import shapely

from ninthgeom_kernel.separations import separations

N = 400


def polygons(rng, n, corners):
    """Convex polygons with corners on circles, some on a grid, turned counter-clockwise."""
    angles = np.sort(rng.uniform(0, 2 * np.pi, (n, corners)), axis=1)
    middle = rng.integers(-3, 4, (n, 2, 1)) / 2
    return middle + rng.choice([0.5, 1.0, 2.0], (n, 1, 1)) * np.stack(
        [np.cos(angles), np.sin(angles)], axis=1
    )


def squares(rng, n):
    """Squares on a grid, which touch along edges, at corners, or not at all."""
    x, y = rng.integers(-2, 3, (2, n, 1))
    return np.stack([x + np.array([1, 0, 0, 1]), y + np.array([1, 1, 0, 0])], axis=1).astype(float)


def asked(a, b, a_counts=None, b_counts=None):
    counts = (
        np.full(len(shapes), shapes.shape[2]) if own is None else own
        for shapes, own in ((a, a_counts), (b, b_counts))
    )
    out = np.full((3, len(a)), np.nan)
    first, second = zip((a, b), counts, strict=True)
    separations(*first, *second, out)
    return out


def supports(a, b, normal):
    """How far the line of a normal separates two shapes."""
    low = (normal[:, None] * np.swapaxes(a, 1, 2)).sum(axis=2).min(axis=1)
    high = (normal[:, None] * np.swapaxes(b, 1, 2)).sum(axis=2).max(axis=1)
    return low - high


def test_apart_it_is_the_distance_and_overlapping_the_least_way_out():
    rng = np.random.default_rng(4)
    for a, b in (
        (polygons(rng, N, 5), polygons(rng, N, 3)),
        (squares(rng, N), squares(rng, N)),
        (squares(rng, N), polygons(rng, N, 7)),
    ):
        distance, nx, ny = asked(a, b)
        normal = np.stack([nx, ny], axis=1)
        np.testing.assert_allclose(np.hypot(nx, ny), 1.0, rtol=1e-12)
        np.testing.assert_allclose(supports(a, b, normal), distance, atol=1e-12)
        true = shapely.distance(
            shapely.polygons(np.swapaxes(a, 1, 2)), shapely.polygons(np.swapaxes(b, 1, 2))
        )
        assert (true > 0).any()
        assert (true == 0).any()
        np.testing.assert_allclose(np.maximum(distance, 0.0), true, atol=1e-9)
        for turn in np.linspace(0, 2 * np.pi, 60, endpoint=False):
            other = np.broadcast_to([np.cos(turn), np.sin(turn)], normal.shape)
            assert (supports(a, b, other) <= distance + 1e-12).all()


def test_the_other_way_round_the_normal_turns():
    rng = np.random.default_rng(5)
    a, b = polygons(rng, N, 6), polygons(rng, N, 4)
    one, other = asked(a, b), asked(b, a)
    np.testing.assert_allclose(one[0], other[0], atol=1e-12)
    np.testing.assert_allclose(one[1:], -other[1:], atol=1e-9)


def test_corners_beyond_the_count_do_not_matter_and_repeated_ones_change_nothing():
    rng = np.random.default_rng(6)
    a, b = polygons(rng, N, 4), polygons(rng, N, 3)
    expected = asked(a, b)
    junk, repeated = np.full((N, 2, 9), 1e9), np.repeat(b[:, :, -1:], 9, axis=2)
    junk[:, :, :4], repeated[:, :, :3] = a, b
    np.testing.assert_array_equal(asked(junk, repeated, a_counts=np.full(N, 4)), expected)


def test_points_and_segments():
    point, end = [[0.0] * 4, [0.0] * 4], [[3.0] * 4, [4.0] * 4]
    segment = [[3.0, 3.0, 3.0, 3.0], [-1.0, -1.0, 1.0, 1.0]]
    a = np.array([end, segment, point, end])
    b = np.array([point, point, segment, end])
    distance, nx, ny = asked(a, b)
    np.testing.assert_allclose(distance, [5.0, 3.0, 3.0, -np.inf])
    np.testing.assert_allclose(nx, [0.6, 1.0, -1.0, 0.0])
    np.testing.assert_allclose(ny, [0.8, 0.0, 0.0, 0.0], atol=1e-12)
