#!/usr/bin/env python3
"""The launches of the labs, measured on an H200 and simulated.

usage: python3 tests/validate/labs.py define       writes tests/validate/labs/timed
       python3 tests/validate/labs.py [NAME...]    writes assets/devices/h200_labs.csv; with names, those rows anew
       python3 tests/validate/labs.py host-device  writes assets/devices/h200_host_device.csv from
                                                   tests/cuda/microbench/recordings/host_device.csv
       python3 tests/validate/labs.py cores        writes assets/devices/h200_cores.csv from
                                                   tests/cuda/microbench/recordings/cores.csv

Between the two, tests/validate/record.py measures them (tests/validate/README.md). The kernels are in labs/labs.cu.
"""
import csv
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
LABS = ROOT / "tests/validate/labs"
TABLE = ROOT / "assets/devices/h200_labs.csv"
SMS, SCHEDULERS, LANES = 132, 4, 32
COLUMNS = ["launch", "gpu", "cycles_measured", "cycles_simulated", "active_measured", "active_simulated",
           "issue_measured_pct", "issue_simulated_pct", "dram_measured_bytes", "dram_simulated_bytes",
           "l1_measured_pct", "l1_simulated_pct", "global_sectors", "shared_wavefronts", "warp_instructions", "occupancy_pct"]
MATMUL = 1024             # elements per side
READ = SMS * LANES * SCHEDULERS * 16 * 4 * 16  # elements: 69 MB, a multiple of every number of threads
STEPS = 4096              # of the chains
WINDOW = 12288            # words: 48 KB per block
PASSES = 96               # over the windows of one SM together


