#!/usr/bin/env python3
"""Check the benchmark kernels: they compile cleanly, run cleanly and compute what they say.

Each kernel is compiled at the data sets MINI and SMALL, without warnings, with -O0 and -O2, and at
MINI also with -O3 and the address and undefined-behaviour sanitizers. All builds must print the
same bits, without NaN or infinity, also after a repeated run. The printed results are compared
with a computation in Python from the printed inputs; it takes another way than the kernel where
there is one (a factorisation is multiplied out, a recursive filter is done as a convolution).

Prints a line per kernel; exits with status 1 when a check fails.

Usage: check_kernels.py [KERNEL ...]
"""

import functools
import math
import subprocess
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

KERNELS = Path(__file__).resolve().parent / "kernels"
CFLAGS = ["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-Wno-unused-label", "-ffp-contract=off"]
SANITIZE = ["-O3", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
EXPECTED_COUNT = 30
TOLERANCE = 1e-11
FLOAT_TOLERANCE = 1e-5

# A printed array: a number for rank 0, else nested lists.
Arrays = dict[str, Any]
Vector = list[float]
Matrix = list[list[float]]
# What a check hands back: pairs of a computed and an expected value or (nested) list.
Pairs = list[tuple[Any, Any]]


class CheckError(Exception):
    """A kernel failed a check."""


# ---------------------------------------------------------------------------- linear algebra


def transpose(a: Matrix) -> Matrix:
    """Return the transposed matrix."""
    return [list(column) for column in zip(*a, strict=True)]


def dot(x: Vector, y: Vector) -> float:
    """Return the inner product, summed exactly."""
    return math.fsum(p * q for p, q in zip(x, y, strict=True))


def matvec(a: Matrix, x: Vector) -> Vector:
    """Return a*x."""
    return [dot(row, x) for row in a]


def matmul(a: Matrix, b: Matrix) -> Matrix:
    """Return a*b."""
    columns = transpose(b)
    return [[dot(row, column) for column in columns] for row in a]


def lincomb(alpha: float, a: Matrix, beta: float, b: Matrix) -> Matrix:
    """Return alpha*a + beta*b."""
    return [
        [alpha * p + beta * q for p, q in zip(ra, rb, strict=True)]
        for ra, rb in zip(a, b, strict=True)
    ]


def identity(n: int) -> Matrix:
    """Return the identity matrix of size n."""
    return [[float(i == j) for j in range(n)] for i in range(n)]


def lower(a: Matrix, shift: int = 0) -> Matrix:
    """Return a with zeros where column > row + shift."""
    return [[v if j <= i + shift else 0.0 for j, v in enumerate(row)] for i, row in enumerate(a)]


def upper(a: Matrix) -> Matrix:
    """Return a with zeros below the diagonal."""
    return [[v if j >= i else 0.0 for j, v in enumerate(row)] for i, row in enumerate(a)]


def lower_or(a: Matrix, b: Matrix) -> Matrix:
    """Return a on and below the diagonal, b above it."""
    return [
        [p if j <= i else q for j, (p, q) in enumerate(zip(ra, rb, strict=True))]
        for i, (ra, rb) in enumerate(zip(a, b, strict=True))
    ]


def solve(a: Matrix, b: Matrix) -> Matrix:
    """Return x with a*x = b, by Gauss-Jordan elimination with row pivoting."""
    n = len(a)
    rows = [list(ra) + list(rb) for ra, rb in zip(a, b, strict=True)]
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: abs(rows[i][k]))
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [v / rows[k][k] for v in rows[k]]
        for i in range(n):
            factor = rows[i][k]
            if i != k and factor != 0.0:
                rows[i] = [v - factor * w for v, w in zip(rows[i], rows[k], strict=True)]
    return [row[n:] for row in rows]


def solve_vector(a: Matrix, b: Vector) -> Vector:
    """Return the vector x with a*x = b."""
    return [row[0] for row in solve(a, [[v] for v in b])]


# ---------------------------------------------------------------------------- the kernels


