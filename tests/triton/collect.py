#!/usr/bin/env python3
"""Makes assets/triton/h200_* of what record.py wrote, and adds the counters of the simulated GPU.

    python3 tests/triton/collect.py FOLDER [PROGRAM]      default: build/release/warpwalk
"""
import csv
import gzip
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TO = ROOT / "assets/triton"
LONGEST = 20000      # bytes of PTX that are kept: longer ones only repeat the same lines
SIMULATED = 1 << 16  # elements of the simulated launches; 3 fewer where the number is not divisible by 16

folder = pathlib.Path(sys.argv[1])
program = sys.argv[2] if len(sys.argv) > 2 else "build/release/warpwalk"


def read(name):
    return json.loads((folder / f"{name}.json").read_text())


def plain(ptx):
    """PTX without debug sections, comments and folders."""
    ptx = re.sub(r"\t\.section\t\.debug_.*", "", ptx, flags=re.S)
    ptx = re.sub(r'(\.file\s+\d+ ")[^"]*/', r"\1", ptx)
    lines = [re.sub(r"\s*//.*", "", line).rstrip() for line in ptx.splitlines()]
    return "\n".join(line for line in lines if line) + "\n"


def plain_ir(text):
    """TTIR or TTGIR without locations."""
    lines = [re.sub(r" loc\([^()]*(\([^()]*\))?\)", "", line) for line in text.splitlines() if not line.startswith("#loc")]
    return "\n".join(line for line in lines if line.strip()) + "\n"


def counters(work, ptx, entry, arrays, n, grid, threads, scratch):
    (work / "kernel.ptx").write_text(ptx)
    buffers = [{"buffer": name, "dtype": "f32", "count": SIMULATED, "fill": {"random": i + 1}}
               for i, name in enumerate("abc"[:arrays])]
    arguments = buffers + [{"scalar": n, "dtype": "i32"}] + [{"scalar": 0, "dtype": "u64"}] * scratch
    (work / "launch.json").write_text(json.dumps({"kernel": entry, "ptx": "kernel.ptx", "grid": [grid, 1, 1],
                                                  "block": [threads, 1, 1], "args": arguments}))
    text = subprocess.run([program, "simulate", str(work / "launch.json"), "--cycles", "off", "--code", "ptx"],
                          capture_output=True, text=True, cwd=ROOT, check=True).stdout
    number = {}
    for key, pattern in (("instructions", r"as written in the PTX: ([\d,]+)"),
                         ("loads", r"global loads\s+([\d,]+) requests, ([\d,]+) sectors"),
                         ("stores", r"global stores\s+([\d,]+) requests, ([\d,]+) sectors")):
        found = re.search(pattern, text) or (key == "instructions" and re.search(r"warp instructions\s+([\d,]+)", text))
        number[key] = [int(value.replace(",", "")) for value in found.groups()]
    return number["instructions"][0], number["loads"][0] + number["stores"][0], number["loads"][1] + number["stores"][1]


def table(name, head, rows):
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    (TO / name).write_text(text.getvalue())


