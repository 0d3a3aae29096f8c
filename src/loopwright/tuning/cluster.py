"""The work of the tuner on a Dask cluster: ``tune --cluster ADDRESS``.

Dask carries steps to workers and answers back; which worker gets which step is decided here.  A
worker is used if it is of the same kind as the machine that asks: the same processor, compiler and
version of loopwright.  So all times belong to one place, and what the original computes, which is
found out once, is what it computes everywhere: results may differ in their last bits between
processors or libraries of another kind.

A step that is timed has its host alone: no other step of this tuner is there, and a lock of the
host keeps other tuners away.  Steps of a worker that dies are run again by others.
"""

from __future__ import annotations

import asyncio
import logging
import pickle
import warnings
from collections import Counter, deque
from collections.abc import Callable, Container, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from math import inf
from pkgutil import resolve_name
from time import monotonic, sleep
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar, cast

from loopwright.basics.diagnostics import shortened
from loopwright.basics.records import record
from loopwright.tuning.executors import LATE, Step, WorkersLost
from loopwright.tuning.keeping import Terms
from loopwright.tuning.problems import Place
from loopwright.tuning.toolchain import Toolchain
from loopwright.tuning.versions import Failure
from loopwright.tuning.worker import (
    Identity,
    Request,
    answered,
    cores,
    identity,
    own_version,
    surroundings,
)

if TYPE_CHECKING:
    from distributed import Client, Future

T = TypeVar("T")

CONNECTING = 10.0
"""Seconds in which a scheduler has to answer."""
JOINING = 30.0
"""Seconds in which a worker has to join, if there is none."""
LOOKING = 0.3
"""Seconds between two looks at who is there."""
PAUSE = 0.01
RECONNECTING = 5.0
"""Seconds in which a scheduler that is lost has to be there again."""
FETCHING = 5.0
"""Seconds for an answer to come from its worker."""
ENCRYPTED = ("tls://", "wss://")
MOST_DEATHS = 3
"""A step whose workers have died so often is not given to another one."""
NOISY = (
    "distributed",
    "distributed.client",
    "distributed.gc",
    "tornado",
    "tornado.application",
    "asyncio",
)
"""Loggers with levels of their own."""


class ClusterProblem(WorkersLost):
    """The cluster cannot be used, or not any longer; the reason completes "because …"."""


@record
class _Worker:
    """A worker that is used, and how many steps it takes at a time."""

    address: str
    host: str
    width: int


@record(eq=False)
class _Flight:
    """A step on its way."""

    number: int
    worker: _Worker
    future: Future[bytes]


