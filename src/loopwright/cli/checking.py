"""Are two programs the same?  ``loopwright check``."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from loopwright.basics.diagnostics import InputError, excerpt
from loopwright.basics.records import record
from loopwright.cli.application import app
from loopwright.cli.children import OUT_OF_MEMORY, next_child
from loopwright.cli.files import (
    ANSWER_IS_NO,
    BAD_INPUT,
    Reporting,
    input_of,
    progress,
    question_of,
    read_options,
    say,
    tell,
    write,
)
from loopwright.cli.guarding import Attempt, Watch
from loopwright.cli.optimizing import (
    FLAGS,
    SECONDS,
    USUAL,
    Compiler,
    CompilerFlags,
    Timeout,
    compiler_of,
    refuse_overwriting,
    require_time,
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
    SystemInclude,
)
from loopwright.model.proofs import Counterexample, Proof, Unknown

if TYPE_CHECKING:
    from loopwright.basics.spans import Span
    from loopwright.certifying import Source
    from loopwright.checking import Tried
    from loopwright.frontend.clang_library import ReadOptions
    from loopwright.frontend.reading import Question

CANNOT_TELL = 3
Answer = Proof | Counterexample | Unknown


@app.command()
def check(
    original: Annotated[str, typer.Argument(help="A C file with its regions marked, or -.")],
    transformed: Annotated[str, typer.Argument(help="The same program with other loops, or -.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")] = False,
    run: Annotated[
        bool,
        typer.Option("--run", help="Compile and run both, too, where there is no other answer."),
    ] = False,
    reassociate: Annotated[
        bool, typer.Option("--reassociate", help="Sums and their like may be computed in parts.")
    ] = False,
    certificate: Annotated[
        str | None,
        typer.Option("--certificate", metavar="FILE", help="Prove again what this file says."),
    ] = None,
    z3: Annotated[bool, typer.Option("--z3", help="Ask z3 as well as isl.")] = False,
    smt: Annotated[
        Path | None,
        typer.Option("--smt", metavar="FILE", help="Write the obligations here, in SMT-LIB."),
    ] = None,
    timeout: Timeout = SECONDS,
    cc: Compiler = USUAL,
    cflags: CompilerFlags = FLAGS,
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
    """Tell whether two C files are the same program: yes (0), no (1), or not known (3)."""
    if [original, transformed, certificate].count("-") > 1:
        raise typer.BadParameter("only one of the files can be -")
    require_time(timeout)
    needed = {each: Path(each) for each in (original, transformed, certificate) if each}
    refuse_overwriting("-o", output, needed)
    refuse_overwriting("--smt", smt, {**needed, "-o": output})
    before, after = _input(original), _input(transformed)
    compiled = compiler_of(cc), words_of("--cflags", cflags)
    options = partial(read_options, include, system_include, define, standard, compiled)
    question = partial(question_of, function, context, assume_non_negative, autodetect)
    compiler = compiled[0] if run else None
    told = _input(certificate) if certificate is not None else None
    proving = Proving(options, question, reassociate, z3, told)
    job = Job(before, after, proving, compiler, Written(as_json, output, smt))
    _guarded(job, timeout)


def _guarded(job: Job, seconds: float) -> NoReturn:
    """Do it within so many seconds, and leave with its exit status."""
    status, _ = next_child().finish(Attempt(job, monotonic() + seconds, {}))
    if os.WIFEXITED(status) and os.WEXITSTATUS(status) != OUT_OF_MEMORY:
        raise SystemExit(os.WEXITSTATUS(status))
    is_late = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM
    late = f"there was no proof within {seconds:g} seconds"
    answer = Unknown(late if is_late else "it took more memory than there is")
    with Reporting(job.original.name, job.original.content):
        write(job.text(answer), job.written.output)
    raise SystemExit(CANNOT_TELL)


def _input(file: str) -> Source:
    from loopwright.certifying import Source

    return Source(*input_of(file))


@record(eq=False)
class Proving:
    """How to read two programs, and what to prove of them."""

    options: Callable[[], ReadOptions]
    question: Callable[[], Question]
    reassociates: bool
    asks_z3: bool
    certificate: Source | None


@record
class Written:
    """What is written, and where."""

    as_json: bool
    output: Path | None
    smt: Path | None


@record(eq=False)
class Job:
    """Two programs, how to prove that they are the same, and how to answer."""

    original: Source
    transformed: Source
    proving: Proving
    compiler: tuple[str, ...] | None
    written: Written

    def __call__(self, watch: Watch) -> None:
        """Find the answer and print it; only for the proof is there a limit of time."""
        from loopwright.checking import Asked, prove_again, try_to_prove
        from loopwright.verify.solvers import NoZ3

        how, programs = self.proving, (self.original, self.transformed)
        try:
            asked = Asked(how.options(), how.question(), how.reassociates, how.asks_z3)
            if how.certificate is None:
                tried = try_to_prove(*programs, asked)
            else:
                tried = prove_again(*programs, asked, how.certificate)
            watch.done()
            self._write_obligations(tried)
            found = tried.answer(self.compiler, progress())
            write(self.text(found), self.written.output)
        except InputError as error:
            for each in error.diagnostics:
                source = self._source(each.span)
                tell([each], source.name, source.content)
            raise SystemExit(BAD_INPUT) from None
        except NoZ3:
            say("z3 is not installed: pip install 'loopwright[proof]'\n")
            raise SystemExit(BAD_INPUT) from None
        raise SystemExit(_status(found))

    def _write_obligations(self, tried: Tried) -> None:
        """What was shown of the paths, for other solvers; nothing where nothing was."""
        if self.written.smt is None:
            return
        from loopwright.verify.solvers import hard_ones, smt_script

        names = f"{self.original.name} and {self.transformed.name}"
        hard = hard_ones(tried.obligations)
        write(smt_script(hard, f"what loopwright check shows of {names}"), self.written.smt)

    def _source(self, span: Span) -> Source:
        certificate = self.proving.certificate
        if certificate is not None and span.file == certificate.name:
            return certificate
        return self.transformed if span.file == self.transformed.name else self.original

    def text(self, found: Answer) -> str:
        """The answer; what could not be shown is shown in the source."""
        if self.written.as_json:
            return json.dumps(answer_document(found), indent=2, ensure_ascii=False) + "\n"
        lines = [_sentence(found)]
        if isinstance(found, Unknown) and found.span is not None:
            content = self._source(found.span).content.decode(errors="replace")
            lines += [f"  {found.span}", *excerpt(found.span, content)]
        return "\n".join([*lines, *_hints(found)]) + "\n"


def _sentence(found: Answer) -> str:
    match found:
        case Proof():
            seen = [f"  to {each.caller}" for each in found.configurations]
            assumed = [f"  assuming that {each}" for each in found.assumed]
            return "\n".join([f"equivalent: {found}", *seen, *assumed])
        case Unknown(reason, witness):
            return f"cannot tell: {reason}" + (f" ({witness})" if witness else "")
        case Counterexample():
            return f"{found}\n  {found.reason}" if found.reason else str(found)


def _hints(found: Answer) -> list[str]:
    """What the user can do about it."""
    reason = "" if isinstance(found, Proof) else found.reason
    if "does not overflow" in reason:
        return ["  hint: say what is known with --assume-non-negative, or with --context"]
    return []


def _status(found: Answer) -> int:
    match found:
        case Proof():
            return 0
        case Unknown():
            return CANNOT_TELL
        case Counterexample():
            return ANSWER_IS_NO


def answer_document(found: Answer) -> dict[str, Any]:
    """The answer as plain data."""
    document: dict[str, Any] = {"format": "loopwright-check-1"}
    match found:
        case Proof():
            return document | {"answer": "equivalent", "proof": asdict(found)}
        case Unknown(reason, witness, span):
            where = [span.file, span.line, span.column] if span is not None else None
            unknown = {"reason": reason, "witness": witness or None, "place": where}
            return document | {"answer": "cannot tell", **unknown}
        case Counterexample():
            case = asdict(found) | {"parameters": dict(found.parameters)}
            return document | {"answer": "not equivalent", **case}
