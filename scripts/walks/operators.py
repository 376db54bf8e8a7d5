"""PyTorch operators on small tensors, one group at a time: `operators.py [GROUP...]`; without arguments, all of them.

With `warpwalk record --inside 'aten::*:each'`
this records the kernels of a large part of PyTorch with their memory: the
table "Agreement with the GPU" in docs/inside.md. Kernels whose result depends on the order of atomics are avoided: no
other run on a GPU leaves the same bits either. Groups that this PyTorch does not support are named on stderr.
"""
import sys

import torch
import torch.nn.functional as F

torch.manual_seed(1)
DEVICE = "cuda"
GROUPS = {}


def group(function):
    GROUPS[function.__name__] = function
    return function


def real(*shape, dtype=torch.float32):
    return torch.randn(*shape, device=DEVICE).to(dtype)


def integers(*shape, high=100, dtype=torch.int64):
    return torch.randint(0, high, shape, device=DEVICE).to(dtype)


@group
def unary():
    for dtype in (torch.float32, torch.float16, torch.bfloat16, torch.float64):
        x = real(37, 65, dtype=dtype)
        for name in ("abs acos asin atan ceil cos cosh erf erfc erfinv exp exp2 expm1 floor frac lgamma log log10 "
                     "log1p log2 neg reciprocal round rsqrt sigmoid sign sin sinc sinh sqrt tan tanh trunc digamma i0 logit "
                     "isnan isinf signbit deg2rad").split():
            getattr(torch, name)(x)
    x = real(37, 65)
    for name in ("bessel_j0 bessel_j1 bessel_y0 bessel_y1 entr erfcx i0e i1 i1e log_ndtr modified_bessel_k0 ndtri "
                 "scaled_modified_bessel_k1 spherical_bessel_j0 airy_ai").split():
        getattr(torch.special, name)(x)
    for dtype in (torch.int32, torch.int64, torch.uint8, torch.bool):
        x = integers(37, 65, high=2, dtype=dtype)
        torch.bitwise_not(x)
        torch.logical_not(x)
        x.to(torch.float32)


@group
def binary():
    for dtype in (torch.float32, torch.bfloat16, torch.int32, torch.int64):
        a, b = (real(33, 40).mul(20).to(dtype) for _ in range(2))
        for name in "add sub mul maximum minimum eq lt fmod remainder".split():
            getattr(torch, name)(a, b.abs() + 1)
        torch.pow(a.abs(), 2)
        torch.div(a, b.abs() + 1, rounding_mode="floor")
        torch.where(a > b, a, b)
        torch.clamp(a, -5, 5)
        torch.lerp(a.float(), b.float(), 0.3)
        torch.addcmul(a, a, b, value=2)
    a, b = real(33, 40), real(33, 40)
    for name in ("atan2 copysign hypot nextafter logaddexp logaddexp2 pow xlogy heaviside fmax fmin "
                 "floor_divide div").split():
        getattr(torch, name)(a.abs(), b)
    torch.addcdiv(a, a, b.abs() + 1)
    torch.special.zeta(a.abs() + 2, b.abs() + 1)
    torch.polygamma(2, a.abs() + 1)
    torch.igamma(a.abs() + 1, b.abs() + 1)
    i, j = integers(33, 40), integers(33, 40, high=20)
    for name in "bitwise_and bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift gcd lcm".split():
        getattr(torch, name)(i, j)
    torch.ldexp(a, integers(33, 40, high=4, dtype=torch.int32))


@group
def activations():
    for dtype in (torch.float32, torch.bfloat16):
        x = real(20, 65, dtype=dtype).requires_grad_()
        for name in "relu gelu silu mish elu selu celu leaky_relu hardswish hardsigmoid hardtanh softplus logsigmoid " \
                    "softshrink hardshrink threshold tanhshrink softsign relu6 glu".split():
            arguments = (x[:, :64],) if name == "glu" else (x, 0.1, 0.0) if name == "threshold" else (x,)
            getattr(F, name)(*arguments).sum().backward()
        F.prelu(x, real(1, dtype=dtype)).sum().backward()
        F.gelu(x, approximate="tanh").sum().backward()
        F.softmax(x, -1).sum().backward()
        F.log_softmax(x, 0).sum().backward()
        F.softmax(real(3, 2000, dtype=dtype), -1)


