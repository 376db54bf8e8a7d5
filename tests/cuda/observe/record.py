#!/usr/bin/env python3
"""Records what several instruments report of one PyTorch program while it does different things.

    python3 record.py FILE           writes FILE (JSON), about 40 s on a GPU; needs PyTorch 2.11
    python3 record.py kernels        runs each kernel once between cudaProfilerStart and Stop, for Nsight Compute:

    ncu --profile-from-start off --csv --metrics METRICS python3 record.py kernels > counters.csv

The program keeps 2 GiB in tensors and another 4 GiB in its allocator's cache (`big`: 64 GiB in tensors), and runs:

    idle      nothing
    tiny      torch.cuda._sleep, one block of one thread, back to back
    small     torch.relu of 65,536 elements, one launch after another
    memory    an addition of tensors of 224 Mi elements
    compute   a matrix product of 8,192 x 8,192, bf16
    big       nothing

For each: readings of nvidia-smi and of NVML (by another process), the program's own memory figures, the profiler's
record of a part of it, and how many launches per second it made with and without the profiler.
"""
import ctypes
import json
import os
import select
import subprocess
import sys
import tempfile
import time

SMI = ["utilization.gpu", "utilization.memory", "memory.used", "memory.total", "power.draw", "clocks.sm", "clocks.mem",
       "temperature.gpu", "pstate"]


class Metric(ctypes.Structure):
    _fields_ = [("id", ctypes.c_uint), ("status", ctypes.c_int), ("value", ctypes.c_double), ("short", ctypes.c_char_p),
                ("long", ctypes.c_char_p), ("unit", ctypes.c_char_p)]


class Metrics(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint), ("count", ctypes.c_uint), ("before", ctypes.c_void_p),
                ("after", ctypes.c_void_p), ("metrics", Metric * 512)]


class Memory(ctypes.Structure):
    _fields_ = [("total", ctypes.c_ulonglong), ("free", ctypes.c_ulonglong), ("used", ctypes.c_ulonglong)]


class Rates(ctypes.Structure):
    _fields_ = [("gpu", ctypes.c_uint), ("memory", ctypes.c_uint)]


GPM = {2: "sm_util", 3: "sm_occupancy", 5: "tensor_util", 10: "dram_util", 12: "fp32_util"}


class Nvml:
    def __init__(self):
        self.nvml = ctypes.CDLL("libnvidia-ml.so.1")
        self.nvml.nvmlInit_v2()
        self.device = ctypes.c_void_p()
        self.nvml.nvmlDeviceGetHandleByIndex_v2(0, ctypes.byref(self.device))

    def reading(self):
        rates, memory, power = Rates(), Memory(), ctypes.c_uint()
        self.nvml.nvmlDeviceGetUtilizationRates(self.device, ctypes.byref(rates))
        self.nvml.nvmlDeviceGetMemoryInfo(self.device, ctypes.byref(memory))
        self.nvml.nvmlDeviceGetPowerUsage(self.device, ctypes.byref(power))
        return {"utilization": rates.gpu, "memory_utilization": rates.memory, "used": memory.used,
                "total": memory.total, "free": memory.free, "power_w": power.value / 1000}

    def gpm(self, seconds):
        """Hopper's counters, averaged over a time; a message if they are not available."""
        samples = [ctypes.c_void_p(), ctypes.c_void_p()]
        for sample in samples:
            if status := self.nvml.nvmlGpmSampleAlloc(ctypes.byref(sample)):
                return {"error": f"nvmlGpmSampleAlloc: {status}"}
        for number, sample in enumerate(samples):
            if number:
                time.sleep(seconds)
            if status := self.nvml.nvmlGpmSampleGet(self.device, sample):
                return {"error": f"nvmlGpmSampleGet: {status}"}
        request = Metrics()
        request.version, request.count, request.before, request.after = 1, len(GPM), samples[0].value, samples[1].value
        for place, metric in enumerate(GPM):
            request.metrics[place].id = metric
        if status := self.nvml.nvmlGpmMetricsGet(ctypes.byref(request)):
            return {"error": f"nvmlGpmMetricsGet: {status}"}
        return {GPM[one.id]: one.value for one in request.metrics[:len(GPM)] if one.status == 0}


def smi(*arguments):
    run = subprocess.run(["nvidia-smi", *arguments, "--format=csv,noheader,nounits"], capture_output=True, text=True)
    return [[cell.strip() for cell in line.split(",")] for line in run.stdout.strip().splitlines()]


def observer():
    """Another process: for each line it reads, waits for the figures to settle and writes one line of readings."""
    nvml = Nvml()
    for _ in sys.stdin:
        time.sleep(1.6)
        readings = []
        for _ in range(8):
            readings.append(nvml.reading())
            time.sleep(0.1)
        seen = {"nvml": readings}
        gpm = subprocess.run([sys.executable, __file__, "gpm"], capture_output=True, text=True)
        try:
            seen["gpm"] = json.loads(gpm.stdout)
        except ValueError:
            seen["gpm"] = {"error": gpm.stderr[-300:] or f"exit status {gpm.returncode}"}
        started = time.perf_counter()
        gpu = smi("--query-gpu=" + ",".join(SMI), "--id=0")
        seen["smi_seconds"] = time.perf_counter() - started
        seen["smi"] = dict(zip(SMI, gpu[0])) if gpu else {}
        seen["smi_processes"] = smi("--query-compute-apps=pid,used_memory")
        print(json.dumps(seen), flush=True)


