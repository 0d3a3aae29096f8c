"""Pragmas: in front of loops, around them, among them, and elsewhere."""

from __future__ import annotations

from random import Random

from tests.soundness.surroundings import edits
from tests.soundness.surroundings.nests import with_clauses
from tests.soundness.surroundings.programs import AROUND, INSIDE, Dress, Wearer, fresh, placed

HARMLESS = (
    'message "here"',
    "GCC diagnostic push",
    'GCC diagnostic ignored "-Wall"',
    "GCC diagnostic pop",
    "region loops",
    "endregion",
    "mark -",
    'ident "x"',
    "once",
    "GCC system_header",
    'GCC warning "x"',
    "hdrstop",
    'comment(lib, "m")',
    "warning(disable: 4996)",
    "unknown to everybody",
    "note don't do that",
    "pencil independent",
    "pack()",
    "pack(push, 1)",
    "pack(pop)",
    "pack(2)",
    "scalar_storage_order big-endian",
    "GCC visibility push(hidden)",
    "GCC visibility pop",
    'GCC optimize ("O1")',
    'GCC optimize ("fast-math")',
    'GCC optimize ("no-tree-vectorize")',
    'GCC target ("avx2")',
    "GCC push_options",
    "GCC pop_options",
    "GCC reset_options",
    "GCC poison gets",
    "STDC FP_CONTRACT OFF",
    "STDC FP_CONTRACT ON",
    "STDC FENV_ACCESS OFF",
    "STDC FENV_ACCESS ON",
    "STDC CX_LIMITED_RANGE ON",
    "STDC FLOAT_CONST_DECIMAL64 ON",
    "float_control(precise, off)",
    "fp_contract(on)",
    "clang fp reassociate(on)",
    "weak nobody",
    "redefine_extname nobody somebody",
    "extern_prefix nobody",
    "omp declare simd",
    "omp threadprivate(s)",
    "omp threadprivate(t)",
    "omp declare target",
    "omp end declare target",
    "omp requires dynamic_allocators",
    "intel fp_contract",
    "nvidia nothing",
    'push_macro("n")',
    'pop_macro("n")',
    "define n 3",
    "loopwright begin 0",
    "loopwright end 0",
    "loopwright begin 1",
    "scop",
    "endscop",
    "",
    "pragma",
)
OF_LOOPS = (
    "omp parallel for",
    "omp parallel for private(s)",
    "omp parallel for firstprivate(t)",
    "omp parallel for schedule(static, 1) num_threads(4)",
    "omp parallel for collapse(2)",
    "omp parallel for reduction(+:s)",
    "omp parallel for if(0)",
    "omp parallel for ordered",
    "omp parallel",
    "omp parallel num_threads(1)",
    "omp parallel private(s)",
    "omp simd",
    "omp simd safelen(2)",
    "omp for",
    "omp for nowait",
    "omp single",
    "omp master",
    "omp critical",
    "omp task",
    "omp task firstprivate(t)",
    "omp taskloop",
    "omp taskgroup",
    "omp target",
    "omp teams distribute parallel for",
    "omp loop bind(thread)",
    "omp atomic",
    "omp ordered",
    "omp sections",
    "omp scan inclusive(s)",
    "omp tile sizes(4)",
    "omp unroll",
    "acc parallel loop",
    "acc kernels",
    "ivdep",
    "GCC ivdep",
    "GCC unroll 4",
    "GCC unroll 0",
    "GCC novector",
    "unroll",
    "unroll(4)",
    "nounroll",
    "vector always",
    "novector",
    "simd",
    "clang loop vectorize(enable)",
    "clang loop unroll(full) interleave(disable)",
    "loop count(10)",
    "distribute_point",
    "prefetch c",
    "HLS pipeline",
    "parallel",
    "concurrent",
)
BARRIERS = (
    "omp barrier",
    "omp flush",
    "omp taskwait",
    "omp taskyield",
    "omp cancel parallel",
    "omp atomic\ns += 1.0;",
)


