"""Classic shapes of schedules, one after the other."""

from __future__ import annotations

import islpy as isl

from benchmarks.ast_inputs.records import AstInput
from loopwright.codegen.options import AstOptions, LoopType

ATOMIC, SEPARATE, UNROLL = LoopType.ATOMIC, LoopType.SEPARATE, LoopType.UNROLL
DEFAULT = LoopType.DEFAULT


def _separate(depth: int) -> AstOptions:
    return AstOptions(loop_types=(SEPARATE,) * depth)


_POLYHEDRA = (
    AstInput(
        "shape/triangle",
        "[n] -> { S[i, j] -> [i, j] : 0 <= i < n and i <= j < n }",
        parameters={"n": 30},
    ),
    AstInput(
        "shape/triangle by columns",
        "[n] -> { S[i, j] -> [j, i] : 0 <= j <= i < n }",
        parameters={"n": 30},
    ),
    AstInput(
        "shape/trapezoid",
        "[n, m] -> { S[i, j] -> [i, j] : 0 <= i < n and i <= j < m - i }",
        parameters={"n": 12, "m": 40},
    ),
    AstInput(
        "shape/tetrahedron",
        "[n] -> { S[i, j, k] -> [k, j, i] : 0 <= i <= j <= k and i + j + k <= n }",
        parameters={"n": 24},
    ),
    AstInput(
        "shape/skewed rectangle",
        "[n, m] -> { S[i, j] -> [i + j, j] : 0 <= i < n and 0 <= j < m }",
        parameters={"n": 20, "m": 25},
    ),
    AstInput(
        "shape/diamond",
        "[n] -> { S[i, j] -> [i, j] : -n <= i + j <= n and -n <= i - j <= n }",
        parameters={"n": 12},
    ),
    AstInput(
        "shape/backwards",
        "[n] -> { S[i, j] -> [-i, -j] : 0 <= i < n and 0 <= j <= i }",
        parameters={"n": 25},
    ),
    AstInput(
        "shape/slope",
        "[n] -> { S[i, j] -> [j, i] : 0 <= i < n and 2i <= 3j <= 2i + 2n }",
        parameters={"n": 20},
    ),
    AstInput(
        "shape/hole",
        "[n] -> { S[i] -> [i] : 0 <= i < n or 2n <= i < 3n }",
        context="[n] -> { : n >= 1 }",
        parameters={"n": 30},
    ),
    AstInput(
        "shape/frame",
        "[n] -> { S[i, j] -> [i, j] : 0 <= i, j < n and (i < 2 or j < 2 or i >= n - 2"
        " or j >= n - 2) }",
        parameters={"n": 25},
    ),
)

