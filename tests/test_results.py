"""RESULTS.md is what the code makes of a run, and README says what stands there."""

import json
import re

import pytest

from benchmarks import results, vectorised
from benchmarks.rows import Row

MACHINE = {
    "cpu": {
        "brand_raw": "Fast",
        "family": 1,
        "model": 2,
        "flags": ["mmx", "avx2"],
        "hz_advertised": [2_596_148_000, 0],
    },
    "cores": 4,
    "system": "Linux",
    "machine": "x86_64",
    "versions": {"Python": "3.11.7", "numpy": "2.4.6"},
}


class Benchmark:
    """What pytest-benchmark hands to a benchmark, as far as rows need it."""

    enabled = True

    def __init__(self):
        self.extra_info = {}


def measured(*rows, group="Things"):
    """Content of the file of a run that recorded these rows."""
    benchmarks = [{"group": group, "extra_info": {}}]
    for row in rows:
        benchmark = Benchmark()
        row.record(benchmark)
        benchmarks.append({"group": group, "extra_info": benchmark.extra_info})
    run = {"machine_info": MACHINE, "datetime": "2026-11-30T03:59:59+00:00", "benchmarks": benchmarks}
    return json.loads(json.dumps(run))


FAST = Row(
    question="`f`, many",
    data="some things",
    rate=254_321_000,
    rate_least=3e8,
    items="things",
    against="`g`",
    ratio=209.4,
    ratio_least=180,
)
SHORT = Row(
    question="first `f`", data="a process", seconds=0.00171, seconds_most=0.002, ratio=1.3, ratio_most=2.4
)


def test_lines_of_a_run():
    text = results.results(measured(FAST, SHORT))
    for line in (
        "## Things",
        "| question | measured | against | ratio | aim |",
        "| `f`, many | 254 million things a second | `g` | 209 x as fast "
        "| at least 180 x: reached; at least 300 million a second: missed |",
        "| first `f` | 1.71 ms |  | 1.3 x the time | at most 2.4 x: reached; at most 2 ms: reached |",
        "* `f`, many: some things.",
        "* first `f`: a process.",
        "Machine: Fast (family 1, model 2), 2.6 GHz, avx2; 4 cores; Linux x86_64. "
        "Versions: Python 3.11.7, numpy 2.4.6.",
    ):
        assert line in text.splitlines()
    assert "Date: 2026-11-30." in text


def test_a_task_that_grows_has_a_time_for_each_size():
    row = Row(question="`g`", data="more", curve=((5, 0.002), (50, 0.25)), growth=2.0969)
    text = results.results(measured(row))
    assert "| `g` | 5: 2 ms, 50: 0.25 s; grows with the power 2.10 |  |  |  |" in text


def test_data_of_a_whole_table_are_told_once():
    text = results.results(measured(FAST, Row(question="`h`", data="some things", seconds=2.0)))
    assert text.count("some things") == 1


def test_names_are_unique():
    with pytest.raises(ValueError, match="two rows have one name"):
        results.results(measured(FAST, FAST))


@pytest.mark.parametrize(
    ("value", "text"), [(0.5234, "0.523"), (12.0, "12"), (1300.75, "1,300"), (1.09e9, "1,090 million")]
)
def test_numbers(value, text):
    assert results.number(value) == text


@pytest.mark.parametrize(("seconds", "text"), [(9.9, "9.9 s"), (0.0123, "12.3 ms"), (8e-6, "8 microseconds")])
def test_durations(seconds, text):
    assert results.duration(seconds) == text


def test_a_ratio_far_from_its_aim_fails():
    FAST.record(Benchmark())
    Row(question="near", data="", ratio=95.0, ratio_least=180.0).record(Benchmark())
    for far in ({"ratio": 85.0, "ratio_least": 180.0}, {"ratio": 5.0, "ratio_most": 2.4}):
        with pytest.raises(AssertionError):
            Row(question="far", data="", **far).record(Benchmark())


def test_readme_is_renewed_line_by_line():
    text = results.results(measured(FAST))
    readme = "| a |\n| --- |\n| `f`, many | 1 thing a second |\n| `other` | 3 |\nMachine: slow\n\nend\n"
    line = next(line for line in text.splitlines() if line.startswith("| `f`"))
    machine = next(line for line in text.splitlines() if line.startswith("Machine:"))
    assert results.renewed(readme, text) == f"| a |\n| --- |\n{line}\n| `other` | 3 |\n{machine}\n\nend\n"


def test_readme_quotes_the_results():
    """Every line of the table in README, and the one about the machine, stand in RESULTS.md."""
    section = re.search(r"^## Figures\n(.*?)^## ", results.README.read_text(), re.MULTILINE | re.DOTALL)
    quoted = [line for line in section[1].splitlines() if line.startswith(("|", "Machine:"))]
    known = results.RESULTS.read_text().splitlines()
    assert len(quoted) > 10
    assert [line for line in quoted if line not in known] == []


def test_readme_promises_what_was_measured():
    """The figures in the sentences of README stand in the rows of RESULTS.md."""
    readme, rows = results.README.read_text(), results.RESULTS.read_text().splitlines()
    promises = re.search(r"^## Three promises\n(.*?)^## ", readme, re.MULTILINE | re.DOTALL)[1]

    def quoted(question, *patterns):
        (row,) = (line for line in rows if line.startswith(f"| {question} |"))
        return [re.search(pattern, row)[1] for pattern in patterns]

    missed, slower = quoted(
        "`t9a.line_of_sight`, scattered, all ordered pairs", "which miss ([^ ]+ %)", r"([\d,.]+) x as fast"
    )
    rate, faster = quoted("`in_contact`, rectangles", r"([\d,.]+ \w+) pairs a second", r"([\d,.]+) x as fast")
    for words in (f"miss {missed} ", f"{slower} times as long", f"{rate} pairs", f"{faster} times as fast"):
        assert words in " ".join(promises.split())


def test_results_are_written_by_the_code():
    """The committed file has the text that the code writes around the lines of its rows."""
    text = results.RESULTS.read_text()
    assert text.startswith(results.PREFACE)
    assert results.table_line(results.COLUMNS) in text
    assert results.renewed(text, text) == text


def test_report_of_vectorised_loops():
    family, _, _, kernels = vectorised.report("farthest")
    assert family == "farthest"
    assert re.fullmatch(r"farthest_distances: \d+ / \d+", kernels)
