"""What all tests share."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# The same examples in every run of `make test`; `make fuzz` is where new ones are found.
settings.register_profile(
    "loopwright",
    deadline=None,
    derandomize=True,
    database=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("loopwright")


@pytest.fixture(scope="session")
def project_root() -> Path:
    """The folder that holds pyproject.toml."""
    return Path(__file__).resolve().parent.parent