_TILINGS = (
    AstInput(
        "tiling/diamond",
        """[T, N] -> { S[t, i] -> [floor((t + i)/8) + floor((t - i)/8),
                  floor((t + i)/8), t, i] : 0 <= t < T and 1 <= i < N - 1 }""",
        parameters={"T": 20, "N": 40},
    ),
    AstInput(
        "tiling/hexagonal",
        """[T, N] -> { S[t, i] -> [floor(t/8), 0, floor((i + 4)/24), t, i] :
                    0 <= t < T and 0 <= i < N and (t mod 8) - 4 <= ((i + 4) mod 24) - 8 <= 7;
                  S[t, i] -> [floor(t/8), 1, floor((i + 4)/24), t, i] :
                    0 <= t < T and 0 <= i < N
                    and not ((t mod 8) - 4 <= ((i + 4) mod 24) - 8 <= 7) }""",
        parameters={"T": 20, "N": 60},
    ),
    AstInput(
        "tiling/overlapped",
        """[T, N] -> { S[t, i] -> [b, t, i] : 0 <= t < T and 0 <= i < N and 0 <= 8b < N
                    and 8b - (T - t) <= i < 8b + 8 + (T - t) }""",
        context="[T, N] -> { : T >= 1 and N >= 1 }",
        parameters={"T": 4, "N": 30},
    ),
    AstInput(
        "tiling/wavefront of tiles",
        """[T, N] -> { S[t, i] -> [floor(t/8) + floor((t + i)/8), floor(t/8), t, t + i] :
                    0 <= t < T and 0 <= i < N }""",
        parameters={"T": 20, "N": 30},
    ),
    AstInput(
        "tiling/skewed seidel",
        """[T, N] -> { S[t, i, j] -> [floor(t/4), floor((t + i)/4), floor((2t + i + j)/4),
                    t, t + i, 2t + i + j] : 0 <= t < T and 0 < i, j < N - 1 }""",
        parameters={"T": 6, "N": 14},
    ),
    AstInput(
        "tiling/two levels",
        """[N] -> { S[i, j] -> [floor(i/32), floor(j/32), floor(i/8), floor(j/8), i, j] :
                    0 <= i < N and 0 <= j <= i }""",
        parameters={"N": 50},
    ),
    AstInput(
        "tiling/parallelogram with rest",
        """[T, N] -> { S[t, i] -> [floor((i + t)/16), t, i] :
                    0 <= t < T and 0 <= i < N }""",
        options=AstOptions(
            isolate=isl.Set("[T, N] -> { [b, t, i] : 16b >= T - 1 and 16b + 15 <= N - 1 }")
        ),
        parameters={"T": 8, "N": 70},
    ),
    AstInput(
        "tiling/full tiles unrolled",
        "[N] -> { S[i] -> [floor(i/4), i] : 0 <= i < N }",
        options=AstOptions(
            isolate=isl.Set("[N] -> { [t, i] : 0 <= 4t and 4t + 3 < N }"),
            isolated_loop_types=(DEFAULT, UNROLL),
        ),
        parameters={"N": 99},
    ),
    AstInput(
        "tiling/register block",
        """[N, M] -> { S[i, j, k] -> [floor(i/2), floor(j/2), k, i mod 2, j mod 2] :
                    0 <= i < N and 0 <= j < M and 0 <= k < N }""",
        options=AstOptions(loop_types=(DEFAULT, DEFAULT, DEFAULT, UNROLL, UNROLL)),
        parameters={"N": 11, "M": 9},
    ),
)

