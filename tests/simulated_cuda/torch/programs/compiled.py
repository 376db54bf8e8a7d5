"""torch.compile of three models: a perceptron, a convolution with normalization, and attention."""
import torch
from torch import nn

from losses import seed, step_losses

seed()


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.qkv, self.out = nn.LayerNorm(64), nn.Linear(64, 192), nn.Linear(64, 64)

    def forward(self, x):
        q, k, v = self.qkv(self.norm(x)).unflatten(-1, (3, 2, 32)).permute(2, 0, 3, 1, 4)
        scores = (q @ k.transpose(-1, -2) / 32**0.5).softmax(-1)
        return x + self.out((scores @ v).transpose(1, 2).flatten(2))


models = [nn.Sequential(nn.Linear(32, 64), nn.GELU(), nn.Linear(64, 32)).cuda(),
          nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.GroupNorm(4, 8), nn.SiLU(), nn.Conv2d(8, 3, 1)).cuda(),
          Attention().cuda()]
inputs = [torch.randn(64, 32, device="cuda"), torch.randn(4, 3, 16, 16, device="cuda"),
          torch.randn(2, 32, 64, device="cuda")]
targets = [torch.randn_like(one) for one in inputs]
compiled = [torch.compile(model) for model in models]
optimizer = torch.optim.Adam([one for model in models for one in model.parameters()], lr=1e-2)


def step():
    optimizer.zero_grad()
    loss = sum(nn.functional.mse_loss(model(x), y) for model, x, y in zip(compiled, inputs, targets))
    loss.backward()
    optimizer.step()
    return loss


step_losses(step)
