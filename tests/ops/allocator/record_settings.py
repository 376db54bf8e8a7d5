"""Records what PyTorch's CUDA caching allocator does under other settings than its defaults, for
allocator_settings_test.cpp.

    python3 record_settings.py ../data/allocator_settings.json

Needs a GPU and PyTorch 2.x. The settings are read once per process, so each scenario runs in a process of its own. All
scenarios of one plan ask for the same sizes in the same order. The form is that of record_allocator.py, with
`settings` (the value of PYTORCH_CUDA_ALLOC_CONF), `inactive` (bytes of free blocks in segments that are partly in use,
after each step, in steps of 512 B), `messages` (of the first refused request), and the events "M" and "U": memory mapped
into and unmapped from an expandable segment.
"""
import json
import os
import random
import re
import subprocess
import sys

STEP = 512
MIB = 2**20
KINDS = {"alloc": "+", "free_completed": "-", "segment_alloc": "S", "segment_free": "F", "segment_map": "M",
         "segment_unmap": "U"}


def mixed(rng):
    return int(2 ** rng.uniform(9, 25.5))


def few(rng):
    return rng.choice([700, 40000, MIB, 3 * MIB, 7 * MIB, 11 * MIB, 18 * MIB, 40 * MIB, 75 * MIB])


# name, settings, seed, steps, size, hold, limit in MiB, empty the cache every so many steps
SCENARIOS = [
    ("default", "", 11, 300, mixed, 25, 0, 0),
    ("max_split", "max_split_size_mb:32", 11, 300, mixed, 25, 0, 0),
    ("round_up", "roundup_power2_divisions:4", 11, 300, mixed, 25, 0, 0),
    ("expandable", "expandable_segments:True", 11, 300, mixed, 25, 0, 0),
    ("default_limited", "", 12, 300, few, 14, 301, 0),
    ("max_split_limited", "max_split_size_mb:32", 12, 300, few, 14, 301, 0),
    ("collected", "garbage_collection_threshold:0.6", 12, 300, few, 14, 301, 0),
    ("expandable_limited", "expandable_segments:True", 12, 300, few, 14, 301, 0),
    ("expandable_emptied", "expandable_segments:True", 13, 200, mixed, 15, 0, 23),
]


def record(name, settings, seed, steps, size, hold, limit_mib, empty_every):
    import torch
    torch.cuda.init()
    total = torch.cuda.mem_get_info()[1]
    if limit_mib:
        torch.cuda.set_per_process_memory_fraction((limit_mib * MIB + 4096) / total)
    torch.cuda.memory._record_memory_history(enabled="all", context=None, stacks="python", max_entries=1000000)
    rng = random.Random(seed)
    live, made, totals, inactive, failed, states, messages = {}, [], [], [], [], {}, {}
    for i in range(steps):
        if empty_every and i % empty_every == empty_every - 1:
            torch.cuda.empty_cache()
            made.append([])
        else:
            # The plan is drawn before anything depends on what the allocator did.
            free, n, victim = rng.random(), size(rng), rng.random()
            if live and free < len(live) / (2 * hold):
                key = sorted(live)[int(victim * len(live))]
                del live[key]
                made.append([key])
            else:
                made.append([i, n])
                try:
                    live[i] = Held(torch, torch.cuda.caching_allocator_alloc(n))
                except torch.OutOfMemoryError as error:
                    failed.append(i)
                    if not messages:
                        messages[i] = re.sub(r"Process \d+", "Process 1", str(error))
        stats = torch.cuda.memory_stats()
        totals.append([stats["allocated_bytes.all.current"] // STEP, stats["reserved_bytes.all.current"] // STEP])
        inactive.append(stats["inactive_split_bytes.all.current"] // STEP)
        if i % 46 == 22 or i == steps - 1:
            states[i] = [
                [s["address"], s["total_size"], int(s["segment_type"] == "small"),
                 [[b["size"], b["requested_size"] if b["state"] == "active_allocated" else 0,
                   int(b["state"] == "active_allocated")] for b in s["blocks"]]]
                for s in sorted(torch.cuda.memory_snapshot(), key=lambda s: s["address"])]
    trace = torch.cuda.memory._snapshot()["device_traces"][torch.cuda.current_device()]
    events = [[KINDS[e["action"]], e["addr"], e["size"]] for e in trace if e["action"] in KINDS]
    base = min(e[1] for e in events)
    for e in events:
        e[1] = (e[1] - base) // STEP
    for state in states.values():
        for segment in state:
            segment[0] = (segment[0] - base) // STEP
    return {"name": name, "settings": settings, "limit": limit_mib * MIB, "pytorch": torch.__version__,
            "gpu": torch.cuda.get_device_name(), "steps": made, "totals": totals, "inactive": inactive,
            "failed": failed, "messages": messages, "events": events, "states": states}


class Held:
    """A block, freed with the object."""

    def __init__(self, torch, address):
        self.torch, self.address = torch, address

    def __del__(self):
        self.torch.cuda.caching_allocator_delete(self.address)


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "--one":
        print("RECORD " + json.dumps(record(*SCENARIOS[int(sys.argv[2])]), separators=(",", ":")), flush=True)
        os._exit(0)
    scenarios = []
    for i, scenario in enumerate(SCENARIOS):
        env = dict(os.environ)
        for name in ("PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_ALLOC_CONF"):
            env.pop(name, None)
            if scenario[1]:
                env[name] = scenario[1]
        child = subprocess.run([sys.executable, os.path.abspath(__file__), "--one", str(i)], env=env,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        lines = [line for line in child.stdout.splitlines() if line.startswith("RECORD ")]
        if not lines:
            print(f"{scenario[0]} failed:\n{child.stderr[-3000:]}", file=sys.stderr)
            continue
        scenarios.append(json.loads(lines[0][len("RECORD "):]))
    with open(sys.argv[1], "w") as out:
        json.dump({"scenarios": scenarios}, out, separators=(",", ":"))
        out.write("\n")


if __name__ == "__main__":
    main()