kernels, cuda = read("triton_kernels"), read("cuda_kernels")
texts = json.loads(gzip.open(folder / "triton_texts.json.gz").read())
kept, rows, layouts = {}, [], []
with tempfile.TemporaryDirectory() as name:
    work = pathlib.Path(name)
    for row in kernels["rows"]:
        key = f"{row['kernel']}_{row['block']}_{row['warps']}_{'even' if row['n'] % 16 == 0 else 'odd'}"
        ptx = plain(texts[key]["ptx"])
        if len(ptx) <= LONGEST:
            kept[key + ".ptx"] = ptx
        layouts.append(f"{key} {row['layouts'][0]}\n")
        per_thread = re.search(r"sizePerThread = \[(\d+)\]", row["layouts"][0]).group(1)
        arrays = 2 if row["kernel"] == "relu" else 3
        simulated = SIMULATED if row["n"] % 16 == 0 else SIMULATED - 3
        instructions, requests, sectors = counters(work, ptx, row["kernel"], arrays, simulated,
                                                   -(-simulated // row["block"]), 32 * row["warps"], 2)
        rows.append(["triton", row["kernel"], row["block"], row["warps"], row["n"], row["grid"], row["us"],
                     row["registers"], row["spills"], per_thread, row["loads"], row["vector_loads"], simulated,
                     instructions, requests, sectors])
    cuda_ptx = plain(cuda["ptx"])
    for row in cuda["rows"]:
        wide = row["kernel"].endswith("4")
        arrays = 2 if row["kernel"].startswith("relu") else 3
        instructions, requests, sectors = counters(work, cuda_ptx, row["kernel"], arrays, SIMULATED,
                                                   SIMULATED // (row["block"] * (4 if wide else 1)), row["block"], 0)
        rows.append(["cuda", row["kernel"], row["block"], row["block"] // 32, row["n"], row["grid"], row["us"],
                     row["registers"], 0, 4 if wide else 1, arrays - 1, arrays - 1 if wide else 0, SIMULATED,
                     instructions, requests, sectors])
table("h200_kernels.csv",
      ["language", "kernel", "block", "warps", "elements", "grid", "time_us", "registers", "spills", "per_thread",
       "loads", "vector_loads", "simulated_elements", "instructions", "requests", "sectors"], rows)

tuned = []
for size in read("autotune")["sizes"]:
    chosen = {json.dumps({key: value for key, value in row.items() if key != "ms"}): row["ms"][0] for row in size["timings"]}
    for row in size["rows"]:
        config = {key: row[key] for key in ("BLOCK_M", "BLOCK_N", "BLOCK_K", "warps", "stages")}
        tuned.append([size["size"], *config.values(), row["registers"], row["spills"], row["shared"], row["us"],
                      round(1000 * chosen[json.dumps(config)], 3), size["cublas_us"],
                      1 if size["winner"] == config else 0])
table("h200_autotune.csv",
      ["size", "block_m", "block_n", "block_k", "warps", "stages", "registers", "spills", "shared_bytes", "time_us",
       "autotuner_us", "cublas_us", "chosen"], tuned)

ops = read("registered_ops")
steps = []
for key, step in ops["steps"].items():
    op, _, what = key.partition(" ")
    if what == "code":
        code = step["result"][0]
        call = code[code.index("def call(self, args):"):]
        call = call[:call.index("return (")]
        steps.append([op, "compiled_kernels", 1, call.count(".run("), call.count("= torch.ops.lab.")])
        continue
    result = step["result"] if step["ok"] and isinstance(step["result"], str) else ""
    steps.append([op, what.replace(" ", "_"), int(step["ok"]), result[:16], "" if step["ok"] else step["type"]])
for op, name in (("triton_op", "lab::relu"), ("custom_op", "lab::opaque_relu")):
    profile = ops[f"profile {op}"]
    start = next(i for i, event in enumerate(profile) if event["name"] == name)
    origin = profile[start]["start"]
    for event in profile[start:]:
        if event["start"] > origin + profile[start]["us"] + 5:
            break
        kind = "gpu" if event["device"].endswith("CUDA") else "cpu"
        steps.append([op, f"call {kind} {event['name']}", 1, round(event["start"] - origin, 2), event["us"]])
steps.append(["expected", "eager", 1, read("triton_kernels")["digests"]["relu_4096_torch"][:16], ""])
steps.append(["expected", "compiled", 1, ops["eager_expected"][:16], ""])
steps.append(["expected", "gradient", 1, ops["gradient_expected"][:16], ""])
compiled = read("compile")
for key in ("us_compiled", "us_eager", "us_compiled_large", "us_eager_large"):
    steps.append(["compile", key, 1, compiled[key], ""])
steps.append(["compile", "same_digest", int(compiled["digest"] == compiled["digest_eager"]), compiled["digest"][:16], ""])
table("h200_ops.csv", ["op", "step", "ok", "result", "more"], steps)

kept["cuda.ptx"] = cuda_ptx
kept["layouts"] = "".join(layouts)  # of the TTGIR of each launch
for name in ("relu", "vecadd"):
    for stage in ("ttir", "ttgir"):
        kept[f"{name}.{stage}"] = plain_ir(texts[f"{name}_1024_4_even"][stage])
source = compiled["code"][0]
source = source[source.index("@triton.jit"):source.index("''', device_str")]
kept["fused.py"] = source
cached = compiled["cached"]
# Compiled twice: for this number of elements, without a mask, and for any number.
ptx = min((plain(one["text"]) for one in cached if one["file"].endswith(".ptx") and ".reqntid 128" in one["text"]), key=len)
first = int(re.search(r"\.loc\s+1 (\d+) 0", ptx).group(1)) - 1  # the line of @triton.jit, less one
kept["fused.ptx"] = re.sub(r"(\.loc\s+1|inlined_at 1) (\d+)",
                           lambda found: f"{found.group(1)} {int(found.group(2)) - first + 1}", ptx)
kept["fused.ptx"] = re.sub(r'(\.file\s+1 ")[^"]*', r"\1fused.py", kept["fused.ptx"])
text = "".join(f"== {name}\n{kept[name]}" for name in sorted(kept))
with open(TO / "h200_texts.txt.gz", "wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as file:
    file.write(text.encode())
machine = kernels["machine"]
print(f"{machine['gpu']}, PyTorch {machine['torch']}, Triton {machine['triton']}: {len(rows)} launches, {len(kept)} texts")
