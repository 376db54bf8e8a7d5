"""Records h200_measured.csv with Nsight Compute. Needs ncu, a GPU of compute capability 9.0 and its driver.

    record.py FOLDER OUT.csv [NAME...]    measures the launch files of FOLDER (all, or the given names)
    record.py --table RAW OUT.csv         writes the table again from the raw output in the folder RAW
    record.py --run REPEATS FILE...       runs launch files for Nsight Compute, which profiles only their kernels
    record.py --events FILE...            times launch files with CUDA events, caches warm

The raw output goes to the folder OUT.csv.raw. The caches are flushed before each pass and the clocks are not locked.
"""
import csv
import ctypes
import gzip
import io
import json
import statistics
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "cases"))

from definitions.case import BYTES  # noqa: E402
from driver import MAX_DYNAMIC_SHARED, Gpu, initial, launch_config, pack  # noqa: E402

RANDOM_KIND = {"f32": 1, "f64": 2, "f16": 3, "bf16": 4, "i32": 5, "u32": 5, "i64": 6, "u64": 6, "i8": 7, "u8": 7,
               "i16": 8, "u16": 8}
STALLS = ["barrier", "branch_resolving", "dispatch_stall", "drain", "imc_miss", "lg_throttle", "long_scoreboard",
          "math_pipe_throttle", "mio_throttle", "no_instruction", "not_selected", "selected", "short_scoreboard",
          "wait"]
TIMES = {"duration_ns": "gpu__time_duration.sum", "cycles_elapsed": "smsp__cycles_elapsed.max",
         "sm_cycles_active_avg": "sm__cycles_active.avg"}
COUNTERS = {
    "warp_inst": "smsp__inst_executed.sum",
    "thread_inst": "smsp__thread_inst_executed.sum",
    "lanes_per_inst": "smsp__thread_inst_executed_per_inst_executed.ratio",
    "gld_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "gld_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "gst_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "gst_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "shared_ld_wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "shared_st_wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "shared_conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
    "l1_hit_pct": "l1tex__t_sector_hit_rate.pct",
    "l2_hit_pct": "lts__t_sector_hit_rate.pct",
    "dram_read_bytes": "dram__bytes_read.sum",
    "dram_write_bytes": "dram__bytes_write.sum",
    "achieved_occupancy_pct": "sm__warps_active.avg.pct_of_peak_sustained_active",
    "theoretical_occupancy_pct": "sm__maximum_warps_per_active_cycle_pct",
    "registers": "launch__registers_per_thread",
} | {f"stall_{reason}": f"smsp__average_warps_issue_stalled_{reason}_per_issue_active.ratio" for reason in STALLS}
REPEATS, EVENT_REPEATS = 5, 15


class Launch:
    """A launch file with its buffers in GPU memory."""

    def __init__(self, gpu, filler, file):
        folder = Path(file).parent
        self.gpu, self.spec, self.buffers, self.cells = gpu, json.loads(Path(file).read_text()), {}, []
        code = (folder / self.spec["cubin"]).read_bytes()
        self.module, self.kernel = ctypes.c_void_p(), ctypes.c_void_p()
        if code[:2] == b"\x1f\x8b":
            code = gzip.decompress(code)
        gpu.call("cuModuleLoadData", ctypes.byref(self.module), code)
        gpu.call("cuModuleGetFunction", ctypes.byref(self.kernel), self.module, self.spec["kernel"].encode())
        self.shared = self.spec.get("dynamic_shared_bytes", 0)
        if self.shared > 48 * 1024:
            gpu.call("cuFuncSetAttribute", self.kernel, MAX_DYNAMIC_SHARED, self.shared)
        for arg in self.spec["args"]:
            if "scalar" in arg:
                self.cells.append(ctypes.create_string_buffer(pack(arg["dtype"], [arg["scalar"]])))
                continue
            size, address = arg["count"] * BYTES[arg["dtype"]], ctypes.c_uint64()
            gpu.call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(size + 16))
            self.buffers[arg["buffer"]] = address
            self.cells.append(address)
            filler.fill(arg, folder, address, size)
        self.pointers = (ctypes.c_void_p * len(self.cells))(*[ctypes.addressof(cell) for cell in self.cells])
        self.config = launch_config(self.spec, self.shared)
        gpu.call("cuCtxSynchronize")

    def start(self):
        self.gpu.call("cuLaunchKernelEx", ctypes.byref(self.config), self.kernel, self.pointers, None)

    def free(self):
        for address in self.buffers.values():
            self.gpu.call("cuMemFree_v2", address)
        self.gpu.call("cuModuleUnload", self.module)


