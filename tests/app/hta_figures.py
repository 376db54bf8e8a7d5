"""Computes a trace's temporal breakdown and kernel breakdown as Holistic Trace Analysis (HTA) defines them, from its JSON
alone, and compares them with `warpwalk info`.

usage: hta_figures.py WARPWALK TRACE...

HTA's definitions (hta/analyzers/breakdown_analysis.py, hta.readthedocs.io): a GPU's time lasts from the start of its
first kernel, copy or fill to the end of its last one. Idle: nothing runs on any stream. Compute: at least one kernel
runs that neither communicates (NCCL) nor copies. Non-compute: the rest. A kernel breakdown adds up the durations of each
name, whether or not they overlap.

Time is divided here at every start and end of work, and each piece is looked at alone: no interval is merged.

That these are HTA's definitions is checked with hta_figures.csv, which has what HTA itself says of the recorded walks.
HTA differs in two ways, which are repeated for this comparison: it shrinks each event to whole microseconds (start
rounded up, end rounded down), and counts synchronization records of a stream as work.
"""

import csv
import gzip
import json
import math
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from decimal import Decimal

WORK = {"kernel", "gpu_memcpy", "gpu_memset"}


def works_of(path, as_hta=False):
    opened = gzip.open(path, "rt") if path.endswith(".gz") else open(path)
    with opened as file:
        trace = json.load(file, parse_float=Decimal)
    for event in trace["traceEvents"] if isinstance(trace, dict) else trace:
        category = event.get("cat")
        synchronizes = as_hta and category == "cuda_sync" and int(event["args"].get("stream", -1)) >= 0
        if event.get("ph") != "X" or not (category in WORK or synchronizes):
            continue
        begin = int(Decimal(event["ts"]) * 1000)
        end = int((Decimal(event["ts"]) + Decimal(event["dur"])) * 1000)
        if as_hta:
            begin, end = math.ceil(Decimal(event["ts"])), math.floor(Decimal(event["ts"]) + Decimal(event["dur"]))
        if end > begin or as_hta:
            yield {"from": begin, "to": end, "name": event["name"],
                   "device": event["args"].get("device", 0), "kind": kind_of(event), "synchronizes": synchronizes}


def kind_of(event):
    if event["cat"] != "kernel":
        return "memory"
    return "communication" if "nccl" in event["name"] else "compute"


def breakdown(device, works):
    changes = defaultdict(lambda: defaultdict(int))
    for work in works:
        changes[work["from"]][work["kind"]] += 1
        changes[work["to"]][work["kind"]] -= 1
    running, before = defaultdict(int), None
    figures = dict.fromkeys(["idle_ns", "compute_ns", "non_compute_ns", "communication_ns", "communication_alone_ns"], 0)
    for time in sorted(changes):
        if before is not None:
            piece = time - before
            if not any(running.values()):
                figures["idle_ns"] += piece
            elif running["compute"]:
                figures["compute_ns"] += piece
            else:
                figures["non_compute_ns"] += piece
            if running["communication"]:
                figures["communication_ns"] += piece
                if not running["compute"]:
                    figures["communication_alone_ns"] += piece
        for kind, change in changes[time].items():
            running[kind] += change
        before = time
    return {"device": device, "span_ns": max(changes) - min(changes), **figures}


def by_name(works):
    durations = defaultdict(list)
    for work in works:
        durations[work["name"]].append(work["to"] - work["from"])
    return sorted(({"name": name, "count": len(all), "total_ns": sum(all), "shortest_ns": min(all),
                    "longest_ns": max(all)} for name, all in durations.items()), key=lambda one: one["name"])


def computed(path):
    works = list(works_of(path))
    devices = sorted({work["device"] for work in works})
    return {"gpu_breakdown": [breakdown(d, [w for w in works if w["device"] == d]) for d in devices],
            "gpu_work": by_name(works)}


def time_of(works):
    """Time of merged intervals. Rounding may let one end before it starts; as in HTA, it then counts negatively."""
    merged = []
    for work in sorted(works, key=lambda work: (work["from"], work["to"])):
        if merged and work["from"] <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], work["to"])
        else:
            merged.append([work["from"], work["to"]])
    return sum(end - begin for begin, end in merged)


def agrees_with_hta(path):
    """Whether HTA's own figures follow from these definitions; True for a trace that the table does not have."""
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "hta_figures.csv")) as file:
        table = {row["walk"]: row for row in csv.DictReader(line for line in file if not line.startswith("#"))}
    said = table.get(os.path.basename(path))
    if said is None:
        return True
    works = list(works_of(path, as_hta=True))
    busy, computing = time_of(works), time_of([work for work in works if work["kind"] == "compute"])
    span = max(work["to"] for work in works) - min(work["from"] for work in works)
    own = [work for work in works if not work["synchronizes"]]
    sums = [sum(w["to"] - w["from"] for w in own if w["kind"] == kind) for kind in ("compute", "memory")]
    found = [span - busy, computing, busy - computing, span, *sums,
             len({work["name"] for work in own})]
    expected = [int(value) for key, value in said.items() if key != "walk"]
    if found != expected:
        print(f"  HTA says {expected}, these definitions give {found}")
    return found == expected


def shown(program, path):
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        subprocess.run([program, "info", path, "--json", file.name], check=True, stdout=subprocess.DEVNULL)
        report = json.load(open(file.name))
    path_time = sum(report["critical_path"].values())
    if path_time not in (report["time_span_ns"], 0):
        print(f"  the critical path adds up to {path_time} ns, the trace lasts {report['time_span_ns']}")
        return {}
    return {"gpu_breakdown": report["gpu_breakdown"],
            "gpu_work": sorted(report["gpu_work"], key=lambda one: one["name"])}


def main(program, *paths):
    wrong = 0
    for path in paths:
        ours, theirs = shown(program, path), computed(path)
        same = ours == theirs and agrees_with_hta(path)
        wrong += not same
        print(f"{path}: {'the same' if same else 'DIFFERENT'}: {json.dumps(theirs['gpu_breakdown'])}")
        if not same:
            print(f"  warpwalk says: {json.dumps(ours)}")
            print(f"  expected:      {json.dumps(theirs)}")
    return 1 if wrong or not paths else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
