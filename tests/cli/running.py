"""``loopwright`` as a user calls it."""

from __future__ import annotations

import subprocess
from contextlib import chdir
from pathlib import Path

from typer.testing import CliRunner

from loopwright.cli.commands import app
from tests import forking

PRODUCT = b"""\
void product(int n, double C[n][n], double A[n][n], double B[n][n])
{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        C[i][j] += A[i][k] * B[k][j]; // \xe9
#pragma endscop
}
"""
PREFIX = b"""\
void prefix(int n, double s[n], double a[n])
{
#pragma scop
  for (int i = 1; i < n; i++)
    s[i] = s[i - 1] + a[i];
#pragma endscop
}
"""


def loopwright(
    *arguments: str,
    folder: Path,
    text: bytes = b"",
    seconds: float = 60,
    command: str = "optimize",
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [forking.command(), command, *arguments],
        cwd=folder,
        input=text,
        capture_output=True,
        check=False,
        timeout=seconds,
    )


def refused(
    *arguments: str, folder: Path, text: bytes = b"", command: str = "optimize"
) -> subprocess.CompletedProcess[bytes]:
    """The same without a process, which takes long to start, for what never comes to any work."""
    with chdir(folder):
        done = CliRunner().invoke(app, [command, *arguments], input=text)
    return subprocess.CompletedProcess(
        arguments, done.exit_code, done.stdout_bytes, done.stderr_bytes
    )
