"""What stands around the loops in the language: statements, other functions, headers, C++."""

from __future__ import annotations

from random import Random

from tests.soundness.surroundings import edits
from tests.soundness.surroundings.programs import Dress, Wearer, fresh, placed

AROUND_LOOPS = (
    ("if (n > 3) {", "}"),
    ("if (n > 3)", ""),
    ("if (n < 3) s = 1; else {", "}"),
    ("if (n < 3) s = 1; else", ""),
    ("for (int rep = 0; rep < 2; rep++) {", "}"),
    ("for (int rep = 0; rep < 2; rep++)", ""),
    ("do {", "} while (0);"),
    ("do", "while (0);"),
    ("switch (n) { default: {", "} }"),
    ("switch (n) { case 3: s = 1; break; default:", "}"),
    ("{", "}"),
    ("{ int more = 3;", "s = more; }"),
    ("int again = 0;\nonce_more:", "if (again++ < 1) goto once_more;"),
    ("goto here;\nhere:;", ""),
    ("({", "});"),
    ("int left = 2;\nwhile (left--) {", "}"),
    ("while (n < 0)", ""),
    ("if (0)", ""),
    ("static int calls; if (calls++ > 0) return;", "calls = 0;"),
    ('__asm__ volatile("" ::: "memory");', '__asm__ volatile("" ::: "memory");'),
    ('__asm__ volatile("nop");', ""),
    ("s = ({ double v_ = t; v_ * 2; });", ""),
    ("{ void *next = &&there; goto *next; there:; }", ""),
    ("if (__builtin_expect(n > 0, 1)) {", "}"),
    ("if (n <= 0) __builtin_unreachable();", ""),
    ("(void)0;", ";;"),
    ("return_early: if (n > 100) return;", "if (n > 200) goto return_early;"),
)
CPP_AROUND_LOOPS = (
    ("auto run = [&]() {", "}; run();"),
    ("auto run = [&](int n) {", "}; run(n); run(n);"),
    ("try {", "} catch (...) { s = 1; }"),
    ("{ struct guard { ~guard() { s += t; } } on_exit;", "}"),
    ("if constexpr (N == 40) {", "}"),
    ("if constexpr (N == 41) {", "}"),
    ("for (int rep : {0, 1}) { (void)rep;", "}"),
    ("double (&c2)[SLACK] = c; (void)c2;", ""),
    ("auto &c = ::d;", ""),
    ("auto &d = ::c;", ""),
    ("static const auto once = (s = 3, 1); (void)once;", ""),
    ("using real = double; real u = t;", "s = u;"),
)


def around(rng: Random, wearer: Wearer) -> Dress:
    """The loops stand in a statement."""
    choices = AROUND_LOOPS + (CPP_AROUND_LOOPS * 3 if wearer.is_cpp else ())
    begin, end = rng.choice(choices)
    slots = rng.choice(
        (("front", "behind"), ("front", "behind"), ("opening", "closing"), ("inside", "within"))
    )
    return Dress("around", tuple(pair for pair in zip(slots, (begin, end), strict=True) if pair[1]))


