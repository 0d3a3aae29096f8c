"""Programs and places that once made us fail: each has an answer now."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from time import monotonic

import pytest

from loopwright import InputError, optimize, read_c
from loopwright.fates import Outcome, Refused, Rewritten
from loopwright.reducing import reduced
from tests.cli.running import loopwright

SCALE = """\
void scale(int {0}, double *restrict x)
{{
#pragma scop
  for (int i = 0; i < {0}; i++)
    x[i] = 2 * x[i];
#pragma endscop
}}
"""


@pytest.mark.parametrize("name", ["True", "NOT", "Mod", "infty", "n$", "é", "groß", "None"])
def test_names_that_isl_reads_otherwise(name: str) -> None:
    result = optimize(SCALE.format(name), reschedule=False)
    (region,) = result.regions
    if not name.isascii():  # compilers spell it in different ways: that is refused, not suffered
        assert isinstance(region, Refused)
        return
    assert isinstance(region, Rewritten)
    assert region.proof is not None
    assert f"c0 < {name};" in result.code


def test_names_of_all_kinds_stay_apart() -> None:
    program = """\
struct sizes { int NaN, max; };
void f(int é, int ü, const struct sizes *Min, int n$, double Infinity[n$][é], double n_[n$])
{
#pragma scop
  for (int True = 0; True < n$; True++)
    for (int Mod = 0; Mod < é; Mod++)
      ä: Infinity[True][Mod] += n_[True] * ü + Min->NaN;
  for (int É = 0; É < n$; É++)
    ö: n_[É] = 2 + É;
#pragma endscop
}
"""
    (scop,) = read_c(program)
    names = [each.name for each in scop.parameters]
    assert len(set(names)) == len(names)
    assert len({each.name for each in scop.statements}) == 2
    (region,) = optimize(program, reschedule=False).regions
    assert isinstance(region, Refused)


CALLS = """\
typedef struct {{ int dim; double *ve; double score[10]; }} vector;
vector *resized(vector *v, int n);
int look(int *);
void f(int n, vector *v, double *x)
{{
#pragma scop
{0}
#pragma endscop
}}
"""


@pytest.mark.parametrize(
    "body",
    [
        "resized(v, n); for (int k = 0; k < n; k++) v->ve[k] = x[k];",
        "for (int k = 0; k < n; k++) { resized(v, k); v->ve[k] = x[k]; }",
        "for (int k = 0; k < n; k++) { int id = look(&v->dim); x[k] = v->ve[id]; }",
        "for (int k = 0; k < n; k++) { int id = look(&v->dim); x[k] = v->score[id]; }",
    ],
)
def test_calls_that_may_change_what_a_pointer_leads_to(body: str) -> None:
    """The pointer in a struct and what it points to are two arrays; the call touches both."""
    (scop,) = read_c(CALLS.format(body))
    call = scop.statements[0]
    behind = {each.array for each in call.accesses if each.writes}
    content = {each.array for each in scop.statements[-1].accesses if each.array.startswith("v")}
    if "resized" in body:
        assert content <= behind
    assert len({each.name for each in scop.arrays}) == len(scop.arrays)


def test_a_global_that_points_into_itself() -> None:
    program = """\
struct { double *p; double v[3]; } g = { g.v };
void f(int n, double *x)
{
#pragma scop
  for (int i = 0; i < n; i++)
    x[i] = 2 * %s;
#pragma endscop
}
"""
    (scop,) = read_c(program % "g.v[1]")
    assert len(scop.statements) == 1
    with pytest.raises(InputError, match="LW206"):
        read_c(program % "(g.p[0] + g.v[1])")


def test_statements_whose_parameters_come_in_different_orders() -> None:
    program = """\
#include <math.h>
void binarize(float *input, int n, int size, float *binary)
{
  int i, s;
#pragma scop
  for (s = 0; s < size; ++s) {
    float mean = 0;
    for (i = 0; i < n; ++i)
      mean += fabs(input[i * size + s]);
    mean = mean / n;
    for (i = 0; i < n; ++i)
      binary[i * size + s] = (input[i * size + s] > 0) ? mean : -mean;
  }
#pragma endscop
}
"""
    (region,) = optimize(program).regions
    assert "isl gave up" not in region.reason


# --- where the command is called ------------------------------------------------------------------


def limited(limit: str, folder: Path) -> subprocess.CompletedProcess[str]:
    (folder / "scale.c").write_text(SCALE.format("n"))
    command = f'ulimit {limit}; "{sys.executable}" -m loopwright.cli optimize -q scale.c'
    return subprocess.run(
        ["bash", "-c", command], cwd=folder, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("limit", ["-v 400000", "-n 6", "-n 9"])
def test_little_memory_and_few_files(limit: str, tmp_path: Path) -> None:
    done = limited(limit, tmp_path)
    assert done.returncode in (0, 2)
    assert "Traceback" not in done.stderr
    assert "scale(int n" in done.stdout or done.stderr


def test_links_that_lead_in_a_circle(tmp_path: Path) -> None:
    (tmp_path / "one").symlink_to("two")
    (tmp_path / "two").symlink_to("one")
    text = SCALE.format("n").encode()
    done = loopwright("-", "-o", "one", folder=tmp_path, text=text)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"LW107: cannot write the file: too many levels" in done.stderr
    done = loopwright("one", folder=tmp_path)
    assert done.returncode == 2
    assert b"LW106" in done.stderr


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="there is no endless device")
def test_a_device_without_an_end(tmp_path: Path) -> None:
    done = loopwright("/dev/zero", folder=tmp_path)
    assert done.returncode == 2
    assert b"LW104" in done.stderr


# --- the report -----------------------------------------------------------------------------------


def many(count: int) -> str:
    return "".join(
        f"""
static void turned{at}(int n, double a[n][n])
{{
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      a[i][j] *= 2;
}}
double next{at}(double *);
static void called{at}(int n, int m, double *x)
{{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      x[i * m + j] = next{at}(x);
}}
"""
        for at in range(count)
    )


def test_a_long_report_becomes_a_summary(tmp_path: Path) -> None:
    text = many(6).encode()
    done = loopwright("--autodetect", "-", "-o", "new.c", folder=tmp_path, text=text)
    lines = done.stderr.decode().splitlines()
    assert done.returncode == 0
    assert len(lines) <= 40
    assert lines[0].startswith("<stdin>: 6 regions rewritten, 6 nests with something in the way")
    said = " ".join(" ".join(lines).split())
    assert "it calls next0 on line 13, of which nothing is known [LW119]" in said
    assert "line 11: for (int i = 0; i < n; i++)" in said
    assert "3 x it calls a function of which nothing is known [LW119]" in said
    everything = loopwright("--autodetect", "-v", "-", "-o", "new.c", folder=tmp_path, text=text)
    assert everything.stderr.decode().count("  proved in") == 6
    assert everything.stderr.decode().count("LW119") == 12


def test_the_shortest_program_with_the_failure() -> None:
    lines = [f"line {at}\n".encode() for at in range(40)]
    found = reduced(
        b"".join(lines), lambda text: b"line 7\n" in text and b"line 31\n" in text, monotonic() + 60
    )
    assert found == b"line 7\nline 31\n"


def test_the_outcome_says_what_it_is() -> None:
    result = optimize(many(1), autodetect=True)
    assert isinstance(result, Outcome)
    outer, inner = result.unread
    assert (outer.function, outer.depth, inner.depth) == ("called0", 2, 2)
