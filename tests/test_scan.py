"""``loopwright scan`` as a user runs it."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import islpy as isl
import pytest
from typer.testing import CliRunner, Result

from loopwright import AstOptions, InputError, generate
from loopwright.cli.commands import app
from loopwright.frontend.schedule_reader import read_schedule
from loopwright.polyhedra.schedule_trees import block_text
from loopwright.scanning import Request, scan_source
from tests.codegen.random_trees import seeded_case

ROOT = Path(__file__).resolve().parent.parent
SCHEDULES = sorted((ROOT / "examples" / "schedules").iterdir())
TREE = """domain: "[n] -> { S[i] : 0 <= i < n }"
child:
  schedule: "[{ S[i] -> [(i)] }]"
"""
MAP = "[n] -> { S[i] -> [i] : 0 <= i < n }"
LOOP = "for (int c0 = 0; c0 < n; c0 += 1)\n  S(c0);\n"


def scan(*arguments: str | Path, text: str | bytes | None = None) -> Result:
    return CliRunner().invoke(app, ["scan", *map(str, arguments)], input=text)


def printed(text: str, *options: str) -> str:
    result = scan("-", *options, text=text)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def refused(text: str | bytes, *options: str) -> str:
    result = scan("-", *options, text=text)
    assert (result.exit_code, result.stdout) == (2, "")
    return result.stderr


# --- forms ----------------------------------------------------------------------------------------

FLOW = '{ domain: "[n] -> { S[i] : 0 <= i < n }", child: { schedule: "[{ S[i] -> [(i)] }]" } }'


@pytest.mark.parametrize(
    "text",
    [
        TREE,
        FLOW,
        FLOW.replace("domain:", '"domain":').replace("child:", '"child":'),
        TREE.replace('"', "'"),
        "---\n# A comment.\n" + TREE,
        "\ufeff" + TREE,
        TREE.replace("\n", "\r\n"),
        TREE.replace('"[{ S[i] -> [(i)] }]"', "|\n    [{ S[i] ->\n    [(i)] }]"),
        TREE + "  child: leaf\n",
        MAP,
        "# A comment.\n[n] -> { S[i] : 0 <= i < n } # and one here\n{ S[i] -> [i] }",
        "[n]->{S[i]:0<=i<n}{S[i]->[i];T[i]->[i]}[n]->{:n>=1}",
    ],
)
def test_every_form_is_read(text: str) -> None:
    assert printed(text) == LOOP


def test_a_file(tmp_path: Path) -> None:
    path = tmp_path / "schedule.isl"
    path.write_text(MAP)
    assert scan(path).stdout == LOOP


@pytest.mark.parametrize("path", SCHEDULES, ids=lambda path: path.name)
def test_examples_are_scanned_by_both_engines(path: Path) -> None:
    ours, isls = scan(path), scan(path, "--engine", "isl")
    assert (ours.exit_code, isls.exit_code) == (0, 0)
    assert "for (int c0 = " in ours.stdout
    assert "for (int c0 = " in isls.stdout


def test_what_isl_prints_is_read_as_it_was() -> None:
    for seed in range(60):
        schedule = seeded_case(seed).schedule()
        if isinstance(schedule, isl.UnionMap):
            assert read_as_map(str(schedule)).is_equal(schedule)
        else:
            text = block_text(schedule) if seed % 2 else str(schedule)
            found = read_schedule("tree.yaml", text.encode()).schedule
            assert isinstance(found, isl.Schedule)
            assert found.plain_is_equal(isl.Schedule(text))


def read_as_map(text: str) -> isl.UnionMap:
    found = read_schedule("map.isl", text.encode()).schedule
    assert isinstance(found, isl.UnionMap)
    return found


def test_a_mark_above_a_leaf() -> None:
    text = TREE + "  child:\n    mark: here\n"
    assert printed(text) == "for (int c0 = 0; c0 < n; c0 += 1)\n  // here\n  S(c0);\n"


def test_a_schedule_for_more_than_the_domain() -> None:
    assert printed("{ S[i] : 0 <= i < 3 } { S[i] -> [i]; T[i] -> [i] }") == (
        "for (int c0 = 0; c0 <= 2; c0 += 1)\n  S(c0);\n"
    )


def test_nothing_to_run() -> None:
    assert printed("{ S[i] : 1 = 0 } { S[i] -> [i] }") == "{\n}\n"


# --- options --------------------------------------------------------------------------------------


def test_context_of_the_file_and_of_the_command_line() -> None:
    text = "[n, m] -> { S[] -> [] : n > 0 and m > 0 }"
    assert printed(text + "[n] -> { : n > 5 }") == "if (m >= 1)\n  S();\n"
    known = ("--context", "[m] -> { : m > 5 }")
    assert printed(text + "[n] -> { : n > 5 }", *known) == "S();\n"


OPTIONS = [
    (MAP, ["--iterators", "i", "--iterator-type", "long"], "for (long i = 0; i < n; i += 1)\n"),
    ("{ S[i] -> [i] : 0 <= i < 2 }", ["--loop-type", "unroll"], "{\n  S(0);\n  S(1);\n}\n"),
    (
        "[n] -> { S[i, j] -> [i, j] : 0 <= i < n and 0 <= j < 2 }",
        ["--loop-type", "default,unroll"],
        "for (int c0 = 0; c0 < n; c0 += 1) {\n  S(c0, 0);\n  S(c0, 1);\n}\n",
    ),
    ("[n, m] -> { S[i] -> [i] : 0 <= i < n and i < m }", ["--conjunction"], "c0 < n && c0 < m"),
    ("[n, m] -> { S[] -> [] : n > 0 and m > 0 }", ["--eager"], "(n >= 1) & (m >= 1)"),
    ("[n] -> { S[] -> [] : n < 0 or n > 9 }", ["--no-or"], "} else if (n >= 10)"),
    ("[n] -> { S[max(0, n)] -> [] }", ["--no-min-max"], "?"),
    ("[n] -> { S[i] -> [2i] : 0 <= i < n }", ["--no-scale"], "c0 += 2"),
    ("[n] -> { S[floor(n/3)] -> [] : n > 0 }", ["--floord"], "S(floord(n, 3));"),
    ("[n] -> { S[floor(n/3)] -> [] }", ["--definitions"], "#define floord"),
    (
        "[n] -> { S[i] -> [4*floor(i/4), i] : 0 <= i < n }",
        ["--isolate", "[n] -> { [t, i] : t + 3 < n }", "--isolated-loop-type", "default,unroll"],
        "S(c0 + 3);",
    ),
]


@pytest.mark.parametrize(("text", "options", "expected"), OPTIONS)
def test_options_reach_the_generator(text: str, options: list[str], expected: str) -> None:
    found = printed(text, *options)
    assert expected in found
    assert found != printed(text)


def test_every_option_of_the_generator_has_a_switch() -> None:
    help_text = " ".join(scan("--help").stdout.split())
    for switch in ("--no-else", "--no-nested-bounds", "--exact", "--no-merge", "--max-nodes"):
        assert switch in help_text


def test_without_options_scan_prints_what_generate_does() -> None:
    assert printed(MAP) == generate(isl.UnionMap(MAP)).to_c()


def test_json() -> None:
    document = json.loads(printed(MAP, "--json"))
    assert document["format"] == "loopwright-loops-1"
    assert document["text"] == LOOP
    loop = document["root"]
    assert (loop["node"], loop["iterator"], loop["start"], loop["step"]) == ("for", "c0", 0, 1)
    assert loop["condition"] == {"operator": "<", "operands": ["c0", "n"]}
    assert loop["body"]["statement"] == {"operator": "call", "operands": ["S", "c0"]}


def test_json_knows_every_node() -> None:
    text = """domain: "[n] -> { S[i] : 0 <= i < n; T[i] : 0 <= i < n }"
