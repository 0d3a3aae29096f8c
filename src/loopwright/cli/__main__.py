"""``python -m loopwright.cli``."""

from loopwright.cli import main

main()
