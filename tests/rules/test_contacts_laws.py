"""Laws of contact, on the random engagements: what changes nothing, and what only adds contacts."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from ninthgeom import Attached, Board, Terrain, Unit, t9a
from tests.rules.contact_oracle import contacts
from tests.rules.contact_shapes import HairError
from tests.rules.engagements import (
    COLUMNS,
    Engagement,
    in_pose,
    library_duels,
    library_rows,
    random_engagement,
)

N_ENGAGEMENTS = 60
LEFT_AND_RIGHT = {flags: flags & 5 | (flags & 2) << 2 | (flags & 8) >> 2 for flags in range(16)}

#: Kind, facing and other facing of each state, model and other.
Contacts = dict[tuple[int, int, int], tuple[int, int, int]]


@pytest.fixture(scope="module")
def engagements() -> list[Engagement]:
    return [fair(random_engagement(23, number)) for number in range(N_ENGAGEMENTS)]


@pytest.fixture(scope="module")
def before(engagements: list[Engagement]) -> list[Contacts]:
    return [as_contacts(library_rows(engagement)) for engagement in engagements]


def fair(engagement: Engagement) -> Engagement:
    """The engagement without the units of states whose answers hang on a hair."""
    present = np.ones((len(engagement), len(engagement.board)), bool)
    present &= True if engagement.present is None else engagement.present
    for i in range(len(engagement)):
        try:
            contacts(engagement.state(i), engagement.rules, engagement.duels_in(i))
        except HairError:
            present[i] = False
    return replace(engagement, present=present)


def as_contacts(rows: Any) -> Contacts:
    columns = [getattr(rows, name).tolist() for name in ("state", *COLUMNS)]
    found = {row[:3]: row[3:] for row in zip(*columns, strict=True)}
    assert len(found) == len(rows)
    assert list(found) == sorted(found)
    return found


def ask(engagement: Engagement, **more: Any) -> Any:
    """The rows of an engagement, with some arguments changed."""
    arguments = engagement.arguments | {"frozen": engagement.frozen, "duels": library_duels(engagement)}
    positions = more.pop("positions", engagement.positions)
    return t9a.contacts(engagement.board, positions, **arguments | more)


def only(smaller: Contacts, larger: Contacts) -> None:
    """All contacts of the first are in the second, of no later a kind, with no fewer facings."""
    for pair, (kind, facing, other) in smaller.items():
        assert pair in larger
        assert larger[pair][0] <= kind
        if larger[pair][0] == kind:
            assert larger[pair][1] & facing == facing
            assert larger[pair][2] & other == other


# --- what changes nothing --------------------------------------------------------------------------


def test_contact_is_symmetric(engagements, before):
    for found in before:
        assert found == {(s, o, m): (kind, b, a) for (s, m, o), (kind, a, b) in found.items()}
    assert sum(map(len, before)) > 2_000


def test_contact_is_between_living_models_of_units_in_contact(engagements, before):
    for engagement, found in zip(engagements, before, strict=True):
        board, duellists = engagement.board, library_duels(engagement)
        meet = t9a.units_in_contact(
            board,
            engagement.positions,
            present=engagement.present,
            occupied=engagement.occupied if engagement.frozen is None else engagement.frozen,
        )
        alike = len(set(board.side.tolist())) == 1
        for (s, m, o), (kind, _, _) in found.items():
            units = board.model_unit[[m, o]]
            assert alike or board.side[units[0]] != board.side[units[1]]
            if duellists is None:
                assert meet[s, units[0], units[1]]
            if kind != t9a.ContactKind.DUEL:
                assert engagement.occupied[s, [m, o]].all()


@pytest.mark.parametrize("turn", [(math.pi / 2, 0.0, 0.0), (1.234, -300.0, 800.0), (-2.5, 9e4, -5e4)])
def test_turning_and_moving_a_scene(engagements, before, turn):
    angle, dx, dy = turn
    matrix = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    for engagement, found in zip(engagements, before, strict=True):
        positions = engagement.positions
        moved = np.concatenate([positions[..., :2] @ matrix.T + (dx, dy), positions[..., 2:] + angle], -1)
        terrain = [
            Terrain(piece.outline @ matrix.T + (dx, dy), kind=piece.kind)
            for piece in engagement.board.terrain
        ]
        there = replace(engagement, board=Board(engagement.board.units, terrain))
        assert as_contacts(ask(there, positions=moved)) == found


def test_splitting_the_states(engagements):
    for engagement in engagements:
        duels = library_duels(engagement)
        if duels is not None and duels.state is not None:  # they name states by number
            duels = None
        whole = ask(engagement, duels=duels)
        masks = engagement.arguments | {"frozen": engagement.frozen}
        rules = masks.pop("rules")
        for i in range(0, len(engagement), 7):
            one = {name: None if mask is None else mask[i] for name, mask in masks.items()}
            alone = t9a.contacts(engagement.board, engagement.positions[i], rules=rules, duels=duels, **one)
            there = as_contacts(whole.for_state(i))
            assert as_contacts(alone) == {(0, m, o): contact for (_, m, o), contact in there.items()}


def test_asking_for_some_units(engagements, before):
    for engagement, found in zip(engagements, before, strict=True):
        unit = engagement.board.model_unit
        for observers, targets in (([0], [1]), ([1], None), (None, [1, 0]), ([0, 1], [1, 0])):
            expected = {
                (s, m, o): contact
                for (s, m, o), contact in found.items()
                if observers is None or unit[m] in observers
                if targets is None or unit[o] in targets
            }
            assert as_contacts(ask(engagement, observers=observers, targets=targets)) == expected


def test_units_in_another_order(engagements, before):
    rng = np.random.default_rng(5)
    for engagement, found in zip(engagements, before, strict=True):
        board = engagement.board
        order = rng.permutation(len(board)).tolist()
        slots = np.concatenate([np.arange(board.n_models)[board.model_slices[u]] for u in order])
        there = reordered(
            replace(
                engagement,
                board=Board([board.units[u] for u in order], board.terrain),
                places=[[places[u] for u in order] for places in engagement.places],
                present=engagement.present[:, order],
            ),
            slots,
        )
        rows = as_contacts(library_rows(there))
        assert {(s, slots[m], slots[o]): contact for (s, m, o), contact in rows.items()} == found


def reordered(engagement: Engagement, slots: Any) -> Engagement:
    """The masks and duels with the slots in another order: `slots` gives the old one of each new one."""
    new = np.argsort(slots).tolist()
    return replace(
        engagement,
        occupied=engagement.occupied[:, slots],
        frozen=None if engagement.frozen is None else engagement.frozen[:, slots],
        duels=[(new[first], new[second], state) for first, second, state in engagement.duels],
    )


def mirrored_unit(unit: Unit) -> Unit:
    """The unit with right and left exchanged; slots come in another order."""
    attached = []
    for character in unit.attached:
        place: Any = character.place
        if isinstance(place, tuple):
            wide = round(character.base_mm[0] / unit.base_mm[0])
            place = place[0], unit.files - wide - place[1]
        else:
            place = {"left": "right", "right": "left"}[place]
        attached.append(Attached(character.name, character.base_mm, place=place))
    return Unit(
        unit.name,
        unit.base_mm,
        shape=unit.shape,
        models=unit.models,
        files=unit.files,
        side=unit.side,
        attached=attached,
        formation=unit.formation,
    )


def mirrored_slots(unit: Unit, image: Unit) -> list[int]:
    """Which slot of the unit each slot of its image is."""
    known = {place: i for i, place in enumerate(zip(unit.layout.forward, -unit.layout.left, strict=True))}
    return [known[place] for place in zip(image.layout.forward, image.layout.left, strict=True)]


def test_mirroring_a_scene(engagements, before):
    for engagement, found in zip(engagements, before, strict=True):
        board, rings = engagement.board, [[(-x, y) for x, y in ring] for ring in engagement.impassable]
        images = [mirrored_unit(unit) for unit in board.units]
        slots = np.concatenate(
            [
                np.array(mirrored_slots(unit, image)) + part.start
                for unit, image, part in zip(board.units, images, board.model_slices, strict=True)
            ]
        )
        terrain = [Terrain(in_pose(ring, engagement.poses[0]), kind="impassable") for ring in rings]
        places = [
            [place._replace(x=-place.x, turn=(2 - place.turn) % 4) for place in places]
            for places in engagement.places
        ]
        there = reordered(replace(engagement, board=Board(images, terrain), places=places), slots)
        rows = as_contacts(library_rows(there))
        assert {
            (s, slots[m], slots[o]): (kind, LEFT_AND_RIGHT[facing], LEFT_AND_RIGHT[other])
            for (s, m, o), (kind, facing, other) in rows.items()
        } == found


# --- what only adds contacts -----------------------------------------------------------------------


def test_removing_a_model_leaves_the_contacts_of_others(engagements):
    rng = np.random.default_rng(6)
    for engagement in engagements:
        frozen = engagement.occupied if engagement.frozen is None else engagement.frozen
        states = range(len(engagement))
        fallen = [int(rng.choice(np.flatnonzero(mask))) if mask.any() else 0 for mask in engagement.occupied]
        occupied = engagement.occupied.copy()
        occupied[states, fallen] = False
        whole = as_contacts(ask(engagement, frozen=frozen))
        left = {pair: contact for pair, contact in whole.items() if fallen[pair[0]] not in pair[1:]}
        only(left, as_contacts(ask(engagement, frozen=frozen, occupied=occupied)))


def test_a_third_unit_only_stands_in_the_way(engagements, before):
    for engagement, found in zip(engagements, before, strict=True):
        n_first = engagement.board.model_slices[2].start if len(engagement.board) > 2 else None
        if n_first is None:
            continue
        present = engagement.present.copy()
        present[:, 2:] = False
        of_two = {pair: contact for pair, contact in found.items() if max(pair[1:]) < n_first}
        only(of_two, as_contacts(ask(engagement, present=present)))


@pytest.mark.parametrize(
    ("switch", "stricter", "looser"),
    [
        ("gap_blocking", "closed", "interior"),
        ("gap_blocking", "interior", "none"),
        ("gap_stops_at", "boundaries", "none"),
        ("round_front", "open", "closed"),
    ],
)
def test_what_stops_fewer_lines(engagements, switch, stricter, looser):
    more = 0
    for engagement in engagements:
        answers = []
        for value in (stricter, looser):
            rules = replace(engagement.rules, **{switch: value})
            answers.append(as_contacts(ask(engagement, rules=rules)))
        only(*answers)
        more += len(answers[1]) - len(answers[0])
    assert more > 20


def test_both_facings_of_a_corner_are_no_fewer_contacts_than_one(engagements):
    for engagement in engagements:
        both, flank, located = (
            as_contacts(ask(engagement, rules=replace(engagement.rules, corner_facing=value)))
            for value in ("both", "flank", "located")
        )
        assert flank.keys() <= both.keys()
        assert located.keys() <= both.keys()
