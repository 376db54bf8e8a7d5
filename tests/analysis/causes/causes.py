#!/usr/bin/env python3
"""Training steps with one cause of lost time each, recorded with it and after it was removed, with the mean times of
the steps without a profiler (times*.json), as one archive in $OUT.

causes.py single [CAUSE...]                  seven causes on one GPU
torchrun --nproc-per-node 2 causes.py ranks  a late rank
causes.py cut TRACE SMALLER [STEPS]          a trace with the fields and steps that causes_test.cpp needs

The traces in this folder are those with the causes, cut; they were recorded with PyTorch 2.11 on H200s."""
import gzip, json, os, random, sys, tarfile, time, traceback


def cut(source, target, steps):
    trace = json.load(gzip.open(source))
    dropped = ("Fwd thread id", "Ev Idx", "Python module id", "Concrete Inputs", "Input Strides",
               "est. achieved occupancy %", "queued", "warps per SM", "blocks per SM", "context")
    kept = ("schemaVersion", "deviceProperties", "distributedInfo", "displayTimeUnit", "record_shapes", "with_stack")
    starts = [e for e in trace["traceEvents"] if str(e.get("name")).startswith("ProfilerStep")
              and e["cat"] == "user_annotation"]
    last = sorted(starts, key=lambda e: e["ts"])[:steps][-1]
    end = last["ts"] + last["dur"]
    events, calls = [], set()
    for event in trace["traceEvents"]:
        category = event.get("cat")
        if category == "ac2g" or "ts" in event and event["ts"] > end and category not in ("kernel", "gpu_memcpy",
                                                                                           "gpu_memset"):
            continue
        for name in dropped:
            event.get("args", {}).pop(name, None)
        if category in ("cuda_runtime", "cuda_driver"):
            calls.add(event["args"].get("correlation"))
        if "dur" in event and category not in ("kernel", "gpu_memcpy", "gpu_memset"):
            event["dur"] = min(event["dur"], end - event["ts"])
        events.append(event)
    work = ("kernel", "gpu_memcpy", "gpu_memset")
    events = [e for e in events if e.get("cat") not in work or e["args"].get("correlation") in calls
              or steps >= len(starts)]
    text = json.dumps({**{name: trace[name] for name in kept if name in trace}, "traceEvents": events},
                      separators=(",", ":"))
    with gzip.GzipFile(target, "wb", 9, mtime=0) as file:
        file.write(text.encode())


if len(sys.argv) > 3 and sys.argv[1] == "cut":
    cut(sys.argv[2], sys.argv[3], int(sys.argv[4]) if len(sys.argv) > 4 else 1000)
    sys.exit()

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.profiler import ProfilerActivity, profile, schedule

OUT = os.environ["OUT"]
WORK = "/tmp/causes"
os.makedirs(WORK, exist_ok=True)
WARM, ACTIVE, TIMED = 3, 8, 30
times = {}


def record(name, step):
    path = f"{WORK}/{name}.json.gz"
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA],
                 schedule=schedule(wait=0, warmup=WARM, active=ACTIVE, repeat=1), record_shapes=True, with_stack=True,
                 on_trace_ready=lambda p: p.export_chrome_trace(path)) as prof:
        for i in range(WARM + ACTIVE):
            step()
            if i in (WARM - 1, WARM + ACTIVE - 1):
                torch.cuda.synchronize()  # the trace has the work of its steps alone
            prof.step()
    torch.cuda.synchronize()


def mean_step(step):
    for _ in range(5):
        step()
    torch.cuda.synchronize()
    begin = time.perf_counter()
    for _ in range(TIMED):
        step()
    torch.cuda.synchronize()
    return (time.perf_counter() - begin) / TIMED * 1e3


def measure(name, step):
    begin = time.perf_counter()
    ms = mean_step(step)
    record(name, step)
    ms_again = mean_step(step)
    times[name] = [round(ms, 4), round(ms_again, 4)]
    print(name, times[name], f"{time.perf_counter() - begin:.1f} s", flush=True)


