"""The decorator: its cache is never stale, never in the way, and never mixes checked with unchecked code."""

import errno
import json
import os
import shutil
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from numba.core import config

from ninthgeom_kernel import _jit

HELPER = """
from trial_kernel._jit import scalar

SHIFT = {shift}

@scalar
def moved(x):
    return {factor} * x
"""

CALLER = """
from trial_kernel._jit import F8_1, F8_OUT1, I8, NONE, kernel
from trial_kernel.helper import SHIFT, moved

@kernel(NONE(F8_1, I8, F8_OUT1))
def pick(values, index, out):
    out[0] = moved(values[index]) + SHIFT
"""

PROBE = """
import json, sys
import numpy as np
from numba.core import config
before = config.CACHE_DIR
from trial_kernel import _jit
from trial_kernel.caller import pick

values = np.array([1.0, 2.0])
out = np.zeros(1)
try:
    pick(values, int(sys.argv[1]), out)
    answer = out[0]
except IndexError:
    answer = "IndexError"
values.flags.writeable = False
pick(values, 0, out)
print(json.dumps({
    "answer": answer,
    "folder": _jit.CACHE_DIR,
    "restored": config.CACHE_DIR == before,
    "signatures": len(getattr(pick, "signatures", "-")),
    "hits": sum(pick.stats.cache_hits.values()) if hasattr(pick, "stats") else None,
}))
"""


class Trial:
    """A small kernel package with the real decorator, in a folder of its own."""

    def __init__(self, folder, run_python):
        self.site = folder / "site"
        self.package = self.site / "trial_kernel"
        self.cache = folder / "cache"
        self.package.mkdir(parents=True)
        (self.package / "__init__.py").touch()
        shutil.copy(_jit.__file__, self.package)
        (self.package / "caller.py").write_text(CALLER)
        self.write_helper(factor=2, shift=100)
        self._run_python = run_python

    def write_helper(self, *, factor, shift):
        (self.package / "helper.py").write_text(HELPER.format(factor=factor, shift=shift))

    def run(self, index=0, **environment):
        environment = {"NUMBA_CACHE_DIR": str(self.cache), "PYTHONDONTWRITEBYTECODE": "1"} | environment
        report = json.loads(self._run_python(PROBE, index, path=(self.site,), **environment))
        assert report["restored"]
        return report

    def files_beside_sources(self):
        return sorted(path.name for path in self.package.rglob("*") if path.suffix != ".py")


@pytest.fixture
def trial(tmp_path, run_python):
    return Trial(tmp_path, run_python)


def test_change_in_a_helper_module_is_seen_by_its_cached_caller(trial):
    cold = trial.run()
    assert (cold["answer"], cold["hits"], cold["signatures"]) == (102.0, 0, 1)
    assert Path(cold["folder"]).is_relative_to(trial.cache)
    assert trial.run() == cold | {"hits": 1}

    trial.write_helper(factor=3, shift=100)
    assert trial.run()["answer"] == 103.0

    trial.write_helper(factor=3, shift=200)  # an imported constant is frozen in machine code just the same
    changed = trial.run()
    assert changed["answer"] == 203.0
    assert changed["folder"] != cold["folder"]
    assert trial.files_beside_sources() == []


def test_checked_code_has_a_cache_of_its_own(trial):
    unchecked = trial.run()
    checked = trial.run(index=2, NUMBA_BOUNDSCHECK="1")
    assert checked["answer"] == "IndexError"
    assert checked["folder"] != unchecked["folder"]
    assert trial.run() == unchecked | {"hits": 1}


@pytest.mark.parametrize(("suffix", "length"), [(".nbi", 0), (".nbc", 20)])
def test_damaged_cache_is_made_again(trial, suffix, length):
    cold = trial.run()
    for path in Path(cold["folder"]).rglob(f"*{suffix}"):  # as a full disk or a crash leaves it
        path.write_bytes(path.read_bytes()[:length])
    assert trial.run() == cold
    assert trial.run() == cold | {"hits": 1}