def pragma(rng: Random) -> str:
    """Any pragma."""
    found = rng.choice((*HARMLESS, *OF_LOOPS, *BARRIERS))
    if found.startswith("omp parallel for") and rng.random() < 0.5:
        found = with_clauses(found, rng)
    return found


def written(rng: Random, words: str) -> str:
    """A pragma in one of its spellings."""
    first, _, rest = words.partition("\n")
    quoted = first.replace("\\", "\\\\").replace('"', '\\"')
    kind = rng.randrange(12)
    if kind == 0:
        return f'_Pragma("{quoted}")\n{rest}'
    if kind == 1:
        return f"# /* x */ pragma  {first.replace(' ', '  ')}\n{rest}"
    if kind == 2:
        return f"%: pragma {first}\n{rest}"
    if kind == 3:
        return "#pra\\\ngma " + first.replace(" ", " \\\n", 1) + f"\n{rest}"
    if kind == 4:
        name = fresh(rng, "SAY")
        return f"#define {name}(...) _Pragma(#__VA_ARGS__)\n{name}({first})\n{rest}"
    if kind == 5:
        return f"#pragma {first} // don't\n{rest}"
    return f"#pragma {first}\n{rest}".rstrip("\n")


def anywhere(rng: Random, wearer: Wearer) -> Dress:
    """A pragma somewhere."""
    where, files = placed(rng, written(rng, pragma(rng)), "first", *AROUND, *INSIDE)
    return Dress("pragma", where, files=files)


def harmless(rng: Random, wearer: Wearer) -> Dress:
    """A pragma for something other than loops."""
    where, files = placed(rng, written(rng, rng.choice(HARMLESS)), "first", *AROUND, *INSIDE)
    return Dress("pragma of something else", where, files=files)


def in_front(rng: Random, wearer: Wearer) -> Dress:
    """A pragma for the loop that comes next."""
    slot = rng.choice(("front", "front", "inside"))
    where, files = placed(rng, written(rng, rng.choice(OF_LOOPS)), slot)
    return Dress("pragma in front", where, files=files)


TEAMS = (
    ("#pragma omp parallel\n{", "}"),
    ("#pragma omp parallel\n#pragma omp single\n{", "}"),
    ("#pragma omp parallel\n{\n#pragma omp single\n{", "}\n}"),
    ("#pragma omp parallel\n#pragma omp master\n{", "}"),
    ("#pragma omp parallel num_threads(1)\n{", "}"),
    ("#pragma omp critical\n{", "}"),
    ("#pragma omp critical(name)\n{", "}"),
    ("#pragma omp single\n{", "}"),
    ("#pragma omp parallel sections\n{\n#pragma omp section\n{", "}\n}"),
    ("#pragma omp parallel for\nfor (int team = 0; team < 1; team++) {", "}"),
    ("#pragma omp parallel for\nfor (int team = 0; team < 4; team++) {", "}"),
    ("#pragma omp taskgroup\n{", "}"),
    ("#pragma omp task\n{", "}\n#pragma omp taskwait"),
    ("#pragma omp target\n{", "}"),
    (
        "#pragma omp parallel\n{\n#pragma omp for\nfor (int k = 0; k < n; k++)\n    y[k] += 1;\n",
        "}",
    ),
    ("#pragma omp parallel\n{\n#pragma omp barrier\n}\n", ""),
    ("{\n#pragma omp barrier", "}"),
    ("#pragma omp parallel if(0)\n{", "}"),
    ("#pragma omp parallel private(s)\n{", "}"),
    ("#pragma omp parallel for ordered\nfor (int k = 0; k < 2; k++)\n#pragma omp ordered\n{", "}"),
    ("#pragma omp for\nfor (int team = 0; team < 4; team++) {", "}"),
    ("#pragma omp simd\nfor (int lane = 0; lane < 1; lane++) {", "}"),
)


