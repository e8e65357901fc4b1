"""A real cluster of dask, two processes on the loopback interface: the same bits, whatever dies."""

import functools
import gc
import multiprocessing
import threading
import time
from concurrent.futures import BrokenExecutor, CancelledError

import pytest

from ninthgeom.montecarlo import estimate
from tests.montecarlo import work

distributed = pytest.importorskip("distributed", reason="the extra ninthgeom[dask] is not installed")

PATIENCE = 60.0


def slow(rng, n):
    time.sleep(0.05)
    return work.normal(rng, n)


@pytest.fixture(scope="module")
def expected():
    return work.bits(estimate(work.normal, **work.JOB))


@pytest.fixture(scope="module")
def cluster():
    before = set(multiprocessing.active_children())
    with distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        dashboard_address=None,
        # Even without a dashboard it serves its state, on a port that only one cluster can have.
        scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},
    ) as cluster:
        yield cluster
    gc.collect()  # what was not closed warns now, and every warning is an error
    assert set(multiprocessing.active_children()) <= before


@pytest.fixture(scope="module")
def client(cluster):
    with distributed.Client(cluster) as client:
        yield client


@pytest.fixture
def executor(client):
    """Executor of a cluster with two living workers, which has forgotten everything in the end."""
    client.wait_for_workers(2, timeout=PATIENCE)
    yield client.get_executor()
    gc.collect()
    start = time.monotonic()
    while client.futures or client.cluster.scheduler.tasks:
        assert time.monotonic() < start + PATIENCE, "blocks were left on the cluster"
        time.sleep(0.01)


@pytest.fixture
def allowed_failures(cluster):
    """Let the cluster itself try so often again; put back in the end."""
    usual = cluster.scheduler.allowed_failures

    def allow(times):
        cluster.scheduler.allowed_failures = times

    yield allow
    allow(usual)


def test_a_cluster_gives_the_same_bits(executor, expected):
    assert work.bits(estimate(work.normal, **work.JOB, executor=executor)) == expected


def test_the_work_is_done_by_the_workers(executor, client):
    answer = estimate(work.where, **work.JOB, executor=executor)
    workers = client.run(work.pid).values()
    assert min(workers) <= answer.mean <= max(workers)


def test_lambdas_and_a_checkpoint(executor, expected, tmp_path):
    kept = {"checkpoint": tmp_path / "checkpoint"}
    with pytest.raises(ArithmeticError, match="no luck"):
        estimate(work.fails_in_the_last_block, **work.JOB, **kept)
    sample = lambda rng, n: {**work.normal(rng, n)}  # noqa: E731 - the point of it
    assert work.bits(estimate(sample, **work.JOB, **kept, executor=executor)) == expected


def test_an_error_of_the_sample_comes_back_as_it_is(executor, expected):
    with pytest.raises(ArithmeticError, match="no luck") as caught:
        estimate(work.fails_in_the_last_block, **work.JOB, executor=executor)
    assert "block 19" in " ".join(caught.value.__notes__)
    assert work.bits(estimate(work.normal, **work.JOB, executor=executor)) == expected


def test_an_early_stop_leaves_nothing_on_the_cluster(executor, caplog):
    wish = {"half_width": {"is_low": 0.1}}
    answer = estimate(work.normal, **work.JOB, **wish, executor=executor)
    assert answer.stopped_early
    assert 0 < answer.blocks < 19
    assert work.bits(answer) == work.bits(estimate(work.normal, **work.JOB, **wish))
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


@pytest.mark.parametrize("times", [3, 0], ids=["the cluster tries again", "ninthgeom tries again"])
def test_a_dead_worker_costs_nothing_but_time(executor, allowed_failures, expected, tmp_path, times):
    allowed_failures(times)
    sample = functools.partial(work.dies_once, str(tmp_path / "marker"))
    kept = {"checkpoint": tmp_path / "checkpoint"}
    assert work.bits(estimate(sample, **work.JOB, **kept, executor=executor)) == expected
    assert (tmp_path / "marker").exists()
    assert work.bits(estimate(work.normal, **work.JOB, **kept)) == expected


def test_a_block_that_kills_every_worker_is_named(executor, allowed_failures, expected, tmp_path):
    allowed_failures(0)
    kept = {"checkpoint": tmp_path / "checkpoint"}
    with pytest.raises(distributed.scheduler.KilledWorker) as caught:
        estimate(work.dies_in_the_last_block, **work.JOB, **kept, executor=executor, retries=1)
    assert "worker of block 19 died, 2 times" in " ".join(caught.value.__notes__)
    assert work.bits(estimate(work.normal, **work.JOB, **kept)) == expected


def test_a_client_that_is_closed_meanwhile_ends_the_call(cluster, tmp_path):
    mine = distributed.Client(cluster)
    executor = mine.get_executor()
    mine.wait_for_workers(2, timeout=PATIENCE)
    threading.Timer(0.3, mine.close).start()
    # Which error it is depends on what the client was at.
    with pytest.raises((RuntimeError, CancelledError, distributed.client.ClosedClientError, OSError)):
        estimate(slow, **work.JOB | {"n": 10**6}, executor=executor)
    while mine.status != "closed":
        time.sleep(0.01)
    with pytest.raises(RuntimeError, match="the client that the executor belongs to is closed"):
        estimate(work.normal, **work.JOB, executor=executor)


@pytest.mark.parametrize("kind", [CancelledError, BrokenExecutor])
def test_errors_of_a_sample_that_look_like_deaths_are_its_own(executor, kind):
    def fails(rng, n):
        raise kind("mine")

    with pytest.raises(kind, match="mine") as caught:
        estimate(fails, **work.JOB, executor=executor)
    assert caught.value.__notes__[-2] == "in block 0"


def test_a_client_is_no_executor(client):
    with pytest.raises(TypeError, match=r"executor: .*get_executor\(\)"):
        estimate(work.normal, **work.JOB, executor=client)


def test_the_example_on_a_cluster(executor, cluster, sight_example, sight_alone):
    assert sight_example("--scheduler", cluster.scheduler_address) == sight_alone
