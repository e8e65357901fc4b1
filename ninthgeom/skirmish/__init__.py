"""Rules questions of skirmish games: single models in loose groups, over many states at once.

* Readings of the rules: `Rules`, `STANDARD` (the default); what is agreed about terrain: `Ground`; `Action`.
* May a path pass: `paths_clear`, `PathCheck`; does a base fit where it is: `can_stand`.
"""

from __future__ import annotations

from ninthgeom.skirmish.ground import Ground
from ninthgeom.skirmish.paths import PathCheck, paths_clear
from ninthgeom.skirmish.rules import STANDARD, Action, Rules
from ninthgeom.skirmish.standing import can_stand

__all__ = ["STANDARD", "Action", "Ground", "PathCheck", "Rules", "can_stand", "paths_clear"]
