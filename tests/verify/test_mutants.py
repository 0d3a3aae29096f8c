"""Mutated texts: none that computes something else is proved."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from random import Random

import pytest

from loopwright.model.proofs import Proof
from tests.optimize.checking import Shape
from tests.verify.emitted_programs import REGISTERS, SMALL, emitted, judged
from tests.verify.mutations import KINDS, any_mutant, mutant
from tests.verify.packed_programs import FRESH, KEPT_OUT, ONE_ELEMENT, TRANSPOSED
from tests.verify.programs import CASES, Case
from tests.verify.rewritten import hint_in, rewritten, verdict
from tests.verify.running import Battery, battery, kernel_from_function, outcomes

WRITTEN = [*CASES, TRANSPOSED, FRESH, ONE_ELEMENT, KEPT_OUT]
SIZES = (1, 2, 3, 5, 16, 17, 33, 50)
PER_CASE = 5
PER_KERNEL: dict[str, tuple[Shape, int]] = {
    "jacobi-1d": (SMALL, 7),
    "syrk": (SMALL, 5),
    "gesummv": (SMALL, 6),
    "atax": (SMALL, 5),
    "trmm": (SMALL, 4),
    "gemm": (REGISTERS, 4),
    "seidel-2d": (SMALL, 3),
    "lu": (SMALL, 2),
    "covariance": (REGISTERS, 2),
}
"""How many faults a text gets, the more the faster they are judged."""


def outcome(case: Case, text: str, folder: Path) -> str | None:
    """What a program with this text in its region does; ``None`` if it does not compile."""
    kernel = kernel_from_function(case.program)
    after = kernel_from_function(rewritten(case.program, text).after.decode()).function
    sizes = tuple(product(SIZES, repeat=len(kernel.sizes)))
    return outcomes(kernel, {1: after}, Battery(sizes), folder).get(1)


@pytest.mark.parametrize("case", WRITTEN, ids=lambda each: each.name)
def test_running_accepts_what_is_right(case: Case, tmp_path: Path) -> None:
    assert outcome(case, case.text, tmp_path) == "same"


@pytest.mark.parametrize("case", WRITTEN, ids=lambda each: each.name)
def test_no_wrong_mutant_is_proved(case: Case, tmp_path: Path) -> None:
    random = Random(case.name)
    for _ in range(PER_CASE):
        kinds, text = any_mutant(case.text, random)
        if isinstance(verdict(case.program, text, hint_in(text)), Proof):
            assert outcome(case, text, tmp_path) in ("same", None), f"{kinds}\n{text}"


@pytest.mark.parametrize("name", PER_KERNEL)
def test_no_emitted_text_with_a_fault_is_proved(name: str, tmp_path: Path) -> None:
    """Those that compile run next to the original, and many compute something else."""
    shape, count = PER_KERNEL[name]
    given = emitted(name, shape)
    assert isinstance(judged(given, given.text), Proof)
    random = Random(name)
    texts = [given.text, *(any_mutant(given.text, random)[1] for _ in range(count))]
    versions = {at: given.function(text) for at, text in enumerate(texts, 1)}
    tried = battery(len(given.kernel.sizes), given.longest, 8, random)
    found = outcomes(given.kernel, versions, tried, tmp_path)
    assert found[1] == "same", "the text without a fault computes the same"
    wrong = [texts[at - 1] for at, each in found.items() if each != "same"]
    assert len(wrong) > len(found) / 3
    for text in wrong:
        assert not isinstance(judged(given, text), Proof), text


def test_a_race_is_seen_without_threads(tmp_path: Path) -> None:
    """Each iteration leaves the same behind whatever was before, but they share a variable."""
    given = emitted("deriche", SMALL)
    old = "private(xm1, ym1, ym2) if(1.0 * w * h >= 50000)"
    assert given.text.count(old) == 1
    marked = given.text.replace(old, "num_threads(1)")
    found = outcomes(given.kernel, {1: given.function(marked)}, Battery(((9, 8),)), tmp_path)
    assert found == {1: "a race"}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_its_place(kind: str) -> None:
    text = emitted("gemm", SMALL).text
    random = Random(kind)
    found = {mutant(text, [kind], random) for _ in range(20)}
    assert len(found - {None, text}) > 5


@pytest.mark.parametrize("kind", KINDS)
def test_where_nothing_is_there_is_no_place(kind: str) -> None:
    """As in what is left when a fault has taken everything."""
    assert mutant("    {}", [kind], Random(kind)) is None
