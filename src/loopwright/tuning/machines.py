"""The machine that a program is for: from a file, or as the system describes it."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from loopwright.basics.diagnostics import Diagnostic, InputError, shortened
from loopwright.basics.spans import Span
from loopwright.targets.machine import Machine

KNOWN = tuple(each.name for each in fields(Machine))
POSSIBLE = {
    "cores": (1, 2**16),
    "l1": (2**10, 2**30),
    "l2": (2**10, 2**36),
    "line": (8, 2**12),
    "vector_bytes": (4, 2**10),
    "vector_registers": (2, 2**10),
}
"""The least and the greatest values that are taken for those of a machine."""
POWERS = ("line", "vector_bytes")


def _problem(name: str, value: int) -> str:
    """Why no machine has this value, if it is so."""
    least, greatest = POSSIBLE.get(name, (1, 2**40))
    if not least <= value <= greatest:
        return f"{name} must be from {least} to {greatest}, not {_shown(value)}"
    if name in POWERS and value & (value - 1):
        return f"{name} must be a power of two, not {value}"
    return ""


def _shown(value: object) -> str:
    """A value as a message can quote it.

    >>> _shown(12), _shown([16**5000])
    ('12', 'something with too many digits')
    """
    try:
        return shortened(str(value))
    except ValueError:
        return "something with too many digits"


# --- from a file --------------------------------------------------------------------------------


def machine_from_file(name: str, content: bytes) -> Machine:
    r"""The machine that a TOML file describes; what it does not mention is as usual.

    >>> machine_from_file("m.toml", b"cores = 8\nl2 = 524288\n")
    Machine(cores=8, l1=32768, l2=524288, line=64, vector_bytes=64, vector_registers=32)
    """
    try:
        text = content.decode()
    except UnicodeDecodeError:
        raise _wrong(name, "", 1, 1, "it is not text in UTF-8") from None
    try:
        values: dict[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message, line, column = _place_in(str(error))
        raise _wrong(name, text, line, column, f"it is not TOML: {message}") from None
    except ValueError:
        raise _wrong(name, text, 1, 1, "a number in it has too many digits") from None
    except RecursionError:
        raise _wrong(name, text, 1, 1, "it is nested too deeply") from None
    for key, value in values.items():
        line = _line_of(key, text)
        if key not in KNOWN:
            raise _wrong(name, text, line, 1, f"nothing is called {shortened(key)} here")
        if type(value) is not int:
            problem = f"{key} must be a whole number, not {_shown(value)}"
            raise _wrong(name, text, line, 1, problem)
        if problem := _problem(key, value):
            raise _wrong(name, text, line, 1, problem)
    return Machine(**values)


def _place_in(message: str) -> tuple[str, int, int]:
    """What the parser says, and where."""
    place = re.search(r" \(at (?:line (\d+), column (\d+)|end of document)\)$", message)
    if place is None:
        return message, 1, 1
    line, column = place.groups(default="1")
    return message[: place.start()], int(line), int(column)


def _line_of(key: str, text: str) -> int:
    pattern = re.compile(rf"\s*\[?\s*[\"']?{re.escape(key)}\b")
    lines = enumerate(text.splitlines(), start=1)
    return next((number for number, line in lines if pattern.match(line)), 1)


def _wrong(name: str, text: str, line: int, column: int, problem: str) -> InputError:
    lines = text.split("\n")
    width = len(lines[line - 1].rstrip()) if line <= len(lines) else 0
    start = sum(len(each.encode()) + 1 for each in lines[: line - 1]) + column - 1
    end_column = max(column + 1, width + 1)
    span = Span(name, start, start + end_column - column, line, column, line, end_column)
    hint = f"a machine has {', '.join(KNOWN)}; sizes are in bytes"
    return InputError(Diagnostic("LW121", f"no description of a machine: {problem}", span, hint))


# --- from the system ----------------------------------------------------------------------------

VECTORS = (("avx512f", 64, 32), ("avx", 32, 16), ("sse2", 16, 16), ("asimd", 16, 32))
"""Flags of processors, with the bytes of a vector and the number of registers; the best first."""


def machine_of_system(root: Path = Path("/")) -> Machine:
    """The machine that this runs on, as far as the system tells; the rest is as usual."""
    found = {**_caches(root), **_vectors(root), "cores": _cores()}
    return Machine(**{name: value for name, value in found.items() if not _problem(name, value)})


def _cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1


def _caches(root: Path) -> dict[str, int]:
    """The caches for data of the first core, each as large as its share of one core."""
    found: dict[str, int] = {}
    for folder in sorted((root / "sys/devices/system/cpu/cpu0/cache").glob("index*")):
        facts = {name: _content(folder / name) for name in ("type", "level", "size")}
        size = _bytes(facts["size"])
        if size is None or facts["type"] not in ("Data", "Unified"):
            continue
        if facts["level"] in ("1", "2"):
            found[f"l{facts['level']}"] = size // _sharing(_content(folder / "shared_cpu_list"))
        line = _content(folder / "coherency_line_size")
        if facts["level"] == "1" and line.isdigit():
            found["line"] = int(line)
    return found


def _vectors(root: Path) -> dict[str, int]:
    """What the flags of the first processor say about vectors."""
    text = _content(root / "proc/cpuinfo")
    flags = re.search(r"^(?:flags|Features)\s*:(.*)$", text, re.MULTILINE)
    words = set(flags.group(1).split()) if flags is not None else set[str]()
    for flag, size, registers in VECTORS:
        if flag in words:
            return {"vector_bytes": size, "vector_registers": registers}
    return {}


def _content(path: Path) -> str:
    try:
        return path.read_text().strip()
    except (OSError, UnicodeDecodeError):
        return ""


def _bytes(text: str) -> int | None:
    """A size as the system writes it: ``32K``.

    >>> _bytes("32K"), _bytes("1M"), _bytes("4096"), _bytes("")
    (32768, 1048576, 4096, None)
    """
    size = re.fullmatch(r"(\d+)([KMG]?)", text)
    units: Mapping[str, int] = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30}
    return int(size.group(1)) * units[size.group(2)] if size is not None else None


def _sharing(text: str) -> int:
    """How many processors a list such as ``0-3,8`` has.

    >>> _sharing("0-3,8"), _sharing("")
    (5, 1)
    """
    ranges = re.findall(r"(\d+)(?:-(\d+))?", text)
    return max(1, sum(int(last or first) - int(first) + 1 for first, last in ranges))
