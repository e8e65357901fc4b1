"""Samples in tests that other processes can import, and answers as bits."""

import contextlib
import os
import signal
from pathlib import Path

import numpy as np

#: A job whose last block is shorter than the others.
JOB = {"n": 995, "seed": [3, 1], "job": "normal", "block": 50, "progress": False}


def normal(rng, n):
    values = rng.normal(2.0, [1.0, 3.0], (n, 2))
    return {"value": values, "is_low": values[:, 0] < 1.0}


def dies_once(marker, rng, n):
    """Whichever process comes first does not come back."""
    with contextlib.suppress(FileExistsError):
        Path(marker).touch(exist_ok=False)
        os.kill(os.getpid(), signal.SIGKILL)
    return normal(rng, n)


def dies_in_the_last_block(rng, n):
    if n < JOB["block"]:
        os.kill(os.getpid(), signal.SIGKILL)
    return normal(rng, n)


def fails_in_the_last_block(rng, n):
    if n < JOB["block"]:
        raise ArithmeticError("no luck")
    return normal(rng, n)


def where(rng, n):
    """The process that draws."""
    return np.full(n, os.getpid())


def bits(answer):
    """What must not change, to the last bit."""
    fields = [getattr(answer, name) for name in ("mean", "standard_error", "low", "high")]
    numbers = {
        f"{place}{name}": np.asarray(values).tobytes().hex()
        for place, field in enumerate(fields)
        for name, values in (field if isinstance(field, dict) else {"": field}).items()
    }
    return numbers | {"n": answer.n, "blocks": answer.blocks, "stopped_early": answer.stopped_early}
