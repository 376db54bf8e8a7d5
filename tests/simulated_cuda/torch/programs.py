#!/usr/bin/env python3
"""Eleven training programs of PyTorch, and three of its other parts: their losses on the simulated GPU against those of a real one.

  programs.py --gpu [-o expected.json] [NAME...]                 on the GPU of this machine: prints the losses
  programs.py --warpwalk PROGRAM [--cores N] [-o OUT.json] [NAME...]    on the simulated GPU; compares with expected.json

Needs Python with PyTorch of CUDA 12 or 13; CI has none. --cores runs each on so many cores (default: 2). A program may take
seconds (--seconds, default 600). Losses agree if they differ by less than `tolerance` below, relatively; the exit status is
1 if one does not.
"""
from __future__ import annotations

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import time

here = pathlib.Path(__file__).resolve().parent
# Tolerances of PyTorch's own tests (torch.testing.assert_close and tf32_on_and_off): float32 with sums in another order over
# ten steps; TF32 products of convolutions and RNNs, which are cuDNN's default; 16-bit types.
FLOAT32, TF32, HALF = 1e-4, 5e-3, 1.6e-2
tolerance = {"mlp": FLOAT32, "cnn": TF32, "transformer": FLOAT32, "lstm": TF32, "autoencoder": HALF, "gan": TF32,
             "diffusion": TF32, "vit": HALF, "embedding_bag": FLOAT32, "quantised": FLOAT32, "compiled": TF32,
             "random_numbers": 0, "attention": HALF, "linear_algebra": 1e-8}


def run(name, arguments):
    """Losses, seconds and what was printed."""
    script = here / "programs" / f"{name}.py"
    command = [sys.executable, str(script)]
    if arguments.warpwalk:
        out = pathlib.Path(arguments.walks) / f"{name}.json.gz" if arguments.walks else f"/tmp/{name}.json.gz"
        command = [arguments.warpwalk, "record", "--on", "sim", *arguments.record, "-o", str(out), "--", *command]
        if arguments.cores and hasattr(os, "sched_setaffinity"):
            chosen = sorted(os.sched_getaffinity(0))[arguments.first_core:arguments.first_core + arguments.cores]
            command = ["taskset", "-c", ",".join(map(str, chosen)), *command]
    began = time.monotonic()
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=arguments.seconds, errors="replace")
        text, status = done.stdout, done.returncode
    except subprocess.TimeoutExpired as late:
        text, status = (late.stdout or b"").decode(errors="replace") if isinstance(late.stdout, bytes) else "", "time"
    losses = [float(value) for value in re.findall(r"^loss \d+ (\S+)$", text, re.MULTILINE)]
    return {"losses": losses, "seconds": round(time.monotonic() - began, 1), "status": status, "text": text[-4000:]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--gpu", action="store_true")
    where.add_argument("--warpwalk")
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--first-core", type=int, default=0)
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--record", nargs="*", default=[], help="further options of warpwalk record, without --")
    parser.add_argument("--walks", help="folder in which the walks are kept")
    parser.add_argument("-o", dest="out")
    arguments = parser.parse_args()
    arguments.record = [f"--{option}" for option in arguments.record]
    names = arguments.names or list(tolerance)
    expected = {} if arguments.gpu else json.loads((here / "expected.json").read_text())
    found, bad = {}, []
    for name in names:
        found[name] = run(name, arguments)
        losses, seconds, status = (found[name][key] for key in ("losses", "seconds", "status"))
        line = f"{name:14} {len(losses):2} losses, {seconds:6.1f} s, status {status}"
        if not arguments.gpu:
            right = expected[name]
            apart = max((abs(a - b) / max(abs(b), 1e-6) for a, b in zip(losses, right)), default=float("nan"))
            good = len(losses) == len(right) and status == 0 and apart <= tolerance[name]
            line += f", differ by {apart:.2e} (at most {tolerance[name]:.1e}): {'good' if good else 'BAD'}"
            if not good:
                bad.append(name)
                line += "\n" + found[name]["text"]
        print(line, flush=True)
    if arguments.out:
        kept = {name: one["losses"] for name, one in found.items()} if arguments.gpu else found
        pathlib.Path(arguments.out).write_text(json.dumps(kept, indent=1) + "\n")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
