"""Whatever it is given, the command answers with a model, or with status 2 and a place."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

import pytest

from tests.broken.cases import Case
from tests.broken.enormous import deep_expression_cases, deep_statement_cases, enormous_cases
from tests.broken.judge import Answer, Failure, Judge, objection
from tests.broken.mutations import broken_case
from tests.broken.scanner import corpus, joined, scanned
from tests.broken.specials import small_cases, snippet_cases

SEED = 20260101
CHUNKS = 8
MUTATED_PER_CHUNK = 22
EVERY_EXPRESSION = 9
"""Four places in turn hold each deep expression: one in nine goes round them."""

EVERY_SNIPPET = 19
"""One odd snippet in so many; ``fuzz.py --specials`` tries them all."""


EVERY_SPECIAL = 3
"""One in so many: each program comes without and with ``--autodetect``, and they take turns."""


def _report(failures: list[Failure]) -> str:
    lines = [f"{len(failures)} programs were answered wrongly:"]
    for each in failures:
        program = each.case.content if len(each.case.content) < 2000 else each.case.content[:200]
        lines += [str(each), program.decode(errors="replace"), each.answer.stderr[-2000:]]
    return "\n".join(lines)


def _all_answered(cases: Iterable[Case]) -> None:
    with Judge() as judge:
        failures = [found for case in cases if (found := judge.failure(case)) is not None]
    assert not failures, _report(failures)


def _chunk_of(cases: Iterable[Case], chunk: int) -> Iterable[Case]:
    return islice(cases, chunk, None, CHUNKS)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_mutated_programs(chunk: int) -> None:
    numbers = range(chunk * MUTATED_PER_CHUNK, (chunk + 1) * MUTATED_PER_CHUNK)
    _all_answered(broken_case(SEED, number) for number in numbers)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_special_programs(chunk: int) -> None:
    _all_answered(_chunk_of(islice(small_cases(), 0, None, EVERY_SPECIAL), chunk))


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_enormous_programs(chunk: int) -> None:
    _all_answered(_chunk_of(enormous_cases(), chunk))


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_deep_programs(chunk: int) -> None:
    expressions = islice(deep_expression_cases(), 0, None, EVERY_EXPRESSION)
    _all_answered(_chunk_of([*deep_statement_cases(), *expressions], chunk))


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_odd_snippets(chunk: int) -> None:
    _all_answered(_chunk_of(islice(snippet_cases(), 0, None, EVERY_SNIPPET), chunk))


def test_the_real_command_writes_a_file_whole_or_not_at_all() -> None:
    good = Case("good", b"void f(int *a) {\n#pragma scop\na[0] = 1;\n#pragma endscop\n}\n")
    cases = [good, Case("bad", b"int"), Case("empty", b"", (), True), broken_case(SEED, 0)]
    with Judge() as judge:
        found = [judge.failure_in_process(case) for case in cases]
    failures = [each for each in found if each is not None]
    assert not failures, _report(failures)


# --- the fuzzer itself --------------------------------------------------------------------------


def test_programs_are_the_same_every_time() -> None:
    assert [broken_case(SEED, k) for k in range(20)] == [broken_case(SEED, k) for k in range(20)]


@pytest.mark.parametrize(("name", "text"), corpus())
def test_scanning_loses_nothing(name: str, text: str) -> None:
    tokens = scanned(text)
    assert joined(tokens) == text
    assert any(each.in_region for each in tokens) == ("#pragma scop" in text), name


@pytest.mark.parametrize(
    ("status", "stdout", "stderr", "complaint"),
    [
        (0, '{"models": [1]}', "", None),
        (0, '{"models": []}', "", "no model"),
        (0, "", "", "not JSON"),
        (2, "", "input.c:1:1: LW101: not valid C\n", None),
        (2, "", "input.c: LW101: not valid C\n", "without a place"),
        (2, "", "input.c:0:1: LW101: not valid C\n", "does not exist"),
        (2, "", "input.c:9:1: LW101: not valid C\n", "after the end"),
        (2, "{", "input.c:1:1: LW101: not valid C\n", "was written"),
        (1, "", "no", "exit status 1"),
        ("hang", "", "", "exit status hang"),
        ("exception", "", "Traceback (most recent call last)\nValueError: x", "ValueError"),
    ],
)
def test_wrong_answers_are_found(
    status: int | str, stdout: str, stderr: str, complaint: str | None
) -> None:
    found = objection(Case("a case", b"int", ("--json",)), Answer(status, stdout, stderr))
    assert (found is None) if complaint is None else (found is not None and complaint in found)
