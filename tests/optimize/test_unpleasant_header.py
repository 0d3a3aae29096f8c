"""Kernels behind headers full of macros are proved in the text that they would have anyway."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.programs import KERNELS
from benchmarks.unpleasant_header import DRESSES, is_alike, loops_of, written
from loopwright import Result, optimize
from tests.emit.running import outputs_of

PLAIN = ("trisolv", "nussinov")
"""Their loops are generated anew in their old order."""


def new_text(kernel: Path, *, prove: bool) -> Result:
    reschedule = kernel.stem not in PLAIN
    result = optimize(kernel, define=["LARGE"], prove=prove, reschedule=reschedule)
    result.require_no_mistake()
    return result


@pytest.mark.parametrize("name", ["gramschmidt", "jacobi-2d", "mvt", "seidel-2d", *PLAIN])
def test_nothing_is_given_up_behind_the_header(name: str, tmp_path: Path) -> None:
    kernel = KERNELS / f"{name}.c"
    plain = new_text(written(kernel, None, tmp_path / "plain"), prove=False)
    assert all(each.text is not None for each in plain.regions)
    for dress, wear in DRESSES.items():
        dressed = written(kernel, wear, tmp_path / dress)
        proved = new_text(dressed, prove=True)
        assert all(proved.proof), proved.notes
        assert proved.content == new_text(dressed, prove=False).content
        assert is_alike(loops_of(proved), loops_of(plain))


WORDS = """\
#include <stdio.h>
#define private public_
#define simd nowait
#define reduction(x) schedule(x)
#define parallel 0
#define SPELLED(x) #x
#define TOLD(x) SPELLED(x)
double a[400], s;
int main(void) {
  int i, j, n = 400;
  double private[400][400];
  for (i = 0; i < n; i++) for (j = 0; j < n; j++) private[i][j] = i * 0.125 + j;
#pragma scop
  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++)
      a[i] = a[i] * 0.5 + public_[j][i];
  for (i = 0; i < n; i++)
    s += a[i];
#pragma endscop
  for (i = 0; i < n; i++) printf("%g ", a[i]);
  printf("%g " TOLD(private) TOLD(simd) TOLD(reduction(k)) TOLD(parallel), s);
  return 0;
}
"""


def test_macros_do_not_reach_into_new_pragmas_and_are_there_again_behind(tmp_path: Path) -> None:
    result = optimize(WORDS, reassociate=True)
    assert all(result.proof), result.notes
    inside = result.code.split("#pragma scop\n")[1].split("#pragma endscop")[0]
    words = ("parallel", "reduction", "simd")
    assert "#pragma omp parallel for simd reduction(+:s)" in inside
    for each in words:
        first, *_, last = (at for at, line in enumerate(inside.splitlines()) if each in line)
        assert inside.splitlines()[first].strip() == f'#pragma push_macro("{each}")'
        assert inside.splitlines()[last].strip() == f'#pragma pop_macro("{each}")'
    one, other = outputs_of(WORDS, result.code, tmp_path, ["-fopenmp"])
    assert one == other
    assert one.endswith("public_nowaitschedule(k)00")


KEPT = """\
#include <stdio.h>
#define parallel 2
#define simd parallel
#define Z (simd + 1)
void f(int n, double a[n], double b[n][n]) {
  int i, j;
#pragma scop
  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++)
      a[i] = a[i] * Z + b[j][i] * simd;
#pragma endscop
}
double a[80], b[80][80];
int main(void) {
  for (int i = 0; i < 80; i++) b[i][79 - i] = i;
  f(80, a, b);
  for (int i = 0; i < 80; i++) printf("%g ", a[i]);
  return 0;
}
"""


def test_what_is_kept_of_a_region_keeps_its_macros(tmp_path: Path) -> None:
    result = optimize(KEPT)
    assert all(result.proof), result.notes
    assert '#pragma pop_macro("simd")\n  } else {\n' in result.code
    one, other = outputs_of(KEPT, result.code, tmp_path, ["-fopenmp"])
    assert one == other


def test_what_stands_behind_a_region_on_its_line_stays_there(tmp_path: Path) -> None:
    program = KEPT.replace("\n#pragma scop\n", "{").replace("\n#pragma endscop\n", "}")
    program = program.replace("n, double a[n], double b[n][n]", "n, double a[80], double b[80][80]")
    result = optimize(program, autodetect=True)
    assert any(result.proof), result.notes
    one, other = outputs_of(program, result.code, tmp_path, ["-fopenmp"])
    assert one == other


TIMED = """\
static unsigned long ticks(void) {
  unsigned low, high;
  __asm__ __volatile__("rdtsc" : "=a"(low), "=d"(high) : : "cc");
  return ((unsigned long)high << 32) | low;
}
void f(int n, double *restrict a, double d, double *restrict b, double cc) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[j] += d * b[i] + cc;
#pragma endscop
}
unsigned long g(void) { return ticks(); }
"""


def test_constraints_for_the_assembler_are_no_names() -> None:
    result = optimize(TIMED)
    assert all(result.proof), result.notes


def test_instructions_for_the_assembler_may_speak_of_names() -> None:
    (region,) = optimize(TIMED.replace("rdtsc", "rdtsc # d")).regions
    assert region.note is not None
    assert "__asm__ may define symbols" in region.note.message
