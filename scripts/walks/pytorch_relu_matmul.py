"""torch.relu(a @ b) on 1024 x 1024 floats, its operators named through NVTX."""
import torch

a = torch.randn(1024, 1024, device="cuda")
b = torch.randn(1024, 1024, device="cuda")
torch.relu(a @ b)  # libraries load and kernels are chosen the first time
torch.cuda.synchronize()
with torch.autograd.profiler.emit_nvtx(record_shapes=True):
    torch.relu(a @ b)
    torch.cuda.synchronize()