class Net(nn.Module):
    def __init__(self, first, width, layers, norm=False):
        super().__init__()
        sizes = [first] + [width] * layers
        self.linears = nn.ModuleList(nn.Linear(a, b) for a, b in zip(sizes, sizes[1:]))
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(layers)) if norm else None

    def forward(self, x):
        for i, linear in enumerate(self.linears):
            x = F.gelu(linear(x))
            if self.norms is not None:
                x = self.norms[i](x)
        return x


def new_net(*sizes, **more):
    net = Net(*sizes, **more).cuda().bfloat16()
    return net, torch.optim.AdamW(net.parameters(), lr=1e-4, fused=True)


def train(net, optimizer, x, y):
    optimizer.zero_grad(set_to_none=True)
    loss = F.mse_loss(net(x), y)
    loss.backward()
    optimizer.step()
    return loss


# 1: preprocessing on the CPU
def normalize(raw, out):
    mean = np.array([0.485, 0.456, 0.406], dtype=np.float32).reshape(1, 3, 1, 1)
    std = np.array([0.229, 0.224, 0.225], dtype=np.float32).reshape(1, 3, 1, 1)
    out[...] = ((raw.astype(np.float32) / 255.0) - mean) / std


def preprocessing():
    raw = np.random.randint(0, 255, (64, 3, 224, 224), dtype=np.uint8)
    pinned = torch.empty((64, 3, 224, 224), dtype=torch.float32).pin_memory()
    net, optimizer = new_net(588, 1024, 4)
    y = torch.randn(64, 1024, device="cuda", dtype=torch.bfloat16)

    def features():
        images = pinned.to("cuda", non_blocking=True)
        return F.avg_pool2d(images, 16).flatten(1).bfloat16()

    def before():
        normalize(raw, pinned.numpy())
        train(net, optimizer, features(), y)

    def after():
        train(net, optimizer, features(), y)

    return before, after


# 2: large products that keep the GPU busy; its trace loses work afterwards
def full():
    net, optimizer = new_net(4096, 4096, 6)
    x = torch.randn(8192, 4096, device="cuda", dtype=torch.bfloat16)
    y = torch.randn(8192, 4096, device="cuda", dtype=torch.bfloat16)
    return None, lambda: train(net, optimizer, x, y)


def sample(source, target):
    trace = json.load(gzip.open(f"{WORK}/{source}.json.gz"))
    random.seed(1)
    work = sorted((e for e in trace["traceEvents"] if e.get("cat") in ("kernel", "gpu_memcpy", "gpu_memset")),
                  key=lambda e: e["ts"])
    lost = set()
    for i in range(0, len(work), 12):
        if random.random() < 0.6:
            lost.update(id(e) for e in work[i:i + 12])
    trace["traceEvents"] = [e for e in trace["traceEvents"] if id(e) not in lost]
    with gzip.open(f"{WORK}/{target}.json.gz", "wt") as out:
        json.dump(trace, out)


# 3: an optimizer of tiny kernels
def adam_by_hand(parameters, state, average):
    with torch.no_grad():
        for p, (m, v), slow in zip(parameters, state, average):
            p.mul_(0.9999)
            m.mul_(0.9)
            m.add_(p.grad, alpha=0.1)
            v.mul_(0.99)
            v.addcmul_(p.grad, p.grad, value=0.01)
            root = v.sqrt()
            root.add_(1e-6)
            p.addcdiv_(m, root, value=-1e-4)
            slow.mul_(0.999)
            slow.add_(p, alpha=0.001)


def adam_together(parameters, first, second, average):
    with torch.no_grad():
        grads = [p.grad for p in parameters]
        torch._foreach_mul_(parameters, 0.9999)
        torch._foreach_mul_(first, 0.9)
        torch._foreach_add_(first, grads, alpha=0.1)
        torch._foreach_mul_(second, 0.99)
        torch._foreach_addcmul_(second, grads, grads, value=0.01)
        root = torch._foreach_sqrt(second)
        torch._foreach_add_(root, 1e-6)
        torch._foreach_addcdiv_(parameters, first, root, value=-1e-4)
        torch._foreach_mul_(average, 0.999)
        torch._foreach_add_(average, parameters, alpha=0.001)


