"""Records what torch.compile makes of single lines, for assets/triton: h200_compile.csv and texts.

    python3 tests/triton/record_compile.py FOLDER

Needs a GPU, PyTorch 2.11 and Nsight Compute. Each line runs in three ways: eager, compiled, and compiled with
mode="max-autotune-no-cudagraphs". Nsight Compute counts each kernel of one call, caches emptied before it, clocks as they are.
"""
import csv
import io
import os
import re
import subprocess
import sys
from pathlib import Path

LINES = {  # name: (line, sizes of its tensors, type)
    "pointwise": ("torch.relu(x + y) * z", 3, (4096, 4096), "float32"),
    "gelu": ("0.5 * x * (1 + torch.tanh(0.79788456 * (x + 0.044715 * x ** 3)))", 1, (4096, 4096), "float32"),
    "normalise": ("(x - x.mean(-1, keepdim=True)) * torch.rsqrt(x.var(-1, keepdim=True) + 1e-5)", 1, (4096, 4096),
                  "float32"),
    "matmul": ("torch.relu(x @ y)", 2, (2048, 2048), "float16"),
}
WAYS = ("eager", "compiled", "autotuned")
METRICS = ("gpu__time_duration.sum", "sm__cycles_elapsed.max", "dram__bytes_read.sum", "dram__bytes_write.sum",
           "sm__inst_executed.sum", "launch__registers_per_thread", "launch__grid_size", "launch__block_size")


def run(folder: Path) -> None:
    """In the profiled process: one call per line and way, after a kernel that marks its beginning."""
    import torch
    from torch._inductor.utils import run_and_get_code

    torch.manual_seed(0)
    calls = []
    for name, (line, tensors, shape, dtype) in LINES.items():
        values = [torch.randn(shape, device="cuda").to(getattr(torch, dtype)) for _ in range(tensors)]
        results = []
        for way in WAYS:
            # A function of its own for each way: what is compiled belongs to the function's code.
            eager = eval(f"lambda {', '.join('xyz'[:tensors])}: {line}", {"torch": torch})
            mode = {"autotuned": "max-autotune-no-cudagraphs"}.get(way)
            call = eager if way == "eager" else torch.compile(eager, mode=mode)
            code = "" if way == "eager" else run_and_get_code(call, *values)[1][0]
            (folder / f"{name}.{way}.py").write_text(code)
            results.append(call(*values))
            torch.testing.assert_close(results[-1], results[0], rtol=1e-2, atol=1e-2)
            calls.append((call, values))
    for call, values in calls:
        call(*values)
    torch.cuda.synchronize()
    torch.cuda.cudart().cudaProfilerStart()
    for call, values in calls:
        torch.cuda._sleep(1)
        call(*values)
    torch.cuda.synchronize()
    torch.cuda.cudart().cudaProfilerStop()


def kernel_source(code: str, kernel: str) -> str:
    """A kernel's Triton source in Inductor's code, without its decorators of metadata."""
    found = re.search(rf"(@triton\.jit\ndef {re.escape(kernel)}\(.*?)\n'''", code, re.S)
    return found.group(1) + "\n" if found else ""


def main() -> None:
    folder = Path(sys.argv[-1]).absolute()
    folder.mkdir(parents=True, exist_ok=True)
    if "--run" in sys.argv:
        return run(folder)
    command = ["ncu", "--csv", "--page", "raw", "--print-units", "base", "--profile-from-start", "off", "--clock-control",
               "none", "--target-processes", "application-only", "--metrics", ",".join(METRICS), sys.executable, __file__,
               "--run", str(folder)]
    # Without worker processes for the compilers, for which Nsight Compute would wait. The first run fills their caches.
    environment = {**os.environ, "TORCHINDUCTOR_COMPILE_THREADS": "1"}
    subprocess.run(command[-4:], env=environment, check=True)
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    table = done.stdout[done.stdout.find('"ID"'):]
    rows = list(csv.DictReader(io.StringIO(table)))
    if done.returncode != 0 or not rows:
        sys.exit(done.stderr + done.stdout)
    ways = [(name, way) for name in LINES for way in WAYS]
    texts = {f"{name}.line": line[0] + "\n" for name, line in LINES.items()}
    at = -1
    with open(folder / "h200_compile.csv", "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["line", "way", "kernel", "time_us", "cycles", "read_bytes", "written_bytes", "instructions",
                      "registers", "grid", "block"])
        for row in rows[1:]:  # the first one has the units
            kernel = row["Kernel Name"]
            if "spin_kernel" in kernel:
                at += 1
                continue
            name, way = ways[at]
            numbers = [float(row[metric].replace(",", "")) for metric in METRICS]
            short = re.sub(r"^void |\(.*$", "", kernel).replace(",", ";")
            out.writerow([name, way, short, f"{numbers[0] / 1000:.3f}", *(f"{number:.0f}" for number in numbers[1:])])
            source = kernel_source((folder / f"{name}.{way}.py").read_text(), kernel.split("(")[0])
            if source:
                texts.setdefault(f"{name}.{way}.py", source)
    with open(folder / "h200_compile_texts.txt", "w") as file:
        for name, text in texts.items():
            file.write(f"== {name}\n{text}")


if __name__ == "__main__":
    main()
