"""Triton kernels for record_frameworks.py, compiled for several architectures without running them.

    python3 tests/sass/triton_kernels.py FOLDER     writes FOLDER/KERNEL-NUMBER.ARCHITECTURE.cubin
"""
import itertools
import multiprocessing
import os
import sys

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from triton.language.extra import libdevice

ARCHITECTURES = (75, 80, 86, 89, 90)


@triton.jit
def vector_add(x, y, o, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    tl.store(o + i, tl.load(x + i, mask=m) + tl.load(y + i, mask=m), mask=m)

@triton.jit
def softmax(x, o, stride, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    v = tl.load(x + row * stride + i, mask=i < n, other=-float("inf")).to(tl.float32)
    v = tl.exp(v - tl.max(v, 0))
    tl.store(o + row * stride + i, v / tl.sum(v, 0), mask=i < n)

@triton.jit
def layer_norm(x, w, b, o, mean, rstd, stride, n, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    acc = tl.zeros([BLOCK], tl.float32)
    for off in range(0, n, BLOCK):
        i = off + tl.arange(0, BLOCK)
        acc += tl.load(x + row * stride + i, mask=i < n, other=0.).to(tl.float32)
    mu = tl.sum(acc, 0) / n
    acc = tl.zeros([BLOCK], tl.float32)
    for off in range(0, n, BLOCK):
        i = off + tl.arange(0, BLOCK)
        v = tl.load(x + row * stride + i, mask=i < n, other=0.).to(tl.float32)
        v = tl.where(i < n, v - mu, 0.)
        acc += v * v
    r = 1 / tl.sqrt(tl.sum(acc, 0) / n + eps)
    tl.store(mean + row, mu)
    tl.store(rstd + row, r)
    for off in range(0, n, BLOCK):
        i = off + tl.arange(0, BLOCK)
        m = i < n
        v = (tl.load(x + row * stride + i, mask=m, other=0.).to(tl.float32) - mu) * r
        tl.store(o + row * stride + i, v * tl.load(w + i, mask=m) + tl.load(b + i, mask=m), mask=m)

@triton.jit
def matmul(a, b, c, M, N, K, sam, sak, sbk, sbn, scm, scn, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, G: tl.constexpr, P: tl.constexpr):
    pid = tl.program_id(0)
    npm = tl.cdiv(M, BM)
    npn = tl.cdiv(N, BN)
    g = pid // (G * npn)
    first = g * G
    size = min(npm - first, G)
    pm = first + (pid % (G * npn)) % size
    pn = (pid % (G * npn)) // size
    rm = (pm * BM + tl.arange(0, BM)) % M
    rn = (pn * BN + tl.arange(0, BN)) % N
    rk = tl.arange(0, BK)
    pa = a + rm[:, None] * sam + rk[None, :] * sak
    pb = b + rk[:, None] * sbk + rn[None, :] * sbn
    acc = tl.zeros((BM, BN), dtype=tl.int32 if a.dtype.element_ty == tl.int8 else tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        va = tl.load(pa, mask=rk[None, :] < K - k * BK, other=0)
        vb = tl.load(pb, mask=rk[:, None] < K - k * BK, other=0)
        if a.dtype.element_ty == tl.float32:
            acc = tl.dot(va, vb, acc, input_precision=P)
        else:
            acc = tl.dot(va, vb, acc, out_dtype=acc.dtype)
        pa += BK * sak
        pb += BK * sbk
    om = pm * BM + tl.arange(0, BM)
    on = pn * BN + tl.arange(0, BN)
    pc = c + om[:, None] * scm + on[None, :] * scn
    tl.store(pc, acc.to(c.dtype.element_ty), mask=(om[:, None] < M) & (on[None, :] < N))

@triton.jit
def matmul_descriptors(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    da = tl.make_tensor_descriptor(a, shape=[M, K], strides=[K, 1], block_shape=[BM, BK])
    db = tl.make_tensor_descriptor(b, shape=[N, K], strides=[K, 1], block_shape=[BN, BK])
    dc = tl.make_tensor_descriptor(c, shape=[M, N], strides=[N, 1], block_shape=[BM, BN])
    pn = tl.cdiv(N, BN)
    total = tl.cdiv(M, BM) * pn
    for t in range(tl.program_id(0), total, tl.num_programs(0)):
        m = t // pn * BM
        n = t % pn * BN
        acc = tl.zeros((BM, BN), tl.float32)
        for k in range(tl.cdiv(K, BK)):
            acc = tl.dot(da.load([m, k * BK]), db.load([n, k * BK]).T, acc)
        dc.store([m, n], acc.to(c.dtype.element_ty))

@triton.jit
def matmul_specialized(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    da = tl.make_tensor_descriptor(a, shape=[M, K], strides=[K, 1], block_shape=[BM, BK])
    db = tl.make_tensor_descriptor(b, shape=[N, K], strides=[K, 1], block_shape=[BN, BK])
    dc = tl.make_tensor_descriptor(c, shape=[M, N], strides=[N, 1], block_shape=[BM, BN])
    m = tl.program_id(0) * BM
    n = tl.program_id(1) * BN
    acc = tl.zeros((BM, BN), tl.float32)
    for k in tl.range(0, tl.cdiv(K, BK), warp_specialize=True):
        acc = tl.dot(da.load([m, k * BK]), db.load([n, k * BK]).T, acc)
    dc.store([m, n], acc.to(c.dtype.element_ty))

@triton.jit
def attention(q, k, v, o, L, scale, sz, sm, N, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, CAUSAL: tl.constexpr):
    start = tl.program_id(0) * BM
    base = tl.program_id(1) * sz
    om = start + tl.arange(0, BM)
    on = tl.arange(0, BN)
    od = tl.arange(0, D)
    vq = tl.load(q + base + om[:, None] * sm + od[None, :])
    mi = tl.zeros([BM], tl.float32) - float("inf")
    li = tl.zeros([BM], tl.float32) + 1.0
    acc = tl.zeros([BM, D], tl.float32)
    hi = N
    if CAUSAL:
        hi = start + BM
    for s in range(0, hi, BN):
        vk = tl.load(k + base + (s + on)[None, :] * sm + od[:, None])
        qk = tl.dot(vq, vk) * scale
        if CAUSAL:
            qk = tl.where(om[:, None] >= (s + on)[None, :], qk, -1.0e6)
        mn = tl.maximum(mi, tl.max(qk, 1))
        p = tl.math.exp2(qk - mn[:, None])
        alpha = tl.math.exp2(mi - mn)
        li = li * alpha + tl.sum(p, 1)
        acc = acc * alpha[:, None]
        vv = tl.load(v + base + (s + on)[:, None] * sm + od[None, :])
        acc = tl.dot(p.to(vv.dtype), vv, acc)
        mi = mn
    tl.store(L + tl.program_id(1) * N + om, mi + tl.math.log2(li))
    tl.store(o + base + om[:, None] * sm + od[None, :], (acc / li[:, None]).to(o.dtype.element_ty))

@triton.jit
def reductions(x, o, idx, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    r = tl.program_id(0)
    v = tl.load(x + r * n + i, mask=i < n, other=0)
    tl.store(o + r * 4, tl.sum(v, 0))
    tl.store(o + r * 4 + 1, tl.max(v, 0))
    tl.store(o + r * 4 + 2, tl.min(v, 0))
    tl.store(idx + r * 2, tl.argmax(v, 0))
    tl.store(idx + r * 2 + 1, tl.argmin(v, 0))

@triton.jit
def scans(x, o, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n, other=0)
    tl.store(o + i, tl.cumsum(v, 0), mask=i < n)
    tl.store(o + n + i, tl.cumprod(v, 0), mask=i < n)

@triton.jit
def sorts(x, o, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(o + i, tl.sort(tl.load(x + i)))

@triton.jit
def atomics(x, o, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    tl.atomic_add(o + i % 16, v, mask=i < n)
    tl.atomic_add(o + 32 + i % 8, v, mask=i < n, sem="release", scope="cta")
    tl.store(o + 64 + i, tl.atomic_add(o + 16, v), mask=i < n)

@triton.jit
def integer_atomics(x, o, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    v = tl.load(x + i, mask=m)
    tl.atomic_max(o + i % 3, v, mask=m)
    tl.atomic_min(o + i % 5, v, mask=m)
    tl.atomic_and(o + i % 7, v, mask=m)
    tl.atomic_or(o + i % 7, v, mask=m, scope="sys")
    tl.atomic_xor(o + i % 7, v, mask=m)
    a = tl.atomic_xchg(o + i, v, mask=m)
    b = tl.atomic_cas(o + i, a, v)
    tl.store(x + i, b, mask=m)

@triton.jit
def histogram(x, o, BLOCK: tl.constexpr, BINS: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(o + tl.arange(0, BINS), tl.histogram(tl.load(x + i), BINS))

@triton.jit
def random_numbers(o, seed, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(o + i, tl.rand(seed, i))
    tl.store(o + 65536 + i, tl.randn(seed, i))

@triton.jit
def functions(x, o, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    v = tl.load(x + i, mask=m).to(tl.float32)
    s = tl.exp(v) + tl.log(v) + tl.sin(v) + tl.cos(v) + tl.sqrt(v) + tl.rsqrt(v) + tl.erf(v) + tl.exp2(v) + tl.log2(v) + tl.abs(v) + tl.floor(v) + tl.ceil(v) + tl.sigmoid(v)
    s += libdevice.tanh(v) + libdevice.pow(v, 1.7) + libdevice.atan2(v, s) + libdevice.fmod(v, 3.0) + libdevice.expm1(v) + libdevice.log1p(v) + libdevice.rint(v) + libdevice.lgamma(v)
    tl.store(o + i, tl.math.div_rn(s, v) + tl.math.fma(s, v, 3.0) + tl.sqrt_rn(v), mask=m)

@triton.jit
def doubles(x, o, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    v = tl.load(x + i, mask=m)
    tl.store(o + i, libdevice.exp(v) + libdevice.log(v) + libdevice.sin(v) + v / 3.0 + libdevice.sqrt(v) + v.to(tl.int64).to(tl.float64), mask=m)

@triton.jit
def integers(x, y, o, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    a = tl.load(x + i, mask=m)
    b = tl.load(y + i, mask=m)
    c = a // b + a % b + (a << 3) + (a >> 5) + (a ^ b) + (a & ~b) + tl.minimum(a, b) + tl.maximum(a, 7) + tl.abs(a)
    tl.store(o + i, tl.where(a > b, c, -c), mask=m)

@triton.jit
def high_products(x, y, o, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    a = tl.load(x + i)
    b = tl.load(y + i)
    tl.store(o + i, tl.umulhi(a, b) + libdevice.popc(a.to(tl.int32)).to(tl.uint32) + libdevice.clz(b.to(tl.int32)).to(tl.uint32) + libdevice.brev(a.to(tl.int32)).to(tl.uint32))

@triton.jit
def convert(x, o, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    tl.store(o + i, tl.load(x + i, mask=m).to(o.dtype.element_ty), mask=m)

@triton.jit
def transpose(x, o, M, N, B: tl.constexpr):
    r = tl.program_id(0) * B + tl.arange(0, B)
    c = tl.program_id(1) * B + tl.arange(0, B)
    v = tl.load(x + r[:, None] * N + c[None, :], mask=(r[:, None] < M) & (c[None, :] < N))
    tl.store(o + c[:, None] * M + r[None, :], v.T, mask=(r[None, :] < M) & (c[:, None] < N))

@triton.jit
def gather(x, idx, o, n, D: tl.constexpr):
    r = tl.program_id(0)
    j = tl.load(idx + r)
    tl.device_assert(j < n)
    d = tl.arange(0, D)
    tl.store(o + r * D + d, tl.load(x + j.to(tl.int64) * D + d, cache_modifier=".cg"), cache_modifier=".cs")

@triton.jit
def cross_entropy(x, t, o, n, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    v = tl.load(x + r * n + i, mask=i < n, other=-float("inf")).to(tl.float32)
    mx = tl.max(v, 0)
    lse = tl.log(tl.sum(tl.exp(v - mx), 0)) + mx
    tl.store(o + r, lse - tl.load(x + r * n + tl.load(t + r)).to(tl.float32))

@triton.jit
def low_precision(x, o, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i)
    w = tl.load(x + 65536 + i)
    tl.store(o + i, tl.maximum(v * w + v, w - v) * 2)

def jobs():
    f = ["*fp16", "*bf16", "*fp32"]
    J = []
    def add(fn, sig, const, warps=4, stages=3, only=None):
        J.append((fn, sig, const, warps, stages, only))
    for t in f + ["*fp64", "*i32", "*i64", "*i8"]:
        add(vector_add, [t, t, t, "i32"], {"BLOCK": 1024})
        add(transpose, [t, t, "i32", "i32"], {"B": 64})
    for t in f:
        for b in (256, 4096):
            add(softmax, [t, t, "i32", "i32"], {"BLOCK": b}, 8 if b > 1000 else 2)
        add(layer_norm, [t] * 4 + ["*fp32", "*fp32", "i32", "i32", "fp32"], {"BLOCK": 1024}, 8)
        add(cross_entropy, [t, "*i64", "*fp32", "i32"], {"BLOCK": 2048})
        add(functions, [t, t, "i32"], {"BLOCK": 256})
        add(atomics, [t, t, "i32"], {"BLOCK": 256})
        add(low_precision, [t, t], {"BLOCK": 1024})
        add(gather, [t, "*i32", t, "i32"], {"D": 512})
    add(atomics, ["*fp64", "*fp64", "i32"], {"BLOCK": 256})
    add(doubles, ["*fp64", "*fp64", "i32"], {"BLOCK": 256})
    for t in ("*i32", "*i64", "*u32"):
        add(integer_atomics, [t, t, "i32"], {"BLOCK": 256})
    for t in ("*i8", "*i16", "*i32", "*i64", "*u8", "*u32"):
        add(integers, [t, t, t, "i32"], {"BLOCK": 512})
    add(high_products, ["*u32", "*u32", "*u32"], {"BLOCK": 512})
    for t in f + ["*i32", "*i64", "*fp64"]:
        add(reductions, [t, t, "*i32", "i32"], {"BLOCK": 1024})
        add(scans, [t, t, "i32"], {"BLOCK": 512})
    for t in ("*fp32", "*i32", "*fp16"):
        add(sorts, [t, t], {"BLOCK": 512})
    add(histogram, ["*i32", "*i32"], {"BLOCK": 1024, "BINS": 128})
    add(random_numbers, ["*fp32", "i32"], {"BLOCK": 512})
    types = ["*fp16", "*bf16", "*fp32", "*fp64", "*fp8e5", "*fp8e4nv", "*i8", "*i32", "*u8"]
    for a, b in itertools.permutations(types, 2):
        add(convert, [a, b, "i32"], {"BLOCK": 512})
    six = ["i32"] * 9
    for t, o in (("*fp16", "*fp16"), ("*bf16", "*bf16"), ("*fp32", "*fp32"), ("*i8", "*i32"), ("*fp8e5", "*fp16"), ("*fp8e4nv", "*fp32"), ("*fp64", "*fp64")):
        for (bm, bn, bk, w, s) in ((128, 128, 32, 4, 3), (64, 64, 64, 4, 4), (128, 256, 64, 8, 3), (16, 32, 64, 1, 2)):
            for p in (("tf32", "tf32x3", "ieee") if t == "*fp32" else ("tf32",)):
                if t == "*fp64" and bm * bn > 4096:
                    continue
                add(matmul, [t, t, o] + six, {"BM": bm, "BN": bn, "BK": bk, "G": 8, "P": p}, w, s)
    for t in ("*fp16", "*bf16", "*fp32", "*fp8e4nv"):
        for (bm, bn, bk, w) in ((128, 128, 64, 4), (128, 256, 64, 8), (64, 64, 128, 4)):
            add(matmul_descriptors, [t, t, t, "i32", "i32", "i32"], {"BM": bm, "BN": bn, "BK": bk}, w, 3, 90)
            add(matmul_specialized, [t, t, t, "i32", "i32", "i32"], {"BM": bm, "BN": bn, "BK": bk}, w, 3, 90)
    for t in ("*fp16", "*bf16"):
        for d, bm, bn, w in ((64, 128, 64, 4), (128, 128, 64, 8), (32, 64, 32, 4)):
            for causal in (False, True):
                add(attention, [t] * 4 + ["*fp32", "fp32", "i32", "i32", "i32"], {"D": d, "BM": bm, "BN": bn, "CAUSAL": causal}, w, 3)
    return J

def compile_one(job):
    """Returns an error, or None. Some types and shapes do not exist on older architectures."""
    index, capability, folder = job
    fn, types, constants, warps, stages, only = jobs()[index]
    if only and capability != only:
        return None
    signature = dict(zip(fn.arg_names, types))
    signature.update({name: "constexpr" for name in constants})
    attributes = {(i,): [["tt.divisibility", 16]] for i, t in enumerate(types)
                  if t.startswith("*") or (t == "i32" and index % 3)}
    try:
        source = ASTSource(fn=fn, signature=signature, constexprs=constants, attrs=attributes)
        made = triton.compile(source, target=GPUTarget("cuda", capability, 32),
                              options={"num_warps": warps, "num_stages": stages})
    except Exception as error:
        return f"{fn.__name__} {types} for sm_{capability}: {type(error).__name__}"
    with open(os.path.join(folder, f"{fn.__name__}-{index}.{capability}.cubin"), "wb") as file:
        file.write(made.asm["cubin"])
    return None


def main():
    folder = sys.argv[1]
    os.environ.setdefault("TRITON_CACHE_DIR", os.path.join(folder, "cache"))
    todo = [(i, capability, folder) for i in range(len(jobs())) for capability in ARCHITECTURES]
    with multiprocessing.get_context("fork").Pool() as pool:
        failed = [error for error in pool.imap_unordered(compile_one, todo) if error]
    print(f"Triton: {len(todo) - len(failed)} of {len(todo)} compiled")


if __name__ == "__main__":
    main()
