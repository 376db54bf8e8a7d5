"""One training step of a small network: forward, backward, update. Operators are annotated through NVTX."""
import torch

torch.manual_seed(1)
model = torch.nn.Sequential(torch.nn.Linear(256, 512), torch.nn.ReLU(), torch.nn.Linear(512, 10)).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
data = torch.randn(64, 256)
target = torch.randint(0, 10, (64,))


def step():
    x, y = data.cuda(), target.cuda()
    optimizer.zero_grad()
    torch.nn.functional.cross_entropy(model(x), y).backward()
    optimizer.step()
    torch.cuda.synchronize()


step()  # warm-up: loads libraries and selects kernels
with torch.autograd.profiler.emit_nvtx(record_shapes=True):
    step()
