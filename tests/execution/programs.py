"""Random C programs with one region each, complete with a ``main``, free of undefined behaviour."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

from .choices import Choices, DrawnChoices, ReplayedChoices
from .data import Data, Kind, RandomArray
from .statements import Scope, Writer, indented
from .values import Variable

DECLARATIONS = """\
double fabs(double);
int printf(const char *, ...);
"""
SHARED = """\
struct cell@ { double x; int k; double v[3]; };
static double blend@(double a, double b) { return a * 0.5 + b; }
static double fetch@(double *p, int k) { return p[k] + p[0]; }
static void store@(double *p, int k, double v) { p[k] = v; }
"""


@dataclass(frozen=True, slots=True)
class RandomProgram:
    """A program whose names at file scope are numbered, so that many fit into one file."""

    template: str
    decisions: tuple[int, ...]

    def text(self, number: int = 0) -> str:
        """The program as C, with that number in its global names."""
        return self.template.replace("@", f"_{number}")

    def main(self, number: int = 0) -> str:
        """The function that runs it."""
        return f"main_{number}"

    def __repr__(self) -> str:
        """The program itself says most."""
        return f"RandomProgram(\n{self.text()})"


def random_program(choices: Choices) -> str:
    """The template of a program, from decisions."""
    calls = 2 if choices.chance(30) else 1
    values = [{name: choices.choose((3, 4, 5, 2, 1, 6)) for name in "nm"} for _ in range(calls)]
    parameters = tuple(
        Variable(name, min(v[name] for v in values), max(v[name] for v in values)) for name in "nm"
    )
    writer = Writer(choices, Data(choices, parameters))
    region = writer.region(Scope(parameters, ("s", "q")))
    return assembled(region, writer, values, Surroundings())


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What stands before the function, in it before the region, and what it uses afterwards."""

    declarations: str = DECLARATIONS + SHARED
    variables: tuple[str, ...] = ("double s = 1.0, q = 2.0;", "int c = 1;")
    result: str = "s + q + c"


def assembled(
    region: list[str],
    writer: Writer,
    values: list[dict[str, int]],
    surroundings: Surroundings,
) -> str:
    """The template of a program with that region, called with those values."""
    arrays = list(writer.data.arrays.values())
    function = _function(region, writer, arrays, surroundings)
    before = surroundings.declarations + _globals(arrays)
    return "\n".join([before, *function, *_main(arrays, values), ""])


def _globals(arrays: list[RandomArray]) -> str:
    return "".join(f"static {each.declaration()};\n" for each in arrays if each.kind is Kind.GLOBAL)


def _passed(arrays: list[RandomArray]) -> list[RandomArray]:
    return [each for each in arrays if each.kind is not Kind.GLOBAL]


def _function(
    region: list[str], writer: Writer, arrays: list[RandomArray], surroundings: Surroundings
) -> list[str]:
    sizes = [f"int {name}" for each in arrays for name, _ in each.size_parameters()]
    parameters = ["int n", "int m", *sizes, *(each.declaration() for each in _passed(arrays))]
    iterators = sorted(writer.outer_iterators)
    declared = [f"int {', '.join(iterators)};"] if iterators else []
    return [
        f"void kernel@({', '.join(parameters)}, double *out)",
        "{",
        *indented(declared),
        *indented(list(surroundings.variables)),
        "#pragma scop",
        *indented(region),
        "#pragma endscop",
        f"  out[0] = {surroundings.result};",
        "}",
    ]


def _main(arrays: list[RandomArray], values: list[dict[str, int]]) -> list[str]:
    lines = ["void main@(void)", "{", "  double out[1], total = 0;"]
    for each in arrays:
        where = f"(({each.element} *)&{each.c_name})"
        if each.kind is not Kind.GLOBAL:
            lines.append(f"  static {each.element} {each.name}[{each.length}];")
            where = each.name
        lines.append(f"  for (int k = 0; k < {each.length}; k++) {_initial(each, where)}")
    for value in values:
        sizes = [str(size) for each in arrays for _, size in each.size_parameters()]
        buffers = [f"(void *){each.name}" for each in _passed(arrays)]
        arguments = [str(value["n"]), str(value["m"]), *sizes, *buffers, "out"]
        lines.append(f"  kernel@({', '.join(arguments)});")
    for each in arrays:
        where = f"(({each.element} *)&{each.c_name})" if each.kind is Kind.GLOBAL else each.name
        member = ".x" if each.element.startswith("struct") else ""
        lines.append(f"  for (int k = 0; k < {each.length}; k++) total += {where}[k]{member} * k;")
    return [*lines, '  printf("%a\\n", total + out[0]);', "}"]


def _initial(array: RandomArray, where: str) -> str:
    if array.element == "int":
        return f"{where}[k] = (k * 7 + 3) % 11;"
    if array.element == "double":
        return f"{where}[k] = (k * 5 + 2) % 7 * 0.5 - 1;"
    return f"{where}[k] = (struct cell@){{k * 0.5 - 1, k % 5, {{k, 1 - k, 2}}}};"


@st.composite
def programs(draw: st.DrawFn) -> RandomProgram:
    """Random programs; they shrink towards one assignment."""
    choices = DrawnChoices(draw)
    template = random_program(choices)
    return RandomProgram(template, tuple(choices.made))


def replayed(decisions: tuple[int, ...]) -> RandomProgram:
    """The program that these decisions make."""
    choices = ReplayedChoices(decisions)
    return RandomProgram(random_program(choices), tuple(decisions[: choices.used]))
