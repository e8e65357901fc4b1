"""A real cluster of dask: two worker processes on the loopback interface."""

import functools
import warnings

import pytest

from ninthgeom.montecarlo import estimate
from tests.montecarlo import work

distributed = pytest.importorskip("distributed", reason="the extra ninthgeom[dask] is not installed")


@pytest.fixture(scope="module")
def expected():
    return work.bits(estimate(work.normal, **work.JOB))


@pytest.fixture(scope="module")
def cluster():
    with distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        dashboard_address=None,
    ) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def client(cluster):
    with distributed.Client(cluster) as client:
        yield client


def test_same_bits(client, expected):
    assert work.bits(estimate(work.normal, **work.JOB, executor=client.get_executor())) == expected


def test_lambda(client, expected, tmp_path):
    answer = estimate(
        lambda rng, n: work.normal(rng, n),
        **work.JOB,
        executor=client.get_executor(),
        checkpoint=tmp_path / "a",
    )
    assert work.bits(answer) == expected


@pytest.mark.parametrize("allowed", [3, 0])
def test_dead(client, cluster, expected, tmp_path, allowed):
    cluster.scheduler.allowed_failures = allowed
    answer = estimate(
        functools.partial(work.dies_once, str(tmp_path / "m")),
        **work.JOB,
        executor=client.get_executor(),
        checkpoint=tmp_path / "a",
    )
    assert (tmp_path / "m").exists()
    assert work.bits(answer) == expected