def teams(rng: Random, wearer: Wearer) -> Dress:
    """The loops belong to threads that there are already."""
    begin, end = rng.choice(TEAMS)
    slots = rng.choice((("front", "behind"), ("front", "behind"), ("inside", "within")))
    return Dress("teams", ((slots[0], begin), (slots[1], end)))


CALLS = (
    "#pragma omp parallel\n    work(size);",
    "#pragma omp parallel\n#pragma omp single\n    work(size);",
    "#pragma omp parallel num_threads(1)\n    work(size);",
    "#pragma omp parallel for\n    for (int q = 0; q < 1; q++) work(size);",
    "#pragma omp task\n    work(size);\n#pragma omp taskwait",
    "#pragma omp critical\n    work(size);",
    "#pragma omp parallel sections\n    { work(size); }",
    "omp_lock(); work(size);",
)


def called_by_threads(rng: Random, wearer: Wearer) -> Dress:
    """The function is called by several threads."""
    call = rng.choice(CALLS).removeprefix("omp_lock(); ")
    return Dress("called_by_threads", swaps=(("    work(size);", "    " + call.lstrip()),))


def old_pragmas(rng: Random, wearer: Wearer) -> Dress:
    """The original loops have pragmas."""
    words = rng.choice((OF_LOOPS[0], OF_LOOPS[0], "omp simd", *OF_LOOPS))
    depth = rng.choice((0, 0, 4))
    which = rng.choice(("old", "old", "both"))

    def edit(text: str) -> str:
        lines = text.split("\n")
        for at, each in enumerate(lines):
            before = lines[at - 1] if at else ""
            if each.startswith(" " * depth + "for") and not before.startswith("#"):
                return "\n".join([*lines[:at], f"#pragma {words}", *lines[at:]])
        return text

    return Dress("old_pragmas", edit=edit, edits=which)


def packed(rng: Random, wearer: Wearer) -> Dress:
    """A pragma changes the layout of what is behind it."""
    name = fresh(rng, "pair")
    struct = f"struct {name} {{ char one; double two; }};"
    place = rng.choice(("top", "types", "names", "opening", "inside"))
    where = "others" if place in ("opening", "inside") else place
    slots = [
        (place, rng.choice(("#pragma pack(1)", "#pragma pack(push, 2)", '_Pragma("pack(4)")')))
    ]
    slots.append((where, struct))
    if rng.random() < 0.6:
        slots.append((rng.choice(("within", "closing", "others")), "#pragma pack()"))
    slots.append(("told", f'    printf("%d\\n", (int)sizeof(struct {name}));'))
    return Dress("packed", tuple(slots))


def variants(rng: Random, wearer: Wearer) -> Dress:
    """A function is another one within loops of some kind."""
    name = fresh(rng, "near")
    match = rng.choice(("parallel", "parallel, for", "simd", "for"))
    directive = f"#pragma omp declare variant({name}_far) match(construct = {{{match}}})"
    far = f"double {name}_far(double v) {{ return v + 1000; }}"
    near = f"double {name}(double v)"
    kind = rng.randrange(3)
    if kind == 0:
        text = f"{far}\n{directive}\n{near} {{ return v + 1; }}"
    elif kind == 1:
        begin = f"namespace {name}_n {{" if wearer.is_cpp else f"void {name}_in(void) {{"
        text = f"{far}\n{near} {{ return v + 1; }}\n{begin}\n{directive}\n{near};\n}}"
        if wearer.is_cpp:
            text = f'extern "C" {{\n{far}\n{directive}\n{near} {{ return v + 1; }}\n}}'
    else:
        text = f"{far}\n#pragma omp declare simd\n{near} {{ return v + 1; }}"
    where, files = placed(rng, text, "names")
    return Dress("variants", where, edit=edits.values(lambda v: f"{name}({v})"), files=files)


MAKERS = (
    anywhere,
    anywhere,
    harmless,
    harmless,
    in_front,
    in_front,
    teams,
    called_by_threads,
    old_pragmas,
    old_pragmas,
    packed,
    variants,
)
