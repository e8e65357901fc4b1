"""A run that is killed again and again at random moments, for `test_kills.py`; needs a process of its own."""

import functools
import json
import os
import random
import shutil
import signal
import sqlite3
import tempfile
import time
import traceback
from pathlib import Path

import numpy as np

from ninthgeom import montecarlo
from tests.montecarlo.work import bits

BLOCKS, STEPS = 100, 4
#: A run is killed when it has taken so many steps at most: twenty such runs are shorter than a whole one.
MOST = 18
#: And up to so long after a step, in seconds; a step, or keeping a block, takes about a thousandth.
AFTER = 0.003


def slow(report, rng, n):
    """Work that says by a byte how far it is."""
    for step in range(STEPS):
        os.write(report, b"b" if step == 0 else b".")
        values = np.sort(rng.normal(size=(n, 200)), axis=0)
    return {"sorted": values, "high": values > 1}


def estimate(report, checkpoint=None):
    sample = functools.partial(slow, report)
    return bits(
        montecarlo.estimate(
            sample, 50 * BLOCKS - 7, seed=11, job="slow", block=50, checkpoint=checkpoint, progress=False
        )
    )


def finished(path):
    """Which blocks a file holds, by a copy of it and its journal: the run itself has to repair the file."""
    with tempfile.TemporaryDirectory() as folder:
        for file in (path, path.with_name(f"{path.name}-journal")):
            if file.exists():
                shutil.copy(file, folder)
        connection = sqlite3.connect(Path(folder, path.name))
        try:
            is_begun = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'blocks'").fetchone()
            rows = connection.execute("SELECT i FROM blocks").fetchall() if is_begun else []
        finally:
            connection.close()
    return {index for (index,) in rows}


def kill(path, steps, after):
    """Run in a child until it has taken so many steps, and kill it; its answer if it was faster."""
    ours, childs = os.pipe()
    answer = path.with_name("answer")
    child = os.fork()
    if not child:
        status = 1
        try:
            os.close(ours)
            answer.write_text(json.dumps(estimate(childs, path)))
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    os.close(childs)
    report = b""
    while len(report) < steps and (more := os.read(ours, steps - len(report))):
        report += more
    time.sleep(after)
    os.kill(child, signal.SIGKILL)
    status = os.waitpid(child, 0)[1]
    while more := os.read(ours, 1 << 16):
        report += more
    os.close(ours)
    if os.WIFSIGNALED(status):
        return report, None
    assert os.WEXITSTATUS(status) == 0, "the run failed"
    return report, json.loads(answer.read_text())


def main(folder, kills, seed):
    """Print as JSON what happened."""
    dice = random.Random(seed)
    with open(os.devnull, "wb") as nowhere:
        expected = estimate(nowhere.fileno())
    answers, held, lost = [], [], 0
    path = Path(folder, "0.ckpt")
    before = set()
    while len(held) < kills:
        # Now and then at once, which is when the file is made or looked at.
        steps = dice.choice((0, dice.randint(1, MOST), dice.randint(1, MOST)))
        _, answer = kill(path, steps, dice.uniform(0, AFTER))
        if answer is not None:  # done before it was killed: that counts for nothing
            answers.append(answer)
            path, before = path.with_name(f"{len(answers)}.ckpt"), set()
            continue
        now = finished(path) if path.exists() else set()
        lost += len(before - now)
        held.append(len(now))
        before = now
    report, answer = kill(path, 1 << 30, 0)
    answers.append(answer)
    print(
        json.dumps(
            {
                "right": [answer == expected for answer in answers],
                "held": held,
                "lost": lost,
                "blocks": BLOCKS,
                "drawn_in_the_end": report.count(b"b"),
                "missing_in_the_end": BLOCKS - len(before),
            }
        )
    )
