#!/usr/bin/env python3
"""Records what lab/cuda-triton shows: kernels, autotuning, torch.compile and registered ops.

    python3 tests/triton/record.py FOLDER

Needs a GPU, PyTorch with Triton, and nvcc. Writes one JSON file per part; a part that fails says why and leaves the
others alone. tests/triton/README.md says which files of the repository are made of them.
"""
import ctypes
import hashlib
import json
import os
import shutil
import struct
import subprocess
import sys
import traceback

import torch
import triton

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../assets/triton")
sys.path.insert(0, HERE)
import kernels  # noqa: E402

OUT = os.path.abspath(sys.argv[1])
N = 1 << 24  # elements of the timed launches
REPEATS = 41


def write(name, value):
    value["machine"] = {"gpu": torch.cuda.get_device_name(0), "torch": torch.__version__, "triton": triton.__version__,
                        "cuda": torch.version.cuda}
    with open(os.path.join(OUT, name + ".json"), "w") as file:
        json.dump(value, file, indent=1)
        file.write("\n")


def numbers(n, seed=0):
    """n numbers from -1 to 1, each an exact float: tests repeat them without PyTorch."""
    i = torch.arange(n, dtype=torch.int64) + seed
    return ((((i * 2654435761) & 0xFFFFFFFF) >> 8).to(torch.float64) / (1 << 23) - 1).to(torch.float32).cuda()


def digest(tensor):
    values = tensor.detach().cpu().contiguous().flatten().tolist()
    return hashlib.sha256(struct.pack(f"<{len(values)}f", *values)).hexdigest()


flush = None


