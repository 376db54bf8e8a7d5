#!/usr/bin/env python3
"""Records how PyTorch dispatches: python3 tests/story/dispatch/record_dispatch.py FILE.json

Needs PyTorch 2.11 and a GPU. The key set of tensors and threads bit by bit, the dispatch table of ops, what a call runs
under different settings, which element types a kernel exists for, and which signature a
Python call is matched with. The labs about the dispatcher and about writing a kernel are compared with this file.
"""
import json
import re
import sys
import traceback
import warnings

import torch
import torch.nn.functional as F
from torch.utils._python_dispatch import TorchDispatchMode

C = torch._C
OUT = {"pytorch": torch.__version__, "gpu": torch.cuda.get_device_name(), "problems": []}
OPS = [
    "relu", "relu_", "add.Tensor", "add_.Tensor", "mul.Tensor", "mm", "addmm", "bmm", "matmul", "linear", "t",
    "view", "transpose.int", "as_strided", "sum", "sum.dim_IntList", "mean", "mean.dim", "_softmax", "softmax.int",
    "exp", "gelu", "layer_norm", "native_layer_norm", "empty.memory_format", "zeros", "ones", "full", "to.dtype",
    "_to_copy", "copy_", "clone", "detach", "leaky_relu", "leaky_relu_", "leaky_relu_backward", "threshold_backward",
    "tanh", "sigmoid", "fill_.Scalar", "fill.Scalar", "zeros_like", "empty_like", "expand", "reshape", "maximum",
    "pow.Tensor_Scalar", "max",
]


def section(function):
    try:
        OUT[function.__name__] = function()
    except Exception:  # one failed part must not lose the others
        OUT["problems"].append(function.__name__ + ": " + traceback.format_exc()[-1500:])


def keyset(keys):
    return {"raw": keys.raw_repr(), "keys": re.findall(r"[A-Za-z_0-9]+", str(keys).replace("DispatchKeySet", ""))}


def names():
    """Every key with its number, as long as it has a name."""
    out = []
    for number in range(220):
        try:
            out.append(C._dispatch_key_name(C.DispatchKey(number)))
        except Exception as error:
            out.append("?" + str(error)[:40])
    return out


def bits():
    """What one bit means: together with the bit of CPU (bit 0), and each of the low bits with that of Dense."""
    single, with_cpu = [], []
    for bit in range(64):
        single.append(keyset(C.DispatchKeySet.from_raw_repr(1 << bit))["keys"])
        with_cpu.append(keyset(C.DispatchKeySet.from_raw_repr((1 << bit) | 1))["keys"])
    dense = C.DispatchKeySet(C.DispatchKey.Dense).raw_repr() if hasattr(C.DispatchKey, "Dense") else None
    if dense is None:
        cpu, cuda = (C._dispatch_keys(torch.zeros(1, device=d)).raw_repr() for d in ("cpu", "cuda"))
        dense = (cpu & cuda) & -(cpu & cuda)
    return {"single": single, "with_cpu": with_cpu, "dense": dense,
            "with_dense": [keyset(C.DispatchKeySet.from_raw_repr((1 << bit) | dense))["keys"] for bit in range(20)],
            "autograd_with": [keyset(C.DispatchKeySet(C._dispatch_key_parse("AutogradCUDA")))]}


