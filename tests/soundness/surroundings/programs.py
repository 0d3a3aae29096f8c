"""Whole programs around a region, and what is put on them.

A program is a frame with slots.  A :class:`Dress` fills some of them, changes some words of the
frame, spells the loops of the region in another way, and may bring headers and macros of the
command line along.  What several dresses make of a frame is a :class:`Sheet`: there it is still
known which line comes from where, so that somebody can change it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, replace
from random import Random

from loopwright.basics.records import record
from tests.soundness.surroundings.regions import Region

FRAME = """\
@first
#include <stdio.h>
#include <math.h>
#include <stddef.h>
@top
enum { N = 40, SLACK = 48 };
@types
double a[SLACK][SLACK], b[SLACK][SLACK], w[SLACK][SLACK];
double c[SLACK], d[SLACK], e[SLACK];
double s, t;
int x[SLACK], y[SLACK];
@names
@head
void work(int n)
{
    double v = 1;
@opening
@front
#pragma scop
@inside
@region
@within
#pragma endscop
@behind
@closing
}
@others
static unsigned long seen = 1469598103934665603u;
static void note(const volatile void *place, unsigned long size)
{
    for (unsigned long k = 0; k < size; k++)
        seen = (seen ^ ((const volatile unsigned char *)place)[k]) * 1099511628211u;
}
int main(void)
{
    volatile int size = N;
    s = 1.5;
    t = 0.75;
    for (int k = 0; k < SLACK; k++) {
        c[k] = 3 * k % 7 + 1.0 / (k + 2);
        d[k] = 5 * k % 11 + 0.3;
        e[k] = k * k % 13 - 2.0 / (k + 3);
        x[k] = k % 9 - 3;
        y[k] = 7 * k % 17;
        for (int l = 0; l < SLACK; l++) {
            a[k][l] = (3 * k + 5 * l) % 17 + 1.0 / (k + l + 1);
            b[k][l] = (7 * k + 2 * l) % 19 - 0.7;
            w[k][l] = (2 * k + 9 * l) % 5 + 1.0 / (2 * k + l + 3);
        }
    }
@setup
    work(size);
@told
    note(a, sizeof a);
    note(b, sizeof b);
    note(w, sizeof w);
    note(c, sizeof c);
    note(d, sizeof d);
    note(e, sizeof e);
    note(x, sizeof x);
    note(y, sizeof y);
    note(&s, sizeof s);
    note(&t, sizeof t);
    printf("%lx %.9g %.9g %d\\n", seen, (double)a[1][2], (double)c[N - 1], (int)x[3]);
    return 0;
}
@last
"""
AROUND = ("top", "types", "names", "opening", "front", "behind", "closing", "others")
INSIDE = ("inside", "within")
EARLY = ("top", "types", "names", "opening", "front", "inside")
"""Slots in front of the loops."""
FRAME_LINES = frozenset(FRAME.splitlines())


def _unchanged(text: str) -> str:
    return text


Edit = Callable[[str], str]


@record
class Dress:
    """What a program wears: lines in slots, and changes of what is there."""

    kind: str
    slots: tuple[tuple[str, str], ...] = ()
    swaps: tuple[tuple[str, str], ...] = ()
    """Words of the frame, and what stands there instead."""
    edit: Edit = _unchanged
    """How the loops are spelled."""
    edits: str = "both"
    """Which loops those are: both, or only the ``old`` or the ``new`` ones."""
    files: Mapping[str, str] = field(default_factory=dict[str, str])
    define: tuple[str, ...] = ()
    finish: Edit = _unchanged
    """What becomes of the whole text in the end."""


@record
class Wearer:
    """What a dress is made for."""

    standard: str
    region: Region

    @property
    def is_cpp(self) -> bool:
        """Is it a program in C++?"""
        return "++" in self.standard

    @property
    def is_strict(self) -> bool:
        """Is it a program of an ISO standard, in which trigraphs mean something?"""
        return not self.standard.startswith("gnu")


Maker = Callable[[Random, Wearer], "Dress | None"]


@record
class Piece:
    """Some lines, and the slot that they stand in."""

    slot: str
    text: str
    kind: str


@record
class Sheet:
    """A program in pieces."""

    frame: str
    pieces: tuple[Piece, ...]
    finishes: tuple[Edit, ...]

    @property
    def text(self) -> str:
        """The program."""
        lines: list[str] = []
        for line in self.frame.splitlines():
            if line.startswith("@"):
                lines += [each.text for each in self.pieces if each.slot == line[1:]]
            else:
                lines.append(line)
        text = "\n".join(lines) + "\n"
        for finish in self.finishes:
            text = finish(text)
        return text

    def but(self, *pieces: Piece) -> Sheet:
        """The same with other pieces."""
        return replace(self, pieces=pieces)


def sheet_of(dresses: Iterable[Dress], loops: str, which: str) -> Sheet:
    """A program that wears these, around loops of which it is said which of a region they are."""
    worn = tuple(dresses)
    frame = FRAME
    for each in worn:
        for old, new in each.swaps:
            frame = frame.replace(old, new)
        if each.edits in ("both", which):
            loops = each.edit(loops)
    pieces = [Piece(slot, text, each.kind) for each in worn for slot, text in each.slots]
    pieces.append(Piece("region", loops, "region"))
    return Sheet(frame, tuple(pieces), tuple(each.finish for each in worn))


def placed(
    rng: Random, text: str, *slots: str
) -> tuple[tuple[tuple[str, str], ...], dict[str, str]]:
    """Lines in one of some slots, or in a header that is included there; and those headers."""
    slot = rng.choice(slots)
    if rng.random() < 0.7:
        return ((slot, text),), {}
    name = f"part{rng.randrange(1000)}.h"
    files = {name: text + "\n"}
    kind = rng.randrange(6)
    if kind == 0:
        files[name] = f"#pragma once\n{text}\n"
    elif kind == 1:
        guard = name.replace(".", "_").upper()
        files[name] = f"#ifndef {guard}\n#define {guard}\n{text}\n#endif\n"
    elif kind == 2:
        files[f"outer_{name}"] = f'/* more */\n#include "{name}"\n'
        return ((slot, f'#include "outer_{name}"'),), files
    elif kind == 3:
        files[name] = f"#pragma GCC system_header\n{text}\n"
    return ((slot, rng.choice((f'#include "{name}"', f"#include <{name}>"))),), files


def fresh(rng: Random, stem: str) -> str:
    """A name that hardly anybody else has."""
    return f"{stem}_{rng.randrange(1000)}"
