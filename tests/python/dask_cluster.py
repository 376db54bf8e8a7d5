"""A scheduler and workers of Dask as processes of this machine, for tests."""
from __future__ import annotations

import atexit
import importlib.util
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


def is_there() -> bool:
    """Whether distributed is installed (scripts/setup --tests installs it)."""
    return importlib.util.find_spec("distributed") is not None


class Cluster:
    """`with Cluster(2) as cluster: cluster.client`. Workers are single processes, so that killing one loses it."""

    def __init__(self, workers: int, folder: Path) -> None:
        self.folder, self.count = folder, workers
        self.processes: list[subprocess.Popen[bytes]] = []
        self.killed = 0

    def __enter__(self) -> Cluster:
        from distributed import Client

        self.scheduler = self.start("distributed.cli.dask_scheduler", "--port", "0", "--no-dashboard", "--no-show",
                                    "--host", "127.0.0.1", "--scheduler-file", str(self.folder / "scheduler.json"))
        self.workers = [self.worker() for _ in range(self.count)]
        self.client: Any = Client(scheduler_file=str(self.folder / "scheduler.json"), timeout=30)
        self.client.wait_for_workers(self.count, timeout=30)
        return self

    def worker(self) -> subprocess.Popen[bytes]:
        return self.start("distributed.cli.dask_worker", "--scheduler-file", str(self.folder / "scheduler.json"),
                          "--nthreads", "1", "--nworkers", "1", "--no-nanny", "--no-dashboard", "--local-directory",
                          str(self.folder))

    def start(self, module: str, *words: str) -> subprocess.Popen[bytes]:
        paths = os.pathsep.join([str(ROOT / "python"), str(Path(__file__).resolve().parent)])
        environment = {**os.environ, "PYTHONPATH": paths, "DASK_DISTRIBUTED__WORKER__DAEMON": "True"}
        process = subprocess.Popen([sys.executable, "-W", "ignore", "-m", module, *words], env=environment,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.processes.append(process)
        return process

    def kill_one_when_busy(self) -> None:
        """Kills a worker as soon as it has finished a task and has another one."""
        until = time.monotonic() + 60
        while time.monotonic() < until:
            if self.client.run_on_scheduler(finished_tasks) >= 3:
                break
            time.sleep(0.01)
        self.workers[0].kill()
        self.workers[0].wait()
        self.killed += 1

    def replace_killed(self) -> None:
        """Starts a worker in place of the one that was killed."""
        self.workers[0] = self.worker()
        self.client.wait_for_workers(self.count, timeout=30)

    def __exit__(self, *_: object) -> None:
        self.client.close()
        for process in self.processes:
            process.kill()
            process.wait()


def shared() -> Cluster:
    """One with two workers for all tests of a program; it ends with the program."""
    global _shared
    if _shared is None:
        folder = tempfile.TemporaryDirectory()
        _shared = Cluster(2, Path(folder.name)).__enter__()
        atexit.register(folder.cleanup)
        atexit.register(_shared.__exit__)
    return _shared


_shared: Cluster | None = None


def finished_tasks(dask_scheduler: Any = None) -> int:
    return sum(task.state == "memory" for task in dask_scheduler.tasks.values())
