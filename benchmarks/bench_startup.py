"""The import and the first answers of fresh processes."""

import pytest

from benchmarks.rows import Row
from benchmarks.startup import CONTACT, SIGHT, compile_seconds, start

# Processor seconds of numpy and numba imported, on the machine the aims were set on.
IMPORTS = 0.35


@pytest.fixture(scope="module")
def cache(request, tmp_path_factory):
    """Empty at first; as a mere test each question runs with the kernels there are, or it would take long."""
    # Not "benchmark_disable", which pyproject.toml sets for all runs.
    return tmp_path_factory.mktemp("kernels") if request.config.getoption("benchmark_enable") else None


@pytest.fixture(scope="module")
def slowness(cache):
    """How much longer than there imports take here and now, at least 1."""
    return max(1.0, min(start("import numba", cache).processor for _ in range(2)) / IMPORTS)


def compiled(cache):
    """How many kernels are in the cache."""
    return len(list(cache.rglob("*.nbc"))) if cache else 0


@pytest.mark.benchmark(group="Fresh processes, by the clock")
def bench_import(benchmark, cache):
    processes = [benchmark.pedantic(start, ("", cache), rounds=1)]
    if benchmark.enabled:
        processes += [start("", cache) for _ in range(4)]
    Row(
        question="`import ninthgeom`, NumPy imported already",
        data="the fastest of five fresh processes",
        seconds=min(process.ninthgeom for process in processes),
        seconds_most=0.005,
    ).record(benchmark)


# The empty cache of each question is filled by its first case. Processor time is checked, which other work on
# the machine inflates less, and twice the aim is allowed.
@pytest.mark.benchmark(group="Fresh processes, by the clock")
@pytest.mark.parametrize(
    ("name", "question", "cached", "aim"),
    [
        pytest.param("in_contact", CONTACT, "empty", 2.0, id="in_contact-cold"),
        pytest.param("in_contact", CONTACT, "filled", 1.0, id="in_contact-warm"),
        pytest.param("t9a.line_of_sight", SIGHT, "empty", 6.0, id="line_of_sight-cold"),
        pytest.param("t9a.line_of_sight", SIGHT, "filled", 1.0, id="line_of_sight-warm"),
    ],
)
def bench_first_answer(benchmark, cache, slowness, name, question, cached, aim):
    kernels = compiled(cache)
    startup = benchmark.pedantic(start, (question, cache), rounds=1)
    if benchmark.enabled:
        assert (compiled(cache) > kernels) == (cached == "empty")
    assert startup.processor < 2 * aim * slowness
    Row(
        question=f"first `{name}`, kernel cache {cached}",
        data="a fresh process from its first import to its first answer, NumPy and numba included",
        seconds=startup.first_answer,
        seconds_most=aim,
    ).record(benchmark)


@pytest.mark.benchmark(group="Fresh processes, by the clock")
def bench_compilation(benchmark, tmp_path):
    # As a mere test it finds the kernels compiled.
    kernels = benchmark.pedantic(compile_seconds, (tmp_path if benchmark.enabled else None,), rounds=1)
    assert len(kernels) > 20 or not benchmark.enabled
    others = {
        name.removeprefix("ninthgeom_kernel."): seconds
        for name, seconds in kernels.items()
        if not name.startswith("ninthgeom_kernel.sight")
    }
    slow = sorted((seconds, name) for name, seconds in others.items() if seconds > 0.6)
    Row(
        question="slowest kernel to compile, sight aside",
        data=(
            f"processor time of {len(others)} kernels; above the aim: "
            + (", ".join(f"`{name}` {seconds:.2f} s" for seconds, name in slow) or "none")
        ),
        seconds=max(others.values(), default=0.0),
        seconds_most=0.6,
    ).record(benchmark)
