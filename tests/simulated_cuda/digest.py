#!/usr/bin/env python3
"""Reduces a walk of `warpwalk record` to what is the same in every run of one program.

  digest.py WALK [--source PROGRAM.cu] [--total-shared] [--until N]

The calls of every thread in their order, with the error of those that failed; the work of every stream in the order of
the calls that launched it, with these calls; the work of every graph launch, sorted, because its branches run in any
order; memory and NVTX ranges. Times, addresses and numbers that CUDA gives out are left out. Threads are numbered in
the order in which they were made, streams in that of their first use by a call of the first thread, then the second...

The runtime calls the driver on its own account. Calls of the driver are kept only if the source of the program names
them (--source), and those in `of_runtime` never; nor is the memory that such calls allocate.

What CUPTI reports in a way of its own is left out, too: kernels of launches that failed; the second of two equal
reports of one allocation (in contexts of cuCtxCreate); the bytes of arrays (of layered ones, those of one layer); and
the value and kind of memory of a graph's memsets (0, and unknown at first).

--until N: only the first N calls of the first thread, and their work and memory.
--total-shared: kernels with all of their shared memory, also where the walk says how much of it is dynamic. (It says so
for kernels with machine code.)
"""
import argparse
import gzip
import json
import re
import sys

# How often a program asks whether something is done depends on how fast it is.
polls = {"cudaStreamQuery", "cudaEventQuery", "cuStreamQuery", "cuEventQuery"}
of_runtime = {
    "cuInit", "cuDriverGetVersion", "cuModuleGetLoadingMode", "cuDeviceGetCount", "cuDeviceGet", "cuDeviceGetName",
    "cuDeviceTotalMem", "cuDeviceGetUuid", "cuLibraryLoadData", "cuLibraryGetKernel", "cuLibraryUnload",
    "cuLibraryGetModule", "cuGetExportTable"
}
allocates_for_runtime = re.compile("__cuda|cuLibraryLoadData$|cuDevicePrimaryCtxRetain$")
# Calls of the compiler's own code. When they come depends on where a program's modules are loaded.
of_compiler = re.compile(r"__cuda|cudaRegister|cudaUnregister")


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    return json.loads(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)


def plain(name):
    return re.sub(r"_v\d+$", "", name)


def shape(values):
    return "x".join(str(v) for v in values)


class Calls:
    """The calls of all threads, in one order that does not depend on time between threads."""

    def __init__(self, events, source, until):
        named = set(re.findall(r"\bcu[A-Z]\w*", source))
        of_thread = {}
        for event in events:
            if event.get("ph") == "X" and event.get("cat") in ("cuda_runtime", "cuda_driver"):
                of_thread.setdefault((event["pid"], event["tid"]), []).append(event)
        # The main thread has the number of the process; the others follow in the order in which they were made.
        self.threads = sorted(of_thread, key=lambda thread: (thread[0] != thread[1], thread[1]))
        self.kept = []
        self.place = {}  # of a call, by its correlation
        self.failed = set()  # correlations
        self.end = None  # the place of the last call that is kept
        for number, thread in enumerate(self.threads):
            calls = sorted(of_thread[thread], key=lambda e: (e["ts"], -e["dur"]))
            runtime_end = -1
            kept = []
            for i, call in enumerate(calls):
                name = plain(call["name"])
                driver = call["cat"] == "cuda_driver"
                if call["args"].get("result"):
                    self.failed.add(call["args"].get("correlation"))
                self.place.setdefault(call["args"].get("correlation"), (number, i, name))
                if driver and (name not in named or name in of_runtime or call["ts"] < runtime_end):
                    continue
                if not driver:
                    runtime_end = max(runtime_end, call["ts"] + call["dur"])
                if name in polls or of_compiler.match(name):
                    continue
                result = call["args"].get("result")
                kept.append(name if not result else f"{name} failed with {result}")
                if until and len(kept) == until:
                    self.end = (number, i, name)
                    break
            self.kept.append(kept)
            if until:
                break

    def of(self, event):
        """Where the call that launched this work stands; work of unknown calls comes last."""
        return self.place.get(event["args"].get("correlation"), (len(self.threads), 0, "unknown"))

    def keeps(self, event):
        return self.end is None or self.of(event) <= self.end


def repeated(lines):
    """Equal lines in a row as one line with their number."""
    out = []
    for line in lines:
        if out and out[-1][0] == line:
            out[-1][1] += 1
        else:
            out.append([line, 1])
    return [line if number == 1 else f"{line}, {number} times" for line, number in out]


