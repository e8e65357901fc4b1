"""Rules questions of skirmish games: single models in loose groups, over many states at once.

* Readings of the rules: `Rules`, `STANDARD` (the default); what is agreed about terrain: `Ground`; `Action`.
* Measuring: `distances`, `distances_to` tokens, `within`, `wholly_within`; `engaged`.
* May a path pass: `paths_clear`, `PathCheck`.
"""

from __future__ import annotations

from ninthgeom.skirmish.engaged import engaged
from ninthgeom.skirmish.ground import Ground
from ninthgeom.skirmish.measuring import distances, distances_to, wholly_within, within
from ninthgeom.skirmish.paths import PathCheck, paths_clear
from ninthgeom.skirmish.placing import Placement, PlaceStatus, place
from ninthgeom.skirmish.rules import STANDARD, Action, Rules

__all__ = [
    "STANDARD",
    "Action",
    "Ground",
    "PathCheck",
    "PlaceStatus",
    "Placement",
    "Rules",
    "distances",
    "distances_to",
    "engaged",
    "paths_clear",
    "place",
    "wholly_within",
    "within",
]
