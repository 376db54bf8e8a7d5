#!/usr/bin/env python3
"""Records what PyTorch does with tensors: geometry of views, broadcasting, types of results, results of ops.

    python3 record_tensors.py FOLDER     writes FOLDER/views.json and FOLDER/results.json (seconds, fixed seed)

On the CPU, but for f16 and bf16 with one value for an operand, which PyTorch's CPU code rounds to their type or not by
the op: there it asks the GPU, whose rule is one for all (numbers are not rounded, tensors are).

The tests geometry_test, promotion_test and cpu_test compare with them. Floats are kept as the hex of their bytes.
"""
import json
import random
import sys

import torch

DTYPES = {"f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32, "f64": torch.float64,
          "i32": torch.int32, "i64": torch.int64}
NAMES = {dtype: name for name, dtype in DTYPES.items()}
FLOATS = ["f16", "bf16", "f32", "f64"]
INTS = ["i32", "i64"]
rng = random.Random(20)


# ---- views ----------------------------------------------------------------------------------------------------------

def random_op(t):
    """An op and its arguments; about one in eight has arguments that do not fit."""
    n = t.dim()
    dim = lambda extra=0: rng.randint(-n - extra, n - 1 + extra) if n + extra else rng.choice([-1, 0])
    slip = 1 if rng.random() < 0.12 else 0
    kind = rng.choice(["transpose", "permute", "slice", "select", "expand", "squeeze", "unsqueeze", "view"])
    if kind == "transpose":
        return [kind, dim(slip), dim()]
    if kind == "permute":
        order = list(range(n))
        rng.shuffle(order)
        if slip and n:
            order[0] = order[-1]
        elif slip:
            order = [0]
        return [kind, [d - n if rng.random() < 0.3 else d for d in order]]
    if kind == "slice":
        bound = lambda: rng.choice([None, rng.randint(-7, 7), rng.randint(0, 3)])
        return [kind, dim(slip), bound(), bound(), rng.choice([1, 1, 2, 3, 0 if slip else 5])]
    if kind == "select":
        d = dim()
        size = t.shape[d] if n else 1
        return [kind, d, rng.randint(-size - slip, max(size - 1, 0) + slip)]
    if kind == "expand":
        sizes = [rng.choice([s, -1]) if s != 1 else rng.choice([1, -1, 2, 3]) for s in t.shape]
        sizes = [rng.choice([1, 1, 2, 3]) for _ in range(rng.choice([0, 0, 1, 2]))] + sizes
        if slip:
            sizes = sizes[1:] if rng.random() < 0.5 else [s + 1 for s in sizes] + [-1] * (n == 0)
        return [kind, sizes[:6] if n <= 4 else sizes]
    if kind == "squeeze":
        return [kind, dim(slip)]
    if kind == "unsqueeze":
        return [kind, rng.randint(-n - 1 - slip, n + slip)] if n < 6 else ["squeeze", dim()]
    return [kind, view_sizes(t, slip)]