def check_2mm(d: Arrays) -> Pairs:
    """D = alpha*A*B*C + beta*D."""
    product = matmul(d["in.A"], matmul(d["in.B"], d["in.C"]))
    return [(d["D"], lincomb(d["in.alpha"], product, d["in.beta"], d["in.D"]))]


def check_3mm(d: Arrays) -> Pairs:
    """G = (A*B)*(C*D), here from the right."""
    right = matmul(d["in.B"], matmul(d["in.C"], d["in.D"]))
    return [(d["G"], matmul(d["in.A"], right))]


def check_adi(d: Arrays) -> Pairs:
    """Two half steps, each with the inverse of its tridiagonal matrix."""
    u, steps = d["in.u"], d["in.tsteps"]
    n = len(u)
    r = n * n / steps

    def system(k: float) -> Matrix:
        """Return 1 - k/2 * (second difference), with the identity on the boundary."""
        matrix = identity(n)
        for i in range(1, n - 1):
            matrix[i][i - 1 : i + 2] = [-k / 2, 1 + k, -k / 2]
        return matrix

    def half(grid: Matrix, inverse: Matrix, k: float) -> Matrix:
        """Explicit along the second index with k, implicit along the first."""
        rhs = [[0.0] * n for _ in range(n)]
        for i in range(1, n - 1):
            rhs[0][i] = rhs[n - 1][i] = 1.0
            for j in range(1, n - 1):
                g = grid[j]
                rhs[j][i] = g[i] + k / 2 * (g[i - 1] - 2 * g[i] + g[i + 1])
        return matmul(inverse, rhs)

    inverse_x = solve(system(2 * r), identity(n))
    inverse_y = solve(system(r), identity(n))
    for _ in range(steps):
        v = half(u, inverse_x, r)
        new = transpose(half(transpose(v), inverse_y, 2 * r))
        # The first and last rows of u belong to the boundary and are never written.
        u = [u[0], *new[1:-1], u[-1]]
    return [(d["u"], u)]


def check_atax(d: Arrays) -> Pairs:
    """Compare y with (A^T*A)*x."""
    at = transpose(d["in.A"])
    return [(d["y"], matvec(matmul(at, d["in.A"]), d["in.x"]))]


def check_bicg(d: Arrays) -> Pairs:
    """Compare s with A^T*r and q with A*p."""
    a = d["in.A"]
    return [(d["s"], matvec(transpose(a), d["in.r"])), (d["q"], matvec(a, d["in.p"]))]


def check_cholesky(d: Arrays) -> Pairs:
    """L*L^T gives back A; the strict upper triangle is that of the input."""
    factor = lower(d["A"])
    unchanged = lower_or(d["A"], d["in.A"])
    return [(matmul(factor, transpose(factor)), d["in.A"]), (d["A"], unchanged)]


def deviations(d: Arrays) -> Matrix:
    """Return the columns of data less their means, as rows."""
    columns = transpose(d["in.data"])
    return [[v - math.fsum(c) / len(c) for v in c] for c in columns]


def check_correlation(d: Arrays) -> Pairs:
    """Covariances over the product of standard deviations, small ones taken as 1."""
    rows = deviations(d)
    spreads = [math.sqrt(dot(r, r) / len(r)) for r in rows]
    if not any(s <= d["in.limit"] for s in spreads) or all(s <= d["in.limit"] for s in spreads):
        raise CheckError("the data should have columns on both sides of the limit")
    spreads = [1.0 if s <= d["in.limit"] else s for s in spreads]
    want = [
        [1.0 if i == j else dot(p, q) / len(p) / (si * sj) for j, (q, sj) in pairs]
        for pairs in [list(enumerate(zip(rows, spreads, strict=True)))]
        for i, (p, si) in pairs
    ]
    return [(d["corr"], want)]


def check_covariance(d: Arrays) -> Pairs:
    """Inner products of the deviations over n - 1."""
    rows = deviations(d)
    return [(d["cov"], [[dot(p, q) / (len(p) - 1) for q in rows] for p in rows])]


