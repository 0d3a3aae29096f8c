"""Do the attacks show what they say that they show, and what does the checker say about them?

    python -m tests.soundness.differences [--only CLASS] [--name PART] [--times N]
    python -m tests.soundness.differences --check
    python -m tests.soundness.differences --optimize

The first compiles and runs both programs of each pair, and prints those that do not behave as
``is_same`` says.  The second asks ``loopwright check``, and prints the wrong pairs that it accepts
and the right ones that it refuses.  The third rewrites the programs with ``loopwright optimize`` or
``loopwright script``, and runs what was written.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import pkgutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from multiprocessing.connection import wait
from multiprocessing.context import ForkProcess
from pathlib import Path
from typing import Any, TypeVar

from tests.soundness import corpus
from tests.soundness.pairs import Pair, Program
from tests.soundness.running import printed

JOBS = 2
SECONDS = 60
"""For each question to loopwright."""
MACHINE = Path(__file__).parents[1] / "machine.toml"
COMPLAINT = " error: "
COMMAND = "from loopwright.cli import main; main()"

Attack = TypeVar("Attack", Pair, Program)
Finding = tuple[str, str]
"""A word for the table, and the reason."""


def pairs(only: str = "") -> Mapping[str, Sequence[Pair]]:
    """The pairs of each class."""
    return {name: getattr(module, "PAIRS", ()) for name, module in _modules(only)}


def programs(only: str = "") -> Mapping[str, Sequence[Program]]:
    """The programs of each class."""
    return {name: getattr(module, "PROGRAMS", ()) for name, module in _modules(only)}


def _modules(only: str) -> Iterator[tuple[str, object]]:
    for found in pkgutil.iter_modules(corpus.__path__):
        if not only or found.name == only:
            module = import_module(f"{corpus.__name__}.{found.name}")
            if hasattr(module, "PAIRS") or hasattr(module, "PROGRAMS"):
                yield found.name, module


def source_name(stem: str, standard: str) -> str:
    """The name of a program in the language of a standard."""
    return f"{stem}.cpp" if "++" in standard else f"{stem}.c"


# --- what gcc makes of them ----------------------------------------------------------------------


def seen(pair: Pair, times: int = 1) -> Finding:
    """Does a pair print the same, in each of several runs?"""
    words: set[str] = set()
    reason = ""
    for _ in range(times):
        with tempfile.TemporaryDirectory(prefix="pair-") as made:
            try:
                before, after = (
                    _run(Path(made), source_name(stem, pair.standard), text, pair)
                    for stem, text in (("before", pair.before), ("after", pair.after))
                )
            except subprocess.CalledProcessError as error:
                return "does not compile", str(error.cmd[-4])
            except subprocess.TimeoutExpired as error:
                return "takes too long", str(error.cmd[-1])
        words.add("same" if before == after else "different")
        reason = f"{_shown(before)} | {_shown(after)}"
        if before[0] != 0:
            return "original fails", reason
    return (words.pop() if len(words) == 1 else "sometimes"), reason


def _run(folder: Path, name: str, text: str, attack: Pair | Program) -> tuple[int, bytes]:
    return printed(
        folder,
        name,
        text,
        attack.flags,
        attack.define,
        attack.files,
        attack.standard,
        attack.threads,
    )


def _shown(ended: tuple[int, bytes]) -> str:
    status, output = ended
    told = " ".join(output.decode(errors="replace").split())
    return f"[{status}] {told[:60]}"


# --- what loopwright says ------------------------------------------------------------------------


def verdict(pair: Pair) -> Finding:
    """What ``check`` says, without running anything."""
    import loopwright

    with tempfile.TemporaryDirectory(prefix="pair-") as made:
        folder = Path(made)
        _write(folder, pair.files)
        before = folder / source_name("before", pair.standard)
        after = folder / source_name("after", pair.standard)
        before.write_text(pair.before)
        after.write_text(pair.after)
        try:
            answer = loopwright.check(
                before,
                after,
                define=pair.define,
                include=(made,),
                standard=pair.standard,
                run=False,
            )
        except loopwright.InputError as error:
            return "unreadable", _line(str(error).replace(made + os.sep, ""))
        word = "proved" if isinstance(answer, loopwright.Proof) else "refused"
        return word, _line(str(answer).replace(made + os.sep, ""))


def rewritten(program: Program) -> Finding:
    """What becomes of a program, and whether it still prints the same."""
    with tempfile.TemporaryDirectory(prefix="program-") as made:
        folder = Path(made)
        _write(folder, program.files)
        name, new = (source_name(stem, program.standard) for stem in ("program", "new"))
        (folder / name).write_text(program.text)
        command = [sys.executable, "-c", COMMAND, *_arguments(program, folder, name)]
        try:
            asked = subprocess.run(
                [*command, "-o", new], cwd=folder, capture_output=True, timeout=2 * SECONDS
            )
        except subprocess.TimeoutExpired:
            return "crashed", "no answer in time"
        told = _line(asked.stderr.decode(errors="replace"))
        if asked.returncode not in (0, 1, 2, 3) or "Traceback" in told:
            return "crashed", told
        if not (folder / new).exists():
            return "left alone", told or "nothing written"
        text = (folder / new).read_text()
        if text == program.text:
            return "left alone", told
        return _compared(folder, program, text)


def _arguments(program: Program, folder: Path, name: str) -> list[str]:
    reading = ["-I", ".", "--std", program.standard, "--timeout", str(SECONDS)]
    reading += [word for each in program.define for word in ("-D", each)]
    if program.script:
        (folder / "wanted.loopy").write_text(program.script)
        return ["script", name, "wanted.loopy", *reading]
    finding = ["--autodetect"] if program.autodetect else []
    return ["optimize", name, *finding, "--machine", str(MACHINE), "--no-tuned", *reading]


def _compared(folder: Path, program: Program, text: str) -> Finding:
    kept = Path(folder / "kept")
    kept.mkdir()
    before = _run(kept, source_name("before", program.standard), program.text, program)
    try:
        after = _run(kept, source_name("after", program.standard), text, program)
    except subprocess.CalledProcessError:
        return "gcc refuses", "the new text does not compile"
    except subprocess.TimeoutExpired:
        return "wrong", "the new program does not end"
    if before == after:
        return "rewritten", ""
    return "wrong", f"{_shown(before)} | {_shown(after)}"


def _write(folder: Path, files: Mapping[str, str]) -> None:
    for name, content in files.items():
        (folder / name).write_text(content)


def _line(text: str) -> str:
    return " / ".join(" ".join(line.split()) for line in text.splitlines() if line.strip())[:300]


# --- several at a time ---------------------------------------------------------------------------


def answers(
    ask: Callable[[Attack], Finding],
    attacks: Iterable[tuple[str, Attack]],
    jobs: int = JOBS,
    seconds: float = 3 * SECONDS,
) -> Iterator[tuple[str, Attack, Finding]]:
    """What is found for each, in processes of their own, which end when their time is over."""
    context = multiprocessing.get_context("fork")
    left, running = list(attacks)[::-1], list[_Running[Attack]]()
    while left or running:
        while left and len(running) < jobs:
            name, attack = left.pop()
            ours, theirs = context.Pipe(duplex=False)
            process = context.Process(target=_answer, args=(theirs, ask, attack))
            process.start()
            theirs.close()
            running.append((name, attack, process, ours, time.monotonic() + seconds))
        wait([each[3] for each in running], timeout=1)
        now = time.monotonic()
        ended = [each for each in running if each[3].poll() or each[4] < now]
        for each in ended:
            running.remove(each)
            yield each[0], each[1], _ended(each[2], each[3])


_Running = tuple[str, Attack, ForkProcess, Any, float]


def _ended(process: ForkProcess, answer: Any) -> Finding:
    try:
        if answer.poll():
            return answer.recv()
        process.terminate()
        return "crashed", "no answer in time"
    except EOFError:
        return "crashed", "the process ended"
    finally:
        process.join()
        answer.close()


def _answer(answer: Any, ask: Callable[[Attack], Finding], attack: Attack) -> None:
    with tempfile.TemporaryFile() as told:
        os.dup2(told.fileno(), 2)
        try:
            word, reason = ask(attack)
        except Exception as error:
            word, reason = "crashed", _line(repr(error))
        told.seek(0)
        errors = [
            line for line in told.read().decode(errors="replace").splitlines() if COMPLAINT in line
        ]
    if word in ("gcc refuses", "does not compile") and errors:
        reason += ": " + errors[0].partition(COMPLAINT)[2]
    answer.send((word, reason))
    answer.close()


# --- tables --------------------------------------------------------------------------------------


def _flat(classes: Mapping[str, Sequence[Attack]], part: str) -> list[tuple[str, Attack]]:
    return [(name, each) for name, found in classes.items() for each in found if part in each.name]


def differences(wanted: argparse.Namespace) -> int:
    """Print the pairs that do not do what they say; how many there are."""
    attacks, wrong = _flat(pairs(wanted.only), wanted.name), 0

    def ask(pair: Pair) -> Finding:
        return seen(pair, wanted.times)

    for name, pair, (word, reason) in answers(ask, attacks, wanted.jobs):
        if word != ("same" if pair.is_same else "different"):
            wrong += 1
            print(f"{name}: {pair.name}: is_same={pair.is_same}, but {word}: {reason}", flush=True)
    _counted(pairs(wanted.only))
    print(f"{len(attacks)} pairs, {wrong} not as they say")
    return wrong


def checked(wanted: argparse.Namespace) -> int:
    """Print what ``check`` gets wrong; how many wrong pairs it accepts."""
    import loopwright.checking  # so that each process has it when it is forked

    del loopwright
    attacks = _flat(pairs(wanted.only), wanted.name)
    table: dict[str, Counter[str]] = {}
    for name, pair, (word, reason) in answers(verdict, attacks, wanted.jobs, SECONDS):
        right, accepted = "right" if pair.is_same else "wrong", word == "proved"
        counted = table.setdefault(name, Counter())
        counted[f"{right} {'accepted' if accepted else 'refused'}"] += 1
        counted["unreadable"] += word == "unreadable"
        counted["crashed"] += word == "crashed"
        if accepted != pair.is_same or word == "crashed" or wanted.verbose:
            answer = f"{right} {word}".upper() if accepted and not pair.is_same else right
            print(f"{name}: {pair.name}: {answer} {word}: {reason}", flush=True)
    heads = ["wrong accepted", "wrong refused", "right accepted", "right refused"]
    _table(table, [*heads, "unreadable", "crashed"])
    return sum(each["wrong accepted"] for each in table.values())


def optimized(wanted: argparse.Namespace) -> int:
    """Print what becomes of the programs that is not right; how many are wrong."""
    attacks = _flat(programs(wanted.only), wanted.name)
    table: dict[str, Counter[str]] = {}
    for name, program, (word, reason) in answers(rewritten, attacks, wanted.jobs):
        counted = table.setdefault(name, Counter())
        lost = word == "left alone" and program.must_be_rewritten
        counted["lost" if lost else word] += 1
        if lost or word not in ("left alone", "rewritten") or wanted.verbose:
            print(f"{name}: {program.name}: {'lost' if lost else word}: {reason}", flush=True)
    _table(table, ["rewritten", "left alone", "lost", "wrong", "gcc refuses", "crashed"])
    return sum(each["wrong"] + each["gcc refuses"] for each in table.values())


def _table(table: Mapping[str, Counter[str]], heads: Sequence[str]) -> None:
    width = max([5, *map(len, table)])
    print(" " * width, *heads, sep="  ")
    total = sum(table.values(), Counter[str]())
    for name, counted in [*sorted(table.items()), ("all", total)]:
        print(f"{name:{width}}", *(f"{counted[head]:>{len(head)}}" for head in heads), sep="  ")


def _counted(classes: Mapping[str, Sequence[Pair]]) -> None:
    for name, found in classes.items():
        same = sum(each.is_same for each in found)
        names = Counter(each.name for each in found)
        twice = [each for each, count in names.items() if count > 1]
        print(f"{name}: {len(found) - same} wrong, {same} right {twice or ''}")


def main() -> None:
    """Ask what the arguments ask for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--only", default="", metavar="CLASS", help="one module of the corpus")
    parser.add_argument("--name", default="", metavar="PART", help="only names with this in them")
    parser.add_argument("--check", action="store_true", help="ask loopwright check")
    parser.add_argument("--optimize", action="store_true", help="rewrite the programs")
    parser.add_argument("--times", type=int, default=1, help="run each pair so often")
    parser.add_argument("--jobs", type=int, default=JOBS)
    parser.add_argument("--verbose", action="store_true", help="say what is right as well")
    wanted = parser.parse_args()
    ask = checked if wanted.check else optimized if wanted.optimize else differences
    sys.exit(min(ask(wanted), 1))


if __name__ == "__main__":
    main()
