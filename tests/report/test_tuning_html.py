"""The page on what was tuned: complete, whole in itself, legible, and safe with any text."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from loopwright.report.side_by_side import Row, Skipped, side_by_side
from loopwright.report.tuning_chart import HEIGHT, PLOT, WIDTH, chart_svg, columns_of
from loopwright.report.tuning_html import tuning_frame, tuning_html
from loopwright.report.tuning_versions import TunedFunction, TunedVersion

from .tunings import FASTER, GEMVER, correl, gemver, kept, regions, wrong

XHTML, SVG = "{http://www.w3.org/1999/xhtml}", "{http://www.w3.org/2000/svg}"
EVIL = "</script><img src=x onerror=alert(1)>&\"'\x00\x0c\udcff"


def parsed(*functions: TunedFunction) -> ElementTree.Element:
    return ElementTree.fromstring(tuning_html(functions))


def with_class(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [each for each in root.iter() if name in each.get("class", "").split()]


def text_of(element: ElementTree.Element) -> str:
    return "".join(element.itertext())


@pytest.fixture(scope="module")
def page() -> ElementTree.Element:
    return parsed(wrong(), regions(), kept())


# --- the page -------------------------------------------------------------------------------------


def test_every_version_has_a_row() -> None:
    function = wrong()
    root = parsed(function)
    (table,) = root.iter(f"{XHTML}table")
    rows = list(table.iter(f"{XHTML}tr"))[1:]
    labels = [text_of(row[0]) for row in rows]
    assert Counter(labels) == Counter(each.label for each in function.versions)
    assert labels[0] == "fusion 0 0 0 1, tiles 32 x 256 -funroll-loops"
    assert [text_of(each) for each in rows[0]][1:] == [
        *("1", "[[S0 S1] S2] [[S3]]", "0.101 s", "2 %", "4.1×", "1.20×", "best")
    ]


def test_links_lead_to_something_in_the_page(page: ElementTree.Element) -> None:
    ids = [each.get("id") for each in page.iter() if each.get("id")]
    assert len(ids) == len(set(ids))
    links = [str(each.get("href")) for each in page.iter() if each.get("href")]
    assert len(links) > 20
    assert {each.removeprefix("#") for each in links} <= set(ids)


def test_nothing_comes_from_elsewhere() -> None:
    text = tuning_html([gemver()]).replace(XHTML[1:-1], "").replace(SVG[1:-1], "")
    assert "http:" not in text
    assert "https:" not in text
    assert not re.search(r"""\bsrc=|@import|url\(|<link|<iframe""", text)
    assert "default-src &#x27;none&#x27;" in text


def test_any_text_is_only_a_text() -> None:
    function = gemver()
    # A key is a part of ids and links; the tuner's are hexadecimal.
    versions = [
        TunedVersion("evil", EVIL, "ok", EVIL, (1.0,), 1.5, 1.5, ((EVIL, (EVIL,)),)),
        TunedVersion("worse", EVIL, "wrong", EVIL),
        TunedVersion("least", EVIL, "refused", EVIL),
    ]
    root = parsed(
        replace(
            function,
            function=EVIL,
            file=EVIL,
            sizes={EVIL: 3},
            machine=EVIL,
            compiler=EVIL,
            begun=EVIL,
            versions=(*function.versions, *versions),
            best="evil",
            original_text=GEMVER + EVIL,
            best_text=FASTER + EVIL,
            compile_with=EVIL,
        )
    )
    assert not list(root.iter(f"{XHTML}img"))
    assert len(list(root.iter(f"{XHTML}script"))) == 1
    assert text_of(root).count("<img src=x onerror=alert(1)>") > 15


def test_wrong_results_are_told_first(page: ElementTree.Element) -> None:
    (alarm,) = with_class(page, "alarm")
    assert alarm.get("role") == "alert"
    assert "fusion 0 0 1 1, tiles 8 (w1): x[3] differs for n = 7" in text_of(alarm)
    text = text_of(page)
    assert text.index("Wrong results.") < text.index("Every version with its speed")


def test_refusals_are_grouped_by_reason(page: ElementTree.Element) -> None:
    reasons = with_class(page, "reasons")[0]
    told = [text_of(each) for each in reasons]
    assert told[0].startswith("the proof takes too long: 2 regions of 3 are proved5 versions")
    assert told[0].endswith("fusion 0 0 0 1, tiles 64 x 8")
    assert [each.partition("1 version")[0] for each in told[1:]] == [
        *("no array can have copies", "gcc ended with status 1")
    ]


def test_diagrams_are_boxes_in_boxes() -> None:
    root = parsed(regions())
    winner = with_class(root, "card")[0]
    assert "winner" in winner.get("class", "")
    first, second, third = with_class(winner, "region")
    outer, other = (each for each in first if each.get("class") == "loop")
    assert [each.get("class") for each in outer] == ["loop", "statement"]
    assert (text_of(outer[0]), text_of(outer[1]), text_of(other)) == ("S0S1", "S2", "S3")
    assert [text_of(each) for each in second] == ["region 2", "S0", "S1"]
    assert [each.get("class") for each in third[1:]] == ["loop", "statement"]


def test_few_structures_are_shown_at_once() -> None:
    root = parsed(correl())
    shown, others = with_class(root, "cards")
    assert len(shown) == 12
    assert len(shown) + len(others) == 180
    speeds = [float(text_of(each).rstrip("×")) for each in with_class(root, "speed")]
    assert speeds == sorted(speeds, reverse=True)


def test_what_stays_as_it_is_is_not_compared() -> None:
    text = text_of(parsed(kept()))
    assert "The program stays as it is." in text
    assert "the original is the fastest" in text


def test_code_of_both_programs(page: ElementTree.Element) -> None:
    before, after = with_class(page, "before")[0], with_class(page, "after")[0]
    removed = [text_of(each) for each in with_class(before, "changed")]
    added = [text_of(each) for each in with_class(after, "changed")]
    assert removed[0] == "5\N{MINUS SIGN}  for (int i = 0; i < n; i++)"
    assert added[0] == "5+#pragma omp parallel for"
    assert len(list(before[1])) == len(list(after[1])), "lines stand beside each other"


def test_a_frame_holds_the_page_and_nothing_else() -> None:
    frame = ElementTree.fromstring(tuning_frame([wrong()]))
    assert frame.get("srcdoc") == tuning_html([wrong()]).replace("\n", " ")
    assert "allow-same-origin" not in frame.get("sandbox", "allow-same-origin")


# --- the chart ------------------------------------------------------------------------------------


def numbers(element: ElementTree.Element, *names: str) -> tuple[float, ...]:
    return tuple(float(element.get(name, "0")) for name in names)


@pytest.mark.parametrize("function", [gemver(), correl(), regions(), kept()])
def test_bars_are_as_high_as_versions_are_fast(function: TunedFunction) -> None:
    root = ElementTree.fromstring(chart_svg(function))
    bars = [numbers(each, "x", "y", "width", "height") for each in with_class(root, "bar")]
    gains = [each.version.gain or 0 for each in columns_of(function)]
    assert len(bars) == len(gains) == len(function.timed)
    scales = [height / gain for (*_, height), gain in zip(bars, gains, strict=True)]
    assert min(scales) == pytest.approx(max(scales), rel=0.02)
    for x, y, width, height in bars:
        assert x >= PLOT.left - 0.1
        assert x + width <= PLOT.right + 0.1
        assert y >= PLOT.top - 0.1
        assert y + height == pytest.approx(PLOT.bottom, abs=0.11)
    assert all(one[0] + one[2] <= other[0] + 0.1 for one, other in pairwise(bars))


def test_versions_of_a_structure_stand_together_the_fastest_first() -> None:
    columns = columns_of(correl(60))
    numbers = [each.structure.number for each in columns if each.structure is not None]
    assert numbers == sorted(numbers)
    assert columns[-1].version.label == "optimize", "its structure is not known"
    first, second, *_ = columns_of(gemver())
    assert first.structure is second.structure
    assert (first.version.gain or 0) > (second.version.gain or 0)


@pytest.mark.parametrize("function", [gemver(), correl(), kept(), replace(gemver(), best="x")])
def test_names_do_not_stand_on_each_other(function: TunedFunction) -> None:
    root = ElementTree.fromstring(chart_svg(function))
    heights = sorted(numbers(each, "y")[0] for each in with_class(root, "name"))
    assert all(other - one >= 14.9 for one, other in pairwise(heights))
    ticks = [numbers(each, "x", "y") for each in with_class(root, "tick")]
    below = sorted(x for x, y in ticks if y > PLOT.bottom + 5)
    assert all(other - one >= 17 for one, other in pairwise(below))
    assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in ticks)


def test_without_times_there_is_no_picture() -> None:
    untimed = tuple(replace(each, times=()) for each in gemver().versions)
    assert "No version was timed." in text_of(parsed(replace(gemver(), versions=untimed)))


# --- texts side by side ---------------------------------------------------------------------------


def test_texts_can_be_put_together_again() -> None:
    rows = [each for each in side_by_side(GEMVER, FASTER, 99) if isinstance(each, Row)]
    before = [each.before.text for each in rows if each.before is not None]
    after = [each.after.text for each in rows if each.after is not None]
    assert (before, after) == (GEMVER.splitlines(), FASTER.splitlines())
    for row in rows:
        assert row.is_changed == (
            row.before is None or row.after is None or row.before.text != row.after.text
        )


def test_long_stretches_are_left_out() -> None:
    same = "".join(f"{at}\n" for at in range(40))
    rows = side_by_side(f"{same}x\n{same}", f"{same}y\n{same}")
    assert [each.count for each in rows if isinstance(each, Skipped)] == [37, 37]
    assert len(rows) == 3 + 1 + 3 + 2


# --- colours --------------------------------------------------------------------------------------


def schemes() -> list[dict[str, str]]:
    """The colours of each scheme: light, dark, on paper."""
    text = tuning_html([]).partition("<style>")[2].partition("</style>")[0]
    blocks = re.findall(r":root \{(.*?)\}", text, re.DOTALL)
    return [dict(re.findall(r"--([\w-]+): (#[0-9a-f]+);", each)) for each in blocks]


def luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(2 * each for each in colour[1:])
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    linear = [
        each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in parts
    ]
    return sum(weight * each for weight, each in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted(map(luminance, (one, other)))
    return (lighter + 0.05) / (darker + 0.05)


def test_colours_can_be_told_apart() -> None:
    found = schemes()
    assert len(found) == 3
    for colours in found:
        for ink in ("ink", "quiet", "best", "optimize", "alarm"):
            for ground in ("page", "paper"):
                assert contrast(colours[ink], colours[ground]) >= 4.5, (ink, ground)
        assert contrast(colours["ink"], colours["removed"]) >= 4.5
        assert contrast(colours["ink"], colours["added"]) >= 4.5
        assert contrast(colours["alarm"], colours["alarm-paper"]) >= 4.5
        for bar in ("bar", "slower", "best"):
            assert contrast(colours[bar], colours["paper"]) >= 3, bar