def check_deriche(d: Arrays) -> Pairs:
    """Convolution with S(d) = k*(alpha*|d| + 1)*exp(-alpha*|d|) along both directions."""
    alpha = d["in.alpha"]
    decay = math.exp(-alpha)
    k = (1 - decay) ** 2 / (1 + 2 * alpha * decay - decay**2)

    def smoother(n: int) -> Matrix:
        """Return the matrix of the convolution over n points."""
        return [
            [k * (alpha * abs(i - j) + 1) * decay ** abs(i - j) for j in range(n)] for i in range(n)
        ]

    image = d["in.image"]
    return [(d["out"], matmul(smoother(len(image)), matmul(image, smoother(len(image[0])))))]


def check_doitgen(d: Arrays) -> Pairs:
    """A[r] = A[r]*C4 for each r."""
    return [(d["A"], [matmul(plane, d["in.C4"]) for plane in d["in.A"]])]


def check_durbin(d: Arrays) -> Pairs:
    """T*y = -r, solved by elimination."""
    r = d["in.r"]
    n = len(r)
    toeplitz = [[1.0 if i == j else r[abs(i - j) - 1] for j in range(n)] for i in range(n)]
    return [(d["y"], solve_vector(toeplitz, [-v for v in r]))]


def check_fdtd_2d(d: Arrays) -> Pairs:
    """Time steps that build each field as a new array."""
    ex, ey, hz = d["in.ex"], d["in.ey"], d["in.hz"]
    nx, ny = len(ex), len(ex[0])
    for pulse in d["in.pulse"]:
        ey = [[pulse] * ny] + [
            [ey[i][j] - (hz[i][j] - hz[i - 1][j]) / 2 for j in range(ny)] for i in range(1, nx)
        ]
        ex = [
            [ex[i][0]] + [ex[i][j] - (hz[i][j] - hz[i][j - 1]) / 2 for j in range(1, ny)]
            for i in range(nx)
        ]
        hz = [
            [
                hz[i][j] - 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j])
                for j in range(ny - 1)
            ]
            + [hz[i][ny - 1]]
            for i in range(nx - 1)
        ] + [hz[nx - 1]]
    return [(d["ex"], ex), (d["ey"], ey), (d["hz"], hz)]


def check_floyd_warshall(d: Arrays) -> Pairs:
    """Shortest paths by Bellman-Ford relaxation from each node, until nothing changes."""
    edges = d["in.path"]
    n = len(edges)
    want = []
    for source in range(n):
        dist = list(edges[source])
        while True:
            new = [min(dist[k] + edges[k][j] for k in range(n)) for j in range(n)]
            if new == dist:
                break
            dist = new
        want.append(dist)
    return [(d["path"], want)]


def check_gemm(d: Arrays) -> Pairs:
    """C = alpha*A*B + beta*C."""
    product = matmul(d["in.A"], d["in.B"])
    return [(d["C"], lincomb(d["in.alpha"], product, d["in.beta"], d["in.C"]))]


def check_gemver(d: Arrays) -> Pairs:
    """Take the rank-2 update as one matrix product, then x and w from it."""
    outer = matmul(transpose([d["in.u1"], d["in.u2"]]), [d["in.v1"], d["in.v2"]])
    a = lincomb(1.0, d["in.A"], 1.0, outer)
    aty = matvec(transpose(a), d["in.y"])
    x = [p + d["in.beta"] * q + r for p, q, r in zip(d["in.x"], aty, d["in.z"], strict=True)]
    w = [p + d["in.alpha"] * q for p, q in zip(d["in.w"], matvec(a, x), strict=True)]
    return [(d["A"], a), (d["x"], x), (d["w"], w)]


def check_gesummv(d: Arrays) -> Pairs:
    """Compare y with (alpha*A + beta*B)*x."""
    matrix = lincomb(d["in.alpha"], d["in.A"], d["in.beta"], d["in.B"])
    return [(d["y"], matvec(matrix, d["in.x"]))]


