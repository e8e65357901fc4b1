"""Rows: the sparse form of answers."""

import copy
import pickle
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from ninthgeom import Rows


@pytest.fixture
def rows():
    return Rows(
        {"state": [0, 0, 3, 5], "model": np.array([4, 7, 4, 2], np.int32), "far": [0.5, 1, 2, 3]}, (2, 3)
    )


def test_columns_are_attributes_in_the_order_given(rows):
    assert len(rows) == 4
    assert rows.shape == (2, 3)
    assert rows.n_states == 6
    assert list(rows.columns) == ["state", "model", "far"]
    assert rows.state.tolist() == [0, 0, 3, 5]
    assert rows.model.dtype == np.int32
    assert rows.far.tolist() == [0.5, 1.0, 2.0, 3.0]
    assert rows.columns["model"] is rows.model
    assert {"state", "model", "far", "indptr", "for_state"} <= set(dir(rows))


def test_indptr_delimits_the_rows_of_every_state(rows):
    assert rows.indptr.tolist() == [0, 2, 2, 2, 3, 3, 4]
    for i in range(6):
        part = slice(rows.indptr[i], rows.indptr[i + 1])
        assert (rows.state[part] == i).all()
        assert rows.for_state(i) == rows[part]
    assert rows.for_state(3).model.tolist() == [4]
    assert rows.for_state(np.int64(0)).model.tolist() == [4, 7]
    assert rows.for_state((1, 2)) == rows.for_state(5)
    assert rows.for_state((1, 2)).shape == (2, 3)
    assert len(rows.for_state(1)) == 0


@pytest.mark.parametrize("state", [-1, 6, (0, 3), (2, 0), (1,), (0, 0, 0), ()])
def test_states_that_are_not_there(rows, state):
    with pytest.raises(IndexError, match="no state"):
        rows.for_state(state)


@pytest.mark.parametrize("state", [1.0, "1", True, (0, 1.0), None])
def test_states_are_integers(rows, state):
    with pytest.raises(TypeError, match="state must be an integer"):
        rows.for_state(state)


def test_one_state_without_leading_axes():
    rows = Rows({"state": [0, 0], "model": [1, 2]}, ())
    assert rows.n_states == 1
    assert rows.indptr.tolist() == [0, 2]
    assert rows.for_state(()) == rows.for_state(0) == rows


@pytest.mark.parametrize("shape", [(0,), (4,), (3, 0)])
def test_nothing(shape):
    rows = Rows({"state": [], "model": []}, shape)
    assert len(rows) == 0
    assert rows.state.dtype == np.intp
    assert rows.indptr.tolist() == [0] * (np.prod(shape) + 1)


def test_masks_and_slices_choose_rows(rows):
    chosen = rows[rows.model == 4]
    assert chosen == Rows({"state": [0, 3], "model": [4, 4], "far": [0.5, 2.0]}, (2, 3))
    assert rows[[False, True, False, False]].far.tolist() == [1.0]
    assert rows[1:3].state.tolist() == [0, 3]
    assert rows[::2].state.tolist() == [0, 3]
    with pytest.raises(ValueError, match="stay in their order"):
        rows[::-1]
    with pytest.raises(TypeError, match="mask or a slice"):
        rows[[0, 1]]
    with pytest.raises(TypeError, match="mask or a slice"):
        rows["model"]
    with pytest.raises(ValueError, match=r"shape \(4,\), got \(3,\)"):
        rows[[True, True, True]]
    with pytest.raises(TypeError, match="not iterable"):
        list(rows)


def test_rows_are_read_only_and_keep_their_own_copy():
    model = np.array([1, 2])
    rows = Rows({"state": [0, 1], "model": model}, (2,))
    model[0] = 9
    assert rows.model.tolist() == [1, 2]
    for column in (rows.state, rows.model, rows.indptr, rows[[True, False]].model):
        with pytest.raises(ValueError, match="read-only"):
            column[0] = 3
    with pytest.raises(AttributeError, match="read-only"):
        rows.model = model
    with pytest.raises(TypeError):
        rows.columns["model"] = model


def test_unknown_columns(rows):
    message = "no column or attribute 'target'; columns are state, model, far"
    with pytest.raises(AttributeError, match=message):
        _ = rows.target
    assert not hasattr(rows, "_private")


def test_equality_compares_values(rows):
    assert rows == Rows(dict(rows.columns), (2, 3))
    assert rows != Rows(dict(rows.columns), (6,))
    assert rows != rows[:3]
    assert rows != Rows({name: rows.columns[name] for name in ("state", "far", "model")}, (2, 3))
    assert rows != 1
    with pytest.raises(TypeError, match="unhashable"):
        hash(rows)


@pytest.mark.parametrize("clone", [copy.copy, copy.deepcopy, lambda r: pickle.loads(pickle.dumps(r))])
def test_copies(rows, clone):
    again = clone(rows)
    assert again == rows
    assert again.indptr.tolist() == rows.indptr.tolist()
    with pytest.raises(ValueError, match="read-only"):
        again.model[0] = 1


def test_repr_is_short(rows):
    assert repr(rows[:1]) == "<Rows: 1 in 6 states, state=[0], model=[4], far=[0.5]>"
    many = Rows({"state": np.arange(1000)}, (1000,))
    assert repr(many) == "<Rows: 1000 in 1000 states, state=[  0,   1, ..., 998, 999]>"


@pytest.mark.parametrize(
    ("columns", "shape", "error", "message"),
    [
        ({"model": [1]}, (1,), ValueError, "a column 'state', got model"),
        ({}, (1,), ValueError, "a column 'state', got none"),
        ({"state": [0], "model": [1, 2]}, (1,), ValueError, "model has 2, state 1 rows"),
        ({"state": [0], "model": [[1]]}, (1,), ValueError, r"model has shape \(1, 1\)"),
        ({"state": 0}, (1,), ValueError, r"state has shape \(\)"),
        ({"state": [0, 2]}, (2,), ValueError, r"state\[1\] must be from 0 to 1, got 2"),
        ({"state": [-1]}, (2,), ValueError, r"state\[0\] must be from 0 to 1, got -1"),
        ({"state": [0, 2, 1]}, (3,), ValueError, r"sorted, got 2 before 1 at state\[2\]"),
        ({"state": [0.0]}, (1,), TypeError, "integers, got dtype float64"),
        ({"state": [0], "columns": [1]}, (1,), ValueError, "cannot be named 'columns'"),
        ({"state": [0], "a b": [1]}, (1,), ValueError, "cannot be named 'a b'"),
    ],
)
def test_columns_are_checked(columns, shape, error, message):
    with pytest.raises(error, match=message):
        Rows(columns, shape)


def test_pandas_is_asked_for_by_name_where_it_is_missing(rows, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="pip install pandas"):
        rows.to_pandas()


def test_pandas_gets_the_columns(rows, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", SimpleNamespace(DataFrame=lambda columns: columns))
    frame = rows.to_pandas()
    assert list(frame) == ["state", "model", "far"]
    assert frame["model"].tolist() == [4, 7, 4, 2]
