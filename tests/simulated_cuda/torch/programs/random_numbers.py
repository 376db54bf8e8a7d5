"""Random numbers of every kind: equal to a GPU's, digit by digit, because PyTorch's own generator makes them."""
import torch

from losses import seed, step_losses

seed()
weights = torch.tensor([0.1, 0.2, 0.3, 0.4], device="cuda")
base = torch.linspace(0.1, 0.9, 5000, device="cuda")
kinds = [lambda: torch.randn(70000, device="cuda"), lambda: torch.rand(1001, device="cuda", dtype=torch.float64),
         lambda: torch.randint(0, 1 << 20, (4097,), device="cuda"), lambda: torch.randperm(30000, device="cuda")[:100],
         lambda: torch.nn.functional.dropout(base, 0.3), lambda: torch.bernoulli(base),
         lambda: torch.multinomial(weights, 500, replacement=True), lambda: torch.empty(999, device="cuda").exponential_(2.0),
         lambda: torch.normal(base, 2 * base), lambda: torch.poisson(10 * base)]


def step(number):
    # A sum of whole numbers and of few bits does not depend on its order.
    values = kinds[number]().double()
    return (values * 1024).round().sum() % 1000003


step_losses(step)
