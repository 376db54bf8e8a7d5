"""Records runs of several ranks with one late rank: one program for each way to train on several GPUs.

torchrun --nproc_per_node 4 record_parallel.py OUT STRATEGY [WIDTH [BATCH [SLEEP_MS [STACK [VARIANT...]]]]]
A batch of 16 is bound by the CPU, one of 64 with a width of 2048 by the GPU.
STRATEGY: ddp, fsdp, tensor (tensor parallel inside data parallel), pipeline, experts (all-to-all).
Writes OUT/STRATEGY_VARIANT/rankN.json.gz by torch.profiler, or nothing with OUT "-".
Prints the time of a step without the profiler and what was put into the late rank, in ms.
"""
import os
import sys
import time

import torch
import torch.distributed as dist
import torch.nn as nn
import torch.nn.functional as F
from torch.profiler import ProfilerActivity, profile, schedule

OUT, STRATEGY = sys.argv[1:3]
WIDTH = int(sys.argv[3]) if len(sys.argv) > 3 else 512
BATCH = int(sys.argv[4]) if len(sys.argv) > 4 else 16
SLEEP = int(sys.argv[5]) / 1e3 if len(sys.argv) > 5 else 0.01
STACK = sys.argv[6] != "0" if len(sys.argv) > 6 else True
VARIANTS = sys.argv[7:] or ["ok", "late_loader", "extra_kernels", "synchronize"]
TOKENS, BLOCKS, MICROBATCHES = 256, 4, 8
RANK, WORLD = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
LATE = RANK == {"ddp": WORLD - 1, "fsdp": 1, "tensor": 2, "pipeline": 0, "experts": WORLD - 1}[STRATEGY]
device = torch.device("cuda", RANK)
variant = "ok"
put_in = []


class Attention(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)

    def forward(self, x):
        b, t, _ = x.shape
        q, k, v = (y.reshape(b, t, -1, 64).transpose(1, 2) for y in self.qkv(x).chunk(3, -1))
        return self.out(F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(b, t, -1))