@group
def reductions():
    for dtype in (torch.float32, torch.bfloat16, torch.float64):
        x = real(30, 700, dtype=dtype)
        for name in "sum mean amax amin prod var std argmax argmin logsumexp".split():
            getattr(torch, name)(x, -1)
            getattr(torch, name)(x, 0)
        torch.norm(x)
        torch.var_mean(x, 0)
        torch.cumsum(x, 1)
    x = real(30, 700)
    torch.cumprod(x, 0), torch.cummax(x, 1), torch.cummin(x, 1), torch.logcumsumexp(x, 1)
    torch.max(x, 1), torch.min(x, 0), torch.aminmax(x), torch.median(x), torch.median(x, 1), torch.mode(x[:, :40], 1)
    torch.nansum(x), torch.count_nonzero(x), torch.any(x > 1, 1), torch.all(x > 1), torch.isclose(x, x)
    torch.linalg.vector_norm(x, 3, 1), torch.linalg.vector_norm(x, float("inf")), torch.kthvalue(x, 7, 1)
    i = integers(30, 700)
    i.sum(1), i.prod(0), i.argmax(1), i.cumsum(0), i.bool().any(0)
    torch.bincount(i.flatten()), torch.histc(x, 20), torch.trace(x[:, :30].contiguous())
    x.sum(), x[:3].sum(1), real(5, 20000).sum(1), real(4, 3, 50, 60).sum((1, 3)), real(100000).mean()


@group
def sorting():
    for dtype in (torch.float32, torch.int64, torch.bfloat16):
        x = real(6, 900).mul(50).to(dtype)
        torch.sort(x, 1), torch.sort(x, 0), torch.topk(x, 5, 1), torch.argsort(x, 1, descending=True)
        torch.topk(x, 300, 1)
    x = real(5000)
    torch.sort(x), torch.sort(x, stable=True), torch.topk(x, 20), torch.unique(integers(2000))
    torch.msort(real(40, 3000))
    torch.unique_consecutive(integers(2000, high=3)), torch.unique(integers(50, 3, high=3), dim=0)
    torch.searchsorted(torch.arange(100.0, device=DEVICE), real(300))
    torch.bucketize(x, torch.arange(5.0, device=DEVICE))
    torch.isin(integers(200), integers(5)), torch.randperm(2000, device=DEVICE), torch.quantile(x, 0.3)


@group
def indexing():
    for dtype in (torch.float32, torch.bfloat16, torch.int64):
        # Every column of i is a permutation: two writes to one element would leave either.
        x, i = real(50, 60).mul(9).to(dtype), torch.rand(50, 60, device=DEVICE).argsort(0)
        rows, columns = i[:, 0], i[:, 1]
        torch.gather(x, 0, i), torch.scatter(x, 0, i, x), x.index_select(0, rows), x[rows, columns], torch.take(x, i)
        x.clone().index_add_(0, rows, x), x.clone().index_copy_(0, torch.arange(50, device=DEVICE), x)
        x.clone().masked_fill_(x > 0, 1), torch.masked_select(x, x > 0), torch.nonzero(x > 0)
        x.clone().scatter_add_(0, i, x), x.clone().index_fill_(1, rows[:9], 3), torch.tril(x), torch.triu(x, 1)
        x.clone().index_put_((rows, columns), x[0, :50])
        x.clone().index_put_((rows, columns), x[0, :50], accumulate=True)
        torch.cat([x, x, x]), torch.stack([x, x], 1), torch.flip(x, (0,)), torch.roll(x, 3, 1), x.t().contiguous()
        x.repeat(2, 3), torch.repeat_interleave(x, 2, 0), torch.diag(x[0]), torch.masked_scatter(x, x > 0, x)
    x = real(50, 60)
    x.clone().scatter_reduce_(0, integers(50, 60, high=50), x, "amax"), torch.tril_indices(40, 40, device=DEVICE)
    F.one_hot(integers(70), 100), torch.combinations(torch.arange(9, device=DEVICE)), torch.rot90(x), torch.vander(x[0])
    F.pad(x[None], (2, 3), "reflect"), F.pad(x[None], (2, 3), "replicate"), F.pad(x[None], (2, 3), "constant")
    F.pad(x[None], (2, 3), "circular"), F.pad(x[None, None], (2, 3, 1, 1), "reflect"), F.unfold(x[None, None], 3)
    F.fold(real(1, 9, 48 * 58), (50, 60), 3), F.pixel_shuffle(real(1, 8, 6, 6), 2), torch.block_diag(x, x)
    torch.arange(300, device=DEVICE), torch.linspace(0, 1, 300, device=DEVICE), torch.logspace(0, 1, 300, device=DEVICE)
    torch.eye(30, device=DEVICE), torch.full((300,), 2.5, device=DEVICE), torch.meshgrid(x[0], x[1], indexing="ij")


