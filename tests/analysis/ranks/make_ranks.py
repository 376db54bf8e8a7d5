#!/usr/bin/env python3
"""Makes the traces of many ranks from the two that were recorded on H200s (data/ok_rank*.json.gz), with late ranks.

    python3 tests/analysis/ranks/make_ranks.py FOLDER --ranks 1024 --late 5

Every second rank is made of the same recording. A delay is put before the first all-reduce of each step, at load_batch or
in the kernels before; all ranks then leave that all-reduce as much later as the latest of them came. Of the other
collectives, every second one becomes one of tensor groups (8 neighbours, a host) and every fourth one of data groups
(every eighth rank). Clocks are shifted by up to a second. FOLDER/.planted.json says which ranks are late and why.
"""
from __future__ import annotations

import argparse
import bisect
import gzip
import json
import multiprocessing
import random
from pathlib import Path

DATA = Path(__file__).resolve().parent / "data"
CAUSES = ["sleep", "kernel", "synchronize", "copy", "more_work"]
HOST = 8
GPU_WORK = {"kernel", "gpu_memcpy", "gpu_memset", "gpu_user_annotation"}


class Recording:
    """One of the two recordings, with the places where delays go."""

    def __init__(self, number: int) -> None:
        with gzip.open(DATA / f"ok_rank{number}.json.gz") as file:
            self.trace = json.load(file)
        events = self.trace["traceEvents"]
        work = [e for e in events if e["ph"] == "X"]
        self.device = number
        self.main = next(e["tid"] for e in work if "load_batch" in e["name"])
        self.launches = {e["args"]["correlation"]: e["ts"] for e in work
                         if e.get("cat") in ("cuda_runtime", "cuda_driver") and "correlation" in e.get("args", {})}
        self.loads = sorted(((e["ts"], e["dur"]) for e in work if e["name"].endswith(": load_batch")))
        self.collectives = sorted((e for e in work if e.get("cat") == "kernel" and e["name"].startswith("nccl")),
                                  key=lambda e: e["ts"])
        self.begin = min(e["ts"] for e in work)
        # The first collective that is launched after each load_batch.
        self.first = []
        for start, length in self.loads:
            after = [i for i, e in enumerate(self.collectives)
                     if self.launches.get(e["args"]["correlation"], 0) > start + length]
            if after:
                self.first.append(after[0])
        self.loads = self.loads[:len(self.first)]
        # Both recordings have the same collectives from the first load_batch on; what is before is left out.
        self.numbers = {e["args"]["correlation"]: n - self.first[0] for n, e in enumerate(self.collectives)}
        self.firsts = {c - self.first[0] for c in self.first}
        launches = sorted((self.launches[correlation], number) for correlation, number in self.numbers.items()
                          if correlation in self.launches)
        self.ops = {}
        for event in work:
            if event["name"] == "record_param_comms":
                inside = [n for at, n in launches if event["ts"] <= at <= event["ts"] + event["dur"]]
                if inside:
                    self.ops[id(event)] = inside[0]

        # How far the CPU is ahead of the GPU in each step: a pause of the CPU delays the GPU by what it is longer.
        starts = [start + length / 2 for start, length in self.loads]
        self.ahead = []
        for i, start in enumerate(starts):
            end = starts[i + 1] if i + 1 < len(starts) else float("inf")
            lags = [e["ts"] - self.launch(e) for e in work if e.get("cat") == "kernel" and start < self.launch(e) < end]
            self.ahead.append(max(0.0, min(lags) - 5))

    def number(self, event: dict) -> int | None:
        """The number of a collective, of its kernel or of its op; None for other events."""
        if event["ph"] == "X" and event["name"].startswith("nccl") and event.get("cat") == "kernel":
            return self.numbers[event["args"]["correlation"]]
        return self.ops.get(id(event))

    def launch(self, event: dict) -> float:
        return self.launches.get(event.get("args", {}).get("correlation"), self.begin)


def group_of(number: int, first: set[int], rank: int, world: int) -> tuple[str, str, list[int]]:
    """Name, description and ranks of the group of a collective."""
    if number not in first and world > HOST:
        if number % 2 == 1:
            host = rank // HOST
            return f"tp_{host}", "mesh_tp", list(range(host * HOST, min(world, (host + 1) * HOST)))
        if number % 4 == 2:
            return f"dp_{rank % HOST}", "mesh_dp", list(range(rank % HOST, world, HOST))
    return "0", "default_pg", list(range(world))


