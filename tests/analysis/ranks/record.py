"""Records runs of several ranks with one late rank, by torch.profiler, one file per rank.

torchrun --nproc_per_node 2 record.py OUT VARIANT [SIZE [BATCH [STACK]]]
Prints the time that was put in, where it can be told, as measured on the late rank.
"""
import os
import sys
import time

import torch
import torch.distributed as dist
import torch.nn as nn
import torch.nn.functional as F
from torch.profiler import ProfilerActivity, profile, schedule

OUT, VARIANT = sys.argv[1:3]
WIDTH = int(sys.argv[3]) if len(sys.argv) > 3 else 512
BATCH = int(sys.argv[4]) if len(sys.argv) > 4 else 16
STACK = sys.argv[5] != "0" if len(sys.argv) > 5 else True
RANK, WORLD = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
LATE = RANK == WORLD - 1
put_in = []


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.up = nn.Linear(width, 4 * width)
        self.down = nn.Linear(4 * width, width)

    def forward(self, x):
        b, t, w = x.shape
        q, k, v = (y.view(b, t, 8, w // 8).transpose(1, 2) for y in self.qkv(self.norm(x)).chunk(3, -1))
        x = x + self.out(F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(b, t, w))
        return x + self.down(F.gelu(self.up(x)))


def load_batch(device):
    if LATE and VARIANT == "late_loader":
        time.sleep(0.008)
    batch = 2 * BATCH if LATE and VARIANT == "larger_batch" else BATCH
    return torch.randn(batch, 256, WIDTH, device=device, dtype=torch.bfloat16)


def tokenize():
    total = 0
    for i in range(150000):
        total += i * i % 7
    return total


def augment(x):
    y = x.float().reshape(-1, WIDTH)
    for _ in range(40):
        y = torch.tanh(y)
    return y


def log_metrics(loss):
    torch.cuda.synchronize()
    return loss


def dump(x):
    return x.to("cpu")


def step(model, opt, device):
    begin = time.perf_counter()
    x = load_batch(device)
    if LATE and VARIANT == "python_loop":
        tokenize()
    if LATE and VARIANT == "extra_kernels":
        augment(x)
    if LATE and VARIANT == "copy":
        for _ in range(4):
            dump(x)
    put_in.append(time.perf_counter() - begin)
    loss = model(x).float().pow(2).mean()
    if LATE and VARIANT == "synchronize":
        log_metrics(loss)
    loss.backward()
    opt.step()
    opt.zero_grad(set_to_none=True)


def main():
    torch.cuda.set_device(RANK)
    device = torch.device("cuda", RANK)
    dist.init_process_group("nccl", device_id=device)
    torch.manual_seed(0)
    model = nn.Sequential(*[Block(WIDTH) for _ in range(6)]).to(device, torch.bfloat16)
    model = nn.parallel.DistributedDataParallel(model, device_ids=[RANK], bucket_cap_mb=4 * (WIDTH // 512) ** 2)
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for _ in range(8):
        step(model, opt, device)
    torch.cuda.synchronize()
    dist.barrier()
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA], record_shapes=True, with_stack=STACK,
                 schedule=schedule(wait=1, warmup=2, active=3)) as prof:
        for _ in range(6):
            step(model, opt, device)
            prof.step()
    prof.export_chrome_trace(f"{OUT}/{VARIANT}_rank{RANK}.json.gz")
    torch.cuda.synchronize()
    print(f"{VARIANT} {WIDTH} {BATCH} rank {RANK}: first part of a step, ms:", [round(1e3 * t, 3) for t in put_in[-3:]],
          flush=True)
    dist.destroy_process_group()


main()
