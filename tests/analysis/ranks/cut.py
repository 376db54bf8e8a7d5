"""Cuts the traces of a run down to some steps and to what tells them apart, for the walks that come with warpwalk.

cut.py FOLDER OUT STEP...     STEP: the N of ProfilerStep#N. Reads FOLDER/rank*.json.gz, which record_parallel.py wrote.
Left out: work launched before the steps, flows, frames of libraries, calls and ops that give the GPU no work, and fields
that warpwalk does not need. Times are as recorded; a whole number of seconds moves to baseTimeNanoseconds.
"""
import gzip
import json
import pathlib
import re
import sys

FRAMES = re.compile(r"record_parallel\.py|<built-in function sleep")
CALLS = {"cudaEventQuery", "cudaGetErrorString", "cudaStreamIsCapturing", "cudaGetFuncBySymbol", "aten::as_strided",
         "aten::view", "aten::transpose", "aten::t", "aten::reshape", "aten::_reshape_alias", "aten::slice",
         "aten::narrow"}
FIELDS = {"Input Strides", "Input type", "Input Dims", "Concrete Inputs", "Ev Idx", "Record function id", "External id",
          "Python module id", "Python parent id", "Python id", "Sequence number", "Fwd thread id", "In split size",
          "Out split size", "est. achieved occupancy %", "queued", "blocks per SM", "warps per SM", "shared memory",
          "registers per thread", "context", "cbid"}
GPU_WORK = {"kernel", "gpu_memcpy", "gpu_memset"}
LAUNCHES = {"cuda_runtime", "cuda_driver"}


def is_kept(event, begin, end, launched):
    category = event.get("cat", "")
    if event["ph"] == "M":
        return True
    if event["ph"] != "X" or category in ("gpu_user_annotation", "Trace", "overhead"):
        return False
    if category in GPU_WORK:
        return event.get("args", {}).get("correlation") in launched
    if event["ts"] + event["dur"] <= begin or event["ts"] >= end or event["name"] in CALLS:
        return False
    # Frames around the steps would be work of the first one.
    return category != "python_function" or (event["ts"] >= begin and FRAMES.match(event["name"]) is not None)


def cut(trace, steps, second):
    events = trace["traceEvents"]
    ranges = [e for e in events if e.get("cat") == "user_annotation" and e["name"] in steps]
    begin, end = min(e["ts"] for e in ranges), max(e["ts"] + e["dur"] for e in ranges)
    second = int(begin) // 1000000 if second is None else second
    launched = {e["args"]["correlation"] for e in events
                if e.get("cat") in LAUNCHES and begin <= e["ts"] < end and "correlation" in e.get("args", {})}
    kept = [e for e in events if is_kept(e, begin, end, launched)]
    for event in kept:
        if event["ph"] == "X":
            event["ts"] = round(event["ts"] - second * 1000000, 3)
            event["dur"] = round(event["dur"], 3)
        args = {k: v for k, v in event.get("args", {}).items() if k not in FIELDS and v not in ("", [], "[]")}
        event["args"] = args
    trace["traceEvents"] = kept
    trace["baseTimeNanoseconds"] += second * 1000000000
    trace["deviceProperties"] = trace["deviceProperties"][:1]
    trace.pop("traceName", None)
    return second


def main():
    folder, out, steps = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:]
    out.mkdir(parents=True, exist_ok=True)
    second = None  # the same for all ranks: their clocks are compared
    for file in sorted(folder.glob("rank*.json.gz")):
        trace = json.load(gzip.open(file))
        second = cut(trace, {"ProfilerStep#" + step for step in steps}, second)
        with open(out / file.name, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, 0) as packed:
            packed.write(json.dumps(trace, separators=(",", ":")).encode())


main()
