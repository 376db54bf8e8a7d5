"""relu(x * 2 + y), compiled by torch.compile into one Triton kernel."""
import torch


@torch.compile
def fused(x, y):
    return torch.relu(x * 2 + y)


x = torch.randn(1 << 20, device="cuda")
y = torch.randn(1 << 20, device="cuda")
fused(x, y)  # compiles
torch.cuda.synchronize()
with torch.autograd.profiler.emit_nvtx(record_shapes=True):
    fused(x, y)
    torch.cuda.synchronize()
