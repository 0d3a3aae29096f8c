"""What tuning has found: the report after a run, the tables of ``tune --show``, and plain data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from loopwright.basics.quantities import Unit, sizes_text, unit_for
from loopwright.report.table import WIDTH, columns, wrapped
from loopwright.report.tuning_versions import (
    TunedFunction,
    TunedVersion,
    TuningRun,
    shape_text,
    shapes_text,
)

FIRST = 16
"""The width of what the figures of a version stand behind."""
MOST_LABELS = 4
"""Of versions that were refused for the same reason, so many are named."""


def tuning_text(functions: Sequence[TunedFunction]) -> str:
    """The report after a run: what was tried, and how fast the best version is."""
    return "\n\n".join("\n".join(_report_lines(each)) for each in functions) + "\n"


def _report_lines(function: TunedFunction) -> Iterator[str]:
    unit = _unit(function)
    yield title_text(function)
    yield from wrapped(counts_text(function), 2)
    original, optimize, best = (
        function.version(key) for key in (function.original, function.optimize, function.best)
    )
    yield f"  {'original':<{FIRST}}{_time(original, unit)}".rstrip()
    yield f"  {'optimize':<{FIRST}}{_time(optimize, unit)}{_gain(optimize)}".rstrip()
    if best is None or best.key == function.original:
        yield f"  {'best':<{FIRST + 3}}the original: {_why_not_others(function, best)}"
    elif best.key == function.optimize:
        yield f"  {'best':<{FIRST + 3}}what optimize makes: {_why_not_others(function, best)}"
    else:
        figures = f"{'best':<{FIRST}}{_time(best, unit)}{_gain(best)}: {best.label}"
        yield from wrapped(figures, 2)
    yield from wrapped(f"compile it with {function.compile_with}", 2)
    yield from wrong_lines(function)


def _why_not_others(function: TunedFunction, best: TunedVersion | None) -> str:
    """Why it is not one of the versions that a search is for."""
    others = [each for each in function.timed if each != best]
    if not others:
        return "nothing else was timed"
    own = best.gain if best is not None and best.gain is not None else 1.0
    is_close = any(each.gain is not None and each.gain > own for each in others)
    return "nothing was certain to be faster" if is_close else "nothing was faster"


def title_text(function: TunedFunction) -> str:
    """Which function it is, and for what it was tuned."""
    first, last = function.lines
    threads = f"{function.threads} thread{'' if function.threads == 1 else 's'}"
    sizes = [f"at {sizes_text(function.sizes)}"] if function.sizes else []
    where = ", ".join([function.file, f"lines {first}-{last}", *sizes, threads])
    return f"{function.function}  ({where})"


def counts_text(function: TunedFunction) -> str:
    """How many candidates there were, and what became of them.

    Nothing is said about what did not happen.
    """
    counts = (
        (len(function.timed), "timed"),
        (len(function.with_status("same")), "the same as others"),
        (len(function.with_status("refused")), "refused"),
        (len(function.with_status("failed")), "failed"),
        (len(function.with_status("wrong")), "WRONG"),
        (len(function.untimed), "not timed"),
    )
    told = ", ".join(f"{count} {what}" for count, what in counts if count)
    total = len(function.versions)
    return f"{total} candidate{'' if total == 1 else 's'}{': ' if told else ''}{told}"


def wrong_lines(function: TunedFunction) -> list[str]:
    """A version that was proved and computes something else is a fault of ours."""
    wrong = function.with_status("wrong")
    if not wrong:
        return []
    lines = ["  WRONG RESULTS: these versions were proved, and computed something else."]
    for each in wrong:
        lines += wrapped(f"{each.label} ({each.key}): {each.reason}", 4)
    plea = "They were thrown away. Please report this: it is a fault in loopwright."
    return [*lines, *wrapped(plea, 4, 0)]


def _unit(function: TunedFunction) -> Unit:
    return unit_for(each.seconds for each in function.timed)


def _time(version: TunedVersion | None, unit: Unit) -> str:
    if version is None or not version.times:
        return f"{'not timed':>10}"
    return f"{unit.text(version.seconds):>10}"


def _gain(version: TunedVersion | None) -> str:
    if version is None or version.gain is None:
        return ""
    return f"   {times_text(version.gain)} times as fast"


def times_text(gain: float) -> str:
    """How many times as fast; two digits behind the point where one would hide the difference.

    >>> times_text(4.12), times_text(1.04), times_text(0.5), times_text(123.4)
    ('4.1', '1.04', '0.50', '123')
    """
    return f"{gain:.2f}" if gain < 1.95 else f"{gain:.1f}" if gain < 99.5 else f"{gain:.0f}"


# --- tune --show ----------------------------------------------------------------------------------


def runs_text(runs: Sequence[TuningRun]) -> str:
    """The runs that the store knows, in the order in which they are given."""
    if not runs:
        return "nothing was tuned yet\n"
    head = ("run", "function", "file", "sizes", "begun", "over original", "over optimize", "best")
    return "\n".join(columns([head, *map(_run_cells, runs)])) + "\n"


def _run_cells(run: TuningRun) -> tuple[str, ...]:
    gains = (
        "-" if each is None else f"{times_text(each)} x" for each in (run.gain, run.over_optimize)
    )
    best = run.best if run.is_ended else f"{run.best or 'none'} (not ended)"
    begun = run.begun.replace("T", " ")[:16]
    return str(run.number), run.function, run.file, sizes_text(run.sizes), begun, *gains, best


def versions_text(function: TunedFunction) -> str:
    """Every version with its speed, the fastest first; then what has none, and why."""
    lines = [title_text(function)]
    lines += wrapped(f"{function.machine}; {function.compiler}; {function.begun}", 2)
    lines += wrapped(counts_text(function), 2)
    lines += wrong_lines(function)
    if function.timed:
        lines += ["", *(f"  {line}" for line in _version_lines(function))]
    for status, title in (("refused", "refused"), ("failed", "failed")):
        lines += _reason_lines(title, [each for each in function.versions if each.status == status])
    same = function.with_status("same")
    if same:
        lines += ["", "  the same as others", *_listed(same)]
    if function.untimed:
        lines += ["", "  not timed", *_listed(function.untimed)]
    return "\n".join(lines) + "\n"


def _version_lines(function: TunedFunction) -> list[str]:
    """The loops of the versions are told if they are known and there is room for them."""
    rows = list(_version_rows(function))
    lines = columns(rows)
    has_loops = any(each.structures for each in function.timed)
    fits = has_loops and max(map(len, lines)) <= WIDTH - 2
    return lines if fits else columns([row[:-1] for row in rows])


def _version_rows(function: TunedFunction) -> Iterator[tuple[str, ...]]:
    unit = _unit(function)
    yield "time", "over original", "over optimize", "version", "loops"
    for each in function.timed:
        gains = (
            "-" if gain is None else f"{times_text(gain)} x"
            for gain in (each.gain, each.over_optimize)
        )
        mark = " *" if each.key == function.best else ""
        loops = shapes_text(each.structures)
        yield unit.text(each.seconds), *gains, f"{each.label}{mark}", loops


def reasons_of(versions: Sequence[TunedVersion]) -> dict[str, list[TunedVersion]]:
    """The versions for each reason, the most frequent one first."""
    found: dict[str, list[TunedVersion]] = {}
    for each in versions:
        found.setdefault(each.reason, []).append(each)
    return dict(sorted(found.items(), key=lambda item: -len(item[1])))


def _reason_lines(title: str, versions: Sequence[TunedVersion]) -> list[str]:
    if not versions:
        return []
    lines = ["", f"  {title}"]
    for reason, those in reasons_of(versions).items():
        lines += wrapped(f"{len(those)}: {reason}", 4)
        lines += _listed(those, 8)
    return lines


def _listed(versions: Sequence[TunedVersion], indent: int = 4) -> list[str]:
    """The first of these versions, and how many more there are."""
    labels = [each.label for each in versions[:MOST_LABELS]]
    more = len(versions) - len(labels)
    told = "; ".join([*labels, *([f"and {more} more"] if more else [])])
    return wrapped(told, indent, 0)


# --- plain data -----------------------------------------------------------------------------------


def tuning_document(functions: Sequence[TunedFunction], code: str | None = None) -> dict[str, Any]:
    """All of it as plain data: ``loopwright tune --json``.

    The ``code`` is the whole program, with all functions as they are best.
    """
    return {
        "format": "loopwright-tuning-1",
        **({} if code is None else {"code": code}),
        "functions": [_function_document(each) for each in functions],
    }


def _function_document(function: TunedFunction) -> dict[str, Any]:
    return {
        "function": function.function,
        "file": function.file,
        "lines": list(function.lines),
        "sizes": dict(function.sizes),
        "machine": function.machine,
        "compiler": function.compiler,
        "threads": function.threads,
        "begun": function.begun,
        "original": function.original,
        "optimize": function.optimize,
        "best": function.best,
        "compile_with": function.compile_with,
        "code": function.best_text,
        "versions": [_version_document(each) for each in function.versions],
    }


def _version_document(version: TunedVersion) -> dict[str, Any]:
    return {
        "key": version.key,
        "label": version.label,
        "status": version.status,
        "reason": version.reason or None,
        "seconds": list(version.times),
        "gain": version.gain,
        "over_optimize": version.over_optimize,
        "structures": [shape_text(each) for each in version.structures],
    }
