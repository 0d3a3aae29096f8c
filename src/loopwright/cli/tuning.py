"""The best program by search: ``loopwright tune``."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from loopwright.basics.diagnostics import shortened
from loopwright.cli.application import app
from loopwright.cli.files import input_of, read_options
from loopwright.cli.optimizing import (
    FLAGS,
    USUAL,
    AsDiff,
    CompilerFlags,
    InPlace,
    MachineFile,
    Quiet,
    compiler_of,
    form_of,
    machine_of,
    refuse_overwriting,
    values_of,
    words_of,
)
from loopwright.cli.options import (
    Autodetect,
    Context,
    Define,
    Function,
    Include,
    NonNegative,
    Output,
    Standard,
    StoreFile,
    SystemInclude,
    store_of,
)

if TYPE_CHECKING:
    from loopwright.tuning.problems import Source

BUDGET = "5m"
UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0}
MOST_SECONDS = 1e6
MOST_THREADS = 4096
BESIDE_STORE = ("-wal", "-shm", "-journal")
"""How the names of the files end that SQLite keeps beside a store."""
IDLE_WITH_SHOW = (
    "budget", "candidates", "resume", "html", "cluster", "threads", "depth", "size", "cc", "cflags",
    "machine", "as_diff", "in_place",
)  # fmt: skip
"""Options that would do nothing where nothing is tuned."""

File = Annotated[str | None, typer.Argument(help="A C file, or - for standard input.")]
Budget = Annotated[str, typer.Option(metavar="TIME", help="For the whole search: 90, 90s, 5m, 1h.")]
Candidates = Annotated[
    int | None, typer.Option(metavar="N", min=2, help="Try at most so many for a function.")
]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with the last run, if it can be.")]
Show = Annotated[bool, typer.Option("--show", help="Tell what was tuned so far; tune nothing.")]
Html = Annotated[
    Path | None, typer.Option("--html", metavar="FILE", help="Write a page with all versions.")
]
Cluster = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="Try versions on a Dask cluster.")
]
Threads = Annotated[
    int | None, typer.Option(metavar="N", min=1, max=MOST_THREADS, help="Of the programs.")
]
Depth = Annotated[
    int | None, typer.Option(metavar="N", min=1, max=16, help="To which loops orders differ.")
]
Sizes = Annotated[
    str, typer.Option("--size", metavar="NAME=N,...", help="What the parameters are.")
]
Compiler = Annotated[
    str, typer.Option("--cc", envvar="CC", metavar="COMMAND", help="The C compiler.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print all that was found as JSON.")]


@app.command()
def tune(
    called: typer.Context,
    file: File = None,
    budget: Budget = BUDGET,
    candidates: Candidates = None,
    resume: Resume = False,
    show: Show = False,
    store: StoreFile = None,
    html: Html = None,
    cluster: Cluster = None,
    threads: Threads = None,
    depth: Depth = None,
    size: Sizes = "",
    cc: Compiler = USUAL,
    cflags: CompilerFlags = FLAGS,
    machine: MachineFile = None,
    as_json: AsJson = False,
    as_diff: AsDiff = False,
    in_place: InPlace = False,
    quiet: Quiet = False,
    function: Function = None,
    autodetect: Autodetect = False,
    include: Include = None,
    system_include: SystemInclude = None,
    define: Define = None,
    standard: Standard = "gnu11",
    context: Context = None,
    assume_non_negative: NonNegative = False,
    output: Output = None,
) -> None:
    """Try many versions of a program on this machine, and print the fastest one."""
    from loopwright.cli.tuning_work import Asking, Measures, Showing, Tuning

    compiled = compiler_of(cc), words_of("--cflags", cflags)
    compiler = (*compiled[0], *compiled[1])
    seconds, sizes = seconds_of(budget), values_of(size)
    form = form_of(file or "", as_json, as_diff, in_place, output, quiet)

    def source() -> Source:
        from loopwright.tuning.problems import Asked, Source

        name, content = input_of(file or "-")
        options = read_options(include, system_include, define, standard, compiled)
        asked = Asked(function, context, assume_non_negative, autodetect)
        return Source(name, content, options, asked)

    if show:
        refuse_useless(called)
        Showing(store_of(store), as_json, output)(source() if file is not None else None)
        return
    if file is None:
        raise typer.BadParameter("there is no file to tune; only --show needs none")
    place = store_of(store)
    refuse_lost_files(file, form.output, html, place)
    measures = Measures(tuple(sizes.items()), threads, depth)
    asking = Asking(seconds, candidates, resume, measures)
    tuning = Tuning(form, asking, place, html, cluster, machine_of(machine), compiler)
    tuning(source())


def seconds_of(text: str) -> float:
    """A time as people write it.

    >>> seconds_of("90"), seconds_of("1.5m"), seconds_of("1h")
    (90.0, 90.0, 3600.0)
    """
    found = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)([smh]?)", text.strip(), re.ASCII)
    seconds = float(found.group(1)) * UNITS[found.group(2)] if found is not None else 0.0
    if not 0 < seconds <= MOST_SECONDS:
        reason = f"write it as 90s, 5m or 1h; it is at most {MOST_SECONDS:.0f} seconds"
        raise typer.BadParameter(f"--budget {shortened(text)}: {reason}")
    return seconds


def refuse_lost_files(file: str, output: Path | None, html: Path | None, store: Path) -> None:
    """Refuse to write the program, the page and the store over each other."""
    program = Path(file)
    refuse_overwriting("--html", html, {"-o": output, "the program": program})
    for each in (store, *(store.with_name(store.name + end) for end in BESIDE_STORE)):
        refuse_overwriting("--store", each, {"-o": output, "--html": html, "the program": program})


def refuse_useless(called: typer.Context) -> None:
    """Refuse options that would do nothing beside ``--show``."""
    for option in IDLE_WITH_SHOW:
        source = called.get_parameter_source(option)
        if source is not None and source.name == "COMMANDLINE":
            name = option.removeprefix("as_").replace("_", "-")
            raise typer.BadParameter(f"--{name} would do nothing with --show: nothing is tuned")
