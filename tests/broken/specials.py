"""Broken C that no mutation would find: the empty, the enormous, the deep and the recursive."""

from __future__ import annotations

from collections.abc import Iterator

from tests.broken.cases import Case
from tests.broken.snippets import EXPRESSIONS, HEADERS, STATEMENTS, WRONG_TYPES

MEGABYTE = 1_000_000


def region(body: str, before: str = "", parameters: str = "int n, double a[n], int b[n]") -> str:
    """A program around the text of a region."""
    return (
        f"{before}\nvoid f({parameters})\n{{\n  int i, j, k;\n  double x = 0;\n"
        f"#pragma scop\n{body}\n#pragma endscop\n}}\n"
    )


def loop(body: str) -> str:
    """A program with a loop around the text."""
    return region(f"for (i = 0; i < n; i++) {{\n{body}\n}}")


def _named(name: str, text: str | bytes) -> Iterator[Case]:
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


DEPTHS = (50, 240, 300, 2000)
"""Below and above the 256 brackets that the parser allows."""


def deep_statement_cases() -> Iterator[Case]:
    """Statements in statements in statements."""
    for depth in DEPTHS:
        yield from _nested_statements(depth)
    yield from _long_chains()


def deep_expression_cases() -> Iterator[Case]:
    """Expressions in expressions: as values, subscripts, bounds and conditions in turn."""
    for depth in DEPTHS:
        yield from _nested_expressions(depth)


def large_cases() -> Iterator[Case]:
    """The one-liners of a megabyte and the deep nests."""
    yield from enormous_cases()
    yield from deep_statement_cases()
    yield from deep_expression_cases()


