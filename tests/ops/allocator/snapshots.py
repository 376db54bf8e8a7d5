"""Records memory snapshots of PyTorch (torch.cuda.memory._dump_snapshot).

    python3 snapshots.py training training.pickle      # three steps of a small network
    python3 snapshots.py fragmented fragmented.pickle  # a request that fails although enough bytes are free
    python3 snapshots.py full full.pickle              # a request that fails because the memory is full

Needs a GPU and PyTorch 2.x. Set PYTORCH_ALLOC_CONF to record another setting. Prints the message of a refused request.
"""
import os
import pickle
import re
import sys

import torch

MIB = 2**20


def allow(mib):
    total = torch.cuda.mem_get_info()[1]
    torch.cuda.set_per_process_memory_fraction((mib * MIB + 4096) / total)


def bytes_of(mib):
    return torch.empty(mib * MIB, dtype=torch.uint8, device="cuda")


class Network(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.first = torch.nn.Linear(width, 4 * width)
        self.second = torch.nn.Linear(4 * width, width)
        self.head = torch.nn.Linear(width, 10)

    def forward(self, x):
        x = torch.relu(self.first(x))
        x = torch.relu(self.second(x))
        return self.head(x)


def load_batch(width):
    return torch.randn(256, width, device="cuda"), torch.randint(0, 10, (256,), device="cuda")


def train_step(network, optimizer, width):
    x, labels = load_batch(width)
    loss = torch.nn.functional.cross_entropy(network(x), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss


def training():
    width = 512
    network = Network(width).cuda()
    optimizer = torch.optim.Adam(network.parameters(), foreach=False)
    for _ in range(3):
        loss = train_step(network, optimizer, width)
    return network, optimizer, loss


def load_weights():
    return [bytes_of(24) for _ in range(4)]


def run_batches(count):
    return [bytes_of(64) for _ in range(count)]


def keep_results(count):
    return [bytes_of(40) for _ in range(count)]


def longer_batch():
    return bytes_of(96)


def fragmented():
    """Eight results sit in the segments of eight batches that are gone, so none of these segments can go back."""
    allow(701)
    kept = [load_weights()]
    batches = run_batches(8)
    del batches
    kept.append(keep_results(8))
    try:
        kept.append(longer_batch())
    except torch.OutOfMemoryError as error:
        print(re.sub(r"Process \d+", "Process 1", str(error)))
    return kept


def full():
    allow(401)
    kept = [load_weights()]
    try:
        for _ in range(8):
            kept.append(run_batches(1))
    except torch.OutOfMemoryError as error:
        print(re.sub(r"Process \d+", "Process 1", str(error)))
    return kept


def without_folders(target):
    """Leaves of each file's path what follows site-packages or this script's folder."""
    with open(target, "rb") as file:
        snapshot = pickle.load(file)
    for frames in ([b["frames"] for s in snapshot["segments"] for b in s["blocks"]] +
                   [e.get("frames", []) for trace in snapshot["device_traces"] for e in trace]):
        for frame in frames:
            frame["filename"] = re.sub(r".*/site-packages/", "", frame["filename"])
            if os.path.basename(frame["filename"]) == "snapshots.py":
                frame["filename"] = "snapshots.py"
    with open(target, "wb") as file:
        pickle.dump(snapshot, file)


def main():
    kind, target = sys.argv[1:3]
    torch.cuda.init()
    torch.cuda.memory._record_memory_history(enabled="all", context="all", stacks="python", max_entries=100000)
    kept = {"training": training, "fragmented": fragmented, "full": full}[kind]()
    torch.cuda.synchronize()
    torch.cuda.memory._dump_snapshot(target)
    without_folders(target)
    del kept


if __name__ == "__main__":
    main()
