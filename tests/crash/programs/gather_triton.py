# A Triton kernel reads far past the end of its table: element 300 of the index is 4,000,000.
import torch
import triton
import triton.language as tl


@triton.jit
def gather_kernel(table, index, out, count, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < count
    where = tl.load(index + at, mask=inside)
    tl.store(out + at, tl.load(table + where, mask=inside), mask=inside)


index = torch.arange(512, device="cuda", dtype=torch.int32)
index[300] = 40000000
gather_kernel[(2,)](torch.ones(1000, device="cuda"), index, torch.empty(512, device="cuda"), 512, BLOCK=256)
torch.cuda.synchronize()
