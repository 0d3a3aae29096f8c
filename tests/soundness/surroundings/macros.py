"""Macros of the loops: in bounds, subscripts, types, operators, calls, statements and pragmas."""

from __future__ import annotations

from random import Random

from tests.soundness.surroundings import edits
from tests.soundness.surroundings.programs import EARLY, Dress, Edit, Wearer, fresh, placed


def defined(
    rng: Random, kind: str, text: str, edit: Edit, *slots: str, edits: str = "both"
) -> Dress:
    """A macro, or several, somewhere in front of the loops, which use it."""
    where, files = placed(rng, text, *(slots or EARLY))
    return Dress(kind, where, edit=edit, files=files, edits=edits)


def bounds(rng: Random, wearer: Wearer) -> Dress:
    """The number of iterations is a macro."""
    name = rng.choice((fresh(rng, "ROWS"), "rows", "M", "LAST", "len"))
    value = rng.choice(("n", "n", "(n)", "((n))", "n /* rows */", "(n + 0)", "(n) - 0", "N", "40"))
    edit = edits.words(n=name)
    if rng.random() < 0.25:
        return Dress("bounds", edit=edit, define=(f"{name}={value.replace(' /* rows */', '')}",))
    if rng.random() < 0.4:
        text = f"#define {name}(k) {rng.choice(('(k)', 'k', '((k) * 1)', '(+(k))'))}"
        return defined(rng, "bounds", text, edits.words(n=f"{name}(n)"))
    return defined(rng, "bounds", f"#define {name} {value}", edit)


def subscripts(rng: Random, wearer: Wearer) -> Dress:
    """Elements are macros."""
    name = fresh(rng, "AT")
    body = rng.choice(("m[r][k]", "(m)[(r)][(k)]", "(*(m + (r)))[k]", "*(m[r] + (k))", "m[k][r]"))
    if rng.random() < 0.4:
        macro = f"#define {name}(v, r) {rng.choice(('v[r]', '(v)[(r)]', '*((v) + (r))'))}"
        return defined(rng, "subscripts", macro, edits.vectors(lambda v, r: f"{name}({v}, {r})"))
    if rng.random() < 0.3:
        array = rng.choice("abw")
        macro = f"#define {name}(r, k) {body.replace('m', array)}"

        def own(m: str, r: str, k: str) -> str:
            return f"{name}({r}, {k})" if m == array else f"{m}[{r}][{k}]"

        return defined(rng, "subscripts", macro, edits.matrices(own))
    change = edits.matrices(lambda m, r, k: f"{name}({m}, {r}, {k})")
    return defined(rng, "subscripts", f"#define {name}(m, r, k) {body}", change)


def types(rng: Random, wearer: Wearer) -> Dress:
    """Types are macros."""
    if rng.random() < 0.5:
        name = rng.choice((fresh(rng, "REAL"), "real", "DATA_TYPE"))
        value = rng.choice(("double", "double", "double", "float", "long double"))
        return defined(rng, "types", f"#define {name} {value}", edits.words(double=name))
    name = rng.choice((fresh(rng, "INDEX"), "index_t", "idx"))
    value = rng.choice(("int", "int", "int", "long", "signed int", "signed", "short", "unsigned"))
    return defined(rng, "types", f"#define {name} {value}", edits.words(int=name))


def operators(rng: Random, wearer: Wearer) -> Dress:
    """Operators are macros."""
    name = fresh(rng, "OP")
    old = rng.choice((" + ", " - ", " * ", " < ", " = ", "++", " += ", " ? ", ";", "{"))
    if old == " < ":
        new = rng.choice(("<", "<", "!="))
    elif old in (" + ", " - ", " * "):
        new = rng.choice((old.strip(), old.strip(), "+", "-"))
    else:
        new = old.strip()

    def edit(text: str) -> str:
        lines = text.split("\n")
        return "\n".join(
            each if each.startswith("#") else each.replace(old, f" {name} ") for each in lines
        )

    return defined(rng, "operators", f"#define {name} {new}", edit)


def functions(rng: Random, wearer: Wearer) -> Dress:
    """Names of functions are macros."""
    base = rng.choice(("sqrt", "fabs", "floor", "exp2"))
    name = rng.choice((fresh(rng, "ROOT"), base, base.upper()))
    own = fresh(rng, "own")
    effect = rng.choice(("", f"{own}_calls += v;", f"{own}_calls = 2 * {own}_calls + v;"))
    body, more = rng.choice(
        (
            (f"{name}(v) {base}(v)" if name != base else f"{name}(v) ({name})(v)", ""),
            (f"{name} {base}", ""),
            (f"{name}(v) ((v) * (v))", ""),
            (f"{name}(v) (v)", ""),
            (f"{name} {own}", effect),
            (f"{name}(v) {own}(v)", effect),
        )
    )
    swaps: tuple[tuple[str, str], ...] = ()
    function = ""
    if own in body:
        function = f"static double {own}_calls;\n"
        function += f"static double {own}(double v) {{ {more} return v + 1; }}\n"
        swaps = (
            (
                '    printf("%lx',
                f"    note(&{own}_calls, sizeof {own}_calls);\n" + '    printf("%lx',
            ),
        )
    edit = edits.values(
        lambda value: f"{name}(fabs({value}))" if base == "sqrt" else f"{name}({value})"
    )
    where, files = placed(rng, f"{function}#define {body}", "top", "types", "names")
    return Dress("functions", where, swaps, edit, files=files)


