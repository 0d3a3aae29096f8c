"""What becomes of cases, and tables of that."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from loopwright.basics.records import record
from tests.soundness.judging import Said, Seen
from tests.soundness.surroundings.cases import Case

WRONG = ("different", "after is no program", "after does not end")
"""What must not come of two programs that are said to be the same."""


@record
class Outcome:
    """A case, what loopwright says, and what it does if that was looked at.

    ``defined`` says whether a difference comes from undefined behaviour.
    """

    case: Case
    said: Said
    seen: Seen | None = None
    defined: Seen | None = None
    seconds: float = 0.0

    @property
    def is_finding(self) -> bool:
        """Was something accepted that is not the same?"""
        return self.said.word == "proved" and self.seen is not None and self.seen.word in WRONG

    @property
    def is_loss(self) -> bool:
        """Was something refused that nobody has changed?"""
        return self.case.is_plain and self.said.word in ("refused", "unreadable")


_ALIKE = (
    (r"^not proved: |^(before|after|new)\.c(pp)?:[\d:]+ |^.*?: (?=LW\d)", ""),
    (r"^(not equivalent):.*", r"\1"),
    (r" (before|after|new)\.c(pp)?:\d.*|\((?:for )?[nijk] = .*", ""),
    (r"#pragma .*?(?= governs| does\b| in the original| reads| is for|$)", "#pragma …"),
    (r"(may mean something): .*", r"\1"),
    (r"\b(what|identifier|instances of|redefinition of) (?!#).*?(?= does\b| runs\b|$)", r"\1 …"),
    (r"\b(pointer|expression) .*?(?= points\b|$)", r"\1 …"),
    (r".* (neither runs an original|is not the value that|runs before) .*", r"… \1 …"),
    (r".* touches .* and .*", "… touches …"),
    (r"(iterations of the parallel loop).*(share) .*", r"\1 … \2 …"),
    (r"(it would have to be known that) .* (does not (?:overflow|wrap))", r"\1 … \2"),
    (r"(the file differs outside its regions): .*", r"\1"),
    (r"^\S+ and \S+ (are the same)", r"… \1"),
    (r"^\S+ (may be another|does not get all|reads|speaks of)\b", r"… \1"),
    (r"_\d+", "_#"),
    (r"\b\d+\b", "#"),
)
"""What is different in reasons that are alike."""


def reason_of(outcome: Outcome) -> str:
    """Why something was refused, without the names of one case."""
    text = outcome.said.reason
    for pattern, instead in _ALIKE:
        text = re.sub(pattern, instead, text)
    return f"{outcome.said.word}: {text.strip()[:110]}"


@dataclass(slots=True)
class Tally:
    """What has been seen so far."""

    words: Counter[str] = field(default_factory=Counter[str])
    right: dict[str, Counter[str]] = field(default_factory=dict[str, Counter[str]])
    changes: dict[str, Counter[str]] = field(default_factory=dict[str, Counter[str]])
    losses: Counter[str] = field(default_factory=Counter[str])
    truths: dict[str, Counter[str]] = field(default_factory=dict[str, Counter[str]])
    examples: dict[str, str] = field(default_factory=dict[str, str])
    findings: int = 0

    def take(self, outcome: Outcome) -> None:
        """Count an outcome."""
        case, word = outcome.case, outcome.said.word
        truth = f", {outcome.seen.word}" if outcome.seen and word == "proved" else ""
        kind = "plain" if case.is_plain else "changed" if case.changes else "wrong loops"
        self.words[f"{kind}: {word}{truth}"] += 1
        self.findings += outcome.is_finding
        for change in {each.partition(" (")[0] for each in case.changes}:
            self.changes.setdefault(change, Counter())[word] += 1
        if not case.is_plain:
            return
        for each in set(case.worn):
            self.right.setdefault(each, Counter())[word] += 1
        if outcome.is_loss:
            reason = reason_of(outcome)
            self.losses[reason] += 1
            self.examples.setdefault(reason, case.name)
            if outcome.seen is not None:
                self.truths.setdefault(reason, Counter())[outcome.seen.word] += 1

    def told(self) -> Iterator[str]:
        """Tables of all that."""
        for word, count in sorted(self.words.items()):
            yield f"{count:8} {word}"
        yield "\nunchanged pairs, by what they wear: accepted, refused, unreadable"
        for kind, counts in sorted(self.right.items()):
            numbers = " ".join(f"{counts[each]:6}" for each in ("proved", "refused", "unreadable"))
            yield f"{numbers}  {kind}"
        yield "\nchanged pairs, by the change: accepted, refused, unreadable"
        for kind, counts in sorted(self.changes.items()):
            numbers = " ".join(f"{counts[each]:6}" for each in ("proved", "refused", "unreadable"))
            yield f"{numbers}  {kind}"
        yield "\nunchanged pairs that were refused, by reason"
        for reason, count in self.losses.most_common(60):
            truths = dict(self.truths.get(reason, Counter()))
            yield f"{count:6}  {reason} (for instance {self.examples[reason]}) {truths}"


def saved(folder: Path, outcome: Outcome) -> Path:
    """Where a pair is kept that was judged wrongly."""
    assert outcome.seen is not None
    path = folder / outcome.case.name
    save_case(path, outcome.case)
    lines = [
        f"said: {outcome.said.word}: {outcome.said.reason}",
        f"seen: {outcome.seen.word}: {outcome.seen.detail}",
        f"defined: {outcome.defined}",
        f"worn: {outcome.case.worn}",
        f"changes: {outcome.case.changes}",
        f"standard: {outcome.case.standard}, define: {outcome.case.define}",
        f"autodetect: {outcome.case.autodetect}",
    ]
    (path / "why.txt").write_text("\n".join(lines) + "\n")
    return path


def save_case(path: Path, case: Case) -> None:
    path.mkdir(parents=True, exist_ok=True)
    ending = "cpp" if "++" in case.standard else "c"
    texts = {f"before.{ending}": case.before, f"after.{ending}": case.after, **case.files}
    for name, content in texts.items():
        (path / name).write_bytes(content.encode(errors="surrogateescape"))
