"""Where the files of a user stand that nobody has named."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def default_place(environment: Mapping[str, str]) -> Path:
    """Where the store of trials is if nobody says otherwise.

    >>> default_place({"XDG_CACHE_HOME": "/caches", "HOME": "/home/me"})
    PosixPath('/caches/loopwright/tuning.sqlite')
    """
    home = environment.get("HOME") or str(Path.home())
    cache = environment.get("XDG_CACHE_HOME") or f"{home}/.cache"
    return Path(cache) / "loopwright" / "tuning.sqlite"