def steps(torch):
    """What each variation launches in one step."""
    small = torch.randn(65536, device="cuda")
    big = torch.randn(7 << 25, device="cuda")  # with the others, 2 GiB
    sum_of = torch.empty_like(big)
    a = torch.randn(8192, 8192, device="cuda", dtype=torch.bfloat16)
    product = torch.empty_like(a)
    return {
        "idle": None,
        "tiny": lambda: torch.cuda._sleep(40000),
        "small": lambda: torch.relu(small),
        "memory": lambda: torch.add(big, big, out=sum_of),
        "compute": lambda: torch.mm(a, a, out=product),
        "big": None,
    }


def profiled(torch, step, count):
    """The busy share and the launches of `count` steps, from the profiler's own trace."""
    from torch.profiler import ProfilerActivity, profile
    torch.cuda.synchronize()
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as profiler:
        started = time.perf_counter()
        for _ in range(count):
            step()
        torch.cuda.synchronize()
        seconds = time.perf_counter() - started
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        profiler.export_chrome_trace(file.name)
        trace = json.load(open(file.name))
    kernels = sorted((e["ts"], e["ts"] + e["dur"], e) for e in trace["traceEvents"] if e.get("cat") == "kernel")
    busy, reached = 0.0, 0.0
    for start, end, _ in kernels:
        busy += max(0.0, end - max(start, reached))
        reached = max(reached, end)
    last = kernels[len(kernels) // 2][2]
    arguments = last["args"]
    return {
        "per_second": count / seconds, "kernels": len(kernels), "span_us": reached - kernels[0][0], "busy_us": busy,
        "kernel": last["name"][:160], "mean_us": busy / len(kernels), "grid": arguments.get("grid"),
        "block": arguments.get("block"), "blocks_per_sm": arguments.get("blocks per SM"),
        "warps_per_sm": arguments.get("warps per SM"),
        "estimated_occupancy_pct": arguments.get("est. achieved occupancy %"),
    }


def record(path):
    import torch
    watcher = subprocess.Popen([sys.executable, __file__, "observer"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               text=True)
    answers = watcher.stdout.fileno()
    out = {"gpu": torch.cuda.get_device_name(0), "torch": torch.__version__,
           "driver": (smi("--query-gpu=driver_version", "--id=0") or [["?"]])[0][0],
           "sms": torch.cuda.get_device_properties(0).multi_processor_count, "pid": os.getpid(), "moments": {}}
    run = steps(torch)  # 2 GiB in tensors
    cache = [torch.empty(1 << 30, dtype=torch.uint8, device="cuda") for _ in range(4)]
    del cache  # 4 GiB stay reserved
    for step in run.values():
        if step is not None:
            step()  # loads libraries and selects kernels
    for name, step in run.items():
        held = [torch.empty(1 << 30, dtype=torch.uint8, device="cuda") for _ in range(60)] if name == "big" else []
        torch.cuda.synchronize()
        free, total = torch.cuda.mem_get_info()
        moment = {"memory_allocated": torch.cuda.memory_allocated(), "memory_reserved": torch.cuda.memory_reserved(),
                  "mem_get_info_free": free, "mem_get_info_total": total}
        watcher.stdin.write(name + "\n")
        watcher.stdin.flush()
        count, started, line = 0, time.perf_counter(), ""
        batch = {"tiny": 500, "small": 2000, "memory": 50, "compute": 20}.get(name, 0)
        timed = None
        while not line.endswith("\n") and time.perf_counter() - started < 20:
            if watcher.poll() is not None:
                break
            if step is not None:
                for _ in range(batch):
                    step()
                torch.cuda.synchronize()
                count += batch
                timed = time.perf_counter() - started
            if select.select([answers], [], [], 0.05 if step is None else 0)[0]:
                line += os.read(answers, 1 << 16).decode()
        moment["observed"] = json.loads(line) if line.endswith("\n") else {}
        moment["steps_per_second"] = count / timed if timed else 0
        if step is not None:
            try:
                moment["profiler"] = profiled(torch, step, min(batch * 2, 2000))
            except Exception as error:
                moment["profiler"] = {"error": repr(error)}
            rates = []
            for _ in range(5):
                torch.cuda.synchronize()
                started = time.perf_counter()
                for _ in range(batch):
                    step()
                torch.cuda.synchronize()
                rates.append(batch / (time.perf_counter() - started))
            moment["per_second_without_profiler"] = sorted(rates)[2]
        out["moments"][name] = moment
        del held
        json.dump(out, open(path, "w"), indent=1)
    watcher.stdin.close()
    watcher.wait(10)


def kernels():
    import torch
    run = steps(torch)
    for step in run.values():
        if step is not None:
            step()
    torch.cuda.synchronize()
    torch.cuda.cudart().cudaProfilerStart()
    for step in run.values():
        if step is not None:
            step()
    torch.cuda.synchronize()
    torch.cuda.cudart().cudaProfilerStop()


if __name__ == "__main__":
    if sys.argv[1] == "observer":
        observer()
    elif sys.argv[1] == "gpm":
        print(json.dumps(Nvml().gpm(0.5)))
    elif sys.argv[1] == "kernels":
        kernels()
    else:
        record(sys.argv[1])