def test_user_cache_folder(trial, tmp_path):
    report = trial.run(NUMBA_CACHE_DIR=None, XDG_CACHE_HOME=str(tmp_path / "xdg"))
    assert report["answer"] == 102.0
    assert Path(report["folder"]).parent == tmp_path / "xdg" / "ninthgeom"


def test_nowhere_to_write(trial, tmp_path):
    # A path below a file cannot be made by anybody, root included.
    (tmp_path / "file").touch()
    below_a_file = str(tmp_path / "file" / "folder")
    for environment in (
        {"NUMBA_CACHE_DIR": below_a_file},
        {"NUMBA_CACHE_DIR": None, "XDG_CACHE_HOME": None, "HOME": below_a_file},
    ):
        report = trial.run(**environment)
        assert (report["answer"], report["folder"], report["hits"]) == (102.0, None, 0)
    assert trial.files_beside_sources() == []


@pytest.mark.jit_only
def test_full_disk(monkeypatch, tmp_path):
    def no_space(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(_jit, "CACHE_DIR", str(tmp_path))
    monkeypatch.setattr("numba.core.caching.IndexDataCacheFile.save", no_space)

    @_jit.kernel(_jit.NONE(_jit.F8_OUT1))
    def fill(out):
        out[0] = 1.0

    out = np.zeros(1)
    fill(out)
    assert out[0] == 1.0


def test_without_compiler(trial):
    assert trial.run(NUMBA_DISABLE_JIT="1")["answer"] == 102.0


def test_four_processes_starting_cold(trial):
    with ThreadPoolExecutor(4) as threads:
        reports = list(threads.map(lambda _: trial.run(), range(4)))
    assert [report["answer"] for report in reports] == [102.0] * 4
    assert trial.run()["hits"] == 1


def test_no_home_at_all(monkeypatch):
    def no_home():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(config, "CACHE_DIR", "")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", no_home)
    assert _jit._choose_cache_dir() is None


def test_folders_of_old_versions_are_removed(monkeypatch, tmp_path):
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))
    old, recent, foreign = (tmp_path / "ninthgeom" / name for name in ("kernels-1", "kernels-2", "other"))
    for folder in (old, recent, foreign):
        folder.mkdir(parents=True)
    for folder in (old, foreign):
        os.utime(folder, times=(time.time() - 31 * 86_400,) * 2)
    chosen = _jit._choose_cache_dir()
    assert not old.exists()
    assert recent.exists()
    assert foreign.exists()

    # A folder in use stays young, so another version's start does not remove it.
    os.utime(chosen, times=(0, 0))
    assert _jit._choose_cache_dir() == chosen
    assert Path(chosen).stat().st_mtime > time.time() - 3600


def test_threads_that_decorate_at_once_restore_the_users_setting():
    before = config.CACHE_DIR
    inside = threading.Event()
    other_inside = threading.Event()

    def decorate_slowly():
        with _jit._numba_cache_dir("one"):
            inside.set()
            other_inside.wait(timeout=0.1)

    def decorate_meanwhile():
        inside.wait()
        with _jit._numba_cache_dir("two"):
            other_inside.set()
            slow.join(timeout=0.1)

    slow = threading.Thread(target=decorate_slowly)
    other = threading.Thread(target=decorate_meanwhile)
    slow.start()
    other.start()
    slow.join()
    other.join()
    restored = config.CACHE_DIR
    assert restored == before


@pytest.mark.jit_only
def test_literal_arguments_make_no_further_versions_of_a_helper(monkeypatch):
    monkeypatch.setattr(_jit, "CACHE_DIR", None)

    @_jit.scalar
    def plus(x, n):
        return x + n

    @_jit.kernel(_jit.NONE(_jit.F8_1, _jit.I8, _jit.F8_OUT1))
    def sums(values, n, out):
        out[0] = plus(values[0], 1) + plus(values[1], 2) + plus(values[0], n)

    out = np.zeros(1)
    sums(np.array([10.0, 20.0]), 3, out)
    assert out[0] == 46.0
    assert len(plus.signatures) == 1
