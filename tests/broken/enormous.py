"""Broken C that no mutation would find: the enormous and the deep."""

from __future__ import annotations

from collections.abc import Iterator

from tests.broken.cases import Case
from tests.broken.specials import loop, named, region

MEGABYTE = 1_000_000

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


def enormous_cases() -> Iterator[Case]:
    """One-liners of a megabyte, and smaller ones of the same kinds."""
    many = MEGABYTE // 2
    yield from named("1 MB of a+a", loop("x = a[i]" + "+x" * many + ";"))
    yield from named(
        "1 MB of n+n in a bound", region("for (i = 0; i < n" + "+n" * many + "; i++) a[i] = 0;")
    )
    yield from named("2,000 terms", loop("x = a[i]" + "+x" * 2000 + ";"))
    yield from named("500 terms", loop("x = a[i]" + "+x" * 500 + ";"))
    yield from named(
        "100 terms in a bound", region("for (i = 0; i < n" + "+n" * 100 + "; i++) a[i] = 0;")
    )
    yield from named(
        "1 MB of initialisers", region("double q[] = {" + "1," * many + "}; q[0] = 1;")
    )
    yield from named(
        "1 MB of initialisers outside", f"double q[] = {{{'1,' * many}}};" + loop("a[i] = q[i];")
    )
    yield from named("1 MB of statements", loop("x=i;" * (MEGABYTE // 4)))
    yield from named("1,000 statements", loop("x = i;" * 1000))
    yield from named("1 MB of semicolons", loop(";" * MEGABYTE))
    yield from named("1 MB of loops", region("for(i=0;i<n;i++)a[i]=i;" * (MEGABYTE // 23)))
    yield from named("300 loops", region("for (i = 0; i < n; i++) a[i] = i;" * 300))
    yield from named("a name of 1 MB", loop(f"double {'q' * MEGABYTE} = 0;"))
    yield from named("an undeclared name of 1 MB", loop(f"a[i] = {'q' * MEGABYTE};"))
    yield from named("a number of 1 MB", loop(f"a[i] = {'9' * MEGABYTE};"))
    yield from named("a string of 1 MB", loop(f'b[i] = "{"s" * MEGABYTE}"[i];'))
    yield from named("a comment of 1 MB", loop(f"/*{'*' * MEGABYTE}*/ a[i] = 0;"))
    yield from named("a line of 1 MB spaces", loop(" " * MEGABYTE + "a[i] = undeclared;"))
    yield from named("1 MB of commas", loop("x = (0" + ",1" * many + ");"))
    yield from named("1 MB of brackets", "[" * MEGABYTE)
    yield from named("1 MB of parentheses", "(" * MEGABYTE)
    yield from named("1 MB of braces", "void f() " + "{" * MEGABYTE)
    yield from named("1 MB of stars", "int " + "*" * MEGABYTE + "p;")
    yield from named("1 MB of functions", "int f(){}" * (MEGABYTE // 9))
    yield from named("1 MB of pragmas", "#pragma scop\n" * (MEGABYTE // 13))
    yield from named("1 MB of regions", "#pragma scop\n#pragma endscop\n" * (MEGABYTE // 29))
    yield from named("1 MB of hashes", "#" * MEGABYTE)
    yield from named("1 MB of junk", bytes(range(256)) * (MEGABYTE // 256))
    yield from _many_things()


def _many_things() -> Iterator[Case]:
    """Many declarations, parameters and conditions."""
    yield from named(
        "1 MB of declarations", loop("int q0" + "".join(f",q{k}" for k in range(1, 120_000)) + ";")
    )
    yield from named(
        "1,000 declarations",
        loop("int q0" + "".join(f",q{k}=0" for k in range(1, 1000)) + "; a[i] = q0;"),
    )
    yield from named(
        "1,000 arrays", region("".join(f"double q{k}[n]; q{k}[0] = 1;" for k in range(1000)))
    )
    yield from named(
        "400 parameters",
        region(
            "for (i = 0; i < n; i++) a[i] = 0;" + "".join(f"b[p{k}] = 1;" for k in range(400)),
            "",
            "int n, double *a, int *b" + "".join(f", int p{k}" for k in range(400)),
        ),
    )
    yield from named(
        "60 conditions",
        loop("if (" + " || ".join(f"i == {3 * k} + b[0]" for k in range(60)) + ") a[i] = 0;"),
    )
    yield from named(
        "60 affine conditions",
        loop("if (" + " || ".join(f"i == {3 * k} * n" for k in range(60)) + ") a[i] = 0;"),
    )
    yield from named(
        "40 disjunctions",
        loop("if (" + " && ".join(f"(i < {k} || i > n + {k})" for k in range(40)) + ") a[i] = 0;"),
    )
    yield from named(
        "20 moduli",
        loop(
            "if (" + " && ".join(f"(i + n) % {k + 2} < {k + 1}" for k in range(20)) + ") a[i] = 0;"
        ),
    )


def _long_chains() -> Iterator[Case]:
    yield from named(
        "5,000 else ifs", loop(" else ".join(f"if (i == {k}) a[i] = {k};" for k in range(5000)))
    )
    yield from named(
        "5,000 dynamic else ifs",
        loop(" else ".join(f"if (b[i] == {k}) a[i] = {k};" for k in range(5000))),
    )
    yield from named(
        "100 else ifs", loop(" else ".join(f"if (i == {k}) a[i] = {k};" for k in range(100)))
    )
    yield from named(
        "100 dynamic else ifs",
        loop(" else ".join(f"if (b[i] == {k}) a[i] = {k};" for k in range(100))),
    )
    yield from named("500 chained assignments", loop("a[i] = " * 500 + "0;"))
    yield from named(
        "500 calls in calls",
        region(
            "for (i = 0; i < n; i++) a[i] = " + "g(" * 500 + "i" + ")" * 500 + ";",
            "double g(double x) { return x; }",
        ),
    )
    chain = "".join(f"int g{k + 1}(int x) {{ return g{k}(x); }}" for k in range(500))
    yield from named(
        "500 functions deep",
        region("for (i = 0; i < n; i++) a[i] = g500(i);", f"int g0(int x) {{ return x; }}{chain}"),
    )
    doubling = "".join(f"int g{k + 1}(int x) {{ return g{k}(x) + g{k}(x); }}" for k in range(25))
    yield from named(
        "2^25 calls",
        region(
            "for (i = 0; i < n; i++) a[i] = g25(i);", f"int g0(int x) {{ return x; }}{doubling}"
        ),
    )
    structs = "struct s0 { int x; };" + "".join(
        f"struct s{k + 1} {{ struct s{k} m; }};" for k in range(200)
    )
    yield from named(
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
        yield from named(f"{depth} {name}", loop("\n".join(pieces) + inner + closing * depth))
    names = [f"q{k}" for k in range(depth)]
    nest = "".join(f"for (int {name} = 0; {name} < n; {name}++)" for name in names)
    yield from named(f"{depth} different loops", region(f"{nest} a[q0] = 0;"))
    bounds = zip(names, ["n", *names], strict=False)
    nest = "".join(f"for (int {name} = 0; {name} < {bound}; {name}++)" for name, bound in bounds)
    yield from named(f"{depth} triangular loops", region(f"{nest} a[q0] = 0;"))


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
        yield from named(f"{times} {name}", before + loop(f"x = {value};"))
        yield from named(f"{times} {name} in a subscript", before + loop(f"a[{value}] = 0;"))
        bound = f"for (j = 0; j < {value}; j++) b[j] = 0;"
        yield from named(f"{times} {name} in a bound", before + loop(bound))
        yield from named(f"{times} {name} in a condition", before + loop(f"if ({value}) a[i] = 0;"))
    pointers = "*" * depth
    yield from named(f"{depth} stars", region(f"{pointers}p = 0;", "", f"double {pointers}p"))
    brackets = "[2]" * min(depth, 60)
    yield from named(
        f"{depth} dimensions", region(f"p{'[0]' * min(depth, 60)} = 0;", "", f"double p{brackets}")
    )
    yield from named(
        f"{depth} open dimensions", region("p[0] = 0;", "", f"int n, double (*p){'[n]' * depth}")
    )
