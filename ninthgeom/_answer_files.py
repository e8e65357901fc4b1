"""Files of answers, written as the answers come.

The kind of file is told by its path; states are numbered from 0 in the order of the positions.

A folder, for a path without extension
    One ``.npy`` file for each array, which ``numpy.load`` reads at all times, also with ``mmap_mode``: while
    it grows, it has the states of the last commit. Arrays of the unit questions have the axes (state,
    observer, target); columns of contacts and attack rights have one axis, and their numbers of states are
    those of the whole file. ``answers.json`` holds the names along the axes, what the answers depend on, the
    number of states that are done, and whether that is all. An evaluation that ended early is continued
    after the last commit.

A folder of Parquet files, for a path that ends in ``.parquet``
    A data set, as pandas, pyarrow, dask and others read it, of files ``part-000000.parquet`` and on. It has
    one row for each state and ordered pair of two different units, sorted by state, then by observer and
    target as they were asked for: ``state`` (int64), ``observer`` and ``target`` (text, as a dictionary),
    and, where they were asked for, ``distance`` (float64, infinite where one of the two is not on the table),
    ``contact`` (bool), ``inside_arc`` and ``located_arc`` (uint8: front 1, left 2, rear 4, right 8, which add
    up) and ``sight`` (bool). ``_answers.json`` is its manifest, which those readers leave out. It is
    continued like the other folder. Rows belong to whole states only.

``.npz`` and ``.json``
    One file with an entry for each sequence of names and for each array. All answers are held in memory until
    the last one is there, and nothing can be continued. JSON has no infinity: such a distance is null.

While a process writes to a folder, another one that wants to is refused.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from ninthgeom import _answer_whole
from ninthgeom._answer_arrays import ArraysWriter
from ninthgeom._answer_plan import AnswerPlan, AnswerWriter
from ninthgeom._answer_tables import TablesWriter

__all__ = ["AnswerPlan", "AnswerWriter", "check_answers_path", "open_answers"]

_TABLES: Final = ".parquet"


def check_answers_path(path: Path, *, resume: bool = False) -> None:
    """Raise unless the path tells a kind of file that can be written, and continued if that is asked for.

    Raises
    ------
    ValueError
        If it does not.
    """
    if path.suffix in _answer_whole.SUFFIXES:
        if resume:
            raise ValueError(
                f"{path}: --resume: only a folder of answers can be continued, no {path.suffix} file"
            )
    elif path.suffix not in ("", _TABLES):
        raise ValueError(
            f"{path}: answers are written as .npz or .json, as a folder (no extension) or as .parquet, "
            f"got {path.suffix!r}"
        )


def open_answers(path: Path, plan: AnswerPlan, *, resume: bool = False) -> AnswerWriter:
    """Begin a file of answers, or continue one.

    Parameters
    ----------
    path : Path
        Where to write; its extension tells the kind of file, see the text of this module.
    plan : AnswerPlan
        What will be written.
    resume : bool
        Go on after what is safe there; start where nothing is there.

    Returns
    -------
    AnswerWriter
        A context manager. Go on after its `done` states; nothing is left to do if it is `complete`.

    Raises
    ------
    ImportError
        If Parquet is asked for and pyarrow is not installed.
    OSError
        If nothing can be written there; `FileExistsError` if there is something already and `resume` is
        False, `BlockingIOError` if another process writes there.
    ValueError
        If the answers that are there are those of another evaluation or damaged, if the answers cannot be
        kept in such a file, or if they do not fit into memory.

    Examples
    --------
    >>> import tempfile
    >>> import numpy as np
    >>> plan = AnswerPlan(n_states=3, names={"observers": ["a"]}, fields={"seen": (np.bool_, (1,))})
    >>> with tempfile.TemporaryDirectory() as place:
    ...     folder = Path(place, "answers")
    ...     with open_answers(folder, plan) as writer:
    ...         writer.write({"seen": np.array([[True], [False]])})
    ...         writer.commit({"so far": 1})
    ...     with open_answers(folder, plan, resume=True) as writer:
    ...         print(writer.done, writer.carried)
    ...         writer.write({"seen": np.array([[True]])})
    ...         writer.finish({"so far": 2})
    ...     np.load(folder / "seen.npy").tolist()
    2 {'so far': 1}
    [[True], [False], [True]]
    """
    check_answers_path(path, resume=resume)
    if path.suffix in _answer_whole.SUFFIXES:
        return _answer_whole.WholeWriter(path, plan)
    kind = TablesWriter if path.suffix == _TABLES else ArraysWriter
    return kind(path, plan, resume=resume)