def view_sizes(t, slip=0):
    """Sizes that have as many elements: dimensions split and joined, sometimes with a -1."""
    sizes = list(t.shape)
    for _ in range(rng.randint(1, 3)):
        what = rng.randint(0, 2)
        if what == 0 and len(sizes) > 1:
            at = rng.randrange(len(sizes) - 1)
            sizes[at:at + 2] = [sizes[at] * sizes[at + 1]]
        elif what == 1 and sizes:
            at = rng.randrange(len(sizes))
            divisors = [k for k in range(1, sizes[at] + 1) if sizes[at] % k == 0]
            if divisors:
                k = rng.choice(divisors)
                sizes[at:at + 1] = [k, sizes[at] // k]
        else:
            sizes.insert(rng.randint(0, len(sizes)), 1)
    sizes = sizes[:7] if len(sizes) > 7 else sizes
    if sizes and rng.random() < 0.25:
        sizes[rng.randrange(len(sizes))] = -1
    if slip:
        sizes.append(rng.choice([-1, 0, 2, -2]))
    return sizes


def apply(t, op):
    kind, *a = op
    if kind == "slice":
        return torch.ops.aten.slice.Tensor(t, *a)
    return getattr(t, kind)(*a)


def geometry(t):
    return [list(t.shape), list(t.stride()), t.storage_offset(), int(t.is_contiguous())]


def record_chain():
    sizes = [rng.choice([1, 2, 3, 4, 5, 2, 3, 0 if rng.random() < 0.2 else 6]) for _ in range(rng.choice([0, 1, 2, 2, 3, 3, 4]))]
    count = 1
    for s in sizes:
        count *= s
    t = torch.arange(count).view(sizes)
    case = {"sizes": sizes, "steps": []}
    for _ in range(rng.randint(1, 5)):
        op = random_op(t)
        try:
            t = apply(t, op)
        except (RuntimeError, IndexError, ValueError, TypeError):
            case["steps"].append([op, None])
            break
        case["steps"].append([op, geometry(t)])
    if t.numel() <= 48:
        case["elements"] = t.reshape(-1).tolist()
    case["views"] = []
    for _ in range(2):
        wanted = view_sizes(t)
        try:
            case["views"].append([wanted, geometry(t.view(wanted))])
        except RuntimeError:
            case["views"].append([wanted, None])
    return case


def record_broadcast():
    full = [rng.randint(1, 5) if rng.random() < 0.93 else 0 for _ in range(rng.randint(0, 5))]
    one = lambda: [s if rng.random() < 0.7 else 1 for s in full[rng.randint(0, len(full)):]]
    a, b = one(), one()
    if a and rng.random() < 0.3:
        a[rng.randrange(len(a))] = rng.randint(0, 4)
    try:
        return [a, b, list(torch.broadcast_shapes(a, b))]
    except RuntimeError:
        return [a, b, None]


def record_promotion():
    operands = [[d, kind] for d in DTYPES for kind in ("tensor", "zero_dim")] + [["i64", "number"], ["f64", "number"]]

    def make(operand):
        d, kind = operand
        if kind == "number":
            return 3 if d == "i64" else 3.5
        return torch.ones([2] if kind == "tensor" else [], dtype=DTYPES[d])

    return [[a, b, NAMES[torch.result_type(make(a), make(b))]] for a in operands for b in operands]


# ---- results --------------------------------------------------------------------------------------------------------

def hex_of(t):
    return bytes(t.reshape(-1).contiguous().view(torch.uint8).tolist()).hex()


def special(name):
    """Values at which arithmetic goes wrong first."""
    dtype = DTYPES[name]
    if name in INTS:
        info = torch.iinfo(dtype)
        return [0, 1, -1, info.max, info.min, info.max - 1, 2, 1000, -46341, 65536, 7, -3]
    info = torch.finfo(dtype)
    return [0.0, -0.0, 1.0, -1.0, float("nan"), float("inf"), -float("inf"), info.max, info.min, info.tiny,
            -info.tiny / 4, info.tiny / 2, info.eps, 1 + info.eps, 0.1, -2.5, 3.0]


def values(name, count, tame=False):
    """Random values, and special ones unless tame."""
    pool = [] if tame else special(name)
    pick = (lambda: rng.randint(-50, 50)) if name in INTS else (lambda: rng.uniform(-3, 3) * 2.0 ** rng.randint(-3, 3))
    out = [rng.choice(pool) if pool and rng.random() < 0.45 else pick() for _ in range(count)]
    return torch.tensor(out, dtype=torch.float64 if name in FLOATS else torch.int64).to(DTYPES[name])


def tensor(name, sizes, layout="row", tame=False):
    """A tensor on a storage of its own. Layouts: row-major, dimensions reversed, every second element from the third
    on, the first dimension expanded."""
    make = lambda s: values(name, int(torch.Size(s).numel()), tame).view(s)
    if layout == "reversed":
        return make(sizes[::-1]).permute(*range(len(sizes) - 1, -1, -1))
    if layout == "stepped":
        return make(sizes[:-1] + [2 * sizes[-1] + 2])[..., 2::2]
    if layout == "expanded":
        return make([1] + sizes[1:]).expand(sizes)
    return make(sizes)


def argument(a):
    if isinstance(a, torch.Tensor):
        whole = a.as_strided([a.untyped_storage().nbytes() // a.element_size()], [1], 0)
        return {"t": NAMES[a.dtype], "sizes": list(a.shape), "strides": list(a.stride()), "offset": a.storage_offset(),
                "hex": hex_of(whole)}
    if isinstance(a, bool):
        return {"bool": a}
    if isinstance(a, int):
        return {"i": a}
    if isinstance(a, float):
        return {"f": hex_of(torch.tensor([a], dtype=torch.float64))}
    if isinstance(a, torch.dtype):
        return {"dtype": NAMES[a]}
    return {"sizes": a} if isinstance(a, list) else None


def overload(op):
    name, _, which = op.partition(".")
    return getattr(getattr(torch.ops.aten, name), which or "default")


def gpu_decides(op, args):
    if op not in ("add.Tensor", "sub.Tensor", "mul.Tensor", "div.Tensor", "add_.Tensor", "mul_.Tensor"):
        return False
    # A division by a number becomes a product on the GPU.
    one = [a for a in args if (a.dim() == 0 if isinstance(a, torch.Tensor) else op != "div.Tensor")]
    return bool(one) and NAMES[torch.result_type(*args[:2])] in ("f16", "bf16")


def call(op, args):
    """sum's dtype is for keywords only, as alpha is."""
    if op == "sum.dim_IntList" and len(args) > 3:
        return overload(op)(*args[:3], dtype=args[3])
    if op in ("add.Tensor", "sub.Tensor", "add_.Tensor") and len(args) > 2:
        return overload(op)(*args[:2], alpha=args[2])
    return overload(op)(*args)


def record(op, *args):
    """The result in the result's type."""
    case = {"op": op, "args": [argument(a) for a in args]}
    if gpu_decides(op, args):
        args = [a.cuda() if isinstance(a, torch.Tensor) else a for a in args]
    try:
        out = call(op, args)
        case.update(dtype=NAMES[out.dtype], sizes=list(out.shape), out=hex_of(out))
    except (RuntimeError, IndexError, ValueError, TypeError) as error:
        case["error"] = str(error).splitlines()[0][:60]
    return case


def record_double(op, *args):
    """The type of the result, the result of float64 inputs, and of their magnitudes (sums: how large rounding is)."""
    case = {"op": op, "args": [argument(a) for a in args]}
    out = call(op, args)
    double = call(op, [a.double() if isinstance(a, torch.Tensor) else a for a in args])
    case.update(dtype=NAMES[out.dtype], sizes=list(out.shape), double=hex_of(double))
    if op != "exp":
        sums = call(op, [a.double().abs() if isinstance(a, torch.Tensor) else a for a in args])
        case["magnitude"] = hex_of(sums)
    return case


def exact_or_double(name):
    return record if name in INTS else record_double


LAYOUTS = ["row", "reversed", "stepped", "expanded"]


def record_elementwise():
    cases = []
    for name in DTYPES:
        for op in ["add.Tensor", "sub.Tensor", "mul.Tensor", "div.Tensor"]:
            cases.append(record(op, tensor(name, [40]), tensor(name, [40])))
            cases.append(record(op, tensor(name, [2, 3, 4], rng.choice(LAYOUTS)), tensor(name, [3, 1], rng.choice(LAYOUTS[:3]))))
            cases.append(record(op, tensor(name, [9]), rng.choice([2, -3, 7])))
            cases.append(record(op, tensor(name, [3, 3], "reversed"), rng.choice([0.1, 1.7, -2.3e-3])))
            other = rng.choice(list(DTYPES))
            cases.append(record(op, tensor(name, [5]), tensor(other, [], tame=True)))
            cases.append(record(op, tensor(other, [], tame=True), tensor(name, [5])))
        for op in ["neg", "relu", "sqrt"]:
            cases.append(record(op, tensor(name, [24])))
            cases.append(record(op, tensor(name, [2, 3, 2], rng.choice(LAYOUTS[1:]))))
        cases.append(record_double("exp", tensor(name, [32])))
        cases.append(record_double("exp", tensor(name, [3, 4], "stepped", tame=True)))
        cases.append(record("threshold_backward", tensor(name, [20]), tensor(name, [20]), 0))
        cases.append(record("threshold_backward", tensor(name, [3, 4], "stepped"), tensor(name, [3, 4], "reversed"), 1))
        cases.append(record("relu_", tensor(name, [3, 4], "stepped")))
        cases.append(record("add_.Tensor", tensor(name, [3, 4], "stepped"), tensor(name, [4])))
        cases.append(record("mul_.Tensor", tensor(name, [3, 4], "reversed"), tensor(name, [3, 1])))
        cases.append(record("fill_.Scalar", tensor(name, [2, 3], "stepped"), rng.choice([3, -2])))
        cases.append(record("add.Tensor", tensor(name, [6], tame=True), tensor(name, [6], tame=True), 2))
        cases.append(record("sub.Tensor", tensor(name, [6], tame=True), tensor(name, [6], tame=True), 4))
        for other in DTYPES:
            cases.append(record("add.Tensor", tensor(name, [4], tame=True), tensor(other, [4], tame=True)))
            cases.append(record("div.Tensor", tensor(name, [3], tame=True), tensor(other, [3], tame=True)))
            cases.append(record("add_.Tensor", tensor(name, [3], tame=True), tensor(other, [3], tame=True)))
            cases.append(record("mul_.Tensor", tensor(name, [3], tame=True), tensor(other, [], tame=True)))
            # Floats beyond an integer's range are left to the machine in PyTorch.
            tame = other in FLOATS and name in INTS
            cases.append(record("copy_", tensor(name, [2, 6], "stepped", tame=True), tensor(other, [6] if tame else [2, 6], tame=tame)))
    for value in [2.5, -1, 70000, 1e39, float("inf"), float("nan"), 2 ** 31, 2 ** 53 + 1, 3e9, -1e19]:
        cases += [record("fill_.Scalar", tensor(name, [2]), value) for name in DTYPES]
    return cases


def record_sums():
    cases = []
    for name in DTYPES:
        do = exact_or_double(name)
        cases.append(do("mm", tensor(name, [5, 9], tame=True), tensor(name, [9, 11], "reversed", tame=True)))
        cases.append(do("mm", tensor(name, [9, 3], "stepped"), tensor(name, [3, 2], "expanded")))
        cases.append(do("mm", tensor(name, [2, 0]), tensor(name, [0, 3])))
        cases.append(do("bmm", tensor(name, [2, 3, 4], "stepped", tame=True), tensor(name, [2, 4, 2], "reversed", tame=True)))
        cases.append(do("bmm", tensor(name, [3, 2, 3], "expanded", tame=True), tensor(name, [3, 3, 1], tame=True)))
        cases.append(do("mv", tensor(name, [4, 13], "reversed", tame=True), tensor(name, [13], "stepped", tame=True)))
        cases.append(do("dot", tensor(name, [31], tame=True), tensor(name, [31], "stepped", tame=True)))
        cases.append(do("sum", tensor(name, [40], tame=True)))
        cases.append(do("sum", tensor(name, [9])))
        cases.append(do("sum", tensor(name, [])))
        for dims, keep in [([0], False), ([-1], True), ([0, 2], False), ([1], False), ([], True), (None, False)]:
            cases.append(do("sum.dim_IntList", tensor(name, [3, 4, 2], rng.choice(LAYOUTS), tame=True), dims, keep))
        cases.append(do("sum.dim_IntList", tensor(name, [2, 0, 3]), [1], False))
        cases.append(do("sum.dim_IntList", tensor(name, []), [-1], True))
        cases.append(record("sum.dim_IntList", tensor(name, [4], tame=True), None, False, torch.float64))
    return cases


def record_errors():
    f, i = lambda *s: tensor("f32", list(s), tame=True), lambda *s: tensor("i32", list(s), tame=True)
    return [record(*case) for case in [
        ("mm", f(2, 3), f(2, 3)), ("mm", f(2, 3), f(3)), ("mm", f(2, 3), i(3, 2)), ("mm", f(1, 2, 3), f(3, 2)),
        ("bmm", f(2, 2, 3), f(1, 3, 2)), ("bmm", f(2, 2, 3), f(2, 2, 3)), ("bmm", f(2, 3), f(3, 2)),
        ("mv", f(2, 3), f(2)), ("mv", f(3), f(3)), ("dot", f(3), f(4)), ("dot", f(3), f(1, 3)),
        ("add.Tensor", f(2, 3), f(2)), ("add.Tensor", i(2), i(2), 1.5), ("add.Tensor", i(2), f(2), 1.5),
        ("add_.Tensor", f(3), f(2, 3)), ("add_.Tensor", f(2, 3), f(3)), ("add_.Tensor", i(3), f(3)),
        ("add_.Tensor", i(3), 1.5), ("mul_.Tensor", i(3), 2), ("mul_.Tensor", tensor("f32", [3, 2], "expanded"), 2),
        ("fill_.Scalar", tensor("f32", [3, 2], "expanded"), 2), ("relu_", tensor("f32", [3, 2], "expanded")),
        ("copy_", tensor("f32", [3, 2], "expanded"), f(3, 2)), ("copy_", f(2), f(3)), ("copy_", f(2), f(1, 2)),
        ("copy_", f(2), f(2, 2)), ("sum.dim_IntList", f(2, 3), [2], False), ("sum.dim_IntList", f(2, 3), [0, -2], False),
        ("sum.dim_IntList", f(), [1], False), ("sum.dim_IntList", f(), [0, 0], False)]]


def write(path, lists):
    with open(path, "w") as out:
        out.write("{" + json.dumps("pytorch") + ": " + json.dumps(torch.__version__))
        for key, cases in lists.items():
            lines = (json.dumps(case, separators=(",", ":")) for case in cases)
            out.write(",\n" + json.dumps(key) + ": [\n" + ",\n".join(lines) + "\n]")
        out.write("}\n")


def main():
    folder = sys.argv[1]
    torch.set_num_threads(1)
    write(folder + "/views.json", {"chains": [record_chain() for _ in range(320)],
                                   "broadcasts": [record_broadcast() for _ in range(150)],
                                   "promotions": record_promotion()})
    write(folder + "/results.json", {"elementwise": record_elementwise(), "sums": record_sums(),
                                     "errors": record_errors()})


if __name__ == "__main__":
    main()
