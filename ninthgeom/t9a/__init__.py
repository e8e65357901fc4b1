"""Rules questions of The Ninth Age: what units see, touch and measure, over many states at once.

* Units: `distances`, `units_in_contact`, `inside_arcs`, `located_arcs`; all in one go: `evaluate`.
* Sight: `line_of_sight` between units, `models_see` for models, `sees_points` and `seen_from_points`.
* Objects: `overlaps` with units and terrain; `on_table`, `spacing_ok` and `legal` for where units may stand.
* Contact: `engaged_facings` of units, `contacts` of models, of the kinds `ContactKind`.
* Combat: `may_attack`, for an `AttackReason`, and `hit_pool` for attacks; `Duels` with `advance`.
* For people: `visible_area`, `explain_sight`.
* Readings of the rules: `Rules`, `THIRD_EDITION` (the default), `SECOND_EDITION`.
"""

from __future__ import annotations

from ninthgeom.t9a.attacks import hit_pool, may_attack
from ninthgeom.t9a.contacts import contacts
from ninthgeom.t9a.duels import Duels, advance
from ninthgeom.t9a.engaged import engaged_facings
from ninthgeom.t9a.evaluate import Answers, evaluate
from ninthgeom.t9a.explain import Explanation, explain_sight
from ninthgeom.t9a.kinds import AttackReason, ContactKind
from ninthgeom.t9a.models import models_see
from ninthgeom.t9a.objects import overlaps
from ninthgeom.t9a.placing import legal, on_table, spacing_ok
from ninthgeom.t9a.points import seen_from_points, sees_points
from ninthgeom.t9a.rules import SECOND_EDITION, THIRD_EDITION, Rules
from ninthgeom.t9a.sight import line_of_sight
from ninthgeom.t9a.units import distances, inside_arcs, located_arcs, units_in_contact
from ninthgeom.t9a.visible_area import visible_area

__all__ = [
    "SECOND_EDITION",
    "THIRD_EDITION",
    "Answers",
    "AttackReason",
    "ContactKind",
    "Duels",
    "Explanation",
    "Rules",
    "advance",
    "contacts",
    "distances",
    "engaged_facings",
    "evaluate",
    "explain_sight",
    "hit_pool",
    "inside_arcs",
    "legal",
    "line_of_sight",
    "located_arcs",
    "may_attack",
    "models_see",
    "on_table",
    "overlaps",
    "seen_from_points",
    "sees_points",
    "spacing_ok",
    "units_in_contact",
    "visible_area",
]
