"""Steps of a small diffusion model: a U-Net with group normalization and SiLU learns the noise that was added."""
import torch
from torch import nn

from losses import seed, step_losses

seed()
images = torch.randn(8, 3, 16, 16, device="cuda").clamp(-1, 1)
kept = torch.cumprod(1 - torch.linspace(1e-4, 0.02, 100, device="cuda"), 0)


class Half(nn.Module):
    def __init__(self, channels_in, channels_out):
        super().__init__()
        self.conv = nn.Conv2d(channels_in, channels_out, 3, padding=1)
        self.norm, self.time = nn.GroupNorm(8, channels_out), nn.Linear(32, channels_out)

    def forward(self, x, time):
        return nn.functional.silu(self.norm(self.conv(x)) + self.time(time)[..., None, None])


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.deep, self.last = Half(3, 32), Half(32, 64), Half(96, 32)
        self.out = nn.Conv2d(32, 3, 1)

    def forward(self, x, t):
        rates = torch.exp(torch.arange(16, device=x.device) * -0.5)
        time = torch.cat([(t[:, None] * rates).sin(), (t[:, None] * rates).cos()], 1)
        first = self.first(x, time)
        deep = self.deep(nn.functional.avg_pool2d(first, 2), time)
        wide = nn.functional.interpolate(deep, scale_factor=2, mode="nearest")
        return self.out(self.last(torch.cat([wide, first], 1), time))


model = UNet().cuda()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)


def step():
    t = torch.randint(0, 100, (8,), device="cuda")
    noise = torch.randn_like(images)
    part = kept[t][:, None, None, None]
    loss = nn.functional.mse_loss(model(part.sqrt() * images + (1 - part).sqrt() * noise, t.float()), noise)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss


step_losses(step)
