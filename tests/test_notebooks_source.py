"""The notebooks as they are kept: without outputs, public names only. The documents run them."""

import ast
import importlib
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import nbformat
import pytest

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
PATHS = sorted(NOTEBOOKS.glob("*.ipynb"))
CELLS = 25
WIDTH = 150
NUMBERED = re.compile(r"(\d\d)_[a-z_]+")
ABSOLUTE = re.compile(r"~|/|\\|[A-Za-z]:[\\/]|file:")
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}

every_notebook = pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)


def _read(path: Path) -> Any:
    return nbformat.reads(path.read_text(encoding="utf-8"), as_version=4)  # type: ignore[no-untyped-call]


def _cells(path: Path, kind: str) -> list[Any]:
    return [cell for cell in _read(path).cells if cell.cell_type == kind]


def _trees(path: Path) -> list[ast.Module]:
    """What each cell says; magics of notebooks are no Python, and fail here."""
    return [ast.parse(cell.source) for cell in _cells(path, "code")]


def _nodes(trees: list[ast.Module]) -> list[ast.AST]:
    return [node for tree in trees for node in ast.walk(tree)]


def underscored(trees: list[ast.Module]) -> list[str]:
    """Return attributes and imported names that begin with an underscore, what Python itself calls aside."""
    names: list[str] = []
    for node in _nodes(trees):
        if isinstance(node, ast.Attribute):
            names.append(node.attr)
        elif isinstance(node, ast.ImportFrom):
            names += [*(node.module or "").split("."), *(alias.name for alias in node.names)]
        elif isinstance(node, ast.Import):
            names += [part for alias in node.names for part in alias.name.split(".")]
    return [name for name in names if name.startswith("_") and not name.endswith("__")]


def _public(module: ModuleType) -> set[str]:
    """Return the names of ``__all__``; a module without has those that it defines itself."""
    own = (
        name for name, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__
    )
    return set(getattr(module, "__all__", own))


def unknown(trees: list[ast.Module]) -> list[str]:
    """Return what is taken from modules of ninthgeom and is not public there."""
    modules: dict[str, ModuleType] = {}
    found: list[str] = []

    def member(module: ModuleType, name: str) -> Any:
        if name.startswith("_") or name not in _public(module):
            found.append(f"{module.__name__}.{name}")
        return getattr(module, name, None)

    def resolved(node: ast.expr) -> Any:
        if isinstance(node, ast.Name):
            return modules.get(node.id)
        if isinstance(node, ast.Attribute):
            owner = resolved(node.value)
            return member(owner, node.attr) if isinstance(owner, ModuleType) else None
        return None

    for node in _nodes(trees):
        if isinstance(node, ast.Import):
            own = (alias for alias in node.names if alias.name.split(".")[0] == "ninthgeom")
            for alias in own:
                top = alias.name if alias.asname else "ninthgeom"
                modules[alias.asname or top] = importlib.import_module(top)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "ninthgeom":
            for alias in node.names:
                value = member(importlib.import_module(str(node.module)), alias.name)
                if isinstance(value, ModuleType):
                    modules[alias.asname or alias.name] = value
    for node in _nodes(trees):
        if isinstance(node, ast.Attribute):
            resolved(node)
    return found


def absolute_paths(trees: list[ast.Module]) -> list[str]:
    """Return texts that begin as a path that exists on one machine only."""
    texts = (node.value for node in _nodes(trees) if isinstance(node, ast.Constant))
    return [text for text in texts if isinstance(text, str) and len(text) > 1 and ABSOLUTE.match(text)]


def test_they_are_numbered() -> None:
    numbers = [NUMBERED.fullmatch(path.stem) for path in PATHS]
    assert [found and int(found[1]) for found in numbers] == list(range(1, len(PATHS) + 1))
    assert len(PATHS) >= 6


def test_pages_name_each() -> None:
    stems = [path.stem for path in PATHS]
    overview = (NOTEBOOKS / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"\((\w+)\.ipynb\)", overview) == stems
    index = (NOTEBOOKS.parent / "docs" / "index.md").read_text(encoding="utf-8")
    assert [stem for stem in stems if f"notebooks/{stem}" not in index] == []


@every_notebook
def test_it_is_kept_without_outputs(path: Path) -> None:
    notebook = _read(path)
    nbformat.validate(notebook)
    assert (notebook.nbformat, notebook.metadata) == (4, METADATA)
    assert [cell.id for cell in notebook.cells] == [f"cell-{k:02d}" for k in range(len(notebook.cells))]
    for cell in notebook.cells:
        assert cell.metadata == {}
        assert cell.source.strip()
        assert cell.get("outputs", []) == []
        assert cell.get("execution_count") is None
    # As nbformat writes it, so that saving it anew changes nothing else.
    written: str = nbformat.writes(notebook)  # type: ignore[no-untyped-call]
    assert path.read_text(encoding="utf-8") == written + "\n"


@every_notebook
def test_it_tells_a_story(path: Path) -> None:
    notebook = _read(path)
    assert len(notebook.cells) <= CELLS
    first = notebook.cells[0]
    assert first.cell_type == "markdown"
    assert re.match(r"# \S", first.source)
    assert len(_cells(path, "markdown")) >= len(notebook.cells) / 3
    text = [line for cell in _cells(path, "markdown") for line in cell.source.splitlines()]
    assert sum(line.startswith("# ") for line in text) == 1
    assert max(map(len, text)) <= WIDTH
    assert any(isinstance(node, ast.Assert) for node in _nodes(_trees(path)))


@every_notebook
def test_it_uses_public_names_only(path: Path) -> None:
    trees = _trees(path)
    assert underscored(trees) == []
    assert unknown(trees) == []


@every_notebook
def test_it_runs_anywhere_and_hides_nothing(path: Path) -> None:
    assert absolute_paths(_trees(path)) == []
    source = "\n".join(cell.source for cell in _cells(path, "code"))
    assert not re.search(r"warnings|seed\(\)|default_rng\(\)|np\.random\.(?!default_rng)", source)


def test_the_checks_find_what_they_look_for() -> None:
    tree = [ast.parse("import ninthgeom as ng\nfrom ninthgeom import t9a\nng.Bases.rect(0, 0)\nt9a.Rules.x")]
    assert (underscored(tree), unknown(tree), absolute_paths(tree)) == ([], [], [])
    tree = [
        ast.parse("import ninthgeom as ng\nfrom ninthgeom import t9a\nfrom ninthgeom._rings import signed"),
        ast.parse("ng.t9a.nowhere\nt9a._seeing\nng.Board().x._y\nopen('/etc/hosts')\n'C:/x', '../x', 'a/b'"),
    ]
    assert underscored(tree) == ["_rings", "_seeing", "_y"]
    assert {"ninthgeom._rings.signed", "ninthgeom.t9a.nowhere", "ninthgeom.t9a._seeing"} <= set(unknown(tree))
    assert absolute_paths(tree) == ["/etc/hosts", "C:/x"]
