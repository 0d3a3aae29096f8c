"""Brute force finds what the definitions say, on histories small enough to read."""

from __future__ import annotations

import pytest

from tests.execution.memory import Element

from .brute_force import Event, History, Pair, Reference, Relations, relations_of

A = ("A", (0,))
B = ("B", (0,))


def history(text: str) -> History:
    """One event a word: ``r``, ``w`` (certain), ``m`` (a write that may not happen), ``k`` (kill).

    The words stand at the places 0, 1, …; ``rw`` reads and then writes, ``.`` touches nothing.
    """
    events: list[Event] = []
    for place, word in enumerate(text.split()):
        event = Event(
            place,
            reads=frozenset("R" * ("r" in word)),
            writes=frozenset("W" * ("w" in word or "m" in word)),
            overwrites="w" in word,
            kills="k" in word,
        )
        if word != ".":
            events.append(event)
    return tuple(events)


def found(text: str, *, is_cut: bool = True) -> Relations:
    return relations_of({A: history(text)}, is_cut=is_cut)


def places(pairs: set[Pair]) -> set[tuple[int, int]]:
    return {(source, sink) for (source, _), (sink, _) in pairs}


def live(pairs: set[tuple[Reference, Element]]) -> set[int]:
    return {place for (place, _), _ in pairs}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("w r", {(0, 1)}),
        ("w w r", {(1, 2)}),
        ("w m r", {(0, 2), (1, 2)}),
        ("w k r", set()),
        ("w r r", {(0, 1), (0, 2)}),
        ("w rw r", {(0, 1), (1, 2)}),
        ("w rm r", {(0, 1), (0, 2), (1, 2)}),
        ("m k m r", {(2, 3)}),
        ("r w", set()),
        ("rw", set()),
    ],
)
def test_flow_goes_from_the_last_writes_to_a_read(text: str, expected: set[object]) -> None:
    assert places(found(text).flow) == expected


@pytest.mark.parametrize(
    ("text", "reads", "writes"),
    [
        ("r w r", {0}, {1}),
        ("rw r", {0}, {0}),
        ("r m r w", {0, 2}, {3}),
        ("k r w", set(), {2}),
        ("w m k", set(), set()),
        ("w m", set(), {0, 1}),
        ("m w m", set(), {1, 2}),
        ("m r k r", {1}, set()),
    ],
)
def test_what_comes_in_and_what_goes_out(text: str, reads: set[int], writes: set[int]) -> None:
    relations = found(text)
    assert live(relations.live_in) == reads
    assert live(relations.live_out) == writes


@pytest.mark.parametrize(
    ("text", "anti", "output"),
    [
        ("r w w", {(0, 1)}, {(1, 2)}),
        ("r m w w", {(0, 1), (0, 2)}, {(1, 2), (2, 3)}),
        ("w k w", set(), {(0, 2)}),
        ("r k w", {(0, 2)}, set()),
        ("rw rw rw", {(0, 1), (1, 2)}, {(0, 1), (1, 2)}),
        ("w r", set(), set()),
    ],
)
def test_false_dependences_end_at_a_certain_write_and_at_no_kill(
    text: str, anti: set[object], output: set[object]
) -> None:
    relations = found(text)
    assert places(relations.anti) == anti
    assert places(relations.output) == output
    assert places(relations.false) == anti | output


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("w r w r", {(1, 2)}),
        ("w w w", {(0, 1), (0, 2), (1, 2)}),
        ("w r w r w", {(1, 2), (1, 4), (3, 4)}),
        ("w r k w", {(1, 3)}),
        ("w r m", {(1, 2)}),
    ],
)
def test_live_ranges_are_kept_apart_from_all_later_writes(text: str, expected: set[object]) -> None:
    assert places(found(text).order) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("w w", {(0, 1)}),
        ("w w k", set()),
        ("w r w r k", set()),
        ("w r w r", {(0, 2)}),
        ("r w r w k", {(0, 1), (0, 3)}),
        ("w m r k", {(0, 1)}),
        ("m m r k", {(0, 1)}),
        ("m r m k", {(1, 2)}),
        ("w r m k", set()),
    ],
)
def test_what_no_reordering_of_live_ranges_may_change(text: str, expected: set[object]) -> None:
    assert places(found(text).forced) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("r r", {(0, 1)}),
        ("w r r", {(1, 2)}),
        ("r w r", set()),
        ("r rw r", {(0, 1)}),
        ("rw r", set()),
        ("r k r", set()),
        ("r m r", {(0, 2)}),
    ],
)
def test_two_reads_may_get_the_same_value(text: str, expected: set[object]) -> None:
    assert places(found(text).inputs) == expected


def test_by_memory_nothing_ends_a_value() -> None:
    relations = found("w r w k r", is_cut=False)
    assert places(relations.flow) == {(0, 1), (0, 4), (2, 4)}
    assert places(relations.anti) == {(1, 2)}
    assert places(relations.output) == {(0, 2)}
    assert places(relations.inputs) == {(1, 4)}
    assert live(relations.live_in) == {1, 4}
    assert live(relations.live_out) == {0, 2}
    assert places(relations.order) == {(1, 2)}
    assert places(relations.forced) == {(0, 2), (1, 2)}


def test_the_references_of_an_instance_keep_their_tags() -> None:
    events = (
        Event(0, writes=frozenset({"W"}), overwrites=True),
        Event(1, reads=frozenset({"R0", "R1"}), writes=frozenset({"R1"}), overwrites=True),
        Event(2, writes=frozenset({"W"}), overwrites=True),
    )
    relations = relations_of({A: events})
    assert relations.flow == {((0, "W"), (1, "R0")), ((0, "W"), (1, "R1"))}
    assert relations.anti == {((1, "R0"), (2, "W")), ((1, "R1"), (2, "W"))}
    assert relations.output == {((0, "W"), (1, "R1")), ((1, "R1"), (2, "W"))}
    assert relations.live_out == {((2, "W"), A)}


def test_elements_with_the_same_history_share_dependences_and_are_each_live() -> None:
    other = ("A", (1,))
    relations = relations_of({A: history("r w"), other: history("r w"), B: history(". . w r")})
    assert places(relations.anti) == {(0, 1)}
    assert places(relations.flow) == {(2, 3)}
    assert relations.live_in == {((0, "R"), A), ((0, "R"), other)}
    assert relations.live_out == {((1, "W"), A), ((1, "W"), other), ((2, "W"), B)}


def test_a_promise_removes_the_pairs_that_it_denies() -> None:
    def denied(array: str, source: int, sink: int) -> bool:
        return array == "A" and (source, sink) in {(0, 1), (1, 2)}

    for element in (A, B):
        relations = relations_of({element: history("w r w")}, denied=denied)
        assert places(relations.flow) == ({(0, 1)} if element == B else set())
        assert places(relations.anti) == ({(1, 2)} if element == B else set())
        assert places(relations.output) == {(0, 2)}
        # A write whose reader is denied counts as one that nobody reads.
        assert places(relations.order) == ({(1, 2)} if element == B else {(0, 2)})
        assert places(relations.forced) == {(0, 2)}
