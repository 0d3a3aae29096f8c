"""Nothing put on: these are what the others dress up, and a checker has to take them."""

from __future__ import annotations

from tests.soundness.corpus.dressing import (
    CHAIN,
    COLUMNS,
    COUNT,
    DOWN,
    DOWN_TOGETHER,
    FILL,
    HORNER,
    IN_PARALLEL,
    LAST,
    PLAIN,
    PRODUCT,
    PRODUCT_BY_ROWS,
    ROWS,
    SHIFTED,
    TILED,
    UPDATE,
    multiplication,
    program,
    right,
)

PAIRS = tuple(
    right(n, PLAIN, o, w)
    for n, o, w in [
        ("fc", FILL + "\n" + CHAIN, CHAIN + "\n" + FILL),
        ("fcount", FILL + "\n" + COUNT, COUNT + "\n" + FILL),
        ("last", FILL + "\n" + LAST, LAST + "\n" + FILL),
        ("horner", FILL + "\n" + HORNER, HORNER + "\n" + FILL),
        ("sh", FILL + "\n" + SHIFTED, SHIFTED + "\n" + FILL),
        ("rows", ROWS, COLUMNS),
        ("tiled", ROWS, TILED),
        ("par", ROWS, IN_PARALLEL + ROWS),
        ("down", DOWN, DOWN_TOGETHER),
        ("prod", PRODUCT, PRODUCT_BY_ROWS),
        ("prodpar", PRODUCT, IN_PARALLEL + PRODUCT_BY_ROWS),
        ("downpar", DOWN, IN_PARALLEL + DOWN),
    ]
)
PROGRAMS = (
    program("plain"),
    program("auto", autodetect=True),
    program("cpp", standard="gnu++17"),
    program("autocpp", standard="gnu++17", autodetect=True),
    program("script", multiplication("S: " + UPDATE), script="interchange(S, 2, 3)\n"),
)
