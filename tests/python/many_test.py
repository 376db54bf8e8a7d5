"""Many ranks, submissions and GPUs: on this machine, on two workers of Dask of which one is killed, and by addresses."""
from __future__ import annotations

import contextlib
import functools
import http.server
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest
import zipfile
from pathlib import Path
from typing import Any, Iterator

import dask_cluster
from support import ROOT, Test, warpwalk

MAKE = ROOT / "tests/analysis/ranks/make_ranks.py"
DATA = ROOT / "tests/analysis/ranks/data"
EXERCISE = ROOT / "tests/exercises/grid_stride"


def figures(ranks: dict[str, Any]) -> str:
    """What is said of the ranks, without the names of files."""
    return json.dumps({**ranks, "traces": [{key: value for key, value in one.items() if key not in ("file", "digest")}
                                           for one in ranks["traces"]]})


@contextlib.contextmanager
def a_worker_killed(test: Test, cluster: dask_cluster.Cluster) -> Iterator[None]:
    """Kills one of the two workers in the middle, and replaces it in the end."""
    before = cluster.killed
    killer = threading.Thread(target=cluster.kill_one_when_busy)
    killer.start()
    yield
    killer.join()
    test.assertEqual(cluster.killed, before + 1)
    cluster.replace_killed()


class Ranks(Test):
    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.traces = cls.folder / "run"
        subprocess.run([sys.executable, str(MAKE), str(cls.traces), "--ranks", "24", "--late", "2", "--host", "1"], check=True)
        cls.planted = json.loads((cls.traces / ".planted.json").read_text())
        cls.alone = warpwalk.ranks(cls.traces)

    def test_the_verdict_is_a_group_and_a_rank(self) -> None:
        groups = self.alone.ranks["late_groups"]
        self.assertEqual(groups[0]["ranks"], list(range(8, 16)))
        self.assertEqual((groups[0]["place"], groups[0]["name"]), ("host", "node001"))
        late = {rank for group in groups for rank in group["ranks"]}
        # The one with longer kernels, too. The other one sleeps as half of those do that it is compared with.
        self.assertLessEqual({int(rank) for rank, cause in self.planted.items() if cause == "kernel"}, late)
        self.assertIn("ranks 8 to 15", self.alone.verdict)

    def test_digests_are_small_and_kept(self) -> None:
        keep = self.folder / "digests"
        first = warpwalk.ranks(self.traces, folder=keep)
        times = {file: file.stat().st_mtime_ns for file in keep.iterdir()}
        self.assertEqual(len(times), 24)
        self.assertEqual(figures(warpwalk.ranks(self.traces, folder=keep).ranks), figures(first.ranks))
        self.assertEqual(times, {file: file.stat().st_mtime_ns for file in keep.iterdir()})
        self.assertIn("kernels", first.rank(3).info)
        self.assertIn("there is no rank 99", self.error(first.rank, 99))

    @unittest.skipUnless(dask_cluster.is_there(), "python3-distributed is not installed; scripts/setup --tests installs it")
    def test_two_workers_of_which_one_is_killed(self) -> None:
        cluster = dask_cluster.shared()
        with a_worker_killed(self, cluster):
            walk = warpwalk.ranks(sorted(self.traces.glob("*.json.gz")), client=cluster.client)
        self.assertEqual(figures(walk.ranks), figures(self.alone.ranks))
        self.assertIn("broken.json", self.error(warpwalk.ranks, [self.broken()], client=cluster.client))

    def broken(self) -> Path:
        file = self.folder / "broken.json"
        file.write_text("{")
        return file

    def test_what_cannot_be_read_is_one_line(self) -> None:
        self.assertIn("broken.json", self.error(warpwalk.ranks, [self.broken()]))
        self.assertIn("has no traces", self.error(warpwalk.ranks, tempfile.gettempdir() + "/no-such-*.json"))
        self.assertIn("no traces are given", self.error(warpwalk.ranks, []))


