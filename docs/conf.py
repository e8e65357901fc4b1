"""How sphinx builds the documents: ``make docs``, into ``docs/_build/html``."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
# The working tree is documented, not what may be installed; kernels of notebooks see the same.
sys.path[:0] = [str(ROOT), str(ROOT / "kernel")]
os.environ["PYTHONPATH"] = os.pathsep.join(
    [str(ROOT), str(ROOT / "kernel"), os.environ.get("PYTHONPATH", "")]
)

import ninthgeom  # noqa: E402 - only there from here on

project = "ninthgeom"
author = "the developers of ninthgeom"
version = release = ninthgeom.__version__
extensions = ["sphinx.ext.autodoc", "numpydoc", "myst_nb", "sphinx_click"]
exclude_patterns = ["_build", "notebooks/README.md", "**.ipynb_checkpoints"]
default_role = "py:obj"

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
html_theme = "furo"
html_title = f"ninthgeom {release}"
html_copy_source = False


def _name_examples(_app: Any, what: str, _name: str, _object: Any, _options: Any, lines: list[str]) -> None:
    """Make a rubric of the examples of a module, which would be a section of the page."""
    if what == "module" and "Examples" in lines:
        place = lines.index("Examples")
        lines[place : place + 2] = [".. rubric:: Examples", ""]


def setup(app: Any) -> None:
    """Tell sphinx."""
    app.connect("autodoc-process-docstring", _name_examples)
