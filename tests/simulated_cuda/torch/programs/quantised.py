"""Linear layers with int8 weights and activations, corrected by a trained scale; also a captured CUDA graph."""
import torch
from torch import nn

from losses import seed, step_losses

seed()
x = torch.randn(64, 128, device="cuda")
weight = torch.randn(128, 256, device="cuda")
target = torch.relu(x @ weight)
steps_of_weight = weight.abs().amax(0) / 127
weight_int8 = (weight / steps_of_weight).round().clamp(-127, 127).to(torch.int8).t().contiguous().t()
steps_of_x = x.abs().amax(1, keepdim=True) / 127
x_int8 = (x / steps_of_x).round().clamp(-127, 127).to(torch.int8)
product = torch._int_mm(x_int8, weight_int8)

scale = nn.Parameter(torch.full((256,), 0.5, device="cuda"))
rate = 0.3
graph, loss = torch.cuda.CUDAGraph(), torch.zeros((), device="cuda")


def train():
    out = torch.relu(product * steps_of_x * steps_of_weight * scale)
    value = nn.functional.mse_loss(out, target)
    (gradient,) = torch.autograd.grad(value, scale)
    with torch.no_grad():
        scale.sub_(rate * gradient)
        loss.copy_(value)


side = torch.cuda.Stream()
side.wait_stream(torch.cuda.current_stream())
with torch.cuda.stream(side):
    for _ in range(2):
        train()
torch.cuda.current_stream().wait_stream(side)
with torch.cuda.graph(graph):
    train()


def step():
    graph.replay()
    return loss


step_losses(step)
