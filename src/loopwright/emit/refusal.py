"""What cannot be written anew; the region then stays as it is."""

from __future__ import annotations

from loopwright.basics.spans import Span


class CannotEmit(Exception):
    """The region cannot be replaced; the reason completes "because …"."""

    def __init__(self, reason: str, span: Span) -> None:
        """Keep what the user is told."""
        super().__init__(reason)
        self.reason = reason
        self.span = span
