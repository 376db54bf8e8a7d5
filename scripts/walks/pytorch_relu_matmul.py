"""torch.relu(a @ b) on 1024 x 1024 floats, with operators annotated through NVTX."""
import torch

a = torch.randn(1024, 1024, device="cuda")
b = torch.randn(1024, 1024, device="cuda")
torch.relu(a @ b)  # warm-up: loads libraries and selects kernels
torch.cuda.synchronize()
with torch.autograd.profiler.emit_nvtx(record_shapes=True):
    torch.relu(a @ b)
    torch.cuda.synchronize()
