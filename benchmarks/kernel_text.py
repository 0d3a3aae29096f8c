"""The text of a kernel of the benchmarks, taken apart: its head, its loops, and what is around.

The kernels have few forms: statements are loops, conditions, blocks and assignments.  What is none
of these is refused, so that nobody tailors what he has not understood.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Loop:
    """``for (variable = first; variable test bound; variable step)``."""

    variable: str
    first: str
    test: str
    bound: str
    step: str
    body: Statement


@dataclass(frozen=True, slots=True)
class Choice:
    """``if (condition) then else other``."""

    condition: str
    then: Statement
    other: Statement | None


@dataclass(frozen=True, slots=True)
class Assignment:
    """``target operator value``."""

    target: str
    operator: str
    value: str


@dataclass(frozen=True, slots=True)
class Block:
    """Statements in braces."""

    statements: tuple[Statement, ...]


Statement = Loop | Choice | Assignment | Block


@dataclass(frozen=True, slots=True)
class Array:
    """An array parameter, or one of the kernel's own."""

    name: str
    sizes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class KernelText:
    """A kernel, taken apart."""

    name: str
    before: str
    """The file in front of the kernel."""
    behind: str
    """The file behind it."""
    element: str
    """The type of its elements."""
    sizes: tuple[str, ...]
    """Its int parameters."""
    scalars: tuple[str, ...]
    arrays: tuple[Array, ...]
    parameters: tuple[str, ...]
    """All parameters, in their order."""
    locals: tuple[str, ...]
    """Declarations in front of the loops, without those of their variables."""
    statements: tuple[Statement, ...]

    def array(self, name: str) -> Array:
        """The parameter of that name."""
        return next(each for each in self.arrays if each.name == name)

    @property
    def written(self) -> frozenset[str]:
        """The names of the arrays that the kernel writes."""
        return frozenset(each.target.partition("[")[0] for each in assignments(self.statements))


KERNEL = re.compile(
    r"__attribute__\(\(noinline\)\)\nstatic void kernel_(\w+)\(([^)]*)\)\n\{\n"
    r"(.*?)#pragma scop\n(.*?)#pragma endscop\n\}\n",
    re.DOTALL,
)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
HEADER = re.compile(r"for \((?:int )?(\w+) = ([^;]+); \1 (<=|<|>=) ([^;]+); \1(\+\+|--)\)\s*")
CONDITION = re.compile(r"if \(((?:[^()]|\([^()]*\))*)\)\s*")
LABEL = re.compile(r"[A-Za-z]\w*:\s*")
ASSIGNMENT = re.compile(r"(\w+(?:\[[^=;]*\])?)\s+([-+*/]?=)\s+([^;]+);\s*")


def kernel_text(text: str) -> KernelText:
    """A kernel, taken apart."""
    found = KERNEL.search(text)
    assert found is not None, "no kernel of the usual form"
    name, head, declared, region = found.groups()
    said = [" ".join(each.split()) for each in head.split(",")]
    arrays = [_array(each) for each in said if "[" in each]
    plain = [each.split() for each in said if "[" not in each]
    kind = next(each for each in said if "[" in each).split()[0]
    lines = [" ".join(each.split()) for each in COMMENT.sub("", declared).split(";")]
    return KernelText(
        name,
        text[: found.start()],
        text[found.end() :],
        kind,
        tuple(word for type_, word in plain if type_ == "int" and word.islower()),
        tuple(word for type_, word in plain if type_ != "int"),
        tuple(arrays),
        tuple(re.split(r"\W", each.split()[1])[0] for each in said),
        tuple(each for each in lines if each and not each.startswith("int ")),
        _Reader(COMMENT.sub("", region)).all(),
    )


def _array(said: str) -> Array:
    name, *sizes = re.findall(r"\w+", said.partition(" ")[2])
    return Array(name, tuple(sizes))


class _Reader:
    """Reads the statements of a region, one after the other."""

    def __init__(self, text: str) -> None:
        self.text = text.strip()

    def all(self) -> tuple[Statement, ...]:
        """Every statement up to the end, or up to a brace."""
        found: list[Statement] = []
        while self.text and not self.text.startswith("}"):
            found.append(self.statement())
        return tuple(found)

    def statement(self) -> Statement:
        self._taken(LABEL)
        if self.text.startswith("{"):
            self.text = self.text[1:].lstrip()
            inner = self.all()
            assert self.text.startswith("}")
            self.text = self.text[1:].lstrip()
            return Block(inner)
        if header := self._taken(HEADER):
            return Loop(*header.groups(), body=self.statement())
        if condition := self._taken(CONDITION):
            then = self.statement()
            other = self.statement() if self._taken(re.compile(r"else\s+")) else None
            return Choice(condition[1], then, other)
        assignment = self._taken(ASSIGNMENT)
        assert assignment is not None, f"not a statement of the usual form: {self.text[:60]}"
        target, operator, value = assignment.groups()
        return Assignment(target, operator, " ".join(value.split()))

    def _taken(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        found = pattern.match(self.text)
        if found is not None:
            self.text = self.text[found.end() :]
        return found


def assignments(statements: tuple[Statement, ...]) -> list[Assignment]:
    """All assignments of statements, in the order of the text."""
    found: list[Assignment] = []
    for each in statements:
        match each:
            case Assignment():
                found.append(each)
            case Block(inner):
                found += assignments(inner)
            case Loop():
                found += assignments((each.body,))
            case Choice(_, then, other):
                found += assignments((then,) if other is None else (then, other))
    return found


def variables(statements: tuple[Statement, ...]) -> list[str]:
    """The variables of all loops, each once."""
    found: dict[str, None] = {}
    for each in statements:
        match each:
            case Loop():
                found |= dict.fromkeys([each.variable, *variables((each.body,))])
            case Block(inner):
                found |= dict.fromkeys(variables(inner))
            case Choice(_, then, other):
                found |= dict.fromkeys(variables((then,) if other is None else (then, other)))
            case Assignment():
                pass
    return list(found)
