"""What every command reads: a file, and a condition on the parameters."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

import islpy as isl

from loopwright.basics.diagnostics import Diagnostic, InputError
from loopwright.basics.encodings import require_text
from loopwright.basics.spans import whole_file

MOST_BYTES = 64 * 2**20


def file_content(path: Path) -> bytes:
    """The bytes of a file, or a diagnostic."""
    require_text(str(path))
    try:
        with path.open("rb") as stream:
            return limited_content(stream, str(path))
    except OSError as error:
        reason = error.strerror or "it cannot be read"
        message = f"cannot read the file: {reason.lower()}"
        raise InputError(Diagnostic("LW106", message, whole_file(str(path)))) from None


def limited_content(stream: BinaryIO, name: str) -> bytes:
    """All that there is to read, unless it is more than any program; some devices never end."""
    content = stream.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        message = f"the file is larger than {MOST_BYTES // 2**20} MiB"
        hint = "give loopwright the file with the loops alone"
        raise InputError(Diagnostic("LW104", message, whole_file(name), hint))
    return content


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