class ClusterExecutor:
    """The workers of a Dask cluster that are like this machine."""

    def __init__(
        self,
        address: str,
        place: Place,
        toolchain: Toolchain,
        tell: Callable[[str], None] = lambda _: None,
        joining: float = JOINING,
    ) -> None:
        """Find the workers; :class:`ClusterProblem` if there is none.

        Those that are not used are told, with the reason.
        """
        self.address, self._place, self._toolchain, self._tell = address, place, toolchain, tell
        self._joining = joining
        self._silence = _Silence()
        self._workers: dict[str, _Worker] = {}
        self._asked: dict[str, Future[Identity]] = {}
        self._refused: dict[str, str] = {}
        self._widths: dict[str, int] = {}
        self._looked = -inf
        try:
            self._client = _connected(address)
            self._await_worker()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> ClusterExecutor:
        """Nothing is to be done yet."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Leave the cluster."""
        self.close()

    @property
    def width(self) -> int:
        """How many steps can run side by side now."""
        return sum(each.width for each in self._workers.values())

    @property
    def lanes(self) -> int:
        """How many steps can have a host alone now."""
        return len({each.host for each in self._workers.values()})

    def close(self) -> None:
        """Leave the cluster; what is at work for this tuner ends."""
        client: Client | None = getattr(self, "_client", None)
        if client is not None:
            with suppress(Exception), _unwarned():
                client.close(timeout=CONNECTING)
        self._silence.end()

    # --- workers ---

    def _await_worker(self) -> None:
        """Wait until there is a worker, for a while, and until all have said what they are."""
        begun = monotonic()
        while not self._workers or (self._asked and monotonic() < begun + CONNECTING):
            self._look(at_once=True)
            if not self._workers and not self._asked and monotonic() > begun + self._joining:
                reasons = "; ".join(f"{each}: {why}" for each, why in self._refused.items())
                why = f"no worker of {self.address} can be used: {reasons}" if reasons else ""
                raise ClusterProblem(why or f"no worker has joined {self.address}")
            sleep(PAUSE)

    def _look(self, *, at_once: bool = False) -> None:
        """Who is there?  New ones are asked what they are; who is gone is forgotten."""
        now = monotonic()
        if not at_once and now < self._looked + LOOKING:
            return
        self._looked = now
        self._widths = self._present()
        for each in [each for each in self._workers if each not in self._widths]:
            del self._workers[each]
        for each in [each for each in self._asked if each not in self._widths]:
            self._asked.pop(each).release()
        self._refused = {at: why for at, why in self._refused.items() if at in self._widths}
        for each in self._widths:
            if each not in self._workers and each not in self._asked and each not in self._refused:
                self._asked[each] = self._client.submit(
                    identity, self._toolchain, workers=[each], pure=False
                )
        for each, future in list(self._asked.items()):
            if future.status != "pending":
                del self._asked[each]
                self._judge(each, future)

    def _client_is(self) -> str:
        """What state the connection to the scheduler is in."""
        return str(getattr(self._client, "status", ""))

    def _present(self) -> dict[str, int]:
        """The addresses of the workers, and how many tasks each takes at a time."""
        end = monotonic() + RECONNECTING
        while monotonic() < end and self._client_is() != "closed":
            if self._client_is() == "running":
                with suppress(Exception), _unwarned():
                    return self._client.nthreads(callback_timeout=RECONNECTING)
            sleep(PAUSE)
        raise ClusterProblem(f"the scheduler at {self.address} does not answer any more")

    def _judge(self, address: str, future: Future[Identity]) -> None:
        try:
            found = future.result(timeout=FETCHING)
            why = self._difference(found)
        except Exception as error:
            if future.status == "cancelled" or isinstance(error, TimeoutError):
                return
            found, why = None, f"it cannot say what it is: {_words(error)}"
        if found is not None and not why:
            self._workers[address] = _Worker(address, found.host, max(1, self._widths[address]))
        else:
            self._refused[address] = why
            self._tell(f"the worker {address} is not used: {why}")

    def _difference(self, found: Identity) -> str:
        """Why a worker cannot stand for this machine."""
        wanted = (
            ("loopwright", found.version, own_version()),
            ("processor", found.processor, self._place.processor),
            ("compiler", found.compiler, self._place.compiler),
        )
        for what, there, here in wanted:
            if there != here:
                return f"its {what} is {there or 'unknown'}, not {here or 'unknown'}"
        if found.cores < cores():
            return f"it has fewer cores: {found.cores}, not {cores()}"
        return ""

    # --- steps ---

    def run(
        self, steps: Sequence[Step[T]], seconds: float, *, alone: bool = False, each: float = inf
    ) -> Iterator[tuple[int, T | Failure]]:
        """See :class:`~loopwright.tuning.executors.Executor`."""
        batch = _Batch(steps, monotonic() + seconds, alone, each)
        lonely = monotonic()
        try:
            while batch.is_open and monotonic() < batch.end:
                self._look()
                if self._workers:
                    lonely = monotonic()
                elif not self._asked and monotonic() > lonely + self._joining:
                    raise ClusterProblem(f"no worker of {self.address} is left")
                batch.give_up(self._widths)
                self._send(batch)
                for number, answer in batch.arrived():
                    yield number, cast("T | Failure", answer)
                sleep(PAUSE)
        finally:
            with suppress(Exception), _unwarned():
                batch.cancel(self._client)
        for number in batch.unanswered():
            yield number, LATE

    def _send(self, batch: _Batch) -> None:
        """Give steps to workers that have nothing else to do."""
        around = surroundings()
        for number, worker in batch.assigned(list(self._workers.values())):
            terms = Terms(batch.alone, max(0.0, batch.end - monotonic()), batch.each)
            request = pickle.dumps(Request(pickle.dumps(batch.steps[number]), terms, *around))
            with _unwarned():
                future = self._client.submit(
                    answered, request, workers=[worker.address], pure=False
                )
            batch.flights.append(_Flight(number, worker, future))


class _Batch:
    """Steps that are asked for together: each is waiting, on its way, or answered."""

    def __init__(self, steps: Sequence[Step[Any]], end: float, alone: bool, each: float) -> None:
        self.steps, self.end, self.alone, self.each = steps, end, alone, each
        self.flights: list[_Flight] = []
        self._waiting = deque(range(len(steps)))
        self._failed: dict[int, Failure] = {}
        self._deaths: Counter[int] = Counter()

    @property
    def is_open(self) -> bool:
        """Is there a step without an answer?"""
        return bool(self._waiting or self.flights or self._failed)

    def unanswered(self) -> list[int]:
        """The steps that are not answered."""
        return [*(each.number for each in self.flights), *self._waiting, *self._failed]

    def assigned(self, workers: Sequence[_Worker]) -> Iterator[tuple[int, _Worker]]:
        """Which waiting step goes to which worker now, until there is no more room."""
        load = Counter(each.worker.address for each in self.flights)
        hosts = {each.worker.host for each in self.flights}
        while self._waiting:
            if self.alone:
                free = [each for each in workers if each.host not in hosts]
            else:
                free = [each for each in workers if load[each.address] < each.width]
            if not free:
                return
            chosen = min(free, key=lambda each: (load[each.address] / each.width, each.address))
            load[chosen.address] += 1
            hosts.add(chosen.host)
            yield self._waiting.popleft(), chosen

    def give_up(self, present: Container[str]) -> None:
        """Take back the steps of workers that are gone."""
        for each in [each for each in self.flights if each.worker.address not in present]:
            self._take_back(each, "its worker has ended")

    def _take_back(self, flight: _Flight, why: str) -> None:
        """A step is to be run by another worker, unless it has been too often."""
        self.flights.remove(flight)
        with suppress(Exception):
            flight.future.release()
        self._deaths[flight.number] += 1
        if self._deaths[flight.number] < MOST_DEATHS:
            self._waiting.appendleft(flight.number)
        else:
            self._failed[flight.number] = Failure(f"{why}, {MOST_DEATHS} times")

    def arrived(self) -> Iterator[tuple[int, object]]:
        """The answers that there are."""
        for flight in [each for each in self.flights if each.future.status != "pending"]:
            try:
                content = flight.future.result(timeout=FETCHING)
            except Exception as error:
                self._take_back(flight, f"its worker could not answer: {_words(error)}")
                continue
            if content:
                self.flights.remove(flight)
                flight.future.release()
                yield flight.number, _answer_from(content)
            else:
                self._take_back(flight, "its worker gave it up")
        while self._failed:
            yield self._failed.popitem()

    def cancel(self, client: Client) -> None:
        """Nobody waits for what is on its way."""
        if self.flights:
            client.cancel([each.future for each in self.flights], force=True)


