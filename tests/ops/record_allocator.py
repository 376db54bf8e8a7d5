"""Records what PyTorch's CUDA caching allocator does with random requests, for caching_allocator_test.cpp.

    python3 record_allocator.py data/allocator.json

Needs a GPU and PyTorch 2.x with the allocator's default settings. Addresses are stored in steps of 512 B from the
lowest segment of the scenario. A step is [identity, bytes] (allocate), [identity] (free) or [] (empty the cache);
`totals` is what PyTorch says is allocated and reserved after it, in steps of 512 B; `failed` are the identities that
were refused for want of memory. `events` is PyTorch's own history: [kind, address, bytes], kind one of "+" (a block is handed out),
"-" (it is freed), "S" (cudaMalloc), "F" (cudaFree). `states` are snapshots after some steps:
{step: [[address, bytes, small, [[bytes, requested, in_use], ...]], ...]}.
"""
import json
import random
import sys

import torch

KINDS = {"alloc": "+", "free_completed": "-", "segment_alloc": "S", "segment_free": "F"}
STEP = 512


def state_of():
    return [
        [s["address"], s["total_size"], int(s["segment_type"] == "small"),
         [[b["size"], b["requested_size"] if b["state"] == "active_allocated" else 0,
           int(b["state"] == "active_allocated")] for b in s["blocks"]]]
        for s in sorted(torch.cuda.memory_snapshot(), key=lambda s: s["address"])]


def history():
    return torch.cuda.memory._snapshot()["device_traces"][torch.cuda.current_device()]


def scenario(name, seed, steps, size, hold, empty_every=0, limit_mib=0):
    """`hold`: about so many tensors live at a time."""
    rng = random.Random(seed)
    torch.cuda.empty_cache()
    assert torch.cuda.memory_reserved() == 0
    total = torch.cuda.mem_get_info()[1]
    torch.cuda.set_per_process_memory_fraction((limit_mib * 2**20 + 4096) / total if limit_mib else 1.0)
    torch.cuda.memory._record_memory_history(enabled=None)
    torch.cuda.memory._record_memory_history(enabled="all", context=None, stacks="python", max_entries=1000000)
    before = len(history())
    live, made, totals, failed, states = {}, [], [], [], {}
    for i in range(steps):
        if empty_every and i % empty_every == empty_every - 1:
            torch.cuda.empty_cache()
            made.append([])
        elif live and rng.random() < len(live) / (2 * hold):
            victim = rng.choice(list(live))
            del live[victim]
            made.append([victim])
        else:
            n = size(rng)
            made.append([i, n])
            try:
                live[i] = torch.empty(n, dtype=torch.uint8, device="cuda")
            except torch.OutOfMemoryError:
                failed.append(i)
        totals.append([torch.cuda.memory_allocated() // STEP, torch.cuda.memory_reserved() // STEP])
        if i % 29 == 28 or i == steps - 1:
            states[i] = state_of()
    events = [[KINDS[e["action"]], e["addr"], e["size"]]
              for e in history()[before:] if e["action"] in KINDS]
    torch.cuda.memory._record_memory_history(enabled=None)
    live.clear()
    torch.cuda.empty_cache()
    base = min(e[1] for e in events)
    for e in events:
        e[1] = (e[1] - base) // STEP
    for state in states.values():
        for segment in state:
            segment[0] = (segment[0] - base) // STEP
    return {"name": name, "limit": limit_mib * 2**20, "steps": made, "totals": totals, "failed": failed,
            "events": events, "states": states}


def mixed(rng):
    return int(2 ** rng.uniform(0, 25))


def around(*edges):
    """Sizes at and next to where a rule changes."""
    def size(rng):
        return max(rng.choice(edges) + rng.choice([-513, -512, -511, -1, 0, 1, 511, 512, 513]), 1)
    return size


MIB = 2**20
SCENARIOS = [
    ("small", 1, 400, lambda rng: rng.randint(1, 40000), 60),
    ("mixed", 2, 400, mixed, 40),
    ("edges", 3, 400, around(512, MIB // 2, MIB, 2 * MIB, 9 * MIB, 10 * MIB, 19 * MIB, 20 * MIB, 21 * MIB), 12),
    ("few_sizes", 4, 300, lambda rng: rng.choice([1024, 65536, 3 * MIB, 6 * MIB, 12 * MIB, 14 * MIB]), 20),
    ("emptied", 5, 300, mixed, 15, 23),
    ("limited", 6, 400, lambda rng: rng.choice([700, MIB, 3 * MIB, 7 * MIB, 11 * MIB, 18 * MIB, 40 * MIB]), 12, 0, 160),
]

if __name__ == "__main__":
    torch.cuda.init()
    record = {"pytorch": torch.__version__, "gpu": torch.cuda.get_device_name(),
              "scenarios": [scenario(*s) for s in SCENARIOS]}
    with open(sys.argv[1], "w") as out:
        json.dump(record, out, separators=(",", ":"))
        out.write("\n")
