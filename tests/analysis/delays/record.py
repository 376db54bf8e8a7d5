"""Records eight programs, each with one delay at a known line, with torch.profiler: the traces of culprit_test.cpp.

usage: record.py FOLDER [NAME...]

Each program runs in a process of its own, so that CUDA loads its code anew. The function that is to blame is named after
the delay.
"""

import gzip
import json
import os
import queue
import subprocess
import sys
import threading
import time

STEPS = 6


def late_launch(model, x):
    """Python computes for some milliseconds before each step."""
    def slow_python():
        return sum(range(200_000))

    for _ in range(STEPS):
        slow_python()
        x = model(x)


def sleeping_loader(model, x):
    """The data set sleeps for 3 ms for each batch."""
    import torch

    class Slow(torch.utils.data.Dataset):
        def __len__(self):
            return STEPS

        def __getitem__(self, index):
            time.sleep(0.003)
            return torch.full((1024,), float(index))

    for batch in torch.utils.data.DataLoader(Slow(), batch_size=1):
        model(x + batch.pin_memory().cuda(non_blocking=True))


def item_in_loop(model, x):
    """Each step reads one number of its result, although its kernels take longer than their launches."""
    def loss_value(y):
        return y.sum().item()

    x = x.repeat(8, 1)
    for _ in range(5 * STEPS):
        loss_value(model(x))


def lazy_loading(model, x):
    """Kernels are used for the first time."""
    import torch

    def first_use(y):
        for function in (torch.atan, torch.frac, torch.sinh, torch.tan, torch.erfinv, torch.logcumsumexp, torch.sort):
            y = function(y, 0)[0] if function is torch.sort else function(y, 0) if "cum" in function.__name__ else function(y)
        return y

    first_use(model(x))


def small_kernels(model, x):
    """A loop over single rows."""
    def row_by_row(y):
        for i in range(200):
            y[i] += 1
        return y

    row_by_row(x)


def pageable_copy(model, x):
    """Each step copies 32 MB from pageable memory."""
    import torch

    batch = torch.ones(8, 1024, 1024)

    def upload():
        return batch.to("cuda", non_blocking=True)

    for _ in range(STEPS):
        model(x + upload()[0])


def idle_worker(model, x):
    """A thread waits for work that never comes, while Python computes for some milliseconds before each step."""
    jobs = queue.Queue()

    def worker():
        while jobs.get() is not None:
            pass

    def slow_python():
        return sum(range(200_000))

    thread = threading.Thread(target=worker)
    thread.start()
    for _ in range(STEPS):
        slow_python()
        x = model(x)
    jobs.put(None)
    thread.join()


def profiler_overhead(model, x):
    """Thousands of Python calls, each of which the profiler records with its stack."""
    def deep(depth):
        return depth if depth == 0 else deep(depth - 1)

    for _ in range(STEPS):
        for _ in range(40):
            deep(20)
        x = model(x)


PROGRAMS = [late_launch, sleeping_loader, item_in_loop, lazy_loading, small_kernels, pageable_copy, idle_worker,
            profiler_overhead]


def record(program, folder):
    import torch
    from torch.profiler import ProfilerActivity, profile

    model = torch.nn.Sequential(torch.nn.Linear(1024, 1024), torch.nn.ReLU()).cuda()
    x = torch.randn(1024, 1024, device="cuda")
    with torch.no_grad():
        if program is not lazy_loading:
            with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]):
                program(model, x)  # loads the code
        else:
            model(x)
        torch.cuda.synchronize()
        memory = program is profiler_overhead
        with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA], with_stack=True, profile_memory=memory) as run:
            program(model, x)
            torch.cuda.synchronize()
    path = os.path.join(folder, program.__name__ + ".json")
    run.export_chrome_trace(path)
    with open(path) as file:
        trace = json.load(file)
    # What tells of the machine that recorded, and of code that is not the program's, is not needed.
    for key in ("hostname", "distributedInfo", "traceName"):
        trace.pop(key, None)
    with gzip.GzipFile(path + ".gz", "wb", mtime=0) as file:
        file.write(json.dumps(trace, separators=(",", ":")).encode())
    os.remove(path)


def main(folder, *names):
    os.makedirs(folder, exist_ok=True)
    if len(names) == 1:
        record(next(program for program in PROGRAMS if program.__name__ == names[0]), folder)
        return 0
    for program in PROGRAMS:
        if not names or program.__name__ in names:
            subprocess.run([sys.executable, os.path.abspath(__file__), folder, program.__name__], check=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