def _answer_from(content: bytes) -> object:
    try:
        return pickle.loads(content)
    except Exception as error:
        return Failure(f"its answer cannot be read: {_words(error)}")


# --- Dask -----------------------------------------------------------------------------------------


def _connected(address: str) -> Client:
    try:
        with _unwarned():
            from distributed import Client
    except ImportError:
        wanted = "pip install 'loopwright[cluster]'"
        raise ClusterProblem(f"the package distributed is not installed: {wanted}") from None
    try:
        with _unwarned():
            security = _security(address)
            asyncio.run(_require_scheduler(address, security))
            more: dict[str, Any] = {"security": security, "name": "loopwright"}
            return Client(address, timeout=CONNECTING, set_as_default=False, **more)
    except ClusterProblem:
        raise
    except Exception as error:
        raise ClusterProblem(f"there is no scheduler at {address}: {_words(error)}") from None


def _security(address: str) -> Any:
    """Certificates as Dask is configured to find them."""
    settings: Any = import_module("dask.config")
    loader: str | None = settings.get("distributed.client.security-loader", None)
    found = None if loader is None else resolve_name(loader)({"address": address})
    return import_module("distributed").Security() if found is None else found


async def _require_scheduler(address: str, security: Any) -> None:
    """Is it a scheduler that answers there?

    A client would wait forever for one that says nothing, and long for one that says something
    else, and it complains on the terminal.
    """
    closed: type[Exception] = import_module("distributed.comm").CommClosedError
    try:
        kind = await asyncio.wait_for(_kind(address, security), CONNECTING)
    except (closed, TimeoutError, MemoryError):  # the last one where a text is read as a length
        raise ClusterProblem(f"{address} answers, but not as a scheduler of Dask") from None
    except OSError as error:
        raise ClusterProblem(f"nothing answers at {address}{_cause(error)}") from None
    if kind != "Scheduler":
        found = f"a {kind.lower()}" if kind else "something else"
        raise ClusterProblem(f"there is {found} of Dask at {address}, not a scheduler")


async def _kind(address: str, security: Any) -> str:
    """What a part of Dask says that it is."""
    arguments: dict[str, Any] = security.get_connection_args("client")
    if address.startswith(ENCRYPTED) and arguments.get("ssl_context") is None:
        raise ClusterProblem(f"Dask has no certificates here, which {address} needs")
    # Half of the time, so that whoever listens but does not answer is told from nobody at all.
    connecting: Any = import_module("distributed.comm").connect
    comm = await connecting(address, timeout=CONNECTING / 2, **arguments)
    try:
        await comm.write({"op": "identity", "reply": True})
        answer: object = await comm.read()
    finally:
        comm.abort()
    known = cast("dict[str, object]", answer) if isinstance(answer, dict) else {}
    return str(known.get("type", ""))


def _cause(error: BaseException) -> str:
    """What the system says at the bottom of what Dask says, as the end of a sentence."""
    while error.__cause__ is not None:
        error = error.__cause__
    said = error.strerror if isinstance(error, OSError) else None
    return f": {said.lower()}" if said else ""


def _words(error: Exception) -> str:
    return shortened(str(error).partition("\n")[0] or type(error).__name__)


@contextmanager
def _unwarned() -> Generator[None]:
    """What Dask finds strange about the cluster is no matter of the tuner."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


class _Silence:
    """Dask says nothing on the terminal, until this ends."""

    def __init__(self) -> None:
        with suppress(ImportError), _unwarned():
            import distributed as distributed  # it decides about its loggers when it is loaded
        loggers = [logging.getLogger(each) for each in NOISY]
        self._before = [(each, each.level) for each in loggers]
        for each in loggers:
            each.setLevel(logging.CRITICAL + 1)

    def end(self) -> None:
        """Let it speak again."""
        for each, level in self._before:
            each.setLevel(level)
