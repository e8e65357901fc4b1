"""The one place where ninthgeom touches numba's decorators and its cache.

numba stamps a cached kernel with the content of its own source file only, so after a change in a helper of
another module the old machine code would go on running. Here every kernel is cached in a folder named after a
hash of *all* kernel sources and of the flags that change the code, or not at all where nothing is writable.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from numba import njit, types
from numba.core import config as _numba_config

if TYPE_CHECKING:
    from numba.core.dispatcher import Dispatcher

F = TypeVar("F", bound=Callable[..., Any])

F8 = types.float64
I8 = types.int64
U8 = types.uint64  # of an index: numba looks for negative ones in signed indices, which stops vectorisation
BOOL = types.boolean
NONE = types.void


def inputs(scalar: Any, ndim: int) -> Any:
    """Type of an input: C-contiguous, and read-only, which takes writable arrays too."""
    return types.Array(scalar, ndim, "C", readonly=True)


def outputs(scalar: Any, ndim: int) -> Any:
    """Type of an array the kernel writes to."""
    return types.Array(scalar, ndim, "C")


F8_1, F8_2, F8_3, F8_4 = (inputs(types.float64, n) for n in (1, 2, 3, 4))
I8_1, I8_2, I8_3 = (inputs(types.int64, n) for n in (1, 2, 3))
F8_OUT1, F8_OUT2, F8_OUT3, F8_OUT4 = (outputs(types.float64, n) for n in (1, 2, 3, 4))
BOOL_1, BOOL_2, BOOL_3, BOOL_4 = (inputs(types.boolean, n) for n in (1, 2, 3, 4))
BOOL_OUT1, BOOL_OUT2, BOOL_OUT3, BOOL_OUT4 = (outputs(types.boolean, n) for n in (1, 2, 3, 4))
U1_OUT1, U1_OUT2, U1_OUT3 = (outputs(types.uint8, n) for n in (1, 2, 3))
U2_1, U2_OUT1 = inputs(types.uint16, 1), outputs(types.uint16, 1)
I8_OUT1, I8_OUT2 = (outputs(types.int64, n) for n in (1, 2))

_STALE_AFTER_DAYS = 30


def _fingerprint() -> str:
    config: Any = _numba_config
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    digest.update(repr((config.BOUNDSCHECK, config.OPT, config.DEBUGINFO_DEFAULT)).encode())
    return digest.hexdigest()[:16]


def _remove_stale_siblings(folder: Path) -> None:
    oldest = time.time() - _STALE_AFTER_DAYS * 86_400
    for sibling in folder.parent.glob("kernels-*"):
        with contextlib.suppress(OSError):
            if sibling != folder and sibling.stat().st_mtime < oldest:
                shutil.rmtree(sibling)


def _choose_cache_dir() -> str | None:
    config: Any = _numba_config
    try:
        root = Path(config.CACHE_DIR or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        folder = root / "ninthgeom" / f"kernels-{_fingerprint()}"
        is_new = not folder.exists()
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except (OSError, RuntimeError):  # RuntimeError: there is no home folder
        return None
    if is_new:
        _remove_stale_siblings(folder)
    else:
        with contextlib.suppress(OSError):
            os.utime(folder)
    return str(folder)


CACHE_DIR = _choose_cache_dir()

# Families are imported on first use, so two threads may decorate at once; without the lock one would save the
# other's folder as the setting to go back to.
_decorating = threading.Lock()


@contextlib.contextmanager
def _numba_cache_dir(folder: str) -> Iterator[None]:
    config: Any = _numba_config
    with _decorating:
        before = config.CACHE_DIR
        config.CACHE_DIR = folder
        try:
            yield
        finally:
            config.CACHE_DIR = before


def kernel(signature: Any) -> Callable[[F], Dispatcher[F]]:
    """Compile a batch kernel for one explicit signature, serial, without the GIL, cached when possible.

    The numpy error model makes a division yield inf or nan instead of a branch to an exception, which would
    stop vectorisation. fastmath stays off: it breaks the predicates.
    """

    def uncached(func: F) -> Dispatcher[F]:
        return cast("Dispatcher[F]", njit(signature, nogil=True, error_model="numpy")(func))

    def cached(func: F, folder: str) -> Dispatcher[F]:
        with _numba_cache_dir(folder):
            return cast("Dispatcher[F]", njit(signature, nogil=True, error_model="numpy", cache=True)(func))

    def wrap(func: F) -> Dispatcher[F]:
        if CACHE_DIR is None:  # nowhere to write: compile in each process rather than fail
            return uncached(func)
        try:
            return cached(func, CACHE_DIR)
        except Exception:
            # A file cut short by a full disk or a crash makes numba fail in ways of its own; a fault of the
            # kernel itself comes again below.
            shutil.rmtree(CACHE_DIR, ignore_errors=True)
        try:
            Path(CACHE_DIR).mkdir(parents=True, exist_ok=True)
            return cached(func, CACHE_DIR)
        except OSError:  # the disk is still full
            return uncached(func)

    return wrap


def scalar(func: F) -> Dispatcher[F]:
    """Compile a scalar helper of kernels; LLVM inlines it, the kernel that uses it is what gets cached.

    numba would compile a helper once more for every combination of arguments that are literals in some caller
    (measured: 2 to 5 versions of each, 28 s instead of 17 s for an early sight kernel), so they are widened
    before it looks. Nor does a helper get the wrappers for calls from Python and C, which take as long to
    compile as the helper itself (measured: 0.03 to 0.06 s each, a quarter of the first answer).
    """
    without_wrappers: Any = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    dispatcher: Any = njit(nogil=True, error_model="numpy", **without_wrappers)(func)
    if dispatcher is func:  # NUMBA_DISABLE_JIT
        return cast("Dispatcher[F]", func)
    template = dispatcher.get_call_template
    unliteral: Any = types.unliteral

    def widened(args: Any, kws: Any) -> Any:
        return template(tuple(map(unliteral, args)), {key: unliteral(arg) for key, arg in kws.items()})

    dispatcher.get_call_template = widened
    return cast("Dispatcher[F]", dispatcher)