@group
def embeddings_and_losses():
    for dtype in (torch.float32, torch.bfloat16):
        table, words = real(100, 32, dtype=dtype).requires_grad_(), integers(7, 9)
        F.embedding(words, table).sum().backward()
        F.embedding_bag(words, table, mode="mean").sum().backward()
        x, y = real(20, 50, dtype=dtype).requires_grad_(), real(20, 50, dtype=dtype)
        for name in "mse_loss l1_loss smooth_l1_loss huber_loss soft_margin_loss".split():
            getattr(F, name)(x, y).backward()
        F.cross_entropy(x.float(), integers(20, high=50), label_smoothing=0.1).backward()
        F.binary_cross_entropy_with_logits(x, y.sigmoid()).backward()
        F.kl_div(x.log_softmax(1), y.softmax(1), reduction="batchmean").backward()
        F.cosine_similarity(x, y).sum().backward()
    F.embedding_bag(integers(7, 9), real(100, 32).requires_grad_(), mode="max").sum().backward()
    x = real(20, 50).requires_grad_()
    F.binary_cross_entropy(x.sigmoid(), torch.rand_like(x)).backward()
    F.nll_loss(real(4, 5, 6, 6).log_softmax(1).requires_grad_(), integers(4, 6, 6, high=5)).backward()
    F.ctc_loss(real(12, 3, 20).log_softmax(2).requires_grad_(), integers(3, 5, high=18) + 1,
               torch.full((3,), 12), torch.full((3,), 5)).backward()
    F.multi_margin_loss(x, integers(20, high=50)).backward()
    F.multilabel_margin_loss(x, integers(20, 50, high=50))  # the kernel of its backward pass has a race
    F.triplet_margin_loss(x, real(20, 50), real(20, 50)).backward()
    F.poisson_nll_loss(x, real(20, 50).abs()).backward()
    torch.cdist(real(30, 8), real(40, 8)), torch.cdist(real(30, 8), real(40, 8), p=1), F.pdist(real(30, 8))
    F.pairwise_distance(real(30, 8), real(30, 8)), torch.renorm(real(30, 8), 2, 0, 1)
    torch.cross(real(30, 3), real(30, 3), dim=1)


@group
def random_numbers():
    for dtype in (torch.float32, torch.bfloat16, torch.float64):
        x = torch.empty(40, 70, device=DEVICE, dtype=dtype)
        for name in "uniform_ normal_ exponential_ geometric_ cauchy_ log_normal_ bernoulli_".split():
            getattr(x, name)(*([0.3] if name == "geometric_" else []))
        F.dropout(real(40, 70, dtype=dtype), 0.2)
        torch.bernoulli(torch.rand(40, 70, device=DEVICE, dtype=dtype))
    torch.randint(0, 9, (40, 70), device=DEVICE), torch.randint(0, 1 << 40, (40, 70), device=DEVICE)
    torch.multinomial(torch.rand(6, 50, device=DEVICE), 4), torch.multinomial(torch.rand(6, 50, device=DEVICE), 4, True)
    torch.poisson(torch.rand(40, 70, device=DEVICE) * 8)
    torch.binomial(torch.full((40,), 9.0, device=DEVICE), torch.full((40,), 0.4, device=DEVICE))
    torch._standard_gamma(torch.rand(40, device=DEVICE) + 1)
    torch._sample_dirichlet(torch.rand(5, 6, device=DEVICE) + 1)
    F.rrelu(real(40, 70), training=True), F.alpha_dropout(real(40, 70), 0.2, True), F.gumbel_softmax(real(40, 70))


