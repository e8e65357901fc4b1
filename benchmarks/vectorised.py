"""Which loops of the kernels LLVM vectorised, and how much of their arithmetic is packed.

    python -m benchmarks.vectorised [family ...]

compiles modules of the kernel anew, each in a process of its own, and prints what LLVM remarks about their
loops, and how many arithmetic instructions on doubles work on several of them at once. A report for whoever
writes kernels: it depends on the processor, so nothing is asserted.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from importlib import import_module
from pathlib import Path

from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).parents[1]
FAMILIES = sorted(
    path.stem
    for path in (ROOT / "kernel" / "ninthgeom_kernel").glob("*.py")
    if "\n@kernel(" in path.read_text()
)
REMARK = re.compile(r"vectorized loop \(vectorization width: (\d+)|loop not vectorized: (.+)")
# x86: the letter before the last says whether an instruction is packed or scalar.
ARITHMETIC = re.compile(r"^\s+v?(?:add|sub|mul|div|sqrt|min|max|cmp\w*|u?comi)([ps])d\s", re.MULTILINE)


def compile_here(family: str) -> None:
    """Compile a module with remarks on stderr; print counts of packed and scalar instructions as JSON."""
    from llvmlite import binding

    for option in ("-pass-remarks", "-pass-remarks-analysis"):  # before numba compiles anything
        binding.set_option("", f"{option}=loop-vectorize")
    module = import_module(f"ninthgeom_kernel.{family}")
    counts = {}
    for name, member in vars(module).items():
        if getattr(member, "__module__", None) == module.__name__ and getattr(member, "signatures", None):
            found = Counter(ARITHMETIC.findall("".join(member.inspect_asm().values())))
            counts[name] = (found["p"], found["s"])
    print(json.dumps(counts))


def report(family: str) -> tuple[str, ...]:
    """Compile a module in a process of its own and return a line of the table."""
    with tempfile.TemporaryDirectory() as cache:
        done = subprocess.run(
            [
                sys.executable,
                "-c",
                f"from benchmarks.vectorised import compile_here; compile_here({family!r})",
            ],
            env=os.environ
            | {
                "NUMBA_CACHE_DIR": cache,
                "PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "kernel"))),
            },
            check=True,
            capture_output=True,
            text=True,
        )
    widths: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    for width, reason in REMARK.findall(done.stderr):
        (reasons if reason else widths)[reason or width] += 1
    kernels: dict[str, tuple[int, int]] = json.loads(done.stdout)
    return (
        family,
        ", ".join(f"{count} of {width}" for width, count in widths.items()),
        "; ".join(f"{count} {reason}" for reason, count in reasons.items()),
        "\n".join(f"{name}: {packed} / {single}" for name, (packed, single) in kernels.items()),
    )


def main() -> None:
    """Print the table for the families named, or for all."""
    table = Table("family", "vectorised loops, and lanes", "why not", "packed / scalar", show_lines=True)
    for family in sys.argv[1:] or FAMILIES:
        table.add_row(*report(family))
    Console().print(table)


if __name__ == "__main__":
    main()
