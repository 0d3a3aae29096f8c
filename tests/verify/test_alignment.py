"""Two files side by side: what may differ outside of the regions, and what may not."""

from __future__ import annotations

from pathlib import Path

import pytest

from loopwright.basics.diagnostics import InputError
from loopwright.model.proofs import Proof, Unknown
from tests.verify.answers import verdict as check

LOOPS = """\
  for (i = 0; i < n; i++)
    A[i] = SCALE * twice(A[i]);
"""
TURNED = """\
  for (i = 0; i < n; i++)
    A[n - 1 - i] = SCALE * twice(A[n - 1 - i]);
"""
ORIGINAL = f"""\
#include <stdio.h>
#define SCALE 3
#define MARK _Pragma("omp parallel for")
#if SCALE > 4
#define BIG 1
#endif
typedef double number;
static int offset = 1;
struct point {{ int x; }};
static inline __attribute__((const)) double twice(double x) {{ return 2 * x; }}
void f(int n, number *A)
{{
  int i;
#pragma scop
{LOOPS}#pragma endscop
}}
int main(void)
{{
  number A[4] = {{1, 2, 3, 4}};
  f(4, A);
  printf("%g  %d\\n", A[offset], 0);
#ifdef BIG
  puts("big");
#endif
  return 0;
}}
"""
NEW = ORIGINAL.replace(LOOPS, TURNED)


def answer(transformed: str, original: str = ORIGINAL) -> Proof | Unknown:
    found = check(original, transformed, run=False)
    assert isinstance(found, Proof | Unknown)
    return found


ALLOWED = {
    "nothing else": NEW,
    "nothing at all": ORIGINAL,
    "comments and white space": NEW.replace("int i;", "/* new */ int\n i ;  // here").replace(
        "#define SCALE 3", "#define  SCALE /* same */ 3"
    ),
    "no pragmas": NEW.replace("#pragma scop\n", "").replace("#pragma endscop\n", ""),
    "a macro": "#define TILE 16\n" + NEW.replace("i = 0; i < n; i++", "i = 0; i < n; i += 1"),
    "a macro that is used": "#define ZERO 0\n" + NEW.replace("i = 0", "i = ZERO"),
    "a macro in many lines": "#define LESS(a, b) \\\n  ((a) < (b))\n"
    + NEW.replace("i < n", "LESS(i, n)"),
    "a macro between functions": NEW.replace("void f", "#define ZERO 0\nvoid f").replace(
        "i = 0", "i = ZERO"
    ),
    "a macro in front of the loops": NEW.replace(
        "#pragma scop\n", "#pragma scop\n#define ZERO 0\n"
    ).replace("i = 0", "i = ZERO"),
    "a variable": NEW.replace("int i;", "int i;\n  int k;")
    .replace(TURNED, TURNED.replace("i", "k"))
    .replace("twkce", "twice"),
    "a longer declaration": NEW.replace("int i;", "int i, k;"),
    "a declaration in another order": NEW.replace("int i;", "int k, i;"),
    "a buffer": NEW.replace("int i;", "double buffer[8]; int i;"),
    "a macro in front of those that others define": "#define SMALL 1\n" + NEW,
    "a macro for a name that a header defines anew": "#define NULL 0\n" + NEW,
    "a macro that is taken back": NEW.replace("void f", "#undef SCALE\n#define SCALE 3\nvoid f"),
    "a macro under a condition": "#ifdef FAST\n#define ZERO 1\n#else\n#define ZERO 0\n#endif\n"
    + NEW.replace("i = 0", "i = ZERO"),
    "a condition with the same answer": NEW.replace("#if SCALE > 4", "#if SCALE > 3"),
    "a macro with a macro that has a pragma": "#define GO MARK\n"
    + NEW.replace("  for (i", "  GO\n  for (i"),
    "a line that is joined": NEW.replace("f(4, A);", "f(4, \\\n A);"),
    "a directive behind a comment": NEW.replace("#define SCALE 3", "/* */ #define SCALE 3"),
    "a digraph": NEW.replace("A[4]", "A<:4]"),
    "a header": "#include <stdlib.h>\n#include <omp.h>\n" + NEW,
    "a header for a compiler that has it": "#ifdef _OPENMP\n#include <omp.h>\n#endif\n" + NEW,
    "another header": "#include <complex.h>\n" + NEW,
    "a header last": NEW.replace("#include <stdio.h>\n", "#include <stdio.h>\n#include <math.h>\n"),
    "a macro of the program": NEW.replace("SCALE * twice", "SCALE * twice")
    .replace("i < n", "i + SCALE < n + SCALE")
    .replace("i < n", "i < n"),
}


