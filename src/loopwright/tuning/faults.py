"""What the sanitizers of a compiler say about a program, read from their reports."""

from __future__ import annotations

import re

from loopwright.basics.records import record

FLAGS = ("-fsanitize=address,undefined,float-cast-overflow", "-fno-sanitize-recover=all", "-g1")
FILLED = "-ftrivial-auto-var-init=pattern"
"""Variables without a value get one that is seldom right; not every compiler knows how."""
SETTINGS = {
    "ASAN_OPTIONS": "detect_leaks=0:exitcode=1:allocator_may_return_null=1:hard_rss_limit_mb=2048"
    ":max_malloc_fill_size=268435456",
    "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=0",
}
RESOURCES = ("out-of-memory", "allocation-size-too-big", "stack-overflow", "requested", "failed")
"""What the address sanitizer complains about that is not wrong with the program."""


@record
class Fault:
    """Something that a program must not do: what, and in which line.

    ``access`` is what was done to memory, ``address`` where that was, and ``variable`` what was
    missed, if the report names it.  ``base`` is the address of the memory that it is next to.
    """

    what: str
    line: int | None
    access: str = ""
    address: int | None = None
    base: int | None = None
    variable: str = ""


def fault_in(report: str, file: str) -> Fault | None:
    """The first fault of a report, if there is one; lines are those of this file.

    >>> fault_in("/tmp/k.c:7:3: runtime error: division by zero", "k.c")
    Fault(what='division by zero', line=7, access='', address=None, base=None, variable='')
    """
    undefined = re.search(r"^(.*?):(\d+):\d+: runtime error: (.*)$", report, re.MULTILINE)
    address = re.search(r"ERROR: AddressSanitizer:? (\S+)", report)
    if undefined is not None and (address is None or undefined.start() < address.start()):
        line = int(undefined.group(2)) if undefined.group(1).endswith(file) else None
        return Fault(undefined.group(3).strip(), line)
    if address is None or address.group(1) in RESOURCES:
        return None
    return _memory_fault(report[address.start() :], address.group(1), file)


def _memory_fault(report: str, kind: str, file: str) -> Fault:
    done = re.search(r"\b(READ|WRITE) of size \d+ at (0x[0-9a-f]+)", report)
    signal = re.search(r"SEGV on unknown address (0x[0-9a-f]+)?", report)
    caused = re.search(r"caused by a (READ|WRITE) memory access", report)
    region = re.search(r"-byte region \[(0x[0-9a-f]+),", report)
    place = re.search(rf"^\s*#\d+ .*{re.escape(file)}:(\d+)", report, re.MULTILINE)
    named = re.search(r"'(\w+)'(?: \(line \d+\))? <== Memory access", report) or re.search(
        r"of global variable '(\w+)", report
    )
    access = done or caused
    what = "out of bounds" if kind == "SEGV" or "-buffer-" in kind else kind
    address = done.group(2) if done is not None else signal.group(1) if signal is not None else None
    return Fault(
        what,
        int(place.group(1)) if place is not None else None,
        {"READ": "read", "WRITE": "written"}[access.group(1)] if access is not None else "",
        int(address, 16) if address else None,
        int(region.group(1), 16) if region is not None else None,
        named.group(1) if named is not None else "",
    )
