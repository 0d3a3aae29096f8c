"""What all tests share."""

import gc
import os
import tempfile
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


# Tests make many small values and few circles of them.
gc.set_threshold(100_000, 20, 20)

# Commands that tests run, too, are for the same machine everywhere.
os.environ["LOOPWRIGHT_MACHINE"] = str(Path(__file__).resolve().parent / "machine.toml")

# And nobody's own store of trials has a say in them, nor they in it.  Tuners that share a folder
# for temporary files wait for each other: each process that runs tests has its own.  What pytest
# keeps of a test stays where it always is.
os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", tempfile.gettempdir())
_PRIVATE = tempfile.TemporaryDirectory(prefix="loopwright-tests-", ignore_cleanup_errors=True)
os.environ["LOOPWRIGHT_STORE"] = str(Path(_PRIVATE.name) / "tuning.sqlite")
os.environ["TMPDIR"] = _PRIVATE.name
tempfile.tempdir = None


def pytest_addoption(parser: pytest.Parser) -> None:
    """Golden files change only when somebody says so, and reads the difference."""
    parser.addoption("--update-golden", action="store_true", help="write the golden files anew")


@pytest.fixture(scope="session")
def project_root() -> Path:
    """The folder that holds pyproject.toml."""
    return Path(__file__).resolve().parent.parent
