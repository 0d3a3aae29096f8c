"""Text changed by insertion only, so that every offset of the original keeps its meaning."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Edits:
    """Insertions into a text, which nest as the syntax does.

    Visit the tree depth first, open before the children and close after them: at one offset,
    whatever ends there closes first, and outer parentheses open before inner ones.
    """

    _insertions: list[tuple[int, int, int, str]] = field(default_factory=list)

    def open(self, offset: int, text: str) -> None:
        """Insert before what starts at the offset."""
        self._insertions.append((offset, 1, len(self._insertions), text))

    def close(self, offset: int, text: str) -> None:
        """Insert after what ends at the offset."""
        self._insertions.append((offset, 0, len(self._insertions), text))

    def applied_to(self, source: bytes) -> str:
        """The changed text."""
        pieces: list[bytes] = []
        done = 0
        for offset, _, _, text in sorted(self._insertions):
            pieces += [source[done:offset], text.encode()]
            done = offset
        return b"".join([*pieces, source[done:]]).decode()
