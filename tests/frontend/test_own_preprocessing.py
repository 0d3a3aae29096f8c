"""Without a compiler, programs are what their parser sees, or are refused."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from loopwright.basics.c_tokens import texts
from loopwright.frontend.clang_library import ParsedFile, ReadOptions
from loopwright.frontend.compilers import FLAGS, CannotPreprocess, Compiler, usual_command
from loopwright.frontend.configurations import asked_variations
from loopwright.frontend.parser_decisions import require_same_program
from loopwright.frontend.preprocessing import Unit, unit_of

KERNELS = Path(__file__).resolve().parents[2] / "benchmarks/kernels"
NOBODY = Compiler(("no-such-compiler",), FLAGS)
HEADERS = {
    "guarded.h": "#ifndef _GUARDED_H_\n#define _GUARDED_H_\nint once;\n#define N 8\n#endif\n",
    "other.h": '#pragma once\n#include "guarded.h"\n#include "guarded.h"\n#undef N\n#define N 9\n',
    "items.h": "#ifdef FIRST\nITEM(a)\n#else\nITEM(b)\n#endif\n#undef FIRST\n",
    "plain.h": "ITEM(c)\n",
}
SAME = {
    "objects": "enum { N = 1 };\n#define N M\n#define M (N + 1)\nint a[N];",
    "calls": "#define F(x, y) x##y + #x[0] * G(x)\n#define G(x) (x)\nint f(int b, int b1) {"
    " return F(b, 1); }",
    "calls of calls": "int F(int);\n#define F(x) x + G\n#define G(x) F(x)\n"
    "int g(int G) { return F(1)(2) - F(F(3)) - G(4); }",
    "strings": '#define S(...) #__VA_ARGS__\nchar s[] = S( a  "\\n" , \'"\', /* b */ c );',
    "more arguments": "#define P(f, more...) p(f, ## more) + q(f, ##more)\n"
    "#define Q(...) P(__VA_ARGS__)\n#define R(...) p(__VA_ARGS__)\n"
    "int p(int, ...), q(int, ...); int r(void) { return Q(1) + Q(1, 2, 3) + R(4, R(5)); }",
    "nothing": "#define E\n#define J(a, b) a ## b\n"
    "int J(, x) = 1 J(E, )+ 2; int J(y,), z = J(1, )J(, E);",
    "lines": "#define F(a, b) a + b\nint a = F(1,\n  2\n), b = 3;\nint c = __LINE__;\n"
    "#line 70\nint d = __LINE__;\n",
    "no call": "#define F(a) a\nint F\n= 3, g = F\n\n  (4);\nint h;",
    "conditions": "#if 0\nit's // no \"string\n#elif 1\nint a;\n#else\nint b;\n#endif\n"
    "#ifdef A\n# if 1\n#  error no\n# endif\n#endif\nint c; /*\n#if 0\n*/ int d;",
    "splices": "#def\\\nine N 3 \\\n + 4\nint a\\\nb = N; // a comment \\\n int c;\nint d;",
    "spaces": "#define M -1\n#define P +\nint a = -M, b = 1 P+ 1, c = 1 P P 2, d = 3/**/-M;",
    "numbers": "#define E 1\n#define f 2\ndouble b = 1.5E+1, c = .5e-1; float d = 1.f;",
    "headers": '#include "guarded.h"\n#include "other.h"\n#include "guarded.h"\nint a[N];',
    "a header many times": "#define ITEM(x) int x;\n#define FIRST\n"
    '#include "items.h"\n#include "plain.h"\n#include "items.h"\n',
    "pragmas": "#define N 4\n#define PRAGMA(x) _Pragma(#x)\nvoid f(void) {\n"
    "#pragma omp parallel for num_threads(N) reduction(+:N)\nfor (int i = 0; i < N; i++) ;\n"
    "PRAGMA(omp barrier) ; }\n  # pragma scop\n",
    "kept macros": '#define A 1\n#pragma push_macro("A")\n#undef A\n#define A 2\nint b = A;\n'
    '#pragma pop_macro("A")\nint a = A;',
    "own names": "#define __MIN(a, b) ((a) < (b) ? (a) : (b))\n#ifndef N\n#define N 3\n#endif\n"
    "int a = __MIN(N, __SIZEOF_INT__);\n#if defined(__linux__) && __STDC_VERSION__ > 199901L\n"
    "int b;\n#endif\n",
}
REFUSED = {
    "#ifdef _OPENMP\nint a;\n#endif": "no compiler here says what _OPENMP is",
    "#if N\n#elif defined __clang__\n#endif": "no compiler here says what __clang__ is",
    "#if 0\n#elif __GNUC__ > 4\n#else\n#endif": "no compiler here says what __GNUC__ is",
    "#define NEW (__GNUC__ > 4)\n#if NEW\n#endif": "no compiler here says what __GNUC__ is",
    "#define J(a, b) a ## b\n#if J(__cl, ang__)\n#endif": "a condition asks J, which joins words",
    "#define J(a, b) a ## b\nint a = J(__cl, ang__);": "no compiler here says what __clang__ is",
    "int a = __COUNTER__;": "no compiler here says what __COUNTER__ is",
    "#ifndef __AVX2__\n#define __AVX2__ 1\n#endif": "no compiler here says what __AVX2__ is",
    "#if __has_include(<omp.h>)\n#endif": "no compiler here says what __has_include is",
    "#define S(x) T(x)\n#define T(x) #x\nchar s[] = S(__AVX2__);": "no compiler here says what",
    "#ifdef FP_FAST_FMA\n#endif": "no compiler here says what FP_FAST_FMA is",
    "#error no\n": "not valid C: no",
    '#include "none.h"': "'none.h' file not found",
    "#define F(a) a\nint b = F(\n#undef F\n1);": "a directive stands in a call of a macro",
    "#define F(a) a\nint b = F(\n__LINE__);": "__LINE__ stands in a call of several lines",
    "#define parallel nowait\n#pragma GCC parallel\n": "the macro parallel stands in #pragma GCC",
    "#define A(x, ...) x __VA_OPT__(+ 1)\nint a = A(1);": "the macro A is not understood",
    "%:define N 1\nint a = N;": "digraphs are not understood",
    '#pragma push_macro("__SSE__")\n#undef __SSE__\n#pragma pop_macro("__SSE__")\n'
    "#ifdef __SSE__\n#endif": "no compiler here says what __SSE__ is",
    "int \\u00e9;": "\\ in a name is not understood",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in HEADERS.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def seen(folder: Path, text: str, compiler: Compiler = NOBODY, *defined: str) -> Unit:
    options = ReadOptions(define=defined, compiler=compiler)
    return unit_of(str(folder / "program.c"), text.encode(), None, options)


def own_text(unit: Unit) -> list[str]:
    return [" ".join(each.split()) for each in texts(unit.own_tokens)]


@pytest.mark.parametrize("name", SAME)
def test_programs_are_those_of_a_compiler(folder: Path, name: str) -> None:
    expected = seen(folder, SAME[name], Compiler(("gcc",), ("-fopenmp",)))
    found = seen(folder, SAME[name])
    assert own_text(found) == own_text(expected)
    assert set(found.files) == {each for each in expected.files if not each.startswith("/usr/")}
    assert found.line_at(found.text.rindex(b";")) == expected.line_at(expected.text.rindex(b";"))
    assert found.macros >= {each for each in expected.macros if not each.startswith("_")}


@pytest.mark.parametrize("name", ["2mm", "adi", "nussinov", "fdtd-2d"])
def test_kernels_are_those_of_a_compiler(name: str) -> None:
    path = KERNELS / f"{name}.c"
    options = ReadOptions(include=(str(KERNELS),))
    both = [
        unit_of(str(path), path.read_bytes(), None, ReadOptions(options.include, compiler=each))
        for each in (NOBODY, Compiler(("gcc",), ()))
    ]
    assert own_text(both[0]) == own_text(both[1])
    assert len(both[0].regions) == len(both[1].regions) == 1


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_not_known_is_refused_by_name(folder: Path, text: str) -> None:
    with pytest.raises(CannotPreprocess) as problem:
        seen(folder, text)
    assert REFUSED[text] in problem.value.reason


def test_headers_of_the_system_are_those_of_the_parser(folder: Path) -> None:
    text = "#include <stdio.h>\n#include <assert.h>\nint f(int n) { assert(n < 3); return EOF; }"
    found = seen(folder, text)
    assert found.files[0].endswith("/stdio.h")
    assert own_text(found)[-5:] == ["return", "(", "-", "1", ")", ";", "}"][-5:]
    assert {"__GLIBC__", "EOF", "assert"} <= found.macros
    assert found.predefined["__clang__"] == "1"


def test_what_the_user_defines_is_known(folder: Path) -> None:
    text = "#ifdef _OPENMP\nint a;\n#endif\nint b = N;"
    flags = Compiler(NOBODY.command, ("-D_OPENMP=201511", "-D", "N=3", "-O2"))
    found = seen(folder, text, flags)
    assert own_text(found) == own_text(seen(folder, text, NOBODY, "_OPENMP=1", "N=3"))
    assert "a" in own_text(found)
    with pytest.raises(CannotPreprocess, match="what __GNUC__ is"):
        seen(folder, "#if NEW\n#endif", NOBODY, "NEW=(__GNUC__ > 4)")
    with pytest.raises(CannotPreprocess, match="not known what -m32 means"):
        seen(folder, text, Compiler(NOBODY.command, ("-m32",)))


def test_another_text_is_not_taken_for_the_program(folder: Path) -> None:
    options = ReadOptions(compiler=NOBODY)
    for one, two in (
        ("int a[2];", "int a[3];"),
        ("int f(int x) { return x + 1; }", "int f(int x) { return x - 1; }"),
        ("int f(int x) { return (x); }", "int f(int x) { return x; }"),
        ("double a = 1.5;", "double a = 1.5f;"),
        ("int a;", "int a; int b;"),
    ):
        unit = seen(folder, two)
        direct = ParsedFile(unit.name, one.encode(), options)
        after = ParsedFile(unit.name, unit.text, options, unit)
        with pytest.raises(CannotPreprocess, match=r"to the parser|the parser sees other"):
            require_same_program(direct, after, unit.text.index(b"\n") - 1)


def test_it_says_who_is_asked(folder: Path) -> None:
    unit = seen(folder, "int a;")
    assert str(unit.configuration).startswith("libclang ")
    assert str(unit.configuration).endswith("'s own macros, without a compiler")
    assert not unit.configuration.has_compiler
    assert asked_variations([unit], ReadOptions(compiler=NOBODY)) == []


def test_the_first_compiler_that_is_there_is_the_usual_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = shutil.which("gcc")
    assert there is not None
    monkeypatch.setenv("PATH", str(tmp_path))
    assert usual_command() == Compiler().command == ("gcc",)
    assert not Compiler().is_there
    for name in ("clang", "cc", "gcc"):
        (tmp_path / name).symlink_to(there)
        assert ReadOptions().compiler == Compiler((name,), FLAGS)
        assert Compiler.called("-O2").command == (name,)
        assert Compiler.called("other -O2").command == ("other",)
