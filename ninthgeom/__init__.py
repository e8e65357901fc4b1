"""Exact geometry of tabletop rules, in bulk: line of sight, arcs, contact and distances over NumPy arrays.

* Shapes: `Bases`, `Polygons`, `Segments`.
* How far: `distance`, `gap`, `farthest_distance`, `shortest_line`, `within`, `wholly_within`.
* How they lie: `in_contact`, `interiors_meet`, `relation`; of many the close ones: `pairs_within`.
* Segments: `passes_through`, `intersects`, `first_hit`.
* What is seen and from where: `line_of_sight`, `sight_lines`, `inside_arcs`, `located_arc`.
* Battles: `Unit`, `Attached`, `Terrain`, `Board`, `Scene`, `read_scene`, `write_scene`, `armies`.
* Random states of them: `samplers`; estimates from millions of them, on any executor: `montecarlo`.
* Sparse answers: `Rows`. Pictures: `plot`. Boards as GeoJSON and for GeoPandas: `geo`.
* Rules of The 9th Age, over many states of a battle at once: `t9a`; of skirmish games: `skirmish`.

Names are imported when they are first used (PEP 562): ``import ninthgeom`` itself reads no other module, and
the first question that needs it loads numba with its compiled kernels.

Examples
--------
>>> import numpy as np
>>> import ninthgeom as ng
>>> bases = ng.Bases.rect(x=[0.0, 2.0, 4.5], y=0.0, width=2.0, depth=1.0)
>>> ng.distance(bases[:2], bases[1:])
array([1. , 1.5])
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from ninthgeom import armies, geo, montecarlo, plot, samplers, skirmish, t9a
    from ninthgeom._constants import TOLERANCE
    from ninthgeom._sight_lines import Sight, sight_lines
    from ninthgeom.arcs import Arc, inside_arcs, located_arc
    from ninthgeom.bases import Bases
    from ninthgeom.board import Attached, Board, Terrain, Unit
    from ninthgeom.crossings import Hit, first_hit, intersects, passes_through
    from ninthgeom.index import pairs_within
    from ninthgeom.measure import (
        distance,
        farthest_distance,
        gap,
        in_contact,
        interiors_meet,
        shortest_line,
        wholly_within,
        within,
    )
    from ninthgeom.polygons import Polygons
    from ninthgeom.relations import Relation, relation
    from ninthgeom.rows import Rows
    from ninthgeom.scene import Scene, SceneError, read_scene, write_scene
    from ninthgeom.segments import Segments
    from ninthgeom.sight import line_of_sight

# Written here and read by the build: importlib.metadata would cost every import some milliseconds.
__version__ = "0.1.0"

__all__ = [
    "TOLERANCE",
    "Arc",
    "Attached",
    "Bases",
    "Board",
    "Hit",
    "Polygons",
    "Relation",
    "Rows",
    "Scene",
    "SceneError",
    "Segments",
    "Sight",
    "Terrain",
    "Unit",
    "__version__",
    "armies",
    "distance",
    "farthest_distance",
    "first_hit",
    "gap",
    "geo",
    "in_contact",
    "inside_arcs",
    "interiors_meet",
    "intersects",
    "line_of_sight",
    "located_arc",
    "montecarlo",
    "pairs_within",
    "passes_through",
    "plot",
    "read_scene",
    "relation",
    "samplers",
    "shortest_line",
    "sight_lines",
    "skirmish",
    "t9a",
    "warm_up",
    "wholly_within",
    "within",
    "write_scene",
]

_HOMES: Final = {
    "_constants": ("TOLERANCE",),
    "arcs": ("Arc", "inside_arcs", "located_arc"),
    "bases": ("Bases",),
    "board": ("Attached", "Board", "Terrain", "Unit"),
    "crossings": ("Hit", "first_hit", "intersects", "passes_through"),
    "index": ("pairs_within",),
    "measure": (
        "distance",
        "farthest_distance",
        "gap",
        "in_contact",
        "interiors_meet",
        "shortest_line",
        "wholly_within",
        "within",
    ),
    "polygons": ("Polygons",),
    "relations": ("Relation", "relation"),
    "rows": ("Rows",),
    "scene": ("Scene", "SceneError", "read_scene", "write_scene"),
    "segments": ("Segments",),
    "sight": ("line_of_sight",),
    "_sight_lines": ("Sight", "sight_lines"),
}
_HOME_OF: Final = {name: module for module, names in _HOMES.items() for name in names}
_SUBMODULES: Final = frozenset({"armies", "geo", "montecarlo", "plot", "samplers", "skirmish", "t9a"})


def __getattr__(name: str) -> Any:
    if name in _SUBMODULES:
        return import_module(f"{__name__}.{name}")
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)
    globals()[name] = value  # the next access no longer comes through here
    return value


def __dir__() -> list[str]:
    return sorted({*(name for name in globals() if name.startswith("__")), *__all__})


def warm_up() -> None:
    """Load every compiled kernel now instead of at the first question.

    Compiles what no cache holds yet: some forty seconds once for each version, processor and cache folder, a
    fraction of a second afterwards. Meant for servers, container images and benchmarks; nothing else needs
    it.

    Examples
    --------
    >>> import ninthgeom as ng
    >>> ng.warm_up()
    """
    from pkgutil import iter_modules

    package = import_module("ninthgeom_kernel")
    for family in iter_modules(package.__path__):
        import_module(f"{package.__name__}.{family.name}")