@group
def normalizations():
    for dtype in (torch.float32, torch.bfloat16):
        x = real(4, 8, 10, 12, dtype=dtype).requires_grad_()
        F.layer_norm(x, (12,), real(12, dtype=dtype)).sum().backward()
        F.layer_norm(x, (10, 12)).sum().backward()
        F.group_norm(x, 2, real(8, dtype=dtype)).sum().backward()
        F.instance_norm(x).sum().backward()
        F.rms_norm(x, (12,)).sum().backward()
        F.local_response_norm(x, 3).sum().backward()
        norm = torch.nn.BatchNorm2d(8).to(DEVICE, dtype)
        norm(x).sum().backward()
        norm.eval()(x)
        torch.nn.BatchNorm1d(12).to(DEVICE, dtype)(real(9, 12, dtype=dtype).requires_grad_()).sum().backward()
        with torch.backends.cudnn.flags(enabled=False):
            torch.nn.BatchNorm2d(8).to(DEVICE, dtype)(x).sum().backward()
            torch.nn.BatchNorm2d(8).to(DEVICE, dtype)(x.to(memory_format=torch.channels_last)).sum().backward()
        torch.nn.utils.weight_norm(torch.nn.Linear(12, 8).to(DEVICE, dtype))(x).sum().backward()


@group
def convolutions():
    torch.backends.cudnn.deterministic = True  # some kernels add up gradients with atomics
    for dtype in (torch.float32, torch.bfloat16, torch.float16):
        for layer, shape in ((torch.nn.Conv2d(4, 8, 3), (2, 4, 12, 12)), (torch.nn.Conv1d(4, 8, 3), (2, 4, 40)),
                             (torch.nn.Conv2d(8, 8, 3, groups=8), (2, 8, 12, 12)), (torch.nn.Conv2d(16, 16, 1), (2, 16, 8, 8)),
                             (torch.nn.ConvTranspose2d(4, 8, 3, 2), (2, 4, 7, 7)), (torch.nn.Conv3d(2, 4, 3), (1, 2, 6, 6, 6)),
                             (torch.nn.Conv2d(4, 8, 5, 2, 2, 2), (2, 4, 20, 20))):
            x = real(*shape, dtype=dtype).requires_grad_()
            layer.to(DEVICE, dtype)(x).sum().backward()
            if len(shape) == 4:
                layer(x.detach().to(memory_format=torch.channels_last))
        with torch.backends.cudnn.flags(enabled=False):
            for layer, channels in ((torch.nn.Conv2d(4, 8, 3), 4), (torch.nn.Conv2d(8, 8, 3, groups=8), 8)):
                layer.to(DEVICE, dtype)(real(2, channels, 12, 12, dtype=dtype).requires_grad_()).sum().backward()


@group
def pools_and_images():
    for dtype in (torch.float32, torch.bfloat16):
        x = real(2, 4, 13, 14, dtype=dtype).requires_grad_()
        last = x.detach().to(memory_format=torch.channels_last).requires_grad_()
        for y in (x, last):
            F.max_pool2d(y, 3, 2).sum().backward()
            F.avg_pool2d(y, 3, 2).sum().backward()
            F.adaptive_avg_pool2d(y, (5, 4)).sum().backward()
            F.interpolate(y, scale_factor=2, mode="nearest").sum().backward()
            F.interpolate(y, scale_factor=2, mode="bilinear").sum().backward()
        F.adaptive_max_pool2d(x, (5, 4)).sum().backward()
        F.interpolate(x, scale_factor=1.7, mode="bicubic")
        F.interpolate(x, size=(5, 6), mode="bilinear", antialias=True)
        F.max_pool1d(x[0], 3).sum().backward()
        F.lp_pool2d(x, 2, 3).sum().backward()
        F.interpolate(x[0], scale_factor=2, mode="linear").sum().backward()
        y = real(1, 2, 6, 7, 8, dtype=dtype).requires_grad_()
        F.max_pool3d(y, 2).sum().backward()
        F.avg_pool3d(y, 2).sum().backward()
        F.interpolate(y, scale_factor=2, mode="trilinear")
    x, places = real(2, 4, 13, 14).requires_grad_(), torch.rand(2, 6, 6, 2, device=DEVICE) * 2 - 1
    for mode in ("bilinear", "nearest", "bicubic"):
        F.grid_sample(x, places, mode, align_corners=False).sum().backward()
    F.affine_grid(real(2, 2, 3), (2, 4, 6, 6), align_corners=False)
    values, at = F.max_pool2d(x, 2, return_indices=True)
    F.max_unpool2d(values, at, 2), F.fractional_max_pool2d(x, 3, (5, 5))