def check_gramschmidt(d: Arrays) -> Pairs:
    """Q^T*Q = 1, Q*R = A, and R is upper triangular with a positive diagonal."""
    q, r = d["Q"], d["R"]
    if any(row[i] <= 0.0 for i, row in enumerate(r)):
        raise CheckError("R should have a positive diagonal")
    return [
        (matmul(transpose(q), q), identity(len(r))),
        (matmul(q, r), d["in.A"]),
        (r, upper(r)),
    ]


def check_heat_3d(d: Arrays) -> Pairs:
    """Each half step as a weighted sum: A/4 + (six neighbours)/8."""
    a = d["in.A"]
    n = len(a)
    inner = range(1, n - 1)
    for _ in range(2 * d["in.tsteps"]):
        b = [[list(row) for row in plane] for plane in a]
        for i in inner:
            for j in inner:
                for k in inner:
                    around = a[i - 1][j][k] + a[i + 1][j][k] + a[i][j - 1][k] + a[i][j + 1][k]
                    around += a[i][j][k - 1] + a[i][j][k + 1]
                    b[i][j][k] = 0.25 * a[i][j][k] + 0.125 * around
        a = b
    return [(d["A"], a)]


def check_jacobi_1d(d: Arrays) -> Pairs:
    """Half steps in turn; A and B have ends of their own."""
    now, other = d["in.A"], d["in.B"]
    for _ in range(2 * d["in.tsteps"]):
        inner = [0.33333 * math.fsum(now[i - 1 : i + 2]) for i in range(1, len(now) - 1)]
        now, other = [other[0], *inner, other[-1]], now
    return [(d["A"], now)]


def check_jacobi_2d(d: Arrays) -> Pairs:
    """Half steps in turn; A and B have boundaries of their own."""
    now, other = d["in.A"], d["in.B"]
    inner = range(1, len(now) - 1)
    for _ in range(2 * d["in.tsteps"]):
        new = [list(row) for row in other]
        for i in inner:
            for j in inner:
                cross = now[i - 1][j] + now[i + 1][j] + math.fsum(now[i][j - 1 : j + 2])
                new[i][j] = cross / 5
        now, other = new, now
    return [(d["A"], now)]


def factors_product(a: Matrix) -> Matrix:
    """Return L*U of a packed factorisation with unit diagonal in L."""
    left = lincomb(1.0, lower(a, -1), 1.0, identity(len(a)))
    return matmul(left, upper(a))


def check_lu(d: Arrays) -> Pairs:
    """L*U gives back A."""
    return [(factors_product(d["A"]), d["in.A"])]


def check_ludcmp(d: Arrays) -> Pairs:
    """L*U gives back A, A*x gives back b."""
    a = d["in.A"]
    return [(factors_product(d["A"]), a), (matvec(a, d["x"]), d["in.b"])]


def check_mvt(d: Arrays) -> Pairs:
    """x1 = x1 + A*y1 and x2 = x2 + A^T*y2."""
    first = matvec(d["in.A"], d["in.y1"])
    second = matvec(transpose(d["in.A"]), d["in.y2"])
    return [
        (d["x1"], [p + q for p, q in zip(d["in.x1"], first, strict=True)]),
        (d["x2"], [p + q for p, q in zip(d["in.x2"], second, strict=True)]),
    ]


def check_nussinov(d: Arrays) -> Pairs:
    """Recurse over the partner of the first base, with memory."""
    seq = d["in.seq"]
    n = len(seq)

    @functools.cache
    def best(i: int, j: int) -> int:
        """Return the most nested pairs within seq[i..j]."""
        if j <= i:
            return 0
        result = best(i + 1, j)
        for k in range(i + 2, j + 1):
            if seq[i] + seq[k] == 3:
                result = max(result, 1 + best(i + 1, k - 1) + best(k + 1, j))
        return result

    return [(d["table"], [[best(i, j) for j in range(n)] for i in range(n)])]


def check_seidel_2d(d: Arrays) -> Pairs:
    """Sweeps in place."""
    a = [list(row) for row in d["in.A"]]
    inner = range(1, len(a) - 1)
    for _ in range(d["in.tsteps"]):
        for i in inner:
            for j in inner:
                a[i][j] = math.fsum(v for row in a[i - 1 : i + 2] for v in row[j - 1 : j + 2]) / 9
    return [(d["A"], a)]


