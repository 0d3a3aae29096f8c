"""What the attacks on the proof consist of: pairs of programs, and programs to be rewritten."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from loopwright.basics.records import record

FLAGS = ("-O2", "-march=native", "-fopenmp")


@record
class Pair:
    """Two whole programs, one of which somebody says is the other with better loops.

    Compiled with the flags and run, they print the same and end in the same way if ``is_same``, and
    do not otherwise.  ``define`` and ``include`` are what ``loopwright check`` is told as well;
    ``files`` are headers, by their names, that stand beside the programs.
    """

    name: str
    before: str
    after: str
    is_same: bool
    flags: tuple[str, ...] = FLAGS
    define: tuple[str, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict[str, str])
    standard: str = "gnu11"
    threads: int = 4


@record
class Program:
    """A whole program whose regions are to be rewritten, by ``optimize`` or by a script.

    If it ``must_be_rewritten``, to leave it alone is a loss; otherwise that is what is right, as is
    anything that prints the same.
    """

    name: str
    text: str
    must_be_rewritten: bool
    script: str = ""
    flags: tuple[str, ...] = FLAGS
    define: tuple[str, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict[str, str])
    standard: str = "gnu11"
    autodetect: bool = False
    threads: int = 4