def median_us(launch):
    """Median time between two events around a launch. A fill of 512 MB before it empties L2 of the inputs and gives the
    CPU time to queue the launch, so that the events measure the GPU alone."""
    global flush
    if flush is None:
        flush = torch.empty(512 << 20, dtype=torch.int8, device="cuda")
    for _ in range(3):
        launch()
    pairs = []
    for _ in range(REPEATS):
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        flush.zero_()
        start.record()
        launch()
        end.record()
        pairs.append((start, end))
    torch.cuda.synchronize()
    times = sorted(start.elapsed_time(end) * 1000 for start, end in pairs)
    return round(times[len(times) // 2], 2)


def layouts(ttgir):
    return [line for line in ttgir.splitlines() if line.startswith("#") and "ttg." in line]


def figures(kernel):
    """Registers, spills and shared memory of a compiled Triton kernel."""
    kernel._init_handles()
    return {"registers": kernel.n_regs, "spills": kernel.n_spills, "shared": kernel.metadata.shared}


def sass(cubin):
    path = os.path.join(OUT, "part.cubin")
    with open(path, "wb") as file:
        file.write(cubin)
    tool = shutil.which("cuobjdump") or "/usr/local/cuda/bin/cuobjdump"
    try:
        return subprocess.run([tool, "-sass", path], capture_output=True, text=True).stdout
    except OSError as error:
        return str(error)
    finally:
        os.remove(path)


def triton_kernels():
    rows, texts = [], {}
    x, z, y = numbers(N), numbers(N, 7), torch.empty(N, device="cuda")
    for name in ("relu", "vecadd"):
        inputs = (x,) if name == "relu" else (x, z)
        for block in (128, 256, 512, 1024, 2048, 4096, 8192):
            for warps in (1, 2, 4, 8, 16):
                for n in (N, N - 3):
                    if n != N and (warps != 4 and block != 1024):
                        continue
                    grid = (triton.cdiv(n, block),)
                    kernel = getattr(kernels, name)

                    def launch():
                        return kernel[grid](*inputs, y, n, BLOCK_SIZE=block, num_warps=warps)

                    compiled = launch()
                    ptx = compiled.asm["ptx"]
                    row = {"kernel": name, "block": block, "warps": warps, "n": n, "grid": grid[0],
                           "us": median_us(launch), **figures(compiled), "layouts": layouts(compiled.asm["ttgir"]),
                           "vector_loads": ptx.count("ld.global.v4"), "loads": ptx.count("ld.global")}
                    rows.append(row)
                    key = f"{name}_{block}_{warps}_{'even' if n == N else 'odd'}"
                    texts[key] = {"ptx": ptx}
                    if block == 1024 and warps == 4:
                        texts[key].update({stage: compiled.asm[stage] for stage in ("ttir", "ttgir")})
                        texts[key]["sass"] = sass(compiled.asm["cubin"])
                        texts[key]["cubin"] = compiled.asm["cubin"].hex()
    digests = {}
    for n in (1000, 4096):
        a, b, c = numbers(n), numbers(n, 7), torch.zeros(n, device="cuda")
        kernels.relu[(triton.cdiv(n, 256),)](a, c, n, BLOCK_SIZE=256, num_warps=4)
        digests[f"relu_{n}"] = digest(c)
        kernels.vecadd[(triton.cdiv(n, 256),)](a, b, c, n, BLOCK_SIZE=256, num_warps=4)
        digests[f"vecadd_{n}"] = digest(c)
        digests[f"relu_{n}_torch"], digests[f"vecadd_{n}_torch"] = digest(torch.relu(a)), digest(a + b)
    strange = torch.tensor([float("nan"), -0.0, float("inf"), -1.0], device="cuda")
    result = torch.empty(4, device="cuda")
    kernels.relu[(1,)](strange, result, 4, BLOCK_SIZE=128)
    special = {"input": [str(v) for v in strange.tolist()], "triton": [str(v) for v in result.tolist()],
               "torch": [str(v) for v in torch.relu(strange).tolist()]}
    write("triton_kernels", {"rows": rows, "digests": digests, "special": special})
    with open(os.path.join(OUT, "triton_texts.json"), "w") as file:
        json.dump(texts, file, indent=1)


def cuda_kernels():
    source = os.path.join(HERE, "kernels.cu")
    nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    major, minor = torch.cuda.get_device_capability()
    made = {}
    for kind in ("ptx", "cubin"):
        made[kind] = os.path.join(OUT, "kernels." + kind)
        subprocess.run([nvcc, f"-arch=sm_{major}{minor}", "-lineinfo", f"-{kind}", source, "-o", made[kind]],
                       check=True, cwd=HERE)
    driver = ctypes.CDLL("libcuda.so.1")
    torch.zeros(1, device="cuda")
    module = ctypes.c_void_p()
    with open(made["cubin"], "rb") as file:
        code = file.read()

    def check(status):
        if status != 0:
            raise RuntimeError(f"the CUDA driver returned {status}")

    check(driver.cuModuleLoadData(ctypes.byref(module), code))
    x, z, y = numbers(N), numbers(N, 7), torch.empty(N, device="cuda")

    def launcher(function, tensors, n, grid, block):
        values = [ctypes.c_void_p(t.data_ptr()) for t in tensors] + [ctypes.c_int(n)]
        arguments = (ctypes.c_void_p * len(values))(*[ctypes.addressof(v) for v in values])
        stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)

        def launch(keep=(values, tensors)):
            check(driver.cuLaunchKernel(function, grid, 1, 1, block, 1, 1, 0, stream, arguments, None))

        return launch

    rows, digests = [], {}
    for name in ("relu", "vecadd", "relu4", "vecadd4"):
        function = ctypes.c_void_p()
        check(driver.cuModuleGetFunction(ctypes.byref(function), module, name.encode()))
        registers = ctypes.c_int()
        check(driver.cuFuncGetAttribute(ctypes.byref(registers), 4, function))
        per_thread = 4 if name.endswith("4") else 1
        inputs = (x,) if name.startswith("relu") else (x, z)
        for block in (32, 64, 128, 256, 512, 1024):
            grid = triton.cdiv(N, block * per_thread)
            rows.append({"kernel": name, "block": block, "n": N, "grid": grid, "registers": registers.value,
                         "us": median_us(launcher(function, (*inputs, y), N, grid, block))})
        for n in (1000, 4096):
            parts = [numbers(n), numbers(n, 7)][:len(inputs)] + [torch.zeros(n, device="cuda")]
            launcher(function, parts, n, triton.cdiv(n, 256 * per_thread), 256)()
            torch.cuda.synchronize()
            digests[f"{name}_{n}"] = digest(parts[-1])
    write("cuda_kernels", {"rows": rows, "digests": digests, "sass": sass(code), "ptx": open(made["ptx"]).read()})


def autotune():
    results = []
    for size in (512, 1024, 2048, 4096):
        a = torch.randn(size, size, device="cuda", dtype=torch.float16)
        b = torch.randn(size, size, device="cuda", dtype=torch.float16)
        c = torch.empty_like(a)
        rows = []
        for config in kernels.CONFIGS:
            sizes = config.kwargs
            grid = (triton.cdiv(size, sizes["BLOCK_M"]), triton.cdiv(size, sizes["BLOCK_N"]))
            row = {**sizes, "warps": config.num_warps, "stages": config.num_stages, "grid": list(grid)}

            def launch():
                return kernels.matmul_kernel[grid](a, b, c, size, size, size, **sizes, num_warps=config.num_warps,
                                                   num_stages=config.num_stages)

            try:
                compiled = launch()
                row.update(figures(compiled))
                row["us"] = median_us(launch)
                error = (c.float() - a.float() @ b.float()).abs().max().item()
                row["error"] = round(error, 4)
                row["wgmma"] = compiled.asm["ptx"].count("wgmma.mma_async")
                row["mma"] = compiled.asm["ptx"].count("mma.sync")
                row["copies"] = compiled.asm["ptx"].count("cp.async.cg")
            except Exception as error:  # out of resources: autotuning passes over it too
                row["refused"] = str(error).splitlines()[0]
            rows.append(row)
        result = {"size": size, "rows": rows, "cublas_us": median_us(lambda: torch.matmul(a, b, out=c))}

        def grid_of(meta):
            return (triton.cdiv(size, meta["BLOCK_M"]), triton.cdiv(size, meta["BLOCK_N"]))

        start = torch.cuda.Event(enable_timing=True)
        start.record()
        kernels.matmul[grid_of](a, b, c, size, size, size)
        torch.cuda.synchronize()
        best = kernels.matmul.best_config
        result["winner"] = {**best.kwargs, "warps": best.num_warps, "stages": best.num_stages}
        timings = getattr(kernels.matmul, "configs_timings", None) or {}
        result["timings"] = [
            {**config.kwargs, "warps": config.num_warps, "stages": config.num_stages,
             "ms": value if isinstance(value, (int, float)) else list(value)} for config, value in timings.items()]
        results.append(result)
    write("autotune", {"sizes": results})


def compiled_code():
    from torch._inductor.utils import run_and_get_code

    def fused(a, b):
        return torch.relu(a + b)

    a, b = numbers(1 << 20), numbers(1 << 20, 7)
    result, codes = run_and_get_code(torch.compile(fused), a, b)
    value = {"code": codes, "digest": digest(result), "digest_eager": digest(fused(a, b))}
    out = torch.compile(fused)
    value["us_compiled"] = median_us(lambda: out(a, b))
    value["us_eager"] = median_us(lambda: fused(a, b))
    big_a, big_b = numbers(N), numbers(N, 7)
    value["us_compiled_large"] = median_us(lambda: out(big_a, big_b))
    value["us_eager_large"] = median_us(lambda: fused(big_a, big_b))
    found = []
    for root, _, files in os.walk(os.environ["TRITON_CACHE_DIR"]):
        for file in files:
            if file.endswith((".ptx", ".ttgir", ".ttir", ".source")) and file.startswith("triton_poi_fused_add_relu"):
                with open(os.path.join(root, file)) as text:
                    found.append({"file": file, "text": text.read()})
    value["cached"] = found
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU,
                                            torch.profiler.ProfilerActivity.CUDA]) as profile:
        out(a, b)
        fused(a, b)
        torch.cuda.synchronize()
    value["profile"] = [{"name": e.name, "device": str(e.device_type), "us": round(e.time_range.elapsed_us(), 2)}
                        for e in profile.events()]
    write("compile", value)


