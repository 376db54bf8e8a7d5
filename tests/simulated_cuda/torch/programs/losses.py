"""What the programs share: a fixed start, and ten steps whose losses are printed."""
import inspect

import torch


def seed():
    torch.manual_seed(7)


def step_losses(step, steps=10):
    """Prints `loss NUMBER VALUE` per step, with all digits of the value. `step` may take the step's number."""
    takes_number = bool(inspect.signature(step).parameters)
    for number in range(steps):
        loss = step(number) if takes_number else step()
        print(f"loss {number} {loss.item():.9g}", flush=True)
