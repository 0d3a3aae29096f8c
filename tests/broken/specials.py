"""Broken C that no mutation would find: the empty, the odd and the recursive."""

from __future__ import annotations

from collections.abc import Iterator

from tests.broken.cases import Case
from tests.broken.snippets import EXPRESSIONS, HEADERS, STATEMENTS, WRONG_TYPES


def region(body: str, before: str = "", parameters: str = "int n, double a[n], int b[n]") -> str:
    """A program around the text of a region."""
    return (
        f"{before}\nvoid f({parameters})\n{{\n  int i, j, k;\n  double x = 0;\n"
        f"#pragma scop\n{body}\n#pragma endscop\n}}\n"
    )


def loop(body: str) -> str:
    """A program with a loop around the text."""
    return region(f"for (i = 0; i < n; i++) {{\n{body}\n}}")


def named(name: str, text: str | bytes) -> Iterator[Case]:
    """Between the pragmas."""
    content = text.encode() if isinstance(text, str) else text
    yield Case(name, content, ("--json",))


def _both(name: str, text: str | bytes) -> Iterator[Case]:
    """Between the pragmas, and wherever the search finds a loop."""
    content = text.encode() if isinstance(text, str) else text
    yield Case(name, content, ("--json",))
    yield Case(f"{name}, autodetect", content, ("--json", "--autodetect"))


def small_cases() -> Iterator[Case]:
    """The cases that are read in a moment, but for the snippets."""
    yield from _bare_files()
    yield from _pragma_files()
    yield from _preprocessor_files()
    yield from _encoded_files()
    yield from _odd_values()
    yield from _odd_functions()


def _bare_files() -> Iterator[Case]:
    for text in ["", " ", "\n", "\n" * 5000, "\t \v\f\r\n", "-", ";", "}", "{", "\\", "#", "\0"]:
        yield from _both(f"the file {text[:3]!r}", text)
    for text in ["int", "int x", "void f(void) {", "void f(void) {}", "void f();", "f() {}", "/*"]:
        yield from _both(f"the file {text!r}", text)
    for text in [
        '"',
        "'",
        "//",
        "int main() { return 0; }",
        "@interface X",
        "class X {};",
        "<?php",
    ]:
        yield from _both(f"the file {text!r}", text)
    yield from _both("bytes", bytes(range(256)))
    yield from _both("bytes of a program", b"\x7fELF\x02\x01\x01" + bytes(200))
    yield from _both("zero bytes", bytes(4096))
    yield Case("standard input, empty", b"", (), True)
    yield Case("standard input, a dash", b"-", (), True)


def _pragma_files() -> Iterator[Case]:
    opening, closing = "#pragma scop", "#pragma endscop"
    whole = loop("a[i] = 0;")
    yield from _both("only a pragma", opening)
    yield from _both("only pragmas", f"{opening}\n{closing}\n")
    yield from _both("only an end", closing)
    yield from _both("a pragma after everything", f"{whole}\n{opening}")
    yield from _both(
        "a region over two functions", f"void f() {{\n{opening}\n}}\nvoid g() {{\n{closing}\n}}"
    )
    yield from _both("an empty region", region(""))
    yield from _both("a region of semicolons", region(";;;"))
    yield from _both("a region of a block", region("{}"))
    yield from _both("a region of declarations", region("int q; double r[3];"))
    yield from _both("a region of a type", region("struct t_ { int a; };"))
    yield from _both("a region in a struct", f"struct s {{\n{opening}\nint a;\n{closing}\n}};")
    yield from _both("a region in an expression", loop(f"a[i] =\n{opening}\n1\n{closing}\n;"))
    yield from _both("a region in parameters", f"void f(\n{opening}\nint a\n{closing}\n) {{}}")
    yield from _both("a region in a region", region(f"{opening}\na[0] = 1;\n{closing}"))
    yield from _both(
        "a region in a macro",
        '#define M _Pragma("scop") a[0] = 1; _Pragma("endscop")\nvoid f(double *a) { M }',
    )
    yield from _cut_regions(opening, closing)
    yield from _pragma_spellings(loop("a[i] = 0;"), opening)