@group
def products():
    for dtype in (torch.float32, torch.float64, torch.float16, torch.bfloat16):
        for m, n, k in ((64, 64, 64), (100, 30, 70), (128, 256, 512), (5, 300, 40)):
            torch.mm(real(m, k, dtype=dtype), real(k, n, dtype=dtype))
            torch.addmm(real(n, dtype=dtype), real(m, k, dtype=dtype), real(n, k, dtype=dtype).t())
        torch.bmm(real(3, 40, 50, dtype=dtype), real(3, 50, 60, dtype=dtype))
        torch.mv(real(200, 300, dtype=dtype), real(300, dtype=dtype))
        torch.dot(real(3000, dtype=dtype), real(3000, dtype=dtype))
        torch.outer(real(30, dtype=dtype), real(40, dtype=dtype))
        torch.addr(real(30, 40, dtype=dtype), real(30, dtype=dtype), real(40, dtype=dtype))
        torch.einsum("bij,bkj->bik", real(3, 16, 24, dtype=dtype), real(3, 32, 24, dtype=dtype))
    torch.backends.cuda.matmul.allow_tf32 = True
    for m, n, k in ((64, 64, 64), (128, 256, 512), (256, 128, 64), (100, 30, 70)):
        torch.mm(real(m, k), real(k, n))
        torch.mm(real(m, k), real(n, k).t())
    torch.backends.cuda.matmul.allow_tf32 = False
    torch._int_mm(integers(64, 64, dtype=torch.int8), integers(64, 64, dtype=torch.int8))
    a, b = real(64, 64).to(torch.float8_e4m3fn), real(64, 64).to(torch.float8_e4m3fn).t()
    one = torch.tensor(1.0, device=DEVICE)
    torch._scaled_mm(a, b, one, one, out_dtype=torch.bfloat16)


@group
def attention():
    from torch.nn.attention import SDPBackend, sdpa_kernel
    for backend in (SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.CUDNN_ATTENTION,
                    SDPBackend.MATH):
        for dtype in (torch.bfloat16, torch.float16, torch.float32):
            for causal in (False, True):
                try:
                    q, k, v = (real(1, 2, 64, 64, dtype=dtype).requires_grad_() for _ in range(3))
                    with sdpa_kernel(backend):
                        F.scaled_dot_product_attention(q, k, v, is_causal=causal).sum().backward()
                except RuntimeError:
                    pass  # FlashAttention has no float32


@group
def transforms():
    for n in (64, 100, 128, 243, 1000, 127, 2048):
        x = real(3, n)
        torch.fft.rfft(x), torch.fft.fft(x.to(torch.complex64)), torch.fft.irfft(torch.fft.rfft(x))
        torch.fft.ifft(x.to(torch.complex64))
        torch.fft.rfft(x.double())
    torch.fft.fft2(real(2, 30, 40)), torch.fft.rfft2(real(2, 32, 64)), torch.fft.fftshift(real(20, 20))
    torch.fft.hfft(real(40).to(torch.complex64))
    torch.stft(real(2, 400), 64, return_complex=True, window=torch.hann_window(64, device=DEVICE))


@group
def linear_algebra():
    for dtype in (torch.float32, torch.float64):
        a = real(24, 24, dtype=dtype)
        spd = a @ a.t() + 24 * torch.eye(24, device=DEVICE, dtype=dtype)
        torch.linalg.cholesky(spd), torch.linalg.inv(spd), torch.linalg.solve(spd, a), torch.linalg.det(a)
        torch.linalg.qr(a)
        torch.linalg.eigh(spd), torch.linalg.svd(a), torch.linalg.lu(a)
        torch.linalg.solve_triangular(torch.triu(spd), a, upper=True)
        torch.linalg.matrix_exp(a / 24), torch.linalg.pinv(a), torch.linalg.matrix_power(a, 3)
        torch.cholesky_inverse(spd)
        batch = spd.repeat(5, 1, 1)
        torch.linalg.cholesky(batch), torch.linalg.inv(batch), torch.linalg.lu(batch), torch.linalg.qr(batch)