OTHERS = (
    "void {0}(void) {{ for (int i = 0; i < N; i++) y[i] += i; }}",
    "void {0}(void)\n{{\n#pragma scop\nfor (int i = 0; i < N; i++) y[i] += i;\n#pragma endscop\n}}",
    "static int {0}_k = 3; int {0}(void) {{ return {0}_k++; }}",
    "static inline double {0}(double i) {{ return 2 * i; }}",
    "void {0}(void) {{\n#pragma omp parallel for\nfor (int i = 0; i < N; i++) y[i] += i;\n}}",
    "void {0}(void) {{\n#pragma omp parallel\n{{\n#pragma omp single\ny[2] += 1;\n}}\n}}",
    "int {0}(n) int n; {{ return n + 1; }}",
    "struct {0} {{ int i, j; struct {{ double c; }}; }};",
    "union {0} {{ double d; long l; }};",
    "void (*{0}(void))(int n) {{ return 0; }}",
    "int {0}(void) {{ char *q = \"/*\"; return q[0] == '\"'; /* ' */ }}",
    "double {0}[3] = {{ [1] = 2.0, }};",
    '_Static_assert(sizeof(int) == 4, "don\'t");',
    "int {0}(int i) {{ int inner(int k) {{ return k + i; }} return inner(2); }}",
    "__extension__ typedef long long {0};",
    "int {0}(void) {{ if (N) {{ }} else {{ }} switch (N) {{ case 3 ... 5: break; }} return 0; }}",
    'asm(".globl {0}_nothing\\n.set {0}_nothing, c");',
    '__asm__("");',
    'void {0}(void) {{ __asm__ volatile ("" : "+m"(c)); }}',
    "double {0}(void) {{ return ((double[]){{ 1, 2 }})[1]; }}",
    "_Noreturn void {0}(void); void {0}(void) {{ for (;;) ; }}",
    "#include <string.h>",
    "#include <stdlib.h>\n#include <assert.h>",
    "#include <stdint.h>",
    "#include <stdbool.h>",
    "#include <float.h>\n#include <limits.h>",
    "#include <time.h>",
    "#include <omp.h>",
    ";",
)
CPP_OTHERS = (
    'extern "C" {{ int {0}(int); }}',
    'extern "C" double {0};',
    "namespace {0} {{ double c[3]; void work(int) {{ }} }}",
    "namespace {{ int {0}; }}",
    "template <typename T> T {0}(T v) {{ return v; }}",
    "class {0} {{ public: int n; {0}() : n(3) {{ }} operator int() const {{ return n; }} }};",
    "constexpr int {0} = N;",
    'struct {0} {{ {0}() {{ puts("made"); }} }} one_{0};',
    "inline namespace {0} {{ struct more {{ }}; }}",
    'double operator""_{0}(long double v) {{ return v; }}',
    "#include <cmath>",
    "#include <cstdio>",
    "namespace std {{ }} using namespace std;",
)


def others(rng: Random, wearer: Wearer) -> Dress:
    """There is something else in the file."""
    texts = OTHERS + (CPP_OTHERS * 2 if wearer.is_cpp else ())
    found = [rng.choice(texts).format(fresh(rng, "more")) for _ in range(rng.choice((1, 2)))]
    where, files = placed(rng, "\n".join(found), "top", "types", "names", "names", "others")
    return Dress("others", where, files=files)


LIVES = (
    ("", "s = v;"),
    ("for (int rep = 0; rep < 2; rep++) { s += v;", "}"),
    ("int rep = 0; again: s += v;", "if (rep++ < 1) goto again;"),
    ("int rep = 0; void *to = &&again; again: s += v;", "if (rep++ < 1) goto *to;"),
    ("double *p = &v;", "s = *p;"),
    ("long p = (long)&v;", "s = *(double *)p;"),
    ("double *p = &v, **q = &p;", "s = **q;"),
    ("", "double q[(int)v % 3 + 3]; s = sizeof q;"),
    ("int rep = 0; do { if (rep) s = v;", "} while (rep++ < 1);"),
    ("", "#pragma omp parallel num_threads(3) if(v > 5)\n#pragma omp atomic\ns += 1;"),
    ("", "#pragma omp parallel num_threads((int)v > 5 ? 1 : 2)\n#pragma omp atomic\ns += 1;"),
    (
        "",
        "#pragma omp parallel for schedule(static, (int)v > 5 ? 1 : 2)\n"
        "for (int q = 0; q < 4; q++) y[q] += q;",
    ),
    ("", "#pragma omp parallel firstprivate(v) num_threads(1)\ns = v;"),
    ("", "#pragma omp parallel for reduction(+:v)\nfor (int q = 0; q < 4; q++) v += q;\ns = v;"),
    ("", "#pragma omp task if(v > 5)\ns = v;\n#pragma omp taskwait"),
    ("{ double v = 3; (void)v;", "} s = v;"),
    ("", "s = ({ double q = v; q; });"),
    ("", "s = 1 ? v : 2;"),
    ("", "if (0) s = v;"),
    ("", "s = sizeof v;"),
    ("", "switch ((int)v) { case 3: s = 3; break; default: s = 4; }"),
    ("", "return (void)(s = v);"),
)
CPP_LIVES = (
    ("auto g = [&]() { return v; };", "s = g();"),
    ("auto g = [&v]() { return v; };", "s = g();"),
    ("auto g = [v]() { return v; };", "s = g();"),
    ("auto g = [&q = v]() { return q; };", "s = g();"),
    ("struct guard { double &r; ~guard() { s = r; } } one{v};", ""),
    ("struct guard { double *r; ~guard() { s = *r; } } one{&v};", ""),
    ("double &r = v;", "s = r;"),
    ("struct { double &r; } one = {v};", "s = one.r;"),
    ("double &&r = static_cast<double &&>(v);", "s = r;"),
    ("double *r(&v);", "s = *r;"),
    ("", "struct pair { double q, r; }; auto [q, r] = pair{v, 2}; s = q;"),
    ("struct pair { double &q; } z = {v};", "s = z.q;"),
    (
        "struct ids { static double &id(double &w) { return w; } }; double *p = &ids::id(v);",
        "s = *p;",
    ),
    ("auto g = [&]() { return &v; }; double *p = g();", "s = *p;"),
    ("", "if (double q = v; q > 3) s = q;"),
    ("", "try { throw v; } catch (double q) { s = q; }"),
)