_STATEMENTS = (
    AstInput(
        "fusion/jacobi shifted",
        """[T, N] -> { S[t, i] -> [t, i, 0] : 0 <= t < T and 1 <= i < N - 1;
                            R[t, i] -> [t, i + 1, 1] : 0 <= t < T and 1 <= i < N - 1 }""",
        parameters={"T": 5, "N": 40},
    ),
    AstInput(
        "fusion/jacobi shifted, separate",
        """[T, N] -> { S[t, i] -> [t, i, 0] : 0 <= t < T and 1 <= i < N - 1;
                            R[t, i] -> [t, i + 1, 1] : 0 <= t < T and 1 <= i < N - 1 }""",
        options=_separate(3),
        parameters={"T": 5, "N": 40},
    ),
    AstInput(
        "fusion/jacobi shifted and tiled",
        """[T, N] -> { S[t, i] -> [floor(t/4), floor((2t + i)/8), t, 2t + i, 0] :
                              0 <= t < T and 1 <= i < N - 1;
                            R[t, i] -> [floor(t/4), floor((2t + i + 1)/8), t, 2t + i + 1, 1] :
                              0 <= t < T and 1 <= i < N - 1 }""",
        parameters={"T": 10, "N": 40},
    ),
    AstInput(
        "fusion/four ranges",
        """[n, m] -> { A[i] -> [i, 0] : 0 <= i < n; B[i] -> [i, 1] : 2 <= i < m;
                            C[i] -> [i, 2] : 0 <= i < m; D[i] -> [i, 3] : 1 <= i < n - 1 }""",
        parameters={"n": 20, "m": 30},
    ),
    AstInput(
        "fusion/four ranges, separate",
        """[n, m] -> { A[i] -> [i, 0] : 0 <= i < n; B[i] -> [i, 1] : 2 <= i < m;
                            C[i] -> [i, 2] : 0 <= i < m; D[i] -> [i, 3] : 1 <= i < n - 1 }""",
        options=_separate(2),
        parameters={"n": 20, "m": 30},
    ),
    AstInput(
        "fusion/four ranges, atomic",
        """[n, m] -> { A[i] -> [i, 0] : 0 <= i < n; B[i] -> [i, 1] : 2 <= i < m;
                            C[i] -> [i, 2] : 0 <= i < m; D[i] -> [i, 3] : 1 <= i < n - 1 }""",
        options=AstOptions(loop_types=(ATOMIC, ATOMIC)),
        parameters={"n": 20, "m": 30},
    ),
    AstInput(
        "fusion/cholesky flat",
        """[n] -> { D[k] -> [k, 0, 0, 0] : 0 <= k < n;
                         L[k, i] -> [k, 1, i, 0] : 0 <= k < i < n;
                         U[k, i, j] -> [k, 2, i, j] : 0 <= k < j <= i < n }""",
        parameters={"n": 14},
    ),
    AstInput(
        "fusion/blocked LU",
        """[n] -> { D[k] -> [floor(k/4), floor(k/4), floor(k/4), k, k, k, 0] : 0 <= k < n;
                         L[k, i] -> [floor(k/4), floor(i/4), floor(k/4), k, i, k, 1] :
                           0 <= k < i < n;
                         U[k, i, j] -> [floor(k/4), floor(i/4), floor(j/4), k, i, j, 2] :
                           0 <= k < i < n and k < j < n }""",
        parameters={"n": 11},
    ),
    AstInput(
        "fusion/three strides",
        """[n] -> { A[i] -> [3i] : 0 <= i < n; B[i] -> [3i + 1] : 0 <= i < n;
                         C[i] -> [3i + 2] : 0 <= i < n }""",
        parameters={"n": 30},
    ),
    AstInput(
        "fusion/reversed and forwards",
        """[n] -> { A[i] -> [i, 0] : 0 <= i < n; B[i] -> [n - 1 - i, 1] : 0 <= i < n }""",
        parameters={"n": 40},
    ),
    AstInput(
        "fusion/point and loops",
        """[n] -> { I[] -> [0, 0]; S[i] -> [i, 1] : 0 <= i <= n; F[] -> [n, 2] }""",
        context="[n] -> { : n >= 0 }",
        parameters={"n": 40},
    ),
)

_MODULO = (
    AstInput(
        "modulo/threads",
        "[N, t] -> { S[i] -> [i] : 0 <= i < N and i mod 32 = t }",
        context="[N, t] -> { : 0 <= t < 32 }",
        parameters={"N": 300, "t": 7},
    ),
    AstInput(
        "modulo/block cyclic",
        """[N, b, t] -> { S[i] -> [floor(i/128), i] : 0 <= i < N
                    and floor(i/32) mod 4 = b and i mod 32 = t }""",
        context="[N, b, t] -> { : 0 <= b < 4 and 0 <= t < 32 }",
        parameters={"N": 1000, "b": 2, "t": 7},
    ),
    AstInput(
        "modulo/stride with offset",
        "[N, p] -> { S[i] -> [i] : 0 <= i < N and (i - p) mod 4 = 0 }",
        parameters={"N": 100, "p": -3},
    ),
    AstInput(
        "modulo/two strides",
        "[N] -> { S[i] -> [i] : 0 <= i < N and i mod 6 = 4 and i mod 10 = 2 }",
        parameters={"N": 300},
    ),
    AstInput(
        "modulo/red and black",
        "[N] -> { S[i, j] -> [(i + j) mod 2, i, j] : 0 <= i < N and 0 <= j < N }",
        parameters={"N": 20},
    ),
    AstInput(
        "modulo/nested",
        "[N] -> { S[i] -> [(i mod 12) mod 5, i] : 0 <= i < N }",
        parameters={"N": 100},
    ),
    AstInput(
        "modulo/combinations",
        """[N] -> { S[i] -> [i] : exists a, b : i = 3a + 5b and 0 <= a <= 4 and 0 <= b
                    and 0 <= i < N }""",
        parameters={"N": 40},
    ),
    AstInput(
        "modulo/bank of memory",
        """[N, t] -> { S[i, j] -> [i, j] : 0 <= i < N and 0 <= j < 64
                    and (i + j) mod 16 = t }""",
        context="[N, t] -> { : 0 <= t < 16 }",
        parameters={"N": 20, "t": 3},
    ),
)

