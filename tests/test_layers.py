"""Imports run one way: kernel <- containers <- questions <- board <- rules <- tools, and without circles."""

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import ninthgeom

LAYERS = {
    "kernel": ("ninthgeom_kernel",),
    "containers": (
        "_arrays",
        "_atomic",
        "_checks",
        "_columns",
        "_constants",
        "_convex",
        "_crossing_tables",
        "_erosion",
        "_parallel",
        "_pieces",
        "_polygon_table",
        "_rings",
        "bases",
        "polygons",
        "rows",
        "segments",
    ),
    "questions": (
        "_blocks",
        "_crossing_kernels",
        "_polygon_pairs",
        "_pruning",
        "_sight_arguments",
        "_sight_contacts",
        "_sight_questions",
        "_sight_shapes",
        "arcs",
        "crossings",
        "index",
        "measure",
        "relations",
        "sight",
        "_sight_lines",
    ),
    "board": (
        "_scene_json",
        "_slots",
        "_states",
        "attached",
        "board",
        "formation",
        "scene",
        "terrain",
        "unit",
    ),
    "rules": ("skirmish", "t9a"),
    "tools": (
        "__main__",
        "_answer_arrays",
        "_answer_files",
        "_answer_folder",
        "_answer_plan",
        "_answer_tables",
        "_answer_whole",
        "_army_statistics",
        "_casualties",
        "_cli_combat",
        "_cli_completion",
        "_cli_estimates",
        "_cli_evaluate",
        "_cli_names",
        "_cli_options",
        "_cli_plot",
        "_cli_simulate",
        "_cli_skirmish",
        "_cli_tables",
        "_cli_tasks",
        "_cli_totals",
        "_deployment",
        "_dice",
        "_free_poses",
        "_mc_blocks",
        "_mc_checkpoint",
        "_mc_executors",
        "_mc_tally",
        "_memory",
        "_position_arrays",
        "_position_batches",
        "_position_files",
        "_position_source",
        "_position_tables",
        "_position_units",
        "_progress",
        "_sampler_arguments",
        "_streams",
        "armies",
        "cli",
        "geo",
        "montecarlo",
        "plot",
        "samplers",
    ),
}
LEVEL = {name: level for level, names in enumerate(LAYERS.values()) for name in names}

ROOT = Path(__file__).parents[1]
PACKAGES = {"ninthgeom": ROOT, "ninthgeom_kernel": ROOT / "kernel"}


def modules() -> dict[str, Path]:
    """Dotted name -> file of every module of both packages."""
    found = {}
    for package, parent in PACKAGES.items():
        for path in (parent / package).rglob("*.py"):
            parts = path.relative_to(parent).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules()


def imported_names(module: str) -> Iterator[str]:
    """Dotted names of what a module imports, wherever in its text, relative ones resolved."""
    package = module if MODULES[module].name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(MODULES[module].read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            source = ".".join([*parents, *([node.module] if node.module else [])])
            yield from (f"{source}.{alias.name}" for alias in node.names)


def imported_modules(module: str) -> set[str]:
    """Modules of ours that a module imports; ``ninthgeom.name`` counts as the module of that name."""
    found = set()
    for name in imported_names(module):
        parent, _, last = name.rpartition(".")
        if parent == "ninthgeom" and last in ninthgeom._HOME_OF:
            name = f"ninthgeom.{ninthgeom._HOME_OF[last]}"
        while name and name not in MODULES:
            name = name.rpartition(".")[0]
        if name:
            found.add(name)
    return found - {module}


def level(module: str) -> int:
    root, _, rest = module.partition(".")
    place = "ninthgeom_kernel" if root == "ninthgeom_kernel" else rest.partition(".")[0]
    assert place in LEVEL, f"{module} has no layer: give it one in {Path(__file__).name}"
    return LEVEL[place]


@pytest.mark.parametrize("module", sorted(MODULES.keys() - {"ninthgeom"}))
def test_imports_never_go_upwards(module):
    # ninthgeom/__init__.py stands outside: it names the modules of all layers and is imported before them.
    upwards = {other for other in imported_modules(module) - {"ninthgeom"} if level(other) > level(module)}
    assert not upwards


def test_no_circles():
    graph = {module: imported_modules(module) - {"ninthgeom"} for module in MODULES if module != "ninthgeom"}
    TopologicalSorter(graph).prepare()  # raises CycleError, which names the circle


@pytest.mark.parametrize("module", sorted(MODULES))
def test_numba_stays_in_the_kernels(module):
    names = set(imported_names(module))
    assert not any(name.split(".")[0] == "kernel" for name in names), "kernel/ is a folder, not a package"
    from_numba = {name for name in names if name.split(".")[0] in ("numba", "llvmlite")}
    if module.startswith("ninthgeom_kernel."):
        from_numba -= {"numba.types", "numba.typeof"}  # for signatures; the decorators come from _jit
    assert not from_numba or module == "ninthgeom_kernel._jit"
