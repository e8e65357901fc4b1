"""Generated armies against the figures they follow, and battles in which nothing stands on anything else."""

import json
import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import shapely

from ninthgeom import Attached, Unit, armies
from ninthgeom._army_statistics import ENTRIES_PER_ARMY, MODELS, PROFILES

DATA = Path(__file__).parents[2] / ".." / "shared" / "data" / "armies.jsonl"
HEIGHTS = {"Standard": 1, "Large": 3, "Gigantic": 5}

# The 400 lists in numbers: quantiles at 5, 25, 50, 75 and 95 %, and the mean.
ENTRIES = (9, 11, 12, 14, 18.05), 12.46
MODELS_PER_ARMY = (45.95, 64, 96.5, 124, 165), 98.11
MODELS_PER_UNIT = (3, 5, 10, 19, 35), 13.08
BASE_AREA_CM2 = (669, 785.4, 928.75), 809.06  # quartiles and mean
SINGLE_MODELS, CHARACTERS = 0.4313, 0.2514
SHARE_OF_UNITS = {
    (20, 20): 0.3823,
    (25, 25): 0.0694,
    (25, 50): 0.1412,
    (40, 40): 0.1432,
    (50, 100): 0.1274,
    (50, 75): 0.0361,
    (50, 50): 0.0311,
    (75, 75, "round"): 0.0175,
    (60, 60, "round"): 0.016,
    (60, 100): 0.013,
    (100, 150): 0.0104,
}
HEIGHT_OF_UNITS = {1: 0.6558, 3: 0.2764, 5: 0.0678}


@pytest.fixture(scope="module")
def many():
    rng = np.random.default_rng(20240)
    return [armies.generate_army(rng) for _ in range(400)]


def entries_of(army):
    """Entries of the list behind an army: base, height, models, whether it is a character."""
    for unit in army:
        base = (*unit.base_mm, "round") if unit.shape == "round" else unit.base_mm
        yield base, unit.height, unit.models, unit.name.endswith(" character")
        for attached in unit.attached:
            yield attached.base_mm, attached.height, 1, True


def area(base):
    return base[0] * base[1] * (math.pi / 4 if len(base) == 3 else 1) / 100


def close(values, table, tolerance):
    quantiles, mean = table
    assert np.percentile(values, [5, 25, 50, 75, 95]) == pytest.approx(quantiles, rel=tolerance)
    assert np.mean(values) == pytest.approx(mean, rel=tolerance / 2)


def test_tables_are_those_of_the_lists():
    assert sum(ENTRIES_PER_ARMY.values()) == 400
    assert sum(profile.entries for profile in PROFILES) == 4985
    assert sum(sum(counts.values()) for counts in MODELS.values()) == 2835
    assert sum(k * v for k, v in ENTRIES_PER_ARMY.items()) == 4985
    multi = {p.base_mm: 0 for p in PROFILES if p.role == "unit"}
    for profile in PROFILES:
        if profile.role == "unit":
            multi[profile.base_mm] += profile.entries
    assert multi == {base: sum(counts.values()) for base, counts in MODELS.items()}


def test_armies_are_composed_as_the_lists(many):
    close([len(list(entries_of(army))) for army in many], ENTRIES, 0.12)
    close([sum(models for _, _, models, _ in entries_of(army)) for army in many], MODELS_PER_ARMY, 0.15)
    close([m for army in many for _, _, m, _ in entries_of(army) if m > 1], MODELS_PER_UNIT, 0.15)
    # Lists of equal points differ less in area than entries that know nothing of each other.
    areas = [sum(area(b) * m for b, _, m, _ in entries_of(army)) for army in many]
    assert np.percentile(areas, [25, 50, 75]) == pytest.approx(BASE_AREA_CM2[0], rel=0.12)
    assert np.mean(areas) == pytest.approx(BASE_AREA_CM2[1], rel=0.05)


def test_bases_heights_and_roles_have_their_shares(many):
    everyone = [entry for army in many for entry in entries_of(army)]
    n = len(everyone)
    assert sum(models == 1 for _, _, models, _ in everyone) / n == pytest.approx(SINGLE_MODELS, abs=0.02)
    assert sum(character for _, _, _, character in everyone) / n == pytest.approx(CHARACTERS, abs=0.02)
    bases = Counter(base for base, _, _, _ in everyone)
    assert {base: bases[base] / n for base in SHARE_OF_UNITS} == pytest.approx(SHARE_OF_UNITS, abs=0.02)
    heights = Counter(height for _, height, _, _ in everyone)
    assert {h: count / n for h, count in heights.items()} == pytest.approx(HEIGHT_OF_UNITS, abs=0.02)
    known = {(p.base_mm, HEIGHTS[p.height]) for p in PROFILES}
    assert {(b if len(b) == 2 else b[0], h) for b, h, _, _ in everyone} <= known