def lives(rng: Random, wearer: Wearer) -> Dress:
    """A variable of the function lives on."""
    front, end = rng.choice(LIVES + (CPP_LIVES * 2 if wearer.is_cpp else ()))
    return Dress("lives", tuple((k, t) for k, t in (("opening", front), ("closing", end)) if t))


VALUES = (
    "s = - -t;",
    "s = + +t;",
    "s = t - -d[1];",
    "y[0] = x[1]++ + x[2];",
    "y[0] = x[1] + ++x[2];",
    "y[1] = x[1] - - - x[2];",
    "y[2] = (1 < 2) & (&t != 0);",
    "s = 1.5 / *&t;",
    'y[3] = sizeof "a  b" + sizeof "a" "b";',
    "y[4] = 'a' + '  ' % 7;",
    "y[5] = y[6] >> 1 << 2;",
    "y[7] = N ? -1 : +1;",
    "y[8] = !~-N;",
    "s = .5 + 1. - 1.e0;",
    "s = 0x1p+1 + 0xep1;",
    "y[9] = x[1] == - 1;",
    "x[2] *= -1;",
    "y[10] = N, y[11] = (N, 2);",
)


def values(rng: Random, wearer: Wearer) -> Dress:
    """Something is computed whose value depends on where one word ends."""
    slot = rng.choice(("opening", "closing", "setup"))
    if rng.random() < 0.15:
        team = '#pragma omp parallel num_threads(sizeof "a  b" - 2) if(sizeof "x y" == 4)'
        return Dress("values", ((slot, f"{team}\n#pragma omp atomic\ns += 1;"),))
    return Dress("values", ((slot, " ".join(rng.sample(VALUES, 2))),))


DIRECTIVES = (
    "master",
    "single",
    "critical",
    "atomic write",
    "barrier\n    ;",
    "task",
    "masked",
    "flush",
    "parallel num_threads(2)",
    "parallel num_threads(2) reduction(+:r)",
    "parallel for",
    "for",
    "simd",
    "single nowait",
    "taskgroup",
    "unknown",
)


