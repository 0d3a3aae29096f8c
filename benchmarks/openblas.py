"""OpenBLAS on the products of a kernel: ``python -m benchmarks.openblas gemm --repeat 3``.

Prints ``seconds S`` per run to stderr, as the kernels do.  The number of threads comes from the
environment variable ``OPENBLAS_NUM_THREADS``.
"""

from __future__ import annotations

import argparse
import ctypes
import ctypes.util
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from benchmarks.programs import KERNELS, SIZES, sizes_of

ROW_MAJOR, PLAIN, TRANSPOSED, LOWER, UNIT, LEFT = 101, 111, 112, 122, 132, 141

Sizes = Mapping[str, int]
Matrix = np.ndarray[Any, np.dtype[np.float64]]

OPERATIONS: Mapping[str, Callable[[Sizes], int]] = {
    "2mm": lambda s: 2 * s["NI"] * s["NJ"] * (s["NK"] + s["NL"]),
    "3mm": lambda s: 2 * s["NI"] * s["NJ"] * (s["NK"] + s["NL"]) + 2 * s["NJ"] * s["NL"] * s["NM"],
    "doitgen": lambda s: 2 * s["NR"] * s["NQ"] * s["NP"] * s["NP"],
    "gemm": lambda s: 2 * s["NI"] * s["NJ"] * s["NK"],
    "syr2k": lambda s: 2 * s["N"] * (s["N"] + 1) * s["M"],
    "syrk": lambda s: s["N"] * (s["N"] + 1) * s["M"],
    "trmm": lambda s: s["M"] * (s["M"] - 1) * s["N"],
}
"""How many products and sums of numbers the matrix products of a kernel need."""


class Blas:
    """The routines for matrices by rows."""

    def __init__(self, name: str) -> None:
        self._library = ctypes.CDLL(name)

    def gemm(self, alpha: float, a: Matrix, b: Matrix, beta: float, c: Matrix) -> None:
        """C = alpha A B + beta C."""
        (m, k), n = a.shape, b.shape[1]
        self._call("cblas_dgemm", ROW_MAJOR, PLAIN, PLAIN, m, n, k, alpha, a, k, b, n, beta, c, n)

    def syrk(self, alpha: float, a: Matrix, beta: float, c: Matrix) -> None:
        """C = alpha A Aᵀ + beta C, its lower triangle."""
        n, k = a.shape
        self._call("cblas_dsyrk", ROW_MAJOR, LOWER, PLAIN, n, k, alpha, a, k, beta, c, n)

    def syr2k(self, alpha: float, a: Matrix, b: Matrix, beta: float, c: Matrix) -> None:
        """C = alpha A Bᵀ + alpha B Aᵀ + beta C, its lower triangle."""
        n, k = a.shape
        self._call("cblas_dsyr2k", ROW_MAJOR, LOWER, PLAIN, n, k, alpha, a, k, b, k, beta, c, n)

    def trmm(self, alpha: float, a: Matrix, b: Matrix) -> None:
        """B = alpha Aᵀ B for a lower triangular A with ones on its diagonal."""
        m, n = b.shape
        flags = (ROW_MAJOR, LEFT, LOWER, TRANSPOSED, UNIT)
        self._call("cblas_dtrmm", *flags, m, n, alpha, a, m, b, n)

    def _call(self, name: str, *arguments: int | float | Matrix) -> None:
        getattr(self._library, name)(*map(_argument, arguments))


def _argument(value: int | float | Matrix) -> Any:
    if isinstance(value, np.ndarray):
        return ctypes.c_void_p(value.ctypes.data)
    return ctypes.c_double(value) if isinstance(value, float) else ctypes.c_int(value)


def library() -> str | None:
    """The shared library, if there is one."""
    return ctypes.util.find_library("openblas")


def products(kernel: str, sizes: Sizes, blas: Blas) -> Callable[[], None]:
    """The matrix products of a kernel, on matrices of its sizes."""
    draw = np.random.default_rng(1)

    def matrix(*names: str) -> Matrix:
        return draw.random([sizes[name] for name in names])

    if kernel in ("gemm", "2mm", "3mm", "doitgen"):
        return _general(kernel, matrix, blas)
    if kernel == "trmm":
        a, b = matrix("M", "M"), matrix("M", "N")
        return lambda: blas.trmm(1.0, a, b)
    a, b, c = matrix("N", "M"), matrix("N", "M"), matrix("N", "N")
    if kernel == "syrk":
        return lambda: blas.syrk(1.5, a, 1.2, c)
    assert kernel == "syr2k", kernel
    return lambda: blas.syr2k(1.5, a, b, 1.2, c)


def _general(kernel: str, matrix: Callable[..., Matrix], blas: Blas) -> Callable[[], None]:
    """The kernels that only multiply whole matrices."""
    if kernel == "gemm":
        a, b, c = matrix("NI", "NK"), matrix("NK", "NJ"), matrix("NI", "NJ")
        return lambda: blas.gemm(1.5, a, b, 1.2, c)
    if kernel == "doitgen":
        whole, c4 = matrix("NR", "NQ", "NP"), matrix("NP", "NP")
        rows = whole.reshape(-1, whole.shape[-1])
        total = np.zeros_like(rows)
        return lambda: blas.gemm(1.0, rows, c4, 0.0, total)
    a, b, first = matrix("NI", "NK"), matrix("NK", "NJ"), matrix("NI", "NJ")
    if kernel == "2mm":
        c, d = matrix("NJ", "NL"), matrix("NI", "NL")

        def two() -> None:
            blas.gemm(1.5, a, b, 0.0, first)
            blas.gemm(1.0, first, c, 1.2, d)

        return two
    c, d = matrix("NJ", "NM"), matrix("NM", "NL")
    second, last = matrix("NJ", "NL"), matrix("NI", "NL")

    def three() -> None:
        blas.gemm(1.0, a, b, 0.0, first)
        blas.gemm(1.0, c, d, 0.0, second)
        blas.gemm(1.0, first, second, 0.0, last)

    return three


def main() -> None:
    """Time the products."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kernel", choices=sorted(OPERATIONS))
    parser.add_argument("--size", choices=SIZES, default="LARGE")
    parser.add_argument("--repeat", type=int, default=1)
    arguments = parser.parse_args()
    found = library()
    if found is None:
        sys.exit("there is no OpenBLAS here")
    sizes = sizes_of(KERNELS / f"{arguments.kernel}.c", arguments.size)
    multiply = products(arguments.kernel, sizes, Blas(found))
    for _ in range(arguments.repeat):
        started = time.perf_counter()
        multiply()
        print(f"seconds {time.perf_counter() - started:.6f}", file=sys.stderr)


if __name__ == "__main__":
    main()
