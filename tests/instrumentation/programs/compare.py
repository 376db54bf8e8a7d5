"""Compares a walk of `warpwalk record` with a torch.profiler trace of the same program: compare.py WALK PROFILE. Compares
the number of kernels, copies and sets by name, and the median duration of each kernel. Exits with 1 if a name is
missing, a number differs, or a median differs by more than 5 %."""
import gzip
import json
import statistics
import sys


def durations(file):
    with (gzip.open if file.endswith(".gz") else open)(file, "rt") as text:
        events = json.load(text)["traceEvents"]
    found = {}
    for event in events:
        if event.get("cat") in ("kernel", "gpu_memcpy", "gpu_memset"):
            found.setdefault((event["cat"], event["name"]), []).append(event["dur"])
    return found


walk, profile = durations(sys.argv[1]), durations(sys.argv[2])
bad = 0
print(f"{'number':>13} {'median, us':>17} {'apart':>7}  name")
for key in sorted(walk.keys() | profile.keys()):
    ours, theirs = walk.get(key, []), profile.get(key, [])
    medians = [statistics.median(d) if d else 0 for d in (ours, theirs)]
    apart = abs(medians[0] - medians[1]) / medians[1] if theirs else 1
    wrong = len(ours) != len(theirs)
    if key[0] == "kernel":
        wrong = wrong or apart > 0.05
    bad += wrong
    print(
        f"{len(ours):6} {len(theirs):6} {medians[0]:8.3f} {medians[1]:8.3f} {100 * apart:6.2f}%  {key[1][:90]}"
        + ("  <--" if wrong else "")
    )
totals = [sum(len(d) for d in side.values()) for side in (walk, profile)]
print(f"{totals[0]:6} {totals[1]:6} in all, {bad} rows differ")
sys.exit(1 if bad else 0)