def check_symm(d: Arrays) -> Pairs:
    """C = alpha*A*B + beta*C with A from its lower triangle."""
    a = lower_or(d["in.A"], transpose(d["in.A"]))
    product = matmul(a, d["in.B"])
    return [(d["C"], lincomb(d["in.alpha"], product, d["in.beta"], d["in.C"]))]


def check_syr2k(d: Arrays) -> Pairs:
    """Compare the lower triangle with alpha*(A*B^T + B*A^T) + beta*C; the rest stays."""
    product = matmul(d["in.A"], transpose(d["in.B"]))
    both = lincomb(1.0, product, 1.0, transpose(product))
    want = lincomb(d["in.alpha"], both, d["in.beta"], d["in.C"])
    return [(d["C"], lower_or(want, d["in.C"]))]


def check_syrk(d: Arrays) -> Pairs:
    """Compare the lower triangle with alpha*A*A^T + beta*C; the rest stays."""
    product = matmul(d["in.A"], transpose(d["in.A"]))
    want = lincomb(d["in.alpha"], product, d["in.beta"], d["in.C"])
    return [(d["C"], lower_or(want, d["in.C"]))]


def check_trisolv(d: Arrays) -> Pairs:
    """L*x gives back b."""
    return [(matvec(lower(d["in.L"]), d["x"]), d["in.b"])]


def check_trmm(d: Arrays) -> Pairs:
    """B = alpha*A^T*B with A unit lower triangular."""
    a = lincomb(1.0, lower(d["in.A"], -1), 1.0, identity(len(d["in.A"])))
    zero = [[0.0] * len(row) for row in d["in.B"]]
    return [(d["B"], lincomb(d["in.alpha"], matmul(transpose(a), d["in.B"]), 0.0, zero))]


def find_check(kernel: str) -> Callable[[Arrays], Pairs]:
    """Return the check function of a kernel."""
    check: Callable[[Arrays], Pairs] | None = globals().get("check_" + kernel.replace("-", "_"))
    if check is None:
        raise CheckError("has no check")
    return check


# ---------------------------------------------------------------------------- the machinery


@dataclass(frozen=True)
class Run:
    """What a program printed."""

    text: str
    seconds: list[float]


def compile_kernel(kernel: str, target: Path, flags: list[str]) -> None:
    """Compile a kernel; raise CheckError with the compiler's words when it fails."""
    command = ["gcc", *CFLAGS, *flags, str(KERNELS / f"{kernel}.c"), "-o", str(target), "-lm"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode or done.stderr:
        raise CheckError(f"{' '.join(flags)}: does not compile cleanly\n{done.stderr}")


def run_program(program: Path, *arguments: str) -> Run:
    """Run a program; raise CheckError unless it ends well and prints just its timings."""
    done = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=120)
    if done.returncode:
        raise CheckError(f"{program.name}: exit status {done.returncode}\n{done.stderr}")
    words = [line.split() for line in done.stderr.splitlines()]
    if any(len(w) != 2 or w[0] != "seconds" for w in words):
        raise CheckError(f"{program.name}: unexpected on stderr\n{done.stderr}")
    return Run(done.stdout, [float(w[1]) for w in words])


def parse_number(word: str) -> int | float:
    """Read a hexadecimal float or a decimal integer."""
    return float.fromhex(word) if "x" in word or not word.lstrip("-").isdigit() else int(word)


def parse_dump(text: str) -> Arrays:
    """Read the printed arrays: a line NAME DIM..., then lines of numbers."""
    lines = iter(text.splitlines())
    arrays: Arrays = {}
    for header in lines:
        name, *dims = header.split()
        shape = [int(v) for v in dims]
        values: list[Any] = []
        for _ in range(math.prod(shape[:-1])):
            values.extend(parse_number(word) for word in next(lines).split())
        if len(values) != math.prod(shape):
            raise CheckError(f"array {name}: {len(values)} values printed for {shape}")
        for size in reversed(shape[1:]):
            values = [values[k : k + size] for k in range(0, len(values), size)]
        arrays[name] = values if shape else values[0]
    return arrays


