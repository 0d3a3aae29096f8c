"""Attributes and labels of the assembler: what a name stands for, and what happens besides."""

from __future__ import annotations

from random import Random

from tests.soundness.surroundings import edits
from tests.soundness.surroundings.programs import Dress, Wearer, fresh, placed

OF_FUNCTION = (
    "noinline",
    "noipa",
    "noclone",
    "hot",
    "cold",
    "flatten",
    "used",
    "unused",
    "weak",
    "externally_visible",
    'visibility("default")',
    'section(".text.work")',
    "aligned(64)",
    'optimize("O1")',
    'optimize("fast-math")',
    'optimize("O3,fast-math")',
    'optimize("no-tree-vectorize")',
    'target("avx2")',
    'target("fpmath=387")',
    'target_clones("default,avx2")',
    "nothrow",
    "leaf",
    "no_instrument_function",
    "no_icf",
    "returns_twice",
    "constructor",
    "destructor",
    "noreturn",
    "const",
    "pure",
    "deprecated",
    "always_inline",
    "gnu_inline",
    "nonexistent",
    'annotate("x")',
    "assume_aligned(8)",
    "naked",
    "simd",
    "stack_protect",
    "no_split_stack",
)
OF_ARRAY = (
    "aligned(64)",
    "aligned(128), used",
    "unused",
    "weak",
    'section(".mine")',
    'visibility("hidden")',
    "nocommon",
    "common",
    "externally_visible",
    "packed",
    "mode(SF)",
    "may_alias",
    "vector_size(16)",
    'tls_model("local-exec")',
    "deprecated",
    "nonexistent",
    'scalar_storage_order("big-endian")',
    "warn_if_not_aligned(8)",
    "noinit",
    "persistent",
    "retain",
)
OF_STATEMENT = (
    "__attribute__((fallthrough));",
    "__attribute__((unused));",
    "__attribute__((assume(n > 0)));",
    "[[likely]]",
    "[[maybe_unused]] int unused_here;",
    "[[fallthrough]];",
    "[[nonexistent]];",
    "__extension__",
    "__attribute__(()) ;",
    "[[gnu::unused]] int not_used;",
    "int hidden __attribute__((unused));",
    "label: __attribute__((unused));",
    "label: __attribute__((hot));",
)


def spelled(rng: Random, wearer: Wearer, words: str) -> str:
    """An attribute in one of its spellings."""
    kind = rng.randrange(6)
    if kind == 0 and (wearer.is_cpp or wearer.standard.endswith("2x")) and "," not in words:
        return f"[[gnu::{words}]]"
    if kind == 1:
        name, bracket, rest = words.partition("(")
        return (
            f"__attribute__((__{name}__{bracket}{rest}))"
            if "," not in name
            else f"__attribute__(({words}))"
        )
    return f"{rng.choice(('__attribute__', '__attribute'))}(({words}))"


def _behind_macro(
    rng: Random, text: str
) -> tuple[str, tuple[tuple[str, str], ...], dict[str, str]]:
    """The text, or a macro that means it."""
    if rng.random() < 0.7:
        return text, (), {}
    name = fresh(rng, "ATTRIBUTE")
    where, files = placed(rng, f"#define {name} {text}", "first", "top")
    return name, where, files


def of_function(rng: Random, wearer: Wearer) -> Dress:
    """The function has an attribute."""
    text, where, files = _behind_macro(rng, spelled(rng, wearer, rng.choice(OF_FUNCTION)))
    if text.startswith("[[") or rng.random() < 0.5:
        return Dress("of_function", (*where, ("head", text)), files=files)
    declared = (rng.choice(("types", "names", "top")), f"void work(int n) {text};")
    return Dress("of_function", (*where, declared), files=files)


def of_arrays(rng: Random, wearer: Wearer) -> Dress:
    """Arrays or scalars have an attribute."""
    text, where, files = _behind_macro(rng, spelled(rng, wearer, rng.choice(OF_ARRAY)))
    old, new = rng.choice(
        (
            ("double c[SLACK],", "double c[SLACK] {0},"),
            ("double a[SLACK][SLACK],", "double a[SLACK][SLACK] {0},"),
            ("\ndouble c[", "\n{0} double c["),
            ("double s, t;", "double s {0}, t;"),
            ("int x[SLACK], y[SLACK];", "int x[SLACK], y[SLACK] {0};"),
        )
    )
    return Dress("of_arrays", where, ((old, new.format(text)),), files=files)


def of_statements(rng: Random, wearer: Wearer) -> Dress:
    """A statement has an attribute."""
    slot = rng.choice(("front", "inside", "opening", "behind", "within"))
    return Dress("of_statements", ((slot, rng.choice(OF_STATEMENT)),))


def _second_name(rng: Random, name: str, to: str, linkage: str) -> str:
    """The declaration of an array that is another one as well."""
    label = rng.choice((to, to, f"{to} ", f" {to}", f"{to}+8", f"({to})", f"{to} + 0"))
    array = f"{linkage}double {name}[SLACK]"
    return rng.choice(
        (
            f'{array} __attribute__((alias("{to}")));',
            f'{array} __asm__("{label}");',
            f'{array} __asm("{label[:1]}" "{label[1:]}");',
            f'static double {name}[SLACK] __attribute__((weakref("{to}")));',
            f"#pragma redefine_extname {name} {to}\nextern double {name}[SLACK];",
            f"#pragma weak {name} = {to}\nextern double {name}[SLACK];",
            f'#define LABEL_{name} "{to}"\n{array} __asm__(LABEL_{name});',
            f'{linkage}double {name}_0[SLACK] __attribute__((alias("{to}")));\n'
            f'{array} __attribute__((alias("{name}_0")));',
            f"extern double {name}[SLACK];\n"
            f'void {name}_f(void) {{ {array} __asm__("{to}"); {name}[1] = 3; }}',
            f"extern double {name}[SLACK];\nvoid {name}_f(void)\n{{\n"
            f'    __asm__(".globl %c0\\n.set %c0, %c1" :: "i"({name}), "i"({to}));\n}}',
            f"extern double {name}[SLACK];\nint {name}_i "
            f'__attribute__((section(".data\\n.globl {name}\\n.set {name}, {to}\\n#"))) = 1;',
        )
    )


