"""The wheel holds both packages whole, nothing else, and works where the tree is not."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ANSWER = """
import sys
import ninthgeom, ninthgeom_kernel
assert all(module.__file__.startswith(sys.argv[1]) for module in (ninthgeom, ninthgeom_kernel))
a, b = (ninthgeom.Bases.rect(x, 0.0, width=1.0, depth=1.0) for x in (0.0, 1.0))
print(bool(ninthgeom.in_contact(a, b)))
"""


@pytest.fixture(scope="module")
def wheel(repository, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    done = subprocess.run(build, cwd=repository, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (built,) = folder.glob("*.whl")
    return built


def test_names_are_those_of_the_tree(repository, wheel):
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if ".dist-info/" not in name}
    tree = {
        path.relative_to(parent).as_posix()
        for parent, package in ((repository, "ninthgeom"), (repository / "kernel", "ninthgeom_kernel"))
        for path in (parent / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert packed == tree
    assert {"ninthgeom/py.typed", "ninthgeom_kernel/py.typed", "ninthgeom/scene.schema.json"} <= packed


def test_answers_from_the_unpacked_wheel(wheel, tmp_path, run_python):
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    assert run_python(ANSWER, tmp_path, path=(tmp_path,)).strip() == "True"
