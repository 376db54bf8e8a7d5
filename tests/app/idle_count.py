"""Counts a trace's idle GPU times from its JSON alone, and compares them with `warpwalk info`.

usage: idle_count.py WARPWALK TRACE...

The GPU's work is replayed as a sequence of starts and ends, without an index and without a merge of intervals. Each gap is
divided at the call that launched what ended it, by the rules of core/analysis/time/idle.h, written down a second
time. A gap before the first work is that of the step in which it was launched. The causes are compared in four groups: the profiler's work; work without a launch; what the CPU did until the
launch, and in a launch that copies or loads code; what kept launched work from starting. Which thread the CPU's causes
are from, story_tests checks.
"""

import gzip
import json
import re
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


def without_number(name):
    return re.sub(r"[ #:_-]*$", "", re.sub(r"[0-9]*$", "", name)) if re.search("[^0-9]", name) else name


def step_ranges(events):
    """ProfilerStep#N, else the outermost ranges of one name that occurs several times; those that take the most time."""
    ranges = sorted((e for e in events if e["cat"] == "user_annotation" and e["to"] > e["from"]),
                    key=lambda e: (e["from"], -e["to"]))
    def largest(chosen):
        groups = defaultdict(list)
        for one in chosen:
            group = groups[(one["thread"], without_number(one["name"]))]
            if not group or one["from"] >= group[-1]["to"]:
                group.append(one)
        return groups
    def most(groups):
        return max(groups, key=lambda group: sum(e["to"] - e["from"] for e in group), default=[])
    profiler = most([g for (_, name), g in largest(ranges).items() if name == "ProfilerStep"])
    if profiler:
        return profiler
    outer = [e for e in ranges if not any(o is not e and o["thread"] == e["thread"] and o["from"] <= e["from"]
                                          and e["to"] <= o["to"] for o in ranges)]
    return most([g for (_, name), g in largest(outer).items() if len(g) > 1 and not name.startswith("Optimizer.")])


def start_of_span(works, launches, steps):
    first = min(works, key=lambda w: (w["from"], str(w["args"].get("stream")).zfill(9)))
    launch = launches.get(first["args"].get("correlation"))
    starts = [s["from"] for s in steps if launch is not None and s["from"] <= launch["from"] < s["to"]]
    return min([first["from"]] + starts)


GROUPS = {"profiler": "profiler", "unknown": "unknown", "launch latency": "GPU", "between kernels": "GPU",
          "dependency": "GPU", "unrecorded": "GPU"}
LOADING_CALLS = ("ModuleLoad", "LibraryLoad", "ModuleGetFunction", "LibraryGetKernel", "LinkComplete", "LinkAddData")


def loading_launches(launches, works, ops, calls, loading):
    """Launches that load code: the first one of a kernel, ten times as long as the median, and 100 us at least; or with a
    record of loading in it or in the op's own time before it."""
    kernels = defaultdict(list)
    for work in works:
        launch = launches.get(work["args"].get("correlation"))
        if launch is not None and work["cat"] == "kernel":
            kernels[work["name"]].append(launch)
    durations = sorted({id(call): call["to"] - call["from"] for calls in kernels.values() for call in calls}.values())
    median = durations[len(durations) // 2] if durations else 0
    firsts = [min(calls, key=lambda call: call["from"]) for calls in kernels.values()]
    def loads(call):
        if call["to"] - call["from"] >= max(100_000, 10 * median):
            return True
        around = [op for op in ops if op["thread"] == call["thread"] and op["from"] <= call["from"] and call["to"] <= op["to"]]
        since = max((op["from"] for op in around), default=call["from"])
        inside = [e["to"] for e in ops + calls if e["thread"] == call["thread"] and since <= e["from"]
                  and e["to"] <= call["from"]]
        since = max([since] + inside)
        first = min((e for e in loading if e["from"] >= since), key=lambda e: e["from"], default=None)
        return first is not None and first["to"] <= call["to"]

    return {id(call) for call in firsts if loads(call)}


def groups_of(begin, end, work, launches, loads, profiler, loading):
    launch = launches.get(work["args"].get("correlation"))
    busy = covered(profiler, begin, end)
    if launch is None:
        return {"profiler": busy, "unknown": end - begin - busy}
    called = min(max(launch["from"], begin), end)
    if work["cat"] != "kernel" or id(launch) in loads or any(part in launch["name"] for part in LOADING_CALLS):
        called = min(max(launch["to"], called), end)
    waiting = end - called - covered(profiler + loading, called, end)
    return {"profiler": busy, "GPU": waiting, "CPU": end - begin - busy - waiting}


def counted(path):
    events = list(events_of(path))
    works = [e for e in events if e["cat"] in WORK and e["to"] > e["from"]]
    calls = [e for e in events if e["cat"] in ("cuda_runtime", "cuda_driver")]
    profiler = [e for e in events if is_profiler(e)]
    loading = [e for e in events if e["cat"].lower() == "overhead" and not is_profiler(e)
               and e["name"] != "Command Buffer Full"]
    launches = {}
    for call in calls:
        correlation = call["args"].get("correlation")
        if correlation not in launches or call["cat"] == "cuda_runtime":
            launches[correlation] = call
    ops = [e for e in events if e["cat"] == "cpu_op"]
    loads = loading_launches(launches, [e for e in events if e["cat"] in WORK], ops, calls, loading)
    steps = step_ranges(events)
    devices = []
    for device in sorted({w["args"]["device"] for w in works}):
        here = [w for w in works if w["args"]["device"] == device]
        kernels = time_running([w for w in here if w["cat"] == "kernel"])
        groups = defaultdict(int)
        span = start_of_span(here, launches, steps)
        gaps = list(gaps_of(here))
        if span < min(w["from"] for w in here):
            gaps.append((span, min(w["from"] for w in here)))
        for begin, end in gaps:
            if end - begin <= 1:  # starts and durations are rounded
                groups["GPU"] += end - begin
                continue
            work = min((w for w in here if w["from"] == end), key=lambda w: str(w["args"].get("stream")).zfill(9))
            for group, time in groups_of(begin, end, work, launches, loads, profiler, loading).items():
                groups[group] += time
        devices.append({"device": device, "span_ns": max(w["to"] for w in here) - span,
                        "kernels_ns": kernels, "copying_ns": time_running(here) - kernels,
                        "groups": {name: ns for name, ns in sorted(groups.items()) if ns}})
    return devices


def shown(program, path):
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        subprocess.run([program, "info", path, "--json", file.name], check=True, stdout=subprocess.DEVNULL)
        devices = json.load(open(file.name))["gpu_idle"]
    found = []
    for device in devices:
        groups = defaultdict(int)
        for cause, sums in device["causes"].items():
            groups[GROUPS.get(cause, "CPU")] += sums["ns"]
        found.append({"device": device["device"], "span_ns": device["span_ns"],
                      "kernels_ns": device["computing_ns"] + device["communicating_ns"],
                      "copying_ns": device["copying_ns"],
                      "groups": {name: ns for name, ns in sorted(groups.items()) if ns}})
    return found


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
