"""How often do units see each other if they stand a little off? On one core, on all, or on a cluster.

    python examples/estimate_sight.py examples/sample.json --n 100000 --workers 4 --checkpoint sight.ckpt
    python examples/estimate_sight.py examples/sample.json --n 100000 --scheduler tcp://localhost:8786

The answer does not depend on where it is computed, nor on interruptions: the same command goes on from the
checkpoint.
"""

import argparse
import math
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from ninthgeom import montecarlo, read_scene, samplers, t9a


def sight(scene, distance, angle, rng, n):
    """Who sees whom in n random states, shape (n, U, U); at the top of a module, where processes find it."""
    states = samplers.pose_jitter(rng, scene, n, distance=distance, angle=angle)
    return t9a.line_of_sight(scene.board, states, present=scene.present, occupied=scene.occupied)


def main():
    """Read the command line, estimate, print a line for each pair."""
    parser = argparse.ArgumentParser(description="Estimate how often units see each other.")
    parser.add_argument("scene", type=Path)
    parser.add_argument("--n", type=int, default=10_000, help="number of states, 10000 if not given")
    parser.add_argument("--block", type=int, default=1_000, help="states that a worker takes at a time")
    parser.add_argument("--jitter", type=float, default=1.0, help="how far units move at most, in inches")
    parser.add_argument("--turn", type=float, default=15.0, help="how far they turn at most, in degrees")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--checkpoint", help="file that keeps finished blocks")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--workers", type=int, default=1, help="number of processes")
    where.add_argument("--scheduler", metavar="ADDRESS", help="of a cluster of dask")
    options = parser.parse_args()

    scene = read_scene(options.scene)
    # A checkpoint belongs to a job of this name: it names all that the states depend on.
    job = f"sight in {scene.digest()[:16]}, {options.jitter} inches, {options.turn} degrees"
    with ExitStack() as stack:
        executor = None
        if options.scheduler:
            from distributed import Client  # pip install 'ninthgeom[dask]'

            client = stack.enter_context(Client(options.scheduler))
            client.wait_for_workers(1, timeout=60)
            executor = client.get_executor()
        elif options.workers > 1:
            spawn = multiprocessing.get_context("spawn")
            executor = stack.enter_context(ProcessPoolExecutor(options.workers, spawn))
        answer = montecarlo.estimate(
            partial(sight, scene, options.jitter, math.radians(options.turn)),
            options.n,
            seed=options.seed,
            job=job,
            block=options.block,
            executor=executor,
            checkpoint=options.checkpoint,
        )
    names = scene.board.names
    for i, observer in enumerate(names):
        for j, target in enumerate(names):
            if i != j:
                interval = f"({answer.low[i, j]:.2%} to {answer.high[i, j]:.2%})"
                print(f"{answer.mean[i, j]:7.2%} {interval:20} {observer} sees {target}")


if __name__ == "__main__":
    main()
