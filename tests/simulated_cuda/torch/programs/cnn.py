"""A convolutional network with batch normalization on small made images."""
import torch
from torch import nn

from losses import seed, step_losses

seed()
images = torch.randn(32, 3, 32, 32, device="cuda")
labels = (images.mean((1, 2, 3)) * 1e4).long().remainder(10)


def block(channels_in, channels_out):
    return nn.Sequential(nn.Conv2d(channels_in, channels_out, 3, padding=1), nn.BatchNorm2d(channels_out), nn.ReLU(),
                         nn.MaxPool2d(2))


model = nn.Sequential(block(3, 16), block(16, 32), block(32, 64), nn.AdaptiveAvgPool2d(1), nn.Flatten(),
                      nn.Linear(64, 10)).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)


def step():
    optimizer.zero_grad(set_to_none=True)
    loss = nn.functional.cross_entropy(model(images), labels)
    loss.backward()
    optimizer.step()
    return loss


step_losses(step)
