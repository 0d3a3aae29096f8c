"""The programs whose order is changed: small ones written for it, and random ones.

``@`` in a template stands for a number, so that many copies fit into one file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from loopwright.basics.diagnostics import InputError
from loopwright.frontend.reading import read_c
from loopwright.model.scop import Scop
from tests.execution.campaign import drawn_programs
from tests.execution.programs import RandomProgram

Values = Mapping[str, int]

SIZE = 8
"""Every extent of every array; no parameter of a written program is larger than six."""

SUPPORT = f"""\
double fabs(double);
int printf(const char *, ...);
#define __pencil_kill(...) ((void)0)
static void fill_double(double *a, int n, unsigned x) {{
  for (int k = 0; k < n; k++) {{
    x = x * 1664525u + 1013904223u;
    a[k] = 0.5 + (x >> 8) / 16777216.0;
  }}
}}
static void fill_int(int *a, int n, unsigned x) {{
  for (int k = 0; k < n; k++) a[k] = (k * 5 + x) % {SIZE};
}}
static void dump_double(double *a, int n) {{ for (int k = 0; k < n; k++) printf("%a\\n", a[k]); }}
static void dump_int(int *a, int n) {{ for (int k = 0; k < n; k++) printf("%d\\n", a[k]); }}
"""

SEVERAL = ({"n": 1, "m": 3}, {"n": 3, "m": 2}, {"n": 4, "m": 4}, {"n": 2, "m": 5})


@dataclass(frozen=True, slots=True)
class Subject:
    """A program with one region, and parameters for which it is run."""

    name: str
    template: str
    values: tuple[Values, ...]
    arrays: tuple[tuple[str, int], ...] = ()
    """The arrays and their lengths; none for a program that comes with a ``main``."""

    def text(self, number: int) -> str:
        """The function with the region."""
        return self.template.replace("@", f"_{number}")

    def main(self, number: int, values: Sequence[Values]) -> str:
        """The function that runs it and prints all that it leaves behind."""
        if not self.arrays:
            return ""
        lines = [f"static void run_{number}(int n, int m) {{"]
        for position, (name, size) in enumerate(self.arrays):
            lines.append(f"  static {_type(name)} {name}[{size}];")
            lines.append(f"  fill_{_type(name)}({name}, {size}, {position * 977 + 13});")
        passed = "".join(f", (void *){name}" for name, _ in self.arrays)
        lines.append(f"  kernel_{number}(n, m{passed});")
        lines += [f"  dump_{_type(name)}({name}, {size});" for name, size in self.arrays]
        calls = [f"run_{number}({each.get('n', 3)}, {each.get('m', 3)});" for each in values]
        return "\n".join([*lines, "}", f"void main_{number}(void) {{ {' '.join(calls)} }}", ""])


def _type(name: str) -> str:
    return "int" if name == "X" else "double"


def _written(name: str, arrays: str, region: str, *, before: str = "", after: str = "") -> Subject:
    """A program from its region; ``A`` is a vector, ``A:2`` a matrix, ``X`` has integers."""
    declared = ["int n", "int m"]
    sizes: list[tuple[str, int]] = []
    for each in arrays.split():
        variable, _, rank = each.partition(":")
        extents = [SIZE] * int(rank or 1)
        declared.append(f"{_type(variable)} {variable}{''.join(f'[{k}]' for k in extents)}")
        sizes.append((variable, SIZE ** len(extents)))
    head = f"void kernel@({', '.join(declared)}) {{ {before}"
    text = f"{head}\n#pragma scop\n{region.strip()}\n#pragma endscop\n{after} }}\n"
    return Subject(name, text, SEVERAL, tuple(sizes))


WRITTEN = (
    _written(
        "copy",
        "A:2 B:2",
        "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) B[i][j] = 2 * A[j][i];",
    ),
    _written(
        "chain",
        "A B C",
        """
for (int i = 0; i < n; i++) B[i] = A[i] + 1;
for (int i = 0; i < n; i++) C[i] = B[i] * B[i];
for (int i = 0; i < n; i++) A[i] = C[i] - 1;""",
    ),
    _written(
        "jacobi",
        "A B",
        """
for (int t = 0; t < m; t++) {
  for (int i = 1; i <= n; i++) B[i] = A[i - 1] * 0.5 + A[i] + A[i + 1] * 0.25;
  for (int i = 1; i <= n; i++) A[i] = B[i];
}""",
    ),
    _written(
        "seidel",
        "A:2",
        """
for (int i = 1; i < n + 1; i++)
  for (int j = 1; j < m + 1; j++)
    A[i][j] = A[i - 1][j] * 0.5 + A[i][j - 1] * 0.25 + A[i][j];""",
    ),
    _written(
        "wave",
        "A:2",
        """
for (int i = 1; i < n + 1; i++)
  for (int j = 0; j < m; j++)
    A[i][j] = A[i - 1][j + 1] * 0.5 + 1;""",
    ),
    _written(
        "matmul",
        "A:2 B:2 C:2",
        """
for (int i = 0; i < n; i++)
  for (int j = 0; j < n; j++) {
    C[i][j] = 0;
    for (int k = 0; k < m; k++) C[i][j] += A[i][k] * B[k][j];
  }""",
    ),
    _written(
        "lu",
        "A:2",
        """
