"""Rules questions of skirmish games: single models in loose groups, over many states at once.

* Readings of the rules: `Rules`, `STANDARD` (the default); what is agreed about terrain: `Ground`; `Action`.
"""

from __future__ import annotations

from ninthgeom.skirmish.ground import Ground
from ninthgeom.skirmish.placing import Placement, PlaceStatus, place
from ninthgeom.skirmish.rules import STANDARD, Action, Rules

__all__ = ["STANDARD", "Action", "Ground", "PlaceStatus", "Placement", "Rules", "place"]
