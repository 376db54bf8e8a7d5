"""Runs every recorded launch on the timing model and writes what is published of the comparison.

    publish.py [VALIDATE] [WARPWALK]             the H200's, the picture of the lab, and the table of docs/timing.md
    publish.py --device ID FOLDER [VALIDATE]     another GPU's, which scripts/describe-gpu has measured: the files
                                                 reference.csv, classes.csv and validate.csv in FOLDER
    publish.py --board                           only the tables of docs/timing.md, from what is published

VALIDATE and WARPWALK are the programs of build/release by default. Launches of at most 60 million warp instructions are
simulated, as many at the same time as there are cores. Writes assets/devices/ID_validation.csv, which the window
(lab/validation) and `warpwalk simulate --accuracy launches` show.
"""
import collections
import concurrent.futures
import csv
import datetime
import os
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
DEVICES = ROOT / "assets/devices"
LIMIT = 6e7    # warp instructions
SPREAD = 6     # percent; launches that vary more between five measurements do not count
COLUMNS = ["set", "case", "spread_pct", "cycles_measured", "cycles_simulated", "cycles_error_pct", "l1_hit_measured",
           "l1_hit_simulated", "l2_hit_measured", "l2_hit_simulated", "dram_read_mb_measured", "dram_read_mb_simulated",
           "occupancy_measured", "occupancy_simulated", "active_measured", "active_simulated", "stall_measured",
           "stall_simulated", "stall_share_measured", "stall_share_simulated", "gpu", "measured_by", "simulated_on"]
# The table of hit rates, traffic and stalls: what counts as right, and how many of the worst rows it names.
POINTS, PERCENT, WORST = 3, 5, 5
LARGE = 1      # megabytes: launches that read less from memory do not count for the traffic
FOLDERS = {"reference": HERE / "reference", "classes": HERE / "classes", "validate": HERE}
MEASURED_BY = {"reference": "2026-11-21", "validate": "2026-11-22", "classes": "2026-11-27"}  # the H200's
# What limits a launch, by the beginning of its name.
CLASSES = {
    "memory": "vecadd relu strided transpose saxpy embedding gather scatter layer_norm softmax matrix_vector mv_f32 "
              "gelu stencil reduce_ scan_block compact chase walk",
    "arithmetic": "matmul16 matmul_ matrix_double polynomial special exp_f64 chain mandelbrot n_body monte_carlo philox "
                  "sha256 fourier convolution edit_distance",
    "integer dot products": "dot_ quantised_dot",
    "tensor cores": "mma_ attention",
    "asynchronous copies": "async_ tensor_pipeline",
    "atomics": "global_histogram histogram tickets",
    "divergence": "divergent nested_divergence",
    "sorting and exchange": "bitonic radix exchanges",
    "recursion": "recursive_",
    "hand-over in shared memory": "mbarrier_ barrier_steps syncthreads_steps polled_ wide_tiles",
}


def class_of(case):
    return next(name for name, starts in CLASSES.items() if any(case.startswith(start) for start in starts.split()))


def simulated(validate, device, name, header, row):
    """The published row of a launch, or nothing if it cannot be simulated."""
    with tempfile.TemporaryDirectory() as work:
        measured, out = Path(work) / "measured.csv", Path(work) / "rows.csv"
        measured.write_text(header + row)
        done = subprocess.run([str(validate), "--device", str(device), "--folder", str(FOLDERS[name]), "--measured",
                               str(measured), "--limit", str(LIMIT), "--csv", str(out)], capture_output=True, text=True,
                              check=False)
        rows = list(csv.DictReader(out.read_text().splitlines())) if out.exists() else []
        if not rows or rows[0]["stopped"] != "0":
            print(f"{row.split(',')[0]}: not simulated: {(done.stdout + done.stderr).strip().splitlines()[-1:]}")
            return None
        return dict(rows[0], set=name)


