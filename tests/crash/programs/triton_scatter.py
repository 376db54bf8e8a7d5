import torch, triton, triton.language as tl
@triton.jit
def scatter(x, index, out, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    at = tl.load(index + i, mask=i < n, other=0)
    tl.store(out + at, tl.load(x + i, mask=i < n), mask=i < n)
def place(x, index, out):
    scatter[(triton.cdiv(x.numel(), 256),)](x, index, out, x.numel(), B=256)
x = torch.randn(10000, device="cuda")
index = torch.randperm(10000, device="cuda")
out = torch.empty(10000, device="cuda")
for step in range(50):
    if step == 30: index[777] = 1 << 34
    place(x, index, out)
    y = (x * 2).relu()
print(y.sum().item())