def launches():
    """Yields name, kernel, grid, block, arguments and whether it is measured."""
    def matrix(name, seed=None):
        buffer = {"buffer": name, "dtype": "f32", "count": MATMUL * MATMUL}
        return buffer | ({"fill": {"random": seed}} if seed else {"fill": 0})

    def floats(name, count, seed=None):
        return {"buffer": name, "dtype": "f32", "count": count, "fill": {"random": seed} if seed else 0}

    def number(value, dtype="i32"):
        return {"scalar": value, "dtype": dtype}

    matrices = [matrix("a", 1), matrix("b", 2), matrix("c"), number(MATMUL)]
    for kernel in ["naive", "tiled", "registers", "pipeline", "barrier"]:
        edge, block = (32, [32, 32, 1]) if kernel in ("naive", "tiled") else (64, [256, 1, 1])
        yield f"tiling_{kernel}", f"matmul_{kernel}", [MATMUL // edge, MATMUL // edge, 1], block, matrices, True
    for warps in [1, 2, 4, 8, 16]:  # per scheduler
        threads = warps * SCHEDULERS * LANES
        grid, block = (SMS * threads // 1024, 1024) if threads > 1024 else (SMS, threads)
        out = floats("y", grid * block)
        for kernel in ["fma_chain", "fma_four_chains"]:
            yield (f"{kernel}_{warps}", kernel, [grid, 1, 1], [block, 1, 1],
                   [floats("x", 1024, 1), out, number(STEPS)], True)
        for kernel in ["read_one", "read_four"]:
            yield (f"{kernel}_{warps}", kernel, [grid, 1, 1], [block, 1, 1],
                   [floats("x", READ, 1), out, number(READ)], True)
    for blocks in [1, 2, 3, 4, 6, 8]:  # per SM
        grid = SMS * blocks
        yield (f"windows_{blocks}", "windows", [grid, 1, 1], [256, 1, 1],
               [floats("x", grid * WINDOW, 1), floats("y", grid * 256), number(WINDOW), number(PASSES // blocks)], True)
    for blocks in [8, 64, 1024]:
        yield (f"busy_{blocks}", "busy", [blocks, 1, 1], [256, 1, 1],
               [floats("x", blocks * 256, 1), floats("y", blocks * 256), number(512)], False)
        yield (f"saxpy_{blocks}", "saxpy", [blocks, 1, 1], [256, 1, 1],
               [floats("x", blocks * 256, 1), floats("y", blocks * 256, 2), number(2.0, "f32")], False)


def define():
    folder = LABS / "timed"
    folder.mkdir(parents=True, exist_ok=True)
    for name, kernel, grid, block, args, _ in launches():
        lines = [f'{{"kernel": "{kernel}", "ptx": "../labs.ptx", "cubin": "../labs.cubin.gz",',
                 f' "grid": {json.dumps(grid)}, "block": {json.dumps(block)},',
                 ' "args": [' + ",\n          ".join(json.dumps(arg) for arg in args) + "]}"]
        (folder / f"{name}.json").write_text("\n".join(lines) + "\n")


def simulated(name, gpu):
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        subprocess.run([ROOT / "build/release/warpwalk", "simulate", LABS / f"timed/{name}.json", "--gpu", gpu,
                        "--cycles", "on", "--limit", "4000000000", "--json", report],
                       check=True, stdout=subprocess.DEVNULL)
        return json.loads(report.read_text())


def issue_pct(instructions, active_cycles, sms):
    return f"{100 * instructions / (float(active_cycles) * sms * SCHEDULERS):.2f}"


def row_of(name, gpu, sms, measured):
    got = simulated(name, gpu)
    row = {"launch": name, "gpu": gpu, "cycles_simulated": round(got["cycles"]),
           "active_simulated": round(got["cycles_active"]),
           "issue_simulated_pct": issue_pct(got["warp_instructions"], got["cycles_active"], sms),
           "dram_simulated_bytes": got["dram_read_bytes"] + got["dram_write_bytes"],
           "l1_simulated_pct": f"{got['l1_hit_pct']:.1f}",
           "global_sectors": got["global_load_sectors"] + got["global_store_sectors"],
           "shared_wavefronts": got["shared_load_wavefronts"] + got["shared_store_wavefronts"],
           "warp_instructions": got["warp_instructions"], "occupancy_pct": f"{got['occupancy_pct']:.1f}"}
    if measured:
        row |= {"cycles_measured": round(float(measured["cycles_elapsed"])),
                "active_measured": round(float(measured["sm_cycles_active_avg"])),
                "issue_measured_pct": issue_pct(float(measured["warp_inst"]), measured["sm_cycles_active_avg"], sms),
                "dram_measured_bytes": round(float(measured["dram_read_bytes"]) + float(measured["dram_write_bytes"])),
                "l1_measured_pct": f"{float(measured['l1_hit_pct']):.1f}"}
    return row


def cores():
    """One row per work and size: ns on one core, on all cores and on the GPU."""
    rows = {}
    with open(ROOT / "tests/cuda/microbench/recordings/cores.csv", newline="") as file:
        for row in csv.DictReader(file):
            work, _, on = row["name"].partition("_")
            if work != "host":
                sizes = dict(part.split("=") for part in row["parameters"].split())
                size = sizes.get("elements") or sizes.get("bytes") or "1"
                entry = rows.setdefault((work, size), {})
                entry[on.removesuffix("_thread")] = f"{float(row['value']):.6g}"
                entry["cores"] = sizes.get("threads", entry.get("cores", ""))
    with open(ROOT / "assets/devices/h200_cores.csv", "w", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["work", "size", "cores", "one_core_ns", "all_cores_ns", "gpu_ns"])
        for (work, size), times in rows.items():
            writer.writerow([work, size, times["cores"], times["one_core"], times.get("all_cores", ""), times["gpu"]])


def host_device():
    """One row per operation and size: ns until the call returned, until the work was done, and on the GPU."""
    times, notes = {}, []
    columns = [f"{until}{take}_ns" for until in ("returned", "done", "gpu") for take in ("", "_min")]
    with open(ROOT / "tests/cuda/microbench/recordings/host_device.csv", newline="") as file:
        for row in csv.DictReader(file):
            if row["unit"] != "ns":
                # A name or a shape of the machine, an attribute's value, or what a mistake gave.
                notes.append((row["name"], row["parameters"] or f"{float(row['value']):g}"))
                if row["unit"] in ("SMs", "cores"):
                    notes.append((f"{row['name']}_{row['unit']}", f"{float(row['value']):g}"))
                continue
            said = dict(part.split("=") for part in row["parameters"].split())
            entry = times.setdefault((row["name"], said["bytes"]), {})
            entry[f"{said['until']}{'_min' if said['take'] == 'min' else ''}_ns"] = f"{float(row['value']):.6g}"
    with open(ROOT / "assets/devices/h200_host_device.csv", "w", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["name", "text", "bytes"] + columns)
        for name, text in notes:
            writer.writerow([name, text] + [""] * (1 + len(columns)))
        for (name, size), entry in times.items():
            writer.writerow([name, "", size] + [entry.get(column, "") for column in columns])


def main():
    if sys.argv[1:] == ["cores"]:
        return cores()
    if sys.argv[1:] == ["host-device"]:
        return host_device()
    if sys.argv[1:] == ["define"]:
        return define()
    with open(LABS / "h200_measured.csv", newline="") as file:
        recorded = {row["case"]: row for row in csv.DictReader(file)}
    rows = {}
    if sys.argv[1:]:
        with open(TABLE, newline="") as file:
            rows = {(row["launch"], row["gpu"]): row for row in csv.DictReader(file)}
    for name, *_, measured in launches():
        if sys.argv[1:] and name not in sys.argv[1:]:
            continue
        for gpu, sms in [("h200", SMS)] if measured else [("h200_2sm", 2), ("h200_8sm", 8), ("h200", SMS)]:
            rows[name, gpu] = row_of(name, gpu, sms, recorded.get(name) if measured else None)
            print(rows[name, gpu], flush=True)
    with open(TABLE, "w", newline="") as out:
        writer = csv.DictWriter(out, COLUMNS, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows.values())


if __name__ == "__main__":
    main()