# --- small --------------------------------------------------------------------------------------


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
        yield from _named(f"the line {line[:40]!r} inside", loop(f"a[i] = 1;\n{line}\na[i] = 2;"))
    doubling = "\n".join(f"#define D{k + 1} D{k} + D{k}" for k in range(18))
    yield from _named(
        "a macro of 2^18 terms", f"#define D0 a[i]\n{doubling}\n{loop('a[i] = D18;')}"
    )
    yield from _named(
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
        yield from _named(f"i += {number}", region(f"for (i = 0; i < n; i += {number}) a[i] = 0;"))
        yield from _named(f"a[{number}]", loop(f"a[{number}] = a[i + {number}] + a[{number} * i];"))
        yield from _named(f"/ {number}", loop(f"a[i / {number}] = a[i % {number}];"))
        yield from _named(f"double q[{number}]", region(f"double q[{number}]; q[0] = 1;"))
        yield from _named(f"sizeof * {number}", loop(f"a[i * {number} * {number} * {number}] = 1;"))
    for shift in [-1, 31, 32, 33, 63, 64, 65, 1000, 2**31, 2**63]:
        yield from _both(f"i << {shift}", loop(f"a[i << {shift}] = 1 << {shift};"))
        yield from _named(
            f"1 << {shift}", region(f"for (i = 0; i < (1 << {shift}); i++) a[i] = 0;")
        )
        yield from _named(
            f"n >> {shift}", region(f"for (i = 0; i < (n >> {shift}); i++) a[i] = 0;")
        )
    for zero in ["0", "(1 - 1)", "0u", "0L", "(n - n)", "sizeof(struct {})", "'\\0'", "0.0", "i"]:
        for operator in "/%":
            yield from _both(f"i {operator} {zero}", loop(f"a[i {operator} {zero}] = 1;"))
            bound = f"for (i = 0; i < n {operator} {zero}; i++) a[i] = 0;"
            yield from _named(f"i < n {operator} {zero}", region(bound))
            yield from _named(
                f"if (i {operator} {zero})", loop(f"if (i {operator} {zero}) a[i] = 1;")
            )
            yield from _named(
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
    yield from _named(
        "old style",
        "void f(n, a) int n; double a[]; {\n#pragma scop\na[n] = 0;\n#pragma endscop\n}",
    )
    yield from _named("implicit int", "f(n) {\n#pragma scop\nn = 0;\n#pragma endscop\n}")
    yield from _named(
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
        yield from _named(f"statement {snippet}", loop("a[i] = 1; " + snippet.replace("$", "x")))
        yield from _named(
            f"statement {snippet} of i", loop("a[i] = 1; " + snippet.replace("$", "i"))
        )
        yield from _named(
            f"statement {snippet} of a", region(snippet.replace("$", "a") + " a[0] = 1;")
        )
        yield from _named(
            f"statement {snippet} of n", region(snippet.replace("$", "n") + " a[0] = 1;")
        )
    for snippet in EXPRESSIONS:
        for name in "ian":
            piece = snippet.replace("$", name)
            yield from _named(f"value {piece}", loop(f"a[i] = {piece};"))
            yield from _named(f"subscript {piece}", loop(f"a[{piece}] = a[i];"))
            yield from _named(f"bound {piece}", region(f"for (i = 0; i < {piece}; i++) b[i] = 0;"))
            yield from _named(f"condition {piece}", loop(f"if ({piece}) a[i] = 0; else b[i] = 1;"))
            yield from _named(
                f"extent {piece}", region(f"double q[{piece}]; q[0] = 1; a[0] = q[0];")
            )
    for snippet in HEADERS:
        for name in "ian":
            yield from _named(
                f"header {snippet} of {name}", region(f"{snippet.replace('$', name)} b[i] = 0;")
            )
    for kind in WRONG_TYPES:
        text = region("for (q = 0; q < n; q++) a[q] = b[q] + y;").replace(
            "int i, j, k;", f"{kind} q;"
        )
        yield from _named(f"{kind} iterator", text.replace("double x", "double y"))
        yield from _named(
            f"{kind} array",
            region("for (i = 0; i < n; i++) a[i] = 2 * a[i];", "", f"int n, {kind} a[n]"),
        )
        yield from _named(f"{kind} local", loop(f"{kind} q; q = i; a[i] = q;"))
        yield from _named(
            f"{kind} bound",
            region("for (i = 0; i < m; i++) a[i] = m;", "", f"{kind} m, double a[m]"),
        )


# --- large --------------------------------------------------------------------------------------


def enormous_cases() -> Iterator[Case]:
    """One-liners of a megabyte, and smaller ones of the same kinds."""
    many = MEGABYTE // 2
    yield from _named("1 MB of a+a", loop("x = a[i]" + "+x" * many + ";"))
    yield from _named(
        "1 MB of n+n in a bound", region("for (i = 0; i < n" + "+n" * many + "; i++) a[i] = 0;")
    )
    yield from _named("2,000 terms", loop("x = a[i]" + "+x" * 2000 + ";"))
    yield from _named("500 terms", loop("x = a[i]" + "+x" * 500 + ";"))
    yield from _named(
        "100 terms in a bound", region("for (i = 0; i < n" + "+n" * 100 + "; i++) a[i] = 0;")
    )
    yield from _named(
        "1 MB of initialisers", region("double q[] = {" + "1," * many + "}; q[0] = 1;")
    )
    yield from _named(
        "1 MB of initialisers outside", f"double q[] = {{{'1,' * many}}};" + loop("a[i] = q[i];")
    )
    yield from _named("1 MB of statements", loop("x=i;" * (MEGABYTE // 4)))
    yield from _named("1,000 statements", loop("x = i;" * 1000))
    yield from _named("1 MB of semicolons", loop(";" * MEGABYTE))
    yield from _named("1 MB of loops", region("for(i=0;i<n;i++)a[i]=i;" * (MEGABYTE // 23)))
    yield from _named("300 loops", region("for (i = 0; i < n; i++) a[i] = i;" * 300))
    yield from _named("a name of 1 MB", loop(f"double {'q' * MEGABYTE} = 0;"))
    yield from _named("an undeclared name of 1 MB", loop(f"a[i] = {'q' * MEGABYTE};"))
    yield from _named("a number of 1 MB", loop(f"a[i] = {'9' * MEGABYTE};"))
    yield from _named("a string of 1 MB", loop(f'b[i] = "{"s" * MEGABYTE}"[i];'))
    yield from _named("a comment of 1 MB", loop(f"/*{'*' * MEGABYTE}*/ a[i] = 0;"))
    yield from _named("a line of 1 MB spaces", loop(" " * MEGABYTE + "a[i] = undeclared;"))
    yield from _named("1 MB of commas", loop("x = (0" + ",1" * many + ");"))
    yield from _named("1 MB of brackets", "[" * MEGABYTE)
    yield from _named("1 MB of parentheses", "(" * MEGABYTE)
    yield from _named("1 MB of braces", "void f() " + "{" * MEGABYTE)
    yield from _named("1 MB of stars", "int " + "*" * MEGABYTE + "p;")
    yield from _named("1 MB of functions", "int f(){}" * (MEGABYTE // 9))
    yield from _named("1 MB of pragmas", "#pragma scop\n" * (MEGABYTE // 13))
    yield from _named("1 MB of regions", "#pragma scop\n#pragma endscop\n" * (MEGABYTE // 29))
    yield from _named("1 MB of hashes", "#" * MEGABYTE)
    yield from _named("1 MB of junk", bytes(range(256)) * (MEGABYTE // 256))
    yield from _many_things()


def _many_things() -> Iterator[Case]:
    """Many declarations, parameters and conditions."""
    yield from _named(
        "1 MB of declarations", loop("int q0" + "".join(f",q{k}" for k in range(1, 120_000)) + ";")
    )
    yield from _named(
        "1,000 declarations",
        loop("int q0" + "".join(f",q{k}=0" for k in range(1, 1000)) + "; a[i] = q0;"),
    )
    yield from _named(
        "1,000 arrays", region("".join(f"double q{k}[n]; q{k}[0] = 1;" for k in range(1000)))
    )
    yield from _named(
        "400 parameters",
        region(
            "for (i = 0; i < n; i++) a[i] = 0;" + "".join(f"b[p{k}] = 1;" for k in range(400)),
            "",
            "int n, double *a, int *b" + "".join(f", int p{k}" for k in range(400)),
        ),
    )
    yield from _named(
        "60 conditions",
        loop("if (" + " || ".join(f"i == {3 * k} + b[0]" for k in range(60)) + ") a[i] = 0;"),
    )
    yield from _named(
        "60 affine conditions",
        loop("if (" + " || ".join(f"i == {3 * k} * n" for k in range(60)) + ") a[i] = 0;"),
    )
    yield from _named(
        "40 disjunctions",
        loop("if (" + " && ".join(f"(i < {k} || i > n + {k})" for k in range(40)) + ") a[i] = 0;"),
    )
    yield from _named(
        "20 moduli",
        loop(
            "if (" + " && ".join(f"(i + n) % {k + 2} < {k + 1}" for k in range(20)) + ") a[i] = 0;"
        ),
    )


def _long_chains() -> Iterator[Case]:
    yield from _named(
        "5,000 else ifs", loop(" else ".join(f"if (i == {k}) a[i] = {k};" for k in range(5000)))
    )
    yield from _named(
        "5,000 dynamic else ifs",
        loop(" else ".join(f"if (b[i] == {k}) a[i] = {k};" for k in range(5000))),
    )
    yield from _named(
        "100 else ifs", loop(" else ".join(f"if (i == {k}) a[i] = {k};" for k in range(100)))
    )
    yield from _named(
        "100 dynamic else ifs",
        loop(" else ".join(f"if (b[i] == {k}) a[i] = {k};" for k in range(100))),
    )
    yield from _named("500 chained assignments", loop("a[i] = " * 500 + "0;"))
    yield from _named(
        "500 calls in calls",
        region(
            "for (i = 0; i < n; i++) a[i] = " + "g(" * 500 + "i" + ")" * 500 + ";",
            "double g(double x) { return x; }",
        ),
    )
    chain = "".join(f"int g{k + 1}(int x) {{ return g{k}(x); }}" for k in range(500))
    yield from _named(
        "500 functions deep",
        region("for (i = 0; i < n; i++) a[i] = g500(i);", f"int g0(int x) {{ return x; }}{chain}"),
    )
    doubling = "".join(f"int g{k + 1}(int x) {{ return g{k}(x) + g{k}(x); }}" for k in range(25))
    yield from _named(
        "2^25 calls",
        region(
            "for (i = 0; i < n; i++) a[i] = g25(i);", f"int g0(int x) {{ return x; }}{doubling}"
        ),
    )
    structs = "struct s0 { int x; };" + "".join(
        f"struct s{k + 1} {{ struct s{k} m; }};" for k in range(200)
    )
    yield from _named(
        "200 structs deep",
        region(
            "for (i = 0; i < n; i++) s[i]" + ".m" * 200 + ".x = 0;",
            structs,
            "int n, struct s200 *s",
        ),
    )


def _nested_statements(depth: int) -> Iterator[Case]:
    for name, opening, inner, closing in [
        ("braces", "{", "a[i] = 0;", "}"),
        ("for loops", "for (int q = 0; q < n; q++)", "a[q] = 0;", ""),
        ("for loops to the outer iterator", "for (int q = i; q < n; q++)", "a[q] = 0;", ""),
        ("dynamic for loops", "for (int q = 0; q < b[q]; q++)", "a[q] = 0;", ""),
        ("while loops", "while (b[i])", "a[i] = 0;", ""),
        ("do loops", "do", " a[i] = 0;", "while (b[i]);"),
        ("ifs", "if (i < n)", "a[i] = 0;", ""),
        ("different ifs", "if (i < n - %d)", "a[i] = 0;", ""),
        ("dynamic ifs", "if (b[i])", "a[i] = 0;", ""),
        ("elses", "if (i < n) ; else", " a[i] = 0;", ""),
        ("labels", "L%d: {", "a[i] = 0;", "}"),
        ("switches", "switch (i) { default:", "a[i] = 0;", "}"),
        ("statement expressions", "({", "a[i] = 0;", "});"),
        ("declarations", "{ int q%d = i;", "a[i] = 0;", "}"),
    ]:
        pieces = (opening % k if "%d" in opening else opening for k in range(depth))
        yield from _named(f"{depth} {name}", loop("\n".join(pieces) + inner + closing * depth))
    names = [f"q{k}" for k in range(depth)]
    nest = "".join(f"for (int {name} = 0; {name} < n; {name}++)" for name in names)
    yield from _named(f"{depth} different loops", region(f"{nest} a[q0] = 0;"))
    bounds = zip(names, ["n", *names], strict=False)
    nest = "".join(f"for (int {name} = 0; {name} < {bound}; {name}++)" for name, bound in bounds)
    yield from _named(f"{depth} triangular loops", region(f"{nest} a[q0] = 0;"))


def _nested_expressions(depth: int) -> Iterator[Case]:
    for name, opening, inner, closing in [
        ("parentheses", "(", "i", ")"),
        ("minuses", "- ", "i", ""),
        ("nots", "!", "i", ""),
        ("complements", "~", "i", ""),
        ("subscripts", "b[", "i", "]"),
        ("ternaries", "i < 3 ? 1 : ", "i", ""),
        ("ternaries on the left", "b[i] ? ", "i", " : 0"),
        ("casts", "(int)", "i", ""),
        ("narrow casts", "(char)", "i", ""),
        ("sums in parentheses", "(1 + ", "i", ")"),
        ("products", "2 * (", "i", ")"),
        ("quotients", "(", "i", ") / 2"),
        ("remainders", "(7 + ", "i", ") % 5"),
        ("commas", "(x, ", "i", ")"),
        ("ands", "i && (", "i", ")"),
        ("dereferences", "*&", "i", ""),
        ("calls", "abs(", "i", ")"),
        ("statement expressions", "({ ", "i", "; })"),
        ("minima", "MIN(n, ", "i", ")"),
    ]:
        if name == "minima" and depth > 50:
            continue
        times = 10 if name == "minima" else depth
        value = opening * times + inner + closing * times
        before = "#define MIN(a, b) ((a) < (b) ? (a) : (b))\n"
        yield from _named(f"{times} {name}", before + loop(f"x = {value};"))
        yield from _named(f"{times} {name} in a subscript", before + loop(f"a[{value}] = 0;"))
        bound = f"for (j = 0; j < {value}; j++) b[j] = 0;"
        yield from _named(f"{times} {name} in a bound", before + loop(bound))
        yield from _named(
            f"{times} {name} in a condition", before + loop(f"if ({value}) a[i] = 0;")
        )
    pointers = "*" * depth
    yield from _named(f"{depth} stars", region(f"{pointers}p = 0;", "", f"double {pointers}p"))
    brackets = "[2]" * min(depth, 60)
    yield from _named(
        f"{depth} dimensions", region(f"p{'[0]' * min(depth, 60)} = 0;", "", f"double p{brackets}")
    )
    yield from _named(
        f"{depth} open dimensions", region("p[0] = 0;", "", f"int n, double (*p){'[n]' * depth}")
    )
