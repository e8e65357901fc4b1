"""Scalar geometry of segments and of polygons cut into convex pieces.

A segment meets a polygon or not, and most pairs are decided by a disc in and a disc round the polygon. Those
left open are sorted by polygon, so that the axes of a piece can be compared with many segments at a time:
vector instructions have too little to do on the few edges of one piece.
"""

from __future__ import annotations

from ninthgeom_kernel._jit import scalar

# Pairs that are compared with discs at a time.
STRIP = 512
# The least squared length of a segment that is divided by; its square is not 0 yet.
SHORTEST_SQUARED = 1e-70
# Sorted segments of one polygon begin at a multiple of this and are filled up to one: the longest vector.
VECTOR = 8

# Answers: apart; met; open, which means nearer than some limit along every axis.
APART, MET, OPEN = range(3)

# Rows of sorted segments: start, as seen from the polygon's centre, way to the end, unit normal.
LANES = 6
START_X, START_Y, WAY_X, WAY_Y, NORMAL_X, NORMAL_Y = range(LANES)
# Rows of what is found out about them: separation along the normals of a piece's edges, least and most of its
# corners along the segment's normal, and least separation from any piece.
FOUND = 4
EDGES, LEAST, MOST, BEST = range(FOUND)

# Columns of planes: outward unit normal and offset of an edge, and its first corner.
PLANE = 5
PLANE_X, PLANE_Y, OFFSET, CORNER_X, CORNER_Y = range(PLANE)
# So many edges of a piece are compared at a time: fewer would load and store more, more would not fit the
# registers.
FOUR = 4


@scalar
def against_discs(
    x0: float, y0: float, x1: float, y1: float, x: float, y: float, inner: float, outer: float
) -> int:
    """Tell whether a segment meets the inner one of two discs round a point, only the outer, or neither."""
    dx = x1 - x0
    dy = y1 - y0
    x = x0 - x
    y = y0 - y
    squared = max(dx * dx + dy * dy, SHORTEST_SQUARED)
    along = min(max(-(x * dx + y * dy), 0.0), squared)
    # The nearest point times the squared length: a division takes as long as all the rest.
    x = x * squared + along * dx
    y = y * squared + along * dy
    distance = x * x + y * y
    scale = squared * squared
    return MET if distance <= inner * scale else OPEN if distance <= outer * scale else APART