def registered_ops():
    from torch.library import custom_op, opcheck, register_autograd, register_fake, triton_op, wrap_triton

    @triton_op("lab::relu", mutates_args={})
    def relu(x: torch.Tensor) -> torch.Tensor:
        y = torch.empty_like(x)
        wrap_triton(kernels.relu)[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK_SIZE=1024)
        return y

    @custom_op("lab::opaque_relu", mutates_args={})
    def opaque_relu(x: torch.Tensor) -> torch.Tensor:
        y = torch.empty_like(x)
        kernels.relu[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK_SIZE=1024)
        return y

    value = {"steps": {}}
    x = numbers(4096)

    def attempt(name, call):
        try:
            value["steps"][name] = {"ok": True, "result": call()}
        except Exception as error:
            lines = [line for line in str(error).splitlines() if line.strip()]
            value["steps"][name] = {"ok": False, "type": type(error).__name__, "message": lines[:6]}

    def gradient(op):
        leaf = numbers(4096).requires_grad_()
        op(leaf).sum().backward()
        return digest(leaf.grad)

    def compiled(op):
        torch._dynamo.reset()
        return digest(torch.compile(lambda v: op(v + 1) * 2, fullgraph=True)(x))

    value["eager_expected"] = digest(torch.relu(x + 1) * 2)
    value["gradient_expected"] = digest((x > 0).float())
    for name, op in (("triton_op", relu), ("custom_op", opaque_relu)):
        attempt(name + " eager", lambda: digest(op(x)))
        attempt(name + " compiled without fake", lambda: compiled(op))
        attempt(name + " gradient without autograd", lambda: gradient(op))

    @register_fake("lab::opaque_relu")
    def fake(x):
        return torch.empty_like(x)

    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output)

    def backward(ctx, grad):
        (y,) = ctx.saved_tensors
        return torch.where(y > 0, grad, 0)

    register_autograd("lab::relu", backward, setup_context=setup_context)
    register_autograd("lab::opaque_relu", backward, setup_context=setup_context)
    for name, op in (("triton_op", relu), ("custom_op", opaque_relu)):
        attempt(name + " compiled", lambda: compiled(op))
        attempt(name + " gradient", lambda: gradient(op))
        attempt(name + " opcheck", lambda: opcheck(op, (numbers(64).requires_grad_(),)))
        attempt(name + " cpu tensor", lambda: digest(op(x.cpu())))
    for name in ("lab::relu", "lab::opaque_relu"):
        value["table " + name] = torch._C._dispatch_dump(name)

    from torch._inductor.utils import run_and_get_code
    for name, op in (("triton_op", relu), ("custom_op", opaque_relu)):
        def code():
            torch._dynamo.reset()
            return run_and_get_code(torch.compile(lambda v: op(v + 1) * 2, fullgraph=True), x)[1]

        attempt(name + " code", code)
        with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU,
                                                torch.profiler.ProfilerActivity.CUDA]) as profile:
            leaf = numbers(4096).requires_grad_()
            torch.cuda.synchronize()
            y = op(leaf)
            y.sum().backward()
            torch.cuda.synchronize()
        value["profile " + name] = [
            {"name": e.name, "device": str(e.device_type), "thread": e.thread,
             "start": round(e.time_range.start, 2), "us": round(e.time_range.elapsed_us(), 2)}
            for e in profile.events()]
    write("registered_ops", value)


os.makedirs(OUT, exist_ok=True)
os.environ.setdefault("TRITON_CACHE_DIR", os.path.join("/tmp", f"triton_cache_{os.getpid()}"))
for part in (triton_kernels, cuda_kernels, autotune, compiled_code, registered_ops):
    try:
        part()
        print(part.__name__, "recorded", flush=True)
    except Exception:
        with open(os.path.join(OUT, part.__name__ + ".error.txt"), "w") as file:
            traceback.print_exc(file=file)
        print(part.__name__, "failed", flush=True)
