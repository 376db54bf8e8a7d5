"""An LSTM that learns to predict the next value of sine waves."""
import torch
from torch import nn

from losses import seed, step_losses

seed()
times = torch.arange(33, device="cuda") * 0.3
waves = torch.sin(times[None, :] + torch.rand(16, 1, device="cuda") * 6.28)[..., None]


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(1, 64, num_layers=2, batch_first=True)
        self.out = nn.Linear(64, 1)

    def forward(self, x):
        return self.out(self.lstm(x)[0])


model = Model().cuda()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)


def step():
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(waves[:, :-1]), waves[:, 1:])
    loss.backward()
    optimizer.step()
    return loss


step_losses(step)