def make(recording: Recording, rank: int, world: int, cause: str | None, late: float, noise: list[float],
         longest: list[float], folder: Path, offset: float) -> None:
    """Writes the trace of one rank. Times are in us, as in the file."""
    inserted = {"sleep", "synchronize", "copy"}
    steps = range(len(recording.first))
    before = [noise[i] + (late if cause in inserted else 0) for i in steps]  # on the GPU, by a pause at load_batch
    # The pause itself: as much longer as the CPU is ahead, in all steps so far.
    used = [max(recording.ahead[:i], default=0.0) for i in range(len(recording.first) + 1)]
    ahead = [used[i + 1] - used[i] if cause in inserted else 0.0 for i in steps]
    paused = [before[i] + ahead[i] for i in steps]
    in_kernels = late if cause in ("kernel", "more_work") else 0.0
    points = [start + length / 2 for start, length in recording.loads]
    arrivals = [recording.collectives[c]["ts"] for c in recording.first]
    waits = [longest[i] - before[i] - in_kernels for i in steps]

    def sums(values: list[float]) -> list[float]:
        return [sum(values[:i]) for i in range(len(values) + 1)]

    delay_until, pause_until, wait_until = sums(before), sums(paused), sums(waits)

    def cpu(at: float) -> float:
        waited = bisect.bisect_left(arrivals, at)
        return at + pause_until[bisect.bisect_right(points, at)] + wait_until[waited] + in_kernels * waited

    # The kernels that take longer: the computing ones launched between load_batch and the first collective.
    longer: dict[int, float] = {}
    moved: list[tuple[float, float]] = []  # from this time on, work on the GPU is so much later
    events = recording.trace["traceEvents"]
    if in_kernels:
        for i in steps:
            limit = recording.launches[recording.collectives[recording.first[i]]["args"]["correlation"]]
            chosen = [n for n, e in enumerate(events)
                      if e["ph"] == "X" and e.get("cat") == "kernel" and not e["name"].startswith("nccl")
                      and points[i] < recording.launch(e) < limit and e["dur"] > 50]
            for n in chosen:
                longer[n] = in_kernels / len(chosen)
                moved.append((events[n]["ts"], longer[n]))
            if not chosen:
                raise SystemExit("no kernels between load_batch and the first collective")
    moved.sort()
    moved_at, moved_by = [m[0] for m in moved], sums([m[1] for m in moved])

    def gpu(event: dict) -> float:
        launched = bisect.bisect_right(points, recording.launch(event))
        return event["ts"] + delay_until[launched] + wait_until[bisect.bisect_left(arrivals, event["ts"])] + \
            moved_by[bisect.bisect_left(moved_at, event["ts"])]

    out = []
    first_of = {id(recording.collectives[c]): i for i, c in enumerate(recording.first)}
    for n, event in enumerate(events):
        number = recording.number(event)
        if number is not None and number < 0 or event["name"] == "record_param_comms" and number is None:
            continue
        if event["ph"] != "X":
            copy = dict(event)
            if "ts" in copy and copy["ph"] in "sfi":
                copy["ts"] = cpu(copy["ts"]) + offset
            out.append(copy)
            continue
        copy = {**event, "args": dict(event.get("args", {}))}
        end = event["ts"] + event["dur"]
        if event.get("cat") in GPU_WORK:
            copy["ts"] = gpu(event) + offset
            if id(event) in first_of:
                copy["dur"] = event["dur"] + waits[first_of[id(event)]]
            if n in longer:
                copy["dur"] = event["dur"] + longer[n]
                if cause == "more_work" and "grid" in copy["args"]:
                    grid = copy["args"]["grid"]
                    copy["args"]["grid"] = [round(grid[0] * (1 + longer[n] / event["dur"])) or 1, *grid[1:]]
            if copy["args"].get("device") == recording.device:
                copy["args"]["device"] = rank % HOST
            if event["pid"] == recording.device:
                copy["pid"] = rank % HOST
        else:
            copy["ts"] = cpu(event["ts"]) + offset
            copy["dur"] = cpu(end) - cpu(event["ts"])
        args = copy["args"]
        if "Process Group Name" in args or "Group size" in args:
            name, description, ranks = group_of(number or 0, recording.firsts, rank, world)
            args.update({"Process Group Name": name, "Process Group Description": description, "Group size": len(ranks)})
            shown = ranks if len(ranks) <= 8 else None
            args["Process Group Ranks"] = str(shown) if shown else f"[{ranks[0]}, {ranks[1]}, ..., {ranks[-1]}]"
            if "Rank" in args:
                args["Rank"] = ranks.index(rank)
            args.pop("Seq", None)
        out.append(copy)
    if cause in inserted:
        for i in steps:
            at, length = cpu(points[i]) - paused[i] + offset, late + ahead[i]
            common = {"ph": "X", "pid": next(e["pid"] for e in events if e.get("cat") == "cpu_op"), "tid": recording.main}
            if cause == "sleep":
                out.append({**common, "cat": "python_function", "name": "<built-in function sleep>", "ts": at,
                            "dur": length})
            else:
                name = "cudaDeviceSynchronize" if cause == "synchronize" else "cudaMemcpyAsync"
                correlation = 900_000_000 + i
                out.append({**common, "cat": "cuda_runtime", "name": name, "ts": at, "dur": length,
                            "args": {"correlation": correlation}})
                if cause == "copy":
                    out.append({"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy DtoH (Device -> Pageable)",
                                "pid": rank % HOST, "tid": 7, "ts": at + length - late, "dur": late - 20,
                                "args": {"device": rank % HOST, "stream": 7, "correlation": correlation,
                                         "bytes": 400_000_000}})
    info = {"backend": "nccl", "rank": rank, "world_size": world, "pg_count": 1, "pg_config": []}
    for number in range(13):
        name, description, ranks = group_of(number, recording.firsts, rank, world)
        if all(one["pg_name"] != name for one in info["pg_config"]):
            info["pg_config"].append({"pg_name": name, "pg_desc": description, "pg_size": len(ranks), "ranks": ranks})
    trace = {**recording.trace, "distributedInfo": info, "traceEvents": out}
    with gzip.open(folder / f"node{rank // HOST:03}_rank_{rank}.json.gz", "wt", compresslevel=1) as file:
        json.dump(trace, file)


