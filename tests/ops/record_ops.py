#!/usr/bin/env python3
"""Records what PyTorch makes of the cases of an op, in the file that has them.

    python3 tests/ops/record_ops.py tests/ops/pytorch/*.json

A case is an expression with its inputs: {"text": "torch.tanh(x)", "inputs": {"x": "4x5"}, "dtypes": "f32 f64"}. Each
type of "dtypes" is a run of its own; an input of another type says so ("4x5:i64"). "values": "grid" (the default),
"positive" or "special"; "autocast": the type that autocast casts to; "slack": how many times the test's tolerance, for
an expression that multiplies rounding errors. f16, bf16, special values and autocast run on the GPU, whose rules the cpu
backend follows, all others on the CPU. PyTorch 2.11 recorded the files.
"""
import json
import math
import sys

import torch
import torch.nn.functional as F

TYPES = {"f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32, "f64": torch.float64,
         "i32": torch.int32, "i64": torch.int64}
NAMES = {v: k for k, v in TYPES.items()}
SPECIAL = [0.0, -0.0, math.inf, -math.inf, math.nan, 1.0, -1.0, 1e-3, -1e-3, 0.1, -3.5, 9.0, -9.0, 20.0, -20.0, 90.0,
           -90.0, 4e4, -4e4]


def values(kind, count, variable, whole):
    if kind == "special":
        return [SPECIAL[(k + variable) % len(SPECIAL)] for k in range(count)]
    grid = [(7 * k + 3 * variable) % 11 for k in range(count)]
    if kind == "positive":
        return [g + 1 if whole else (g + 1) / 4 for g in grid]
    return [g - 5 if whole else (g - 5) / 4 for g in grid]


def numbers(t):
    digits = 17 if t.dtype == torch.float64 else 9
    return [int(v) if not t.is_floating_point() else float(f"{v:.{digits}g}") if math.isfinite(v) else str(v)
            for v in t.detach().cpu().contiguous().flatten().tolist()]


def tape(result):
    """Names of the nodes, sorted, each node once."""
    seen, waiting = {}, [result.grad_fn]
    while waiting:
        node = waiting.pop()
        if node is not None and node not in seen:
            seen[node] = node.name().removeprefix("struct ")
            waiting += [following for following, _ in node.next_functions]
    return sorted(seen.values())


def run(case, dtype):
    autocast = case.get("autocast")
    on_gpu = autocast or dtype in ("f16", "bf16") or case.get("values") == "special"
    device = "cuda" if on_gpu else "cpu"
    scope = {"torch": torch, "F": F}
    for number, (name, described) in enumerate(case["inputs"].items()):
        sizes, _, own = described.partition(":")
        sizes = [] if sizes == "scalar" else [int(s) for s in sizes.split("x")]
        kind = TYPES[own or dtype]
        content = values(case.get("values", "grid"), math.prod(sizes), number, not kind.is_floating_point)
        scope[name] = torch.tensor(content, dtype=kind).to(device).reshape(sizes)
        if kind.is_floating_point:
            scope[name].requires_grad_()
    inputs = [scope[name] for name in case["inputs"]]
    try:
        with torch.autocast("cuda", dtype=TYPES.get(autocast, torch.float16), enabled=autocast is not None):
            result = eval(case["text"], scope)
        out = {"dtype": NAMES[result.dtype], "sizes": list(result.shape), "values": numbers(result)}
        if result.requires_grad:
            out["tape"] = tape(result)
            upstream = [((5 * k) % 7 - 3) / 2 for k in range(result.numel())]
            result.backward(torch.tensor(upstream, dtype=result.dtype, device=device).reshape(result.shape))
            out["gradients"] = [None if i.grad is None else numbers(i.grad) for i in inputs]
        return out
    except (RuntimeError, IndexError, TypeError, ValueError) as error:
        return {"refused": str(error).splitlines()[0][:80]}


def main():
    for path in sys.argv[1:]:
        with open(path) as file:
            cases = json.load(file)["cases"]
        line = lambda value: json.dumps(value, separators=(",", ":"))
        recorded = [line(run(case, dtype)) for case in cases for dtype in case["dtypes"].split()]
        with open(path, "w") as file:
            file.write('{"cases": [\n' + ",\n".join(json.dumps(case) for case in cases))
            file.write('\n], "pytorch": ' + line(torch.__version__) + ', "recorded": [\n' + ",\n".join(recorded) + "\n]}\n")


if __name__ == "__main__":
    main()
