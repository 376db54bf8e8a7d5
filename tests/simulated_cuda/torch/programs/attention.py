"""scaled_dot_product_attention by each of PyTorch's own implementations, forward and backward, in three types."""
import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

from losses import seed, step_losses

seed()
shape = (2, 4, 96, 32)
ways = [(SDPBackend.MATH, torch.float32, True), (SDPBackend.EFFICIENT_ATTENTION, torch.float32, True),
        (SDPBackend.EFFICIENT_ATTENTION, torch.float16, False), (SDPBackend.FLASH_ATTENTION, torch.float16, True),
        (SDPBackend.FLASH_ATTENTION, torch.bfloat16, False), (SDPBackend.MATH, torch.bfloat16, False)]
q, k, v = (torch.randn(shape, device="cuda") for _ in range(3))


def step(number):
    backend, kind, causal = ways[number]
    inputs = [one.detach().clone().to(kind).requires_grad_() for one in (q, k, v)]
    with sdpa_kernel(backend):
        out = torch.nn.functional.scaled_dot_product_attention(*inputs, is_causal=causal)
    out.float().square().sum().backward()
    return out.float().abs().mean() + sum(one.grad.float().abs().mean() for one in inputs)


step_losses(step, len(ways))
