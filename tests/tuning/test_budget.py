"""``loopwright optimize --code-budget``: the best program whose machine code fits."""

from __future__ import annotations

import json
import re
import shutil
from functools import cache
from pathlib import Path

import pytest

from loopwright import InputError, Result, optimize
from loopwright.tuning.code_size import object_bytes
from loopwright.tuning.toolchain import Toolchain
from tests.cli.running import loopwright

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc")

PRODUCT = """\
void product(int n, double C[n][n], double A[n][n], double B[n][n])
{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        C[i][j] += A[i][k] * B[k][j];
#pragma endscop
}
"""
COMPILER = "gcc -O1 -fopenmp"
TOOLCHAIN = Toolchain(("gcc",), ("-O1", "-fopenmp"))


@cache
def with_room() -> Result:
    return optimize(PRODUCT, code_budget=10**6, compiler=COMPILER)


def fitting(result: Result) -> tuple[str, int]:
    """A program, and what it is told to take; it takes as much when compiled."""
    assert result.fit is not None
    assert result.fit.size == object_bytes(result.content, "product.c", TOOLCHAIN)
    return result.code, result.fit.size


def test_a_smaller_budget_is_kept_by_a_smaller_program() -> None:
    largest, most = fitting(with_room())
    smaller, less = fitting(optimize(PRODUCT, code_budget=most - 1, compiler=COMPILER))
    assert less < most
    assert smaller != largest
    smallest, least = fitting(optimize(PRODUCT, code_budget=less - 1, compiler=COMPILER))
    assert least < less
    assert smallest not in (smaller, largest)
    assert "#pragma omp" in smallest


def test_with_room_nothing_is_given_up() -> None:
    result = with_room()
    assert result.code == optimize(PRODUCT).code
    assert result.fit is not None
    assert result.fit.what == "nothing had to be given up"


def test_time_that_is_short_is_no_way_to_fit() -> None:
    """With little time for each of the ways, the usual one is still there."""
    result = optimize(PRODUCT, code_budget=10**6, compiler=COMPILER, timeout=10)
    assert result.code != PRODUCT


def test_of_several_regions_those_are_new_that_fit() -> None:
    turned = """void turned(int n, double a[n][n], double b[n][n])
{
#pragma scop
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      a[i][j] = 2 * b[i][j];
#pragma endscop
}
"""
    both = PRODUCT + turned
    unmarked = PRODUCT.replace("#pragma scop\n", "").replace("#pragma endscop\n", "")
    some = optimize(unmarked + turned).content
    room = object_bytes(some, "both.c", TOOLCHAIN)
    result = optimize(both, code_budget=room, compiler=COMPILER)
    assert [region.text is not None for region in result.regions] == [False, True]
    assert result.fit is not None
    assert result.fit.what == "1 of 2 regions are new"


def test_optimization_at_link_time_does_not_hide_the_code() -> None:
    result = optimize(PRODUCT, code_budget=10**6, compiler=f"{COMPILER} -flto")
    assert result.fit is not None
    assert result.fit.size == object_bytes(result.content, "product.c", TOOLCHAIN)


@pytest.mark.parametrize("budget", [0, -5])
def test_a_budget_of_nothing(budget: int) -> None:
    with pytest.raises(ValueError, match="a code budget is a number of bytes"):
        optimize(PRODUCT, code_budget=budget)


def test_what_fits_is_proved() -> None:
    assert all(region.proof is not None for region in with_room().regions)


def test_nothing_fits() -> None:
    result = optimize(PRODUCT, code_budget=1, compiler=COMPILER)
    assert result.code == PRODUCT
    assert result.fit is not None
    assert result.fit.size == object_bytes(PRODUCT.encode(), "product.c", TOOLCHAIN)
    pattern = r"with its new loops, the program takes [\d,]+ bytes, more than the code\s+budget"
    assert re.search(pattern, result.explanation)
    assert "bytes (gcc -O1 -fopenmp), which is too much: nothing new fits" in result.explanation


@pytest.mark.parametrize("compiler", ["no-such-compiler", "gcc --no-such-flag", ""])
def test_no_compiler(compiler: str) -> None:
    with pytest.raises(InputError, match="LW604: the code budget cannot be kept: "):
        optimize(PRODUCT, code_budget=1000, compiler=compiler)


def test_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "product.c"
    path.write_text(PRODUCT)
    options = ("--code-budget", "1000000", "--cflags", "-O1 -fopenmp", "--json", str(path))
    done = loopwright(*options, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    size = json.loads(done.stdout)["code_size"]
    assert size["budget"] == 1_000_000
    assert size["measure"] == "gcc -O1 -fopenmp"
    assert f"code  {size['size']:,} of 1,000,000 bytes" in done.stderr.decode()


@pytest.mark.parametrize("budget", ["0", "-1", "4k", ""])
def test_a_budget_that_is_none(tmp_path: Path, budget: str) -> None:
    done = loopwright("--code-budget", budget, "-", folder=tmp_path, text=PRODUCT.encode())
    assert done.returncode == 2
    assert b"--code-budget" in done.stderr


def test_a_program_that_needs_headers_beside_it(tmp_path: Path) -> None:
    (tmp_path / "real.h").write_text("typedef float real;\n")
    path = tmp_path / "product.c"
    path.write_text('#include "real.h"\n' + PRODUCT.replace("double", "real"))
    done = loopwright(
        "--code-budget", "1000000", "--cflags=-O1 -fopenmp", str(path), folder=tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert b"code  " in done.stderr
