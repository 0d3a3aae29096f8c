"""The programs some of whose loops do not meet their fates yet, and what becomes of them today.

``"2 left"`` says that the second marked loop is left as it was although it could be rewritten;
``rewritten`` that a loop is although it was not to be, ``unnamed`` that nobody says what stands in
the way of one; and ``no result`` that the whole file is lost.  Who mends one takes it out.
"""

from __future__ import annotations

from collections.abc import Mapping

NOT_YET: Mapping[str, str] = {
    "bounds-array-written": "1 unnamed",
    "bounds-behind-pointer": "2 left",
    "cond-kmeans": "1 left",
    "cond-padded-convolution": "1 left",
    "cond-relu-backward": "1 left",
    "cond-saturate": "1 left",
    "control-float-counter": "1 unnamed",
    "data-linked-list": "1 unnamed",
    "data-sieve": "1 unnamed",
    "fate-looked-up-index": "1 unnamed",
    "fate-odd-names": "1 left",
    "fate-python-names": "1 left, 2 left",
    "fate-two-fail-one-works": "1 unnamed, 2 unnamed",
    "fate-unknown-call-on-struct": "1 unnamed",
    "flat-3d-struct": "1 left",
    "flat-heat-3d": "1 left",
    "header-counter-beside": "1 left",
    "helper-value": "1 left",
    "macro-statement-expression": "1 left",
    "macro-x-list": "1 unnamed",
    "pointers-parity": "2 left",
    "pointers-rotated": "1 left",
    "pointers-swapped": "1 left",
    "pointers-swapped-3d": "1 left",
    "pointers-swapped-in-struct": "2 left",
    "pointers-swapped-rows": "1 left",
    "pointers-walking": "1 left, 2 left",
    "pointers-walking-while": "1 left",
    "steps-variable": "1 left",
    "style-countdown": "1 left",
    "style-cpp": "no result: LW102",
    "style-cpp-pointers": "no result: LW102",
}
