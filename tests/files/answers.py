"""Made-up answers for small battles, and what writes them in chunks."""

import json
from itertools import pairwise

import numpy as np

from ninthgeom._answer_files import AnswerPlan, open_answers

UNITS = ["Speerträger", "knights [1]", "giant"]
DISTANCE, CONTACT, ARC = np.dtype(np.float64), np.dtype(np.bool_), np.dtype(np.uint8)


def answers(n, observers=2, targets=3, seed=5):
    """Arrays of n states, and columns of contacts, none of them in some states."""
    rng = np.random.default_rng(seed)
    shape = (n, observers, targets)
    dense = {
        "distance": np.where(rng.random(shape) < 0.2, np.inf, rng.random(shape)),
        "contact": rng.random(shape) < 0.5,
        "inside_arc": rng.integers(0, 16, shape, np.uint8),
    }
    state = np.sort(rng.integers(0, max(n, 1), 3 * n))
    sparse = {"contact_state": state, "contact_model": rng.integers(0, 99, 3 * n)}
    return dense, sparse


def plan_of(dense, sparse=None, n_states=None, observers=None, **identity):
    shapes = {name: (array.dtype, array.shape[1:]) for name, array in dense.items()}
    n, count = next(iter(dense.values())).shape[:2]
    return AnswerPlan(
        n_states=n if n_states is None else n_states,
        names={"observers": UNITS[:count] if observers is None else observers, "targets": UNITS},
        fields=shapes,
        rows={name: column.dtype for name, column in (sparse or {}).items()},
        identity={"version": "1.0", "scene": {"digest": "abc", "units": UNITS}, "questions": ["distance"]}
        | identity,
    )


def part(dense, sparse, start, stop):
    """What belongs to states from start to stop."""
    rows = {}
    if sparse:
        own = (sparse["contact_state"] >= start) & (sparse["contact_state"] < stop)
        rows = {name: column[own] for name, column in sparse.items()}
    return {name: array[start:stop] for name, array in dense.items()}, rows


def run(path, plan, dense, sparse, edges, *, resume=False, commits=True):
    """Write all answers that are missing, chunk by chunk; return the number of states that were there."""
    with open_answers(path, plan, resume=resume) as writer:
        done = writer.done
        if writer.complete:
            return done
        assert done == 0 or (done in edges and writer.carried == {"sum": carried(dense, done)})
        for start, stop in pairwise(edges):
            if start >= done:
                arrays, rows = part(dense, sparse, start, stop)
                writer.write(arrays, rows)
                if commits:
                    writer.commit({"sum": carried(dense, stop)})
        writer.finish({"sum": carried(dense, edges[-1])})
    return done


def carried(dense, stop):
    """A number that has to survive bit for bit."""
    distance = dense["distance"][:stop]
    return float(distance[np.isfinite(distance)].sum() / 3)


def contents(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def manifest(folder):
    (path,) = folder.glob("*answers.json")
    return json.loads(path.read_text())
