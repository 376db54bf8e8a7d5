"""Records tests/trace/data/flight/recorded on a machine with two GPUs and PyTorch: dumps of the flight recorder of two
ranks, for each of the cases below. All cases run at once; each takes about ten seconds.

    python3 record_flight.py OUT_FOLDER
"""
import datetime
import os
import subprocess
import sys
import threading
import time

CASES = ["missing", "size", "order", "p2p", "complete", "dropped", "cycle", "timeout"]


def work(case, rank, folder):
    import torch
    import torch.distributed as dist

    torch.cuda.set_device(rank)
    long = datetime.timedelta(seconds=8 if case == "timeout" else 600)
    dist.init_process_group("nccl", rank=rank, world_size=2, timeout=long, device_id=torch.device("cuda", rank))
    c10d = torch._C._distributed_c10d
    ones = lambda n: torch.ones(n, device="cuda")

    def save():
        time.sleep(10)
        with open(os.path.join(folder, f"nccl_trace_rank_{rank}"), "wb") as out:
            out.write(c10d._dump_nccl_trace())
        with open(os.path.join(folder, f"nccl_trace_rank_{rank}.json"), "wb") as out:
            text = c10d._dump_nccl_trace_json(includeCollectives=True, onlyActive=False)
            out.write(text if isinstance(text, bytes) else text.encode())
        with open(os.path.join(folder, f"active_rank_{rank}"), "wb") as out:
            out.write(c10d._dump_nccl_trace(includeCollectives=True, includeStackTraces=False, onlyActive=True))
        time.sleep(2)
        os._exit(0)

    if case != "timeout":
        threading.Thread(target=save, daemon=True).start()
    for _ in range(100 if case == "dropped" else 3):
        dist.all_reduce(ones(1000))
    torch.cuda.synchronize()
    if case in ("missing", "timeout"):
        if rank == 0:
            dist.all_reduce(ones(4096))
            torch.cuda.synchronize()
        time.sleep(60)
    if case == "size":
        dist.all_reduce(ones(1 << 26 if rank == 0 else 1 << 20))
    if case == "order":
        big = ones(1 << 26)
        if rank == 0:
            dist.all_reduce(big)
            dist.broadcast(big, 0)
        else:
            dist.broadcast(big, 0)
            dist.all_reduce(big)
    if case in ("p2p", "complete"):
        other = 1 - rank
        a, b = ones(1000), ones(1000)
        for one in dist.batch_isend_irecv([dist.P2POp(dist.isend, a, other), dist.P2POp(dist.irecv, b, other)]):
            one.wait()
        dist.send(a, 1) if rank == 0 else dist.recv(a, 0)
        torch.cuda.synchronize()
        if case == "p2p" and rank == 0:
            dist.recv(ones(2000), 1)
    if case == "complete":
        group = dist.new_group([0, 1], group_desc="second")
        dist.barrier()
        dist.all_gather([ones(10), ones(20)], ones(10 * (rank + 1)))
        dist.all_gather_into_tensor(ones(200), ones(100), group=group)
        dist.reduce_scatter_tensor(ones(100), ones(200), group=group)
        each = 10 * (rank + 1)
        dist.all_to_all_single(ones(2 * each), ones(30), [each, each], [10, 20])
        with dist._coalescing_manager(device=torch.device("cuda", rank)):
            dist.all_reduce(ones(10))
            dist.all_reduce(ones(20))
        dist.gather(ones(10), [ones(10), ones(10)] if rank == 0 else None, dst=0)
    if case == "dropped" and rank == 0:
        dist.all_reduce(ones(4096))
    if case == "cycle":
        second = dist.new_group([0, 1], group_desc="second")
        dist.all_reduce(ones(10), group=second)
        torch.cuda.synchronize()
        dist.all_reduce(ones(4096), group=second if rank == 0 else None)
    torch.cuda.synchronize()
    time.sleep(60)


def main():
    if len(sys.argv) == 4:
        work(sys.argv[1], int(sys.argv[2]), sys.argv[3])
        return
    running = []
    for number, case in enumerate(CASES):
        folder = os.path.join(sys.argv[1], case)
        os.makedirs(folder, exist_ok=True)
        for rank in (0, 1):
            env = dict(os.environ, MASTER_ADDR="127.0.0.1", MASTER_PORT=str(29600 + number),
                       TORCH_FR_BUFFER_SIZE="10" if case == "dropped" else "2000",
                       TORCH_NCCL_TRACE_BUFFER_SIZE="10" if case == "dropped" else "2000",
                       TORCH_NCCL_ENABLE_TIMING="1" if case in ("size", "order") else "0",
                       TORCH_NCCL_DUMP_ON_TIMEOUT="1", TORCH_FR_DUMP_TEMP_FILE=os.path.join(folder, "comm_lib_trace_rank_"),
                       TORCH_NCCL_DEBUG_INFO_TEMP_FILE=os.path.join(folder, "comm_lib_trace_rank_"))
            running.append(subprocess.Popen([sys.executable, __file__, case, str(rank), folder], env=env))
    end = time.time() + 60
    for one in running:
        try:
            one.wait(max(1, end - time.time()))
        except subprocess.TimeoutExpired:
            one.kill()


if __name__ == "__main__":
    main()