def test_characters_join_units_of_matching_bases(many):
    joined = [(unit, attached) for army in many for unit in army for attached in unit.attached]
    assert 1.2 < len(joined) / len(many) < 2.5
    assert 8 < np.mean([len(army) for army in many]) < 12
    for unit, attached in joined:
        assert attached.base_mm[0] % unit.base_mm[0] == attached.base_mm[1] % unit.base_mm[1] == 0
        assert unit.models > 1
        assert attached.height == unit.height


def test_formations_are_usual_ones(many):
    for unit in (unit for army in many for unit in army if unit.models > 1 and not unit.attached):
        across = unit.files * unit.base_mm[0]
        deep = unit.ranks * unit.base_mm[1]
        assert across <= 500
        assert deep <= 200
        assert unit.files <= unit.models
        if unit.base_mm == (20, 20):
            assert unit.files in range(5, 13)
        if unit.base_mm == (40, 40):
            assert unit.files in range(2, 5)


@pytest.mark.parametrize("units", [0, 1, 7, 12])
def test_as_many_units_as_asked_for(units):
    rng = np.random.default_rng(3)
    for side in (0, 1):
        army = armies.generate_army(rng, side, units)
        assert len(army) == units
        assert {unit.side for unit in army} <= {side}
        assert all(unit.name.startswith("AB"[side]) for unit in army)


def test_nobody_drawn_is_lost_on_the_way():
    rng = np.random.default_rng(8)
    for _ in range(50):
        army = armies.generate_army(rng)
        names = [unit.name for unit in army] + [a.name for unit in army for a in unit.attached]
        assert sorted(int(name.split()[0][1:]) for name in names) == list(range(1, len(names) + 1))
        assert all(isinstance(a, Attached) for unit in army for a in unit.attached)


# ---------------------------------------------------------------------------------------------- battles


def polygons(scene):
    """Boundaries and terrain as shapely sees them."""
    units = scene.board.boundaries(scene.positions).to_shapely()
    return units, np.array([shapely.Polygon(terrain.outline) for terrain in scene.board.terrain])


def assert_apart(scene):
    units, terrain = polygons(scene)
    everything = np.concatenate([units, terrain])
    distances = shapely.distance(everything[:, None], everything)
    np.fill_diagonal(distances, np.inf)
    assert distances.min() > 1
    bounds = shapely.total_bounds(everything)
    assert (bounds[:2] >= 0).all()
    assert (bounds[2:] <= scene.board.size).all()


@pytest.mark.parametrize("deployment", ["scattered", "battle_lines"])
@pytest.mark.parametrize("seed", range(6))
def test_nothing_stands_on_anything_else(seed, deployment):
    scene = armies.generate_battle(seed, deployment=deployment)
    assert_apart(scene)
    assert len(scene.board.terrain) in range(6, 11)
    assert scene.board.size == (72, 48)
    assert scene.present is scene.occupied is None


def test_exact_numbers_of_units_and_terrain():
    for seed in range(5):
        scene = armies.generate_battle(seed, units_per_side=12, terrain=8)
        assert (len(scene.board), len(scene.board.terrain)) == (24, 8)
        assert scene.board.side.tolist() == [0] * 12 + [1] * 12
        assert_apart(scene)
    assert len(armies.generate_battle(0, units_per_side=2, terrain=0).board.terrain) == 0


def test_terrain_is_convex_and_of_usual_size():
    battles = [armies.generate_battle(seed, terrain=8, units_per_side=3) for seed in range(12)]
    terrain = [piece for battle in battles for piece in battle.board.terrain]
    assert {t.kind for t in terrain} == {"impassable", "hill", "forest", "field", "ruin", "water", "wall"}
    for piece in terrain:
        polygon = shapely.Polygon(piece.outline)
        assert polygon.area == pytest.approx(polygon.convex_hull.area, abs=1e-9)
        width, depth = sorted(side_lengths(shapely.minimum_rotated_rectangle(polygon)))
        assert depth < 14.2
        assert width > (0.49 if piece.kind == "wall" else 2.5)
        assert depth > 3.9


def side_lengths(rectangle):
    corners = np.array(rectangle.exterior.coords)
    return np.hypot(*np.diff(corners[:3], axis=0).T).tolist()


