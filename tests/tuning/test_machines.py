"""The machine: from a file, and as the system describes it."""

from __future__ import annotations

from pathlib import Path

import pytest

from loopwright import InputError, Machine
from loopwright.tuning.machines import machine_from_file, machine_of_system

USUAL = Machine()


def test_an_empty_file_is_the_usual_machine() -> None:
    assert machine_from_file("m.toml", b"") == USUAL


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        (b"cores = 2\nspeed = 3\n", 2, "speed"),
        (b"\n\nl1 = 32.5\n", 3, "whole number"),
        (b"l1 = true\n", 1, "whole number"),
        (b"cores = 2\n[l2]\nsize = 3\n", 2, "whole number"),
        (b"cores = -1\n", 1, "from 1"),
        (b"l2 = 99999999999999\n", 1, "from 1024"),
        (b"line = 48\n", 1, "power of two"),
        (b"cores = 2\ncores = 3\n", 2, "TOML"),
        (b"cores = \n", 1, "TOML"),
        (b"\xff\xfe", 1, "UTF-8"),
    ],
)
def test_what_is_no_machine(content: bytes, line: int, words: str) -> None:
    with pytest.raises(InputError) as failure:
        machine_from_file("m.toml", content)
    (problem,) = failure.value.diagnostics
    assert problem.code == "LW121"
    assert problem.span.line == line
    assert words in problem.message


def system(root: Path, flags: str, caches: list[tuple[str, str, str, str]]) -> Path:
    """A system that tells this about itself: type, level, size and sharing of each cache."""
    (root / "proc").mkdir(parents=True)
    (root / "proc" / "cpuinfo").write_text(f"processor\t: 0\n{flags}\n\nprocessor\t: 1\n{flags}\n")
    for at, (kind, level, size, shared) in enumerate(caches):
        folder = root / "sys/devices/system/cpu/cpu0/cache" / f"index{at}"
        folder.mkdir(parents=True)
        facts = {"type": kind, "level": level, "size": size, "shared_cpu_list": shared}
        for name, fact in {**facts, "coherency_line_size": "128"}.items():
            (folder / name).write_text(f"{fact}\n")
    return root


def test_caches_belong_to_one_core(tmp_path: Path) -> None:
    caches = [
        ("Data", "1", "48K", "0"),
        ("Instruction", "1", "64K", "0"),
        ("Unified", "2", "4M", "0-3"),
        ("Unified", "3", "32M", "0-31"),
    ]
    found = machine_of_system(system(tmp_path, "flags\t: fpu sse2", caches))
    assert (found.l1, found.l2, found.line) == (48 * 1024, 2**20, 128)


@pytest.mark.parametrize(
    ("flags", "vector_bytes", "registers"),
    [
        ("flags\t\t: sse2 avx avx2 avx512f", 64, 32),
        ("flags\t\t: sse2 avx avx2", 32, 16),
        ("flags\t\t: sse2", 16, 16),
        ("Features\t: fp asimd evtstrm", 16, 32),
        ("nothing\t: known", USUAL.vector_bytes, USUAL.vector_registers),
    ],
)
def test_vectors_by_flags(tmp_path: Path, flags: str, vector_bytes: int, registers: int) -> None:
    found = machine_of_system(system(tmp_path, flags, []))
    assert (found.vector_bytes, found.vector_registers) == (vector_bytes, registers)


def test_a_system_that_tells_nothing_is_a_usual_machine(tmp_path: Path) -> None:
    found = machine_of_system(tmp_path)
    assert found == Machine(cores=found.cores)
    assert found.cores >= 1


def test_nonsense_of_the_system_is_ignored(tmp_path: Path) -> None:
    caches = [("Data", "1", "0K", "0"), ("Unified", "2", "much", "0")]
    found = machine_of_system(system(tmp_path, "flags : avx", caches))
    assert (found.l1, found.l2) == (USUAL.l1, USUAL.l2)
