"""Random engagements for the comparison of contacts with their oracle: two to four units, made to touch.

Units stand on a grid (see `engagement_places`), edges mostly lined up with edges, so that lines along seams,
corners and exact touches are the rule. What the library gets is all of it in a pose of its own, in inches.
One engagement has one board, one set of rules and many states.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ninthgeom import Attached, Board, Terrain, Unit, t9a
from ninthgeom.t9a import SECOND_EDITION, THIRD_EDITION, Rules
from tests.rules.contact_lines import ring_overlaps
from tests.rules.contact_oracle import Duel, State
from tests.rules.contact_shapes import GRID, Figure, Place, Ring, placed
from tests.rules.engagement_places import Table, random_ring

BASES: Final = (
    [(20, 20)] * 5
    + [(25, 25), (25, 50), (40, 40)] * 3
    + [(50, 50), (50, 75), (50, 100), (40, 60), (60, 100), (75, 100), (100, 150), (150, 100)]
)
SIDE_BASES: Final = [
    (20, 20),
    (25, 25),
    (25, 50),
    (40, 40),
    (50, 50),
    (50, 75),
    (50, 100),
    (40, 60),
    (60, 100),
]
SMALL_BASES: Final = [(20, 20), (25, 25), (25, 50), (40, 40)]
ANGLES: Final = (math.pi / 4, math.pi / 4, 0.0, math.radians(1), 0.3, 0.5)
N_STATES: Final = 20
#: Of a row of contacts, beside its state.
COLUMNS: Final = ("model", "other", "kind", "facing", "other_facing")
MM_PER_INCH: Final = 25.4


@dataclass
class Engagement:
    """A board with many states of it; `places` are on the grid, `poses` are angle and shift of each state."""

    board: Board
    rules: Rules
    figures: list[Figure]
    impassable: list[Ring]
    places: list[list[Place]]
    occupied: NDArray[np.bool_]
    frozen: NDArray[np.bool_] | None
    present: NDArray[np.bool_] | None
    poses: NDArray[np.float64]
    duels: list[tuple[int, int, int]] | list[tuple[int, int, None]]

    def __len__(self) -> int:
        return len(self.places)

    @property
    def positions(self) -> NDArray[np.float64]:
        """Positions of all units, in inches."""
        places = np.array(self.places, dtype=np.float64)
        xy = in_pose(places[..., :2], self.poses[:, None])
        return np.concatenate([xy, places[..., 2:] * (math.pi / 2) + self.poses[:, None, :1]], axis=-1)

    @property
    def arguments(self) -> dict[str, Any]:
        """Masks and rules, as the library takes them."""
        return {"present": self.present, "occupied": self.occupied, "rules": self.rules}

    def state(self, i: int) -> State:
        """Return a state for the oracle."""
        return State(
            self.figures,
            self.places[i],
            self.occupied[i].tolist(),
            None if self.frozen is None else self.frozen[i].tolist(),
            None if self.present is None else self.present[i].tolist(),
            self.impassable,
        )

    def duels_in(self, i: int) -> list[Duel]:
        """Return the duels of a state."""
        return [Duel(first, second) for first, second, state in self.duels if state in (None, i)]


def in_pose(points: Any, pose: Any) -> NDArray[np.float64]:
    """Turn points of the grid by the angle of a pose, shift them, and return inches."""
    x, y = np.moveaxis(np.asarray(points, dtype=np.float64) / GRID / MM_PER_INCH, -1, 0)
    angle, dx, dy = np.moveaxis(np.asarray(pose), -1, 0)
    cos, sin = np.cos(angle), np.sin(angle)
    return np.stack([x * cos - y * sin + dx, x * sin + y * cos + dy], axis=-1)


def random_rules(rng: Random) -> Rules:
    """One of the editions, or any mixture."""
    edition = rng.random()
    if edition < 0.2:
        return THIRD_EDITION if edition < 0.1 else SECOND_EDITION
    return Rules(
        corner_facing=rng.choice(("both", "flank", "located")),
        gap_blocking=rng.choice(("interior", "interior", "none", "closed")),
        gap_stops_at=rng.choice(("boundaries", "none")),
        gap_angle=rng.choice(ANGLES),
        round_front=rng.choice(("open", "closed")),
    )


# --- units -----------------------------------------------------------------------------------------


def random_unit(rng: Random, name: str, side: int, *, small: bool = False) -> Unit:
    """A unit of up to ten files and four ranks, or a single, round or oval base."""
    kind = rng.random()
    if kind < 0.12:
        return Unit(name, rng.choice((40, 60, 60, 75)), shape="round", side=side)
    if kind < 0.16:
        return Unit(name, rng.choice(((40, 100), (60, 35), (25, 50))), shape="oval", side=side)
    if small or kind < 0.26:
        base = rng.choice(SMALL_BASES if small else BASES)
        files = rng.choice((1, 1, 2, 3)) if small else 1
        models = files * rng.choice((1, 1, 2))
        return Unit(name, base, models=models, files=files, side=side)
    while True:
        try:
            return _ranked_unit(rng, name, side)
        except ValueError:  # a character found no place
            continue


def _ranked_unit(rng: Random, name: str, side: int) -> Unit:
    base = rng.choice(BASES[:14] if rng.random() < 0.9 else BASES)
    files, ranks = rng.choice((1, 2, 2, 3, 4, 5, 5, 6, 8, 10)), rng.choice((1, 1, 2, 2, 2, 3, 4))
    models = files * (ranks - 1) + rng.choice((files, rng.randint(1, files)))
    attached = []
    if rng.random() < 0.3:
        for _ in range(rng.choice((1, 1, 2))):
            wide, deep = rng.choice((1, 1, 2)), rng.choice((1, 1, 2, 3))
            place = rng.choice((0, 0, 1)), rng.randrange(files)
            size = base[0] * wide, base[1] * deep
            attached.append(Attached(f"c{len(attached)}", size, place=place))
    if rng.random() < 0.4:
        sides = rng.choice((["left"], ["right"], ["left", "right"]))
        attached += [Attached(end, rng.choice(SIDE_BASES), place=end) for end in sides]
    formation: Any = "skirmish" if rng.random() < 0.15 else "ranked"
    return Unit(name, base, models=models, files=files, side=side, attached=attached, formation=formation)


def random_living(rng: Random, unit: Unit, *, may_be_gone: bool) -> list[bool]:
    """Return who lives: all, a rear rank with holes, or holes anywhere."""
    n_ranked = unit.layout.n_ranked
    living = [slot < unit.models or slot >= n_ranked for slot in range(unit.n_slots)]
    mode = rng.random()
    if mode < 0.25:
        return living
    if mode < 0.55 and n_ranked:
        last = max((slot for slot in range(n_ranked) if living[slot]), default=0)
        for slot in range(unit.layout.rank_start[last], unit.layout.rank_end[last]):
            living[slot] = rng.random() < 0.5
    elif mode < 0.9:
        share = rng.choice((0.3, 0.5, 0.8))
        living = [here and rng.random() < share for here in living]
    else:
        living = [False] * len(living)
        for _ in range(rng.choice((1, 1, 2, 3))):
            living[rng.randrange(len(living))] = True
    if not any(living) and not (may_be_gone and rng.random() < 0.3):
        living[rng.randrange(len(living))] = True
    return living


# --- all of it -------------------------------------------------------------------------------------


def random_engagement(seed: int, number: int, n_states: int = N_STATES) -> Engagement:
    """Return the engagement of this number in the series of a seed."""
    rng = Random(f"{seed} {number}")
    n_units = rng.choice((2, 2, 3, 3, 4, 4))
    sides = rng.choice(([0, 1, 0, 1], [0, 1, 1, 0], [1, 0, 2, 1], [0, 1, 0, 2], [3, 3, 3, 3]))
    units = [random_unit(rng, f"u{u}", sides[u], small=u > 1 and rng.random() < 0.7) for u in range(n_units)]
    figures = [Figure(unit) for unit in units]
    plain = Board(units)
    parts = [list(range(plain.n_models))[part] for part in plain.model_slices]
    whole = plain.occupied.tolist()
    first = Place(0, 0, rng.randrange(4))
    places, occupied, frozen = [], [], []
    rings: list[Ring] = []
    kinds: list[Any] = []
    n_rings = rng.randint(1, 8) if rng.random() < 0.4 else 0
    freezes = n_rings > 0 or rng.random() < 0.4
    living: list[bool] = []
    for _ in range(n_states):
        if not living or rng.random() < 0.7:
            living = [
                here for u, unit in enumerate(units) for here in random_living(rng, unit, may_be_gone=u > 1)
            ]
        if rng.random() < 0.1:
            living = plain.fill_ranks(living).tolist()
        known = _random_frozen(rng, living, whole) if freezes else living
        by_unit = [[[mask[slot] for slot in part] for part in parts] for mask in (living, known)]
        table = Table(rng, figures, *by_unit)
        table.places.append(first)
        table.add(1, lambda table=table: table.against(0, 1))
        for u in range(2, n_units):
            table.add(u, lambda table=table, u=u: table.third(u))
        places.append(table.places)
        occupied.append(living.copy())
        frozen.append(known)
        if len(rings) < n_rings:
            rings.append(random_ring(rng, table))
            kinds.append(rng.choice(("impassable", "impassable", "impassable", "forest")))
    for table_places, lives in zip(places, occupied, strict=True):
        _clear_terrain(rings, figures, table_places, lives)
    poses = _random_poses(rng, n_states, same=bool(rings))
    terrain = [Terrain(in_pose(ring, poses[0]), kind=kind) for ring, kind in zip(rings, kinds, strict=True)]
    present = None
    if rng.random() < 0.15:
        present = np.array([[rng.random() < 0.85 for _ in units] for _ in range(n_states)])
    return Engagement(
        Board(units, terrain),
        random_rules(rng),
        figures,
        [ring for ring, kind in zip(rings, kinds, strict=True) if kind == "impassable"],
        places,
        np.array(occupied),
        np.array(frozen) if freezes else None,
        present,
        poses,
        _random_duels(rng, plain, n_states) if rng.random() < 0.3 else [],
    )


def _clear_terrain(rings: list[Ring], figures: list[Figure], places: list[Place], living: list[bool]) -> None:
    """Remove the models that stand on terrain."""
    slot = 0
    for figure, place in zip(figures, places, strict=True):
        for base in figure.bases:
            box = placed(base, place)
            if living[slot] and any(ring_overlaps(ring, box) for ring in rings):
                living[slot] = False
            slot += 1


def _random_frozen(rng: Random, living: list[bool], whole: list[bool]) -> list[bool]:
    """Return which slots boundaries go by: all, or some more than those that live."""
    if rng.random() < 0.3:
        return [lives or was for lives, was in zip(living, whole, strict=True)]
    return [lives or (was and rng.random() < 0.3) for lives, was in zip(living, whole, strict=True)]


def _random_poses(rng: Random, n: int, *, same: bool) -> NDArray[np.float64]:
    """Return an angle and a shift in inches for each state."""

    def pose() -> tuple[float, float, float]:
        angle = rng.choice((0.0, math.pi / 2, math.pi, *(rng.uniform(-math.pi, math.pi) for _ in range(5))))
        far = rng.choice((0.0, 30.0, 30.0, 30.0, 5000.0))
        return angle, rng.uniform(-far, far), rng.uniform(-far, far)

    return np.array([pose()] * n if same else [pose() for _ in range(n)])


def _random_duels(rng: Random, board: Board, n_states: int) -> Any:
    """Return duels between models of the first two units, at most one in a state."""
    if board.side[0] == board.side[1] and len(set(board.side.tolist())) > 1:
        return []
    ours, theirs = (range(board.n_models)[part] for part in board.model_slices[:2])
    everywhere = rng.random() < 0.3
    states = [None] if everywhere else rng.sample(range(n_states), rng.randint(1, n_states))
    pairs = [(rng.choice(ours), rng.choice(theirs), state) for state in states]
    return [pair if rng.random() < 0.5 else (pair[1], pair[0], pair[2]) for pair in pairs]


# --- what the library says of them -----------------------------------------------------------------


def library_duels(engagement: Engagement) -> Any:
    """The duels of an engagement, and one between the same models that is over."""
    if not engagement.duels:
        return None
    first, second, state = zip(*engagement.duels, strict=True)
    given = None if state[0] is None else state
    duels = t9a.Duels(first, second, state=given)
    over = t9a.advance(duels, combat_ended=True)
    assert not over.active.any()
    return over.issue(first, second, state=given, combat=duels.combat)


def library_rows(engagement: Engagement) -> Any:
    return t9a.contacts(
        engagement.board,
        engagement.positions,
        frozen=engagement.frozen,
        duels=library_duels(engagement),
        **engagement.arguments,
    )
