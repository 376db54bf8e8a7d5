"""A block of a vision transformer: patches by a convolution, nn.MultiheadAttention, a gradient scaler with float16."""
import torch
from torch import nn

from losses import seed, step_losses

seed()
images = torch.randn(8, 3, 32, 32, device="cuda")
labels = torch.randint(0, 10, (8,), device="cuda")


class ViT(nn.Module):
    def __init__(self, width=64):
        super().__init__()
        self.patches = nn.Conv2d(3, width, 8, 8)
        self.token, self.place = nn.Parameter(torch.zeros(1, 1, width)), nn.Parameter(torch.randn(1, 17, width) * 0.02)
        self.block = nn.TransformerEncoderLayer(width, 4, 128, dropout=0.0, activation="gelu", batch_first=True,
                                                norm_first=True)
        self.head = nn.Linear(width, 10)

    def forward(self, x):
        x = self.patches(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.token.expand(x.shape[0], -1, -1), x], 1) + self.place
        return self.head(self.block(x)[:, 0])


model = ViT().cuda()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
scaler = torch.amp.GradScaler("cuda")


def step():
    optimizer.zero_grad()
    with torch.autocast("cuda", dtype=torch.float16):
        loss = nn.functional.cross_entropy(model(images), labels)
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    return loss


step_losses(step)
