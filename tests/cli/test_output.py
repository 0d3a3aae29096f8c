"""Where ``loopwright optimize`` writes, and what: the program, a difference, the file itself."""

from __future__ import annotations

import json
import subprocess
from math import prod
from pathlib import Path

import pytest

from tests.cli.running import PREFIX, PRODUCT, loopwright, refused


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "product.c").write_bytes(PRODUCT)
    (tmp_path / "prefix.c").write_bytes(PREFIX)
    return tmp_path


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_difference_is_a_patch(folder: Path) -> None:
    whole = loopwright("--no-reschedule", "product.c", folder=folder).stdout
    done = loopwright("--no-reschedule", "--diff", "product.c", folder=folder)
    assert done.returncode == 0
    assert done.stdout.startswith(b"--- a/product.c\n+++ b/product.c\n@@ ")
    (folder / "change.patch").write_bytes(done.stdout)
    subprocess.run(["patch", "-p1", "-s", "-i", "change.patch"], cwd=folder, check=True)
    assert (folder / "product.c").read_bytes() == whole != PRODUCT


def test_the_difference_of_nothing_is_empty(folder: Path) -> None:
    done = loopwright("--diff", "prefix.c", folder=folder)
    assert (done.returncode, done.stdout) == (0, b"")


def test_in_place(folder: Path) -> None:
    file = folder / "product.c"
    file.chmod(0o640)
    (folder / "link.c").symlink_to("product.c")
    whole = loopwright("--no-reschedule", "product.c", folder=folder).stdout
    done = loopwright("--no-reschedule", "--in-place", "link.c", folder=folder)
    assert (done.returncode, done.stdout) == (0, b"")
    assert file.read_bytes() == whole
    assert file.stat().st_mode & 0o777 == 0o640
    assert (folder / "link.c").is_symlink()
    assert files(folder) == ["link.c", "prefix.c", "product.c"]


def test_in_place_touches_nothing_without_a_reason(folder: Path) -> None:
    before = (folder / "prefix.c").stat()
    done = loopwright("--in-place", "prefix.c", folder=folder)
    after = (folder / "prefix.c").stat()
    assert done.returncode == 0
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


@pytest.mark.parametrize(
    "arguments",
    [
        ("--in-place", "-"),
        ("--in-place", "-o", "new.c", "product.c"),
        ("--in-place", "--diff", "product.c"),
        ("--in-place", "--json", "product.c"),
        ("--diff", "--json", "product.c"),
        ("--tile-sizes", "0", "product.c"),
        ("--tile-sizes", "16,-4", "product.c"),
        ("--tile-sizes", "16,,4", "product.c"),
        ("--tile-sizes", "many", "product.c"),
        ("--timeout", "0", "product.c"),
        ("--timeout", "nan", "product.c"),
        ("--size", "n", "product.c"),
        ("--size", "n=many", "product.c"),
    ],
    ids=" ".join,
)
def test_what_makes_no_sense_is_refused(folder: Path, arguments: tuple[str, ...]) -> None:
    done = refused(*arguments, folder=folder, text=PRODUCT)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"Traceback" not in done.stderr
    assert (folder / "product.c").read_bytes() == PRODUCT
    assert files(folder) == ["prefix.c", "product.c"]


def test_an_output_that_cannot_be_written(folder: Path) -> None:
    done = loopwright("--no-reschedule", "product.c", "-o", "no/new.c", folder=folder)
    assert done.returncode == 2
    assert b"LW107" in done.stderr
    assert files(folder) == ["prefix.c", "product.c"]


def test_tile_sizes(folder: Path) -> None:
    options = ("--json", "--tile-sizes", "12,1,20", "product.c")
    document = json.loads(loopwright(*options, folder=folder).stdout)
    (nest,) = document["regions"][0]["nests"]
    assert [size for _, size in nest["tiles"]] == [12, 20]
    assert document["regions"][0]["proved"]
    factors = dict(nest["unrolled"])
    assert all(size % factors.get(at, 1) == 0 for at, size in nest["tiles"])


def test_the_machine_of_a_file(folder: Path) -> None:
    (folder / "m.toml").write_text("cores = 3\nl2 = 65536\n")
    options = ("--json", "--machine", "m.toml", "product.c")
    small = json.loads(loopwright(*options, folder=folder).stdout)
    usual = json.loads(loopwright("--json", "product.c", folder=folder).stdout)
    assert (small["machine"]["cores"], small["machine"]["l2"]) == (3, 65536)
    assert usual["machine"]["l2"] == 1048576
    sizes = [
        [size for _, size in each["regions"][0]["nests"][0]["tiles"]] for each in (small, usual)
    ]
    assert prod(sizes[0]) < prod(sizes[1])