_RELATIONS = (
    AstInput(
        "relation/piecewise",
        """[n] -> { S[i] -> [0, i] : 0 <= i < n and 2i < n;
                         S[i] -> [1, -i] : 0 <= i < n and 2i >= n }""",
        parameters={"n": 40},
    ),
    AstInput(
        "relation/piecewise in one loop",
        """[n] -> { S[i] -> [i] : 0 <= i < n; S[i] -> [2n - i] : n <= i < 2n }""",
        parameters={"n": 20},
    ),
    AstInput(
        "relation/not injective",
        "[n] -> { S[i, j] -> [i + j] : 0 <= i < n and 0 <= j < n }",
        parameters={"n": 15},
    ),
    AstInput(
        "relation/not injective by division",
        "[n] -> { S[i, j] -> [floor(i/3)] : 0 <= i < n and i <= j < n }",
        parameters={"n": 15},
    ),
    AstInput(
        "relation/not single-valued",
        "[n] -> { S[i] -> [i, j] : 0 <= i < n and 0 <= j <= i mod 3 }",
        parameters={"n": 30},
    ),
    AstInput(
        "relation/unrolled at a parameter",
        "[p, n] -> { S[i] -> [i] : p <= i < p + 5 and 0 <= i < n }",
        options=AstOptions(loop_types=(UNROLL,)),
        parameters={"p": 10, "n": 13},
    ),
    AstInput(
        "relation/guarded",
        """[n, k] -> { S[i] -> [i] : 0 <= i < n and k >= 3;
                            R[i] -> [i] : 0 <= i < n and k <= 5 and n >= 10 }""",
        parameters={"n": 30, "k": 4},
    ),
    AstInput(
        "relation/corner turn",
        """[n] -> { S[i, j] -> [i, 0, j] : 0 <= i < n and 0 <= j < i;
                         S[i, j] -> [i, 1, -j] : 0 <= i < n and i <= j < n }""",
        parameters={"n": 20},
    ),
)

