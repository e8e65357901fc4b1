"""Execute the notebooks and write copies with all outputs: ``python -m docs.run_notebooks FOLDER``."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
SECONDS = 60


def main() -> None:
    """Execute each in its own folder; what fails ends the run with the error of its cell."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        start = time.monotonic()
        NotebookClient(notebook, timeout=SECONDS, resources={"metadata": {"path": str(NOTEBOOKS)}}).execute()
        seconds = time.monotonic() - start
        nbformat.write(notebook, folder / path.name)
        print(f"{folder / path.name}: {seconds:.1f} s", flush=True)
        if seconds > SECONDS:  # the limit above is one for each cell
            sys.exit(f"{path.name} took longer than {SECONDS} s")


if __name__ == "__main__":
    main()
