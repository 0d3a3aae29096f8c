"""What a mapping has to know about a machine."""

from __future__ import annotations

from loopwright.basics.records import record


@record
class Machine:
    """The sizes that decide over tiles, registers and threads; the defaults are a usual server's.

    Caches are in bytes and belong to one core.
    """

    cores: int = 2
    l1: int = 32 * 1024
    l2: int = 1024 * 1024
    line: int = 64
    vector_bytes: int = 64
    vector_registers: int = 32

    def __post_init__(self) -> None:
        """Refuse what no machine has."""
        for name in self.__match_args__:
            value = getattr(self, name)
            if not isinstance(value, int) or value < 1:
                raise ValueError(f"{name} must be a positive integer, not {value!r}")