def tiny_kernels():
    net, _ = new_net(256, 256, 24, norm=True)
    parameters = list(net.parameters())
    first = [torch.zeros_like(p) for p in parameters]
    second = [torch.zeros_like(p) for p in parameters]
    average = [p.detach().clone() for p in parameters]
    state = list(zip(first, second))
    x = torch.randn(256, 256, device="cuda", dtype=torch.bfloat16)
    y = torch.randn(256, 256, device="cuda", dtype=torch.bfloat16)

    def gradients():
        net.zero_grad(set_to_none=True)
        F.mse_loss(net(x), y).backward()

    def before():
        gradients()
        adam_by_hand(parameters, state, average)

    def after():
        gradients()
        adam_together(parameters, first, second, average)

    return before, after


# 4: a chain of elementwise kernels
def augment(x):
    x = x - 0.1
    x = x / 1.7
    x = x * 0.9
    x = x + 0.05
    x = x.clamp(-3, 3)
    x = x.tanh()
    x = x * 2
    return x - 1


def unfused_chain():
    code = """template <typename T> T augmented(T x) {
      T y = (x - T(0.1)) / T(1.7) * T(0.9) + T(0.05);
      y = y < T(-3) ? T(-3) : y > T(3) ? T(3) : y;
      return tanh(y) * T(2) - T(1); }"""
    fused = torch.cuda.jiterator._create_jit_fn(code)
    net, optimizer = new_net(1024, 1024, 3)
    data = torch.randn(65536, 8192, device="cuda")
    y = torch.randn(65536, 1024, device="cuda", dtype=torch.bfloat16)
    print("fused differs by", (fused(data[:64]) - augment(data[:64])).abs().max().item(), flush=True)
    return (lambda: train(net, optimizer, augment(data)[:, :1024].bfloat16(), y),
            lambda: train(net, optimizer, fused(data)[:, :1024].bfloat16(), y))


# 5: .item() after each batch, so that CPU and GPU work in turns
def item_in_loop():
    net, optimizer = new_net(8192, 8192, 5)
    x = torch.randn(8192, 8192, device="cuda", dtype=torch.bfloat16)
    y = torch.randn(8192, 8192, device="cuda", dtype=torch.bfloat16)
    images = 1
    while True:  # that the CPU prepares in two thirds of the time in which the GPU trains
        raw = np.random.randint(0, 255, (images, 3, 224, 224), dtype=np.uint8)
        buffers = [torch.empty((images, 3, 224, 224), dtype=torch.float32).pin_memory() for _ in range(8)]
        begin = time.perf_counter()
        for _ in range(10):
            normalize(raw, buffers[0].numpy())
        if (time.perf_counter() - begin) / 10 > 12e-3:
            break
        images += 2
    print("images", images, flush=True)
    turn = {"n": 0, "sum": 0.0}

    def prepared():
        turn["n"] += 1
        pinned = buffers[turn["n"] % 8]
        normalize(raw, pinned.numpy())
        return x + pinned.to("cuda", non_blocking=True).mean().bfloat16()

    def before():
        loss = train(net, optimizer, prepared(), y)
        turn["sum"] += loss.item()

    sums = torch.zeros((), device="cuda")

    def after():
        loss = train(net, optimizer, prepared(), y)
        sums.add_(loss.detach())

    return before, after