for (int k = 0; k < n; k++) {
  for (int i = k + 1; i < n; i++) A[i][k] = A[i][k] / A[k][k];
  for (int i = k + 1; i < n; i++)
    for (int j = k + 1; j < n; j++) A[i][j] -= A[i][k] * A[k][j];
}""",
    ),
    _written(
        "local",
        "A B",
        """
for (int i = 0; i < n; i++) { double t; t = A[i] * 3; B[i] = t * t; }""",
    ),
    _written(
        "killed",
        "A B",
        """
for (int i = 0; i < n; i++) { t = A[i] * 3; B[i] = t + i; }""",
        before="double t;",
    ),
    _written(
        "last",
        "A B",
        """
for (int i = 0; i < n; i++) { t = A[i] * 3; B[i] = t + i; }""",
        before="double t = 0;",
        after="A[7] = t;",
    ),
    _written(
        "pencil",
        "A B",
        """
for (int i = 0; i < n; i++) { t = A[i]; B[i] = t; }
__pencil_kill(t);
for (int i = 0; i < n; i++) { t = B[i] + 1; A[i] = t * 2; }""",
        before="double t;",
    ),
    _written(
        "row",
        "A:2 B:2",
        """
for (int i = 0; i < n; i++) {
  double r[8];
  for (int j = 0; j < m; j++) r[j] = A[i][j];
  for (int j = 0; j < m; j++) B[i][j] = r[m - 1 - j];
}""",
    ),
    _written(
        "broadcast",
        "A B C:2",
        """
for (int i = 0; i < n; i++) {
  t = A[i];
  for (int j = 0; j < m; j++) C[i][j] = t * B[j];
}""",
        before="double t;",
    ),
    _written(
        "listing2",
        "A B",
        """
t = A[0]; B[0] = t; t = A[1]; B[1] = t; t = A[2]; B[2] = t;""",
        before="double t;",
    ),
    _written(
        "listing2out",
        "A B",
        """
A[7] = A[0]; B[0] = A[7]; A[7] = A[1]; B[1] = A[7];""",
    ),
    _written(
        "sum",
        "A B",
        """
s = 0;
for (int i = 0; i < n; i++) s += A[i];
for (int i = 0; i < n; i++) B[i] = A[i] / s;""",
        before="double s;",
    ),
    _written(
        "horner",
        "A B:2",
        """
for (int i = 0; i < n; i++) {
  A[i] = 1;
  for (int j = 0; j < m; j++) A[i] = A[i] * 0.5 + B[i][j];
}""",
    ),
    _written(
        "slot",
        "A B",
        """
for (int i = 0; i < n; i++) { A[7] = B[i]; B[i] = A[7] * A[7] + i; }""",
    ),
    _written(
        "lone",
        "A B",
        """
for (int i = 0; i < n; i++) { A[7] = B[i]; A[7] = 2; B[i] = A[7] + i; A[6] = i; }""",
    ),
    _written("forward", "A", "for (int i = 0; i < n; i++) A[i] = A[i + 1] * 0.5;"),
    _written(
        "maximum",
        "A B",
        """
for (int i = 0; i < n; i++) if (A[i] > B[0]) B[0] = A[i];""",
    ),
    _written(
        "choice",
        "A B C",
        """
for (int i = 0; i < n; i++) { double t; t = A[i]; if (B[i] > 1) t = B[i]; C[i] = t; }""",
    ),
    _written(
        "choicelast",
        "A B C",
        """
for (int i = 0; i < n; i++) { if (B[i] > 1) t = B[i]; C[i] = t; }""",
        before="double t = 3;",
        after="A[7] = t;",
    ),
    _written(
        "scatter", "A B X", "for (int i = 0; i < n; i++) { B[X[i]] = A[i]; A[i] = B[X[i] / 2]; }"
    ),
    _written(
        "histogram",
        "A B X",
        "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) B[X[i]] += A[j];",
    ),
    _written(
        "border",
        "A B",
        """
for (int i = 0; i < n; i++) {
  if (i == 0) t = 1;
  if (i % 2 == 0) t = A[i];
  B[i] = t;
}""",
        before="double t;",
    ),
)


def random_subjects(count: int, seed: int) -> list[Subject]:
    """Random programs, with the parameters that their ``main`` calls them with."""
    drawn = drawn_programs(count, seed)
    return [_from_random(f"random {seed}/{k}", each) for k, each in enumerate(drawn)]


_SIGNATURE = re.compile(r"void kernel@\((.*), double \*out\)")
_CALL = re.compile(r"^  kernel@\((.*), out\);", re.MULTILINE)


def _from_random(name: str, program: RandomProgram) -> Subject:
    signature = _SIGNATURE.search(program.template)
    assert signature is not None
    names = [each.split()[-1] for each in signature[1].split(", ")]
    values: list[Values] = []
    for call in _CALL.findall(program.template):
        arguments = zip(names, call.split(", "), strict=True)
        passed = {each: int(value) for each, value in arguments if value.isdigit()}
        values.append(passed | {"c": 1})
    return Subject(name, with_all_elements_printed(program.template), tuple(values))


def with_all_elements_printed(program: str) -> str:
    """The same, but its ``main`` prints every element instead of a sum."""
    return re.sub(r"total \+= (.*) \* k;", r'printf("%a\\n", (double)\1);', program)


def model_of(subject: Subject) -> Scop | None:
    """The model of its region; none where it is not one region or relies on promises."""
    try:
        scops = read_c(subject.text(0))
    except InputError:
        return None
    return scops[0] if len(scops) == 1 and not scops[0].independences else None
