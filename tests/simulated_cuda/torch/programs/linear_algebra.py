"""Linear algebra of small sizes and Fourier transforms: values that do not depend on signs and phases."""
import torch

from losses import seed, step_losses

seed()
a = torch.randn(3, 24, 16, device="cuda", dtype=torch.float64)
square = torch.randn(4, 20, 20, device="cuda", dtype=torch.float64)
positive = square @ square.mT + torch.eye(20, device="cuda", dtype=torch.float64)
right = torch.randn(4, 20, 3, device="cuda", dtype=torch.float64)
signal = torch.randn(5, 120, device="cuda", dtype=torch.float64)
norm = torch.linalg.vector_norm
values = [lambda: norm(torch.linalg.svdvals(a)), lambda: norm(torch.linalg.qr(a)[1].abs()),
          lambda: norm(torch.linalg.solve(square, right)), lambda: norm(torch.linalg.cholesky(positive)),
          lambda: torch.linalg.eigvalsh(positive).log().sum(), lambda: torch.linalg.eigvals(square).abs().sum(),
          lambda: torch.linalg.slogdet(square)[1].sum(), lambda: norm(torch.linalg.lstsq(a, a[..., :2])[0]),
          lambda: torch.fft.rfft(signal).abs().sum(), lambda: torch.fft.ifft2(torch.fft.fft(signal)).abs().sum()]
step_losses(lambda number: values[number]())