def part(work: tuple) -> None:
    ranks, world, planted, noise, longest, folder, late = work
    recordings = [Recording(0), Recording(1)]
    for rank in ranks:
        offset = random.Random(rank).uniform(-1e6, 1e6)
        make(recordings[rank % 2], rank, world, planted.get(rank), late.get(rank, 0.0), noise[rank], longest, folder,
             offset)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--ranks", type=int, default=1024)
    parser.add_argument("--late", type=int, default=5, help="late ranks, each with another cause")
    parser.add_argument("--host", type=int, default=-1, help="all ranks of this host sleep as well")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    rng = random.Random(options.seed)
    # The CPU of the second recording gets further and further ahead, so that it can pause in each step.
    chosen = rng.sample(range(1, options.ranks, 2), options.late)
    planted = {rank: CAUSES[i % len(CAUSES)] for i, rank in enumerate(chosen)}
    late = {rank: 6000.0 + 1000.0 * i for i, rank in enumerate(chosen)}  # us
    if options.host >= 0:
        for rank in range(options.host * HOST, (options.host + 1) * HOST):
            planted[rank], late[rank] = "sleep", 12000.0
    steps = min(len(Recording(0).first), len(Recording(1).first))
    noise = [[rng.uniform(0, 30) for _ in range(steps)] for _ in range(options.ranks)]
    longest = [max(noise[rank][i] + late.get(rank, 0.0) for rank in range(options.ranks)) for i in range(steps)]
    workers = multiprocessing.cpu_count()
    parts = [(range(i, options.ranks, workers), options.ranks, planted, noise, longest, options.folder, late)
             for i in range(workers)]
    with multiprocessing.Pool(workers) as pool:
        pool.map(part, parts)
    (options.folder / ".planted.json").write_text(json.dumps({str(rank): planted[rank] for rank in sorted(planted)}))


if __name__ == "__main__":
    main()
