"""Evaluation computes what compiled programs compute: random nests, programs and expressions."""

from __future__ import annotations

import shutil
from collections import Counter
from random import Random

import pytest

from .compiled import SOURCES, Tried, calls_of, checked, differences

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc")

TYPES = (
    *("_Bool", "char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long"),
    *("unsigned long", "float", "double"),
)
REAL = ("float", "double")
OPERATORS = ("+", "-", "*", "/", "<", ">=", "==", "!=", "&&", "||")
WHOLE_OPERATORS = ("%", "&", "|", "^", "<<", ">>")
ASSIGNMENTS = ("=", "+=", "-=", "*=", "/=")
WHOLE_ASSIGNMENTS = ("%=", "&=", "|=", "^=", "<<=", ">>=")
NAMES = "abcd"


@pytest.mark.parametrize("source", SOURCES)
def test_random_programs(source: str) -> None:
    told = Counter[str]()
    assert list(checked(SOURCES[source](11, 12), told)) == []
    assert told["evaluated"] >= 15


class Writer:
    """The text of a function that computes with four variables of random types."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.types = {name: random.choice(TYPES) for name in NAMES}

    def function(self, number: int) -> str:
        arguments = ", ".join(f"{self.types[name]} {name}" for name in NAMES)
        steps = [self.step() for _ in range(3)]
        kept = [f"*r{name} = {name};" for name in NAMES]
        results = ", ".join(f"{self.types[name]} *r{name}" for name in NAMES)
        return f"void f{number}({arguments}, {results})\n{{ {' '.join(steps + kept)} }}\n"

    def step(self) -> str:
        target = self.random.choice(NAMES)
        if self.random.random() < 0.1:
            return self.random.choice((f"{target}++;", f"--{target};"))
        value, is_real = self.expression(3)
        is_whole = not is_real and self.types[target] not in REAL
        signs = ASSIGNMENTS + (WHOLE_ASSIGNMENTS if is_whole else ())
        return f"{target} {self.random.choice(signs)} {value};"

    def expression(self, depth: int) -> tuple[str, bool]:
        """An expression, and whether it is a floating-point number."""
        if depth == 0 or self.random.random() < 0.2:
            return self.leaf()
        kind = self.random.random()
        first, is_real = self.expression(depth - 1)
        if kind < 0.15:
            type_ = self.random.choice(TYPES)
            return f"({type_})({first})", type_ in REAL
        if kind < 0.25:
            sign = self.random.choice("-!+" if is_real else "-!~+")
            return f"{sign}({first})", is_real and sign != "!"
        second, is_other_real = self.expression(depth - 1)
        either = is_real or is_other_real
        if kind < 0.35:
            condition, _ = self.expression(depth - 1)
            return f"(({condition}) ? ({first}) : ({second}))", either
        sign = self.random.choice(OPERATORS + (() if either else WHOLE_OPERATORS))
        return f"(({first}) {sign} ({second}))", either and sign in "+-*/"

    def leaf(self) -> tuple[str, bool]:
        if self.random.random() < 0.7:
            name = self.random.choice(NAMES)
            return name, self.types[name] in REAL
        value = self.random.choice(
            ("1", "2", "3u", "7L", "0.1", "0.3f", "1e3", "'a'", "255", "5ul")
        )
        return value, "." in value or "e" in value


@pytest.mark.parametrize("seed", range(4))
def test_random_expressions(seed: int) -> None:
    random = Random(seed)
    text = "".join(Writer(random).function(number) for number in range(60))
    tried: list[Tried] = []
    told = Counter[str]()
    names = [f"f{number}" for number in range(60)]
    for found in calls_of(text, names, [({}, data) for data in range(3)]):
        told[found if isinstance(found, str) else "evaluated"] += 1
        if isinstance(found, Tried):
            tried.append(found)
    assert told["evaluated"] >= 60
    refused = {each for each in told if each.startswith("not evaluated")}
    assert refused <= {"not evaluated: a large integer as float"}
    assert list(differences(text, tried)) == []