def _cut_regions(opening: str, closing: str) -> Iterator[Case]:
    """Regions that begin or end in the middle of something."""
    yield from _both(
        "half a loop",
        f"void f(int n) {{ for (int i = 0; i < n; i++) {{\n{opening}\n}}\n{closing}\n}}",
    )
    yield from _both(
        "half a statement", f"void f(int n) {{ n =\n{opening}\n1; n = 2;\n{closing}\n}}"
    )
    yield from _both(
        "a loop's head",
        f"void f(int n) {{ for (int i = 0;\n{opening}\ni < n;\n{closing}\ni++) ; }}",
    )
    yield from _both(
        "a body without braces",
        f"void f(int *a) {{ for (int i = 0; i < 9; i++)\n{opening}\na[i] = 0;\n{closing}\n}}",
    )
    yield from _both(
        "else of a region", f"void f(int n) {{ if (n)\n{opening}\nn = 1;\n{closing}\nelse n = 2; }}"
    )
    yield from _both("a region in a comment", f"/*\n{opening}\n{closing}\n*/ void f() {{}}")
    yield from _both("a region in a string", f'char *s = "\\\n{opening}\\\n{closing}";')
    yield from _both(
        "a region that is left out", f"void f() {{\n#if 0\n{opening}\n{closing}\n#endif\n}}"
    )
    yield from _both(
        "half a region left out", f"void f() {{\n#if 0\n{opening}\n#endif\n;\n{closing}\n}}"
    )
    yield from _both("a label at the end", region("L: ;").replace(closing, f"M:\n{closing}\n;"))
    yield from _both(
        "100 regions",
        "".join(
            f"void f{k}(int *a) {{\n{opening}\na[{k}] = {k};\n{closing}\n}}\n" for k in range(100)
        ),
    )


def _pragma_spellings(whole: str, opening: str) -> Iterator[Case]:
    for cut in ["#pragma \\\n scop", "#pra\\\ngma scop", "#pragma sc\\\nop", "#\\\npragma scop"]:
        yield from _both(f"the pragma {cut!r}", whole.replace(opening, cut))
    for cut in [
        "??=pragma scop",
        "%:pragma scop",
        "#pragma/**/scop",
        "#pragma scop\\",
        "# pragma scop",
    ]:
        yield from _both(f"the pragma {cut!r}", whole.replace(opening, cut))
    for cut in [
        "#pragma",
        "#pragma scop scop",
        "#pragma scop;",
        "#pragma SCOP",
        "pragma scop",
        "#pragma scop\f",
    ]:
        yield from _both(f"the pragma {cut!r}", whole.replace(opening, cut))


def _preprocessor_files() -> Iterator[Case]:
    whole = loop("a[i] = 0;")
    for line in [
        '#include "input.c"',
        "#include __FILE__",
        '#include "missing.h"',
        '#include "."',
        '#include "/"',
        '#include "/etc"',
        '#include "/dev/null"',
        "#include <>",
        '#include ""',
        "#include",
        '#include "' + "x" * 5000 + '.h"',
        "#if 1",
        "#endif",
        "#error stop",
        "#line 77",
        '#line 77 "elsewhere.c"',
        "#line 2147483647",
        '# 5 "other.c" 1',
        "#define i i",
        "#define a a[0]",
        "#define n (n)",
        "#define f(x) f(f(x))",
        "#define for if",
        "#define i",
        "#define int",
        "#define void int",
        "#define x(",
        "#pragma once",
        "#pragma GCC poison a",
        "#pragma pack(1)",
    ]:
        yield from _both(f"the line {line[:40]!r}", f"{line}\n{whole}")
        yield from named(f"the line {line[:40]!r} inside", loop(f"a[i] = 1;\n{line}\na[i] = 2;"))
    doubling = "\n".join(f"#define D{k + 1} D{k} + D{k}" for k in range(18))
    yield from named("a macro of 2^18 terms", f"#define D0 a[i]\n{doubling}\n{loop('a[i] = D18;')}")
    yield from named(
        "a macro of 2^10 statements",
        f"#define D0 a[i]=0;\n{doubling.replace(' + ', ' ')}\n{loop('D10')}",
    )
    macros = "#define FOR for (i = 0; i < n; i++) {\n#define END }\n"
    macros += "#define HEAD i = 0; i < n\n#define STEP ; i++\n"
    for body in [
        "FOR a[i] = 0; END",
        "for (HEAD; i++) a[i] = 0;",
        "for (HEAD STEP) a[i] = 0;",
        "for (HEAD; ) a[i++] = 0;",
        "FOR a[i] = 0; }",
    ]:
        yield from _both(f"macros: {body}", region(body, macros))


