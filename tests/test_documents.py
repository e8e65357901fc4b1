"""The documents: the reference has every public name, pages are reachable, docstrings have their parts."""

import importlib
import inspect
import re
from pathlib import Path

import pytest
from numpydoc.validate import validate

import ninthgeom

DOCS = Path(__file__).parents[1] / "docs"
#: Modules with a page of the reference, which holds all of their names.
MODULES = {
    page.stem: re.search(r"automodule:: (\S+)", page.read_text())[1]
    for page in (DOCS / "api").glob("*.md")
    if page.stem != "index"
}
#: What numpydoc finds that has to be mended: missing or surplus arguments, sections out of order.
CHECKED = {"GL06", "GL07", "GL08", "PR01", "PR02", "PR05", "PR10", "RT01", "YD01", "SS01"}


def public(module):
    """Names of functions and classes of a module, below it."""
    known = importlib.import_module(module)
    for name in known.__all__:
        value = getattr(known, name)
        if inspect.isfunction(value) or inspect.isclass(value):
            yield f"{module}.{name}"


def test_every_public_module_has_a_page():
    modules = {f"ninthgeom.{name}" for name in ninthgeom._SUBMODULES}
    assert set(MODULES.values()) == {"ninthgeom", *modules}
    index = (DOCS / "api" / "index.md").read_text()
    assert all(f"\n{page}\n" in index for page in MODULES)


def test_every_public_name_is_listed_once():
    """Each page documents what __all__ holds; left out are modules with pages of their own."""
    for page, module in MODULES.items():
        text = (DOCS / "api" / f"{page}.md").read_text()
        assert ":members:" in text
        left_out = re.search(r":exclude-members: (.*)", text)
        names = set(left_out[1].split(", ")) if left_out else set()
        assert names == (ninthgeom._SUBMODULES | {"__version__"} if module == "ninthgeom" else set())


def test_every_page_is_in_the_contents():
    index = (DOCS / "index.md").read_text()
    for page in DOCS.glob("*.md"):
        assert page.stem == "index" or f"\n{page.stem}\n" in index


def test_links_between_pages_lead_somewhere():
    pages = [
        *DOCS.glob("*.md"),
        *(DOCS.parent / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    ]
    for page in [*pages, DOCS.parent / "notebooks" / "README.md"]:
        for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", page.read_text()):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name}: {target}"


@pytest.mark.parametrize("name", sorted(name for module in set(MODULES.values()) for name in public(module)))
def test_docstrings_have_their_parts(name):
    report = validate(name)
    # what classes are made of stands in their attributes
    checked = CHECKED - ({"PR01", "PR02"} if inspect.isclass(_resolved(name)) else set())
    assert [error for error in report["errors"] if error[0] in checked] == []
    if inspect.isfunction(_resolved(name)) and not name.endswith("warm_up"):
        assert ">>> " in _resolved(name).__doc__ or "See `" in _resolved(name).__doc__


def _resolved(name):
    module, _, last = name.rpartition(".")
    return getattr(importlib.import_module(module), last)
