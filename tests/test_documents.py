"""The documents: the reference has every public name, pages are reachable, docstrings have their parts."""

import importlib
import inspect
import re
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest
from numpydoc.docscrape import NumpyDocString
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
CHECKED = {"GL06", "GL07", "GL08", "PR01", "PR02", "PR05", "PR10", "YD01", "SS01"}


def members(module):
    known = importlib.import_module(module)
    return {name: value for name in known.__all__ if not inspect.ismodule(value := getattr(known, name))}


def public(wanted):
    """Full names of functions or classes."""
    for module in MODULES.values():
        for name, value in members(module).items():
            if wanted(value):
                yield f"{module}.{name}"


def methods():
    """Full names of what classes offer themselves; their fields stand in their own docstrings."""
    for name in public(inspect.isclass):
        for last, value in vars(resolved(name)).items():
            is_method = inspect.isfunction(value) or isinstance(value, (property, classmethod, staticmethod))
            if is_method and not last.startswith("_"):
                yield f"{name}.{last}"


def resolved(name):
    value = ninthgeom
    for part in name.split(".")[1:]:
        value = getattr(value, part)
    return value


def faults(name, checked=CHECKED):
    return [error for error in validate(name)["errors"] if error[0] in checked]


def test_every_public_module_has_a_page():
    modules = {f"ninthgeom.{name}" for name in ninthgeom._SUBMODULES}
    assert set(MODULES.values()) == {"ninthgeom", *modules}
    index = (DOCS / "api" / "index.md").read_text()
    assert all(f"\n{page}\n" in index for page in MODULES)


def test_every_public_name_is_listed_once():
    """Sphinx lists the functions and classes of ``__all__``; other values stand on the page one by one.

    The build checks what came of it, see ``docs/conf.py``.
    """
    for page, module in MODULES.items():
        text = (DOCS / "api" / f"{page}.md").read_text()
        assert re.findall(r"automodule:: (.*)\n   :members:\n", text) == [module]
        left_out = re.findall(r":exclude-members: (.*)", text)
        assert left_out == (
            [", ".join([*sorted(ninthgeom._SUBMODULES), "__version__"])] if page == "geometry" else []
        )
        values = {
            name
            for name, value in members(module).items()
            if not (inspect.isfunction(value) or inspect.isclass(value))
        }
        listed = [full.rpartition(".")[2] for full in re.findall(r":: (\S+)\n", text)[1:]]
        assert sorted(listed) == sorted(values)


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


@pytest.mark.parametrize("name", sorted(public(inspect.isfunction)))
def test_docstrings_of_functions_have_their_parts(name):
    assert faults(name, CHECKED | {"RT01"} - ({"RT01"} if name.endswith("warm_up") else set())) == []
    assert ">>> " in resolved(name).__doc__ or "See `" in resolved(name).__doc__


@pytest.mark.parametrize("name", sorted(public(inspect.isclass)))
def test_docstrings_of_classes_name_all_fields(name):
    kind = resolved(name)
    # Arguments of what is made by answers, and of enumerations, are no matter of those who read them.
    assert faults(name, CHECKED - {"PR01", "PR02"}) == []
    if is_dataclass(kind):
        told = NumpyDocString(inspect.getdoc(kind))
        named = [
            part.strip()
            for section in ("Parameters", "Attributes")
            for field in told[section]
            for part in field.name.split(",")
        ]
        shown = {field.name for field in fields(kind) if field.repr and not field.name.startswith("_")}
        assert shown <= set(named)


def test_docstrings_of_methods_have_their_parts():
    found = {name: faults(name) for name in methods()}
    assert len(found) > 50
    assert {name: errors for name, errors in found.items() if errors} == {}


def test_the_checks_find_what_they_look_for(monkeypatch):
    def broken(a, b):
        """Return nothing."""

    monkeypatch.setattr(ninthgeom.samplers, "scatter", broken)
    assert {code for code, _ in faults("ninthgeom.samplers.scatter")} == {"PR01"}
    broken.__doc__ = None
    assert {code for code, _ in faults("ninthgeom.samplers.scatter")} == {"GL08"}
