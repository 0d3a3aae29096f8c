"""The project keeps its own house rules."""

import ast
import importlib
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import loopwright

ROOT = Path(__file__).resolve().parent.parent
SOURCES = sorted((ROOT / "src").rglob("*.py"))
LONGEST_FILE = 600
LONGEST_FUNCTION = 60
HEAVY = {"clang", "networkx", "numpy", "rich", "typer", "yaml"}


def output_of(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_import_stays_light() -> None:
    program = "import json, sys, loopwright; print(json.dumps(sorted(sys.modules)))"
    modules = set(json.loads(output_of(sys.executable, "-c", program)))
    heavy = sorted(modules & HEAVY)
    assert not heavy, f"`import loopwright` imports {heavy}; import them where they are used"


def test_public_names_exist() -> None:
    missing = [name for name in loopwright.__all__ if not hasattr(loopwright, name)]
    assert not missing


def test_command_line_knows_the_version() -> None:
    tool = Path(sys.executable).parent / "loopwright"
    assert loopwright.__version__ in output_of(str(tool), "--version").split()


def test_changelog_starts_with_the_version() -> None:
    sections = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert sections[0] == loopwright.__version__


def test_package_is_typed() -> None:
    assert (Path(loopwright.__file__).parent / "py.typed").is_file()


def test_no_file_is_two_ideas() -> None:
    lengths = {path: len(path.read_text().splitlines()) for path in SOURCES}
    offenders = [
        f"{path.relative_to(ROOT)}: {length} lines"
        for path, length in lengths.items()
        if length > LONGEST_FILE
    ]
    assert not offenders, f"longer than {LONGEST_FILE} lines:\n" + "\n".join(offenders)


def test_no_function_is_two_ideas() -> None:
    offenders = [
        f"{path.relative_to(ROOT)}:{function.lineno}: {function.name} has {length} lines"
        for path in SOURCES
        for function, length in functions_of(path)
        if length > LONGEST_FUNCTION
    ]
    assert not offenders, f"longer than {LONGEST_FUNCTION} lines:\n" + "\n".join(offenders)


def functions_of(path: Path) -> Iterator[tuple[ast.FunctionDef | ast.AsyncFunctionDef, int]]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            yield node, node.end_lineno - node.lineno + 1


STUBS = sorted((ROOT / "typings").rglob("*.pyi"))


@pytest.mark.parametrize("stub", STUBS, ids=lambda stub: str(stub.relative_to(ROOT / "typings")))
def test_stub_names_exist(stub: Path) -> None:
    parts = stub.relative_to(ROOT / "typings").with_suffix("").parts
    module = importlib.import_module(".".join(part for part in parts if part != "__init__"))
    missing = [
        name for name in names_in(ast.parse(stub.read_text())) if not is_attribute_of(module, name)
    ]
    assert not missing, f"{stub.relative_to(ROOT)} names what is not there"


def names_in(tree: ast.Module | ast.ClassDef, prefix: str = "") -> Iterator[str]:
    """The dotted names that a stub declares."""
    for node in tree.body:
        match node:
            case ast.ClassDef(name):
                yield prefix + name
                yield from names_in(node, f"{prefix}{name}.")
            case ast.FunctionDef(name) | ast.AnnAssign(ast.Name(name)):
                yield prefix + name
            case _:
                pass


def is_attribute_of(module: object, dotted_name: str) -> bool:
    value = module
    for name in dotted_name.split("."):
        if not hasattr(value, name):
            return False
        value = getattr(value, name)
    return True