child:
  mark: all
  child:
    sequence:
    - filter: "[n] -> { S[i] : n > 9 }"
    - filter: "[n] -> { T[i] : n <= 9 }"
    - filter: "[n] -> { S[i] : n <= 9; T[i] : n > 9 }"
"""
    found = printed(text, "--json")
    for node in ("mark", "if", "for", "block", "user"):
        assert f'"node": "{node}"' in found
    assert '"else":' in found


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_isls_generator(form: list[str]) -> None:
    found = printed("{ S[i] -> [i] : 0 <= i < 9 }", "--engine", "isl", *form)
    assert "for (int c0 = 0; c0 <= 8; c0 += 1)" in found


def test_isls_generator_gets_the_options() -> None:
    options = ["--engine", "isl", "--iterators", "i", "--iterator-type", "long", "--definitions"]
    found = printed("[n, m] -> { S[i] -> [i] : 0 <= i < n and i < m }", *options)
    assert "for (long i = 0; i < min(n, m); i += 1)" in found
    assert "#define min" in found
    unrolled = TREE.replace("i < n", "i < 2")
    assert "S(1);" in printed(unrolled, "--engine", "isl", "--loop-type", "unroll")
    # isl keeps its options in its context: they must not stay.
    assert "int c0" in printed(MAP, "--engine", "isl")


@pytest.mark.parametrize(
    "options",
    [
        ["--loop-type", "fast"],
        ["--iterators", "i,i"],
        ["--iterators", "2"],
        ["--max-nodes", "0"],
        ["--engine", "other"],
    ],
)
def test_wrong_options(options: list[str]) -> None:
    assert refused(MAP, *options)


# --- files ----------------------------------------------------------------------------------------


def test_output_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    target = tmp_path / "loops.c"
    assert scan("-", "-o", target, text=MAP).stdout == ""
    assert target.read_text() == LOOP
    assert scan("-", "-o", target, text="{ S[i] -> [i] : i < 0 }").exit_code == 2
    assert target.read_text() == LOOP
    assert list(tmp_path.iterdir()) == [target]


def test_a_folder_and_no_file(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.yaml"):
        result = scan(path)
        assert result.exit_code == 2
        assert result.stderr.startswith(f"{path}:1:1: LW106: ")


# --- what is refused ------------------------------------------------------------------------------

BAND = 'domain: "{ S[i] : 0 <= i < 9 }"\nchild:\n  schedule: "[{ S[i] -> [(i)] }]"\n'


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("", "1:1: LW505", "empty"),
        ("  \n# nothing\n", "1:1: LW505", "empty"),
        ("hello", "1:1: LW505", "not a schedule"),
        (b"\x7fELF\x00\x01", "1:1: LW505", "not text"),
        (b"{ S[i]\n -> \xff }", "2:5: LW505", "not text"),
        ("{ S[i] : i }", "1:12: LW506", "} is not expected here"),
        ("{ S[i] -> [i]", "1:14: LW506", "ends too early"),
        ("{ S[i] }\n{ S[i] }", "2:1: LW506", "a relation from instances to times"),
        ("{ S[i] -> T[i] }", "1:1: LW508", "T[i0] is not a time"),
        ("{ S[i] -> [[i] -> [i]] }", "1:1: LW508", "is not a time"),
        ("{ S[i] } { S[i] -> [i] } { : } { : }", "1:32: LW505", "all that a file may hold"),
        ("domain: [\n", "2:1: LW505", "not YAML"),
        ('domain: "{ S[] }\nchild:\n', "1:9: LW505", "not YAML"),
        ("domain: &a x\nchild: *a\n", "2:8: LW505", "by reference"),
        ("- 1\n- 2\n", "1:1: LW507", "a node of a schedule tree"),
        (BAND + "---\n" + BAND, "4:1: LW505", "second document"),
        (BAND + "  schedule: x\n", "4:3: LW505", "twice"),
        (BAND + "  mark: x\n", "4:3: LW507", "one thing"),
        (BAND + "  contraction: x\n", "4:3: LW507", "has no contraction"),
        (BAND + "  permutable: 2\n", "4:15: LW507", "0 or 1"),
        (BAND + "  coincident: 1\n", "4:15: LW507", "a list"),
        (BAND + "  child: 3\n", "4:10: LW507", "a node of a schedule tree"),
        (BAND + "  options: { }\n", "4:12: LW507", "takes a text"),
        (BAND + '  options: "{ unrol[0] }"\n', "4:13: LW508", "unrol"),
        (BAND + '  child:\n    mark: ""\n', "5:12: LW507", "a mark is a name"),
        (BAND + '  child:\n    guard: "{ [] : }"\n', "5:13: LW508", "0 dimensions"),
        (BAND + '  child:\n    context: "{ [a, b] }"\n', "5:15: LW508", "2 dimensions"),
        (BAND + '  child:\n    extension: "{ [] -> T[] }"\n', "5:17: LW508", "0 dimensions"),
        (BAND + '  child:\n    filter: "{ S[i] } T"\n', "5:23: LW506", "comes after it"),
        (BAND + '  child:\n    expansion: "{ S[i] -> T[i] }"\n', "5:5: LW507", "contraction"),
        (BAND + "  child:\n    sequence: []\n", "5:15: LW507", "a list of filters"),
        ('mark: x\nchild:\n  domain: "{ S[] }"\n', "1:1: LW507", "root"),
    ],
)
def test_mistakes_are_answered_with_their_place(text: str | bytes, place: str, words: str) -> None:
    stderr = refused(text)
    assert stderr.startswith(f"<stdin>:{place}: ")
    assert words in stderr.partition("\n")[0]


def test_what_the_contraction_does_not_undo() -> None:
    text = BAND + (
        '  child:\n    expansion: "{ S[i] -> T[i, j] : 0 <= j < 2 }"\n'
        '    contraction: "{ T[i, j] -> S[(j)] }"\n'
    )
    assert "the contraction does not undo" in refused(text)


@pytest.mark.parametrize(
    "text",
    [
        "{ [i] : " + "(" * 100_000 + "i" + ")" * 100_000 + " > 0 }",
        "{ S[" + ", ".join(f"i{number}" for number in range(1000)) + "] -> [0] }",
        "{ S[i] -> [i] : " + " or ".join(f"i = {3 * number}" for number in range(5000)) + " }",
        "{ S[i] -> [i] : " + " and ".join(f"i != {3 * number}" for number in range(2000)) + " }",
        "{}" * 100_000,
        "- " * 100_000,
        "{ a: " * 100_000,
        "[" * 100_000,
        'domain: "{ S[] }"\n'
        + "".join(f"{'  ' * depth}child:\n{'  ' * depth}  mark: x\n" for depth in range(500)),
        "x" * 2_000_000,
    ],
    ids=["brackets", "tuple", "or", "not equal", "sets", "list", "flow", "open", "tree", "large"],
)
def test_too_much_is_answered(text: str) -> None:
    assert refused(text)


def test_the_engine_points_at_the_band() -> None:
    text = BAND.replace("0 <= i < 9", "i < 9")
    assert refused(text).startswith("<stdin>:3:14: LW501: ")


def test_in_python_mistakes_are_input_errors() -> None:
    with pytest.raises(InputError) as caught:
        scan_source("x.isl", b"{ S[i] -> [i] : i < 0 }", Request(), AstOptions())
    assert caught.value.diagnostics[0].span.file == "x.isl"


def test_isl_itself_prints_nothing(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "loopwright.cli", "scan", "-"],
        input="{ S[i] : 0 <= k < }",
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("<stdin>:1:15: LW506: nothing is called k here\n")
    assert "syntax error" not in done.stderr


# --- damaged files --------------------------------------------------------------------------------

PIECES = [
    "{",
    "}",
    "[",
    "]",
    "->",
    ";",
    ":",
    '"',
    "\n",
    " or ",
    "child:",
    "-1",
    "S[i]",
    "\t",
    "é",
    "#",
]


def damaged(text: str, generator: random.Random) -> str:
    start = generator.randrange(len(text))
    end = min(len(text), start + generator.randrange(12))
    match generator.randrange(4):
        case 0:
            return text[:start]
        case 1:
            return text[:start] + text[end:]
        case 2:
            return text[:start] + generator.choice(PIECES) + text[start:]
        case _:
            return text[:end] + text[start:]


@pytest.mark.parametrize("seed", range(4))
def test_damaged_files_are_scanned_or_refused(seed: int) -> None:
    generator = random.Random(seed)
    texts = [path.read_text() for path in SCHEDULES]
    for _ in range(40):
        text = damaged(generator.choice(texts), generator)
        result = scan("-", "--max-nodes", "1000", text=text)
        assert result.exit_code in (0, 2), text
        assert result.exit_code == 0 or ": LW" in result.stderr, text
