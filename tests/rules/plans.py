"""Battles drawn as seen from above, with a letter for each model that matters, asked at a hundred places.

A unit is drawn as it lies on the table, north up, whatever way it faces: ``plan.block("top", 0, 60, "ooABoo
.F..G.", NORTH)``. A letter or digit names the model there, `o` is a model that no test speaks of, `.` a slot
without a living model, `#` a place that an attached character takes. Lengths are millimetres.
"""

import math
from functools import cached_property

import numpy as np

from ninthgeom import Arc, Board, Terrain, Unit, t9a

NORTH, EAST, SOUTH, WEST = math.pi / 2, 0.0, -math.pi / 2, math.pi
COMPASS = [NORTH, WEST, SOUTH, EAST]  # in the order of the flags of Arc, of a unit that faces north
SKIRMISH_GAP = 12.5
POSES = 100


def poses(n=POSES, *, seed=5, middle=(0.0, 0.0), spread=500.0):
    """Angles and shifts in inches by which a table is moved; the first is none about the middle."""
    rng = np.random.default_rng(seed)
    angles = rng.uniform(-math.pi, math.pi, n)
    shifts = np.asarray(middle) + rng.uniform(-spread, spread, (n, 2))
    angles[0], shifts[0] = 0.0, middle
    return angles, shifts


def side(facing, direction):
    """Facing of a unit, `facing` that way, which lies in a direction of the compass."""
    return Arc(1 << (COMPASS.index(direction) - COMPASS.index(facing)) % 4)


def mirrored(picture):
    """Turn a picture into its mirror image."""
    return " ".join(row[::-1] for row in picture.split())


def pairs(**kinds):
    """Expected pairs by kind, from `touch="1A 1B"`."""
    return {kind: set(names.split()) for kind, names in kinds.items() if names}


