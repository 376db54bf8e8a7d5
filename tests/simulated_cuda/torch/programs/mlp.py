"""A multilayer perceptron that learns to classify points of two spirals."""
import torch
from torch import nn

from losses import seed, step_losses

seed()
turns = torch.linspace(0.25, 2.5, 128, device="cuda")
angle = torch.cat([turns, turns + torch.pi])
points = torch.stack([angle.cos(), angle.sin()], 1) * turns.repeat(2)[:, None]
labels = torch.arange(256, device="cuda") // 128
order = torch.randperm(256, device="cuda")
points, labels = points[order], labels[order]

model = nn.Sequential(nn.Linear(2, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 2)).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)


def step():
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(points), labels)
    loss.backward()
    optimizer.step()
    return loss


step_losses(step)
