"""Counts a trace's idle GPU times and their causes from its JSON alone, and compares them with `warpwalk info`.

usage: idle_count.py WARPWALK TRACE...

The rules are those of core/story/facts/analysis/idle.h, written down a second time, without an index and without a merge of
intervals: the GPU's work is replayed as a sequence of starts and ends.
"""

import gzip
import json
import subprocess
import sys
import tempfile
from collections import defaultdict
from decimal import Decimal

WORK = {"kernel", "gpu_memcpy", "gpu_memset"}
CUDA_OVERHEAD = ("Loading", "Compiler")


def events_of(path):
    opened = gzip.open(path, "rt") if path.endswith(".gz") else open(path)
    with opened as file:
        trace = json.load(file, parse_float=Decimal)
    events = trace["traceEvents"] if isinstance(trace, dict) else trace
    for event in events:
        if event.get("ph") == "X" and "dur" in event:
            start = int(Decimal(event["ts"]) * 1000)
            yield {"from": start, "to": int((Decimal(event["ts"]) + Decimal(event["dur"])) * 1000),
                   "cat": event.get("cat", ""), "name": event["name"], "thread": (event.get("pid"), event.get("tid")),
                   "args": event.get("args", {})}


def is_profiler(event):
    cuda = any(word in event["name"] for word in CUDA_OVERHEAD) or event["name"] == "Command Buffer Full"
    return event["cat"].lower() == "overhead" and not cuda


def steps(works, count):
    """(time, number of works running) after each start or end."""
    changes = defaultdict(int)
    for work in works:
        changes[work["from"]] += 1
        changes[work["to"]] -= 1
    running = 0
    for time in sorted(changes):
        running += changes[time]
        count.append((time, running))
    return count


def time_running(works):
    total, since = 0, None
    for time, running in steps(works, []):
        if running and since is None:
            since = time
        if not running and since is not None:
            total += time - since
            since = None
    return total


def gaps_of(works):
    since = None
    for time, running in steps(works, []):
        if running and since is not None:
            yield since, time
        since = None if running else time


def covered(events, begin, end):
    return time_running([{"from": max(e["from"], begin), "to": min(e["to"], end)}
                         for e in events if e["from"] < end and e["to"] > begin])


def cause_of(begin, end, work, calls, launches, started, profiler):
    launch = launches.get(work["args"].get("correlation"))
    if 2 * covered(profiler, begin, end) > end - begin:
        return "profiler"
    if launch is None:
        return "unknown"
    during = min(launch["to"], end) - max(launch["from"], begin)
    if work["cat"] != "kernel" and 2 * during > end - begin:
        return "copy"
    own = [call for call in calls if call["thread"] == launch["thread"]]
    if launch["from"] < begin:
        stream = (work["args"].get("device"), work["args"].get("stream"))
        earlier = [w for w in started[stream] if w["from"] < work["from"]]
        before = launches.get(max(earlier, key=lambda w: w["from"])["args"].get("correlation")) if earlier else None
        since = before["to"] if before else float("-inf")
        waits = [c for c in own if "WaitEvent" in c["name"] and since <= c["from"] < launch["from"]]
        return "dependency" if waits else "launch latency"
    running = [call for call in own if call["from"] <= begin <= call["to"]]
    if any("Synchronize" in call["name"] for call in running):
        return "synchronisation"
    copying = {id(launches.get(w["args"].get("correlation"))) for works in started.values() for w in works
               if w["cat"] != "kernel"}
    if any(id(call) in copying for call in running):
        return "copy"
    return "late launch"


def counted(path):
    events = list(events_of(path))
    works = [e for e in events if e["cat"] in WORK and e["to"] > e["from"]]
    calls = [e for e in events if e["cat"] in ("cuda_runtime", "cuda_driver")]
    profiler = [e for e in events if is_profiler(e)]
    launches = {}
    for call in calls:
        correlation = call["args"].get("correlation")
        if correlation not in launches or call["cat"] == "cuda_runtime":
            launches[correlation] = call
    started = defaultdict(list)
    for work in (e for e in events if e["cat"] in WORK):
        started[(work["args"].get("device"), work["args"].get("stream"))].append(work)
    devices = []
    for device in sorted({w["args"]["device"] for w in works}):
        here = [w for w in works if w["args"]["device"] == device]
        computing = time_running([w for w in here if w["cat"] == "kernel"])
        causes = defaultdict(lambda: [0, 0])
        for begin, end in gaps_of(here):
            work = min((w for w in here if w["from"] == end), key=lambda w: str(w["args"].get("stream")).zfill(9))
            cause = causes[cause_of(begin, end, work, calls, launches, started, profiler)]
            cause[0] += end - begin
            cause[1] += 1
        devices.append({"device": device, "span_ns": max(w["to"] for w in here) - min(w["from"] for w in here),
                        "computing_ns": computing, "copying_ns": time_running(here) - computing,
                        "causes": {name: {"ns": ns, "gaps": gaps} for name, (ns, gaps) in sorted(causes.items())}})
    return devices


def shown(program, path):
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        subprocess.run([program, "info", path, "--json", file.name], check=True, stdout=subprocess.DEVNULL)
        devices = json.load(open(file.name))["gpu_idle"]
    for device in devices:
        device.pop("verdict")
        device["causes"] = {k: v for k, v in sorted(device["causes"].items()) if v["gaps"]}
    return devices


def main(program, *paths):
    wrong = 0
    for path in paths:
        ours, theirs = shown(program, path), counted(path)
        same = ours == theirs
        wrong += not same
        print(f"{path}: {'the same' if same else 'DIFFERENT'}: {json.dumps(theirs)}")
        if not same:
            print(f"  warpwalk says: {json.dumps(ours)}")
    return 1 if wrong or not paths else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
