"""Odd options, streams and signals: a message and an exit status, never a traceback."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep

import pytest

from loopwright import InputError, read_c
from tests.cli.running import PRODUCT, loopwright, refused

MANY = "9" * 5000


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--run", "--size", "n=²"), "write it as n=1000"),
        (("--run", "--size", f"n={MANY}"), "write it as n=1000"),
        (("--tile-sizes", MANY), "positive integers"),
        (("--machine", "digits.toml"), "LW121"),
        (("--machine", "hexadecimal.toml"), "LW121"),
        (("--machine", "nested.toml"), "nested too deeply"),
        (("--machine", "-"), "needs a file"),
        (("--run", "--cc", "gcc '"), "no closing quotation"),
        (("--run", "--cflags", "-O2 '"), "no closing quotation"),
        (("--timeout", "inf"), "at most"),
        (("--timeout", "nan"), "at most"),
        (("--timeout", "1e300"), "at most"),
        (("--size", "n=4"), "needs --run"),
        (("--cflags", "-O2 '"), "no closing quotation"),
    ],
    ids=range(14),
)
def test_odd_options_are_refused(tmp_path: Path, arguments: tuple[str, ...], words: str) -> None:
    (tmp_path / "digits.toml").write_text(f"cores = {MANY}\n")
    (tmp_path / "hexadecimal.toml").write_text(f"cores = 0x{MANY}\n")
    (tmp_path / "nested.toml").write_text(f"cores = {'[' * 5000}\n")
    done = refused("-q", *arguments, "-", folder=tmp_path, text=PRODUCT)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"Traceback" not in done.stderr
    assert words in done.stderr.decode()


@pytest.mark.parametrize("arguments", [(b"m\xff.c",), (b"-", b"-D", b"X=\xff")], ids=range(2))
def test_what_is_not_text_is_refused(tmp_path: Path, arguments: tuple[bytes, ...]) -> None:
    (tmp_path / os.fsdecode(b"m\xff.c")).write_bytes(PRODUCT)
    done = loopwright(*map(os.fsdecode, arguments), folder=tmp_path, text=PRODUCT)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(
        arguments[-1].replace(b"\xff", rb"\xff") + b":1:1: LW106: not text"
    )


def test_a_name_that_is_not_text_is_an_input_error(tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"m\xff.c")
    path.write_bytes(PRODUCT)
    with pytest.raises(InputError, match="LW106"):
        read_c(path)


def in_shell(folder: Path, streams: str) -> subprocess.CompletedProcess[str]:
    (folder / "product.c").write_bytes(PRODUCT)
    command = f'"{sys.executable}" -m loopwright.cli optimize -q --no-reschedule {streams}'
    return subprocess.run(
        ["sh", "-c", command], cwd=folder, capture_output=True, text=True, check=False, timeout=60
    )


@pytest.mark.parametrize(
    ("streams", "words"),
    [
        ("product.c >/dev/full", "LW107: cannot write the file: no space left"),
        ("product.c >&-", "LW107"),
        ("- <&-", "LW106: cannot read standard input"),
        ("--help >/dev/full", "no space left"),
    ],
)
def test_streams_that_are_full_or_closed(tmp_path: Path, streams: str, words: str) -> None:
    done = in_shell(tmp_path, streams)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert words in done.stderr


def test_no_stream_is_needed_for_a_file(tmp_path: Path) -> None:
    done = in_shell(tmp_path, "product.c -o new.c <&- >&- 2>&-")
    assert done.returncode == 0
    assert b"if (n >= 1)" in (tmp_path / "new.c").read_bytes()


@pytest.mark.parametrize("stream", ["2>&-", "2>/dev/full"])
def test_who_asks_for_no_report_needs_no_error_stream(tmp_path: Path, stream: str) -> None:
    done = in_shell(tmp_path, f"product.c -o new.c {stream}")
    assert done.returncode == 0
    assert b"if (n >= 1)" in (tmp_path / "new.c").read_bytes()


def test_the_output_may_be_a_link_to_a_pipe(tmp_path: Path) -> None:
    done = in_shell(tmp_path, "product.c -o /dev/stdout | tr -d '\\351'")
    assert "if (n >= 1)" in done.stdout


def test_a_patch_of_a_name_with_a_space(tmp_path: Path) -> None:
    (tmp_path / "a product.c").write_bytes(PRODUCT)
    done = loopwright("--no-reschedule", "--diff", "a product.c", folder=tmp_path)
    assert done.stdout.startswith(b"--- a/a product.c\t\n+++ b/a product.c\t\n@@ ")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc")
def test_a_signal_ends_the_programs_that_run(tmp_path: Path, number: signal.Signals) -> None:
    endless = (
        "#include <stdio.h>\n#include <unistd.h>\n"
        "void f(int n, double a[n][n])\n{\n"
        f'  FILE *pid = fopen("{tmp_path}/part", "w");\n'
        '  fprintf(pid, "%d", (int)getpid());\n  fclose(pid);\n'
        f'  rename("{tmp_path}/part", "{tmp_path}/pid");\n'
        "  for (;;) pause();\n"
        "#pragma scop\n  for (int j = 0; j < n; j++)\n    for (int i = 0; i < n; i++)\n"
        "      a[i][j] = 2 * a[i][j];\n#pragma endscop\n}\n"
    )
    (tmp_path / "endless.c").write_text(endless)
    command = [sys.executable, "-m", "loopwright.cli", "optimize", "--run", "--cflags", "-O0"]
    # Whoever runs the tests in the background has told them to ignore interrupts.
    with subprocess.Popen(
        [*command, "-o", "new.c", "endless.c"],
        cwd=tmp_path,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as process:
        limit = monotonic() + 50
        while not (tmp_path / "pid").exists() and process.poll() is None and monotonic() < limit:
            sleep(0.05)
        process.send_signal(number)
        assert process.wait(20) == 128 + number
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)
    assert not (tmp_path / "new.c").exists()
