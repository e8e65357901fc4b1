"""Numbers that every layer shares."""

from typing import Final

#: The one tolerance of the library, in inches; every ``tol=`` keyword starts from it.
TOLERANCE: Final = 1e-6

#: Coordinates and sizes beyond this, in inches, are refused: no table is as large, and rounding would matter.
LARGEST_COORDINATE: Final = 1e6
