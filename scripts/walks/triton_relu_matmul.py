"""relu(a @ b), compiled by torch.compile into one Triton kernel."""
import torch
import torch._inductor.config as config

config.max_autotune_gemm_backends = "TRITON"
torch.set_float32_matmul_precision("high")


@torch.compile(mode="max-autotune-no-cudagraphs")
def relu_matmul(a, b):
    return torch.relu(a @ b)


import sys
dtype = getattr(torch, sys.argv[1] if len(sys.argv) > 1 else "float32")
n = int(sys.argv[2]) if len(sys.argv) > 2 else 64
a = torch.randint(-4, 5, (n, n), device="cuda").to(dtype)
b = torch.randint(-4, 5, (n, n), device="cuda").to(dtype)
relu_matmul(a, b)  # compiles
torch.cuda.synchronize()
with torch.autograd.profiler.emit_nvtx(record_shapes=True):
    relu_matmul(a, b)
    torch.cuda.synchronize()
