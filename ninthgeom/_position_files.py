"""Files of positions, read in parts.

``.npy``
    An array of shape (n, U, 3) with x, y and heading of each unit, inches and radians, of any real type.

``.npz``
    The same under ``positions``, with or without boolean arrays ``present`` of shape (n, U) and ``occupied``
    of shape (n, M); one state of any of them serves all. It is loaded as a whole.

``.parquet`` with a row for each unit in a state
    Columns ``state`` (whole numbers that ascend from 0 without holes), ``unit`` (its name or its index),
    ``x``, ``y`` and ``heading``, and perhaps ``present`` (booleans). The units of a state come in any order.
    A unit without a row is not on the table in that state, nor is one whose ``present`` is false, which needs
    no numbers. So a state without any unit must have a row that says so. A file that has all units in all
    states and no ``present`` says nothing about who is on the table, as is the case with .npy.

``.parquet`` with a row for each state
    Columns ``positions`` (lists of x, y and heading of one unit after another, 3 U numbers) and perhaps
    ``present`` (lists of U booleans), ``occupied`` (lists of M booleans) and ``state`` (the number of the
    row).

Of a Parquet file only the row groups are read that are asked for; a column ``state`` with statistics, as most
programs write them, saves looking for it in all of them. Columns of other names are refused.
"""

from __future__ import annotations

from pathlib import Path

from ninthgeom._position_arrays import ArchiveFile, ArrayFile
from ninthgeom._position_source import PositionFile
from ninthgeom._position_tables import open_table
from ninthgeom.board import Board

__all__ = ["PositionFile", "open_positions"]


def open_positions(path: Path, board: Board) -> PositionFile:
    """Open a file of positions.

    Parameters
    ----------
    path : Path
        The file; its extension tells its kind, see the text of this module.
    board : Board
        The board whose units stand there.

    Returns
    -------
    PositionFile
        A context manager; its `chunk` reads some of its `n_states`.

    Raises
    ------
    ImportError
        If it is a Parquet file and pyarrow is not installed.
    OSError
        If it cannot be opened.
    TypeError, ValueError
        If it is damaged, does not fit the board, or has to be loaded as a whole and is too large; the message
        begins with the path.

    Examples
    --------
    >>> import tempfile
    >>> import numpy as np
    >>> from ninthgeom import Board, Unit
    >>> board = Board([Unit("a", (20, 20)), Unit("b", (20, 20))])
    >>> with tempfile.TemporaryDirectory() as place:
    ...     np.save(Path(place, "states.npy"), np.arange(60.0).reshape(10, 2, 3))
    ...     with open_positions(Path(place, "states.npy"), board) as file:
    ...         print(file.n_states, file.chunk(4, 5)["positions"].tolist())
    10 [[[24.0, 25.0, 26.0], [27.0, 28.0, 29.0]]]
    """
    if path.suffix == ".npy":
        return ArrayFile(path, board)
    if path.suffix == ".npz":
        return ArchiveFile(path, board)
    if path.suffix == ".parquet":
        return open_table(path, board)
    got = repr(path.suffix) if path.suffix else "no extension"
    raise ValueError(f"{path}: positions are read from .npy, .npz or .parquet, got {got}")