class Plan:
    """A battle in millimetres, in as many states as there are poses."""

    def __init__(self, moves=None, size=(72, 48)):
        self.angles, self.shifts = poses() if moves is None else moves
        self.size = size
        self.units, self.places, self.names, self.alive, self.outlines = [], [], [], [], []

    # --------------------------------------------------------------------------------------------- drawing

    def block(self, name, left, top, picture, facing=NORTH, *, cell=(20, 20), turn=None, **more):
        """Draw a unit in ranks, its north-west corner at (left, top); attached ones carry their letters.

        `cell` is a base as it lies on the table, east-west times north-south; `turn` is (degrees, x, y):
        turned counter-clockwise about a point.
        """
        gap = SKIRMISH_GAP if more.get("formation") == "skirmish" else 0.0
        rows = picture.split()
        across, down = (size + gap for size in cell)
        width, height = len(rows[0]) * across - gap, len(rows) * down - gap
        columns = ["".join(column) for column in zip(*rows, strict=True)]
        ranks, x, y, base = {
            NORTH: (rows, left + width / 2, top, cell),
            SOUTH: ([row[::-1] for row in rows[::-1]], left + width / 2, top - height, cell),
            EAST: (columns[::-1], left + width, top - height / 2, cell[::-1]),
            WEST: ([column[::-1] for column in columns], left, top - height / 2, cell[::-1]),
        }[facing]
        cells = [letter for rank in ranks for letter in rank if letter != "#"]
        unit = Unit(name, base, models=len(cells), files=len(ranks[0]), **more)
        assert unit.n_slots == len(cells) + len(unit.attached)  # every place of the picture is a slot
        cells += [character.name for character in unit.attached]
        self._add(unit, cells, x, y, facing, turn)

    def single(self, letter, x, y, facing=NORTH, *, base_mm, turn=None, **more):
        """Draw a unit of one model with a letter as name; round and oval ones by their centre."""
        self._add(Unit(letter, base_mm, **more), [letter], x, y, facing, turn)

    def ground(self, corners, kind="impassable", **more):
        """Draw terrain, which does not move from state to state: each pose then has its own board."""
        self.outlines.append((np.asarray(corners, float), {"kind": kind, **more}))

    def wall(self, x0, y0, x1, y1, kind="impassable", **more):
        self.ground([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], kind, **more)

    def _add(self, unit, letters, x, y, heading, turn):
        if turn is not None:
            degrees, about_x, about_y = turn
            angle = math.radians(degrees)
            dx, dy = x - about_x, y - about_y
            x = about_x + math.cos(angle) * dx - math.sin(angle) * dy
            y = about_y + math.sin(angle) * dx + math.cos(angle) * dy
            heading += angle
        self.units.append(unit)
        self.places.append((x, y, heading))
        for i, letter in enumerate(letters):
            named = letter not in "o."
            assert not (named and letter in self.names), f"{letter} stands there twice"
            self.names.append(letter if named else f"{unit.name}[{i}]")
            self.alive.append(letter != ".")

    # ------------------------------------------------------------------------------------------------ states

    @cached_property
    def board(self):
        assert not self.outlines
        return Board(self.units, size=self.size)

    @cached_property
    def boards(self):
        """Board of each pose, with its terrain."""
        moved = [np.stack(self._moved(*corners.T), axis=-1) for corners, _ in self.outlines]
        return [
            Board(
                self.units,
                [Terrain(ring[i], **kind) for ring, (_, kind) in zip(moved, self.outlines, strict=True)],
                self.size,
            )
            for i in range(self.n_poses)
        ]

    @cached_property
    def positions(self):
        """Positions in all poses, shape (poses, U, 3)."""
        x, y, heading = np.array(self.places).T
        moved_x, moved_y = self._moved(x, y)
        return np.stack([moved_x, moved_y, heading + self.angles[:, None]], axis=-1)

    @property
    def n_poses(self):
        return len(self.angles)

    def _moved(self, x, y):
        cos, sin = np.cos(self.angles)[:, None], np.sin(self.angles)[:, None]
        x, y = np.asarray(x) / 25.4, np.asarray(y) / 25.4
        return cos * x - sin * y + self.shifts[:, :1], sin * x + cos * y + self.shifts[:, 1:]

    def living(self, dead=""):
        """Mask of living models, those with these letters dead."""
        mask = np.array(self.alive)
        mask[[self.slot(letter) for letter in dead]] = False
        return mask

    def there(self, *absent):
        """Mask of units on the table, all but those named."""
        return np.array([unit.name not in absent for unit in self.units])

    def slot(self, letter):
        return self.names.index(letter)

    def slots(self, letters):
        return [self.slot(letter) for letter in letters]

    def index(self, name):
        return [unit.name for unit in self.units].index(name)

    # --------------------------------------------------------------------------------------------- questions

    def ask(self, question, *, dead="", **more):
        """Ask all poses: an array answer of one state, which all must share, or the rows of one state."""
        more.setdefault("occupied", self.living(dead))
        if self.outlines:
            states = zip(self.boards, self.positions, strict=True)
            answers = [question(board, state, **more) for board, state in states]
            if isinstance(answers[0], np.ndarray):
                return the_same(np.stack(answers))
            return same_rows([columns(answer) for answer in answers])
        answer = question(self.board, self.positions, **more)
        if isinstance(answer, np.ndarray):
            return the_same(answer)
        return same_rows([columns(answer.for_state(i)) for i in range(self.n_poses)])

    def engaged(self, observer, target, **more):
        """Facings of the observer that are engaged with the target."""
        flags = self.ask(t9a.engaged_facings, observers=[observer], targets=[target], **more)
        return Arc(int(flags[0, 0]))

    def touching(self, **more):
        """Rows of contact: (model, other) -> (kind, facing, other facing); they are the same both ways."""
        rows = self.ask(t9a.contacts, **more)
        order = list(zip(rows["model"], rows["other"], strict=True))
        assert order == sorted(set(order))
        found = {
            (self.names[model], self.names[other]): (
                t9a.ContactKind(kind).name.lower(),
                Arc(facing),
                Arc(other_facing),
            )
            for model, other, kind, facing, other_facing in zip(
                *(rows[name] for name in ("model", "other", "kind", "facing", "other_facing")), strict=True
            )
        }
        assert found == {(b, a): (kind, g, f) for (a, b), (kind, f, g) in found.items()}
        return found

    def contacts(self, of, *, among=None, **more):
        """Pairs of models of a unit and their opponents by kind, as of `pairs`."""
        return by_kind(self._of(of, among, {key: row[0] for key, row in self.touching(**more).items()}))

    def facings(self, of, *, among=None, **more):
        """Facing of the model and of the other for each pair of `contacts`."""
        return {a + b: row[1:] for (a, b), row in self._of(of, among, self.touching(**more)).items()}

    def attacks(
        self,
        of,
        *,
        among=None,
        duels=None,
        champions="",
        dead="",
        ranks=1,
        rules=t9a.THIRD_EDITION,
        **more,
    ):
        """Pairs of models of a unit and those they may attack by reason, as of `pairs`."""
        more.setdefault("occupied", self.living(dead))
        contacts = t9a.contacts(self.board, self.positions, duels=duels, rules=rules, **more)
        rows = t9a.may_attack(
            self.board,
            contacts,
            duels=duels,
            champions=self.slots(champions),
            occupied=more["occupied"],
            supporting_ranks=ranks,
            rules=rules,
        )
        found = same_rows([columns(rows.for_state(i)) for i in range(self.n_poses)])
        order = list(zip(found["model"], found["other"], strict=True))
        assert order == sorted(set(order))
        reasons = {
            (self.names[model], self.names[other]): t9a.AttackReason(reason).name.lower()
            for (model, other), reason in zip(order, found["reason"], strict=True)
        }
        return by_kind(self._of(of, among, reasons))

    def duel(self, *fights, **more):
        """Duels between models given by letters, `plan.duel("1A", "2B")`."""
        first, second = zip(*fights, strict=True)
        return t9a.Duels(self.slots(first), self.slots(second), **more)

    def _of(self, unit, among, found):
        own = self.slots_of(unit)
        return {
            (a, b): value
            for (a, b), value in found.items()
            if self.names.index(a) in own and (among is None or (a in among and b in among))
        }

    def slots_of(self, unit):
        """Slots of a unit."""
        ends = np.cumsum([drawn.n_slots for drawn in self.units])
        i = self.index(unit)
        return range(int(ends[i]) - self.units[i].n_slots, int(ends[i]))


def columns(rows):
    return {name: column.tolist() for name, column in rows.columns.items() if name != "state"}


def the_same(answers):
    """One answer, which must be that of all poses."""
    different = (answers != answers[0]).any(axis=tuple(range(1, answers.ndim)))
    assert not different.any(), (np.flatnonzero(different), answers[0], answers[different][0])
    return answers[0]


def same_rows(answers):
    """Rows of one pose, which must be those of all."""
    different = [i for i, answer in enumerate(answers) if answer != answers[0]]
    assert not different, (different, answers[0], answers[different[0]])
    return answers[0]


def by_kind(found):
    kinds = {}
    for (a, b), kind in found.items():
        kinds.setdefault(kind, set()).add(a + b)
    return kinds