def _encoded_files() -> Iterator[Case]:
    whole = loop("a[i] = b[i] / 2;")
    bad = loop("a[i] = 2 * /* naïve θ */ i * undeclared;")
    for name, text in (("a good program", whole), ("a bad program", bad)):
        yield from _both(f"{name}, CRLF", text.replace("\n", "\r\n"))
        yield from _both(f"{name}, CR", text.replace("\n", "\r"))
        yield from _both(f"{name}, mixed ends", text.replace("\n", "\r\n", 5).replace(";\n", ";\r"))
        yield from _both(f"{name}, BOM", b"\xef\xbb\xbf" + text.encode())
        yield from _both(f"{name}, UTF-16", text.encode("utf-16"))
        yield from _both(f"{name}, Latin-1", text.replace("θ", "é").encode("latin-1"))
        yield from _both(f"{name}, NUL inside", text.replace("a[i]", "a\0[i]"))
        yield from _both(f"{name}, NUL at the end", text + "\0")
        yield from _both(f"{name}, trigraphs", text.replace("{", "??<").replace("[", "??("))
        yield from _both(
            f"{name}, continued lines",
            text.replace(" ", " \\\n").replace("#pragma \\\n", "#pragma "),
        )
        yield from _both(f"{name}, without an end of line", text.rstrip())
        yield from _both(f"{name}, tabs", text.replace("a[i]", "\t\ta[i]"))
        yield from _both(f"{name}, escapes", text.replace("a[i]", "/* \x1b[2J */ a[i]"))
        yield from _both(f"{name}, not UTF-8", text.encode().replace(b"/ 2", b"/ \xff2 /* \xfe */"))
        yield from _both(f"{name}, names not UTF-8", text.encode().replace(b"a[", b"a\xe9["))
        yield from _both(f"{name}, Greek names", text.replace("a[", "α["))
        yield from _both(f"{name}, universal names", text.replace("a[", "\\u03b1["))


def _odd_values() -> Iterator[Case]:
    huge = [2**31 - 1, 2**31, 2**32, 2**63 - 1, 2**63, 2**64 - 1, 2**64, 10**30]
    for number in huge:
        yield from _both(f"i < {number}", region(f"for (i = 0; i < {number}; i++) a[i] = 0;"))
        yield from _both(
            f"long i < {number}", region(f"for (long q = 0; q < {number}; q++) a[q] = 0;")
        )
        yield from _both(
            f"unsigned long i <= {number}",
            region(f"for (unsigned long q = 0; q <= {number}ul; q++) a[q] = 0;"),
        )
        yield from named(f"i += {number}", region(f"for (i = 0; i < n; i += {number}) a[i] = 0;"))
        yield from named(f"a[{number}]", loop(f"a[{number}] = a[i + {number}] + a[{number} * i];"))
        yield from named(f"/ {number}", loop(f"a[i / {number}] = a[i % {number}];"))
        yield from named(f"double q[{number}]", region(f"double q[{number}]; q[0] = 1;"))
        yield from named(f"sizeof * {number}", loop(f"a[i * {number} * {number} * {number}] = 1;"))
    for shift in [-1, 31, 32, 33, 63, 64, 65, 1000, 2**31, 2**63]:
        yield from _both(f"i << {shift}", loop(f"a[i << {shift}] = 1 << {shift};"))
        yield from named(f"1 << {shift}", region(f"for (i = 0; i < (1 << {shift}); i++) a[i] = 0;"))
        yield from named(f"n >> {shift}", region(f"for (i = 0; i < (n >> {shift}); i++) a[i] = 0;"))
    for zero in ["0", "(1 - 1)", "0u", "0L", "(n - n)", "sizeof(struct {})", "'\\0'", "0.0", "i"]:
        for operator in "/%":
            yield from _both(f"i {operator} {zero}", loop(f"a[i {operator} {zero}] = 1;"))
            bound = f"for (i = 0; i < n {operator} {zero}; i++) a[i] = 0;"
            yield from named(f"i < n {operator} {zero}", region(bound))
            yield from named(
                f"if (i {operator} {zero})", loop(f"if (i {operator} {zero}) a[i] = 1;")
            )
            yield from named(
                f"double q[n {operator} {zero}]",
                region(f"double q[n {operator} {zero}]; q[0] = 1;"),
            )