def tensors():
    out = {}

    def add(name, make):
        try:
            out[name] = keyset(C._dispatch_keys(make()))
        except Exception as error:
            out[name] = {"error": str(error).splitlines()[0]}

    for device in ("cpu", "cuda", "meta"):
        add(device, lambda: torch.zeros(2, 2, device=device))
        add(device + " requires_grad", lambda: torch.zeros(2, 2, device=device, requires_grad=True))
        add(device + " f16", lambda: torch.zeros(2, 2, device=device, dtype=torch.float16))
        add(device + " i64", lambda: torch.zeros(2, 2, device=device, dtype=torch.int64))
        add(device + " complex", lambda: torch.zeros(2, 2, device=device, dtype=torch.complex64))
        add(device + " conj", lambda: torch.zeros(2, 2, device=device, dtype=torch.complex64).conj())
        add(device + " neg", lambda: torch.zeros(2, 2, device=device, dtype=torch.complex64).conj().imag)
        add(device + " transposed", lambda: torch.zeros(2, 3, device=device).t())
        add(device + " parameter", lambda: torch.nn.Parameter(torch.zeros(2, 2, device=device)))
        if device != "meta":
            add(device + " sparse_coo", lambda: torch.zeros(2, 2, device=device).to_sparse())
            add(device + " sparse_csr", lambda: torch.zeros(2, 2, device=device).to_sparse_csr())
            add(device + " nested", lambda: torch.nested.nested_tensor([torch.zeros(2, device=device)]))
            add(device + " jagged",
                lambda: torch.nested.nested_tensor([torch.zeros(2, device=device)], layout=torch.jagged))

        def inference():
            with torch.inference_mode():
                return torch.zeros(2, 2, device=device)
        add(device + " inference", inference)
    add("cpu quantized", lambda: torch.quantize_per_tensor(torch.zeros(2), 0.1, 0, torch.quint8))
    add("cpu mkldnn", lambda: torch.zeros(2, 2).to_mkldnn())
    add("cpu zerotensor", lambda: torch._efficientzerotensor(2))

    class Logging(torch.Tensor):
        @classmethod
        def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
            return func(*args, **(kwargs or {}))
    add("cpu subclass", lambda: torch.Tensor._make_wrapper_subclass(Logging, (2, 2)))
    for device in ("cpu", "cuda"):
        for transform in ("vmap", "grad", "functionalize"):
            def wrapped(x):
                out[f"{device} {transform}"] = keyset(C._dispatch_keys(x))
                out[f"thread include {transform}"] = keyset(C._dispatch_tls_local_include_set())
                out[f"thread exclude {transform}"] = keyset(C._dispatch_tls_local_exclude_set())
                return x.sum()
            try:
                getattr(torch.func, transform)(wrapped)(torch.ones(2, device=device))
            except Exception as error:
                out[f"{device} {transform}"] = {"error": str(error).splitlines()[0]}
    return out


