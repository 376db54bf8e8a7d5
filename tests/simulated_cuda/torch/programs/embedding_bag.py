"""Bags of words with sparse gradients, and a checkpoint that is saved and read again in the middle."""
import io

import torch
from torch import nn

from losses import seed, step_losses

seed()
words = torch.randint(0, 1000, (600,), device="cuda")
starts = torch.arange(0, 600, 12, device="cuda")
labels = torch.randint(0, 4, (50,), device="cuda")


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.bag, self.out = nn.EmbeddingBag(1000, 32, sparse=True), nn.Linear(32, 4)

    def forward(self, words, starts):
        return self.out(self.bag(words, starts))


model = Model().cuda()
of_bag = torch.optim.SparseAdam(model.bag.parameters(), lr=0.01)
of_rest = torch.optim.SGD(model.out.parameters(), lr=0.1)


def step(number):
    if number == 5:
        file = io.BytesIO()
        torch.save({"model": model.state_dict(), "bag": of_bag.state_dict()}, file)
        file.seek(0)
        saved = torch.load(file, map_location="cuda")
        model.load_state_dict(saved["model"])
        of_bag.load_state_dict(saved["bag"])
    loss = nn.functional.cross_entropy(model(words, starts), labels)
    of_bag.zero_grad()
    of_rest.zero_grad()
    loss.backward()
    of_bag.step()
    of_rest.step()
    return loss


step_losses(step)
