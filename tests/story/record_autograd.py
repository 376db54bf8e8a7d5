#!/usr/bin/env python3
"""Records what PyTorch says of small graphs: the tape, versions, gradients, and the texts of its errors.

    python3 tests/story/record_autograd.py > tests/story/autograd.json

Element i of input number k is ((7 i + 5 k) mod 19 - 9) / 10, or 0.5 where that is 0, in float64. A program is a list of
steps: result, op, arguments. Every case writes to at most one tensor in place (mul_(2)) before it goes back from the
sum of the last result, whose gradient is all ones.
"""
import json

import torch

OPS = {
    "matmul": torch.matmul, "relu": torch.relu, "mul": torch.mul, "add": torch.add, "exp": torch.exp,
    "tanh": torch.tanh, "sigmoid": torch.sigmoid, "div": torch.div, "sub": torch.sub, "neg": torch.neg,
    "sum": torch.sum, "mean": torch.mean, "sqrt": torch.sqrt, "softmax": lambda x: torch.softmax(x, 1),
    "maximum": torch.maximum, "gelu": torch.nn.functional.gelu,
}

# Expression as warpwalk writes it, sizes of the inputs, steps.
PROGRAMS = [
    ("relu(a @ b)", {"a": [2, 3], "b": [3, 2]}, [("t0", "matmul", "a b"), ("t1", "relu", "t0")]),
    ("(relu(a @ b) * c).sum()", {"a": [2, 3], "b": [3, 2], "c": [2, 2]},
     [("t0", "matmul", "a b"), ("t1", "relu", "t0"), ("t2", "mul", "t1 c"), ("t3", "sum", "t2")]),
    ("exp(a) * b", {"a": [2, 3], "b": [2, 3]}, [("t0", "exp", "a"), ("t1", "mul", "t0 b")]),
    ("tanh(a @ b + c)", {"a": [2, 3], "b": [3, 2], "c": [2]},
     [("t0", "matmul", "a b"), ("t1", "add", "t0 c"), ("t2", "tanh", "t1")]),
    ("sigmoid(a) / b", {"a": [2, 3], "b": [2, 3]}, [("t0", "sigmoid", "a"), ("t1", "div", "t0 b")]),
    ("a * b + a", {"a": [2, 3], "b": [2, 3]}, [("t0", "mul", "a b"), ("t1", "add", "t0 a")]),
    ("softmax(a, 1) * b", {"a": [2, 3], "b": [2, 3]}, [("t0", "softmax", "a"), ("t1", "mul", "t0 b")]),
    ("(a - b).mean()", {"a": [2, 3], "b": [2, 3]}, [("t0", "sub", "a b"), ("t1", "mean", "t0")]),
    ("gelu(a) * maximum(a, b)", {"a": [2, 3], "b": [2, 3]},
     [("t0", "gelu", "a"), ("t1", "maximum", "a b"), ("t2", "mul", "t0 t1")]),
]


def values(number, sizes):
    count = 1
    for size in sizes:
        count *= size
    numbers = [((7 * i + 5 * number) % 19 - 9) / 10 for i in range(count)]
    return torch.tensor([v if v != 0 else 0.5 for v in numbers], dtype=torch.float64).reshape(sizes).clone()


def run(program, write=None, no_grad=False, twice=False, retain=False):
    expression, inputs, steps = program
    case = {"expression": expression, "inputs": inputs, "write": write, "no_grad": no_grad, "twice": twice,
            "retain": retain}
    tensors = {name: values(k, sizes).requires_grad_() for k, (name, sizes) in enumerate(inputs.items())}
    leaves = list(tensors)
    for result, op, arguments in steps:
        tensors[result] = OPS[op](*(tensors[a] for a in arguments.split()))
    last = tensors[steps[-1][0]]
    tape, seen, open_nodes = [], set(), [last.grad_fn]
    while open_nodes:
        node = open_nodes.pop(0)
        if node is None or node in seen:
            continue
        seen.add(node)
        tape.append([node.name(), [n.name() if n is not None else None for n, _ in node.next_functions]])
        open_nodes += [n for n, _ in node.next_functions]
    case["tape"] = tape
    case["saved"] = [sorted(a[7:] for a in dir(node) if a.startswith("_saved_") and isinstance(getattr(node, a), torch.Tensor))
                     for node in [tensors[result].grad_fn for result, _, _ in steps]]
    case["result"] = last.detach().flatten().tolist()
    try:
        if write:
            if no_grad:
                with torch.no_grad():
                    tensors[write].mul_(2)
            else:
                tensors[write].mul_(2)
        case["versions"] = {name: t._version for name, t in tensors.items()}
        seed = torch.ones_like(last)
        for _ in range(2 if twice else 1):
            last.backward(seed, retain_graph=retain)
        case["error"] = None
    except RuntimeError as error:
        case["error"] = str(error).splitlines()[0] if "\n" in str(error) else str(error)
    case["gradients"] = {name: tensors[name].grad.flatten().tolist() if tensors[name].grad is not None else None
                         for name in leaves}
    return case


def main():
    cases = []
    for program in PROGRAMS:
        cases.append(run(program))
        cases.append(run(program, twice=True))
        cases.append(run(program, twice=True, retain=True))
        for name in list(program[1]) + [step[0] for step in program[2]]:
            cases.append(run(program, write=name))
            cases.append(run(program, write=name, no_grad=True))
    texts = {}
    a = torch.ones(2, 3, dtype=torch.float64, requires_grad=True)
    for name, action in {"no_graph": lambda: torch.relu(a).detach().sum().backward(),
                         "not_scalar": lambda: torch.relu(a).backward(),
                         "numpy": lambda: a.numpy()}.items():
        try:
            action()
            texts[name] = None
        except RuntimeError as error:
            texts[name] = str(error)
    with torch.no_grad():
        off = torch.relu(a)
    texts["off"] = [off.requires_grad, off.grad_fn is None, off.is_leaf, a.is_leaf, torch.relu(a).is_leaf]
    print(f'{{"pytorch": {json.dumps(torch.__version__)},\n"texts": {json.dumps(texts)},\n"cases": [')
    print(",\n".join(json.dumps(c, separators=(",", ":")) for c in cases))
    print("]}")


if __name__ == "__main__":
    main()
