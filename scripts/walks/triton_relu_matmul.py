"""relu(a @ b) on 128 x 128 floats, compiled by torch.compile into one Triton kernel."""
import torch
import torch._inductor.config as config

config.max_autotune_gemm_backends = "TRITON"
config.benchmark_epilogue_fusion = False
torch.set_float32_matmul_precision("high")


@torch.compile(mode="max-autotune-no-cudagraphs")
def relu_matmul(a, b):
    return torch.relu(a @ b)


torch.manual_seed(1)
a = torch.randint(-4, 5, (128, 128), device="cuda").float()
b = torch.randint(-4, 5, (128, 128), device="cuda").float()
relu_matmul(a, b)  # compiles
torch.cuda.synchronize()
with torch.autograd.profiler.emit_nvtx(record_shapes=True):
    relu_matmul(a, b)
    torch.cuda.synchronize()
