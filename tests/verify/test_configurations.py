"""Programs that ask what they are compiled with are proved for each answer."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from loopwright import InputError, Proof, check, optimize
from loopwright.certifying import certificate_of
from loopwright.frontend.clang_library import ReadOptions
from loopwright.frontend.compilers import CannotPreprocess, Compiler
from loopwright.frontend.configurations import asked_variations
from loopwright.frontend.preprocessing import unit_of
from loopwright.frontend.reading import Question
from loopwright.verify.certificates import certificate_text
from tests.verify.answers import verdict

STEP = "  for (int i = 1; i < 50; i++)\n    a[i] = a[i - BEHIND] + 1;\n"
BACK = "  for (int i = 49; i >= 1; i--)\n    a[i] = a[i - BEHIND] + 1;\n"
PROGRAM = """\
{head}
#ifndef BEHIND
#define BEHIND 0
#endif
void f(int n, double a[restrict 50])
{{
#pragma scop
{region}#pragma endscop
}}
"""


def both(head: str) -> tuple[str, str]:
    """A program whose loop may be turned around, unless ``head`` says how far behind it reads."""
    original = PROGRAM.format(head=head, region=STEP)
    return original, PROGRAM.format(head=head, region=BACK)


ASKING = {
    "without OpenMP": "#ifndef _OPENMP\n#define BEHIND 1\n#endif",
    "without optimization": "#ifndef __OPTIMIZE__\n#define BEHIND 1\n#endif",
    "for size": "#if __OPTIMIZE_SIZE__\n#define BEHIND 1\n#endif",
    "with fast mathematics": "#ifdef __FAST_MATH__\n#define BEHIND 1\n#endif",
    "for any processor": "#ifndef __AVX2__\n#define BEHIND 1\n#endif",
    "with unsigned characters": "#ifdef __CHAR_UNSIGNED__\n#define BEHIND 1\n#endif",
    "with sanitizers": "#ifdef __SANITIZE_ADDRESS__\n#define BEHIND 1\n#endif",
    "in several lines": "#ifdef __OPTIM\\\nIZE__\n#else\n#define BEHIND 1\n#endif",
    "in pieces": "#define ASK(x) __OPTI##x\n#if !ASK(MIZE__)\n#define BEHIND 1\n#endif",
    "about two that cancel out": "#if defined _OPENMP != defined __OPTIMIZE__\n"
    "#define BEHIND 1\n#endif",
    "by a macro of a header with a usual name": "#include <math.h>\n#ifndef FP_FAST_FMA\n"
    "#define BEHIND 1\n#endif",
    "by a macro of a header": "#include <math.h>\n#if !__USE_EXTERN_INLINES\n"
    "#define BEHIND 1\n#endif",
}


@pytest.mark.parametrize("head", ASKING.values(), ids=ASKING)
def test_programs_that_ask(head: str) -> None:
    found = verdict(*both(head))
    assert not isinstance(found, Proof)
    assert str(found).startswith("not proved: with ")


@pytest.mark.parametrize(
    "head", ["", "#ifdef __GNUC__\n#define UNUSED\n#endif", "#define _OTHER_H"]
)
def test_programs_that_do_not_ask(head: str) -> None:
    found = verdict(*both(head))
    assert isinstance(found, Proof), str(found)
    assert len(found.configurations) == 1
    assert found.configurations[0].flags == ("-O3", "-march=native", "-fopenmp")


def test_what_is_the_same_with_other_flags_needs_no_other_proof() -> None:
    asking = "#ifdef _OPENMP\n#include <omp.h>\n#endif"
    found = verdict(*both(asking))
    assert isinstance(found, Proof), str(found)
    assert len(found.configurations) == 1


def test_what_is_right_with_other_flags_is_proved_with_them() -> None:
    found = verdict(
        *both("#ifdef _OPENMP\ntypedef float real;\n#else\ntypedef double real;\n#endif")
    )
    assert isinstance(found, Proof), str(found)
    assert [each.flags[-1] for each in found.configurations] == ["-fopenmp", "-U_REENTRANT"]


def test_a_program_that_does_not_exist_without_openmp() -> None:
    found = verdict(*both("#ifndef _OPENMP\n#error OpenMP is needed\n#endif"))
    assert isinstance(found, Proof), str(found)


def test_a_region_that_is_another_text_is_left_as_it_is() -> None:
    head = "#ifdef __AVX2__\n#define SIZE 50\n#else\n#define SIZE 49\n#endif"
    product = "  for (int i = 0; i < SIZE; i++)\n    a[i] = a[i] + 1;\n"
    result = optimize(PROGRAM.format(head=head, region=product))
    assert result.code == PROGRAM.format(head=head, region=product)
    assert "it is another text" in result.explanation


@pytest.mark.parametrize("asking", [False, True])
def test_nothing_is_asked_where_nothing_is_named(asking: bool) -> None:
    options = ReadOptions()
    text = b"#ifdef _OPENMP\n#endif\nint x;" if asking else b"#ifdef OTHER\n#endif\nint x;"
    unit = unit_of("x.c", text, None, options)
    assert bool(asked_variations([unit], options)) is asking


def test_a_certificate_is_for_one_compiler(tmp_path: Path) -> None:
    original = both("")[0]
    options, question = ReadOptions(), Question()
    result = optimize(original, reschedule=False)
    paths = [tmp_path / each for each in ("input.c", "new.c", "certificate.json")]
    texts = original, result.code, certificate_text(certificate_of(result, options, question))
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    before, after, told = paths
    assert isinstance(check(before, after, certificate=told), Proof)
    with pytest.raises(InputError, match=r"it is about gcc .* -fopenmp, and this is gcc .* -O1"):
        check(before, after, certificate=told, compiler="gcc -O1")


def test_a_certificate_is_for_the_headers_that_it_has_seen(tmp_path: Path) -> None:
    header = tmp_path / "size.h"
    header.write_text("#define SIZE 3\n")
    original = both('#include "size.h"')[0]
    before, after, told = (tmp_path / each for each in ("input.c", "new.c", "certificate.json"))
    before.write_text(original)
    result = optimize(before, reschedule=False)
    after.write_text(result.code)
    told.write_text(certificate_text(certificate_of(result, ReadOptions(), Question())))
    assert isinstance(check(before, after, certificate=told), Proof)
    header.write_text("#define SIZE 4\n")
    with pytest.raises(InputError, match=r"the headers of gcc .* were others"):
        check(before, after, certificate=told)


WRAPPER = """\
#!/bin/sh
case "$*" in *-fsyntax-only*) if grep -q "c0++"; then echo "error: no" >&2; exit 1; fi;; esac
exec gcc "$@"
"""


def test_what_the_compiler_refuses_is_not_written(tmp_path: Path) -> None:
    """A compiler that does not know some of the new text, although it preprocesses all of it."""
    compiler = tmp_path / "cc"
    compiler.write_text(WRAPPER)
    compiler.chmod(0o755)
    program = both("")[0]
    taken = optimize(program, reschedule=False)
    assert "c0++" in taken.code
    refused = optimize(program, reschedule=False, compiler=f"{compiler} -O2")
    assert refused.code == program
    assert "the compiler does not take it: error: no" in refused.explanation


def test_the_answer_depends_on_the_flags() -> None:
    head = "#if BACKWARDS\n#define BEHIND 1\n#endif"
    original, new = both(head)
    assert isinstance(check(original, new), Proof)
    assert not isinstance(check(original, new, compiler="gcc -O2 -DBACKWARDS=1"), Proof)


def test_nothing_is_left_behind_of_where_a_compiler_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert b"int a" in Compiler().preprocessed(b"int a;", tmp_path, ("-x", "c"))
    assert list(tmp_path.iterdir()) == []


def test_headers_of_where_a_compiler_runs_are_none_of_the_program(tmp_path: Path) -> None:
    above = "../" * 3
    (tmp_path / "a" / "b" / "c").mkdir(parents=True)
    (tmp_path / "here.h").write_text("int found;\n")
    text = f'#include "{above}here.h"\n'.encode()
    assert b"int found" in Compiler().preprocessed(text, tmp_path / "a" / "b" / "c", ("-x", "c"))
    with pytest.raises(CannotPreprocess):
        Compiler().preprocessed(b'#include "etc/passwd"\n', tmp_path, ("-x", "c"))
