"""Two texts that must be the same, except for what a person adds when loops are rewritten.

That is variables without values.  Whether their names are really nobody else's is for others to
ask.
"""

from __future__ import annotations

from collections.abc import Sequence

from loopwright.basics.c_tokens import Token, span_of, texts
from loopwright.basics.diagnostics import shortened
from loopwright.basics.records import record
from loopwright.frontend.preprocessing import Unit
from loopwright.verify.failure import NotProved

TYPES = frozenset("char short int long float double unsigned signed".split())


@record
class Variables:
    """Variables without values; ``blocks`` are where the blocks begin in which they are known."""

    names: tuple[str, ...]
    text: bytes
    place: int
    blocks: tuple[int, ...]


@record
class Declaration:
    """``int i, t[8];``: the type, each name with its sizes, and the number of the next token."""

    type: tuple[str, ...]
    declarators: tuple[tuple[str, str], ...]
    end: int


def declaration_at(tokens: Sequence[Token], at: int) -> Declaration | None:
    """The declaration of plain variables that begins at a token, if one does."""
    first = at
    while at < len(tokens) and tokens[at].text in TYPES:
        at += 1
    type_ = tuple(texts(tokens[first:at]))
    declarators: list[tuple[str, str]] = []
    while type_ and at + 1 < len(tokens) and tokens[at].is_word:
        name, sizes = tokens[at].text, ""
        at += 1
        while texts(tokens[at : at + 3 : 2]) == ["[", "]"] and tokens[at + 1].text.isdigit():
            sizes += f"[{tokens[at + 1].text}]"
            at += 3
        declarators.append((name, sizes))
        mark = tokens[at].text if at < len(tokens) else ""
        at += 1
        if mark == ";":
            return Declaration(type_, tuple(declarators), at)
        if mark != ",":
            return None
    return None


class Comparison:
    """Goes through two texts side by side, and collects what the second one adds.

    ``at`` is the number of the next token of the new text.
    """

    def __init__(self, unit: Unit, tokens: Sequence[Token]) -> None:
        self.unit = unit
        self.tokens = tokens
        self.at: int = 0
        self.variables: list[Variables] = []
        self._blocks: list[int] = []

    @property
    def blocks(self) -> tuple[int, ...]:
        """Where the blocks begin that the new text is in."""
        return tuple(self._blocks)

    def follow(self, original: Sequence[Token]) -> None:
        """Go on through tokens that must be there, one after the other."""
        number = 0
        begun: tuple[int, int] = (0, self.at)
        while number < len(original):
            if self._is_next(original[number]):
                ends = original[number].text in (";", "{", "}") or original[number].is_directive
                self._pass()
                number += 1
                begun = (number, self.at) if ends else begun
                continue
            number, self.at = begun
            number += self._passed_addition(original[number:])
            begun = (number, self.at)

    def pass_region(self, end: int) -> None:
        """Go on to a token behind a region."""
        while self.at < end:
            self._pass()

    def pass_additions(self, end: int) -> None:
        """Go on to a token; what is in front of it may only add to what there was."""
        while self.at < end:
            self._passed_addition(())

    def _is_next(self, token: Token) -> bool:
        return self.at < len(self.tokens) and self.tokens[self.at].text == token.text

    def _pass(self) -> None:
        token = self.tokens[self.at]
        if token.text == "{":
            self._blocks.append(token.start)
        elif token.text == "}" and self._blocks:
            self._blocks.pop()
        self.at += 1

    def _passed_addition(self, original: Sequence[Token]) -> int:
        """Pass a statement that is new; how many tokens of the original go with it."""
        if self.at < len(self.tokens):
            found = declaration_at(self.tokens, self.at)
            if found is not None and self._blocks:
                return self._passed_variables(found, declaration_at(original, 0))
        raise self._differs(original)

    def _passed_variables(self, found: Declaration, before: Declaration | None) -> int:
        """Pass a declaration: all of it is new, or it has new names beside the original ones."""
        known: set[tuple[str, str]] = set()
        if before is not None and before.type == found.type:
            known = set(before.declarators)
        is_longer = bool(known) and known < set(found.declarators)
        added = [each for each in found.declarators if not is_longer or each not in known]
        declared = ", ".join(name + sizes for name, sizes in added)
        text = f"{' '.join(found.type)} {declared};".encode()
        place = self.tokens[self.at].start
        names = tuple(name for name, _ in added)
        self.variables.append(Variables(names, text, place, self.blocks))
        self.at = found.end
        return before.end if is_longer and before is not None else 0

    def _differs(self, original: Sequence[Token]) -> NotProved:
        """What the first difference is."""
        at = 0
        while at < len(original) and self._is_next(original[at]):
            at += 1
            self.at += 1
        last = len(self.unit.text)
        token = self.tokens[self.at] if self.at < len(self.tokens) else Token("the end", last, last)
        wanted = f" instead of {shortened(original[at].text)}" if at < len(original) else ""
        reason = f"the file differs outside its regions: {shortened(token.text)}{wanted}"
        return NotProved(reason, span=self.unit.told(span_of(token, self.unit.name)))
