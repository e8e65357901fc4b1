"""Numbers that every layer shares."""

from typing import Final

#: The one tolerance of the library, in inches; every ``tol=`` keyword starts from it.
TOLERANCE: Final = 1e-6