@pytest.mark.parametrize("transformed", ALLOWED.values(), ids=ALLOWED)
def test_what_may_be_different(transformed: str) -> None:
    found = check(ORIGINAL, transformed, run=False, context="[n] -> { : n <= 1000000 }")
    assert isinstance(found, Proof), str(found)


REFUSED = {
    "a type": NEW.replace("typedef double", "typedef float"),
    "a constant": NEW.replace("SCALE 3", "SCALE 4"),
    "another function": NEW.replace("return 0", "return 1"),
    "a called function": NEW.replace("2 * x", "3 * x"),
    "an initial value": NEW.replace("offset = 1", "offset = 2"),
    "a macro for a type": "#define double float\n" + NEW,
    "a macro for a keyword": "#define return\n" + NEW,
    "a macro for a function": "#define twice(x) (3 * (x))\n" + NEW,
    "a macro that others define, too": "#define BIG 1\n" + NEW,
    "a macro that changes a header": "#undef _FORTIFY_SOURCE\n#define _FORTIFY_SOURCE 1\n" + NEW,
    "a macro that is changed": NEW.replace("void f", "#undef SCALE\n#define SCALE 4\nvoid f"),
    "a macro under a condition": "#ifdef FAST\n#define ZERO 0\n#else\n#define ZERO 1\n#endif\n"
    + NEW.replace("i = 0", "i = ZERO"),
    "a macro for a word of an added header": "#define div_t int\n#include <stdlib.h>\n" + NEW,
    "another condition": NEW.replace("#if SCALE > 4", "#if SCALE > 2"),
    "white space in a string": NEW.replace("%g  %d", "%g %d"),
    "a member": NEW.replace("{ int x; }", "{ int x; int k; }"),
    "a global variable": NEW.replace("static int offset", "int k;\nstatic int offset"),
    "a variable with a value": NEW.replace("int i;", "int i; int k = 0;"),
    "a variable that is static": NEW.replace("int i;", "int i; static int k;"),
    "a variable that hides another": NEW.replace("int i;", "int i; int offset;"),
    "a variable in the region that hides another": NEW.replace(
        "#pragma scop\n", "#pragma scop\n  int offset;\n"
    ),
    "a variable that is volatile": NEW.replace("int i;", "volatile int i;"),
    "a parameter that is volatile": NEW.replace("number *A)", "volatile number *A)"),
    "a parameter that is restrict": NEW.replace("number *A)", "number *restrict A)"),
    "a header of another folder": '#include "other.h"\n' + NEW,
    "a pragma": "#pragma STDC FP_CONTRACT ON\n" + NEW,
    "a function more": NEW + "void g(void) {}\n",
    "a statement more": NEW.replace("  int i;", "  int i; A[0] = 1;"),
    "a statement behind": NEW.replace("#pragma endscop\n}", "#pragma endscop\n  A[0] = 1;\n}"),
    "a comment that goes on": NEW.replace("  f(4, A);", "  // call \\\n  f(4, A);"),
    "a directive behind a comment": NEW.replace("#define SCALE 3", "/* */ #define SCALE 4"),
}


@pytest.mark.parametrize("transformed", REFUSED.values(), ids=REFUSED)
def test_what_may_not_be_different(transformed: str) -> None:
    assert transformed != NEW
    try:
        found = answer(transformed)
    except InputError:
        return  # nor is it C
    assert isinstance(found, Unknown)


def test_the_first_difference_is_told() -> None:
    found = answer(NEW.replace("2 * x", "3 * x"))
    assert isinstance(found, Unknown)
    assert found.reason == "the file differs outside its regions: 3 instead of 2"
    assert str(found.span) == "new.c:10:70"