def describe(event, records):
    args = event["args"]
    if event["cat"] == "kernel":
        shared = args.get("shared memory", 0)
        record = args.get("warpwalk record")
        memory = f"shared {shared}"
        if record is not None and record < len(records):
            dynamic = records[record].get("dynamic_shared_bytes", 0)
            memory = f"shared {shared - dynamic} static, {dynamic} dynamic"
        cluster = args.get("cluster")
        tail = f", cluster {shape(cluster)}" if cluster else ""
        return f"kernel {event['name']} grid {shape(args['grid'])}, block {shape(args['block'])}, {memory}{tail}"
    if event["cat"] == "gpu_memcpy":
        return f"{event['name']} {args['bytes']} bytes"
    if "graph id" in args:
        return f"Memset {args['bytes']} bytes"
    return f"{event['name']} {args['bytes']} bytes, value {args.get('value')}"


def of_memory(event, call):
    args = event["args"]
    size = "" if args.get("kind") == "Array" else f" {args['Bytes']} bytes"
    return f"{event['name']} {args.get('kind')}{size}, by {call}"


def without_repeats(memory):
    """Without the second of two equal reports of one call."""
    seen = set()
    for event in memory:
        args = event["args"]
        key = (args.get("correlation"), event["name"], args.get("kind"), args.get("Addr"), args["Bytes"])
        if not args.get("correlation") or key not in seen:
            yield event
        seen.add(key)


def digest(walk, source, total_shared, until=0):
    events = walk["traceEvents"]
    calls = Calls(events, source, until)
    records = [] if total_shared else walk.get("warpwalk", {}).get("kernels", [])
    out = []
    for number, kept in enumerate(calls.kept):
        out += [f"calls of thread {number}"] + ["  " + line for line in repeated(kept)]

    work = [e for e in events if e.get("ph") == "X" and e.get("cat") in ("kernel", "gpu_memcpy", "gpu_memset")]
    work = [e for e in work if calls.keeps(e)]
    work = [e for e in work if e["cat"] != "kernel" or e["args"].get("correlation") not in calls.failed]
    work.sort(key=lambda e: (calls.of(e), e["ts"], e["name"]))
    streams, graphs = {}, {}
    for event in work:
        args = event["args"]
        if "graph id" in args:
            graphs.setdefault(calls.of(event), []).append(describe(event, records))
        else:
            stream = (args.get("device"), args.get("context"), args.get("stream"))
            line = f"{describe(event, records)}, by {calls.of(event)[2]}"
            if event["cat"] == "kernel" and args.get("priority"):
                line += f", priority {args['priority']}"
            streams.setdefault(stream, []).append(line)
    for number, lines in enumerate(streams.values()):
        out += [f"stream {number}"] + ["  " + line for line in repeated(lines)]
    blocks = []
    for (thread, _, name), lines in graphs.items():
        launch = [f"graph, by {name} of thread {thread}"]
        blocks.append("\n".join(launch + ["  " + line for line in repeated(sorted(lines))]))
    out += repeated_blocks(blocks)

    memory = [e for e in events if e.get("ph") == "i" and e.get("cat") == "cuda_memory"]
    memory = [e for e in memory if e["name"] in ("allocation", "release") and calls.keeps(e)]
    memory = [e for e in without_repeats(memory) if not allocates_for_runtime.match(calls.of(e)[2])]
    memory.sort(key=lambda e: (calls.of(e), e["ts"]))
    if memory:
        lines = [of_memory(e, calls.of(e)[2]) for e in memory]
        out += ["memory"] + ["  " + line for line in repeated(lines)]

    for number, thread in enumerate(calls.threads[: len(calls.kept)]):
        lines = ranges(events, thread)
        if lines:
            out += [f"ranges of thread {number}"] + ["  " + line for line in lines]
    return "\n".join(out) + "\n"


def repeated_blocks(blocks):
    out = []
    for block in blocks:
        if out and out[-1][0] == block:
            out[-1][1] += 1
        else:
            out.append([block, 1])
    return [block if number == 1 else f"{number} times " + block for block, number in out]


def ranges(events, thread):
    """NVTX ranges and marks, indented by their depth."""
    mine = [e for e in events if (e.get("pid"), e.get("tid")) == thread]
    slices = [e for e in mine if e.get("ph") == "X" and e.get("cat") in ("user_annotation", "cpu_op")]
    named = [(e["ts"], -e["dur"], e["name"]) for e in slices]
    named += [(e["ts"], 0, "mark " + e["name"]) for e in mine if e.get("ph") == "i" and e.get("cat") == "nvtx"]
    lines, ends = [], []
    for start, less, name in sorted(named):
        while ends and ends[-1] <= start:
            ends.pop()
        lines.append("  " * len(ends) + name)
        if less:
            ends.append(start - less)
    return lines


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("walk")
    parser.add_argument("--source")
    parser.add_argument("--total-shared", action="store_true")
    parser.add_argument("--until", type=int, default=0)
    options = parser.parse_args()
    source = ""
    if options.source:
        with open(options.source, encoding="utf-8") as file:
            source = file.read()
    sys.stdout.write(digest(read(options.walk), source, options.total_shared, options.until))


if __name__ == "__main__":
    main()
