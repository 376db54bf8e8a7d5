"""Trains on two ranks or more; the last rank may be late.

torchrun --nproc_per_node 2 train_ranks.py ok|late_loader [PROFILES]

late_loader: the last rank sleeps 8 ms in load_batch, and the others wait for it in all-reduce. PROFILES: a folder into
which each rank writes its Python frames, for `warpwalk record --profile PROFILES`."""
import contextlib
import os
import sys
import time

import torch
import torch.distributed as dist
from torch import nn

LATE_SECONDS = 0.008
STEPS = 12
FIRST_LATE_STEP = 4  # the steps before load code and connect the ranks
WIDTH = 1024


def load_batch(late, device):
    with torch.cuda.nvtx.range("load_batch"):
        if late:
            time.sleep(LATE_SECONDS)
        return torch.randn(512, WIDTH, device=device)


@contextlib.contextmanager
def python_frames(folder, rank):
    """CPU activities only: CUPTI is the recorder's."""
    if folder is None:
        yield
        return
    from torch.profiler import ProfilerActivity, profile

    with profile(activities=[ProfilerActivity.CPU], with_stack=True) as frames:
        yield
    frames.export_chrome_trace(os.path.join(folder, f"rank{rank}.json"))


def main():
    variant = sys.argv[1]
    folder = sys.argv[2] if len(sys.argv) > 2 else None
    rank, world = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
    torch.cuda.set_device(device)
    dist.init_process_group("nccl", device_id=device)
    torch.manual_seed(0)
    layers = [layer for _ in range(8) for layer in (nn.Linear(WIDTH, WIDTH), nn.ReLU())]
    model = nn.parallel.DistributedDataParallel(nn.Sequential(*layers).to(device), device_ids=[device.index])
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    late = variant == "late_loader" and rank == world - 1
    with python_frames(folder, rank):
        for step in range(STEPS):
            with torch.cuda.nvtx.range(f"step {step}"):
                model(load_batch(late and step >= FIRST_LATE_STEP, device)).pow(2).mean().backward()
                optimizer.step()
                optimizer.zero_grad(set_to_none=True)
        torch.cuda.synchronize()
    total = torch.ones(1 << 20, device=device)
    dist.all_reduce(total)
    gathered = [torch.empty_like(total) for _ in range(world)]
    dist.all_gather(gathered, total)
    halves = torch.ones(world << 18, device=device)
    dist.reduce_scatter_tensor(torch.empty(1 << 18, device=device), halves)
    dist.all_to_all_single(torch.empty_like(halves), halves)
    torch.cuda.synchronize()
    print(f"rank {rank} of {world}: {total[0].item():.0f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