def test_scattered_units_face_everywhere():
    scene = armies.generate_battle(1, units_per_side=12)
    turned = np.histogram(scene.positions[:, 2] % (2 * math.pi), bins=4, range=(0, 2 * math.pi))[0]
    assert turned.min() >= 2


def test_battle_lines_face_each_other():
    for seed in range(5):
        scene = armies.generate_battle(seed, deployment="battle_lines")
        low, high = (scene.positions[scene.board.side == side] for side in (0, 1))
        assert np.abs(low[:, 2] - math.pi / 2).max() < math.radians(5.1)
        assert np.abs(high[:, 2] - math.pi * 3 / 2).max() < math.radians(5.1)
        assert low[:, 1].max() <= 24 <= high[:, 1].min()
        # Nobody stands exactly parallel: the lines are not a degenerate case.
        assert np.ptp(low[:, 2]) > 0.01


def test_same_seed_same_battle():
    for deployment in ("scattered", "battle_lines"):
        one = armies.generate_battle(5, deployment=deployment)
        assert armies.generate_battle(5, deployment=deployment) == one
        assert armies.generate_battle(6, deployment=deployment) != one
    assert armies.generate_battle((5, 1)) == armies.generate_battle([5, 1]) != armies.generate_battle((5, 2))


def test_bad_requests():
    giant = Unit("giant", (100, 150))
    for ask, message in (
        (lambda: armies.generate_battle(0, units_per_side=-1), "units: must be at least 0, got -1"),
        (lambda: armies.generate_battle(0, terrain=-1), "terrain: must be at least 0, got -1"),
        (lambda: armies.generate_battle(0, table=(10, 10)), "no room for"),
        (lambda: armies.generate_battle(0, table=(20, 48), deployment="battle_lines"), "no room for a line"),
        (lambda: armies.generate_battle(0, deployment="ambush"), "deployment: must be one of 'scattered'"),
        (lambda: armies.generate_battle(0, table=(0, 10)), r"size\[0\]: must be greater than 0"),
        (
            lambda: armies.deploy_armies(
                [Unit(f"{side}", (20, 20), side=side) for side in range(3)], 0, deployment="battle_lines"
            ),
            "units: battle lines need at most two sides, got 3",
        ),
        (lambda: armies.deploy_armies([giant, giant], 0), r"units\[1\].name: 'giant' is the name of"),
    ):
        with pytest.raises(ValueError, match=f"^{message}"):
            ask()


def test_nobody_to_deploy():
    for deployment in ("scattered", "battle_lines"):
        scene = armies.deploy_armies([], 0, terrain=2, deployment=deployment)
        assert (len(scene.board), len(scene.board.terrain)) == (0, 2)


# ---------------------------------------------------------------------------------------------- real lists


def test_units_of_a_list():
    entry = {
        "army": "XX",
        "units": [
            {
                "name": "Lord",
                "models": 1,
                "base_mm": [25, 50],
                "height": "Standard",
                "category": "Characters",
            },
            {"name": "Thrower", "models": 1, "base_mm": 60, "height": "Large", "category": "Special"},
            {"name": "Ogres", "models": 7, "base_mm": [40, 40], "height": "Large", "category": "Core"},
        ],
    }
    lord, thrower, ogres = armies.army_from_list(entry, side=1)
    assert lord == Unit("B1 Lord", (25, 50), side=1)
    assert thrower == Unit("B2 Thrower", 60, shape="round", side=1, height=3)
    assert ogres == Unit("B3 Ogres", (40, 40), models=7, files=3, side=1, height=3)
    entry["units"][2]["height"] = "Huge"
    with pytest.raises(
        ValueError, match=r"^units\[2\].height: must be one of 'Standard', 'Large', 'Gigantic'"
    ):
        armies.army_from_list(entry)


@pytest.mark.skipif(not DATA.exists(), reason="the army lists are not there")
def test_every_real_list_makes_a_board():
    lists = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]
    assert len(lists) == 400
    for number, (one, two) in enumerate(zip(lists[::2], lists[1::2], strict=True)):
        units = [*armies.army_from_list(one), *armies.army_from_list(two, side=1)]
        for unit, line in zip(units, [*one["units"], *two["units"]], strict=True):
            base = line["base_mm"]
            assert unit.base_mm == (tuple(base) if isinstance(base, list) else (base, base))
            assert (unit.models, unit.height) == (line["models"], HEIGHTS[line["height"]])
        if number % 20 == 0:
            for deployment in ("scattered", "battle_lines"):
                scene = armies.deploy_armies(units, number, deployment=deployment)
                assert scene.board.occupied.sum() == sum(unit.models for unit in units)
                assert_apart(scene)
