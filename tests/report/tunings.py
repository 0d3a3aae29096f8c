"""Functions as the tuner finds them: few versions and many, regions, refusals and faults."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from random import Random

from loopwright.report.tuning_versions import Shape, TunedFunction, TunedVersion

GEMVER = """\
void gemver(int n, double alpha, double beta, double A[n][n], double u1[n], double v1[n],
            double u2[n], double v2[n], double w[n], double x[n], double y[n], double z[n])
{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i][j] = A[i][j] + u1[i] * v1[j] + u2[i] * v2[j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      x[i] = x[i] + beta * A[j][i] * y[j];
  for (int i = 0; i < n; i++)
    x[i] = x[i] + z[i];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      w[i] = w[i] + alpha * A[i][j] * x[j];
#pragma endscop
}
"""
FASTER = """\
void gemver(int n, double alpha, double beta, double A[n][n], double u1[n], double v1[n],
            double u2[n], double v2[n], double w[n], double x[n], double y[n], double z[n])
{
#pragma scop
#pragma omp parallel for
  for (int j = 0; j < n; j++) {
    for (int i = 0; i < n; i++) {
      A[i][j] = A[i][j] + u1[i] * v1[j] + u2[i] * v2[j];
      x[j] = x[j] + beta * A[i][j] * y[i];
    }
    x[j] = x[j] + z[j];
  }
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      w[i] = w[i] + alpha * A[i][j] * x[j];
#pragma endscop
}
"""

GEMVER_SHAPES: dict[str, tuple[Shape, ...]] = {
    "0 0 0 1": ((("S0", "S1"), "S2"), (("S3",),)),
    "0 0 1 1": ((("S0", "S1"),), ("S2", ("S3",))),
    "0 0 1 2": ((("S0", "S1"),), ("S2",), (("S3",),)),
    "0 1 1 2": ((("S0",),), (("S1",), "S2"), (("S3",),)),
    "0 1 2 2": ((("S0",),), (("S1",),), ("S2", ("S3",))),
    "0 1 2 3": ((("S0",),), (("S1",),), ("S2",), (("S3",),)),
}
"""Some structures of gemver, by the ranks of their statements."""


def gemver() -> TunedFunction:
    """A function with few versions, among them some that are refused, failed or the same."""
    gains = {"0 0 0 1": 4.08, "0 0 1 1": 3.9, "0 0 1 2": 3.97, "0 1 1 2": 2.2, "0 1 2 2": 0.71}
    versions = [
        _timed("original", 0.412, 1.0, 3.43, (GEMVER_SHAPES["0 1 2 3"],)),
        _timed("optimize", 0.412 / 3.43, 3.43, 3.43, (GEMVER_SHAPES["0 0 1 2"],)),
    ]
    for ranks, gain in gains.items():
        shapes = (GEMVER_SHAPES[ranks],)
        versions.append(_timed(f"fusion {ranks}", 0.412 / gain, gain, 3.43, shapes))
    label = "fusion 0 0 0 1, tiles 32 x 256 -funroll-loops"
    versions.append(_timed(label, 0.101, 4.1, 3.43, (GEMVER_SHAPES["0 0 0 1"],), key="best"))
    versions += [
        TunedVersion("s1", "parallel first", "same", "the text of fusion 0 0 1 2"),
        *(_refused(each) for each in ("8 x 8", "16 x 16", "32 x 8", "32 x 16", "64 x 8")),
        TunedVersion("r9", "source, tiles 4 x 4", "refused", "no array can have copies"),
        TunedVersion("x1", "all at once -Ofast", "failed", "gcc ended with status 1"),
        TunedVersion("u1", "fusion 0 1 2 3, tiles 8 x 8", "ok"),
    ]
    return TunedFunction(
        function="gemver",
        file="kernel.c",
        lines=(4, 16),
        sizes={"n": 1800},
        machine="AMD EPYC 7763 64-Core Processor, 2 cores",
        compiler="gcc (Debian 12.2.0) 12.2.0, x86_64-linux-gnu -O3 -march=native -fopenmp",
        threads=2,
        begun="2026-10-05T12:30:59+00:00",
        versions=tuple(versions),
        original="original",
        optimize="optimize",
        best="best",
        original_text=GEMVER,
        best_text=FASTER,
        compile_with="gcc -O3 -march=native -fopenmp -funroll-loops",
    )


def _timed(
    label: str,
    seconds: float,
    gain: float,
    optimize: float,
    structures: tuple[Shape, ...],
    key: str = "",
) -> TunedVersion:
    times = (1.02 * seconds, seconds, 1.05 * seconds)
    return TunedVersion(
        key or label.replace(" ", "-"), label, "ok", "", times, gain, gain / optimize, structures
    )


def _refused(tiles: str) -> TunedVersion:
    reason = "the proof takes too long: 2 regions of 3 are proved"
    return TunedVersion(
        f"r{tiles.replace(' ', '')}", f"fusion 0 0 0 1, tiles {tiles}", "refused", reason
    )


def kept() -> TunedFunction:
    """A function of which no version is faster."""
    found = gemver()
    versions = tuple(
        replace(each, gain=(each.gain or 0) / 5) if each.key != "original" else each
        for each in found.versions
        if each.is_timed
    )
    return replace(found, versions=versions, best="original", best_text=GEMVER, compile_with="gcc")


def wrong() -> TunedFunction:
    """A function with a version that was proved and computes something else."""
    found = gemver()
    version = TunedVersion("w1", "fusion 0 0 1 1, tiles 8", "wrong", "x[3] differs for n = 7")
    return replace(found, versions=(*found.versions, version))


# --- many versions --------------------------------------------------------------------------------


def correl(count: int = 180) -> TunedFunction:
    """A function of six statements with a great number of versions, one for each structure."""
    chance = Random(1)
    names = [f"S{at}" for at in range(6)]
    versions = [_timed("original", 1.31, 1.0, 9.5, (_apart(names),))]
    for at, (ranks, shape) in enumerate(_structures(names)):
        if len(versions) == count:
            break
        gain = chance.choice([0.4, 1.3, 4.0, 8.8, 9.6]) * chance.uniform(0.8, 1.25)
        tiles = ("", ", tiles 32 x 32 x 64", ", tiles 16 x 64 x 256")[at % 3]
        label = f"fusion {ranks}{tiles}"
        versions.append(_timed(label, 1.31 / gain, gain, 9.5, (shape,), f"k{at}"))
    versions.append(_timed("optimize", 1.31 / 9.5, 9.5, 9.5, ()))
    best = max(versions, key=lambda each: each.gain or 0)
    return replace(
        gemver(),
        function="correl",
        sizes={"m": 1200, "n": 1400},
        versions=tuple(versions),
        best=best.key,
    )


def _apart(names: Sequence[str]) -> Shape:
    return tuple(((name,),) for name in names)


def _structures(names: Sequence[str]) -> Iterator[tuple[str, Shape]]:
    """Neighbours fused or not, at two depths."""
    for outer in product((0, 1), repeat=len(names) - 1):
        for inner in product((0, 1), repeat=len(names) - 1):
            if all(new >= old for old, new in zip(outer, inner, strict=True)):
                loops = [
                    tuple(_grouped(each, names, inner)) for each in _grouped(names, names, outer)
                ]
                ranks = [sum(inner[:at]) for at in range(len(names))]
                yield " ".join(map(str, ranks)), tuple(loops)


def _grouped(
    some: Sequence[str], names: Sequence[str], cuts: Sequence[int]
) -> list[tuple[str, ...]]:
    groups: list[list[str]] = []
    for name in some:
        at = names.index(name)
        if not groups or cuts[at - 1]:
            groups.append([])
        groups[-1].append(name)
    return [tuple(each) for each in groups]


def regions() -> TunedFunction:
    """A function with three regions, each of a structure of its own."""
    found = gemver()
    others: tuple[Shape, ...] = ((("S0",), ("S1",)), ((("S0", "S1"), ("S2",)), "S3"))
    versions = tuple(
        replace(each, structures=(*each.structures, *others)) if each.structures else each
        for each in found.versions
    )
    return replace(found, function="simulate", versions=versions)