class Filler:
    """Fills buffers as core/run/launch/generate.h defines, on the GPU."""

    def __init__(self, gpu):
        self.gpu, self.kernel = gpu, ctypes.c_void_p()
        module = gpu.load((HERE / "fill.ptx").read_bytes() + b"\0")
        gpu.call("cuModuleGetFunction", ctypes.byref(self.kernel), module, b"fill")

    def fill(self, arg, folder, address, size):
        fill = arg.get("fill")
        if isinstance(fill, dict):
            self.launch(address, arg["count"], RANDOM_KIND[arg["dtype"]], fill["random"])
            return
        if "file" not in arg and fill is not None and fill != "iota":
            element = pack(arg["dtype"], [fill])
            self.launch(address, (size + 7) // 8, 0, int.from_bytes(element * (8 // len(element)), "little"))
            return
        start = initial(arg, folder)
        if start is not None:
            self.gpu.call("cuMemcpyHtoD_v2", address, start, ctypes.c_size_t(size))

    def launch(self, address, count, kind, value):
        cells = [address, ctypes.c_uint64(count), ctypes.c_int(kind), ctypes.c_uint64(value)]
        pointers = (ctypes.c_void_p * 4)(*[ctypes.addressof(cell) for cell in cells])
        config = launch_config({"grid": [528, 1, 1], "block": [256, 1, 1]}, 0)
        self.gpu.call("cuLaunchKernelEx", ctypes.byref(config), self.kernel, pointers, None)


def each_launch(files):
    gpu = Gpu()
    filler = Filler(gpu)
    for file in files:
        launch = Launch(gpu, filler, file)
        yield gpu, Path(file).stem, launch
        launch.free()


def run(repeats, files):
    for gpu, _, launch in each_launch(files):
        gpu.call("cuProfilerStart")
        for _ in range(repeats):
            launch.start()
            gpu.call("cuCtxSynchronize")
        gpu.call("cuProfilerStop")


def time_with_events(files):
    """Prints the median time of each launch in microseconds."""
    for gpu, name, launch in each_launch(files):
        before, after, ms = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_float()
        gpu.call("cuEventCreate", ctypes.byref(before), 0)
        gpu.call("cuEventCreate", ctypes.byref(after), 0)
        times = []
        for _ in range(EVENT_REPEATS + 2):
            gpu.call("cuEventRecord", before, None)
            launch.start()
            gpu.call("cuEventRecord", after, None)
            gpu.call("cuEventSynchronize", after)
            gpu.call("cuEventElapsedTime", ctypes.byref(ms), before, after)
            times.append(ms.value * 1000)
        print(f"{name},{statistics.median(times[2:]):.3f}", flush=True)


def profile(repeats, metrics, files, to):
    """Nsight Compute's table of the launches, one row per launch and repeat, in base units."""
    command = ["ncu", "--csv", "--page", "raw", "--print-units", "base", "--cache-control", "all", "--clock-control",
               "none", "--profile-from-start", "off", "--target-processes", "all", "--metrics", ",".join(metrics),
               sys.executable, __file__, "--run", str(repeats), *map(str, files)]
    with open(to, "w") as out:
        subprocess.run(command, stdout=out, stderr=subprocess.STDOUT, check=False)


def raw_rows(text):
    """Rows of the raw page as dictionaries; the second line of the table is the units."""
    lines = [line for line in text.splitlines() if line.startswith('"')]
    rows = list(csv.reader(io.StringIO("\n".join(lines))))
    return [dict(zip(rows[0], row)) for row in rows[2:]] if rows else []


def plain(value):
    """A number as Nsight Compute prints it, without thousands separators and trailing zeros."""
    number = float(value.replace(",", ""))
    return str(int(number)) if number == int(number) else f"{number:.6g}"


def table(raw, out):
    names = (raw / "names.txt").read_text().split()
    events = dict(line.split(",") for line in (raw / "events.csv").read_text().split())
    times = raw_rows((raw / "times.csv").read_text())
    counters = raw_rows((raw / "counters.csv").read_text())
    if len(times) != REPEATS * len(names) or len(counters) != len(names):
        sys.exit(f"record.py: {len(times)} timed and {len(counters)} counted launches of {len(names)} launch files")
    columns = ["case", "kernel", "grid", "block", "median_event_us"]
    for name in TIMES:
        columns += [name, name + "_spread_pct"]
    columns += COUNTERS
    with open(out, "w") as file:
        file.write(",".join(columns) + "\n")
        for i, name in enumerate(names):
            counted = counters[i]
            row = [name, counted["Kernel Name"], counted["Grid Size"].replace(",", " "),
                   counted["Block Size"].replace(",", " "), events.get(name, "")]
            for metric in TIMES.values():
                values = [float(r[metric].replace(",", "")) for r in times[i * REPEATS:(i + 1) * REPEATS]]
                middle = statistics.median(values)
                row += [plain(str(middle)), f"{100 * (max(values) - min(values)) / middle:.1f}"]
            row += [plain(counted[metric]) for metric in COUNTERS.values()]
            file.write(",".join(row) + "\n")


def record(folder, out, names):
    files = [folder / f"{name}.json" for name in names] if names else sorted(folder.glob("*.json"))
    raw = Path(f"{out}.raw")
    raw.mkdir(parents=True, exist_ok=True)
    (raw / "names.txt").write_text("\n".join(file.stem for file in files) + "\n")
    with open(raw / "events.csv", "w") as to:
        subprocess.run([sys.executable, __file__, "--events", *map(str, files)], stdout=to, check=False)
    profile(REPEATS, TIMES.values(), files, raw / "times.csv")
    profile(1, COUNTERS.values(), files, raw / "counters.csv")
    table(raw, out)


if __name__ == "__main__":
    arguments = sys.argv[1:]
    if arguments[:1] == ["--run"]:
        run(int(arguments[1]), arguments[2:])
    elif arguments[:1] == ["--events"]:
        time_with_events(arguments[1:])
    elif arguments[:1] == ["--table"] and len(arguments) == 3:
        table(Path(arguments[1]), arguments[2])
    elif len(arguments) >= 2:
        record(Path(arguments[0]), arguments[1], arguments[2:])
    else:
        sys.exit(__doc__)
