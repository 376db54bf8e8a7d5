#!/usr/bin/env python3
"""Makes the record of the lab "observe" from what record.py and Nsight Compute wrote.

    python3 compact.py OBSERVE.json COUNTERS.csv > assets/devices/h200_observed.csv

One row per figure: moment,instrument,figure,value. Readings of NVML are means of eight, 0.1 s apart.
"""
import csv
import json
import re
import sys

NCU = {"gpu__time_duration.sum": "duration_ns", "sm__throughput.avg.pct_of_peak_sustained_elapsed": "sm_throughput",
       "sm__warps_active.avg.pct_of_peak_sustained_active": "achieved_occupancy",
       "dram__throughput.avg.pct_of_peak_sustained_elapsed": "dram_throughput",
       "sm__issue_active.avg.pct_of_peak_sustained_elapsed": "issue_active",
       "sm__maximum_warps_per_active_cycle_pct": "theoretical_occupancy", "sm__cycles_active.avg": "cycles_active",
       "sm__cycles_elapsed.max": "cycles_elapsed", "launch__grid_size": "blocks", "launch__block_size": "threads"}


def short(name):
    """The name of a function without its parameters, return type and namespaces, and without commas."""
    name = re.sub(r"\(anonymous namespace\)::|<unnamed>::", "", name)
    return re.sub(r"[<(].*", "", name.replace("void ", "")).split("::")[-1].replace(",", ";")


def main():
    observed = json.load(open(sys.argv[1]))
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["moment", "instrument", "figure", "value"])
    for figure in ("gpu", "driver", "torch", "sms"):
        out.writerow(["", "recording", figure, observed[figure]])
    running = []
    for name, moment in observed["moments"].items():
        def row(instrument, figure, value):
            out.writerow([name, instrument, figure, f"{value:.6g}" if isinstance(value, float) else value])

        seen = moment["observed"]
        for figure in ("memory_allocated", "memory_reserved", "mem_get_info_free", "mem_get_info_total"):
            row("torch", figure, moment[figure])
        for figure, value in seen["smi"].items():
            row("smi", figure, value)
        row("smi", "process_memory", seen["smi_processes"][0][1])
        row("smi", "seconds", seen["smi_seconds"])
        for figure in ("utilization", "memory_utilization", "power_w", "used", "free", "total"):
            values = [reading[figure] for reading in seen["nvml"]]
            row("nvml", figure, values[-1] if figure in ("used", "free", "total") else sum(values) / len(values))
        for figure, value in seen["gpm"].items():
            row("gpm", figure, value)
        if "profiler" not in moment:
            continue
        running.append(name)
        profiler = moment["profiler"]
        for figure in ("kernels", "span_us", "busy_us", "mean_us", "estimated_occupancy_pct", "per_second"):
            row("profiler", figure, profiler[figure])
        row("profiler", "kernel", short(profiler["kernel"]))
        for figure in ("grid", "block"):
            x, y, z = profiler[figure]
            row("profiler", figure, x * y * z)
        row("program", "per_second", moment["per_second_without_profiler"])
        row("program", "per_second_observed", moment["steps_per_second"])
    for line in csv.DictReader(line for line in open(sys.argv[2]) if not line.startswith("==")):
        if line["Metric Name"] in NCU:
            out.writerow([running[int(line["ID"])], "ncu", NCU[line["Metric Name"]],
                          line["Metric Value"].replace(",", "")])


if __name__ == "__main__":
    main()