def test_a_macro_that_joins_words() -> None:
    """``JOIN(k, 1)`` is the global variable, unless a local one has its name."""
    joined = ORIGINAL.replace(
        "static int offset", "#define JOIN(a, b) a##b\nint JOIN(k, 1);\nstatic int offset"
    )
    joined = joined.replace("#pragma endscop\n", "#pragma endscop\n  JOIN(k, 1) = i;\n")
    hidden = joined.replace(LOOPS, TURNED).replace("int i;", "int i; int k1;")
    assert isinstance(answer(hidden, joined), Unknown)


PRAGMAS = {
    "a macro": ('#define GO _Pragma("omp {}")', "GO"),
    "a macro like a function": ('#define GO() _Pragma("omp {}")', "GO()"),
    "macros in a macro": ("#define AT(what) _Pragma(#what)\n#define GO AT(omp {})", "GO"),
    "a word of a pragma": ("#define simd {}", "#pragma omp simd"),
}


@pytest.mark.parametrize("made", PRAGMAS.values(), ids=PRAGMAS)
def test_pragmas_that_macros_make(made: tuple[str, str]) -> None:
    def found(directive: str) -> Proof | Unknown:
        text = NEW.replace("  for (i", f"{made[1]}\n  for (i")
        return answer(f"{made[0].format(directive)}\n{text}")

    parallel = found("parallel for")
    assert isinstance(parallel, Proof), str(parallel)
    assert parallel.parallel_loops == 1
    for wrong in ("parallel", "parallel for private(A)"):
        assert isinstance(found(wrong), Unknown)


LINES = {
    "the line": ("int where = __LINE__;", False),
    "the line of a function": ("int where(void) { return __builtin_LINE(); }", False),
    "an assertion": ("#include <assert.h>\nvoid g(int n) { assert(n); }", False),
    "an assertion that is switched off": (
        "#define NDEBUG\n#include <assert.h>\nvoid g(int n) { assert(n); }",
        True,
    ),
    "a condition": ("#if __LINE__ == 8\nint where;\n#endif", False),
    "a condition that still holds": ("#if __LINE__ < 80\nint where;\n#endif", True),
    "a line that is told": ("#line 5\nint where = __LINE__;", True),
    "the file, whose place the new one takes": ("const char *where = __FILE__;", True),
    "a header": ("#if __has_include(<stdio.h>)\nint where;\n#endif", True),
}


@pytest.mark.parametrize(("asking", "is_same"), LINES.values(), ids=LINES)
def test_lines_may_be_part_of_the_program(asking: str, is_same: bool) -> None:
    """They are the same where the new loops have as many lines."""
    original = ORIGINAL.replace("static int offset", f"{asking}\nstatic int offset")
    new = original.replace(LOOPS, TURNED)
    assert isinstance(answer(new, original), Proof)
    assert isinstance(answer("\n" + new, original), Proof) is is_same


@pytest.mark.parametrize(
    ("line", "moved", "is_same"),
    [("__LINE__", "", True), ("__LINE__", "\n", False), ("__builtin_LINE()", "\n", False)],
)
def test_a_region_that_asks_for_its_line(line: str, moved: str, is_same: bool) -> None:
    original, new = (each.replace("SCALE *", f"{line} *") for each in (ORIGINAL, NEW))
    assert isinstance(answer(moved + new, original), Proof) is is_same


@pytest.mark.parametrize(("first", "is_same"), [("0", True), ("__COUNTER__", False)])
def test_a_counter_that_the_new_text_moves_on(first: str, is_same: bool) -> None:
    original, new = (each.replace(", 0)", ", __COUNTER__)") for each in (ORIGINAL, NEW))
    assert isinstance(answer(new.replace("i = 0", f"i = {first}"), original), Proof) is is_same


def test_a_header_that_stands_beside_one_of_them(tmp_path: Path) -> None:
    asking = '#if __has_include("size.h")\nint size;\n#endif\n'
    one, two = (tmp_path / each / "f.c" for each in ("one", "two"))
    for path, text in ((one, ORIGINAL), (two, NEW)):
        path.parent.mkdir()
        path.write_text(asking + text)
    assert isinstance(check(one, two, run=False), Proof)
    (tmp_path / "two" / "size.h").touch()
    assert isinstance(check(one, two, run=False), Unknown)


def test_a_region_that_is_gone() -> None:
    for new in (NEW, NEW.replace("#pragma scop\n", "").replace("#pragma endscop\n", "")):
        assert isinstance(answer(new.replace(TURNED, "")), Unknown)


