"""``loopwright model`` as a user runs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner, Result

from loopwright import load_model
from loopwright.cli.commands import app
from tests import forking

from .expectations import kernel, same

GOOD = kernel("for (int i = 0; i < n; i++) A[i] = 0;")
BAD = kernel("for (int i = 0; i < n; i++) goto out; out: ;")
DOMAIN = "[n] -> { S0[i] : 0 <= i < n }"


@pytest.fixture
def good(tmp_path: Path) -> Path:
    path = tmp_path / "good.c"
    path.write_text(GOOD)
    return path


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    path = tmp_path / "bad.c"
    path.write_text(BAD)
    return path


def model(*arguments: str | Path, text: str | None = None) -> Result:
    return CliRunner().invoke(app, ["model", *map(str, arguments)], input=text)


def run(*arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [forking.command(), "model", *arguments],
        input=text,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


# --- forms ----------


def test_yaml_by_default(good: Path) -> None:
    result = model(good)
    assert result.exit_code == 0
    assert yaml.safe_load(result.stdout)["format"]
    assert result.stderr == ""
    same(load_model(result.stdout)[0].domain, DOMAIN)


def test_yaml_when_asked_for(good: Path) -> None:
    assert model("--yaml", good).stdout == model(good).stdout


def test_json(good: Path) -> None:
    result = model(good, "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["models"][0]["function"] == "kernel"


def test_text(good: Path) -> None:
    result = model("--text", good)
    assert result.exit_code == 0
    assert "statements" in result.stdout
    assert "0 <= i < n" in result.stdout


def test_standard_input() -> None:
    result = model("-", "--json", text=GOOD)
    assert result.exit_code == 0
    assert json.loads(result.stdout)["models"][0]["function"] == "kernel"


def test_errors_in_standard_input_name_it() -> None:
    result = model("-", text=BAD)
    assert result.exit_code == 2
    assert result.stderr.startswith("<stdin>:6:")


# --- files ----------


def test_output_to_a_file(good: Path, tmp_path: Path) -> None:
    target = tmp_path / "model.yaml"
    result = model(good, "-o", target)
    assert (result.exit_code, result.stdout) == (0, "")
    same(load_model(target.read_text())[0].domain, DOMAIN)
    assert {each.name for each in tmp_path.iterdir()} == {"good.c", "model.yaml"}


def test_output_replaces_a_file_and_keeps_its_permissions(good: Path, tmp_path: Path) -> None:
    target = tmp_path / "model.yaml"
    target.write_text("old")
    target.chmod(0o600)
    assert model(good, "-o", target).exit_code == 0
    assert target.read_text() != "old"
    assert target.stat().st_mode & 0o777 == 0o600


def test_no_output_on_failure(bad: Path, tmp_path: Path) -> None:
    target = tmp_path / "model.yaml"
    result = model(bad, "-o", target)
    assert result.exit_code == 2
    assert not target.exists()


def test_an_old_output_survives_a_failure(bad: Path, tmp_path: Path) -> None:
    target = tmp_path / "model.yaml"
    target.write_text("old")
    assert model(bad, "-o", target).exit_code == 2
    assert target.read_text() == "old"


def test_output_that_cannot_be_written(good: Path, tmp_path: Path) -> None:
    result = model(good, "-o", tmp_path / "nowhere" / "model.yaml")
    assert result.exit_code == 2
    assert "LW107" in result.stderr


def test_output_into_a_folder(good: Path, tmp_path: Path) -> None:
    result = model(good, "-o", tmp_path)
    assert result.exit_code == 2
    assert "LW107" in result.stderr
    assert {each.name for each in tmp_path.iterdir()} == {"good.c"}


def test_output_through_a_link_writes_what_the_link_names(good: Path, tmp_path: Path) -> None:
    """A link stays a link; so must a device such as ``/dev/null``, which no test may risk."""
    target, link = tmp_path / "model.yaml", tmp_path / "link.yaml"
    target.write_text("old")
    link.symlink_to(target)
    assert model(good, "-o", link).exit_code == 0
    assert link.is_symlink()
    assert target.read_text() != "old"


def test_output_to_a_pipe_does_not_replace_the_pipe(good: Path, tmp_path: Path) -> None:
    """A named pipe stands for every file that is not a plain one."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        model(good, "-o", pipe)
        assert pipe.is_fifo()
    finally:
        os.close(reader)


# --- exit statuses ----------


def test_bad_input(bad: Path) -> None:
    result = model(bad)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "LW201" in result.stderr


@pytest.mark.parametrize("arguments", [(), ("no-such-file.c",), ("x.c", "--nonsense"), (".",)])
def test_bad_arguments(arguments: tuple[str, ...]) -> None:
    assert model(*arguments).exit_code == 2


