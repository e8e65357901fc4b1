"""Contacts and engaged facings of random engagements, row by row, against the oracle."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
import pytest

from ninthgeom import Board, Terrain, Unit, t9a
from tests.rules.contact_oracle import contacts, engaged_units
from tests.rules.contact_shapes import HairError, OverlapError
from tests.rules.engagements import COLUMNS, N_STATES, Engagement, library_rows, random_engagement

SWITCHES = ("corner_facing", "gap_blocking", "gap_stops_at", "gap_angle", "round_front")
MOST_SHOWN = 5


def by_state(rows: Any) -> list[list[tuple[int, ...]]]:
    """The rows of each state, without it."""
    columns = list(zip(*(getattr(rows, name).tolist() for name in COLUMNS), strict=True))
    return [columns[start:end] for start, end in zip(rows.indptr[:-1], rows.indptr[1:], strict=True)]


@dataclass
class Tally:
    """What was compared, and what differed."""

    states: int = 0
    hairs: int = 0
    overlaps: int = 0
    rows: Counter[str] = field(default_factory=Counter)
    policies: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def add(self, seed: int, number: int) -> None:
        """Compare all states of one engagement."""
        engagement = random_engagement(seed, number)
        rules = engagement.rules
        found = by_state(library_rows(engagement))
        facings = t9a.engaged_facings(engagement.board, engagement.positions, **engagement.arguments)
        self.policies.update(f"{name} {getattr(rules, name):.4}" for name in SWITCHES if name != "gap_angle")
        self.policies.update([f"gap_angle {rules.gap_angle:.3f}"])
        for i, rows in enumerate(found):
            state = engagement.state(i)
            try:
                expected = contacts(state, rules, engagement.duels_in(i))
                engaged = self._engaged(engagement, i)
            except OverlapError:
                self.overlaps += 1
                continue
            except HairError:
                self.hairs += 1
                continue
            self.states += 1
            self.rows.update(t9a.ContactKind(row[2]).name for row in expected)
            self.rows.update(["no rows"] if not expected else [])
            if rows != expected:
                missing, more = sorted(set(expected) - set(rows)), sorted(set(rows) - set(expected))
                self.wrong.append(f"seed {seed} engagement {number} state {i}: not {missing} but {more}")
            if not np.array_equal(facings[i], engaged):
                self.wrong.append(
                    f"seed {seed} engagement {number} state {i}: engaged {facings[i].tolist()}, not {engaged}"
                )

    def _engaged(self, engagement: Engagement, i: int) -> list[list[int]]:
        state = engagement.state(i)
        # facings go by those who live, whatever is frozen
        state = type(state)(**{f.name: getattr(state, f.name) for f in fields(state)} | {"frozen": None})
        units = range(len(engagement.figures))
        return [[engaged_units(state, a, b, engagement.rules) for b in units] for a in units]

    def check(self) -> None:
        assert not self.wrong, "\n".join([f"{len(self.wrong)} differences", *self.wrong[:MOST_SHOWN]])


def test_contacts_as_the_oracle_has_them():
    tally = Tally()
    for number in range(5_000 // N_STATES):
        tally.add(1, number)
    tally.check()
    assert tally.hairs <= 100  # of 5,000
    assert tally.overlaps <= 100
    assert min(tally.rows[kind.name] for kind in t9a.ContactKind) > 500
    assert len(tally.policies) == 3 + 3 + 2 + 5 + 2


@pytest.mark.parametrize("angle", [0.0, 0.7, -2.5])
@pytest.mark.parametrize("height", [0.0, 0.01])
@pytest.mark.parametrize("thing", ["disc", "square", "tip"])
def test_a_touch_at_one_point_closes_the_only_line(thing, height, angle):
    """Only y = 0 runs from A's left side, x = 0, to B's right one, x = -100; something touches it."""
    units = [Unit("A", (20, 20), models=6, files=6, side=0), Unit("B", (20, 20), side=1)]
    places = [(-40, 0), (-110, 20)]
    terrain = []
    if thing == "tip":
        terrain = [[(-50, height), (-40, height + 10), (-60, height + 10)]]
    elif thing == "disc":
        units.append(Unit("o", 40, shape="round", side=0))
        places.append((-50, 20 + height))
    else:
        units.append(Unit("o", (40, 40), side=0))
        places.append((-50, 40 + height))
    turn = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]]) / 25.4
    board = Board(units, [Terrain(np.array(ring) @ turn, kind="impassable") for ring in terrain])
    positions = [[*(np.array(place) @ turn), math.pi / 2 + angle] for place in places]
    occupied = [False] * 5 + [True] * (board.n_models - 5)
    for blocking in ("interior", "closed"):
        rows = t9a.contacts(
            board,
            positions,
            observers=["A"],
            targets=["B"],
            occupied=occupied,
            frozen=board.occupied,
            rules=t9a.Rules(gap_blocking=blocking),
        )
        expected = [] if blocking == "closed" and not height else [(5, 6, 2, 2, 8)]
        assert by_state(rows)[0] == expected


@pytest.mark.verify
def test_contacts_as_the_oracle_has_them_in_200_000_states():
    seed = int(np.random.default_rng().integers(2**31))
    tally = Tally()
    for number in range(200_000 // N_STATES):
        tally.add(seed, number)
    left_out = f"{tally.hairs} hang on a hair, {tally.overlaps} overlap"
    print(f"\nseed {seed}: {tally.states} states, {left_out}, rows {dict(tally.rows)}")
    print(f"policies of engagements of {N_STATES} states: {dict(sorted(tally.policies.items()))}")
    tally.check()
    assert tally.hairs <= 0.02 * 200_000
    assert tally.overlaps <= 0.02 * 200_000
