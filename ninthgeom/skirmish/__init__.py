"""Rules questions of skirmish games: single models in loose groups, over many states at once.

* Readings of the rules: `Rules`, `STANDARD` (the default); what is agreed about terrain: `Ground`; `Action`.
* Measuring: `distances`, `distances_to` tokens, `within`, `wholly_within`; `engaged`.
* `Coherency`: `coherency`, and what follows from it, `may_control` and `deployment_legal`.
* May a path pass: `paths_clear`, `PathCheck`; does a base fit where it is: `can_stand`.
* The shortest ways round terrain and models: `routes`, `Routes`, `RouteMap`.
* Models set round their leader: `place`, `Placement`, `PlaceStatus`; groups that move: `move_group`,
  `move_directly`, `Move`.
"""

from __future__ import annotations

from ninthgeom.skirmish.coherency import Coherency, coherency, deployment_legal, may_control
from ninthgeom.skirmish.engaged import engaged
from ninthgeom.skirmish.ground import Ground
from ninthgeom.skirmish.measuring import distances, distances_to, wholly_within, within
from ninthgeom.skirmish.moves import Move, move_directly, move_group
from ninthgeom.skirmish.paths import PathCheck, paths_clear
from ninthgeom.skirmish.placing import Placement, PlaceStatus, place
from ninthgeom.skirmish.routes import RouteMap, Routes, routes
from ninthgeom.skirmish.rules import STANDARD, Action, Rules
from ninthgeom.skirmish.standing import can_stand

__all__ = [
    "STANDARD",
    "Action",
    "Coherency",
    "Ground",
    "Move",
    "PathCheck",
    "PlaceStatus",
    "Placement",
    "RouteMap",
    "Routes",
    "Rules",
    "can_stand",
    "coherency",
    "deployment_legal",
    "distances",
    "distances_to",
    "engaged",
    "may_control",
    "move_directly",
    "move_group",
    "paths_clear",
    "place",
    "routes",
    "wholly_within",
    "within",
]
