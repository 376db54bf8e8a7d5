"""Runs a small PyTorch training step 20 times. Without arguments, operators are annotated through NVTX (emit_nvtx).
"profile FILE [RUNS]" records with PyTorch's profiler and writes FILE; "plain [RUNS]" does neither; "both" does both at
once. RUNS repeats the whole run."""
import sys

import torch


def train(steps):
    torch.manual_seed(1)
    model = torch.nn.Sequential(torch.nn.Linear(256, 512), torch.nn.ReLU(), torch.nn.Linear(512, 10)).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    data = torch.randn(64, 256)
    target = torch.randint(0, 10, (64,))
    for _ in range(steps):
        x, y = data.cuda(), target.cuda()
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
    torch.cuda.synchronize()
    return loss.item()


def profiled(file, runs=1):
    kinds = [torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA]
    with torch.profiler.profile(activities=kinds) as profiler:
        for _ in range(runs):
            loss = train(20)
    if file:
        profiler.export_chrome_trace(file)
    return loss


def number(place):
    return int(sys.argv[place]) if len(sys.argv) > place else 1


how = sys.argv[1] if len(sys.argv) > 1 else "nvtx"
if how == "profile":
    print(profiled(sys.argv[2], number(3)))
elif how == "plain":
    for _ in range(number(2)):
        loss = train(20)
    print(loss)
elif how == "both":
    with torch.autograd.profiler.emit_nvtx(record_shapes=True):
        print(profiled(None))
else:
    with torch.autograd.profiler.emit_nvtx(record_shapes=True):
        print(train(20))
