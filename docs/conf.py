"""How sphinx builds the documents: ``make docs``, into ``docs/_build/html``."""

from __future__ import annotations

import inspect
import logging
import os
import re
import sys
from collections.abc import Iterator
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.errors import ExtensionError, PycodeError
from sphinx.pycode import ModuleAnalyzer
from sphinx.util import logging

ROOT = Path(__file__).parents[1]
# The working tree is documented, not what may be installed; kernels of notebooks see the same.
sys.path[:0] = [str(ROOT), str(ROOT / "kernel")]
os.environ["PYTHONPATH"] = os.pathsep.join(
    [str(ROOT), str(ROOT / "kernel"), os.environ.get("PYTHONPATH", "")]
)

import ninthgeom  # noqa: E402 - only there from here on

LOGGER = logging.getLogger(__name__)

project = "ninthgeom"
author = "the developers of ninthgeom"
version = release = ninthgeom.__version__
extensions = [
    "sphinx.ext.autodoc",
    "matplotlib.sphinxext.plot_directive",
    "numpydoc",
    "myst_nb",
    "sphinx_click",
]
exclude_patterns = ["_build", "notebooks/README.md", "**.ipynb_checkpoints"]
default_role = "py:obj"
nitpicky = True
nitpick_ignore_regex = [
    # Other libraries: their lists of names would have to come from the network.
    ("py:obj", r"(dask|json|matplotlib|numpy|scipy|shapely)\..*"),
]

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
# Notebooks run as they are built; what fails, or takes longer than a minute, fails the build.
nb_execution_mode = "force"
nb_execution_timeout = 60
nb_execution_raise_on_error = True
nb_execution_show_tb = True
nb_merge_streams = True

autodoc_typehints = "none"  # numpydoc says what arguments are
numpydoc_show_class_members = False
numpydoc_xref_param_type = False
plot_formats = [("svg", 100)]
plot_html_show_formats = False
plot_html_show_source_link = False
html_theme = "furo"
html_title = f"ninthgeom {release}"
html_copy_source = False

#: Modules with a page of the reference.
MODULES = ["ninthgeom", *(f"ninthgeom.{name}" for name in sorted(ninthgeom._SUBMODULES))]


def _value(name: str) -> Any:
    """Return the object of a full name, None if there is none."""
    value: Any = ninthgeom
    for part in name.split(".")[1:]:
        value = getattr(value, part, None)
    return value


def _members() -> Iterator[tuple[str, str]]:
    for module in MODULES:
        for name in _value(module).__all__:
            if not inspect.ismodule(_value(f"{module}.{name}")):
                yield module, name


def _keep_enumerated(_app: Any, what: str, _name: str, value: Any, _skip: bool, _options: Any) -> bool | None:
    """Document the members of enumerations."""
    return False if what == "class" and isinstance(value, Enum) else None


@cache
def _comment(name: str) -> list[str]:
    """Return what stands beside the assignment of a value, in whichever module that is."""
    last = name.rpartition(".")[2]
    for module in [known for known in sys.modules if known.split(".")[0] == "ninthgeom"]:
        if getattr(sys.modules[module], last, None) is _value(name):
            try:
                found = ModuleAnalyzer.for_module(module).find_attr_docs().get(("", last))
            except PycodeError:  # has no source
                continue
            if found:
                return list(found)
    return []


def _mend(_app: Any, what: str, name: str, _object: Any, _options: Any, lines: list[str]) -> None:
    """Fetch what is said of values; make a rubric of the examples of a module, which would be a section."""
    if what == "data":
        lines[:] = _comment(name)
    if what == "module" and "Examples" in lines:
        place = lines.index("Examples")
        lines[place : place + 2] = [".. rubric:: Examples", ""]


@cache
def _arguments(name: str) -> frozenset[str]:
    """Return the names of arguments of a function or class, and of the fields of a class."""
    value = _value(name)
    try:
        names = set(inspect.signature(value).parameters)
    except (TypeError, ValueError):
        names = set()
    return frozenset(names | (set(inspect.get_annotations(value)) if inspect.isclass(value) else set()))


def _leave_arguments(_app: Sphinx, tree: nodes.document) -> None:
    """Show arguments as code: docstrings write them as they write names that are targets."""
    for reference in list(tree.findall(addnodes.pending_xref)):
        place: Any = reference
        while place is not None and reference.get("reftype") == "obj":
            if isinstance(place, addnodes.desc) and isinstance(place[0], addnodes.desc_signature):
                full = f"{place[0].get('module')}.{place[0].get('fullname')}"
                if reference["reftarget"] in _arguments(full):
                    reference.replace_self(reference.children)
                    break
            place = place.parent


def _look_further(app: Sphinx, env: BuildEnvironment, node: Any, shown: nodes.TextElement) -> Any:
    """Find names of the whole library from each of its modules; fields are told where their class is."""
    domain, target = env.domains.python_domain, str(node["reftarget"])
    owner, _, field = target.rpartition(".")
    for below in (node.get("py:module"), "ninthgeom"):
        full = f"{below}.{target}"
        if full not in domain.objects:
            full = f"{below}.{owner}"
            if field not in _arguments(full) and not hasattr(_value(full), field):
                continue
        if full in domain.objects:
            return domain.resolve_xref(env, node["refdoc"], app.builder, "obj", full, node, shown)
    return None


def _check_names(_app: Sphinx, env: BuildEnvironment) -> None:
    """Warn of public names without a place in the reference; sphinx itself warns of those with two."""
    for module, name in _members():
        if f"{module}.{name}" not in env.domains.python_domain.objects:
            LOGGER.warning("%s.%s stands in __all__ and not in the reference", module, name)


def _check_network(app: Sphinx, failed: Exception | None) -> None:
    """Refuse pages that would load anything from elsewhere."""
    loads = re.compile(r"""<(?:script|img|iframe)[^>]+src="(?:https?:)?//|<link[^>]+href="(?:https?:)?//""")
    fonts = re.compile(r"""(?:url\(|@import)\s*["']?(?:https?:)?//""")
    for kind, pattern in (("html", loads), ("css", fonts)):
        for page in [] if failed else Path(app.outdir).rglob(f"*.{kind}"):
            if found := pattern.search(page.read_text(encoding="utf-8")):
                raise ExtensionError(f"{page.name} loads from the network: {found[0]}")


def setup(app: Sphinx) -> None:
    """Tell sphinx."""
    app.connect("autodoc-skip-member", _keep_enumerated)
    app.connect("autodoc-process-docstring", _mend)
    app.connect("doctree-read", _leave_arguments)
    app.connect("missing-reference", _look_further)
    app.connect("env-check-consistency", _check_names)
    app.connect("build-finished", _check_network)