def test_marks_in_the_wrong_places() -> None:
    swapped = NEW.replace("#pragma scop", "#pragma here").replace("endscop", "scop")
    swapped = swapped.replace("#pragma here", "#pragma endscop")
    assert isinstance(answer(swapped), Proof)
    late = NEW.replace("#pragma endscop\n}", "}").replace("return 0;", "return 0;\n#pragma endscop")
    assert isinstance(answer(late), Unknown)


@pytest.mark.parametrize("qualifier", ["volatile ", "_Atomic "])
def test_memory_that_others_watch(qualifier: str) -> None:
    original = ORIGINAL.replace("number *A)", f"{qualifier}number *A)")
    try:
        found = answer(original.replace(LOOPS, TURNED), original)
    except InputError:
        return
    assert isinstance(found, Unknown)


def test_headers_of_the_same_name(tmp_path: Path) -> None:
    program = '#include "size.h"\n' + ORIGINAL.replace("A[offset]", "A[SIZE]")
    for folder, size in (("one", 1), ("two", 2), ("same", 1)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "size.h").write_text(f"#define SIZE {size}\n")
        (tmp_path / folder / "f.c").write_text(program)
    one, two, same = (tmp_path / each / "f.c" for each in ("one", "two", "same"))
    assert isinstance(check(one, two, run=False), Unknown)
    assert isinstance(check(one, same, run=False), Proof)


def test_an_added_header_of_the_users(tmp_path: Path) -> None:
    (tmp_path / "math.h").write_text("#define offset (offset)\n")
    found = check(ORIGINAL, "#include <math.h>\n" + NEW, include=[str(tmp_path)], run=False)
    assert isinstance(found, Unknown)


@pytest.mark.parametrize(("called", "is_same"), [("difftime", False), ("difference", True)])
def test_an_added_header_that_declares_what_is_called(called: str, is_same: bool) -> None:
    """In old C, what nobody has declared returns an ``int``."""
    original, new = (each.replace(", 0)", f", (int){called}(4, 1))") for each in (ORIGINAL, NEW))
    found = check(original, "#include <time.h>\n" + new, standard="gnu89", run=False)
    assert isinstance(found, Proof) is is_same, str(found)


ASKED = [
    ("math.h", "M_PI", False),
    ("math.h", "OTHER", True),
    ("omp.h", "_OMP_H", False),
    ("omp.h", "_OPENMP", True),
    ("omp.h", "OTHER", True),
]


@pytest.mark.parametrize(("header", "asked", "is_same"), ASKED)
def test_a_header_that_asks_for_a_macro_of_an_added_one(
    tmp_path: Path, header: str, asked: str, is_same: bool
) -> None:
    """What the answer is counts where it is used."""
    own = f"#ifdef {asked}\n#define ONE 1\n#else\n#define ONE 2\n#endif\n"
    (tmp_path / "own.h").write_text(own)
    for use, is_proved in (("1", True), ("ONE", is_same)):
        original, new = (
            '#include "own.h"\n' + each.replace("offset = 1", f"offset = {use}")
            for each in (ORIGINAL, NEW)
        )
        (tmp_path / "a.c").write_text(original)
        (tmp_path / "b.c").write_text(f"#include <{header}>\n" + new)
        found = check(tmp_path / "a.c", tmp_path / "b.c", run=False)
        assert isinstance(found, Proof) is is_proved, str(found)


@pytest.mark.parametrize(("header", "asked", "is_same"), ASKED)
def test_a_program_that_asks_for_a_macro_of_an_added_header(
    header: str, asked: str, is_same: bool
) -> None:
    for text, is_proved in (("", True), ("int asked;\n", is_same)):
        original, new = (f"#ifdef {asked}\n{text}#endif\n" + each for each in (ORIGINAL, NEW))
        found = answer(f"#include <{header}>\n" + new, original)
        assert isinstance(found, Proof) is is_proved, str(found)


# --- functions that are known by their names ----------