def second_names(rng: Random, wearer: Wearer) -> Dress:
    """An array has a second name, by which the loops know it, or which nobody uses."""
    name = fresh(rng, "other")
    to, instead = rng.sample(("c", "d", "e"), 2)
    linkage = 'extern "C" ' if wearer.is_cpp else "extern "
    text = _second_name(rng, name, to, linkage)
    where, files = placed(rng, text, "names", "names", "types")
    edit = edits.words(**{instead: name}) if rng.random() < 0.8 else edits.words()
    return Dress("second_names", where, edit=edit, files=files)


def other_functions(rng: Random, wearer: Wearer) -> Dress:
    """A well-known function is another one."""
    base = rng.choice(("floor", "fabs", "rint"))
    name = fresh(rng, "own")
    linkage = 'extern "C" ' if wearer.is_cpp else ""
    body = f"{{ {name}_calls = 2 * {name}_calls + v; return v + 1; }}"
    label = f'__asm__("{name}")'
    text = rng.choice(
        (
            f"{linkage}double {base}(double) {label};\n"
            f"{linkage}double {name}_body(double v) {label};\n"
            f"double {name}_body(double v) {body}",
            f"#pragma redefine_extname {base} {name}\n{linkage}double {base}(double v);\n"
            f"{linkage}double {name}(double v) {body}",
            f"{linkage}double {name}(double v) {body}\n"
            f'{linkage}double {name}_2(double) __attribute__((alias("{name}")));\n'
            f"#define {base} {name}_2",
            f"static double {name}(double v) {body}\n#define {base} {name}",
            f"{linkage}double {base}(double v) {body}",
            f"{linkage}double {base}(double v);\n{linkage}double {base}(double v) {body}",
            f"extern inline __attribute__((gnu_inline)) double {name}(double v) {{ return v; }}\n"
            f"double {name}(double v) {body}\n#define {base} {name}",
            f"double {name}(double v) __attribute__((noinline));\n"
            f"double {name}(double v) {body}\n#define {base}(v) {name}(v)",
        )
    )
    swaps = (
        ('    printf("%lx', f"    note(&{name}_calls, sizeof {name}_calls);\n" + '    printf("%lx'),
    )
    text = f"static double {name}_calls;\n{text}"
    where, files = placed(rng, text, "top", "types", "names")
    return Dress(
        "other_functions", where, swaps, edits.values(lambda v: f"{base}({v})"), files=files
    )


def cleanups(rng: Random, wearer: Wearer) -> Dress:
    """Somebody reads a local variable when it goes."""
    name = fresh(rng, "keep")
    text = (
        f"static double {name}d;\nstatic void {name}(double *v) {{ {name}d = 2 * {name}d + *v; }}"
    )
    mark = spelled(rng, wearer, f"cleanup({name})")
    local = f"{name}_local"
    swaps = (('    printf("%lx', f"    note(&{name}d, sizeof {name}d);\n" + '    printf("%lx'),)
    where, files = placed(rng, text, "types", "names")
    if rng.random() < 0.4:
        own = f"double v {mark} = "
        which = rng.choice(("both", "old", "new"))
        return Dress(
            "cleanups", where, swaps, lambda loops: loops.replace("double v = ", own), which, files
        )
    front = (
        f"{mark} double {local} = 0;" if mark.startswith("[[") else f"double {local} {mark} = 0;"
    )
    edit = edits.words(s=local, v=local) if rng.random() < 0.7 else edits.words(v=local)
    remove = lambda loops: edit(loops.replace("double v = ", "v = "))  # noqa: E731
    return Dress("cleanups", (*where, ("opening", front)), swaps, remove, files=files)


def constructors(rng: Random, wearer: Wearer) -> Dress:
    """Something runs before or behind everything else."""
    name = fresh(rng, "first")
    mark = rng.choice(("constructor", "destructor", "constructor(200)", "__constructor__"))
    body = rng.choice((f'puts("{name}");', "x[1] = 5;", "setvbuf(stdout, 0, _IOFBF, 4096);"))
    slot = rng.choice(("types", "names", "others"))
    body = body if slot != "types" else f'puts("{name}");'
    text = f"static __attribute__(({mark})) void {name}(void) {{ {body} }}"
    where, files = placed(rng, text, slot)
    return Dress("constructors", where, files=files)


def layouts(rng: Random, wearer: Wearer) -> Dress:
    """A type with an attribute, whose size is told."""
    name = fresh(rng, "cell")
    mark = rng.choice(("packed", "aligned(32)", "packed, aligned(2)", "may_alias", "unused"))
    text = f"struct __attribute__(({mark})) {name} {{ char one; double two; int bits : 3; }};"
    where, files = placed(rng, text, "types", "names")
    slots = (*where, ("told", f'    printf("%d\\n", (int)sizeof(struct {name}));'))
    return Dress("layouts", slots, files=files)


MAKERS = (
    of_function,
    of_function,
    of_arrays,
    of_arrays,
    of_statements,
    second_names,
    second_names,
    other_functions,
    cleanups,
    cleanups,
    constructors,
    layouts,
)
