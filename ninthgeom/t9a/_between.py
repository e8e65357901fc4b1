"""What else may stand between two units that look at each other: other units and impassable terrain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ninthgeom._arrays import BoolArray, FloatArray
from ninthgeom._columns import ACROSS, ALONG, COS, RADIUS, SIN, X, Y
from ninthgeom._sight_shapes import Outlines
from ninthgeom.t9a._looks import Looks
from ninthgeom.t9a._melee import Melee
from ninthgeom.t9a.rules import Rules

IntArray: TypeAlias = NDArray[np.intp]

# Lines that only touch are told from those that do not by a little more than the tolerance.
_GROWN: Final = 1.0 + 1e-6
# So many tolerances what is near may be further off.
_MORE: Final = 4.0
# A rim that nobody is wide enough for: lines pass.
_NO_RIM: Final = 1e300


@dataclass(frozen=True, eq=False)
class Between:
    """Convex shapes near the lines of looks, in their frames, sorted by look.

    Attributes
    ----------
    look : ndarray of int, shape (n,)
    corners : ndarray of float, shape (2, n, V)
        Those from `count` on repeat the last one.
    count, radius : ndarray, shape (n,)
        Number of corners, and the radius round them.
    rim : ndarray of float, shape (n,)
        How deep inside lines pass it.
    """

    look: IntArray
    corners: FloatArray
    count: IntArray
    radius: FloatArray
    rim: FloatArray

    @classmethod
    def of(cls, melee: Melee, looks: Looks) -> Between:
        """Find what is near the lines of some looks."""
        window = _Window.of(melee, looks)
        stops = melee.rules.gap_stops_at == "boundaries"
        parts = [_terrain(melee, looks, window)] if stops else []
        if stops:
            parts.append(_boundaries(melee, looks, window))
        elif melee.rules.gap_blocking != "none" or looks.is_round.any():
            parts.append(_models(melee, looks, window))
        parts = [part for part in parts if len(part.look)]
        if not parts:
            nothing = np.empty(0)
            return cls(np.empty(0, np.intp), np.empty((2, 0, 4)), np.empty(0, np.intp), nothing, nothing)
        width = max(part.corners.shape[2] for part in parts)
        look, count, radius, rim = (
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("look", "count", "radius", "rim")
        )
        corners = [
            np.pad(p.corners, ((0, 0), (0, 0), (0, width - p.corners.shape[2])), "edge") for p in parts
        ]
        order = np.argsort(look, kind="stable")
        return cls(
            look[order], np.concatenate(corners, axis=1)[:, order], count[order], radius[order], rim[order]
        )


def model_rims(rules: Rules, is_round: BoolArray, tol: float) -> FloatArray:
    """Return how deep inside lines pass the models of each look."""
    # that nobody is in between is what the rules say of round bases themselves
    return np.where((rules.gap_blocking == "none") & ~is_round, _NO_RIM, _rim(rules, tol))


def _rim(rules: Rules, tol: float) -> float:
    return -tol * _GROWN if rules.gap_blocking == "closed" else tol


@dataclass(frozen=True, eq=False)
class _Window:
    """Where the lines of looks can run, in their frames: boxes of centre and half extents, arrays (n, 1)."""

    x: FloatArray
    y: FloatArray
    half_x: FloatArray
    half_y: FloatArray

    @classmethod
    def of(cls, melee: Melee, looks: Looks) -> _Window:
        """Lines run above the rear of the unit that looks, no wider, and as far as the other one reaches."""
        own, its = melee.boundaries[:, looks.state, looks.p], melee.boundaries[:, looks.state, looks.q]
        origin = melee.positions[looks.state, looks.p]
        x, y = looks.turned(own[X] - origin[:, 0], own[Y] - origin[:, 1])
        _, far = looks.turned(its[X] - origin[:, 0], its[Y] - origin[:, 1])
        half_x = np.where(looks.k % 2 == 0, own[ACROSS], own[ALONG])
        half_y = np.where(looks.k % 2 == 0, own[ALONG], own[ACROSS])
        bottom, top = y - half_y, far + its[ALONG] + its[ACROSS] + its[RADIUS]
        # what touches a line at the rim of the window may count
        more = _MORE * melee.tol
        parts = x, (top + bottom) / 2, half_x + more, (top - bottom) / 2 + more
        return cls(*(part[:, None] for part in parts))

    def meets(self, x: FloatArray, y: FloatArray, reach: FloatArray) -> BoolArray:
        """Tell which circles reach into the windows; arrays (n, m)."""
        is_wide = np.abs(x - self.x) < self.half_x + reach
        return is_wide & (np.abs(y - self.y) < self.half_y + reach)


def _near_units(melee: Melee, looks: Looks, window: _Window) -> tuple[IntArray, IntArray]:
    """Return the looks, and the present units beside the two that may be in the way of their lines."""
    columns = melee.boundaries[:, looks.state]
    origin = melee.positions[looks.state, looks.p]
    x, y = looks.turned(columns[X] - origin[:, :1], columns[Y] - origin[:, 1:2])
    near = window.meets(x, y, columns[ALONG] + columns[ACROSS] + columns[RADIUS])
    each = np.arange(len(looks.p))
    near[each, looks.p] = False
    near[each, looks.q] = False
    near &= melee.there[looks.state] if len(melee.there) > 1 else melee.there
    look, unit = np.nonzero(near)
    return look, unit


def _boundaries(melee: Melee, looks: Looks, window: _Window) -> Between:
    look, unit = _near_units(melee, looks, window)
    state = looks.state[look]
    x, y, cos, sin, along, across, radius = melee.boundaries[:, state, unit]
    rim = np.full(len(look), _rim(melee.rules, melee.tol))
    return _bases(melee, looks, look, (x, y), (cos, sin), (along, across, radius), rim)


def _models(melee: Melee, looks: Looks, window: _Window) -> Between:
    look, unit = _near_units(melee, looks, window)
    counts = melee.models.counts[unit]
    nearby = np.repeat(np.arange(len(look)), counts)
    slot = np.arange(len(nearby)) - np.repeat(np.cumsum(counts) - counts, counts)
    slot += melee.models.first[unit[nearby]]
    keep = melee.living[melee.living_row(looks.state[look[nearby]]), slot]
    look, unit, slot = look[nearby[keep]], unit[nearby[keep]], slot[keep]
    state = looks.state[look]
    ahead, aside, along, across, radius = melee.models.slots[:, slot]
    cos, sin = melee.boundaries[COS, state, unit], melee.boundaries[SIN, state, unit]
    x = melee.positions[state, unit, 0] + ahead * cos - aside * sin
    y = melee.positions[state, unit, 1] + ahead * sin + aside * cos
    rim = model_rims(melee.rules, looks.is_round[look], melee.tol)
    return _bases(melee, looks, look, (x, y), (cos, sin), (along, across, radius), rim)


def _bases(
    melee: Melee,
    looks: Looks,
    look: IntArray,
    centre: tuple[FloatArray, FloatArray],
    heading: tuple[FloatArray, FloatArray],
    sizes: tuple[FloatArray, FloatArray, FloatArray],
    rim: FloatArray,
) -> Between:
    """Return bases near looks as shapes in their frames."""
    along, across, radius = sizes
    ahead = along[:, None] * np.array([1.0, -1.0, -1.0, 1.0])
    aside = across[:, None] * np.array([1.0, 1.0, -1.0, -1.0])
    cos, sin = (part[:, None] for part in heading)
    x = centre[0][:, None] + ahead * cos - aside * sin
    y = centre[1][:, None] + ahead * sin + aside * cos
    count = np.full(len(look), 4)
    return Between(look, _framed(melee, looks, look, x, y), count, radius, rim)


def _framed(melee: Melee, looks: Looks, look: IntArray, x: FloatArray, y: FloatArray) -> FloatArray:
    """Return points (n, V) in the frames of looks, shape (2, n, V)."""
    origin = melee.positions[looks.state[look], looks.p[look]]
    nx, ny = looks.normal[:, look, None]
    dx, dy = x - origin[:, :1], y - origin[:, 1:2]
    return np.stack([ny * dx - nx * dy, nx * dx + ny * dy])


def _terrain(melee: Melee, looks: Looks, window: _Window) -> Between:
    touching: Literal["clear", "blocked"] = "blocked" if melee.rules.gap_blocking == "closed" else "clear"
    outlines = [melee.board.impassable_outlines]
    known = Outlines.of(outlines, touching, melee.tol).parts
    vertices, count = known.vertices[0], known.count[0]
    middle = vertices.mean(axis=2)
    reach = np.hypot(*np.moveaxis(vertices - middle[:, :, None], 1, 0)).max(axis=1, initial=0.0)
    origin = melee.positions[looks.state, looks.p]
    x, y = looks.turned(middle[:, 0] - origin[:, :1], middle[:, 1] - origin[:, 1:2])
    look, part = np.nonzero(window.meets(x, y, reach))
    corners = _framed(melee, looks, look, vertices[part, 0], vertices[part, 1])
    # parts are less the rim already, unless touching stops
    rim = np.full(len(look), _rim(melee.rules, melee.tol) if touching == "blocked" else 0.0)
    return Between(look, corners, count[part], np.zeros(len(look)), rim)