def _odd_functions() -> Iterator[Case]:
    for parameters in [
        "",
        "void",
        "int n, ...",
        "int n, double a[]",
        "int n, double a[n][n][n]",
        "int n, double a[*]",
        "int n, double a[static n]",
        "int n, double a[static 0]",
        "int n, double a[-n]",
        "int n, double a[n - n]",
        "int n, double a[n * n]",
        "int n, double a[b], int b",
        "int n, double a[n++]",
        "int n, double a[f(n)]",
        "int n, double (*a)(int)",
        "int n, double *a[n]",
        "int n, double (*a)[][n]",
        "int n, double **restrict *a",
        "int n, void *a",
        "int n, struct a *a",
        "int n, struct { int x; } a[n]",
        "int n, union { int x; double y; } *a",
        "int n, char a[n][sizeof(int[n])]",
        "int n, double a[n ? n : 1]",
        "int n, double a[({ n; })]",
        "int n, double a[(int)n]",
        "int n, double a[n / 0]",
        "unsigned n, double a[n]",
        "unsigned char n, double a[n]",
        "double n, double a[(int)n]",
        "int *n, double a[*n]",
        "int n[1], double a[n[0]]",
        "struct { int x; } n, double a[n.x]",
        "const int n, const double a[const n]",
        "volatile int n, volatile double a[n]",
        "int n, int n, double a[n]",
        "n, a",
        "n, a) int n; double a[n]; (",
    ]:
        body = "for (i = 0; i < n; i++) a[i] = a[i + 1];"
        yield from _both(f"f({parameters})", region(body, "", parameters))
    yield from named(
        "old style",
        "void f(n, a) int n; double a[]; {\n#pragma scop\na[n] = 0;\n#pragma endscop\n}",
    )
    yield from named("implicit int", "f(n) {\n#pragma scop\nn = 0;\n#pragma endscop\n}")
    yield from named(
        "a function named scop", "void scop(int n) {\n#pragma scop\nn = 0;\n#pragma endscop\n}"
    )
    for name in ["self calling", "calling back"]:
        before = (
            "int g(int); int h(int x) { return g(x); } int g(int x) { return h(x); }"
            if name == "calling back"
            else "int g(int x) { return g(x - 1); }"
        )
        yield from _both(name, region("for (i = 0; i < n; i++) a[i] = g(i);", before))


def snippet_cases() -> Iterator[Case]:
    """Each odd piece once, in a program that is sound without it."""
    for snippet in STATEMENTS:
        yield from named(f"statement {snippet}", loop("a[i] = 1; " + snippet.replace("$", "x")))
        yield from named(
            f"statement {snippet} of i", loop("a[i] = 1; " + snippet.replace("$", "i"))
        )
        yield from named(
            f"statement {snippet} of a", region(snippet.replace("$", "a") + " a[0] = 1;")
        )
        yield from named(
            f"statement {snippet} of n", region(snippet.replace("$", "n") + " a[0] = 1;")
        )
    for snippet in EXPRESSIONS:
        for name in "ian":
            piece = snippet.replace("$", name)
            yield from named(f"value {piece}", loop(f"a[i] = {piece};"))
            yield from named(f"subscript {piece}", loop(f"a[{piece}] = a[i];"))
            yield from named(f"bound {piece}", region(f"for (i = 0; i < {piece}; i++) b[i] = 0;"))
            yield from named(f"condition {piece}", loop(f"if ({piece}) a[i] = 0; else b[i] = 1;"))
            yield from named(
                f"extent {piece}", region(f"double q[{piece}]; q[0] = 1; a[0] = q[0];")
            )
    for snippet in HEADERS:
        for name in "ian":
            yield from named(
                f"header {snippet} of {name}", region(f"{snippet.replace('$', name)} b[i] = 0;")
            )
    for kind in WRONG_TYPES:
        text = region("for (q = 0; q < n; q++) a[q] = b[q] + y;").replace(
            "int i, j, k;", f"{kind} q;"
        )
        yield from named(f"{kind} iterator", text.replace("double x", "double y"))
        yield from named(
            f"{kind} array",
            region("for (i = 0; i < n; i++) a[i] = 2 * a[i];", "", f"int n, {kind} a[n]"),
        )
        yield from named(f"{kind} local", loop(f"{kind} q; q = i; a[i] = q;"))
        yield from named(
            f"{kind} bound",
            region("for (i = 0; i < m; i++) a[i] = m;", "", f"{kind} m, double a[m]"),
        )
