#!/usr/bin/env python3
"""Writes simulated beside measured times of the launches that walks hold with their memory, as CSV to stdout.

    scripts/walks/inside_times.py PROGRAM MEASURED_BY WALK.json.gz... > assets/devices/h200_recorded.csv

Runs `PROGRAM simulate WALK --launch N --cycles on --json -` for each of them. MEASURED_BY is the day of the recordings, such as
2026-11-25. `warpwalk simulate --accuracy recorded` shows the file.
"""
import csv
import datetime
import gzip
import json
import re
import subprocess
import sys

COLUMNS = ["program", "kernel", "grid", "block", "warp_instructions", "bits", "measured_us", "simulated_us", "ratio",
           "gpu", "measured_by", "simulated_on"]


def short(name):
    """The functor that tells kernels of one template apart, then the template's name. Without commas."""
    plain = re.sub(r"\(anonymous namespace\)::", "", name)
    function = re.match(r"(?:void )?(?:[\w]+::)*(\w+)", plain).group(1)
    inner = re.findall(r"(\w*(?:Functor|Kernel|kernel|Ops|clamp_scalar|Copy|Impl|cuda_out)\w*)", plain)
    inner = [word for word in inner if word != function and word not in ("gpu_kernel_impl_nocast", "Kernel2")]
    sizes = re.match(r"[^<]*<([0-9, ]+)", plain)
    kernel = function + (f"<{sizes.group(1).strip(', ').replace(',', '')}>" if sizes else "")
    if function == "Kernel2":
        kernel = re.search(r"Kernel2<(\w+)", plain).group(1)
    return f"{inner[0]} · {kernel}" if inner else kernel


def inside_launches(walk):
    """The name of the GPU, and the kernels that were recorded with their memory, in order."""
    with gzip.open(walk, "rt", encoding="utf-8") as file:
        trace = json.load(file)
    records = trace["warpwalk"]["kernels"]
    gpu = trace["deviceProperties"][0]["name"]
    kernels = [event for event in trace["traceEvents"] if event.get("cat") == "kernel"]
    kernels = [kernel for kernel in kernels
               if "warpwalk record" in kernel["args"] and "inside" in records[kernel["args"]["warpwalk record"]]]
    return gpu, sorted(kernels, key=lambda kernel: kernel["ts"])


def described(gpu):
    """The description of the recorded GPU; the H200's if there is none."""
    return "h100" if gpu.startswith("NVIDIA H100 80GB HBM3") else "h200"


program, measured_by, *walks = sys.argv[1:]
out = csv.writer(sys.stdout, lineterminator="\n")
out.writerow(COLUMNS)
for walk in walks:
    gpu, launches = inside_launches(walk)
    for number, kernel in enumerate(launches, 1):
        command = [program, "simulate", walk, "--launch", str(number), "--gpu", described(gpu), "--cycles", "on",
                   "--json", "-"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode == 2:
            print(f"{walk}, launch {number}: {done.stderr.strip()}", file=sys.stderr)
            continue
        report, args, measured = json.loads(done.stdout), kernel["args"], kernel["dur"]
        if "simulated_time_us" not in report["recorded"]:
            print(f"{walk}, launch {number}: no cycles; the launch has findings", file=sys.stderr)
            continue
        simulated = report["recorded"]["simulated_time_us"]  # as CUPTI measures it, caches warm
        grid, block = ("x".join(map(str, args[name])) for name in ("grid", "block"))
        out.writerow([walk.split("/")[-1].removesuffix(".json.gz"), short(kernel["name"]), grid, block,
                      report["warp_instructions"], "same" if report["recorded"]["different"] == 0 else "differ",
                      f"{measured:.2f}", f"{simulated:.2f}", f"{simulated / measured:.2f}",
                      gpu, measured_by, datetime.date.today()])