def calls(rng: Random, wearer: Wearer) -> Dress:
    """The loops call a function, which may do more than it says."""
    name = fresh(rng, "call")
    effect = rng.choice(
        ("", "", f"{name}_n++;", f"{name}_n = 2 * {name}_n + (int)v;", "s = v;", "y[3] = (int)v;")
    )
    if wearer.is_cpp and rng.random() < 0.3:
        storage = rng.choice(("static", "static const", "thread_local", ""))
        effect = f"{storage} double q {{v}}; v += q;"
    mark = rng.choice(("static", "static inline", "", "static __attribute__((noinline))"))
    result = "0.5 * v + 1"
    if rng.random() < 0.3:
        effect += f"\n    double r = v;\n#pragma omp {rng.choice(DIRECTIVES)}"
        effect += rng.choice(
            (
                "\n    r = v + 1;",
                "\n    r += v;",
                "\n    for (int q = 0; q < 4; q++)\n        r += q;",
            )
        )
        result = "r"
    body = f"{{\n    {effect}\n    return {result};\n}}"
    text = f"static int {name}_n;\n{mark} double {name}(double v)\n{body}"
    if rng.random() < 0.2:
        text += f"\n#define {name}(v) (({name})(v))"
    told = ("told", f'    printf("%d\\n", {name}_n);')
    where, files = placed(rng, text, "names")
    return Dress("calls", (*where, told), edit=edits.values(lambda v: f"{name}({v})"), files=files)


def included_body(rng: Random, wearer: Wearer) -> Dress | None:
    """A statement or the whole of the loops stands in a header."""
    name = f"body{rng.randrange(1000)}.h"
    found = edits.statements_of(wearer.region.old)
    if rng.random() < 0.25:
        text, which = wearer.region.old, "old"
        return Dress(
            "included_body",
            edit=lambda _: f'#include "{name}"',
            edits=which,
            files={name: text + "\n"},
        )
    if not found:
        return None
    old = rng.choice(found)
    ending = rng.choice(("\n", "\n", "", "\n#undef NEVER\n", "\n// it's\n", "\n#pragma once\n"))
    which = rng.choice(("both", "both", "new", "old"))
    return Dress(
        "included_body",
        edit=edits.statement(old, f'\n#include "{name}"\n'),
        edits=which,
        files={name: old + ending},
    )


def included_twice(rng: Random, wearer: Wearer) -> Dress | None:
    """A header is another one the second time."""
    found = edits.statements_of(wearer.region.old)
    if not found:
        return None
    name, old, switch = f"twice{rng.randrange(1000)}.h", rng.choice(found), fresh(rng, "SEEN")
    text = f"#ifdef {switch}\n{old}\n#else\n#define {switch}\ndouble {switch}_v;\n#endif\n"
    slots = ((rng.choice(("types", "names", "opening")), f'#include "{name}"'),)
    edit = edits.statement(old, f'\n#include "{name}"\n')
    return Dress("included_twice", slots, edit=edit, files={name: text})


def called_again(rng: Random, wearer: Wearer) -> Dress:
    """The function is called in another way."""
    calls = (
        "    work(size);\n    work(size);",
        "    work(0);\n    work(1);\n    work(size);",
        "    work(size - 1);",
        "    void (*volatile call)(int) = work;\n    call(size);",
        "    if (size > 3) work(size); else work(3);",
        "    for (int q = 1; q < 4; q++) work(size / q);",
    )
    return Dress("called_again", swaps=(("    work(size);", rng.choice(calls)),))


def own_headers(rng: Random, wearer: Wearer) -> Dress:
    """A header of the program's own has the name of one of the system's."""
    name, body = rng.choice(
        (
            ("stdlib.h", "#include_next <stdlib.h>\n"),
            ("assert.h", "#define assert(x) ((void)(s += (x)))\n"),
            ("math.h", "#include_next <math.h>\n#define sqrt(v) fabs(v)\n"),
            ("string.h", "#pragma once\n#include_next <string.h>\nstatic int in_string_h = 3;\n"),
            ("usr_include.h", '#line 1 "/usr/include/fake.h"\nstatic int faked = 2;\n'),
        )
    )
    slots = (
        (
            rng.choice(("first", "top", "types")),
            f"#include {rng.choice((f'<{name}>', chr(34) + name + chr(34)))}",
        ),
    )
    return Dress("own_headers", slots, files={name: body})


MAKERS = (
    around,
    around,
    around,
    others,
    others,
    others,
    values,
    values,
    lives,
    lives,
    calls,
    calls,
    included_body,
    included_twice,
    called_again,
    own_headers,
)
