"""Pictures of boards and of what is asked of them, to scale, on axes of matplotlib.

Every function takes the axes `ax` to draw on, makes new ones without it, and returns them.
"""

from __future__ import annotations

__all__: list[str] = []
