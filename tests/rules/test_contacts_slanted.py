"""Contacts and engaged facings of units that meet at a slant, against every line that could tell."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np
import pytest

from ninthgeom import Attached, Board, Unit, t9a
from tests.rules.contact_shapes import Figure, HairError
from tests.rules.slanted_lines import COARSE, FINE, Contacts, Scene, contacts, engaged_units
from tests.rules.slanted_scenes import BESIDE, Place, as_board, random_scene

MIRRORED_ENDS: Final = {"left": "right", "right": "left"}
MIRRORED_FLAGS: Final = [flags & 5 | (flags & 2) << 2 | (flags & 8) >> 2 for flags in range(16)]
MOST_SHOWN: Final = 5


# --- comparison ------------------------------------------------------------------------------------


def library_contacts(scene: Scene) -> Contacts:
    rows = t9a.contacts(
        scene.board, scene.positions, occupied=scene.occupied, frozen=scene.frozen, rules=scene.rules
    )
    columns = (rows.columns[name].tolist() for name in ("model", "other", "kind", "facing", "other_facing"))
    return {row[:2]: row[2:] for row in zip(*columns, strict=True)}


def library_facings(scene: Scene) -> list[list[int]]:
    facings = t9a.engaged_facings(scene.board, scene.positions, occupied=scene.frozen, rules=scene.rules)
    return facings.tolist()


def oracle(scene: Scene, reach: float) -> tuple[Contacts, list[list[int]]]:
    units = range(len(scene.board))
    return contacts(scene, reach), [[engaged_units(scene, a, b, reach) for b in units] for a in units]


def is_fair(scene: Scene) -> bool:
    """Tell whether the answer stays when everything reaches a little further."""
    try:
        return oracle(scene, FINE) == oracle(scene, COARSE)
    except HairError:
        return False


@dataclass
class Tally:
    """What was compared, and what differed."""

    states: int = 0
    hairs: int = 0
    rows: Counter[str] = field(default_factory=Counter)
    scenes: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def add(self, seed: int, number: int) -> None:
        """Compare one scene."""
        scene = random_scene(seed, number)
        try:
            expected, engaged = oracle(scene, FINE)
            fair = (expected, engaged) == oracle(scene, COARSE)
        except HairError:
            fair = False
        if not fair:
            self.hairs += 1
            return
        self.states += 1
        self._count(scene, expected)
        found = library_contacts(scene)
        if found != expected:
            missing, more = (
                sorted(set(a.items()) - set(b.items())) for a, b in ((expected, found), (found, expected))
            )
            self.wrong.append(f"seed {seed} scene {number}: not {missing} but {more}")
        facings = library_facings(scene)
        if facings != engaged:
            self.wrong.append(f"seed {seed} scene {number}: engaged {facings}, not {engaged}")

    def _count(self, scene: Scene, expected: Contacts) -> None:
        rules = scene.rules
        kinds = Counter(t9a.ContactKind(kind).name for kind, _, _ in expected.values())
        self.rows.update(kinds)
        names = [rules.corner_facing, f"blocking {rules.gap_blocking}", f"stops at {rules.gap_stops_at}"]
        names.append("within the angle" if scene.angle <= rules.gap_angle else "beyond the angle")
        if abs(abs(scene.angle - rules.gap_angle) - BESIDE) < BESIDE / 2:
            names.append("near the angle")
        names += ["second edition"] * (rules == t9a.SECOND_EDITION) + ["terrain"] * (len(scene.terrain) > 0)
        names += ["third units"] * (len(scene.board) > 2) + ["gaps"] * (kinds["GAP"] > 0)
        self.scenes.update(names)

    def check(self) -> None:
        assert not self.wrong, "\n".join([f"{len(self.wrong)} differences", *self.wrong[:MOST_SHOWN]])
        assert self.hairs <= 0.05 * (self.states + self.hairs)


def test_slanted_contacts_as_the_lines_have_them():
    tally = Tally()
    for number in range(1_500):
        tally.add(1, number)
    tally.check()
    assert min(tally.rows["TOUCH"], tally.rows["GAP"]) > 1_500
    assert min(tally.scenes.values()) > 100, tally.scenes


def test_a_line_beside_a_boundary_that_reaches_past_the_edge_it_ends_on():
    """Six thin models in a row, five of them gone; their boundary cuts into the left model of `slanted`.

    Lines from the second model of `straight` to that one are free under its right third, where that boundary
    lies within it. Right of it the boundary is lower than the end of its edge again.
    """
    inch = 25.4
    straight = Unit("straight", (inch, inch), models=4, files=4, side=0)
    slanted = Unit("slanted", (inch, inch), models=3, files=3, side=1)
    thin = Unit("thin", (inch, 2.54), models=6, files=6, side=1)
    board = Board([straight, slanted, thin])

    def seat(x: float, y: float, angle: float, length: int) -> Place:
        """Of a unit that looks down, the left end of whose front on the table is at a point."""
        return x + length / 2 * math.cos(angle), y + length / 2 * math.sin(angle), angle - math.pi / 2

    steep = -math.pi / 6
    places = [
        (-1.2, 0.0, math.pi / 2),
        seat(-3 * math.cos(steep), 1.5, steep, 3),
        seat(-2.598, 1.2, -0.0577, 6),
    ]
    living = [True] * 8 + [False] * 5
    rows = t9a.contacts(board, places, occupied=living, frozen=board.occupied, observers=[0], targets=[1])
    pairs = list(zip(rows.model.tolist(), rows.other.tolist(), strict=True))
    assert pairs == [(0, 5), (0, 6), (1, 5), (1, 6), (2, 4), (2, 5), (3, 4)]


@pytest.mark.verify
def test_slanted_contacts_as_the_lines_have_them_in_30_000_states():
    seed = int(np.random.default_rng().integers(2**31))
    tally = Tally()
    for number in range(30_000):
        tally.add(seed, number)
    print(f"\nseed {seed}: {tally.states} states, {tally.hairs} left out, rows {dict(tally.rows)}")
    print(f"scenes: {dict(sorted(tally.scenes.items()))}")
    tally.check()


# --- laws ------------------------------------------------------------------------------------------


def mirrored_unit(unit: Unit) -> Unit:
    """The unit with left and right swapped."""
    attached = []
    for character in unit.attached:
        place: Any = character.place
        if isinstance(place, str):
            place = MIRRORED_ENDS[place]
        else:
            wide = round(character.base_mm[0] / unit.base_mm[0])
            place = place[0], unit.files - wide - place[1]
        attached.append(Attached(character.name, character.base_mm, place=place))
    return Unit(
        unit.name,
        unit.base_mm,
        models=unit.models,
        files=unit.files,
        side=unit.side,
        attached=attached,
        formation=unit.formation,
    )


def mirrored_slots(units: Sequence[Unit], images: Sequence[Unit]) -> list[int]:
    """Return the slots of the images that those of the units become."""
    slots: list[int] = []
    for unit, image in zip(units, images, strict=True):
        one, other = unit.layout, image.layout
        off = np.abs(one.forward[:, None] - other.forward) + np.abs(one.left[:, None] + other.left)
        own = off.argmin(axis=1)
        assert (off.min(axis=1) < 1e-9).all()
        assert sorted(own) == list(range(len(one)))
        slots += (own + len(slots)).tolist()
    return slots


def mirrored(scene: Scene) -> tuple[Scene, list[int]]:
    """Return the scene on the other side of the x axis, and the slots there of its models."""
    units = [mirrored_unit(unit) for unit in scene.board.units]
    slots = mirrored_slots(scene.board.units, units)
    masks = np.empty((2, len(slots)), bool)
    masks[:, slots] = scene.occupied, scene.frozen
    # clockwise now, which an outline may be
    terrain = scene.terrain * (1.0, -1.0)
    image = replace(
        scene,
        board=as_board(units, terrain),
        figures=[Figure(unit) for unit in units],
        positions=scene.positions * (1.0, -1.0, -1.0),
        occupied=masks[0].tolist(),
        frozen=masks[1].tolist(),
        terrain=terrain,
    )
    return image, slots


@pytest.fixture(scope="module")
def scenes() -> list[Scene]:
    return [scene for scene in (random_scene(2, number) for number in range(300)) if is_fair(scene)]


@pytest.fixture(scope="module")
def answers(scenes: list[Scene]) -> list[tuple[Contacts, list[list[int]]]]:
    """What the library says of the scenes as they are, to which each image is compared."""
    return [(library_contacts(scene), library_facings(scene)) for scene in scenes]


def test_the_mirror_image_has_the_contacts_mirrored(scenes, answers):
    for number, (scene, (own, engaged)) in enumerate(zip(scenes, answers, strict=True)):
        image, slots = mirrored(scene)
        expected = {
            (slots[m], slots[o]): (kind, MIRRORED_FLAGS[one], MIRRORED_FLAGS[other])
            for (m, o), (kind, one, other) in own.items()
        }
        assert library_contacts(image) == expected, number
        facings = [[MIRRORED_FLAGS[flags] for flags in row] for row in engaged]
        assert library_facings(image) == facings, number


@pytest.mark.parametrize("angle", [math.pi / 2, 1.234, -2.9])
def test_turning_and_moving_changes_no_contact(scenes, answers, angle):
    cos, sin = math.cos(angle), math.sin(angle)
    matrix, shift = np.array([[cos, sin], [-sin, cos]]), (-70.0, 900.0)
    for number, (scene, (own, engaged)) in enumerate(zip(scenes, answers, strict=True)):
        terrain = scene.terrain @ matrix + shift
        positions = np.column_stack([scene.positions[:, :2] @ matrix + shift, scene.positions[:, 2] + angle])
        image = replace(
            scene, board=as_board(scene.board.units, terrain), positions=positions, terrain=terrain
        )
        assert library_contacts(image) == own, number
        assert library_facings(image) == engaged, number
