"""The user's text with the user's macros expanded, and the system's headers still to be included.

The oracle and the front end must speak about the same bytes, so both get this text.  Expanding
the system's headers as well would make every text fifty times longer and none of it more
interesting: the preprocessor finds an empty stand-in for each of them, which leaves a mark that is
turned back into the ``#include``.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

SYSTEM_HEADERS = """
assert.h complex.h ctype.h errno.h fenv.h float.h inttypes.h iso646.h limits.h locale.h malloc.h
math.h memory.h omp.h setjmp.h signal.h stdalign.h stdarg.h stdatomic.h stdbool.h stddef.h stdint.h
stdio.h stdlib.h stdnoreturn.h string.h strings.h tgmath.h threads.h time.h unistd.h wchar.h
sys/time.h sys/types.h sys/resource.h
""".split()

MARK = "#pragma LW_INCLUDE"


def preprocessed(path: Path, include: Sequence[str] = (), define: Sequence[str] = ()) -> str:
    """The text of a program as the compiler proper sees it, pragmas kept, no line markers."""
    with tempfile.TemporaryDirectory() as folder:
        for header in SYSTEM_HEADERS:
            stand_in = Path(folder, header)
            stand_in.parent.mkdir(exist_ok=True)
            stand_in.write_text(f"{MARK} <{header}>\n")
        command = ["gcc", "-E", "-P", "-nostdinc", f"-isystem{folder}", "-x", "c", "-std=gnu11"]
        command += [f"-I{each}" for each in include] + [f"-D{each}" for each in define]
        result = subprocess.run(
            [*command, str(path)], capture_output=True, text=True, timeout=60, check=False
        )
    if result.returncode:
        raise RuntimeError(f"{path} cannot be preprocessed:\n{result.stderr}")
    return re.sub(rf"^{MARK} (<.*>)$", r"#include \1", result.stdout, flags=re.MULTILINE)
