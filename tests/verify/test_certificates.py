"""Certificates: they come back as they were, and nothing in them is believed."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import islpy as isl
import pytest

from loopwright.certifying import Source, certificate_of, proved_again
from loopwright.choosing import Wanted
from loopwright.frontend.clang_library import ReadOptions
from loopwright.frontend.reading import Question
from loopwright.model.proofs import Proof, Stretch, Unknown
from loopwright.pipeline import Outcome, optimize_source
from loopwright.targets.machine import Machine
from loopwright.verify.certificates import (
    BadCertificate,
    Certificate,
    certificate_text,
    clauses_of,
    digest,
    read_certificate,
)
from loopwright.verify.read_back import Evidence

PROGRAM = b"""\
void product(int n, double C[n][n], const double A[n][n], const double B[n][n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            C[i][j] = 0;
            for (int k = 0; k < n; k++)
                C[i][j] += A[i][k] * B[k][j];
        }
#pragma endscop
}

void last(int n, double *x) {
#pragma scop
    x[0] = x[n];
#pragma endscop
}
"""
OPTIONS, QUESTION = ReadOptions(), Question()


@pytest.fixture(scope="module")
def outcome() -> Outcome:
    """The program with other loops; the second region stays as it is."""
    wanted = Wanted(True, True, Machine())
    return optimize_source("program.c", PROGRAM, OPTIONS, QUESTION, wanted)


@pytest.fixture(scope="module")
def certificate(outcome: Outcome) -> Certificate:
    return certificate_of(outcome, OPTIONS, QUESTION)


def again(certificate: Certificate, outcome: Outcome, **others: Any) -> list[Evidence | Unknown]:
    """What is proved with a certificate."""
    given = {"original": Source("program.c", PROGRAM), "options": OPTIONS, "question": QUESTION}
    given["transformed"] = Source("new.c", outcome.content)
    return list(proved_again(certificate, **(given | others)))


def test_it_is_proved_again(certificate: Certificate, outcome: Outcome) -> None:
    read = read_certificate(certificate_text(certificate).encode())
    assert certificate_text(read) == certificate_text(certificate)
    found, *_ = again(read, outcome)
    assert isinstance(found, Evidence)
    assert isinstance(found.proof, Proof)
    assert found.proof.obligations > 100


def test_it_says_what_each_statement_runs(certificate: Certificate) -> None:
    region, other = certificate.regions
    assert (region.function, other.function) == ("product", "last")
    runs = [each.get_tuple_name(isl.dim_type.out) for each in region.instances if each is not None]
    assert set(runs) == {"S0", "S1"}
    assert any(each is None for each in region.instances), "values are moved, too"


def test_it_holds_the_hashes_of_both(certificate: Certificate, outcome: Outcome) -> None:
    assert certificate.original == digest(PROGRAM)
    assert certificate.transformed == digest(outcome.content)


# --- lies -----------------------------------------------------------------------------------------


def test_a_wrong_instance_map_proves_nothing(certificate: Certificate, outcome: Outcome) -> None:
    region, *others = certificate.regions
    for lie in (region.instances[::-1], region.instances[1:], (None,) * len(region.instances)):
        other = replace(certificate, regions=(replace(region, instances=lie), *others))
        found, *_ = again(other, outcome)
        assert isinstance(found, Unknown)


def lies(stretch: Stretch) -> list[Stretch]:
    """Places where a region is not."""
    return [
        replace(stretch, new_end=stretch.new_end - 4),
        replace(stretch, start=stretch.start - 8, new_start=stretch.new_start - 8),
        replace(stretch, end=len(PROGRAM), new_end=stretch.new_end + 10),
        replace(stretch, new_start=10**9, new_end=10**9),
        replace(stretch, new_start=-5),
    ]


def test_a_wrong_place_of_a_marked_region(certificate: Certificate, outcome: Outcome) -> None:
    """It only says which region is meant: what is proved is between the pragmas."""
    region, *others = certificate.regions
    for lie in lies(region.stretch):
        found, *_ = again(
            replace(certificate, regions=(replace(region, stretch=lie), *others)), outcome
        )
        assert isinstance(found, Evidence)
        assert clauses_of(found.obligations) == region.clauses


def test_the_place_of_another_region(certificate: Certificate, outcome: Outcome) -> None:
    region, other = certificate.regions
    swapped = replace(region, stretch=other.stretch), replace(other, stretch=region.stretch)
    with pytest.raises(BadCertificate, match="other obligations"):
        again(replace(certificate, regions=swapped), outcome)
    nowhere = replace(region, stretch=replace(region.stretch, end=region.stretch.end - 4))
    with pytest.raises(BadCertificate, match="there is no region of product"):
        again(replace(certificate, regions=(nowhere, other)), outcome)


def test_a_wrong_place_of_a_region_without_marks_proves_nothing() -> None:
    bare = PROGRAM.replace(b"#pragma scop\n", b"").replace(b"#pragma endscop\n", b"")
    question = Question(autodetect=True)
    wanted = Wanted(True, True, Machine())
    outcome = optimize_source("program.c", bare, OPTIONS, question, wanted)
    certificate = certificate_of(outcome, OPTIONS, question)
    (region,) = certificate.regions
    others = {"original": Source("program.c", bare), "question": question}
    (found,) = again(certificate, outcome, **others)
    assert isinstance(found, Evidence)
    for lie in lies(region.stretch):
        told = replace(certificate, regions=(replace(region, stretch=lie),))
        (found,) = again(told, outcome, **others)
        assert isinstance(found, Unknown)


def test_other_obligations_are_noticed(certificate: Certificate, outcome: Outcome) -> None:
    region, *others = certificate.regions
    fewer = replace(certificate, regions=(replace(region, clauses=region.clauses[1:]), *others))
    with pytest.raises(BadCertificate, match="other obligations for product"):
        again(fewer, outcome)


def test_a_region_that_it_does_not_mention_is_noticed(
    certificate: Certificate, outcome: Outcome
) -> None:
    with pytest.raises(BadCertificate, match="nothing about the region"):
        again(replace(certificate, regions=()), outcome)


def test_it_is_about_two_texts(certificate: Certificate, outcome: Outcome) -> None:
    with pytest.raises(BadCertificate, match=r"another text than new\.c"):
        again(certificate, outcome, transformed=Source("new.c", outcome.content + b"\n"))
    with pytest.raises(BadCertificate, match=r"another text than program\.c"):
        again(certificate, outcome, original=Source("program.c", PROGRAM + b"\n"))


@pytest.mark.parametrize(
    ("others", "message"),
    [
        ({"question": Question(assume_non_negative=True)}, "assume_non_negative was False"),
        ({"options": ReadOptions(define=("N=3",))}, "define was"),
        ({"reassociates": True}, "reassociates was False"),
    ],
)
def test_it_was_made_in_one_way(
    certificate: Certificate, outcome: Outcome, others: dict[str, Any], message: str
) -> None:
    with pytest.raises(BadCertificate, match=message):
        again(certificate, outcome, **others)


# --- broken files ---------------------------------------------------------------------------------


def test_broken_files_are_answered(certificate: Certificate) -> None:
    text = certificate_text(certificate)
    random = Random(5)
    refused = 0
    for _ in range(300):
        broken = random.choice((_cut, _typed, _emptied))(text, random)
        try:
            read_certificate(broken.encode())
        except BadCertificate:
            refused += 1
    assert refused > 100


def _cut(text: str, random: Random) -> str:
    return text[: random.randrange(len(text))]


def _typed(text: str, random: Random) -> str:
    at = random.randrange(len(text))
    return text[:at] + random.choice('{}[]",:0\\xyz') + text[at + 1 :]


def _emptied(text: str, random: Random) -> str:
    """One of the entries becomes something else."""
    document = json.loads(text)
    place: Any = document
    while isinstance(place, dict | list) and place:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        key = random.choice(keys)
        if random.random() < 0.4 or not isinstance(place[key], dict | list):
            place[key] = random.choice([None, 0, -1, "", [], {}, True, 1.5])
            break
        place = place[key]
    return json.dumps(document)


@pytest.mark.parametrize(
    "content",
    [b"", b"\xff", b"[" * 100_000, b'{"format": ' + b"1" * 5000 + b"}", b"null"],
    ids=["nothing", "no text", "deep", "a long number", "null"],
)
def test_odd_files_are_answered(content: bytes) -> None:
    with pytest.raises(BadCertificate):
        read_certificate(content)


WRONG: dict[str, Callable[[dict[str, Any]], object]] = {
    "no certificate": lambda it: it.clear(),
    "four places": lambda it: it["regions"][0]["stretch"].pop(),
    "no map of isl": lambda it: it["regions"][0].update(instances=["{ [i] -> "]),
    "is no map": lambda it: it["regions"][0].update(instances=["\ud800"]),
    "no number": lambda it: it["regions"][0].update(stretch=[True]),
    "neither true nor false": lambda it: it["reading"].update(autodetect="no"),
    "no list": lambda it: it.update(regions={}),
    "no text": lambda it: it.update(original=5),
}


@pytest.mark.parametrize("message", WRONG)
def test_the_reason_is_told(certificate: Certificate, message: str) -> None:
    document = json.loads(certificate_text(certificate))
    WRONG[message](document)
    expected = "has no format" if message == "no certificate" else message
    with pytest.raises(BadCertificate, match=expected):
        read_certificate(json.dumps(document).encode())
