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
from ninthgeom.skirmish.paths import PathCheck, paths_clear
from ninthgeom.skirmish.placing import PlaceStatus, Placement, place
from ninthgeom.skirmish.routes import RouteMap, Routes, routes
from ninthgeom.skirmish.rules import Action, Rules, STANDARD

__all__ = [
    "Action",
    "Ground",
    "PathCheck",
    "PlaceStatus",
    "Placement",
    "RouteMap",
    "Routes",
    "Rules",
    "STANDARD",
    "distances",
    "distances_to",
    "engaged",
    "paths_clear",
    "place",
    "routes",
    "wholly_within",
    "within",
]
