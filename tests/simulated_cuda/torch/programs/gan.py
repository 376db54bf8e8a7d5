"""A generator and a discriminator with transposed convolutions, trained against each other."""
import torch
from torch import nn

from losses import seed, step_losses

seed()
real = torch.tanh(torch.randn(16, 1, 16, 16, device="cuda").cumsum(-1).cumsum(-2) / 16)
generator = nn.Sequential(nn.ConvTranspose2d(32, 64, 4), nn.BatchNorm2d(64), nn.ReLU(),
                          nn.ConvTranspose2d(64, 32, 4, 2, 1), nn.BatchNorm2d(32), nn.ReLU(),
                          nn.ConvTranspose2d(32, 1, 4, 2, 1), nn.Tanh()).cuda()
judge = nn.Sequential(nn.Conv2d(1, 32, 4, 2, 1), nn.LeakyReLU(0.2), nn.Conv2d(32, 64, 4, 2, 1), nn.BatchNorm2d(64),
                      nn.LeakyReLU(0.2), nn.Conv2d(64, 1, 4)).cuda()
of_generator = torch.optim.Adam(generator.parameters(), lr=2e-4, betas=(0.5, 0.999))
of_judge = torch.optim.Adam(judge.parameters(), lr=2e-4, betas=(0.5, 0.999))
loss_of = nn.BCEWithLogitsLoss()


def step():
    noise = torch.randn(16, 32, 1, 1, device="cuda")
    made = generator(noise)
    right, wrong = judge(real).flatten(), judge(made.detach()).flatten()
    judged = loss_of(right, torch.ones_like(right)) + loss_of(wrong, torch.zeros_like(wrong))
    of_judge.zero_grad()
    judged.backward()
    of_judge.step()
    again = judge(made).flatten()
    fooled = loss_of(again, torch.ones_like(again))
    of_generator.zero_grad()
    fooled.backward()
    of_generator.step()
    return judged + fooled


step_losses(step)
