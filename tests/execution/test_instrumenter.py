"""Instrumenting a program changes nothing about what it computes."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import replace
from pathlib import Path

import islpy as isl
import pytest

from loopwright.basics.spans import Span
from loopwright.model.bodies import Evaluate, Literal
from loopwright.model.scop import Scop, Statement

from . import runtime
from .campaign import drawn_programs
from .corpus import FILES, name_of, text_of
from .instrumenter import instrumented
from .log import entries_of
from .matching import region_of
from .syntax import end_of, parsed, start_of


def opaque_scops(text: str) -> list[Scop]:
    """Models that know nothing: each region is one dynamic statement without accesses."""
    source = parsed(text)
    scops: list[Scop] = []
    for found in re.finditer(rb"#pragma scop\b.*?#pragma endscop\b", source.text, re.DOTALL):
        function = next(
            name
            for name, cursor in source.functions.items()
            if start_of(cursor) < found.start() < end_of(cursor)
        )
        region = _span(found.start(), found.end())
        domain = isl.Set("{ S[] }")
        statement = Statement("S", (), domain, (), Evaluate(Literal("0")), True, region, "region")
        tree = isl.Schedule.from_domain(isl.UnionSet.from_set(domain))
        scop = Scop(function, region, (), isl.Set("{ : }"), (), (), (statement,), tree)
        nodes = region_of(source, scop).nodes
        exact = replace(statement, span=_span(start_of(nodes[0]), end_of(nodes[-1])))
        scops.append(replace(scop, statements=(exact,)))
    return scops


def _span(start: int, end: int) -> Span:
    return Span("program.c", start, end, 1, 1, 1, 1)


def output_of(text: str, folder: Path) -> bytes:
    """What a program prints; without the times that it took, which go to stderr."""
    source, program = folder / "p.c", folder / "p"
    source.write_text(text)
    command = ["gcc", "-std=gnu11", "-O0", "-w", str(source), str(runtime.runtime_object())]
    subprocess.run([*command, "-lm", "-o", str(program)], check=True, timeout=60)
    environment = {**os.environ, runtime.LOG_VARIABLE: str(folder / "log")}
    arguments = ["--dump"] if "bench_begin" in text else []
    result = subprocess.run(
        [str(program), *arguments], capture_output=True, timeout=60, check=True, env=environment
    )
    return result.stdout


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_the_output_stays_the_same(path: Path, tmp_path: Path) -> None:
    text = text_of(path)
    scops = opaque_scops(text)
    assert scops
    changed = instrumented(text, scops)
    seen = output_of(runtime.PROTOTYPES + changed.text, tmp_path)
    entries = entries_of(tmp_path / "log")
    assert {each.region for each in entries} == set(range(len(scops)))
    assert any(record.event == runtime.ACCESS for each in entries for record in each.records)
    assert seen == output_of(text, tmp_path)


def test_random_programs_compute_the_same(tmp_path: Path) -> None:
    originals: list[str] = []
    changed = [runtime.PROTOTYPES]
    calls: list[str] = []
    first_reference = 0
    for number, program in enumerate(drawn_programs(40, 1)):
        text = program.text(number)
        each = instrumented(
            text, opaque_scops(text), first_region=number, first_reference=first_reference
        )
        first_reference += len(each.references)
        originals.append(text)
        changed.append(each.text)
        calls.append(f"{program.main(number)}();")
    main = "int main(void) { " + " ".join(calls) + " }"
    seen = output_of("\n".join([*changed, main]), tmp_path)
    assert seen.count(b"\n") >= 40
    assert seen == output_of("\n".join([*originals, main]), tmp_path)