class FeedForward(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.up = nn.Linear(width, 4 * width)
        self.down = nn.Linear(4 * width, width)

    def forward(self, x):
        return self.down(F.gelu(self.up(x)))


class Block(nn.Module):
    def __init__(self, width, feed_forward=FeedForward):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.attention = Attention(width)
        self.norm2 = nn.LayerNorm(width)
        self.feed_forward = feed_forward(width)

    def forward(self, x):
        x = x + self.attention(self.norm(x))
        return x + self.feed_forward(self.norm2(x))


class Exchange(torch.autograd.Function):
    """Sends an equal share of the tokens to each rank, and the gradients back."""

    @staticmethod
    def forward(ctx, x):
        received = torch.empty_like(x)
        dist.all_to_all_single(received, x)
        return received

    @staticmethod
    def backward(ctx, gradient):
        received = torch.empty_like(gradient)
        dist.all_to_all_single(received, gradient.contiguous())
        return received


class Experts(nn.Module):
    """One expert on each rank; each takes the tokens that it scores highest, as many as the others."""

    def __init__(self, width):
        super().__init__()
        self.router = nn.Linear(width, WORLD)
        self.expert = FeedForward(width)

    def forward(self, x):
        tokens = x.reshape(-1, x.shape[-1])
        share = tokens.shape[0] // WORLD
        weights, chosen = self.router(tokens).softmax(-1).topk(share, dim=0)  # share x WORLD
        sent = tokens[chosen.t().reshape(-1)]
        returned = Exchange.apply(self.expert(Exchange.apply(sent)))
        returned = returned * weights.t().reshape(-1, 1)
        return torch.zeros_like(tokens).index_add(0, chosen.t().reshape(-1), returned).view_as(x)


def load_batch():
    if LATE and variant == "late_loader":
        time.sleep(SLEEP)
    return torch.randn(BATCH, TOKENS, WIDTH, device=device, dtype=torch.bfloat16)


def augment(x):
    y = x.float()
    for _ in range(100):
        y = torch.tanh(y)
    return y


def log_metrics():
    torch.cuda.synchronize()


def next_batch():
    begin = time.perf_counter()
    x = load_batch()
    if LATE and variant == "extra_kernels":
        augment(x)
    put_in.append(time.perf_counter() - begin)
    return x


def blocks_of(feed_forward=FeedForward, blocks=BLOCKS):
    return nn.Sequential(*[Block(WIDTH, feed_forward) for _ in range(blocks)]).to(device, torch.bfloat16)


def optimizer_of(model):
    return torch.optim.AdamW(model.parameters(), lr=1e-4)


def update(opt):
    opt.step()
    opt.zero_grad(set_to_none=True)


def plain_step(model, opt):
    loss = model(next_batch()).float().pow(2).mean()
    if LATE and variant == "synchronize":
        log_metrics()
    loss.backward()
    update(opt)


def ddp():
    model = nn.parallel.DistributedDataParallel(blocks_of(), device_ids=[RANK])
    opt = optimizer_of(model)
    return lambda: plain_step(model, opt)


def fsdp():
    from torch.distributed.fsdp import fully_shard

    model = blocks_of()
    for block in model:
        fully_shard(block)
    fully_shard(model)
    opt = optimizer_of(model)
    return lambda: plain_step(model, opt)


def tensor():
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.fsdp import fully_shard
    from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module

    mesh = init_device_mesh("cuda", (WORLD // 2, 2), mesh_dim_names=("data", "tensor"))
    model = blocks_of()
    for block in model:
        parallelize_module(block, mesh["tensor"], {
            "attention.qkv": ColwiseParallel(), "attention.out": RowwiseParallel(),
            "feed_forward.up": ColwiseParallel(), "feed_forward.down": RowwiseParallel()})
        fully_shard(block, mesh=mesh["data"])
    fully_shard(model, mesh=mesh["data"])
    opt = optimizer_of(model)
    return lambda: plain_step(model, opt)


def pipeline():
    from torch.distributed.pipelining import PipelineStage, Schedule1F1B

    stage = blocks_of(blocks=2)
    opt = optimizer_of(stage)
    example = torch.randn(BATCH // MICROBATCHES, TOKENS, WIDTH, device=device, dtype=torch.bfloat16)
    run = Schedule1F1B(PipelineStage(stage, RANK, WORLD, device, input_args=(example,)), MICROBATCHES,
                       loss_fn=lambda y, target: (y - target).float().pow(2).mean())

    def step():
        if RANK == 0:
            x = next_batch()
            if LATE and variant == "synchronize":
                log_metrics()
            run.step(x)
        elif RANK == WORLD - 1:
            run.step(target=next_batch(), losses=[])
        else:
            run.step()
        update(opt)

    return step


def experts():
    model = blocks_of(Experts)
    opt = optimizer_of(model)
    shared = [p for name, p in model.named_parameters() if ".expert." not in name]

    def step():
        loss = model(next_batch()).float().pow(2).mean()
        if LATE and variant == "synchronize":
            log_metrics()
        loss.backward()
        gradients = torch.cat([p.grad.flatten() for p in shared])
        dist.all_reduce(gradients, op=dist.ReduceOp.AVG)
        for p, gradient in zip(shared, gradients.split([p.numel() for p in shared])):
            p.grad.copy_(gradient.view_as(p))
        update(opt)

    return step


def timed(step, steps):
    torch.cuda.synchronize()
    dist.barrier()
    begin = time.perf_counter()
    for _ in range(steps):
        step()
    torch.cuda.synchronize()
    return (time.perf_counter() - begin) / steps


def main():
    global variant
    torch.cuda.set_device(RANK)
    dist.init_process_group("nccl", device_id=device)
    torch.manual_seed(0)
    step = globals()[STRATEGY]()
    timed(step, 8)
    for variant in VARIANTS:
        timed(step, 2)
        alone = timed(step, 10)
        if OUT != "-":
            os.makedirs(f"{OUT}/{STRATEGY}_{variant}", exist_ok=True)
            with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA], record_shapes=True, with_stack=STACK,
                         schedule=schedule(wait=1, warmup=2, active=3)) as prof:
                for _ in range(6):
                    step()
                    prof.step()
            prof.export_chrome_trace(f"{OUT}/{STRATEGY}_{variant}/rank{RANK}.json.gz")
        if LATE:
            print(f"{STRATEGY} {variant} width {WIDTH}: step {1e3 * alone:.3f}, put in on rank {RANK}:",
                  [round(1e3 * t, 3) for t in put_in[-3:]], flush=True)
        torch.cuda.synchronize()
        dist.barrier()
    dist.destroy_process_group()


main()
