"""What tuning has found as one page for a browser: ``loopwright tune --html``.

The page needs nothing but itself: no other file, and nothing from elsewhere.  Without scripts it
only lacks sorting and filtering.  It is XML as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files

from loopwright.basics.quantities import Unit, sizes_text, unit_for
from loopwright.report.markup import escaped
from loopwright.report.side_by_side import Line, Row, Skipped, side_by_side
from loopwright.report.tuning_chart import chart_svg
from loopwright.report.tuning_texts import counts_text, reasons_of, times_text
from loopwright.report.tuning_versions import (
    Shape,
    Structure,
    TunedFunction,
    TunedVersion,
    shapes_text,
    structures_of,
)

CARDS = 12
"""So many structures are shown at once, the best ones; the others on demand."""
STATUS = {
    "ok": "",
    "same": "the same as another",
    "refused": "refused",
    "wrong": "WRONG RESULTS",
    "failed": "failed",
}
POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"


def tuning_html(functions: Sequence[TunedFunction]) -> str:
    """The page on some functions of a file."""
    title = ", ".join(dict.fromkeys(each.file for each in functions)) or "nothing"
    parts = [
        "<!DOCTYPE html>",
        '<html xmlns="http://www.w3.org/1999/xhtml" lang="en">',
        '<head><meta charset="utf-8"/>',
        f'<meta http-equiv="Content-Security-Policy" content="{escaped(POLICY)}"/>',
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>',
        f"<title>{escaped(title)}, tuned</title>",
        f"<style>\n{_resource('tuning_page.css')}</style></head>",
        "<body>",
        f"<header><h1>{escaped(title)}, tuned by loopwright</h1>",
        *_navigation(functions),
        "</header>",
        "<main>",
        *(_function(each, f"f{at}-") for at, each in enumerate(functions)),
        "</main>",
        "<footer><p>Every version was proved to be the same program before it was run, and its "
        "results were compared bit for bit with those of the original. Times are the best of "
        "several runs, in which versions took turns.</p></footer>",
        f"<script>\n{_resource('tuning_page.js')}</script>",
        "</body></html>",
    ]
    return "\n".join(parts) + "\n"


def tuning_frame(functions: Sequence[TunedFunction]) -> str:
    """The page within another one, such as a notebook, whose looks it leaves alone."""
    names = escaped(", ".join(each.function for each in functions))
    return (
        f'<iframe title="{names}, tuned" sandbox="allow-scripts" srcdoc="'
        f'{escaped(tuning_html(functions))}" style="width: 100%; height: 45rem; border: 0">'
        "</iframe>"
    )


def _resource(name: str) -> str:
    return files("loopwright.report").joinpath(name).read_text(encoding="utf-8")


def _navigation(functions: Sequence[TunedFunction]) -> Iterator[str]:
    if len(functions) > 1:
        links = (
            f'<li><a href="#f{at}-top">{escaped(each.function)}</a> {_gain_of_best(each)}</li>'
            for at, each in enumerate(functions)
        )
        yield f'<nav aria-label="Functions"><ul>{"".join(links)}</ul></nav>'


def _gain_of_best(function: TunedFunction) -> str:
    best = function.version(function.best)
    return _times(best.gain) if best is not None else ""


def _times(gain: float | None) -> str:
    return f"{times_text(gain)}\N{MULTIPLICATION SIGN}" if gain is not None else "–"


def _function(function: TunedFunction, prefix: str) -> str:
    """All about one function; ids begin with the prefix."""
    structures = structures_of(function)
    parts = [
        f'<section class="function" id="{prefix}top" aria-labelledby="{prefix}name">',
        f'<h2 id="{prefix}name"><code>{escaped(function.function)}</code></h2>',
        *_head(function),
        *_alarm(function),
        *_versions(function, prefix),
        *_structures(structures, function),
        *_code(function, prefix),
        *_trials(function, structures, prefix),
        *_refusals(function),
        "</section>",
    ]
    return "\n".join(parts)


# --- the head -------------------------------------------------------------------------------------


def _head(function: TunedFunction) -> Iterator[str]:
    best = function.version(function.best)
    figures: list[tuple[str, str, str]] = []
    if best is None or best.key == function.original:
        figures.append((_times(1.0), "the original is the fastest", ""))
    else:
        figures.append((_times(best.gain), "as fast as the original", "winner"))
    if best is not None and best.key == function.optimize:
        figures.append((_times(1.0), "what optimize makes is the fastest", ""))
    elif best is not None and best.over_optimize is not None:
        figures.append((_times(best.over_optimize), "as fast as what optimize makes", "winner"))
    unit = _unit(function)
    for name, key in (("original", function.original), ("best", function.best)):
        version = function.version(key)
        if (
            version is not None
            and version.times
            and (name == "original" or key != function.original)
        ):
            figures.append((unit.text(version.seconds), name, ""))
    items = (
        f'<li class="{look}"><strong>{escaped(value)}</strong> {escaped(what)}</li>'
        for value, what, look in figures
    )
    yield f'<ul class="figures">{"".join(items)}</ul>'
    facts = "".join(
        f"<dt>{escaped(name)}</dt><dd>{value}</dd>" for name, value in _facts(function).items()
    )
    yield f'<dl class="facts">{facts}</dl>'


def _facts(function: TunedFunction) -> Mapping[str, str]:
    """What is told about the run; the values are HTML."""
    first, last = function.lines
    best = function.version(function.best)
    threads = f"{function.threads} thread{'' if function.threads == 1 else 's'}"
    sizes = f"{sizes_text(function.sizes)}; " if function.sizes else ""
    date = f'<time datetime="{escaped(function.begun)}">{escaped(_date(function.begun))}</time>'
    return {
        "source": f"{escaped(function.file)}, lines {first}-{last}",
        "measured at": escaped(f"{sizes}{threads}"),
        "machine": escaped(function.machine),
        "compiler": escaped(function.compiler),
        "date": date,
        "tried": escaped(counts_text(function)),
        "best version": escaped(best.label if best is not None else "the original"),
        "compile it with": f"<code>{escaped(function.compile_with)}</code>",
    }


def _date(begun: str) -> str:
    """A moment for people.

    >>> _date("2026-10-05T12:30:59+00:00")
    '2026-10-05 12:30 UTC'
    """
    return begun.replace("T", " ")[:16] + (" UTC" if begun.endswith("+00:00") else "")


def _unit(function: TunedFunction) -> Unit:
    return unit_for(each.seconds for each in function.timed)


def _alarm(function: TunedFunction) -> Iterator[str]:
    wrong = function.with_status("wrong")
    if wrong:
        items = "".join(
            f"<li>{escaped(each.label)} (<code>{escaped(each.key)}</code>): "
            f"{escaped(each.reason)}</li>"
            for each in wrong
        )
        yield (
            '<div class="alarm" role="alert"><strong>Wrong results.</strong> These versions were '
            "proved, and computed something else. They were thrown away. Please report this: it is "
            f"a fault in loopwright.<ul>{items}</ul></div>"
        )


# --- pictures -------------------------------------------------------------------------------------


def _versions(function: TunedFunction, prefix: str) -> Iterator[str]:
    picture = chart_svg(function, f"{prefix}v-")
    yield "<h3>Every version with its speed</h3>"
    if not picture:
        yield "<p>No version was timed.</p>"
        return
    yield (
        '<figure class="versions paper"><div class="scroll" tabindex="0" role="group" '
        f'aria-label="Speed of every version">{picture}</div>'
        '<p class="readout quiet">Point at a bar to see which version it is; it leads to its row '
        "in the table.</p></figure>"
    )


def _structures(structures: Sequence[Structure], function: TunedFunction) -> Iterator[str]:
    if not structures:
        return
    fastest = sorted(structures, key=lambda each: -(each.best.gain or 0.0))
    top = fastest[0].best.gain or 1.0
    cards = [_card(each, function, len(structures), top) for each in fastest]
    count = len(structures)
    yield f"<h3>{count} fusion structure{'' if count == 1 else 's'}, the fastest first</h3>"
    yield (
        '<p class="quiet">A coloured box is a loop around what is in it; what stands side by side '
        "runs one after the other. Numbers go from maximal fusion to maximal distribution, as in "
        "the picture above.</p>"
    )
    yield f'<div class="cards">{"".join(cards[:CARDS])}</div>'
    if cards[CARDS:]:
        yield f"<details><summary>{len(cards) - CARDS} more structures</summary>"
        yield f'<div class="cards">{"".join(cards[CARDS:])}</div></details>'


def _card(structure: Structure, function: TunedFunction, count: int, top: float) -> str:
    best = structure.best
    keys = {each.key for each in structure.versions}
    marks = {
        "maximal fusion": structure.number == 1 < count,
        "maximal distribution": structure.number == count > 1,
        "the original": function.original in keys,
        "optimize": function.optimize in keys,
    }
    tags = " ".join(f'<span class="tag">{name}</span>' for name, holds in marks.items() if holds)
    share = 100 * (best.gain or 0.0) / top
    number = len(structure.versions)
    versions = f"{number} version{'' if number == 1 else 's'}"
    look = "card winner" if function.best in keys else "card"
    return (
        f'<article class="{look}"><header><h4>structure {structure.number}</h4>'
        f'<span class="speed">{_times(best.gain)}</span></header>'
        f'<div class="meter" aria-hidden="true"><span style="width: {share:.1f}%"></span></div>'
        f"{_diagrams(structure.shapes)}{f'<p>{tags}</p>' if tags else ''}"
        f'<p class="quiet">{versions}; best: {escaped(best.label)}</p></article>'
    )


def _diagrams(shapes: Sequence[Shape]) -> str:
    """A diagram for each region."""
    described = escaped(shapes_text(tuple(shapes)))
    several = len(shapes) > 1
    rows = (
        f'<div class="region">{_region_name(at) if several else ""}'
        f"{''.join(map(_diagram, shape))}</div>"
        for at, shape in enumerate(shapes, 1)
    )
    return f'<div role="img" aria-label="{described}" title="{described}">{"".join(rows)}</div>'


def _region_name(number: int) -> str:
    return f'<span class="region-name">region {number}</span>'


def _diagram(shape: Shape) -> str:
    """Boxes in boxes.

    >>> _diagram(("S0",))
    '<span class="loop"><span class="statement">S0</span></span>'
    """
    if isinstance(shape, str):
        return f'<span class="statement">{escaped(shape)}</span>'
    return f'<span class="loop">{"".join(map(_diagram, shape))}</span>'


# --- the program ----------------------------------------------------------------------------------


def _code(function: TunedFunction, prefix: str) -> Iterator[str]:
    yield "<h3>The best program beside the original</h3>"
    if function.best_text == function.original_text:
        yield "<p>The program stays as it is.</p>"
        return
    rows = side_by_side(function.original_text, function.best_text)
    before = "".join(_code_line(each, is_new=False) for each in rows)
    after = "".join(_code_line(each, is_new=True) for each in rows)
    sides = _side("before", "the original", before) + _side("after", "the best version", after)
    yield f'<div class="code">{sides}</div>'
    yield (
        f'<details class="whole" id="{prefix}program"><summary>the whole program, to copy'
        f'</summary><pre class="whole">{escaped(function.best_text)}</pre></details>'
    )


def _side(look: str, title: str, lines: str) -> str:
    return (
        f'<div class="side {look}" tabindex="0" role="group" aria-label="{title}">'
        f'<h4>{title}</h4><div class="lines mono">{lines}</div></div>'
    )


def _code_line(row: Row | Skipped, *, is_new: bool) -> str:
    if isinstance(row, Skipped):
        lines = f"{row.count} lines that did not change"
        return f'<div class="skipped"><i>⋮</i><b></b><span>{lines}</span></div>'
    line: Line | None = row.after if is_new else row.before
    if line is None:
        return '<div class="gap"><i></i><b></b><span> </span></div>'
    mark = ("+" if is_new else "\N{MINUS SIGN}") if row.is_changed else ""
    look = ' class="changed"' if row.is_changed else ""
    text = escaped(line.text) or " "
    return f"<div{look}><i>{line.number}</i><b>{mark}</b><span>{text}</span></div>"


# --- tables ---------------------------------------------------------------------------------------


def _trials(function: TunedFunction, structures: Sequence[Structure], prefix: str) -> Iterator[str]:
    unit = _unit(function)
    numbers = {each.key: found.number for found in structures for each in found.versions}
    others = [each for each in function.versions if not each.is_timed]
    rows = (_trial(each, function, unit, numbers, prefix) for each in (*function.timed, *others))
    heads = (
        ("version", ""),
        ("structure", "number"),
        ("loops", ""),
        ("time", "number"),
        ("spread", "number"),
        ("over original", "number greatest-first"),
        ("over optimize", "number greatest-first"),
        ("", ""),
    )
    cells = "".join(
        f'<th scope="col" class="{look}">{name or "what became of it"}</th>' for name, look in heads
    )
    yield "<h3>All trials</h3>"
    yield (
        f'<p class="filter" hidden="hidden"><label>Only those with <input type="search" '
        f'data-table="{prefix}trials" placeholder="tiles 32"/></label> <output></output></p>'
    )
    yield (
        f'<div class="scroll" tabindex="0" role="group" aria-label="All trials"><table '
        f'class="sortable" id="{prefix}trials"><caption class="visually-hidden">All trials, the '
        f"fastest first</caption><thead><tr>{cells}</tr></thead><tbody>{''.join(rows)}</tbody>"
        "</table></div>"
    )


def _trial(
    version: TunedVersion,
    function: TunedFunction,
    unit: Unit,
    numbers: Mapping[str, int],
    prefix: str,
) -> str:
    names = {
        "best": version.key == function.best,
        "original": version.key == function.original,
        "optimize": version.key == function.optimize,
    }
    known = [name for name, holds in names.items() if holds]
    look = "winner" if "best" in known else "known" if known else version.status
    spread = f"{100 * version.spread:.0f} %" if version.times else ""
    what = ", ".join([each for each in (*known, STATUS[version.status]) if each])
    reason = f": {version.reason}" if version.reason else ""
    number = numbers.get(version.key)
    cells = [
        _figure(str(number) if number is not None else "", number),
        f'<td class="loops">{escaped(shapes_text(version.structures))}</td>',
        _figure(unit.text(version.seconds), version.seconds)
        if version.times
        else _figure("", None),
        _figure(spread, version.spread if version.times else None),
        _figure(_times(version.gain) if version.gain is not None else "", version.gain),
        _figure(
            _times(version.over_optimize) if version.over_optimize is not None else "",
            version.over_optimize,
        ),
        f"<td>{escaped(what + reason)}</td>",
    ]
    return (
        f'<tr class="{look}" id="{escaped(prefix)}v-{escaped(version.key)}">'
        f'<th scope="row">{escaped(version.label)}</th>{"".join(cells)}</tr>'
    )


def _figure(shown: str, value: float | None) -> str:
    """A cell that is sorted by a number."""
    sorted_by = "" if value is None else f"{value:.9g}"
    return f'<td class="number" data-value="{sorted_by}">{escaped(shown)}</td>'


def _refusals(function: TunedFunction) -> Iterator[str]:
    """What was not timed, for each reason."""
    without = function.with_status("refused", "failed")
    if not without:
        return
    yield "<h3>What was refused, and why</h3>"
    items: list[str] = []
    for reason, those in reasons_of(without).items():
        labels = "".join(f"<li>{escaped(each.label)}</li>" for each in those)
        count = f"{len(those)} version{'' if len(those) == 1 else 's'}"
        items.append(
            f"<li>{escaped(reason or 'no reason is known')}"
            f"<details><summary>{count}</summary><ul>{labels}</ul></details></li>"
        )
    yield f'<ul class="reasons">{"".join(items)}</ul>'
