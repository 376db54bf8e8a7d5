"""An autoencoder with automatic mixed precision (bfloat16) and a data loader with two worker processes."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from losses import seed, step_losses


def main():
    seed()
    generator = torch.Generator().manual_seed(1)
    data = TensorDataset(torch.rand(320, 784, generator=generator))
    loader = iter(DataLoader(data, batch_size=32, num_workers=2, pin_memory=True, drop_last=True))
    model = nn.Sequential(nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 32), nn.ReLU(), nn.Linear(32, 256), nn.ReLU(),
                          nn.Linear(256, 784), nn.Sigmoid()).cuda()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)

    def step():
        (batch,) = next(loader)
        batch = batch.cuda(non_blocking=True)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            out = model(batch)
        loss = nn.functional.mse_loss(out.float(), batch)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss

    step_losses(step)


if __name__ == "__main__":
    main()
