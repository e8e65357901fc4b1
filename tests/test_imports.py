"""What ``import ninthgeom`` costs and offers."""

import json
import re

import pytest

import ninthgeom

HEAVY = ("numba", "llvmlite", "scipy", "shapely", "click", "rich", "jsonschema")

LOADED = """
import json, sys
import ninthgeom
{statement}
roots = {{name.partition(".")[0] for name in sys.modules}}
print(json.dumps(sorted(roots & set({heavy!r}))))
"""

SECONDS = """
from time import perf_counter
start = perf_counter()
import numpy
middle = perf_counter()
import ninthgeom
print(middle - start, perf_counter() - middle)
"""


@pytest.mark.parametrize(
    "statement",
    [
        "",
        "ninthgeom.Bases.rect(0.0, 0.0, width=1.0, depth=1.0)",
        "ninthgeom.Board([ninthgeom.Unit('Spears', (20, 20), models=10, files=5)])",
    ],
)
def test_nothing_heavy_is_loaded_before_the_first_question(run_python, statement):
    assert json.loads(run_python(LOADED.format(statement=statement, heavy=HEAVY))) == []


def test_import_costs_next_to_nothing_beside_numpy(run_python):
    # The aim is 5 ms where numpy takes about 85; here as a ratio, with twice the slack.
    trials = [[float(seconds) for seconds in run_python(SECONDS).split()] for _ in range(3)]
    assert min(ours / numpys for numpys, ours in trials) < 0.12


def test_the_command_waits_for_nothing_that_its_help_does_not_need(run_python):
    """What only some commands need is imported when one of them runs."""
    known = "click, dataclasses, locale, pathlib"  # and what these bring along
    code = f"import sys, {known}, ninthgeom; old = {{*sys.modules}}; import ninthgeom.cli"
    loaded = run_python(f"{code}; print(*{{*sys.modules}} - old)").split()
    own = re.compile(r"ninthgeom\.(cli|_cli_\w+|_constants)")
    assert [name for name in loaded if not own.fullmatch(name)] == []


@pytest.mark.parametrize("name", ninthgeom.__all__)
def test_public_names_resolve(name):
    assert getattr(ninthgeom, name) is not None
    assert name in dir(ninthgeom)


def test_every_lazy_name_is_public():
    assert {*ninthgeom._HOME_OF, *ninthgeom._SUBMODULES, "__version__", "warm_up"} == set(ninthgeom.__all__)


def test_unknown_name():
    with pytest.raises(AttributeError, match="module 'ninthgeom' has no attribute 'no_such_name'"):
        ninthgeom.no_such_name  # noqa: B018 - reading it is the test


def test_star_import_and_version():
    names = {}
    exec("from ninthgeom import *", names)
    assert set(ninthgeom.__all__) <= set(names)
    assert re.fullmatch(r"\d+\.\d+\.\d+", ninthgeom.__version__)


def test_warm_up_loads_every_family(repository, run_python):
    code = "import sys, ninthgeom; ninthgeom.warm_up(); print(*sys.modules)"
    loaded = set(run_python(code).split())
    families = (repository / "kernel" / "ninthgeom_kernel").glob("*.py")
    assert {f"ninthgeom_kernel.{path.stem}" for path in families if path.stem != "__init__"} <= loaded
