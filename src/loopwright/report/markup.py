"""Texts of anybody within HTML and SVG."""

from __future__ import annotations

import re
from html import escape

UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
"""What XML cannot hold; a program text may hold anything."""


def escaped(text: str) -> str:
    r"""A text that means nothing but itself, in XML as well.

    >>> escaped('a < b && "\x0c"')
    'a &lt; b &amp;&amp; &quot;�&quot;'
    """
    return escape(UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text))