def threads():
    """The keys that the thread adds to and takes from every call. The sets default_included_set and
    default_excluded_set of c10/core/DispatchKeySet.h are part of them."""
    def now():
        return {"include": keyset(C._dispatch_tls_local_include_set()),
                "exclude": keyset(C._dispatch_tls_local_exclude_set())}

    out = {"plain": now()}
    with torch.no_grad():
        out["no_grad"] = now()
    with torch.inference_mode():
        out["inference"] = now()
    for device in ("cuda", "cpu"):
        with torch.autocast(device, dtype=torch.bfloat16):
            out["autocast " + device] = now()
    with C._AutoDispatchBelowAutograd():
        out["below autograd"] = now()

    class Nothing(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            out.setdefault("inside dispatch mode", now())
            return func(*args, **(kwargs or {}))
    with Nothing():
        out["dispatch mode"] = now()
        torch.relu(torch.ones(2))

    class Function(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            out["inside autograd.Function"] = now()
            return x * 2

        @staticmethod
        def backward(ctx, g):
            out["inside backward"] = now()
            return g
    Function.apply(torch.ones(2, requires_grad=True)).sum().backward()
    return out


KEYS = ["CPU", "CUDA", "SparseCPU", "SparseCUDA", "SparseCsrCPU", "SparseCsrCUDA", "BackendSelect", "ADInplaceOrView",
        "AutogradCPU", "AutogradCUDA", "AutocastCPU", "AutocastCUDA"]


def table():
    """How an op's function at a key came there, and the file that registered it, as _dispatch_dump_table says."""
    out = {}
    for op in OPS:
        name = "aten::" + op
        rows = {}
        for line in C._dispatch_dump_table(name).splitlines():
            match = re.match(r"([A-Za-z_0-9]+): (.*) \[([a-z A-Z_]+)\]$", line)
            if not match or match[1] not in KEYS:
                continue
            key, where, how = match.groups()
            place = re.sub(r".*/pytorch/|:[0-9]+.*", "", where)
            rows[key] = ["fallthrough" if "fallthrough" in where else how, place]
        out[op] = rows
    return out


def schemas():
    return {op: re.search(r"^schema: (.*)$", C._dispatch_dump("aten::" + op), re.M)[1] for op in OPS}


CALLS = {
    "relu": lambda t: torch.relu(t["a"]), "add": lambda t: torch.add(t["a"], t["b"]),
    "add_number": lambda t: torch.add(t["a"], 2), "matmul": lambda t: torch.matmul(t["a"], t["b"]),
    "mm": lambda t: torch.mm(t["a"], t["b"]), "linear": lambda t: F.linear(t["a"], t["b"], t["c"]),
    "softmax": lambda t: torch.softmax(t["a"], 1), "sum": lambda t: torch.sum(t["a"]), "t": lambda t: t["a"].t(),
    "relu_": lambda t: (t["a"] * 1).relu_(), "zeros": lambda t: torch.zeros(2, 2, device=t["a"].device),
    "mean": lambda t: torch.mean(t["a"]), "leaky_relu": lambda t: F.leaky_relu(t["a"], 0.1),
}
MODES = {"grad": torch.enable_grad, "no_grad": torch.no_grad, "inference": torch.inference_mode,
         "autocast": None}
DTYPES = ["float16", "bfloat16", "float32", "float64", "int32", "int64", "uint8", "int8", "int16", "bool", "complex64",
          "float8_e4m3fn"]


def make(device, dtype=torch.float32, requires_grad=False):
    content = torch.arange(16, dtype=torch.float32).reshape(4, 4) / 4 - 1.5
    t = {"a": content, "b": content.t().contiguous(), "c": content[0].clone()}
    t = {name: value.to(dtype).to(device) for name, value in t.items()}
    if requires_grad:
        for value in t.values():
            value.requires_grad_()
    return t


def below(event, depth=0):
    """The ops inside an event in order, with their depth, and the kernels."""
    out = []
    for child in sorted(event.cpu_children, key=lambda e: e.time_range.start):
        if child.name.startswith("aten::"):
            out.append([depth, child.name])
        out += [["kernel", k.name[:90]] for k in child.kernels]
        out += below(child, depth + 1)
    return out


def runs():
    """What each call runs under each setting: ops by depth, GPU kernels, the result's type and node of the tape."""
    results, refused = {}, {}
    for _ in range(2):  # once for loading
        for name, call in CALLS.items():
            call(make("cuda"))
    torch.cuda.synchronize()
    activities = [torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA]
    with torch.profiler.profile(activities=activities) as prof:
        for device in ("cpu", "cuda"):
            for name, call in CALLS.items():
                for requires_grad in (False, True):
                    for mode in MODES:
                        label = f"{name} {device} float32 {mode}" + (" requires_grad" if requires_grad else "")
                        inputs = make(device, requires_grad=requires_grad)
                        context = torch.autocast(device, dtype=torch.bfloat16) if mode == "autocast" else MODES[mode]()
                        with context:
                            with torch.profiler.record_function("case " + label):
                                y = call(inputs)
                        results[label] = [str(y.dtype)[6:], y.grad_fn.name() if y.grad_fn is not None else None]
                for dtype in DTYPES:
                    label = f"{name} {device} {dtype} types"
                    try:
                        inputs = make(device, getattr(torch, dtype))
                        with torch.profiler.record_function("case " + label):
                            y = call(inputs)
                        results[label] = [str(y.dtype)[6:], None]
                    except Exception as error:
                        refused[label] = str(error).splitlines()[0][:160]
        torch.cuda.synchronize()
    inside = {}
    for event in prof.events():
        if event.name.startswith("case ") and event.name[5:] in results and str(event.device_type).endswith("CPU"):
            inside[event.name[5:]] = below(event)
    found = {label: result + [inside.get(label)] for label, result in results.items()}
    return found | {label: {"error": message} for label, message in refused.items()}


PARSED = [
    "torch.relu(a)", "torch.relu(input=a)", "torch.relu()", "torch.relu(a, b)", "torch.relu(x=a)",
    "torch.relu([1.0])", "torch.relu(2.0)", "torch.relu(None)", "torch.add(a, b)", "torch.add(a, 2)",
    "torch.add(2, a)", "torch.add(a, b, alpha=2)", "torch.add(a, 2, b)", "torch.add(a)", "torch.add(a, 'b')",
    "torch.add(a, b, 3)", "torch.add(a, b, beta=2)", "torch.add(a, other=b)", "torch.add(b, other=a, input=a)",
    "a + b", "a + 2", "2 + a", "a + 'b'", "torch.matmul(a, b)", "torch.matmul(a, 2)", "torch.matmul(a)",
    "torch.matmul(a, other=b)", "torch.mm(a, mat2=b)", "a @ b", "torch.sum(a)", "torch.sum(a, 1)",
    "torch.sum(a, (0, 1))", "torch.sum(a, 1, True)", "torch.sum(a, dim=1, keepdim=True)", "torch.sum(a, dim='rows')",
    "torch.sum(a, dtype=torch.float64)", "torch.sum(a, 1.5)", "torch.sum(a, keepdim=True)", "torch.softmax(a, 1)",
    "torch.softmax(a)", "torch.softmax(a, dim=1, dtype=torch.float64)", "F.linear(a, b)", "F.linear(a, b, c)",
    "F.linear(a)", "F.linear(a, b, bias=c)", "F.linear(a, 2)", "torch.zeros(2, 3)", "torch.zeros((2, 3))",
    "torch.zeros(2.5)", "torch.zeros('2')", "F.leaky_relu(a, 0.1)", "torch._C._nn.leaky_relu(a, 0.1)",
    "torch._C._nn.leaky_relu(a)", "torch._C._nn.leaky_relu(a, '0.1')",
    "torch._C._nn.leaky_relu(a, negative_slope=1)", "torch._C._nn.leaky_relu(a, slope=1)",
    "torch.zeros(2, device='cuda')", "torch.add(a, d)", "torch.add(a, torch.tensor(1.5).cuda())", "a.t()",
    "torch.t(a, 1)", "torch.t(a)", "torch.t(2.0)", "torch.relu_(a)", "a.relu_()", "torch.relu_(2.0)", "a.relu_(b)",
    "torch.mm(a, b)", "torch.mm(a, 2)", "torch.mm(a)", "torch.mean(a)", "torch.mean(a, dim=1)", "torch.mean(a, 1.5)",
    "torch.mean(2.0)", "torch.zeros(2, 3, 'x')", "torch.mm(b, mat2=a, input=a)", "torch.mm(a, 2.0)",
    "torch.matmul(a, 2.0)", "torch.relu(input=2.0)", "torch.add()", "torch.mm()", "torch.mean()", "torch.t()",
    "torch.zeros()", "torch.relu_()", "F.linear()", "torch.exp(a)", "torch.add(object())", "torch.mean(object())",
    "torch.sum(object())", "torch.zeros(object())", "torch.softmax(object())", "torch.add(a, object())",
    "torch.mean(a, object())", "torch.relu_(input=a)", "torch.relu_(a, b)", "torch.t(input=a)",
    "torch.mean(a, 1, True)", "torch.mean(a, keepdim=1)", "torch.mean(a, dim=(0, 1))", "torch.add(input=a, other=2)",
    "torch.zeros(size=(2, 3))", "torch.zeros(2, size=(2, 3))", "torch.linear(a, b)", "F.linear(a, weight=b)",
    "F.linear(input=a, weight=b, bias=c)", "torch.mm(a, b, b)", "torch.matmul(a, b, b)", "torch.mm('a', b)",
    "torch.zeros(2, 3.5)",
]


def parsed():
    """The overload that a Python call was matched with (the first op below the bindings), or the message."""
    t = make("cpu")
    scope = {"torch": torch, "F": F, **t, "d": make("cuda")["a"]}
    out = {}
    for text in PARSED:
        seen = []

        class See(TorchDispatchMode):
            def __torch_dispatch__(self, func, types, args=(), kwargs=None):
                seen.append(str(func))
                return func(*args, **(kwargs or {}))
        try:
            with See():
                eval(text, scope)
            with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as prof:
                eval(text, scope)
            first = [e.name for e in prof.events() if e.name.startswith("aten::") and e.cpu_parent is None][:2]
            out[text] = {"seen": seen[:4], "first": first}
        except Exception as error:
            out[text] = {"error": type(error).__name__ + ": " + str(error)[:1200]}
    return out


def mistakes():
    """What PyTorch does with an op that was registered with a mistake (the op of the lab about writing a kernel)."""
    out = {}
    library = torch.library.Library("warpwalk_lab", "DEF")

    def attempt(name, function):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                result = function()
            except Exception as error:
                result = {"error": type(error).__name__ + ": " + str(error)[:900]}
        if caught:
            result["warnings"] = [str(w.message)[:600] for w in caught]
        out[name] = result

    def forward(x, slope):
        return torch.where(x > 0, x, x * slope)

    library.define("leaky(Tensor self, float slope) -> Tensor")
    library.impl("leaky", forward, "CPU")

    def in_place(x: torch.Tensor, slope: float) -> None:
        values = x.detach().numpy()  # NumPy changes the elements without the dispatcher's knowledge
        values[values < 0] *= slope
    torch.library.custom_op("warpwalk_lab::leaky_right", in_place, mutates_args=("x",))
    torch.library.custom_op("warpwalk_lab::leaky_wrong", in_place, mutates_args=())
    ops = torch.ops.warpwalk_lab

    def no_derivative():
        x = torch.tensor([-2.0, 3.0], requires_grad=True)
        y = ops.leaky(x, 0.1)
        state = {"requires_grad": y.requires_grad, "grad_fn": y.grad_fn.name() if y.grad_fn else None}
        try:
            y.sum().backward()
            state["grad"] = None if x.grad is None else x.grad.tolist()
        except Exception as error:
            state["backward"] = type(error).__name__ + ": " + str(error)[:400]
        return state

    def alias(op):
        def run():
            x = torch.tensor([-2.0, 3.0], requires_grad=True)
            y = x * 1
            square = y * y  # keeps y
            before = y._version
            with torch.no_grad():
                op(y, 0.1)
            state = {"version": [before, y._version], "y": y.tolist()}
            try:
                square.sum().backward()
                state["grad"] = x.grad.tolist()
            except Exception as error:
                state["backward"] = type(error).__name__ + ": " + str(error)[:500]
            return state
        return run
    attempt("no derivative", no_derivative)
    attempt("right alias", alias(ops.leaky_right.default))
    attempt("wrong alias", alias(ops.leaky_wrong.default))
    attempt("no backend", lambda: {"value": str(ops.leaky(torch.ones(2, device="cuda"), 0.1))})
    whole = torch.ones(2, dtype=torch.int32, device="cuda")
    attempt("wrong type", lambda: {"value": str(torch._C._nn.leaky_relu(whole))})
    attempt("bad schema", lambda: {"value": str(library.define("bad(Tensor self, float slope -> Tensor"))})
    attempt("missing op", lambda: {"value": str(ops.nothing(torch.ones(2)))})
    attempt("opcheck wrong alias", lambda: {"value": str(torch.library.opcheck(
        ops.leaky_wrong.default, (torch.tensor([-1.0, 2.0]), 0.1), test_utils=("test_schema",)))})
    attempt("opcheck right alias", lambda: {"value": str(torch.library.opcheck(
        ops.leaky_right.default, (torch.tensor([-1.0, 2.0]), 0.1), test_utils=("test_schema",)))})
    return out


def main():
    for part in (names, bits, tensors, threads, table, schemas, runs, parsed, mistakes):
        section(part)
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        lines = [f"{json.dumps(name)}:{json.dumps(value, separators=(',', ':'))}" for name, value in OUT.items()]
        file.write("{" + ",\n".join(lines) + "}\n")
    for problem in OUT["problems"]:
        print(problem)


if __name__ == "__main__":
    main()
