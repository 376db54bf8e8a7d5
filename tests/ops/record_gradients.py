#!/usr/bin/env python3
"""Records PyTorch's gradients, tapes and autocast types for tests/ops/autograd_test.cpp.

    python3 tests/ops/record_gradients.py > tests/ops/data/gradients.json

Needs PyTorch with a CUDA device (for the autocast cases alone; all others run on the CPU). The cases are the same in
every run. A case is a list of ATen calls on numbered tensors: first the inputs, then the result of each call; the last
one is the result. From it back to the inputs with a given upstream gradient.
"""
import json
import math
import random
import sys

import torch

TYPES = {"f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32, "f64": torch.float64}
NAMES = {v: k for k, v in TYPES.items()}


def T(i):
    return {"t": i}


def I(v):
    return {"i": v}


def F(v, keyword=None):
    return {"f": v, **({"k": keyword} if keyword else {})}


def S(*v):
    return {"s": list(v)}


def D(v, keyword=None):
    return {"d": v, **({"k": keyword} if keyword else {})}


def B(v):
    return {"b": v}


N = {"n": 0}


def op_of(name):
    packet, _, overload = name.removeprefix("aten::").partition(".")
    return getattr(getattr(torch.ops.aten, packet), overload or "default")


def call(name, arguments, tensors):
    positional, keywords = [], {}
    for a in arguments:
        keyword = a.get("k")
        ((kind, value),) = [(k, v) for k, v in a.items() if k != "k"]
        value = {"t": lambda: tensors[value], "d": lambda: TYPES[value], "n": lambda: None}.get(kind, lambda: value)()
        if keyword:
            keywords[keyword] = value
        else:
            positional.append(value)
    return op_of(name)(*positional, **keywords)


class Case:
    def __init__(self, name, *inputs):
        """An input: sizes, or (sizes, dtype), values in 0.2 .. 2 with 3 decimals; positive ones have "+"."""
        self.name = name
        self.random = random.Random(name)
        self.inputs = []
        self.steps = []
        self.autocast = None
        for given in inputs:
            sizes, dtype = given if isinstance(given, tuple) else (given, None)
            positive = sizes and sizes[0] == "+"
            sizes = sizes[1:] if positive else sizes
            self.inputs.append({"sizes": sizes, "values": self.values(math.prod(sizes), positive)})
            if dtype:
                self.inputs[-1]["dtype"] = dtype

    def values(self, count, positive=False):
        return [
            round(self.random.uniform(0.2, 2) * (1 if positive or self.random.random() < 0.5 else -1), 3)
            for _ in range(count)
        ]

    def do(self, name, *arguments):
        self.steps.append([name, list(arguments)])
        return self

    def evaluate(self, dtype, device="cpu"):
        tensors = [
            torch.tensor(i["values"], dtype=TYPES[i.get("dtype", dtype)], device=device)
            .reshape(i["sizes"])
            .requires_grad_()
            for i in self.inputs
        ]
        for name, arguments in self.steps:
            tensors.append(call(name, arguments, tensors))
        return tensors

    def backward(self, dtype, device="cpu"):
        tensors = self.evaluate(dtype, device)
        result = tensors[-1]
        if not hasattr(self, "upstream"):
            self.upstream = self.values(result.numel())
        gradient = torch.tensor(self.upstream, dtype=result.dtype, device=device).reshape(result.shape)
        names = tape(result)
        result.backward(gradient)
        return result, [t.grad for t in tensors[: len(self.inputs)]], names

    def record(self):
        out = {"name": self.name, "inputs": self.inputs, "steps": self.steps}
        if self.autocast:
            out["autocast"] = self.autocast
            with torch.autocast("cuda", dtype=TYPES[self.autocast]):
                tensors = self.evaluate("f32", "cuda")
            result = tensors[-1]
            self.upstream = self.values(result.numel())
            result.backward(torch.tensor(self.upstream, dtype=result.dtype, device="cuda").reshape(result.shape))
            runs = {"f32": (result, [t.grad for t in tensors[: len(self.inputs)]], None)}
        else:
            runs = {dtype: self.backward(dtype) for dtype in ("f64", "f32")}
            out["tape"] = runs["f64"][2]
        out["upstream"] = self.upstream
        for dtype, (result, gradients, _) in runs.items():
            out[dtype] = {
                "result": tensor(result),
                "gradients": [None if g is None else tensor(g) for g in gradients],
            }
        return out


def tensor(t):
    digits = 17 if t.dtype == torch.float64 else 9
    values = [float(f"{v:.{digits}g}") for v in t.detach().double().cpu().contiguous().flatten().tolist()]
    return {"dtype": NAMES[t.dtype], "sizes": list(t.shape), "values": values}


def tape(result):
    """Names of the nodes, sorted, each node once."""
    seen, open_, names = set(), [result.grad_fn], []
    while open_:
        node = open_.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        names.append(node.name().removeprefix("struct "))
        open_ += [n for n, _ in node.next_functions]
    return sorted(names)


def each_op():
    yield Case("add", [2, 3], [2, 3]).do("aten::add.Tensor", T(0), T(1))
    yield Case("add, alpha", [2, 3], [2, 3]).do("aten::add.Tensor", T(0), T(1), F(2.5, "alpha"))
    yield Case("add, broadcast", [2, 1, 3], [4, 1]).do("aten::add.Tensor", T(0), T(1))
    yield Case("add, scalar tensor", [2, 3], []).do("aten::add.Tensor", T(0), T(1))
    yield Case("add, number", [2, 3]).do("aten::add.Tensor", T(0), F(2.5))
    yield Case("sub, broadcast", [3], [2, 3]).do("aten::sub.Tensor", T(0), T(1))
    yield Case("sub, alpha", [3], [3]).do("aten::sub.Tensor", T(0), T(1), F(0.5, "alpha"))
    yield Case("rsub", [2, 3]).do("aten::rsub.Scalar", T(0), F(2.0))
    yield Case("mul, broadcast", [2, 3], [2, 1]).do("aten::mul.Tensor", T(0), T(1))
    yield Case("mul, number", [2, 3]).do("aten::mul.Tensor", T(0), I(3))
    yield Case("mul, itself", [2, 3]).do("aten::mul.Tensor", T(0), T(0))
    yield Case("div, broadcast", [2, 3], [3]).do("aten::div.Tensor", T(0), T(1))
    yield Case("div, number", [2, 3]).do("aten::div.Tensor", T(0), F(-1.5))
    yield Case("reciprocal", [2, 3]).do("aten::reciprocal", T(0))
    for name in ("neg", "relu", "exp"):
        yield Case(name, [2, 3]).do(f"aten::{name}", T(0))
    yield Case("sqrt", ["+", 2, 3]).do("aten::sqrt", T(0))
    yield Case("threshold_backward", [2, 3], [2, 3]).do("aten::threshold_backward", T(0), T(1), I(0))
    yield Case("mm", [2, 3], [3, 4]).do("aten::mm", T(0), T(1))
    yield Case("mm, transposed", [3, 2], [4, 3]).do("aten::t", T(0)).do("aten::t", T(1)).do("aten::mm", T(2), T(3))
    yield Case("mm, itself", [3, 3]).do("aten::mm", T(0), T(0))
    yield Case("bmm", [2, 2, 3], [2, 3, 2]).do("aten::bmm", T(0), T(1))
    yield Case("mv", [2, 3], [3]).do("aten::mv", T(0), T(1))
    yield Case("dot", [4], [4]).do("aten::dot", T(0), T(1))
    for a, b in (
        ([3], [3]),
        ([2, 3], [3]),
        ([3], [3, 2]),
        ([2, 3], [3, 2]),
        ([2, 2, 3], [3]),
        ([2, 2, 3], [3, 2]),
        ([3], [2, 3, 2]),
        ([2, 3], [2, 3, 2]),
        ([2, 2, 3], [2, 3, 2]),
        ([2, 1, 2, 3], [3, 3, 1]),
        ([1, 2, 3], [2, 3, 1]),
    ):
        yield Case(f"matmul {a} {b}", a, b).do("aten::matmul", T(0), T(1))
    yield Case("matmul, batch not viewable", [2, 3, 2], [2, 2]).do("aten::transpose.int", T(0), I(0), I(1)).do(
        "aten::matmul", T(2), T(1)
    )
    yield Case("sum", [2, 3]).do("aten::sum", T(0))
    yield Case("sum, scalar", []).do("aten::sum", T(0))
    yield Case("sum, cast", [2, 3]).do("aten::sum", T(0), D("f64", "dtype"))
    yield Case("sum over 0", [2, 3]).do("aten::sum.dim_IntList", T(0), S(0))
    yield Case("sum over -1, kept", [2, 3]).do("aten::sum.dim_IntList", T(0), S(-1), B(True))
    yield Case("sum over two", [2, 3, 2]).do("aten::sum.dim_IntList", T(0), S(2, 0))
    yield Case("sum over none", [2, 3]).do("aten::sum.dim_IntList", T(0), S())
    yield Case("sum over all, kept", [2, 3]).do("aten::sum.dim_IntList", T(0), N, B(True))
    yield Case("t", [2, 3]).do("aten::t", T(0))
    yield Case("t of a vector", [3]).do("aten::t", T(0))
    yield Case("numpy_T", [2, 3, 2]).do("aten::numpy_T", T(0))
    yield Case("transpose", [2, 3, 2]).do("aten::transpose.int", T(0), I(0), I(-1))
    yield Case("permute", [2, 3, 2]).do("aten::permute", T(0), S(1, -1, 0))
    yield Case("slice", [5, 2]).do("aten::slice.Tensor", T(0), I(0), I(1), I(-1), I(2))
    yield Case("slice, open", [2, 5]).do("aten::slice.Tensor", T(0), I(1), N, I(3), I(1))
    yield Case("select", [3, 4]).do("aten::select.int", T(0), I(1), I(-1))
    yield Case("expand", [2, 1]).do("aten::expand", T(0), S(3, -1, 2))
    yield Case("view", [2, 6]).do("aten::view", T(0), S(3, -1))
    yield Case("reshape, a view", [2, 6]).do("aten::reshape", T(0), S(4, 3))
    yield Case("reshape, a copy", [2, 6]).do("aten::t", T(0)).do("aten::reshape", T(1), S(-1))
    yield Case("contiguous", [2, 3]).do("aten::t", T(0)).do("aten::contiguous", T(1))
    yield Case("squeeze", [2, 1]).do("aten::squeeze.dim", T(0), I(1))
    yield Case("squeeze, nothing", [2, 3]).do("aten::squeeze.dim", T(0), I(1))
    yield Case("unsqueeze", [2, 3]).do("aten::unsqueeze", T(0), I(-1))
    yield Case("clone", [2, 3]).do("aten::clone", T(0))
    yield Case("to another type", [2, 3]).do("aten::to.dtype", T(0), D("f16"))
    yield Case("_to_copy", [2, 3]).do("aten::_to_copy", T(0), D("bf16", "dtype"))
    yield Case("slice_backward", [2, 2]).do("aten::slice_backward", T(0), S(2, 5), I(1), I(1), I(5), I(2))
    yield Case("select_backward", [2]).do("aten::select_backward", T(0), S(2, 3), I(1), I(2))
    yield Case("types meet in a sum", ([2, 3], "f16"), [2, 3]).do("aten::add.Tensor", T(0), T(1))
    yield Case("types meet in a product", ([2, 3], "bf16"), [3]).do("aten::mul.Tensor", T(0), T(1))
    yield Case("in place: add_", [2, 3], [3]).do("aten::neg", T(0)).do("aten::add_.Tensor", T(2), T(1)).do(
        "aten::exp", T(2)
    )
    yield Case("in place: mul_", [2, 3], [2, 3]).do("aten::neg", T(0)).do("aten::mul_.Tensor", T(2), T(1))
    yield Case("in place: mul_ by a number", [2, 3]).do("aten::neg", T(0)).do("aten::mul_.Tensor", T(1), F(0.5))
    yield Case("in place: relu_", [2, 3]).do("aten::neg", T(0)).do("aten::relu_", T(1))
    yield Case("in place: copy_", [2, 3], [3]).do("aten::neg", T(0)).do("aten::copy_", T(2), T(1))
    yield Case("in place: fill_", [2, 3], [3]).do("aten::neg", T(0)).do("aten::fill_.Scalar", T(2), F(3.0)).do(
        "aten::mul.Tensor", T(2), T(1)
    )
    yield Case("in place: zero_", [2, 3], [3]).do("aten::neg", T(0)).do("aten::zero_", T(2)).do(
        "aten::mul.Tensor", T(2), T(1)
    )


def at_random(number):
    """A few ops on what is there; everything that no later op took is added up in the end."""
    case = Case(f"random {number}", [2, 3], [3, 2], [3])
    r = case.random
    shapes = [[2, 3], [3, 2], [3]]
    unused = set()

    def add(shape, name, *arguments):
        case.do(name, *arguments)
        shapes.append(shape)
        unused.difference_update(a["t"] for a in arguments if "t" in a)
        unused.add(len(shapes) - 1)
        return len(shapes) - 1

    def positive(i):
        return add(shapes[i], "aten::exp", T(add(shapes[i], "aten::mul.Tensor", T(i), F(0.25))))

    for _ in range(r.randint(2, 7)):
        i = r.randrange(len(shapes))
        shape = shapes[i]
        kind = r.choice(["unary", "binary", "binary", "number", "product", "product", "view", "view", "sum"])
        if kind == "unary":
            name = r.choice(["neg", "relu", "exp", "sqrt"])
            if name == "exp":
                positive(i)
            else:
                add(shape, f"aten::{name}", T(positive(i) if name == "sqrt" else i))
        elif kind == "number":
            op = r.choice(["add.Tensor", "sub.Tensor", "mul.Tensor", "div.Tensor", "rsub.Scalar"])
            add(shape, f"aten::{op}", T(i), r.choice([I(2), F(0.75), F(-1.25)]))
        elif kind == "binary":
            fitting = []
            for j, other in enumerate(shapes):
                try:
                    fitting.append((j, list(torch.broadcast_shapes(shape, other))))
                except RuntimeError:
                    pass
            j, both = r.choice(fitting)
            if math.prod(both) > 40:
                continue
            name = r.choice(["add", "sub", "mul", "div"])
            add(both, f"aten::{name}.Tensor", T(i), T(positive(j) if name == "div" else j))
        elif kind == "product" and shape:
            fitting = []
            for j, other in enumerate(shapes):
                try:
                    fitting.append((j, list(torch.matmul(torch.empty(shape), torch.empty(other)).shape)))
                except RuntimeError:
                    pass
            fitting = [f for f in fitting if math.prod(f[1]) <= 40]
            if fitting:
                j, both = r.choice(fitting)
                add(both, "aten::matmul", T(i), T(j))
        elif kind == "view" and shape:
            dim = r.randrange(len(shape))
            view = r.choice(["T", "slice", "select", "unsqueeze", "expand", "reshape"])
            if view == "T":
                add(shape[::-1], "aten::numpy_T", T(i))
            elif view == "slice" and shape[dim] > 1:
                start = r.randrange(shape[dim] - 1)
                step = r.choice([1, 2])
                size = len(range(start, shape[dim], step))
                add(shape[:dim] + [size] + shape[dim + 1 :], "aten::slice.Tensor", T(i), I(dim), I(start), N, I(step))
            elif view == "select":
                add(shape[:dim] + shape[dim + 1 :], "aten::select.int", T(i), I(dim), I(r.randrange(shape[dim])))
            elif view == "unsqueeze" and len(shape) < 4:
                add(shape[:dim] + [1] + shape[dim:], "aten::unsqueeze", T(i), I(dim))
            elif view == "expand" and math.prod(shape) <= 12 and len(shape) < 4:
                add([2] + shape, "aten::expand", T(i), S(2, *shape))
            elif view == "reshape":
                add([math.prod(shape)], "aten::reshape", T(i), S(-1))
        elif kind == "sum" and shape:
            dim, keep = r.randrange(len(shape)), r.random() < 0.5
            rest = shape[:dim] + ([1] if keep else []) + shape[dim + 1 :]
            add(rest, "aten::sum.dim_IntList", T(i), S(dim), B(keep))
    ends = sorted(unused) or [0]
    total = None
    for i in ends:
        part = add([], "aten::sum", T(i))
        total = part if total is None else add([], "aten::add.Tensor", T(total), T(part))
    return case


def autocast():
    def case(name, *inputs):
        made = Case(f"autocast: {name}", *inputs)
        made.autocast = "f16"
        return made

    yield case("mm", [2, 3], [3, 2]).do("aten::mm", T(0), T(1))
    yield case("matmul, then exp", [2, 3], [3, 2]).do("aten::matmul", T(0), T(1)).do("aten::exp", T(2))
    yield case("matmul of vectors", [3], [3]).do("aten::matmul", T(0), T(1))
    yield case("bmm", [2, 2, 3], [2, 3, 2]).do("aten::bmm", T(0), T(1))
    yield case("mv", [2, 3], [3]).do("aten::mv", T(0), T(1))
    yield case("dot of two types", ([3], "f16"), [3]).do("aten::dot", T(0), T(1))
    yield case("dot of one type", ([3], "f16"), ([3], "f16")).do("aten::dot", T(0), T(1))
    yield case("sum", ([2, 3], "f16")).do("aten::sum", T(0))
    yield case("sum over a dimension", ([2, 3], "f16")).do("aten::sum.dim_IntList", T(0), S(0))
    yield case("reciprocal", ([2, 3], "f16")).do("aten::reciprocal", T(0))
    yield case("add", ([2, 3], "f16"), [2, 3]).do("aten::add.Tensor", T(0), T(1))
    yield case("relu", ([2, 3], "f16")).do("aten::relu", T(0))
    yield case("not f64", ([2, 3], "f64"), ([3, 2], "f64")).do("aten::mm", T(0), T(1))


def profile(name, inputs, run):
    """What the profiler says of ops and regions: [depth, name, sequence number], in order; below depth 0 of the way
    forward and 1 of the way back the ops are PyTorch's own business, and left out."""
    tensors = [torch.ones(sizes, requires_grad=True) for sizes in inputs]
    run(*tensors)  # warm
    tensors = [torch.ones(sizes, requires_grad=True) for sizes in inputs]
    first = None
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as p:
        run(*tensors)
    rows = []

    def walk(event, depth, back):
        nonlocal first
        region = event.name.startswith("autograd::engine") or "Backward" in event.name or "Accumulate" in event.name
        if not event.name.startswith(("aten::", "autograd::", "torch::autograd")) and not region:
            return
        number = getattr(event, "sequence_nr", -1)
        if first is None and number >= 0:
            first = number
        rows.append([depth, event.name, number - first if number >= 0 else -1])
        if region or event.name in ("aten::matmul",):
            for child in sorted(event.cpu_children, key=lambda e: e.time_range.start):
                walk(child, depth + 1, back)

    events = sorted((e for e in p.events() if e.cpu_parent is None), key=lambda e: e.time_range.start)
    for event in events:
        walk(event, 0, False)
    return {"name": name, "inputs": inputs, "rows": rows}


def main():
    cases = [c.record() for c in each_op()] + [at_random(i).record() for i in range(60)]
    cases += [c.record() for c in autocast()]
    aten = torch.ops.aten
    profiles = [
        profile("relu(a @ b)", [[4, 3], [3, 4]], lambda a, b: aten.sum(aten.relu(aten.matmul(a, b))).backward()),
        profile("a * b + a", [[4], [4]], lambda a, b: aten.sum(aten.add.Tensor(aten.mul.Tensor(a, b), a)).backward()),
        profile("a + b broadcast", [[2, 3], [3]], lambda a, b: aten.sum(aten.add.Tensor(a, b)).backward()),
    ]
    print(f'{{"pytorch": {json.dumps(torch.__version__)},\n"profiles": [')
    print(",\n".join(json.dumps(p, separators=(",", ":")) for p in profiles))
    print('],\n"cases": [')
    print(",\n".join(json.dumps(c, separators=(",", ":")) for c in cases))
    print("]}")


if __name__ == "__main__":
    sys.exit(main())
