"""Certificates: what was proved of two texts, written down so that anybody can prove it again.

Nothing in a certificate is believed.  Its hashes say which texts it is about; the instance map says
what each statement of the new text runs; it saves a search, and a wrong one makes the proof fail.
The obligations are there to be read, and to be given to other solvers.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import cast

import islpy as isl

from loopwright.basics.records import record
from loopwright.frontend.clang_library import ReadOptions
from loopwright.frontend.reading import Question
from loopwright.model.proofs import Configuration, Stretch
from loopwright.verify.formulas import every, negated, smt_formula
from loopwright.verify.paths import Obligation
from loopwright.verify.solvers import hard_ones

FORMAT = "loopwright certificate 2"
MOST_BYTES = 100_000_000


class BadCertificate(Exception):
    """Something is no certificate, or not one of these texts."""

    def __init__(self, reason: str) -> None:
        """Keep why."""
        super().__init__(reason)
        self.reason = reason


@record
class Clause:
    """An obligation: its kind, its path in words, and in SMT-LIB the case that must not be."""

    kind: str
    where: str
    never: str


InstanceMap = tuple[isl.Map | None, ...]
"""For each statement of a new text that does something, ``{ [c] -> S[i] }``; none for a move."""


@record(eq=False)
class CertifiedRegion:
    """The new text of a region, which original instances its statements run, and what was shown."""

    function: str
    stretch: Stretch
    instances: InstanceMap
    clauses: tuple[Clause, ...]


@record
class Conditions:
    """How both texts were read; folders of headers are the business of whoever reads them."""

    standard: str
    define: tuple[str, ...]
    function: str | None
    context: str | None
    assume_non_negative: bool
    autodetect: bool
    reassociates: bool


@record(eq=False)
class Certificate:
    """What was proved of two texts."""

    original: str
    transformed: str
    reading: Conditions
    configurations: tuple[Configuration, ...]
    """Those of the original, in which it was proved."""
    regions: tuple[CertifiedRegion, ...]


def digest(text: bytes) -> str:
    """The hash that names a text."""
    return hashlib.sha256(text).hexdigest()


def reading_of(options: ReadOptions, question: Question, *, reassociates: bool) -> Conditions:
    """How texts are read with these options."""
    context = question.context
    return Conditions(
        options.standard,
        options.define,
        question.function,
        str(context) if context is not None else None,
        question.assume_non_negative,
        question.autodetect,
        reassociates,
    )


def clauses_of(obligations: Sequence[Obligation]) -> tuple[Clause, ...]:
    """Those of the obligations that take a solver, each once."""
    return tuple(
        Clause(
            each.kind,
            " ".join(each.where.split()),
            smt_formula(every((each.given, negated(each.shown)))),
        )
        for each in hard_ones(obligations)
    )


# --- writing --------------------------------------------------------------------------------------


def certificate_text(certificate: Certificate) -> str:
    """The certificate as JSON, one clause a line."""
    reading = certificate.reading
    regions = [_region_text(each) for each in certificate.regions]
    head = {
        "format": FORMAT,
        "original": certificate.original,
        "transformed": certificate.transformed,
        "reading": {
            "standard": reading.standard,
            "define": list(reading.define),
            "function": reading.function,
            "context": reading.context,
            "assume_non_negative": reading.assume_non_negative,
            "autodetect": reading.autodetect,
            "reassociates": reading.reassociates,
        },
        "configurations": [asdict(each) for each in certificate.configurations],
    }
    lines = [f"  {_json(key)}: {_json(value)}," for key, value in head.items()]
    lines += ['  "regions": [' + ",".join(regions) + "\n  ]" if regions else '  "regions": []']
    return "\n".join(["{", *lines, "}", ""])


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _region_text(region: CertifiedRegion) -> str:
    stretch = region.stretch
    places = [stretch.start, stretch.end, stretch.new_start, stretch.new_end]
    instances = [_json(str(each) if each is not None else None) for each in region.instances]
    clauses = [
        _json({"kind": each.kind, "where": each.where, "never": each.never})
        for each in region.clauses
    ]
    entries = [
        f'"function": {_json(region.function)}',
        f'"stretch": {_json(places)}',
        f'"instances": {_listed(instances)}',
        f'"obligations": {_listed(clauses)}',
    ]
    return "\n    {\n      " + ",\n      ".join(entries) + "\n    }"


def _listed(entries: Sequence[str]) -> str:
    return "[\n        " + ",\n        ".join(entries) + "\n      ]" if entries else "[]"


# --- reading --------------------------------------------------------------------------------------


def read_certificate(content: bytes) -> Certificate:
    """A certificate, if that is what it is; whether it is right is another matter."""
    if len(content) > MOST_BYTES:
        raise BadCertificate("it is larger than any certificate")
    try:
        document: object = json.loads(content)
    except (ValueError, RecursionError) as error:  # of numbers that are too long, too
        raise BadCertificate(f"it is no JSON ({error})") from None
    whole = _Entry("the certificate", document)
    if whole.at("format").text() != FORMAT:
        raise BadCertificate(f"its format is not {FORMAT!r}")
    reading = whole.at("reading")
    return Certificate(
        whole.at("original").text(),
        whole.at("transformed").text(),
        Conditions(
            reading.at("standard").text(),
            tuple(each.text() for each in reading.at("define").entries()),
            reading.at("function").text_or_none(),
            reading.at("context").text_or_none(),
            reading.at("assume_non_negative").truth(),
            reading.at("autodetect").truth(),
            reading.at("reassociates").truth(),
        ),
        tuple(_read_configuration(each) for each in whole.at("configurations").entries()),
        tuple(_read_region(each) for each in whole.at("regions").entries()),
    )


def _read_configuration(entry: _Entry) -> Configuration:
    return Configuration(
        entry.at("compiler").text(),
        tuple(each.text() for each in entry.at("flags").entries()),
        entry.at("macros").text(),
        entry.at("headers").text(),
    )


def _read_region(entry: _Entry) -> CertifiedRegion:
    places = [each.number() for each in entry.at("stretch").entries()]
    if len(places) != 4:
        raise BadCertificate("a stretch has four places")
    clauses = [
        Clause(each.at("kind").text(), each.at("where").text(), each.at("never").text())
        for each in entry.at("obligations").entries()
    ]
    return CertifiedRegion(
        entry.at("function").text(),
        Stretch(*places),
        tuple(_read_instances(each) for each in entry.at("instances").entries()),
        tuple(clauses),
    )


def _read_instances(entry: _Entry) -> isl.Map | None:
    text = entry.text_or_none()
    if text is None:
        return None
    try:
        return isl.Map(text)
    except (isl.Error, TypeError, ValueError):  # not every text can be handed to isl
        raise BadCertificate(f"{entry.name} is no map of isl") from None


@record(eq=False)
class _Entry:
    """A part of a document, and where it is."""

    name: str
    value: object

    def at(self, key: str) -> _Entry:
        known = cast("dict[str, object]", self.value) if isinstance(self.value, dict) else {}
        if key not in known:
            raise BadCertificate(f"{self.name} has no {key}")
        return _Entry(f"{key} of {self.name}", known[key])

    def entries(self) -> list[_Entry]:
        if not isinstance(self.value, list):
            raise BadCertificate(f"{self.name} is no list")
        return [_Entry(self.name, each) for each in cast("list[object]", self.value)]

    def text(self) -> str:
        if not isinstance(self.value, str):
            raise BadCertificate(f"{self.name} is no text")
        return self.value

    def text_or_none(self) -> str | None:
        return None if self.value is None else self.text()

    def number(self) -> int:
        if not isinstance(self.value, int) or isinstance(self.value, bool) or self.value < 0:
            raise BadCertificate(f"{self.name} is no number")
        return self.value

    def truth(self) -> bool:
        if not isinstance(self.value, bool):
            raise BadCertificate(f"{self.name} is neither true nor false")
        return self.value
