"""Rules questions of skirmish games: single models in loose groups, over many states at once.

* The shortest ways round terrain and models: `routes`, `Routes`, `RouteMap`.
* Readings of the rules: `Rules`, `STANDARD` (the default); what is agreed about terrain: `Ground`; `Action`.
* Measuring: `distances`, `distances_to` tokens, `within`, `wholly_within`; `engaged`.
* May a path pass: `paths_clear`, `PathCheck`.
"""

from __future__ import annotations

from ninthgeom.skirmish.engaged import engaged
from ninthgeom.skirmish.ground import Ground
from ninthgeom.skirmish.measuring import distances, distances_to, wholly_within, within
from ninthgeom.skirmish.moves import Move, move_directly, move_group
from ninthgeom.skirmish.paths import PathCheck, paths_clear
from ninthgeom.skirmish.placing import Placement, PlaceStatus, place
from ninthgeom.skirmish.routes import RouteMap, Routes, routes
from ninthgeom.skirmish.rules import STANDARD, Action, Rules

__all__ = [
    "STANDARD",
    "Action",
    "Ground",
    "Move",
    "PathCheck",
    "PlaceStatus",
    "Placement",
    "RouteMap",
    "Routes",
    "Rules",
    "distances",
    "distances_to",
    "engaged",
    "move_directly",
    "move_group",
    "paths_clear",
    "place",
    "routes",
    "wholly_within",
    "within",
]
