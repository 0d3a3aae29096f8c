"""Models as YAML and JSON: written, read back, the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import islpy as isl
import pytest
import yaml

from loopwright import InputError, Scop, dump_model, load_model, read_c

from .expectations import kernel

PROGRAMS = {
    "loops": kernel("for (int i = n; i > 0; i -= 2) for (int j = 0; j < i; j++) A[j] += A[i];"),
    "labels": kernel("for (int i = 0; i < n; i++) { L: for (int j = 0; j < n; j++) M: A[j] = i; }"),
    "locals": kernel("for (int i = 0; i < n; i++) { double t[4]; t[i % 4] = A[i]; A[i] = t[0]; }"),
    "structs": kernel(
        "for (int i = 0; i < p->n; i++) p->at[i].x = -p->at[9 - i].y;",
        "struct path *p",
        prelude="struct path { int n; struct { double x, y; } at[10]; };",
    ),
    "dynamic": kernel(
        """for (int i = 0; i < n; i++) {
          if (A[i] > 0.5e-3) { double t = A[i]; for (int j = 0; j < 3; j++) A[j] = t; }
          else do { A[i]--; if (!A[i]) break; else continue; } while (A[i] > 'x');
          while (A[0] > 1 && i < 3 || ~i) ++A[0];
          for (;;) break;
        }"""
    ),
    "calls": kernel(
        'for (int i = 0; i < n; i++) A[i] = pow(A[i], (float) i) + (i ? f("\\"%d\\n", &A[i]) : 1);',
        prelude="#include <math.h>\ndouble f(const char *, double *);",
    ),
    "linearised": kernel(
        "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) A[i * m + j] = *(A + i * m);",
        "int n, int m, double *A",
    ),
    "wrapping": kernel("for (unsigned char i = 250; i != 4; i++) A[i] = 0;"),
    "assumed": kernel(
        "__builtin_assume(n % 4 == 0);\n#pragma pencil independent (A)\n"
        "for (int i = 0; i < n; i++) A[K[i]] = s;",
        "int n, double A[n], int K[n], double s",
    ),
    "macros": kernel(
        "for (int i = 0; i < N; i++) PUT(i, 0);",
        prelude="#define N 12\n#define PUT(k, v) A[k] = (v)",
    ),
    "initialisers": kernel("for (int i = 0; i < n; i++) { double t[2] = { 1, 2 }; A[i] = t[1]; }"),
    "not ASCII": kernel(
        '/* θ ≥ 0 */ for (int i = 0; i < n; i++) A[i] = g("→ \\\\ \\t"); // ü',
        prelude="double g(const char *);",
    ),
    "several": kernel("A[0] = 1;") + kernel("A[1] = 2;").replace("kernel", "other"),
    "nothing": kernel(";"),
}


def alike(left: Any, right: Any) -> bool:
    """Are two values of the model the same, all the way down?"""
    if isinstance(left, isl.Schedule):
        assert isinstance(right, isl.Schedule)
        return left.plain_is_equal(right) or str(left) == str(right)
    if isinstance(left, isl.Set | isl.Map | isl.UnionSet | isl.UnionMap | isl.PwAff):
        return left.is_equal(right)
    if isinstance(left, tuple):
        assert isinstance(right, tuple)
        return len(left) == len(right) and all(map(alike, left, right))
    names = getattr(type(left), "__dataclass_fields__", None)
    if names is None:
        return left == right
    return type(left) is type(right) and all(
        alike(getattr(left, name), getattr(right, name)) for name in names
    )


@pytest.fixture(params=PROGRAMS)
def scops(request: pytest.FixtureRequest) -> list[Scop]:
    return read_c(PROGRAMS[request.param])


@pytest.mark.parametrize("form", ["yaml", "json"])
def test_what_was_written_is_read_back(scops: list[Scop], form: str) -> None:
    back = load_model(dump_model(scops, form))
    assert len(back) == len(scops)
    for before, after in zip(scops, back, strict=True):
        for name in type(before).__dataclass_fields__:
            assert alike(getattr(before, name), getattr(after, name)), name


@pytest.mark.parametrize("form", ["yaml", "json"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_the_same_program_makes_the_same_text(program: str, form: str) -> None:
    first, second = (dump_model(read_c(PROGRAMS[program]), form) for _ in range(2))
    assert first == second


def test_yaml_and_json_say_the_same(scops: list[Scop]) -> None:
    from_yaml = yaml.safe_load(dump_model(scops, "yaml"))
    assert from_yaml == json.loads(dump_model(scops, "json"))


def test_every_part_of_the_model_is_in_the_document() -> None:
    document = json.loads(dump_model(read_c(PROGRAMS["assumed"]), "json"))
    assert document["format"] == "loopwright-model-1"
    (model,) = document["models"]
    wanted = {"function", "file", "span", "context", "parameters", "assumptions", "arrays"}
    assert wanted | {"statements", "schedule", "independences", "notes"} <= set(model)
    (statement,) = [each for each in model["statements"] if each["name"] == "S0"]
    assert statement["text"] == "A[K[i]] = s"
    assert {each["array"] for each in statement["accesses"]} == {"A", "K", "s"}
    kinds = {each["array"]: each["kinds"] for each in statement["accesses"]}
    assert kinds == {"A": ["write"], "K": ["read"], "s": ["read"]}
    tags = [each["tag"] for each in statement["accesses"]]
    assert len(tags) == len(set(tags))


def test_spans_point_at_the_source() -> None:
    program = "/* é */ void f(int n, double *A)\n{\n#pragma scop\n  for (int i = 0; i < n; i++)\n"
    program += "    A[i] =\n      A[i + 1];\n#pragma endscop\n}\n"
    (scop,) = load_model(dump_model(read_c(program)))
    source = program.encode()
    (statement,) = scop.statements
    assert source[statement.span.start : statement.span.end].decode() == "A[i] =\n      A[i + 1]"
    assert (statement.span.line, statement.span.column) == (5, 5)
    assert (statement.span.end_line, statement.span.end_column) == (6, 15)
    for access in statement.accesses:
        text = source[access.span.start : access.span.end].decode()
        assert text == access.text
        assert text in ("A[i]", "A[i + 1]")
    (parameter,) = scop.parameters
    assert source[parameter.span.start : parameter.span.end].decode() == "int n"
    assert source[scop.span.start : scop.span.end].decode().startswith("for (int i")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "3",
        "format: other",
        "format: loopwright-model-1",
        "{}",
        '{"format": "loopwright-model-1", "models": 3}',
        '{"format": "loopwright-model-1", "models": [{}]}',
        "a: [b",
        "\x00",
    ],
)
def test_what_is_no_model_is_a_value_error(text: str) -> None:
    with pytest.raises((ValueError, InputError)):
        load_model(text)


def test_a_damaged_model_is_a_value_error() -> None:
    document = json.loads(dump_model(read_c(PROGRAMS["loops"]), "json"))
    statement = document["models"][0]["statements"][0]
    damages = {"domain": "{ S0[", "span": "nowhere", "body": {"Nothing": []}, "accesses": [3]}
    for key, value in damages.items():
        damaged = json.loads(json.dumps(document))
        damaged["models"][0]["statements"][0] = {**statement, key: value}
        with pytest.raises(ValueError, match=r".+"):
            load_model(json.dumps(damaged))


EVERY_FILE = sorted(
    path
    for folder in ("benchmarks/kernels", "examples", "examples/papers", "examples/language")
    for path in (Path(__file__).resolve().parents[2] / folder).glob("*.c")
)


@pytest.mark.parametrize("path", EVERY_FILE, ids=lambda path: path.stem)
def test_the_model_of_every_program_can_be_read_back(path: Path) -> None:
    scops = read_c(path, define=["MINI"])
    for form in ("yaml", "json"):
        for scop, again in zip(scops, load_model(dump_model(scops, form)), strict=True):
            assert again.schedule.get_map().is_equal(scop.schedule.get_map())
            assert again.domain.is_equal(scop.domain)
            assert again.may_reads(tagged=True).is_equal(scop.may_reads(tagged=True))
            assert again.must_writes(tagged=True).is_equal(scop.must_writes(tagged=True))
            assert again.context.is_equal(scop.context)
            assert [each.body for each in again.statements] == [
                each.body for each in scop.statements
            ]
