"""Steps on a real Dask cluster, whose parts die at any moment."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import pairwise
from pathlib import Path
from threading import Thread, Timer
from time import monotonic

import pytest

from loopwright.targets.machine import Machine
from loopwright.tuning.cluster import ClusterExecutor, ClusterProblem, _Batch, _Worker
from loopwright.tuning.executors import LATE
from loopwright.tuning.problems import Place, compiler_identity, processor_name
from loopwright.tuning.toolchain import Toolchain
from loopwright.tuning.versions import Failure
from tests.tuning.clusters import ROOT, Nursery
from tests.tuning.steps import (
    PLENTY,
    crashing,
    ending_its_worker,
    in_folder,
    leaving,
    marked,
    number,
    once,
    processes,
    running,
    span,
    surrounding,
    wait_until,
)

GCC = Toolchain(("gcc",), ("-O2",))
HERE = Place(Machine(), processor_name(), compiler_identity(GCC))


@pytest.fixture(scope="module")
def nursery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nursery]:
    with Nursery(tmp_path_factory.mktemp("dask")) as nursery:
        yield nursery


@pytest.fixture
def scheduler(nursery: Nursery) -> Iterator[str]:
    address, process = nursery.scheduler()
    yield address
    os.kill(process, signal.SIGKILL)


def executor(address: str, **how: float) -> ClusterExecutor:
    return ClusterExecutor(address, HERE, GCC, **how)  # type: ignore[arg-type]


# --- answers ---


def test_each_step_is_answered_once(nursery: Nursery, scheduler: str, tmp_path: Path) -> None:
    """The crash of a step does not take its worker along."""
    _, process = nursery.worker(scheduler, threads=2)
    steps = [
        crashing,
        partial(in_folder, leaving, tmp_path),
        *(partial(number, at) for at in range(3)),
    ]
    with executor(scheduler) as cluster:
        assert (cluster.width, cluster.lanes) == (2, 1)
        found = sorted(cluster.run(steps, PLENTY))  # type: ignore[arg-type]
        expected = Failure("the process that worked on it was ended by SIGSEGV")
        assert found == [(0, expected), (1, 7), (2, 0), (3, 1), (4, 2)]
        assert processes(marked(tmp_path)) == []
        slow = [partial(in_folder, running, tmp_path), partial(number, 1)]
        late = dict(cluster.run(slow, 3.0))
        assert late == {0: LATE, 1: 1}
        wait_until(lambda: not processes(marked(tmp_path)))
        failed = dict(cluster.run(slow, PLENTY, each=2.0))
        assert failed == {0: Failure("it took more than 2 seconds"), 1: 1}
    os.kill(process, signal.SIGKILL)


def test_a_step_alone_shares_its_host_with_no_other(nursery: Nursery, scheduler: str) -> None:
    for _ in range(2):
        nursery.worker(scheduler, threads=2)
    with executor(scheduler) as cluster:
        assert (cluster.width, cluster.lanes) == (4, 1)
        alone = sorted(answer for _, answer in cluster.run([span] * 4, PLENTY, alone=True))  # type: ignore[type-var]
    assert len(alone) == 4
    assert all(first[1] <= then[0] for first, then in pairwise(alone))  # type: ignore[index]


def test_hosts_are_timed_on_side_by_side() -> None:
    workers = [_Worker("a", "one", 2), _Worker("b", "one", 2), _Worker("c", "two", 1)]
    batch = _Batch([crashing] * 9, 0.0, True, 0.0)
    assert [worker.address for _, worker in batch.assigned(workers)] == ["a", "c"]
    batch = _Batch([crashing] * 9, 0.0, False, 0.0)
    assert sorted(worker.address for _, worker in batch.assigned(workers)) == list("aabbc")


# --- who is there ---


def test_only_workers_of_the_same_kind_are_used(nursery: Nursery, scheduler: str) -> None:
    bare, _ = nursery.worker(scheduler, path="/nowhere")
    with pytest.raises(ClusterProblem) as problem:
        executor(scheduler, joining=0.1)
    here = HERE.compiler
    why = f"{bare}: its compiler is none: there is no compiler gcc, not {here}"
    assert problem.value.reason == f"no worker of {scheduler} can be used: {why}"
    told: list[str] = []
    good, _ = nursery.worker(scheduler)
    other = Place(HERE.machine, "another processor", here)
    with pytest.raises(ClusterProblem) as problem:
        ClusterExecutor(scheduler, other, GCC, told.append, joining=0.1)
    assert (
        f"the worker {good} is not used: its processor is {HERE.processor}, not {other.processor}"
        in told
    )
    with executor(scheduler) as cluster:
        assert cluster.width == 1
        assert dict(cluster.run([partial(number, 1)], PLENTY)) == {0: 1}


def test_a_worker_that_joins_is_asked_and_used(nursery: Nursery, scheduler: str) -> None:
    with pytest.raises(ClusterProblem, match=f"^no worker has joined {scheduler}$"):
        executor(scheduler, joining=0.1)
    later = Timer(0.5, nursery.worker, [scheduler])
    later.start()
    with executor(scheduler) as cluster:
        later.join()
        assert dict(cluster.run([partial(number, 1)], PLENTY)) == {0: 1}


def test_nobody_at_the_address() -> None:
    with pytest.raises(ClusterProblem, match=r"^there is no scheduler at nonsense://there: "):
        executor("nonsense://there")


@contextmanager
def listening(answer: bytes | None) -> Iterator[str]:
    """The address of somebody who says this and leaves, or who says nothing and stays."""
    kept: list[socket.socket] = []

    def serve() -> None:
        with suppress(OSError):
            while True:
                kept.append(listener.accept()[0])
                if answer is not None:
                    kept[-1].sendall(answer)
                    kept.pop().close()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        Thread(target=serve, daemon=True).start()
        yield f"127.0.0.1:{listener.getsockname()[1]}"
        listener.shutdown(socket.SHUT_RDWR)
    for each in kept:
        each.close()


@pytest.mark.parametrize("answer", [None, b"HTTP/1.0 400 Bad Request\r\n\r\n" * 50])
def test_somebody_else_at_the_address(
    answer: bytes | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("loopwright.tuning.cluster.CONNECTING", 1.0)
    with listening(answer) as place:
        begun = monotonic()
        with pytest.raises(ClusterProblem) as problem:
            executor(f"tcp://{place}")
        assert monotonic() < begun + 10
        assert problem.value.reason == f"tcp://{place} answers, but not as a scheduler of Dask"
        with pytest.raises(ClusterProblem, match=r"^Dask has no certificates here, which tls:"):
            executor(f"tls://{place}")
    with pytest.raises(
        ClusterProblem, match=rf"^nothing answers at {place}(: connection refused)?$"
    ):
        executor(place)


def test_another_part_of_dask_at_the_address(nursery: Nursery, scheduler: str) -> None:
    address, _ = nursery.worker(scheduler)
    with pytest.raises(ClusterProblem) as problem:
        executor(address)
    assert problem.value.reason == f"there is a worker of Dask at {address}, not a scheduler"


def test_without_the_package() -> None:
    script = """
        import sys
        sys.modules["distributed"] = None
        from loopwright.tuning.cluster import ClusterProblem, ClusterExecutor
        try:
            ClusterExecutor("tcp://127.0.0.1:1", None, None)
        except ClusterProblem as problem:
            print(problem.reason)
    """
    said = subprocess.check_output([sys.executable, "-c", textwrap.dedent(script)], text=True)
    assert said.startswith("the package distributed is not installed")


# --- deaths ---


def test_the_steps_of_a_worker_that_dies_are_run_again(
    nursery: Nursery, scheduler: str, tmp_path: Path
) -> None:
    _, first = nursery.worker(scheduler)
    with executor(scheduler) as cluster:
        answers = cluster.run([partial(once, tmp_path), partial(number, 1)], PLENTY)

        def kill() -> None:
            wait_until(lambda: processes(marked(tmp_path)))
            os.kill(first, signal.SIGKILL)
            nursery.worker(scheduler)

        killing = Timer(0.0, kill)
        killing.start()
        assert dict(answers) == {0: 5, 1: 1}
        killing.join()
    wait_until(lambda: not processes(marked(tmp_path)))


def test_a_step_that_ends_its_workers_does_not_end_them_all(
    nursery: Nursery, scheduler: str, tmp_path: Path
) -> None:
    for _ in range(4):
        nursery.worker(scheduler)
    with executor(scheduler) as cluster:
        steps = [partial(in_folder, ending_its_worker, tmp_path), partial(number, 1)]
        found = dict(cluster.run(steps, PLENTY))
        assert found == {0: Failure("its worker has ended, 3 times"), 1: 1}
        assert dict(cluster.run([partial(number, 2)], PLENTY)) == {0: 2}
    wait_until(lambda: not processes(marked(tmp_path)))


TUNER = """
    import sys
    from functools import partial
    from pathlib import Path
    from tests.tuning.steps import in_folder, number, running
    from tests.tuning.test_cluster import ClusterProblem, executor

    with executor(sys.argv[1], joining=0.5) as cluster:
        try:
            steps = [partial(number, 1), partial(in_folder, running, Path(sys.argv[2]))]
            for at, _ in cluster.run(steps, 1000.0):
                print(at, flush=True)
        except ClusterProblem as problem:
            print(problem.reason)