def test_a_bad_context(good: Path) -> None:
    result = model(good, "--context", "n > 3")
    assert result.exit_code == 2
    assert "LW117" in result.stderr


def test_warnings_do_not_fail(tmp_path: Path) -> None:
    path = tmp_path / "warned.c"
    path.write_text(kernel("for (unsigned char i = 0; i < n; i++) A[i] = 0;"))
    result = model(path)
    assert result.exit_code == 0
    assert "LW301: warning: " in result.stderr


# --- options ----------


def test_define(tmp_path: Path) -> None:
    path = tmp_path / "sized.c"
    path.write_text(kernel("for (int i = 0; i < SIZE; i++) A[i] = 0;"))
    for arguments in (("-D", "SIZE=7"), ("-DSIZE=7",)):
        (scop,) = load_model(model(path, *arguments).stdout)
        same(scop.domain, "{ S0[i] : 0 <= i < 7 }")
    assert model(path).exit_code == 2


@pytest.mark.parametrize("option", ["-I", "-isystem"])
def test_include_folders(tmp_path: Path, option: str) -> None:
    headers = tmp_path / "headers"
    headers.mkdir()
    (headers / "size.h").write_text("#define SIZE 9\n")
    path = tmp_path / "sized.c"
    path.write_text(kernel("for (int i = 0; i < SIZE; i++) A[i] = 0;", prelude="#include <size.h>"))
    assert "LW102" in model(path).stderr
    (scop,) = load_model(model(path, option, headers).stdout)
    same(scop.domain, "{ S0[i] : 0 <= i < 9 }")


def test_an_include_folder_joined_to_its_option(tmp_path: Path) -> None:
    (tmp_path / "size.h").write_text("#define SIZE 9\n")
    path = tmp_path / "sized.c"
    path.write_text(kernel("A[SIZE] = 0;", prelude="#include <size.h>"))
    assert model(path, f"-I{tmp_path}").exit_code == 0


def test_headers_beside_the_file_are_found(tmp_path: Path) -> None:
    (tmp_path / "size.h").write_text("#define SIZE 9\n")
    path = tmp_path / "sized.c"
    path.write_text(kernel("A[SIZE] = 0;", prelude='#include "size.h"'))
    assert model(path).exit_code == 0


def test_the_standard(tmp_path: Path) -> None:
    path = tmp_path / "old.c"
    path.write_text(kernel("A[0] = STANDARD;", prelude="#define STANDARD __STDC_VERSION__"))
    assert "199901" in model(path, "--std", "c99").stdout
    assert "199901" in model(path, "--std=c99").stdout
    assert "199901" in model(path, "-std=c99").stdout
    assert "201112" in model(path).stdout
    wrong = model(path, "--std", "klingon")
    assert wrong.exit_code == 2
    assert "--std" in wrong.stderr


def test_function_and_autodetect(tmp_path: Path) -> None:
    path = tmp_path / "two.c"
    path.write_text(GOOD.replace("kernel", "first") + GOOD.replace("kernel", "second"))
    document = json.loads(model(path, "--json", "--function", "second").stdout)
    assert [each["function"] for each in document["models"]] == ["second"]
    bare = path.read_text().replace("#pragma scop", "").replace("#pragma endscop", "")
    path.write_text(bare)
    assert model(path).exit_code == 2
    document = json.loads(model(path, "--json", "--autodetect").stdout)
    assert [each["function"] for each in document["models"]] == ["first", "second"]


def test_context_and_assume_non_negative(good: Path) -> None:
    (scop,) = load_model(model(good, "--context", "[n] -> { : n >= 4 }").stdout)
    same(scop.context, "[n] -> { : n >= 4 }")
    (scop,) = load_model(model(good, "--assume-non-negative").stdout)
    same(scop.context, "[n] -> { : n >= 0 }")


# --- as a process ----------


def test_the_command_is_installed() -> None:
    command = Path(sys.executable).with_name("loopwright")
    done = subprocess.run([command, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.strip()


def test_a_reader_that_goes_away_is_no_error(good: Path) -> None:
    command = f"{sys.executable} -m loopwright.cli model {good} | true"
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.stderr == ""


@pytest.mark.parametrize(
    "content", [b"", b"\x00\xff\xfe", b"int", b"void f() {", b"\xef\xbb\xbfint x;"]
)
def test_broken_files_have_a_place_and_no_traceback(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "broken.c"
    path.write_bytes(content)
    done = run(str(path))
    assert done.returncode == 2
    assert done.stderr.startswith(f"{path}:")
    assert "Traceback" not in done.stderr
