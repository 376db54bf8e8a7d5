#!/usr/bin/env python3
"""Measures NCCL's collectives between the GPUs of one machine, through torch.distributed, for the lab `collectives`.

    torchrun --nproc_per_node 2 tests/cuda/microbench/collectives.py > two.csv

prints the rows of assets/devices/h200_collectives.csv with their header, in well under a minute; needs PyTorch 2.11 and a
GPU for each process. `--rows` leaves out the header: the recordings of 2 and 4 GPUs are one file.

Each row is the median of 20 runs after 5 others, on the slowest GPU, between two CUDA events. All runs are queued behind a
kernel that waits, so that the CPU's time for the calls does not count, and the GPUs run them one after the other. Elements
are bfloat16. `bytes` and the bandwidths are those of nccl-tests (doc/PERFORMANCE.md): the message is the whole buffer of a
GPU, for all_gather the gathered one and for reduce_scatter the one that is reduced; small ones have at least one element for
each GPU.

NVLink SHARP (NVLS), which sums in the switch, is off unless NCCL_NVLS_ENABLE is set: the lab's model has no such sums.
"""
import os
import statistics
import sys

os.environ.setdefault("NCCL_NVLS_ENABLE", "0")

import torch
import torch.distributed as dist

SIZES = [8**power for power in range(1, 11)]  # 8 B to 1 GiB
WARM_UPS, RUNS = 5, 20
WAIT_CYCLES = 6_000_000  # about 3 ms: longer than the CPU needs to queue all runs


def collectives(world):
    """By kind: what runs it on a buffer and on one of the same size, and the bus bandwidth / algorithm bandwidth."""

    def own_part(buffer):
        return buffer.chunk(world)[dist.get_rank()]

    def gather(buffer, other):
        dist.all_gather_into_tensor(other, own_part(buffer))

    def reduce_scatter(buffer, other):
        dist.reduce_scatter_tensor(own_part(other), buffer)

    def all_to_all(buffer, other):
        dist.all_to_all_single(other, buffer)

    share = (world - 1) / world
    return {
        "all_reduce": (lambda buffer, _: dist.all_reduce(buffer), 2 * share),
        "all_gather": (gather, share),
        "reduce_scatter": (reduce_scatter, share),
        "all_to_all": (all_to_all, share),
        "broadcast": (lambda buffer, _: dist.broadcast(buffer, 0), 1),
    }


def median_ns(run):
    """Of the slowest GPU."""
    for _ in range(WARM_UPS):
        run()
    torch.cuda.synchronize()
    dist.barrier()
    events = [torch.cuda.Event(enable_timing=True) for _ in range(RUNS + 1)]
    torch.cuda._sleep(WAIT_CYCLES)
    events[0].record()
    for event in events[1:]:
        run()
        event.record()
    torch.cuda.synchronize()
    ns = statistics.median(start.elapsed_time(end) * 1e6 for start, end in zip(events, events[1:]))
    slowest = torch.tensor([ns], dtype=torch.float64, device="cuda")
    dist.all_reduce(slowest, op=dist.ReduceOp.MAX)
    return slowest.item()


def main():
    unknown = [argument for argument in sys.argv[1:] if argument != "--rows"]
    if unknown or "LOCAL_RANK" not in os.environ:
        print(f"usage: torchrun --nproc_per_node N {sys.argv[0]} [--rows]", file=sys.stderr)
        return 2
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
    torch.cuda.set_device(device)
    dist.init_process_group("nccl", device_id=device)
    world = dist.get_world_size()
    largest = torch.empty(SIZES[-1] // 2 + world, dtype=torch.bfloat16, device=device)
    other = torch.empty_like(largest)
    if dist.get_rank() == 0 and "--rows" not in sys.argv:
        print("gpus,kind,bytes,time_ns,algorithm_gb_s,bus_gb_s")
    for kind, (collective, bus_share) in collectives(world).items():
        for size in SIZES:
            elements = -(-size // 2 // world) * world
            sent, received = largest[:elements].normal_(), other[:elements]
            ns = median_ns(lambda: collective(sent, received))
            rate = 2 * elements / ns
            if dist.get_rank() == 0:
                print(f"{world},{kind},{2 * elements},{ns:.0f},{rate:.4g},{rate * bus_share:.4g}", flush=True)
    dist.destroy_process_group()
    return 0


if __name__ == "__main__":
    sys.exit(main())
