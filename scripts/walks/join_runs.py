#!/usr/bin/env python3
"""Makes one walk of the two recorded runs of a step: the times of the first, the memory and Python frames of the second.

    scripts/walks/join_runs.py WALK.json.gz

The walk holds two steps of torch.profiler, as relu_matmul_inside.py makes them: the same ops with the same inputs at the
same addresses, which is checked. Everything after the first step goes. Its launches get what the recorder stored of the
second step's ("inside", with a line that says so), its ops the Python frames around the second step's ("Call stack").
"""
import gzip
import json
import sys

RUN = "a second run of the same step"  # with the same inputs at the same addresses


def end(event):
    return event["ts"] + event.get("dur", 0)


def within(events, step, category):
    """The step's events of one category in the order of their start."""
    inside = [e for e in events if e.get("cat") == category and step["ts"] <= e["ts"] < end(step)]
    return sorted(inside, key=lambda e: (e["ts"], -end(e)))


def same(what, first, second):
    if first != second or not first:
        raise SystemExit(f"join_runs: the two runs differ in {what}: {first} and {second}")


def join(walk):
    events, records = walk["traceEvents"], walk["warpwalk"]["kernels"]
    steps = [e for e in events if e.get("name", "").startswith("ProfilerStep")]
    if len(steps) != 2:
        raise SystemExit(f"join_runs: {len(steps)} steps of torch.profiler, where two are expected")
    times, frames = sorted(steps, key=lambda e: e["ts"])

    ops, ops_with_frames = within(events, times, "cpu_op"), within(events, frames, "cpu_op")
    same("their ops", [op["name"] for op in ops], [op["name"] for op in ops_with_frames])
    functions = within(events, frames, "python_function")
    for op, other in zip(ops, ops_with_frames):
        around = [f["name"] for f in functions if f["ts"] <= other["ts"] and end(other) <= end(f)]
        op["args"]["Call stack"] = ";".join(reversed(around))  # the innermost first, as PyTorch writes it

    memory = [[(e["args"]["Addr"], e["args"]["Bytes"]) for e in within(events, step, "cpu_instant_event")]
              for step in (times, frames)]
    same("the allocator's events", *memory)

    kernels = [[k for k in events if k.get("cat") == "kernel" and step["ts"] <= k["ts"] < end(step)]
               for step in (times, frames)]
    same("their kernels", *[[(k["name"], k["args"]["grid"], k["args"]["block"]) for k in run] for run in kernels])
    for kernel, other in zip(*kernels):
        record = other["args"]["warpwalk record"]
        if "inside" not in records[record]:
            raise SystemExit(f"join_runs: {other['name']} of the second run was not recorded inside")
        records[record]["inside"]["recorded_in"] = RUN
        kernel["args"]["warpwalk record"] = record
    walk["traceEvents"] = [e for e in events if e["ph"] == "M" or e["ts"] < end(times)]
    # The pauses for recording memory come after these times.
    for source in walk["warpwalk"]["sources"]:
        source["by"] = source["by"].partition("; pauses for recording inside")[0]
    for record in records:
        record["measured_by"] = record["measured_by"].partition("; pauses for recording inside")[0]
    walk["warpwalk"]["sources"].append({"what": "memory and Python frames", "by": RUN, "origin": "measured"})


def text_of(walk):
    """The walk as warpwalk writes it: an event per line, and first, where viewers look for it."""
    compact = {"deviceProperties", "warpwalk"}
    lines = [json.dumps(event, ensure_ascii=False) for event in walk["traceEvents"]]
    text = '{"traceEvents": [\n' + ",\n".join(lines) + "\n]"
    for key, value in walk.items():
        if key != "traceEvents":
            separators = (",", ":") if key in compact else (", ", ": ")
            text += f',\n"{key}": ' + json.dumps(value, ensure_ascii=False, separators=separators)
    return text + "\n}\n"


for name in sys.argv[1:]:
    with gzip.open(name, "rt", encoding="utf-8") as file:
        read = json.load(file)
    join(read)
    with open(name, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as file:
        file.write(text_of(read).encode("utf-8"))