def statements(rng: Random, wearer: Wearer) -> Dress | None:
    """A statement of the loops is a macro."""
    found = edits.statements_of(wearer.region.old)
    if not found:
        return None
    old, name = rng.choice(found), fresh(rng, "STEP")
    body = old.rstrip(";") if rng.random() < 0.7 else f"{{ {old} }}"
    names = rng.choice(((), ("i",), ("i", "j"), ("i", "j", "k")))
    if not names:
        return defined(
            rng, "statements", f"#define {name} {body}", edits.statement(old, f"{name};")
        )
    macro = f"#define {name}({', '.join(names)}) {body}"
    return defined(rng, "statements", macro, edits.statement(old, f"{name}({', '.join(names)});"))


def loop_heads(rng: Random, wearer: Wearer) -> Dress:
    """Loops are macros."""
    name = rng.choice((fresh(rng, "LOOP"), "foreach", "upto"))
    kind = rng.choice(("int", "int", "int", "long"))
    body = rng.choice(
        (
            f"for ({kind} v = (low); v < (end); v++)",
            f"for ({kind} v = low; v < end; ++v)",
            f"for ({kind} v = (low); (v) < (end); (v) += 1)",
        )
    )

    def change(_: str, v: str, low: str, end: str) -> str:
        return f"{name}({v}, {low}, {end})"

    return defined(rng, "loop_heads", f"#define {name}(v, low, end) {body}", edits.heads(change))


def pragma_macros(rng: Random, wearer: Wearer) -> Dress:
    """Pragmas are macros, or at least operators."""
    name = fresh(rng, "DO")
    kind = rng.randrange(4)
    if kind == 0:
        return Dress("pragma_macros", edit=edits.pragmas(lambda words: f'_Pragma("{words}")'))
    if kind == 1:
        macro, change = f"#define {name}(...) _Pragma(#__VA_ARGS__)", (lambda w: f"{name}({w})")
    elif kind == 2:
        macro = f"#define {name}_(x) _Pragma(#x)\n#define {name}(...) {name}_(__VA_ARGS__)"
        change = lambda w: f"{name}({w})"  # noqa: E731
    else:
        macro = f'#define {name} _Pragma("omp parallel for")'
        change = lambda w: name if w == "omp parallel for" else f"#pragma {w}"  # noqa: E731
    return defined(rng, "pragma_macros", macro, edits.pragmas(change))


def constants(rng: Random, wearer: Wearer) -> Dress:
    """Numbers are macros, which other macros make."""
    name = fresh(rng, "K")
    texts = (
        f"#define {name} 2",
        f"#define {name} (1 + 1)",
        f"#define {name}_ 2\n#define {name} {name}_",
        f"#define {name} {name}_\n#define {name}_ 2",
        f"#define {name} sizeof(short)",
        f"enum {{ {name} = 2 }};",
        f"static const int {name} = 2;",
        f"#define {name} 1 + 1",
        f"#define {name} 2.0f",
        f"#define {name} 0x2p0",
        f"#define {name} '\\2'",
        f"#define {name} 02",
        f"#define {name} N / 20",
    )
    edit = edits.values(lambda value: f"{value} {rng_free} {name}")
    rng_free = rng.choice(("+", "-", "*"))
    if rng.random() < 0.2:
        value = rng.choice(("2", "(1 + 1)", "2.0", "n", "'b'", "(2)"))
        return Dress("constants", edit=edit, define=(f"{name}={value}",))
    return defined(rng, "constants", rng.choice(texts), edit)


def redefined(rng: Random, wearer: Wearer) -> Dress:
    """A macro has another value further down."""
    name = fresh(rng, "K")
    first, then, last = (rng.choice(("1", "2", "3.5", "n", "(n - 1)")) for _ in range(3))
    slots = [rng.choice(("top", "names")), rng.choice(("opening", "front", "inside"))]
    slots.append(rng.choice(("within", "behind", "closing", "others")))
    found = [
        (slots[0], f"#define {name} {first}"),
        (slots[1], f"#undef {name}\n#define {name} {then}"),
        (slots[2], f"#undef {name}\n#define {name} {last}"),
    ]
    told = 'printf("%d\\n", (int)({}));'
    found.append(("told", f"#define n size\n    {told.format(name)}\n#undef n"))
    return Dress("redefined", tuple(found), edit=edits.values(lambda value: f"{value} + {name}"))


