"""What every command reads: a file, and a condition on the parameters."""

from __future__ import annotations

from pathlib import Path

import islpy as isl

from loopwright.basics.diagnostics import Diagnostic, InputError
from loopwright.basics.encodings import require_text
from loopwright.basics.spans import whole_file


def file_content(path: Path) -> bytes:
    """The bytes of a file, or a diagnostic."""
    require_text(str(path))
    try:
        return path.read_bytes()
    except OSError as error:
        reason = error.strerror or "it cannot be read"
        message = f"cannot read the file: {reason.lower()}"
        raise InputError(Diagnostic("LW106", message, whole_file(str(path)))) from None


def parsed_context(text: str) -> isl.Set:
    """A condition on the parameters, in isl's notation."""
    try:
        context = isl.Set(text)
    except isl.Error:
        context = None
    if context is None or not context.is_params():
        raise InputError(
            Diagnostic(
                "LW117",
                f"not a condition on parameters: {text}",
                whole_file("--context"),
                'write it as "[n] -> { : n >= 4 }"',
            )
        )
    return context
