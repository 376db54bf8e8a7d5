#!/usr/bin/env python3
"""Prints simulated beside measured times of the launches that walks hold with their memory, as a Markdown table.

    scripts/walks/inside_times.py PROGRAM WALK.json.gz...

Runs `PROGRAM simulate WALK --launch N --json -` for each of them. docs/inside-times.md was made with it.
"""
import gzip
import json
import re
import subprocess
import sys

HEAD = """| kernel | grid x block | warp instructions | bits | measured, us | simulated, us | ratio |
|---|---|---|---|---|---|---|"""


def short(name):
    """The functor that tells kernels of one template apart, then the template's name."""
    plain = re.sub(r"\(anonymous namespace\)::", "", name)
    function = re.match(r"(?:void )?(?:[\w]+::)*(\w+)", plain).group(1)
    inner = re.findall(r"(\w*(?:Functor|Kernel|kernel|Ops|clamp_scalar|Copy|Impl|cuda_out)\w*)", plain)
    inner = [word for word in inner if word != function and word not in ("gpu_kernel_impl_nocast", "Kernel2")]
    sizes = re.match(r"[^<]*<([0-9, ]+)", plain)
    kernel = function + (f"<{sizes.group(1).strip(', ')}>" if sizes else "")
    if function == "Kernel2":
        kernel = re.search(r"Kernel2<(\w+)", plain).group(1)
    return f"{inner[0]} · {kernel}" if inner else kernel


def inside_launches(walk):
    with gzip.open(walk, "rt", encoding="utf-8") as file:
        trace = json.load(file)
    records = trace["warpwalk"]["kernels"]
    kernels = [event for event in trace["traceEvents"] if event.get("cat") == "kernel"]
    kernels = [k for k in kernels if "inside" in records[k["args"].get("warpwalk record", 0)] and "warpwalk record" in k["args"]]
    return sorted(kernels, key=lambda kernel: kernel["ts"])


program, *walks = sys.argv[1:]
for walk in walks:
    print(f"\n## {walk.split('/')[-1]}\n\n{HEAD}")
    ratios, same = [], 0
    launches = inside_launches(walk)
    for number, kernel in enumerate(launches, 1):
        command = [program, "simulate", walk, "--launch", str(number), "--json", "-"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        args = kernel["args"]
        shape = f"{'x'.join(map(str, args['grid']))} x {'x'.join(map(str, args['block']))}"
        if done.returncode == 2:
            print(f"| `{short(kernel['name'])}` | {shape} | | {done.stderr.strip()} | {kernel['dur']:.2f} | | |")
            continue
        report = json.loads(done.stdout)
        good = report["recorded"]["different"] == 0
        same += good
        time = report.get("time_us")
        ratio = time / kernel["dur"] if time and kernel["dur"] else None
        ratios += [ratio] if ratio else []
        print(
            f"| `{short(kernel['name'])}` | {shape} | {report['warp_instructions']:,} | {'same' if good else 'differ'} | "
            f"{kernel['dur']:.2f} | {f'{time:.2f}' if time else ''} | {f'{ratio:.2f}' if ratio else ''} |"
        )
    ratios.sort()
    print(f"\n{same} of {len(launches)} leave the same bits. Median ratio: {ratios[len(ratios) // 2]:.2f}.")