@pytest.mark.parametrize(("before", "is_same"), [("min(x, 4)", True), ("(x < 4 ? x : 4)", False)])
def test_a_text_that_calls_a_function_without_a_body(before: str, is_same: bool) -> None:
    frame = "int min(int, int);\nvoid f(int n, int *A) {{\n#pragma scop\n"
    frame += "for (int i = 0; i < n; i++) {};\n#pragma endscop\n}}\n"
    old = "A[i] = " + before.replace("x", "A[i]")
    new = "A[n - 1 - i] = min(A[n - 1 - i], 4)"
    found = answer(frame.format(new), frame.format(old))
    assert isinstance(found, Proof) is is_same, str(found)
    if isinstance(found, Proof):
        assert found.assumed == ("min does what its name says",)


def test_a_program_with_the_header_of_openmp() -> None:
    """Compilers have extensions of their own in it, and gcc's is not clang's."""
    header = "#include <omp.h>\n"
    assert isinstance(answer(header + NEW, header + ORIGINAL), Proof)
    assert isinstance(answer(NEW, header + ORIGINAL), Unknown)


@pytest.mark.parametrize(("first", "is_same"), [("1", True), ("FIRST", False)])
def test_macros_on_the_command_line(first: str, is_same: bool) -> None:
    """What they stand for may be a macro of the new text."""
    original, new = (
        "enum { ONE = 1 };\n" + each.replace("offset = 1", f"offset = {first}")
        for each in (ORIGINAL, NEW)
    )
    new = new.replace("void f", "#undef ONE\nvoid f").replace("typedef", "#define ONE 2\ntypedef")
    found = check(original, new, define=["FIRST=ONE"], run=False)
    assert isinstance(found, Proof) is is_same, str(found)


TWO = ORIGINAL.replace(
    "int main",
    "void g(int n, double *A)\n{\n  int i;\n#pragma scop\n"
    + LOOPS
    + "#pragma endscop\n}\nint main",
)


@pytest.mark.parametrize("marks", [True, False])
def test_several_regions(marks: bool) -> None:
    new = TWO.replace(LOOPS, TURNED)
    bad = new[::-1].replace(TURNED[::-1], TURNED.replace("SCALE *", "SCALE +")[::-1], 1)[::-1]
    other = new.replace("void g(int n", "void g(short n")
    texts = [new, TWO.replace(LOOPS, TURNED, 1), bad, other]
    if not marks:
        texts = [
            each.replace("#pragma scop\n", "").replace("#pragma endscop\n", "") for each in texts
        ]
    found = [answer(each, TWO) for each in texts]
    assert [isinstance(each, Proof) for each in found] == [True, True, False, False]
    assert isinstance(found[0], Proof)
    assert found[0].statements == 2


def test_a_region_of_another_function_stays_as_it_is() -> None:
    new = TWO.replace(LOOPS, TURNED)
    once = TWO.replace(LOOPS, TURNED, 1)
    assert isinstance(check(TWO, once, function="f", run=False), Proof)
    assert isinstance(check(TWO, new, function="f", run=False), Unknown)


def test_regions_that_are_found() -> None:
    original = ORIGINAL.replace("#pragma scop\n", "").replace("#pragma endscop\n", "")
    new = original.replace(LOOPS, TURNED)
    assert isinstance(check(original, new, autodetect=True, run=False), Proof)
    wrong = new.replace("SCALE *", "SCALE +")
    assert isinstance(check(original, wrong, autodetect=True, run=False), Unknown)


def test_old_declarations_of_parameters() -> None:
    head = "void f(n, A)\nint n;\ndouble *A;\n{\n  int i;\n"
    loops = "  for (i = 0; i < n; i++)\n    A[i] = 1;\n"
    original = f"{head}#pragma scop\n{loops}#pragma endscop\n}}\n"
    new = original.replace("A[i]", "A[n - 1 - i]").replace("int i;", "int i, j;")
    assert isinstance(check(original, new, standard="gnu89", run=False), Proof)
    wrong = new.replace("int n;", "int n, m;")
    with pytest.raises(InputError):
        check(original, wrong, standard="gnu89", run=False)


def test_the_value_of_an_iterator_behind_the_loops() -> None:
    original = ORIGINAL.replace("#pragma endscop\n", "#pragma endscop\n  A[0] = i;\n")
    other = original.replace(LOOPS, LOOPS.replace("(i", "(int i"))
    assert isinstance(answer(other, original), Unknown)
    another = LOOPS.replace("i", "k").replace("twkce", "twice")
    other = original.replace(LOOPS, another).replace("int i;", "int i, k;")
    assert isinstance(answer(other, original), Unknown)
