"""Battles in millimetres that are set up at several places and angles."""

import math

import numpy as np

from ninthgeom import Board, Terrain, Unit

NORTH, EAST, SOUTH, WEST = math.pi / 2, 0.0, -math.pi / 2, math.pi
MOTIONS = [(0.0, (0.0, 0.0)), (math.pi / 2, (24.0, 36.0)), (0.7, (12.3, 45.6)), (-2.5, (-500.0, 500.0))]


class Table:
    """A battle in millimetres, set up somewhere."""

    def __init__(self, motion):
        angle, self.shift = motion
        self.angle = angle
        self.turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
        self.units, self.positions, self.terrain = [], [], []

    def inches(self, points):
        return np.asarray(points, float) / 25.4 @ self.turn.T + self.shift

    def unit(self, name, x, y, heading, base_mm=(20, 20), **more):
        self.units.append(Unit(name, base_mm, **more))
        self.positions.append([*self.inches([x, y]), heading + self.angle])

    def wall(self, x0, y0, x1, y1, kind="impassable", **more):
        corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
        self.terrain.append(Terrain(self.inches(corners), kind=kind, **more))

    @property
    def board(self):
        return Board(self.units, self.terrain)

    def ask(self, question, observer, target, **more):
        answer = question(self.board, self.positions, observers=[observer], targets=[target], **more)
        return answer[..., 0, 0]
