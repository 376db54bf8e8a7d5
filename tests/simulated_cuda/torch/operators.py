#!/usr/bin/env python3
"""PyTorch's own operators on CUDA against the CPU, with the samples of its operator tests (test_ops, test_compare_cpu).

  operators.py [--every N] [--processes P] [-o sheet.json] [NAME...]

The ops are those of torch.testing's database that have float32 samples, every Nth of them (default: as many as give 300),
or the named ones. Each runs forward, and backward where it has gradients, on up to three samples; results agree within 1e-3,
as in test_compare_cpu. Run it once on a GPU, and once under `warpwalk record --on sim`, which the children inherit:
the sheet says per op "good", or what went wrong. Ops that fail on the GPU of the first run count for neither.
"""
from __future__ import annotations

import argparse
import json
import pathlib
import signal
import subprocess
import sys
import threading
import time
import types
import unittest

SECONDS = 120  # per op
SAMPLES, LARGEST = 3, 1 << 16


def database():
    """PyTorch's list of operators. Its module wants expecttest, a package that only PyTorch's own tests have."""
    if "expecttest" not in sys.modules:
        expecttest = types.ModuleType("expecttest")
        expecttest.TestCase, expecttest.assert_expected_inline = unittest.TestCase, None
        sys.modules["expecttest"] = expecttest
    from torch.testing._internal.common_methods_invocations import op_db

    return {op.full_name: op for op in op_db}


# Results that are not fixed by the inputs, or that need what the sheet does not give them.
NOT_COMPARED = ("empty", "rand", "normal", "bernoulli", "cauchy", "exponential", "geometric", "log_normal", "uniform",
                "multinomial", "dropout", "rrelu", "new_empty", "fractional_max_pool", "lowrank", "to_sparse", "nonzero_static",
                "equal", "item", "_efficient_attention", "_flash_attention", "scaled_dot_product_attention_", "resize_")


def candidates():
    import torch

    return [name for name, op in sorted(database().items())
            if torch.float32 in op.supported_dtypes("cuda") and torch.float32 in op.supported_dtypes("cpu")
            and not any(word in name for word in NOT_COMPARED)]


def tensors_of(value):
    import torch

    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, dict):
        value = value.values()
    return [one for part in value for one in tensors_of(part)] if isinstance(value, (list, tuple)) or hasattr(
        value, "__iter__") and not isinstance(value, str) else []


def one_op(name):
    """"good", or what is wrong, in one line."""
    import torch

    op = database()[name]
    differentiable = op.supports_autograd and torch.float32 in op.supported_backward_dtypes("cuda")
    torch.manual_seed(0)
    tried = 0
    for sample in op.sample_inputs("cpu", torch.float32, requires_grad=differentiable):
        if any(one.numel() > LARGEST for one in tensors_of([sample.input, sample.args, sample.kwargs])):
            continue
        results = []
        for device in ("cpu", "cuda"):
            def moved(one):
                return one.detach().to(device).requires_grad_(one.requires_grad)
            given = sample.transform(lambda one: moved(one) if isinstance(one, torch.Tensor) else one)
            out = op(given.input, *given.args, **given.kwargs)
            outs = [one for one in tensors_of(sample.output_process_fn_grad(out))]
            gradients = []
            leaves = [one for one in tensors_of([given.input, given.args, given.kwargs]) if one.requires_grad]
            with_gradient = [one for one in outs if one.requires_grad]
            if differentiable and leaves and with_gradient:
                total = sum((one.abs() if one.is_complex() else one).sum() for one in with_gradient)
                gradients = [one for one in torch.autograd.grad(total, leaves, allow_unused=True) if one is not None]
            results.append([one.detach().cpu() for one in outs + gradients])
        if len(results[0]) != len(results[1]):
            return f"{len(results[1])} results instead of {len(results[0])}"
        for cpu, cuda in zip(*results):
            torch.testing.assert_close(cuda, cpu, rtol=1e-3, atol=1e-3, equal_nan=True, check_stride=False)
        tried += 1
        if tried == SAMPLES:
            break
    return "good" if tried else "no sample"


def worker(names, queue):
    """Runs ops one after another. The parent sees which one is under way, in case that ends the process."""
    import torch

    torch.set_num_threads(1)

    def late(*_):
        raise TimeoutError(f"not done after {SECONDS} s")

    signal.signal(signal.SIGALRM, late)
    for name in names:
        queue.put((name, None, 0))
        began = time.monotonic()
        signal.alarm(SECONDS)
        try:
            verdict = one_op(name)
        except Exception as problem:  # noqa: BLE001: whatever an op raises is its verdict
            verdict = f"{type(problem).__name__}: {problem}".replace("\n", " ")[:300]
        signal.alarm(0)
        queue.put((name, verdict, round(time.monotonic() - began, 2)))


def rows(names):
    """For `operators.py --rows NAME...`, a process of its own: prints a line of JSON per event."""
    class Lines:
        def put(self, row):
            print("ROW " + json.dumps(row), flush=True)
    worker(names, Lines())


def sheet(names, processes):
    """Verdicts and seconds by op. An op that ends its process has that as its verdict, and the rest goes on."""
    found = {}

    def share(mine):
        left = list(mine)
        while left:
            child = subprocess.Popen([sys.executable, __file__, "--rows", *left], stdout=subprocess.PIPE,
                                     stderr=subprocess.DEVNULL, text=True)
            killer = threading.Timer(SECONDS * 2 + len(left) * 20, child.kill)
            killer.start()
            under_way = None
            for line in child.stdout:
                if not line.startswith("ROW "):
                    continue
                name, verdict, seconds = json.loads(line[4:])
                under_way = name if verdict is None else None
                if verdict is not None:
                    found[name] = [verdict, seconds]
            child.wait()
            killer.cancel()
            done = [name for name in left if name in found]
            if under_way is None and not done:
                under_way = left[0]
            if under_way is not None:
                found[under_way] = [f"the process ended with {child.returncode}", 0]
            left = [name for name in left if name not in found]

    threads = [threading.Thread(target=share, args=(names[i::processes],)) for i in range(processes)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return {name: found[name] for name in names if name in found}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--rows", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--every", type=int)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("-o", dest="out")
    arguments = parser.parse_args()
    if arguments.rows:
        return rows(arguments.names)
    names = arguments.names
    if not names:
        names = candidates()
        every = arguments.every or max(1, len(names) // 300)
        names = names[::every] if arguments.every else names[:: every][:300]
    found = sheet(names, arguments.processes)
    good = sum(verdict == "good" for verdict, _ in found.values())
    for name, (verdict, seconds) in found.items():
        if verdict != "good":
            print(f"{name}: {verdict} ({seconds} s)")
    print(f"{good} of {len(found)} good")
    if arguments.out:
        pathlib.Path(arguments.out).write_text(json.dumps(found, indent=0) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
