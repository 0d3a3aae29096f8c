"""What a script may say, and what names mean in it."""

from __future__ import annotations

from pathlib import Path

import islpy as isl
import pytest

from loopwright import InputError
from loopwright.script.notation import Known, condition_of, function_of
from loopwright.script.timetable import timetable_of
from loopwright.script.tokens import Source, Words, lines_of
from loopwright.scripting import Script

from .regions import code_after, region, run_on

KNOWN = Known(frozenset({"N"}), {"s": 8})
NEST = "for (int i = 0; i < N; i++)\n  for (int j = 0; j < N; j++)\n    L: A[i][j] = B[j][i];\n"


def words(text: str) -> Words:
    (line,) = lines_of(Source("s", text))
    return Words(line.tokens)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{[i,j] -> [j,i]}", "{ [i, j] -> [j, i] }"),
        ("{[i]->[i/32,i%32]}", "{ [i] -> [floor(i/32), i mod 32] }"),
        ("{[i]->[a,b]: a=[i/32] and b=i%32}", "{ [i] -> [floor(i/32), i mod 32] }"),
        ("{[i]->[floor(i/32), -i]}", "{ [i] -> [floor(i/32), -i] }"),
        ("{[i,j]->[2i+1, 3*(i-j)]}", "{ [i, j] -> [2i + 1, 3i - 3j] }"),
        ("{[i,0]->[i,i]}", "{ [i, 0] -> [i, i] }"),
        ("{[i]->[N-1-i]}", "[N] -> { [i] -> [N - 1 - i] }"),
        ("{[N]->[N+1]}", "{ [i] -> [i + 1] }"),
        ("{[i]->[i/s]}", "{ [i] -> [floor(i/8)] }"),
        ("{[i]->[i]: 0 <= i < N and not i = 3}", "[N] -> { [i] -> [i] : 0 <= i < N and i != 3 }"),
        ("{[i]->[i]: (i < 3 || (i+1)*2 > 40)}", "{ [i] -> [i] : i < 3 or i > 19 }"),
        ("{[i]->[" + "(i)+" * 99 + "-i]}", "{ [i] -> [98i] }"),
    ],
)
def test_functions(text: str, expected: str) -> None:
    assert function_of(words(text), KNOWN).is_equal(isl.Map(expected))


def test_conditions() -> None:
    found = condition_of(words("{[i,j] : j < N/2 and i != j}"), KNOWN)
    assert found.is_equal(isl.Set("[N] -> { [i, j] : j < floor(N/2) and i != j }"))


@pytest.mark.parametrize(
    "text",
    [
        "{[i,i] -> [i]}",
        "{[i] -> [i*i]}",
        "{[i] -> [i/0]}",
        "{[i] -> [i/N]}",
        "{[i] -> [i%-3]}",
        "{[i] -> [i] : i}",
        "{[i] -> [i] : i <}",
        "{[i] -> [i] :}",
        "{[i] -> i}",
        "{[i] [i]}",
        "{[i] -> [i,]}",
        "{[i] -> [" + "(" * 99 + "i" + ")" * 99 + "]}",
        "{[i] -> [" + "-" * 999 + "i]}",
        "{[i] -> [" + "9" * 99 + "]}",
        "{[i] -> [m + 1]}",
    ],
)
def test_what_is_no_function(text: str) -> None:
    with pytest.raises(InputError, match="LW811"):
        function_of(words(text), KNOWN)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("affine(L", "LW811"),
        ("affine L", "LW811"),
        ("L = ", "LW811"),
        ("(A, B = isplit(L, {[i] : i<3}, 0)", "LW811"),
        ("affine(L, {[i] -> [i]}) affine", "LW811"),
        ("affine(L, $)", "LW811"),
        ("  reverse(L, 1)\nreverse(L, 1)\n    reverse(L, 2)", "LW811"),
        ("def f(l):\nreverse(L, 1)", "LW811"),
        ("def f(l, l): reverse(l, 1)", "LW811"),
        ("def f(l):\n  return l\n  reverse(l, 1)", "LW811"),
        ("def tile(l): reverse(l, 1)", "LW813"),
        ("def f(l): f(l)\nf(L)", "LW813"),
        ("def f(l): reverse(l, 1)\nf(L, 2)", "LW813"),
        ('mark(L, 1, "unroll")', "LW813"),
        ("affine(L, L)", "LW813"),
        ("affine({[i] -> [i]}, L)", "LW813"),
        ("reverse(1, L)", "LW813"),
        ("X = reverse(L, 1)", "LW813"),
        ("lift(L, 1)", "LW813"),
        ("reverse(X, 1)", "LW812"),
        ("X = lift(L, 1)\nreverse(x, 1)", "LW812"),
        ("X = lift(L, 4)", "LW814"),
        ("realign(L, L, 0)", "LW814"),
        ("affine(L, {[i,j] -> [i]})", "LW814"),
        ("affine(L, {[i,j,k] -> [i,j,k]})", "LW814"),
        ("tile(L, 0)", "LW814"),
        ("skew(L, 1, 1)", "LW814"),
        ('include "nowhere"', "LW815"),
    ],
)
def test_what_is_no_script(text: str, code: str) -> None:
    with pytest.raises(InputError, match=code):
        run_on(region(NEST), text)


