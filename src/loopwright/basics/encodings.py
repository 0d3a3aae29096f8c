"""Names and options are text in UTF-8; file systems have others, too."""

from __future__ import annotations

from loopwright.basics.diagnostics import Diagnostic, InputError
from loopwright.basics.spans import whole_file


def require_text(argument: str) -> None:
    """Refuse what is not text in UTF-8: the parser knows no other names."""
    try:
        argument.encode()
    except UnicodeEncodeError:
        shown = argument.encode(errors="surrogateescape").decode(errors="backslashreplace")
        message, hint = "not text in UTF-8", "rename the file, or give it on standard input"
        raise InputError(Diagnostic("LW106", message, whole_file(shown), hint)) from None