_TREES = (
    AstInput(
        "tree/copies in and out",
        """
domain: "[N] -> { S[i, j] : 0 <= i < N and 0 <= j < N }"
child:
  schedule: "[N] -> [{ S[i, j] -> [8*floor(i/8)] }, { S[i, j] -> [8*floor(j/8)] }]"
  child:
    extension: "[N] -> { [a, b] -> read[x, y] : 0 <= x < N and 0 <= y < N
      and a - 1 <= x <= a + 8 and b <= y <= b + 7;
      [a, b] -> write[x, y] : a <= x <= a + 7 and b <= y <= b + 7
      and 0 <= x < N and 0 <= y < N }"
    child:
      sequence:
      - filter: "{ read[x, y] }"
        child:
          schedule: "[{ read[x, y] -> [(x)] }, { read[x, y] -> [(y)] }]"
      - filter: "{ S[i, j] }"
        child:
          schedule: "[{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]"
      - filter: "{ write[x, y] }"
        child:
          schedule: "[{ write[x, y] -> [(x)] }, { write[x, y] -> [(y)] }]"
""",
        parameters={"N": 20},
    ),
    AstInput(
        "tree/blocks and threads",
        """
domain: "[N] -> { S[i, j] : 0 <= i < N and 0 <= j < N }"
child:
  context: "[b0, b1, t0, t1] -> { [] : 0 <= b0 < 4 and 0 <= b1 < 4 and 0 <= t0 < 8
    and 0 <= t1 < 8 }"
  child:
    filter: "[b0, b1] -> { S[i, j] : floor(i/8) mod 4 = b0 and floor(j/8) mod 4 = b1 }"
    child:
      schedule: "[N] -> [{ S[i, j] -> [(floor(i/8))] }, { S[i, j] -> [(floor(j/8))] }]"
      child:
        filter: "[t0, t1] -> { S[i, j] : i mod 8 = t0 and j mod 8 = t1 }"
        child:
          schedule: "[N] -> [{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]"
""",
        parameters={"N": 100, "b0": 1, "b1": 2, "t0": 3, "t1": 4},
    ),
    AstInput(
        "tree/kernel with shared memory",
        """
domain: "[N] -> { S[i, k] : 0 <= i < N and 0 <= k < N }"
child:
  context: "[b, t] -> { [] : 0 <= b < 16 and 0 <= t < 16 }"
  child:
    mark: "kernel"
    child:
      filter: "[b] -> { S[i, k] : floor(i/16) mod 16 = b }"
      child:
        schedule: "[N] -> [{ S[i, k] -> [16*floor(i/16)] }, { S[i, k] -> [16*floor(k/16)] }]"
        child:
          extension: "[N, t] -> { [a, c] -> load[x] : c <= x <= c + 15 and 0 <= x < N
            and x mod 16 = t; [a, c] -> sync[] }"
          child:
            sequence:
            - filter: "{ load[x] }"
              child:
                schedule: "[{ load[x] -> [(x)] }]"
            - filter: "{ sync[] }"
            - filter: "[t] -> { S[i, k] : i mod 16 = t }"
              child:
                schedule: "[N] -> [{ S[i, k] -> [(i)] }, { S[i, k] -> [(k)] }]"
""",
        parameters={"N": 300, "b": 3, "t": 5},
    ),
    AstInput(
        "tree/set of loops",
        """
domain: "[N] -> { A[i] : 0 <= i < N; B[i] : 0 <= i < 2N; C[] : N >= 7 }"
child:
  set:
  - filter: "{ A[i] }"
    child:
      schedule: "[{ A[i] -> [(i)] }]"
  - filter: "{ B[i] }"
    child:
      schedule: "[{ B[i] -> [(-i)] }]"
  - filter: "{ C[] }"
""",
        parameters={"N": 20},
    ),
    AstInput(
        "tree/expansion",
        """
domain: "[N] -> { G[i] : 0 <= i < N }"
child:
  schedule: "[{ G[i] -> [(i)] }]"
  child:
    contraction: "{ A[i, k] -> G[i]; B[i] -> G[i] }"
    expansion: "[N] -> { G[i] -> A[i, k] : 0 <= k < 3; G[i] -> B[i] : i >= 5 }"
    child:
      sequence:
      - filter: "{ A[i, k] }"
        child:
          schedule: "[{ A[i, k] -> [(k)] }]"
      - filter: "{ B[i] }"
""",
        parameters={"N": 20},
    ),
    AstInput(
        "tree/band with options",
        """
domain: "[N] -> { S[i, j] : 0 <= i < N and 0 <= j < 4; R[i] : 3 <= i < N - 2 }"
child:
  schedule: "[{ S[i, j] -> [(i)]; R[i] -> [(i)] }]"
  options: "{ separate[0] }"
  child:
    sequence:
    - filter: "{ R[i] }"
    - filter: "{ S[i, j] }"
      child:
        schedule: "[{ S[i, j] -> [(j)] }]"
        options: "{ unroll[0] }"
""",
        parameters={"N": 30},
    ),
    AstInput(
        "tree/vector strips isolated",
        """
domain: "[N, M] -> { S[i, j] : 0 <= i < N and i <= j < M }"
child:
  schedule: "[N, M] -> [{ S[i, j] -> [(i)] }]"
  child:
    schedule: "[N, M] -> [{ S[i, j] -> [4*floor(j/4)] }]"
    options: "[N, M] -> { isolate[[i] -> [t]] : i <= t and t + 3 < M }"
    child:
      mark: "vector"
      child:
        schedule: "[N, M] -> [{ S[i, j] -> [(j)] }]"
""",
        parameters={"N": 20, "M": 45},
    ),
)

SHAPES = (*_POLYHEDRA, *_TILINGS, *_STATEMENTS, *_MODULO, *_RELATIONS, *_TREES)