def test_operations_of_ones_own() -> None:
    script = """
    # tiles, with the sizes as they come
    def blocks(l, s, t):
      affine(l, {[i,j] -> [i/s, j/t, i%s, j%t]})  // both loops
      P = lift(l, 2)
      return P
    Tile = blocks(L, 16,
                  64)
    """
    tiled = "affine(L, {[i,j] -> [i/16, j/64, i%16, j%64]})"
    assert code_after(region(NEST), script) == code_after(region(NEST), tiled)


@pytest.mark.parametrize(
    ("names", "count", "hint"),
    [("P", "one result", "P = parts(l)"), ("(P, Q)", "2 results", "(P, Q) = parts(l)")],
)
def test_results_that_nobody_takes(names: str, count: str, hint: str) -> None:
    definition = "def parts(l):\n  (P, Q) = split(l, 1, 4)\n"
    with pytest.raises(InputError) as refusal:
        run_on(region(NEST), f"{definition}  return {names}\nparts(L)")
    (only,) = refusal.value.diagnostics
    assert (only.code, only.message) == ("LW813", f"parts has {count}")
    assert only.hint == f"write it as {hint}"


def test_there_is_an_end_to_steps_within_steps() -> None:
    twice = "".join(f"def f{at + 1}(l):\n  f{at}(l)\n  f{at}(l)\n" for at in range(30))
    with pytest.raises(InputError, match="the script has too many steps"):
        run_on(region(NEST), f"def f0(l): parallel(l, 1)\n{twice}f30(L)")


def test_scripts_include_scripts(tmp_path: Path) -> None:
    (tmp_path / "mine.loopy").write_text("def turn(l): interchange(l, 1, 2)\n")
    scop = region(NEST)
    script = Script("s.loopy", 'include "mine.loopy"\nturn(L)', tmp_path)
    (done,) = script.run(scop, timetable_of(scop)).steps
    assert done.text == "affine(L, {[i1,i2] -> [i2,i1]})"
    (tmp_path / "mine.loopy").write_text('include "mine.loopy"\n')
    with pytest.raises(InputError, match="scripts include each other"):
        script.run(scop, timetable_of(scop))


def test_a_label_of_a_block_names_the_block() -> None:
    two = "for (int i = 0; i < N; i++) {\n  L: A[i][0] = 1;\n  B[i][0] = 2;\n}"
    assert len(timetable_of(region(two)).components["L"]) == 2
    other = two.replace("B[i][0]", "M: B[i][0]")
    table = timetable_of(region(other))
    assert (len(table.components["L"]), len(table.components["M"])) == (1, 1)
    loop = two.replace("B[i][0]", "M: for (int j = 0; j < N; j++) B[i][j]")
    assert [*timetable_of(region(loop)).components["L"]] == [(0, 0, 0)]


def test_a_label_of_a_loop_names_the_loop() -> None:
    loop = "L: for (int i = 0; i < N; i++) {\n  A[i][0] = 1;\n  B[i][0] = 2;\n}\nA[0][0] = 3;"
    components = timetable_of(region(loop)).components
    assert sorted(components["L"]) == [(0, 0), (0, 1)]
    assert sorted(components["S2"]) == [(1, 0)]


def test_dummy_loops_do_no_harm() -> None:
    """The authors needed a loop around each component."""
    plain = "for (int i = 0; i < N; i++) {\n  First: A[i][0] = 1;\n  Second: B[i][0] = 2;\n}"
    dummies = (
        "for (int i = 0; i < N; i++) {\n"
        "  for (int k = 0; k < 1; k++) {\n    First: A[i][0] = 1;\n  }\n"
        "  for (int k = 0; k < 1; k++) {\n    Second: B[i][0] = 2;\n  }\n}"
    )
    codes = [code_after(region(each), "realign(First, Second, 0)") for each in (plain, dummies)]
    assert codes[0].count("for (") == 2
    assert codes[1].replace(", 0)", ")") == codes[0]


def test_iterations_are_counted_from_zero() -> None:
    down = "for (int i = N - 1; i >= 3; i -= 2)\n  L: A[i][0] = 1;"
    (piece,) = timetable_of(region(down)).pieces
    first = piece.times.intersect_range(isl.Set("{ [0] }")).domain()
    assert first.is_equal(isl.Set("[N] -> { L[i] : i = N - 1 and i >= 3 }"))
    assert piece.times.is_injective()