def pushed(rng: Random, wearer: Wearer) -> Dress:
    """A macro is put aside, and comes back."""
    name = fresh(rng, "K")
    slots = sorted(rng.sample(range(7), 2))
    order = ("top", "types", "names", "opening", "front", "inside", "within")
    found = (
        ("first", f"#define {name} 1"),
        (order[slots[0]], f'#pragma push_macro("{name}")\n#undef {name}\n#define {name} 2'),
        (
            order[slots[1]],
            rng.choice((f'#pragma pop_macro("{name}")', f'_Pragma("pop_macro(\\"{name}\\")")')),
        ),
        ("told", f'    printf("%d\\n", {name});'),
    )
    return Dress("pushed", found, edit=edits.values(lambda value: f"{value} + {name}"))


def joined(rng: Random, wearer: Wearer) -> Dress:
    """Words are made of parts."""
    name = fresh(rng, "JOIN")
    macro = rng.choice(
        (
            f"#define {name}(x, y) x##y",
            f"#define {name}_(x, y) x##y\n#define {name}(x, y) {name}_(x, y)",
        )
    )
    old, new = rng.choice(
        (
            ("b", f"{name}(, b)"),
            ("w", f"{name}(w, )"),
            ("int", f"{name}(in, t)"),
            ("double", f"{name}(dou, ble)"),
            ("n", f"{name}(, n)"),
            ("for", f"{name}(f, or)"),
            ("0", f"{name}(, 0)"),
            ("d", f"{name}(, d)"),
        )
    )
    return defined(rng, "joined", macro, _but_pragmas(edits.words(**{old: new})))


def _but_pragmas(edit: Edit) -> Edit:
    def change(text: str) -> str:
        lines = text.split("\n")
        return "\n".join(each if each.startswith("#") else edit(each) for each in lines)

    return change


def spelled(rng: Random, wearer: Wearer) -> Dress:
    """The text of an expression is a value."""
    name = fresh(rng, "LENGTH")
    macro = rng.choice(
        (
            f"#define {name}(...) (sizeof(#__VA_ARGS__))",
            f"#define {name}(...) ((int)sizeof(#__VA_ARGS__))",
            f"#define {name}(...) (#__VA_ARGS__[0])",
            f"#define {name}(...) (0 * sizeof(#__VA_ARGS__))",
        )
    )
    return defined(rng, "spelled", macro, edits.values(lambda value: f"{value} + {name}({value})"))


def with_arguments(rng: Random, wearer: Wearer) -> Dress:
    """A macro takes any number of arguments."""
    name = fresh(rng, "PICK")
    macro, use = rng.choice(
        (
            (f"#define {name}(x, ...) x", f"{name}({{0}}, 1, 2)"),
            (f"#define {name}(x, y...) y", f"{name}(1, {{0}})"),
            (f"#define {name}(x, ...) x, ##__VA_ARGS__", f"({name}({{0}}))"),
            (f"#define {name}(...) (__VA_ARGS__)", f"{name}({{0}})"),
            (f"#define {name}(x) x", f"{name}({name}({name}({{0}})))"),
            (f"#define {name}() +", f"{{0}} {name}() 1"),
            (f"#define {name}(f, v) f(v)\n#define {name}_(v) ((v) - 1)", f"{name}({name}_, {{0}})"),
        )
    )
    return defined(rng, "with_arguments", macro, edits.values(lambda value: use.format(value)))


def wrapped(rng: Random, wearer: Wearer) -> Dress:
    """The loops are the argument of a macro, all of them or one line."""
    name = fresh(rng, "BLOCK")
    macro = rng.choice(
        (
            f"#define {name}(...) __VA_ARGS__",
            f"#define {name}(...) {{ __VA_ARGS__ }}",
            f"#define {name}(...) if (1) {{ __VA_ARGS__ }}",
            f"#define {name}_(...) __VA_ARGS__\n#define {name}(...) {name}_(__VA_ARGS__)",
            f'#define {name}(...) _Pragma("omp parallel for") __VA_ARGS__',
            f'#define {name}(...) __VA_ARGS__ _Pragma("GCC unroll 2")',
        )
    )
    is_pragma = rng.random() < 0.5

    def edit(text: str) -> str:
        if is_pragma:
            text = edits.pragmas(lambda words: f'_Pragma("{words}")')(text)
        return f"{name}({text})"

    return defined(rng, "wrapped", macro, edit, edits=rng.choice(("both", "old", "new")))


MAKERS = (
    bounds,
    bounds,
    subscripts,
    subscripts,
    types,
    operators,
    functions,
    functions,
    statements,
    statements,
    loop_heads,
    pragma_macros,
    pragma_macros,
    constants,
    redefined,
    pushed,
    joined,
    spelled,
    with_arguments,
    wrapped,
)