def launches(folder_of):
    """Header and row of each launch, the longest first."""
    for name in FOLDERS:
        if not folder_of(name).exists():
            continue
        header, *rows = folder_of(name).read_text().splitlines(keepends=True)
        column = header.strip().split(",").index("warp_inst")
        for row in rows:
            if float(row.split(",")[column]) <= LIMIT:
                yield float(row.split(",")[column]), name, header, row


def published(row, gpu, measured_by):
    """Percentages with one decimal, megabytes with three. The shares are those of the reason that Nsight Compute finds
    largest."""
    row = dict(row, gpu=gpu, measured_by=measured_by, simulated_on=datetime.date.today())
    for kind in ["measured", "simulated"]:
        row[f"dram_read_mb_{kind}"] = f"{float(row[f'dram_read_{kind}']) / 1e6:.3f}"
        row[f"stall_{kind}"] = row[f"largest_stall_{kind}"]
        row[f"stall_share_{kind}"] = row[f"{row['largest_stall_measured']}_{kind}"]
    for name in COLUMNS[5:10] + COLUMNS[12:14] + COLUMNS[18:20]:
        row[name] = f"{float(row[name]):.1f}"
    return row


def publish(validate, identity, gpu, folder_of, day_of):
    device = DEVICES / f"{identity}.json"
    work = sorted(launches(folder_of), reverse=True)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        rows = list(pool.map(lambda task: simulated(validate, device, *task[1:]), work))
    order = list(FOLDERS)
    rows = sorted((row for row in rows if row), key=lambda row: (order.index(row["set"]), row["case"]))
    with open(DEVICES / f"{identity}_validation.csv", "w", newline="") as file:
        out = csv.DictWriter(file, COLUMNS, extrasaction="ignore", lineterminator="\n")
        out.writeheader()
        out.writerows(published(row, gpu, day_of(row["set"])) for row in rows)
    print("\n".join(board(identity)))