@group
def recurrent():
    for dtype in (torch.float32, torch.bfloat16):
        for kind in (torch.nn.LSTM, torch.nn.GRU, torch.nn.RNN):
            layer = kind(16, 32, 2, batch_first=True).to(DEVICE, dtype)
            layer(real(3, 5, 16, dtype=dtype).requires_grad_())[0].sum().backward()
        torch.nn.LSTMCell(16, 32).to(DEVICE, dtype)(real(3, 16, dtype=dtype))[0].sum().backward()
        torch.nn.GRUCell(16, 32).to(DEVICE, dtype)(real(3, 16, dtype=dtype)).sum().backward()


@group
def optimizers():
    for kind, options in ((torch.optim.SGD, {"momentum": 0.9}), (torch.optim.Adam, {}), (torch.optim.AdamW, {"fused": True}),
                          (torch.optim.Adam, {"amsgrad": True}), (torch.optim.RMSprop, {}), (torch.optim.Adagrad, {}),
                          (torch.optim.Adadelta, {}), (torch.optim.SGD, {"fused": True}), (torch.optim.NAdam, {}),
                          (torch.optim.Rprop, {}), (torch.optim.Adamax, {})):
        model = torch.nn.Sequential(torch.nn.Linear(20, 30), torch.nn.Linear(30, 4)).to(DEVICE)
        optimizer = kind(model.parameters(), lr=0.01, **options)
        model(real(5, 20)).square().sum().backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    scaler = torch.amp.GradScaler("cuda")
    layer = torch.nn.Linear(20, 4).to(DEVICE)
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
    scaler.scale(layer(real(5, 20)).sum()).backward()
    scaler.step(optimizer)
    scaler.update()


@group
def other_types():
    c = torch.complex(real(20, 30), real(20, 30))
    for name in "abs angle exp log sin cos tanh sqrt reciprocal conj_physical square sigmoid".split():
        getattr(torch, name)(c)
    c * c, c / c, c + 1, c.sum(), c.prod(0), c.mean(1), torch.polar(real(20), real(20)), c @ c.t()
    torch.view_as_real(c).contiguous()
    q = torch.quantize_per_tensor(real(20, 30), 0.1, 10, torch.quint8)
    q.dequantize(), torch.fake_quantize_per_tensor_affine(real(20, 30), 0.1, 0, 0, 255)
    for dtype in (torch.float8_e4m3fn, torch.float8_e5m2):
        real(20, 30).to(dtype).to(torch.float32), real(20, 30, dtype=torch.bfloat16).to(dtype)
    s = torch.sparse_coo_tensor(integers(2, 60, high=20), real(60), (20, 20)).coalesce()
    torch.sparse.mm(s, real(20, 8)), s.to_dense(), s.to_sparse_csr() @ real(20, 8), s + s, torch.sparse.sum(s, 0)
    torch.segment_reduce(real(30), "max", lengths=torch.tensor([10, 5, 15], device=DEVICE))
    torch.trapezoid(real(20, 30)), torch.cumulative_trapezoid(real(20, 30)), torch.corrcoef(real(6, 40))
    torch.gradient(real(50))
    torch.histogram(torch.rand(50), 5), torch.kron(real(4, 5), real(6, 7)), torch.cov(real(6, 40))
    torch.tensordot(real(4, 5), real(5, 6), 1)


def main():
    names = sys.argv[1:] or list(GROUPS)
    for timed in (False, True):  # the first time loads libraries and selects kernels
        torch.manual_seed(2)
        for name in names:
            try:
                if timed:
                    with torch.autograd.profiler.emit_nvtx():
                        GROUPS[name]()
                else:
                    GROUPS[name]()
                torch.cuda.synchronize()
            except Exception as error:  # a group that this PyTorch does not have
                print(f"{name}: {type(error).__name__}: {str(error).splitlines()[0]}", file=sys.stderr)


main()