# 6: pageable copies
def pageable():
    net, optimizer = new_net(768, 1024, 3)
    shape = (256, 3, 224, 224)
    loaded = [torch.randn(shape) for _ in range(3)]
    pinned = [one.pin_memory() for one in loaded]
    y = torch.randn(256 * 196, 1024, device="cuda", dtype=torch.bfloat16)
    side = torch.cuda.Stream()
    turn = {"n": 0, "next": pinned[0].cuda()}

    def patches(images):
        cut = images.bfloat16().reshape(256, 3, 14, 16, 14, 16).permute(0, 2, 4, 1, 3, 5)
        return cut.reshape(256 * 196, 768)

    def before():
        turn["n"] += 1
        images = loaded[turn["n"] % 3].to("cuda")
        train(net, optimizer, patches(images), y)

    def after():
        turn["n"] += 1
        torch.cuda.current_stream().wait_stream(side)
        images = turn["next"]
        images.record_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            turn["next"] = pinned[turn["n"] % 3].to("cuda", non_blocking=True)
        train(net, optimizer, patches(images), y)

    return before, after


# 8: a layout transpose around each layer
class Block(nn.Module):
    def __init__(self, width, transposes):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.linear = nn.Linear(width, width)
        self.transposes = transposes

    def forward(self, x):
        if self.transposes:
            inner = x.permute(0, 2, 3, 1).contiguous()
            inner = F.gelu(self.linear(self.norm(inner)))
            return x + inner.permute(0, 3, 1, 2).contiguous()
        return x + F.gelu(self.linear(self.norm(x)))


def layout():
    torch.manual_seed(1)
    slow = nn.Sequential(*(Block(384, True) for _ in range(4))).cuda().bfloat16()
    fast = nn.Sequential(*(Block(384, False) for _ in range(4))).cuda().bfloat16()
    net, optimizer = new_net(384, 1024, 3)
    images = torch.randn(64, 384, 56, 56, device="cuda", dtype=torch.bfloat16)
    images_last = images.permute(0, 2, 3, 1).contiguous()
    y = torch.randn(64, 1024, device="cuda", dtype=torch.bfloat16)

    def before():
        with torch.no_grad():
            features = slow(images).mean((2, 3))
        train(net, optimizer, features, y)

    def after():
        with torch.no_grad():
            features = fast(images_last).mean((1, 2))
        train(net, optimizer, features, y)

    return before, after


def single():
    chosen = sys.argv[2:]
    for cause in (preprocessing, full, tiny_kernels, unfused_chain, item_in_loop, pageable, layout):
        if chosen and cause.__name__ not in chosen:
            continue
        try:
            before, after = cause()
            if before is not None:
                measure(f"{cause.__name__}_before", before)
            measure(f"{cause.__name__}_after", after)
            if cause is full:
                sample("full_after", "full_before")
        except Exception:
            traceback.print_exc()
        torch.cuda.empty_cache()


# 7: one of two ranks comes late
def ranks():
    import torch.distributed as dist
    rank = int(os.environ["RANK"])
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", device_id=torch.device("cuda", rank))
    raw = np.random.randint(0, 255, (32, 3, 224, 224), dtype=np.uint8)
    scratch = np.empty((32, 3, 224, 224), dtype=np.float32)
    net, _ = new_net(2048, 2048, 6)
    net = nn.parallel.DistributedDataParallel(net, device_ids=[rank])
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-4, fused=True)
    x = torch.randn(4096, 2048, device="cuda", dtype=torch.bfloat16)
    y = torch.randn(4096, 2048, device="cuda", dtype=torch.bfloat16)

    def before():
        if rank == 1:
            normalize(raw, scratch)
        train(net, optimizer, x, y)

    def after():
        train(net, optimizer, x, y)

    measure(f"slow_rank_before_rank{rank}", before)
    dist.barrier()
    measure(f"slow_rank_after_rank{rank}", after)
    dist.barrier()
    json.dump(times, open(f"{WORK}/times_rank{rank}.json", "w"))
    dist.barrier()
    dist.destroy_process_group()
    return rank == 0


pack = True
if sys.argv[1] == "single":
    single()
    json.dump(times, open(f"{WORK}/times.json", "w"))
else:
    pack = ranks()
if pack:
    with tarfile.open(f"{OUT}/{sys.argv[1]}.tar", "w") as tar:
        for name in sorted(os.listdir(WORK)):
            tar.add(f"{WORK}/{name}", name)
    print("packed", os.path.getsize(f"{OUT}/{sys.argv[1]}.tar"), flush=True)
