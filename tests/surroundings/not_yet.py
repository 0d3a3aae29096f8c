"""The programs some of whose loops do not meet their fates yet, and what becomes of them today.

``"2 left"`` says that the second marked loop is left as it was although it could be rewritten;
``rewritten`` that a loop is although it was not to be, ``unnamed`` that nobody says what stands in
the way of one; and ``no result`` that the whole file is lost.  Who mends one takes it out.
"""

from __future__ import annotations

from collections.abc import Mapping

NOT_YET: Mapping[str, str] = {
    "flat-3d-struct": "1 left",
    "flat-accessor": "1 left",
    "flat-batched-offsets": "no result: not proved",
    "flat-column-major": "1 left",
    "flat-conv-4d": "no result: not proved",
    "flat-heat-3d": "1 left",
    "flat-long": "1 left",
    "flat-row-pointers": "1 left",
    "flat-submatrix": "1 left",
    "flat-through-address": "1 left",
}