"""


@pytest.mark.parametrize("dies", ["scheduler", "tuner", "worker"])
def test_nothing_survives_the_death_of_a_part(nursery: Nursery, tmp_path: Path, dies: str) -> None:
    """And nothing is said on the terminal, but for the reason."""
    address, scheduler = nursery.scheduler()
    _, worker = nursery.worker(address, threads=2)
    tuner = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(TUNER), address, str(tmp_path)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        wait_until(lambda: processes(marked(tmp_path)))
        assert tuner.stdout is not None
        assert tuner.stdout.readline() == "0\n"
        os.kill(
            {"scheduler": scheduler, "worker": worker, "tuner": tuner.pid}[dies], signal.SIGKILL
        )
        printed, complaint = tuner.communicate(timeout=120)
    finally:
        tuner.kill()
        tuner.communicate()
    expected = {
        "scheduler": f"the scheduler at {address} does not answer any more\n",
        "worker": f"no worker of {address} is left\n",
        "tuner": "",
    }
    assert (printed, complaint) == (expected[dies], "")
    wait_until(lambda: not processes(marked(tmp_path)))


def test_workers_with_a_nanny(
    scheduler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As users start them; a nanny sets how many threads programs have, and that is undone."""
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    command = [sys.executable, "-m", "dask", "worker", scheduler, "--no-dashboard", "--nthreads=2"]
    nanny = subprocess.Popen(
        [*command, f"--local-directory={tmp_path}"],
        env={**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)},
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        with executor(scheduler) as cluster:
            assert dict(cluster.run([surrounding], PLENTY)) == {0: (None, os.getcwd())}
    finally:
        nanny.terminate()
        nanny.wait(20)
