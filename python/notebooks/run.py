"""Runs the notebooks: ``python run.py`` checks that they do, ``python run.py --write`` also stores their pictures."""

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient


def run(file: Path, write: bool) -> None:
    notebook = nbformat.read(file, as_version=4)
    NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    pictures = sum(
        "image/png" in output.get("data", {})
        for cell in notebook.cells
        for output in cell.get("outputs", [])
    )
    print(f"{file.name}: {len(notebook.cells)} cells, {pictures} pictures")
    if not pictures:
        sys.exit(f"{file.name}: has no pictures")
    if write:
        for cell in notebook.cells:
            # Times and the number of runs would change at each run.
            cell.metadata.pop("execution", None)
        nbformat.write(notebook, file)


if __name__ == "__main__":
    for found in sorted(Path(__file__).parent.glob("*.ipynb")):
        run(found, "--write" in sys.argv[1:])