def flatten(value: Any) -> list[float]:
    """Return the numbers of nested lists in order."""
    return [v for item in value for v in flatten(item)] if isinstance(value, list) else [value]


def error_of(got: Any, want: Any) -> float:
    """Return the largest difference, relative to the largest expected number."""
    p, q = flatten(got), flatten(want)
    if len(p) != len(q):
        raise CheckError(f"{len(p)} numbers where {len(q)} are expected")
    scale = max(abs(v) for v in q) or 1.0
    return max(abs(v - w) for v, w in zip(p, q, strict=True)) / scale


def printed_by_all(kernel: str, size: str, folder: Path) -> str:
    """Compile and run all builds of a kernel; return what they all print."""
    builds = {"O0": ["-O0"], "O2": ["-O2"]}
    if size == "MINI":
        builds["sanitized"] = SANITIZE
    texts = {}
    for build, flags in builds.items():
        program = folder / f"{kernel}.{size}.{build}"
        compile_kernel(kernel, program, [*flags, f"-D{size}"])
        run = run_program(program, "--dump-inputs", "--dump")
        if len(run.seconds) != 1:
            raise CheckError(f"{size}: {len(run.seconds)} timings of one run")
        texts[build] = run.text
        if run.text != texts["O0"]:
            raise CheckError(f"{size}: the results of O0 and {build} differ")
    program = folder / f"{kernel}.{size}.O2"
    again = run_program(program, "--dump-inputs", "--repeat", "3", "--dump")
    if again.text != texts["O0"] or len(again.seconds) != 3:
        raise CheckError(f"{size}: three runs do not end like one")
    if run_program(program).text:
        raise CheckError(f"{size}: prints results without being asked")
    return texts["O0"]


def check_size(kernel: str, size: str, folder: Path) -> float:
    """Do all checks of a kernel at one data set; return the largest error."""
    arrays = parse_dump(printed_by_all(kernel, size, folder))
    for name, value in arrays.items():
        if not all(math.isfinite(v) for v in flatten(value)):
            raise CheckError(f"{size}: array {name} has numbers that are not finite")
    error = max(error_of(got, want) for got, want in find_check(kernel)(arrays))
    if error > (FLOAT_TOLERANCE if kernel == "deriche" else TOLERANCE):
        raise CheckError(f"{size}: differs from the expected numbers by {error:.1e}")
    return error


def check_kernel(kernel: str) -> tuple[bool, str]:
    """Check one kernel; return whether it is good, and the line to print."""
    sys.setrecursionlimit(10000)
    try:
        source = (KERNELS / f"{kernel}.c").read_text()
        if source.count("#pragma scop\n") != 1 or source.count("#pragma endscop\n") != 1:
            raise CheckError("should mark one region with #pragma scop and #pragma endscop")
        with tempfile.TemporaryDirectory() as folder:
            errors = {size: check_size(kernel, size, Path(folder)) for size in ("MINI", "SMALL")}
    except (CheckError, OSError, subprocess.TimeoutExpired) as problem:
        return False, f"{kernel:15} FAILED {problem}"
    words = ", ".join(f"{size} {error:.1e}" for size, error in errors.items())
    return True, f"{kernel:15} ok: bits agree, largest relative error {words}"


def main(arguments: list[str]) -> int:
    """Check the kernels named, or all; return the exit status."""
    kernels = arguments or sorted(path.stem for path in KERNELS.glob("*.c"))
    good = 0
    with ProcessPoolExecutor() as pool:
        for ok, line in pool.map(check_kernel, kernels):
            print(line, flush=True)
            good += ok
    print(f"{good} of {len(kernels)} kernels ok")
    if not arguments and len(kernels) != EXPECTED_COUNT:
        print(f"there should be {EXPECTED_COUNT} kernels")
        return 1
    return 0 if good == len(kernels) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
