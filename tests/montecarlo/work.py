"""Samples in tests that other processes can import, and answers as bits."""

import contextlib
import multiprocessing
import os
import signal
import time
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


def dies_in_block_1(deaths, times, patience, rng, n):
    """Block 1 dies so many times; block 0 does not end before it has died `patience` times."""
    block = rng.bit_generator.seed_seq.spawn_key[0]
    path = Path(deaths)
    died = path.stat().st_size if path.exists() else 0
    if block == 0:
        if died < patience:
            signal.pause()
        time.sleep(0.3)  # for the next one, if they are still side by side
    if block == 1 and died < times:
        with path.open("ab") as stream:
            stream.write(b".")
        os.kill(os.getpid(), signal.SIGKILL)
    return normal(rng, n)


def fails_in_the_last_block(rng, n):
    if n < JOB["block"]:
        raise ArithmeticError("no luck")
    return normal(rng, n)


def where(rng, n):
    """The process that draws."""
    return np.full(n, os.getpid())


def pid():
    return os.getpid()


def sign(folder):
    """Leave a file that tells of this process."""
    Path(folder, f"{os.getpid()}.{type(multiprocessing.current_process()).__name__}").touch()


def bits(answer):
    """What must not change, to the last bit."""
    fields = [getattr(answer, name) for name in ("mean", "standard_error", "low", "high")]
    numbers = {
        f"{place}{name}": np.asarray(values).tobytes().hex()
        for place, field in enumerate(fields)
        for name, values in (field if isinstance(field, dict) else {"": field}).items()
    }
    return numbers | {"n": answer.n, "blocks": answer.blocks, "stopped_early": answer.stopped_early}