class Grades(Test):
    @unittest.skipUnless(dask_cluster.is_there(), "python3-distributed is not installed; scripts/setup --tests installs it")
    def test_two_workers_of_which_one_is_killed(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            submissions = Path(folder, "class")
            submissions.mkdir()
            starter = (ROOT / "assets/exercises/grid_stride/starter.ptx").read_text()
            for n in range(10):
                (submissions / f"student{n}.ptx").write_text(f"// {n}\n" + (starter if n % 3 else "nothing"))
            alone = warpwalk.grade(submissions, "grid_stride", seed=7, output=Path(folder, "alone.csv"))
            cluster = dask_cluster.shared()
            with a_worker_killed(self, cluster):
                spread = warpwalk.grade(submissions, "grid_stride", client=cluster.client, seed=7, parts=10,
                                        output=Path(folder, "spread.csv"))
            self.assertEqual(len(spread), 10)
            self.assertEqual(Path(folder, "spread.csv").read_text(), Path(folder, "alone.csv").read_text())
            self.assertEqual([{**one, "host_seconds": 0} for one in spread], [{**one, "host_seconds": 0} for one in alone])


class Places(Test):
    def test_http_and_zip(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for rank in (0, 1):
                shutil.copy(DATA / f"late_loader_rank{rank}.json.gz", Path(folder, f"rank{rank}.json.gz"))
            with zipfile.ZipFile(Path(folder, "run.zip"), "w") as archive:
                for rank in (0, 1):
                    archive.write(Path(folder, f"rank{rank}.json.gz"), f"rank{rank}.json.gz")
            handler = functools.partial(Silent, directory=folder)
            with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
                threading.Thread(target=server.serve_forever, daemon=True).start()
                base = f"http://127.0.0.1:{server.server_port}"
                walk = warpwalk.ranks([f"{base}/rank0.json.gz", f"{base}/rank1.json.gz"])
                self.assertIn("rank 1", walk.verdict)
                self.assertEqual(walk.ranks["traces"][1]["file"], f"{base}/rank1.json.gz")
                self.assertTrue(walk.rank(1).kernels)
                self.assertTrue(warpwalk.open(f"{base}/rank0.json.gz").kernels)
                self.assertIn("none.json: cannot be fetched", self.error(warpwalk.open, f"{base}/none.json"))
                # The program itself: info ADDRESS, and a digest that says where its trace is.
                answer = subprocess.run([str(warpwalk.program.program()), "info", f"{base}/rank1.json.gz", "--json", "-"],
                                        capture_output=True, text=True, check=True)
                self.assertIn("gpu_idle", json.loads(answer.stdout))
                server.shutdown()
            try:
                import fsspec  # noqa: F401
            except ImportError:
                self.skipTest("python3-fsspec is not installed; scripts/setup --tests installs it")
            files = [f"zip://rank{rank}.json.gz::{folder}/run.zip" for rank in (0, 1)]
            self.assertIn("rank 1", warpwalk.ranks(files).verdict)


    def test_sftp(self) -> None:
        try:
            import fsspec  # noqa: F401
            import paramiko  # noqa: F401
        except ImportError:
            self.skipTest("python3-fsspec or python3-paramiko is not installed; scripts/setup --tests installs them")
        import sftp_server

        with sftp_server.Server(DATA) as server:
            names = [f"{server.base}/late_loader_rank{rank}.json.gz" for rank in (0, 1)]
            self.assertIn("rank 1", warpwalk.ranks(names).verdict)
            self.assertIn("cannot be fetched", self.error(warpwalk.open, f"{server.base}/none.json"))


class Pages(Test):
    """The commands of the pages about many files are run as they are."""

    def blocks(self, page: str, language: str) -> list[str]:
        return re.findall(rf"```{language}\n(.*?)```", (ROOT / "docs" / page).read_text(), flags=re.DOTALL)

    def shell(self, block: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(["bash", "-c", "set -e\n" + block], capture_output=True, text=True, timeout=100,
                              env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", **variables})

    def test_xargs(self) -> None:
        digests, grades = self.blocks("xargs.md", "sh")
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            run = folder / "run"
            run.mkdir()
            for rank in (0, 1):
                shutil.copy(DATA / f"late_loader_rank{rank}.json.gz", run / f"rank{rank}.json.gz")
            # The first call of the program is killed.
            script = folder / "warpwalk"
            script.write_text(f"#!/bin/sh\n[ -e {folder}/once ] || {{ : > {folder}/once; kill -9 $$; }}\n"
                              f"exec {warpwalk.program.program()} \"$@\"\n")
            script.chmod(0o755)
            self.shell(digests, folder, RUN=str(run))
            again = self.shell(digests, folder, RUN=str(run))
            self.assertEqual(again.returncode, 0, again.stderr)
            self.assertEqual(len(list(run.glob("*.digest"))), 2)
            self.assertIn("Rank 1 arrives last", again.stdout)

            students = folder / "class"
            students.mkdir()
            starter = (ROOT / "assets/exercises/grid_stride/starter.ptx").read_text()
            for n in range(5):
                (students / f"student{n}.ptx").write_text(f"// {n}\n{starter}")
            (folder / "once").unlink()
            graded = self.shell(grades, folder, CLASS=str(students), EXERCISE="grid_stride", PARTS="3", OUT=name)
            self.assertEqual(graded.returncode, 0, graded.stderr)
            self.assertEqual(len((folder / "grades.csv").read_text().splitlines()), 6)
            alone = folder / "alone.csv"
            warpwalk.grade(students, "grid_stride", seed=4711, output=alone)
            self.assertEqual((folder / "grades.csv").read_text(), alone.read_text())

    @unittest.skipUnless(dask_cluster.is_there(), "python3-distributed is not installed; scripts/setup --tests installs it")
    def test_dask(self) -> None:
        (block,) = self.blocks("dask.md", "python")
        scheduler = dask_cluster.shared().folder / "scheduler.json"
        with tempfile.TemporaryDirectory() as name:
            done = subprocess.run([sys.executable, "-W", "ignore", "-c", block], capture_output=True, text=True, timeout=100,
                                  env={**os.environ, "PYTHONPATH": str(ROOT / "python"), "RUN": f"{DATA}/late_*.json.gz",
                                       "SCHEDULER": str(scheduler), "DIGESTS": f"{name}/digests"})
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("the others wait for rank 1", done.stdout)
            self.assertEqual(len(list(Path(name, "digests").glob("*.digest"))), 2)


class Silent(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


class Sweeps(Test):
    def test_cycles_over_parameters(self) -> None:
        gpus = warpwalk.variants("h200_2sm", latency_memory=[300, 1300], latency_alu=[4, 8])
        self.assertEqual([one["swept"]["changes"] for one in gpus],
                         [{}, {"latency_memory": 300}, {"latency_memory": 1300}, {"latency_alu": 8}])
        sweep = warpwalk.sweep(ROOT / "tests/reference/cases/vecadd/launch.json", gpus)
        self.assertEqual(len(sweep), 4)
        self.assertTrue(all(row["cycles"] > 0 for row in sweep))
        table = sweep.sensitivity()
        self.assertEqual(table[0]["parameter"], "latency_memory")
        self.assertGreater(table[0]["elasticity"], 0.1)
        front = sweep.pareto("latency_memory")
        # A larger latency is cheaper: no other one has fewer cycles than the last.
        self.assertEqual([row["changes"] for row in front][0], {"latency_memory": 1300})
        self.assertEqual([row["changes"] for row in front][-1], {"latency_memory": 300})
        with tempfile.TemporaryDirectory() as folder:
            walk = sweep.save(Path(folder, "sweep.json.gz"))
            self.assertIn("latency_memory", walk.text("lab/sweep", "sensitivity"))
            self.assertIn("cycles", walk.text("lab/sweep", "pareto"))
        self.assertIn("no_such: is no parameter of h200", self.error(warpwalk.variants, "h200", no_such=[1]))


if __name__ == "__main__":
    unittest.main()
