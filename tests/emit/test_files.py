"""The user's file around the new text: every byte of it stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from loopwright.emit.files import indentation_unit

from .running import written_anew

LOOP = b"for (int i = 0; i < 4; i++)"
NEW = b"for (int c0 = 0; c0 <= 3; c0++)"


def emitted(content: bytes, folder: Path, *, autodetect: bool = False) -> bytes:
    path = folder / "program.c"
    path.write_bytes(content)
    return written_anew(path, autodetect=autodetect).content


def test_bytes_that_are_no_text_stay(tmp_path: Path) -> None:
    before = b"/* caf\xe9 */\r\nvoid f(double *a) {\r\n\t#pragma scop\r\n\t// kept\r\n\t"
    after = b" /* kept \xff */ // too\r\n\t#pragma endscop\r\n}\r\n"
    content = before + LOOP + b"\r\n\t\ta[i] = 1;" + after
    assert emitted(content, tmp_path) == before + NEW + b"\r\n\t\ta[c0] = 1;" + after


def test_several_regions(tmp_path: Path) -> None:
    piece = b"#pragma scop\n  %s\n    a[%s] += 1;\n#pragma endscop\n  a[9] = 2; // as it was\n"
    content = b"void f(double *a)\n{\n%s%s}\n"
    old, new = piece % (LOOP, b"i"), piece % (NEW, b"c0")
    assert emitted(content % (old, old), tmp_path) == content % (new, new)


def test_only_the_named_function(tmp_path: Path) -> None:
    function = b"void %s(double *a)\n{\n#pragma scop\n  %s\n    a[%s] += 1;\n#pragma endscop\n}\n"
    content = function % (b"f", LOOP, b"i") + function % (b"g", LOOP, b"i")
    path = tmp_path / "program.c"
    path.write_bytes(content)
    seen = written_anew(path, function="g").content
    assert seen == function % (b"f", LOOP, b"i") + function % (b"g", NEW, b"c0")


@pytest.mark.parametrize("end", [b";", b" ;", b" /* here */ ;", b"\n  // there\n  ;"])
def test_the_last_semicolon_goes_with_its_statement(end: bytes, tmp_path: Path) -> None:
    content = b"void f(double *a)\n{\n#pragma scop\n  a[0] = 1%s // kept\n#pragma endscop\n}\n"
    assert emitted(content % end, tmp_path) == content % b";"


def test_a_list_of_values_at_the_end(tmp_path: Path) -> None:
    before = b"void f(int n, double a[n])\n{\n#pragma scop\n  a[n - 1] = 1;\n"
    content = before + b"  double b[2] = {a[0], 1};\n#pragma endscop\n}\n"
    seen = emitted(content, tmp_path)
    assert b"    double b[2] = {a[0], 1};\n  }\n#pragma endscop\n}\n" in seen


def test_helpers_are_defined_on_lines_of_their_own(tmp_path: Path) -> None:
    content = (
        b"void f(int n, int m, double *a) { for (int i = 0; i < n && i < m; i++) a[i] = 1; }"
        b" /* end */\n"
    )
    assert emitted(content, tmp_path, autodetect=True) == (
        b"void f(int n, int m, double *a) { \n"
        b"#define lw_min(x, y) ((x) < (y) ? (x) : (y))\n"
        b"{\n"
        b"  for (int c0 = 0; c0 < lw_min(n, m); c0++)\n"
        b"    a[c0] = 1;\n"
        b"}\n"
        b"#undef lw_min\n"
        b" } /* end */\n"
    )


def test_the_alternative_keeps_pragmas_and_comments(tmp_path: Path) -> None:
    original = [
        "for (int i = 0; i < n; i++)",
        '#pragma GCC diagnostic ignored "-Wconversion"',
        "    for (int j = 0; j < 3; j++)",
        "      a[i] = 2; /* one",
        "  two */",
    ]
    inside = "\n".join(original)
    content = f"void f(int n, double a[n])\n{{\n#pragma scop\n  {inside}\n#pragma endscop\n}}\n"
    lines = emitted(content.encode(), tmp_path).decode().split("\n")
    assert lines[3:9] == [
        "  if (n >= 1) {",
        "    for (int c0 = 0; c0 < n; c0++)",
        "      for (int c1 = 0; c1 <= 2; c1++)",
        "        a[c0] = 2;",
        "  } else {",
        f"    {original[0]}",
    ]
    # What follows the last statement stays behind the region.
    assert lines[9:] == [
        *original[1:3],
        "      a[i] = 2;",
        "  } /* one",
        "  two */",
        "#pragma endscop",
        "}",
        "",
    ]


def test_conditional_compilation_is_left(tmp_path: Path) -> None:
    content = b"""void f(double *a) {
#pragma scop
  for (int i = 0; i < 4; i++)
#ifdef TWICE
    a[i] = 2;
#else
    a[i] = 1;
#endif
#pragma endscop
}
"""
    path = tmp_path / "program.c"
    path.write_bytes(content)
    result = written_anew(path)
    assert result.content == content
    assert "it contains the directive #ifdef" in str(result.notes[0])


def test_the_unit_of_indentation() -> None:
    assert indentation_unit("") == "  "
    assert (
        indentation_unit("f(a,\n           b)\n{\n    x;\n    {\n        y;\n    }\n}\n") == "    "
    )
