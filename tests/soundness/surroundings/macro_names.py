"""Macros whose names are words of something else: keywords, clauses of pragmas, iterators."""

from __future__ import annotations

from random import Random

from tests.soundness.surroundings.programs import AROUND, EARLY, Dress, Wearer, placed

KEYWORDS = (
    "for for",
    "int int",
    "int signed",
    "double double",
    "if if",
    "if(x) if (x)",
    "if(x) if ((x) && 1)",
    "else else",
    "volatile",
    "static",
    "const",
    "return return",
    "register",
    "inline",
    "restrict",
    "while(x) while (x)",
    "sizeof sizeof",
    "void void",
    "unsigned signed",
    "long int",
    "goto goto",
)


def keywords(rng: Random, wearer: Wearer) -> Dress:
    """Keywords are macros."""
    where, files = placed(rng, f"#define {rng.choice(KEYWORDS)}", *EARLY)
    return Dress("keywords", where, files=files)


CLAUSE_WORDS = (
    "parallel parallel",
    "parallel single",
    "for for",
    "simd simd",
    "simd nowait",
    "simd private(s)",
    "schedule(x)",
    "schedule(x) schedule(x)",
    "schedule(x) firstprivate(c)",
    "static dynamic",
    "static static",
    "static static) private(a",
    "dynamic dynamic",
    "guided static",
    "num_threads(x)",
    "num_threads(x) num_threads(1)",
    "num_threads(x) num_threads(x) private(c)",
    "private shared",
    "private(x) shared(x)",
    "shared private",
    "firstprivate private",
    "lastprivate private",
    "reduction(x)",
    "default(x)",
    "default(x) private(a)",
    "shared(x)",
    "proc_bind(x)",
    "proc_bind(x) firstprivate(a, c)",
    "close spread",
    "omp acc",
    "omp omp",
    "collapse(x)",
    "if(x)",
    "pragma pragma",
    "once",
    "safelen(x)",
)


def clauses(rng: Random, wearer: Wearer) -> Dress:
    """Words of pragmas are macros."""
    text = f"#define {rng.choice(CLAUSE_WORDS)}"
    if rng.random() < 0.15:
        name, _, value = text.removeprefix("#define ").partition(" ")
        return Dress("clauses", define=(f"{name}={value}",))
    where, files = placed(rng, text, *EARLY)
    slots = list(where)
    if rng.random() < 0.4:
        slots.append(
            (rng.choice(("within", "behind")), f"#undef {text[8:].split('(')[0].split()[0]}")
        )
    return Dress("clauses", tuple(slots), files=files)


NASTY = (
    "min(x, y) ((x) < (y) ? (x) : (y))",
    "max(x, y) ((x) > (y) ? (x) : (y))",
    "max 3",
    "i(x) x",
    "j(x) (x)",
    "n(x) x",
    "a(x) c[x]",
    "lw_max(x, y) x",
    "lw_min(x, y) y",
    "lw_floord(x, y) 0",
    "floord(x, y) ((x) / (y))",
    "scop",
    "scop endscop",
    "endscop scop",
    "loopwright",
    "begin 7",
    "end",
    "pragma nothing",
    "define undef",
    "line 3",
    "include",
    "t1 s",
    "i0 i",
    "i_t i",
    "c1 c2",
    "NULL 0",
    "bool int",
    "true false",
    "private",
    "__FUNCTION__ 3",
    "linux 2",
    "unix(x) x",
    "EMPTY",
    "LPAREN (",
    "RBRACE }",
    "SEMI ;",
    "JOIN(x, y) x##y",
    "TEXT(x) #x",
    "SAY(x) _Pragma(#x)",
    "a a",
    "c c",
    "n n",
    "i i",
    "i (i)",
    "n (n)",
    "c (c)",
    "j j",
    "d c",
    "e d",
    "b a",
    "b w",
    "t s",
    "x y",
    "y x",
    "fabs floor",
    "sqrt(x) fabs(x)",
    "s t",
    "N 40",
    "N (SLACK - 8)",
    "printf(...) printf(__VA_ARGS__)",
    "assert(x)",
    "NDEBUG",
    "_OPENMP_ _OPENMP",
    "I 1",
    "__LINE__x 3",
    "and &&",
)


def nasty(rng: Random, wearer: Wearer) -> Dress:
    """Macros with names that others may have."""
    text = "\n".join(f"#define {each}" for each in rng.sample(NASTY, rng.choice((1, 1, 2, 4))))
    where, files = placed(rng, text, *EARLY, "closing", "others")
    return Dress("nasty", where, files=files)


def undefined(rng: Random, wearer: Wearer) -> Dress:
    """Macros are taken away that may be there."""
    names = ("sqrt", "_OPENMP", "__OPTIMIZE__", "NULL", "N", "assert", "min", "unix", "__STDC__x")
    where, files = placed(rng, f"#undef {rng.choice(names)}", *AROUND, "inside")
    return Dress("undefined", where, files=files)


MAKERS = (keywords, clauses, clauses, nasty, nasty, undefined)
