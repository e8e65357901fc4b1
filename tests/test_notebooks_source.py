"""The notebooks as they are kept: without outputs, in order, public names only. Documents execute them."""

import ast
import re
from pathlib import Path

import nbformat
import pytest

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
PATHS = sorted(NOTEBOOKS.glob("*.ipynb"))


def code_of(notebook):
    return "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")


def test_they_are_numbered():
    assert [path.name[:3] for path in PATHS] == [f"{n:02d}_" for n in range(1, len(PATHS) + 1)]
    assert len(PATHS) == 6


def test_pages_name_all_of_them():
    contents = (NOTEBOOKS / "README.md").read_text(), (NOTEBOOKS.parent / "docs" / "index.md").read_text()
    for path in PATHS:
        assert all(path.stem in text for text in contents)


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_they_are_kept_without_outputs(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            assert cell.outputs == []
            assert cell.execution_count is None
        assert not cell.metadata
    assert notebook.metadata.kernelspec.name == "python3"
    assert len({cell.id for cell in notebook.cells}) == len(notebook.cells)


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_they_are_told(path):
    cells = nbformat.read(path, as_version=4).cells
    assert re.match(r"# \w", cells[0].source)
    assert cells[0].cell_type == "markdown"
    assert len(cells) <= 25
    assert sum(cell.cell_type == "markdown" for cell in cells) >= len(cells) / 3


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_they_use_public_names_only(path):
    tree = ast.parse(code_of(nbformat.read(path, as_version=4)))
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            assert not re.match("_[^_]", node.attr)
        if isinstance(node, ast.ImportFrom):
            assert not any(part.startswith("_") for part in node.module.split("."))
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            assert not node.value.startswith("/")


def test_claims_are_asserted():
    for path in PATHS:
        assert "assert " in code_of(nbformat.read(path, as_version=4)), path.name