def summary(errors):
    """Mean, 90th percentile (nearest rank) and worst of the sizes of errors."""
    sizes = sorted(map(abs, errors))
    ninetieth = sizes[max(0, -(-9 * len(sizes) // 10) - 1)]
    return f"{len(sizes)} | {statistics.mean(sizes):.1f} % | {ninetieth:.1f} % | {max(errors, key=abs):+.1f} %"


def rows_that_count(identity):
    return [row for row in csv.DictReader((DEVICES / f"{identity}_validation.csv").read_text().splitlines())
            if float(row["spread_pct"]) <= SPREAD]


def board(identity):
    """The table of a GPU: errors of the cycles by class."""
    rows = rows_that_count(identity)
    by_class = collections.defaultdict(list)
    for row in rows:
        by_class[class_of(row["case"])].append(float(row["cycles_error_pct"]))
    yield f"| {rows[0]['gpu']}: launches | number | mean | 90th percentile | worst |"
    yield "|---|---|---|---|---|"
    for name in CLASSES:
        if by_class[name]:
            yield f"| {name} | {summary(by_class[name])} |"
    for title, chosen in (("reference, which was looked at", rows_in(rows, "reference")),
                          ("all others", [row for row in rows if row["set"] != "reference"]), ("all", rows)):
        if chosen:
            yield f"| **{title}** | {summary([float(row['cycles_error_pct']) for row in chosen])} |"


def rows_in(rows, name):
    return [row for row in rows if row["set"] == name]


def counted(differences, limit, unit):
    """How many differences are within the limit, and the launches with the largest ones."""
    within = sum(abs(difference) <= limit for difference, _ in differences)
    worst = sorted(differences, key=lambda pair: -abs(pair[0]))[:WORST]
    named = ", ".join(f"`{case}` {difference:+.0f}{unit}" for difference, case in worst if abs(difference) > limit)
    return f"{within} of {len(differences)} | {named or 'none'}"


def details(identities):
    """The table of hit rates, traffic and stalls of all GPUs."""
    yield "| GPU | figure | launches | largest differences |"
    yield "|---|---|---|---|"
    for identity in identities:
        rows = rows_that_count(identity)
        gpu = rows[0]["gpu"]
        for name, level in (("l1_hit", "L1"), ("l2_hit", "L2")):
            points = [(float(row[f"{name}_simulated"]) - float(row[f"{name}_measured"]), row["case"]) for row in rows]
            yield f"| {gpu} | hit rate of {level} within {POINTS} points | {counted(points, POINTS, '')} |"
        read = [(100 * (float(row["dram_read_mb_simulated"]) / float(row["dram_read_mb_measured"]) - 1), row["case"])
                for row in rows if float(row["dram_read_mb_measured"]) > LARGE]
        yield f"| {gpu} | bytes read from memory within {PERCENT} %, of launches that read more than " \
              f"{LARGE},000,000 bytes | {counted(read, PERCENT, ' %')} |"
        if all(row.get("stall_measured") for row in rows):
            yield f"| {gpu} | largest stall reason | {stalls(rows)} |"
        else:
            yield f"| {gpu} | largest stall reason | not published | its recordings were not kept |"


def stalls(rows):
    """How many launches have the largest reason of Nsight Compute, and where the share of that reason differs most."""
    same = sum(row["stall_measured"] == row["stall_simulated"] for row in rows)
    wrong = [row for row in rows if row["stall_measured"] != row["stall_simulated"]]
    wrong.sort(key=lambda row: -abs(float(row["stall_share_simulated"]) - float(row["stall_share_measured"])))
    named = ", ".join(f"`{row['case']}` ({row['stall_measured']} {float(row['stall_share_measured']):.0f} %, simulated "
                      f"{float(row['stall_share_simulated']):.0f} %)" for row in wrong[:WORST])
    return f"{same} of {len(rows)} | {named or 'none'}"


def write_between(text, mark, table):
    """The text with a table between the mark and the next end."""
    text, found = re.subn(rf"(<!-- {mark} -->\n).*?(<!-- end -->)",
                          lambda match: f"{match[1]}\n{table}\n\n{match[2]}", text, flags=re.DOTALL)
    if not found:
        print(f"publish.py: docs/timing.md has no place for {mark}: <!-- {mark} --> and <!-- end -->")
    return text


def write_boards():
    """The tables in docs/timing.md, between its marks."""
    page = ROOT / "docs/timing.md"
    text = page.read_text()
    identities = sorted((file.name.removesuffix("_validation.csv") for file in DEVICES.glob("*_validation.csv")),
                        key=lambda identity: (identity != "h200", identity))
    for identity in identities:
        text = write_between(text, f"board {identity}", "\n".join(board(identity)))
    page.write_text(write_between(text, "details", "\n".join(details(identities))))


def main():
    arguments = sys.argv[1:]
    if arguments == ["--board"]:
        write_boards()
        return
    if arguments[:1] == ["--device"]:
        identity, folder = arguments[1], Path(arguments[2])
        validate = Path(arguments[3] if len(arguments) > 3 else ROOT / "build/release/tests/validate/validate")
        gpu = next(row["parameters"] for row in csv.DictReader((folder / "device.csv").read_text().splitlines())
                   if row["name"] == "name")
        day = datetime.date.fromtimestamp((folder / "device.csv").stat().st_mtime)
        if any((folder / f"{name}.csv").exists() for name in FOLDERS):
            publish(validate.resolve(), identity, gpu, lambda name: folder / f"{name}.csv", lambda _: day)
        else:
            print("no measured launches to compare with")
        return
    validate = arguments[0] if arguments else ROOT / "build/release/tests/validate/validate"
    warpwalk = arguments[1] if len(arguments) > 1 else ROOT / "build/release/warpwalk"
    publish(validate, "h200", "NVIDIA H200", lambda name: FOLDERS[name] / "h200_measured.csv", MEASURED_BY.get)
    write_boards()
    subprocess.run([str(warpwalk), "render", str(ROOT / "assets/walks/relu_matmul.json.gz"), "--scene", "lab/validation",
                    "--at", "b1", "--size", "1600x1000", "-o", str(ROOT / "docs/scenes/validation.png")], check=True)


if __name__ == "__main__":
    main()
