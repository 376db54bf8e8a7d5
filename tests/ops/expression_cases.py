"""Records how Python parses random expressions and what PyTorch makes of them, for expression_test.cpp.

    python3 expression_cases.py data/expressions.json

A case is [text, variables, tree, result]. variables: [[name, dtype, sizes], ...]. tree: Python's parse, with every
operation in parentheses, methods written as functions, indices and dimensions as numbers. result: null where PyTorch
refuses, else [dtype, sizes] and, where all variables are f64 and the result is small, its elements (row-major, not
finite ones as text). Element k of variable number v is ((7k + 3v) mod 11 - 5) / 4, of an integer variable without the
division.

`calls` is [text, [[op, sizes of its first tensor], ...]]: the ops that PyTorch's profiler saw called from outside for
an expression in a: f32 4x6.
"""
import ast
import json
import math
import random
import sys
import warnings

import torch

warnings.simplefilter("ignore")
DTYPES = {"f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32, "f64": torch.float64,
          "i32": torch.int32, "i64": torch.int64}
NAMES = {v: k for k, v in DTYPES.items()}
OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.MatMult: "@"}
FUNCTIONS = ("relu", "exp", "sqrt", "sum", "t")


def constant(node):
    return eval(compile(ast.Expression(node), "", "eval"))


def item_text(node):
    if isinstance(node, ast.Slice):
        parts = ["" if p is None else str(constant(p)) for p in (node.lower, node.upper, node.step)]
        return ":".join(parts)
    value = constant(node)
    return "..." if value is Ellipsis else str(value)


def tree(node):
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Constant):
        return repr(node.value)
    if isinstance(node, ast.BinOp):
        return f"({tree(node.left)} {OPERATORS[type(node.op)]} {tree(node.right)})"
    if isinstance(node, ast.UnaryOp):
        return f"({'-' if isinstance(node.op, ast.USub) else '+'}{tree(node.operand)})"
    if isinstance(node, ast.Attribute):
        return f"T({tree(node.value)})"
    if isinstance(node, ast.Subscript):
        items = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        return f"{tree(node.value)}[{', '.join(item_text(i) for i in items)}]"
    assert isinstance(node, ast.Call)
    arguments = list(node.args)
    if isinstance(node.func, ast.Attribute):
        name = node.func.attr
        if not (isinstance(node.func.value, ast.Name) and node.func.value.id == "torch"):
            arguments.insert(0, node.func.value)
    else:
        name = node.func.id
    by_name = {k.arg: k.value for k in node.keywords}
    extra = [str(constant(a)) for a in arguments[1:]]
    if "dim" in by_name:
        extra.append(str(constant(by_name["dim"])))
    if "keepdim" in by_name:
        extra.append(str(constant(by_name["keepdim"])))
    return f"{name}({', '.join([tree(arguments[0])] + extra)})"


class Generator:
    def __init__(self, seed):
        self.rng = random.Random(seed)

    def space(self):
        return self.rng.choice(["", "", " ", " ", "  "])

    def number(self):
        return self.rng.choice(["2", "3", "0.5", "1.5", "-1", ".25", "1e-3", "4."])

    def item(self):
        r = self.rng
        return r.choice(["0", "-1", "1", "None", "...", ":", "1:", ":-1", "::2", "0:2", "-2:", "1:1", "5:", ":1+1",
                         "-1-1", "1::2", "2"])

    def index(self):
        return "[" + ", ".join(self.item() for _ in range(self.rng.choice([1, 1, 1, 2, 2, 3]))) + "]"

    def sum_arguments(self):
        r = self.rng
        return r.choice(["", "", "0", "-1", "1", "dim=0", "0, True", "0, keepdim=True", "dim=-1, keepdim=False"])

    def expression(self, depth):
        r = self.rng
        if depth == 0 or r.random() < 0.1:
            return r.choice(self.names) if r.random() < 0.85 else self.number()
        kind = r.random()
        one = lambda: self.expression(depth - 1)
        if kind < 0.5:
            text = one() + self.space() + r.choice("+-*/@@") + self.space() + one()
        elif kind < 0.6:
            text = r.choice("--+") + self.space() + one()
        elif kind < 0.7:
            text = r.choice(["", "torch."]) + r.choice(["relu", "exp", "sqrt", "t"]) + "(" + one() + ")"
            return text if not text.startswith("t(") else "torch." + text
        elif kind < 0.76:
            extra = self.sum_arguments()
            return r.choice(["", "torch."]) + "sum(" + one() + (", " + extra if extra else "") + ")"
        elif kind < 0.84:
            return one() + ".T"
        elif kind < 0.9:
            method = r.choice(["relu()", "exp()", "sqrt()", "t()", "sum(" + self.sum_arguments() + ")"])
            inner = one()
            return (inner if not inner[-1].isdigit() and inner[-1] != "." else "(" + inner + ")") + "." + method
        else:
            return one() + self.index()
        return "(" + text + ")" if r.random() < 0.35 else text

    def case(self):
        r = self.rng
        self.names = r.sample(["a", "b", "c", "x_1", "W"], r.choice([1, 2, 2, 3]))
        plain = r.random() < 0.6
        common = r.choice([[3], [2, 3], [3, 3], [3, 3], [2, 3, 3]])
        variables = []
        for name in self.names:
            shape = common if r.random() < 0.5 else [r.choice([1, 2, 3, 3]) for _ in range(r.choice([0, 1, 2, 2, 2, 3]))]
            dtype = "f64" if plain else r.choice(list(DTYPES))
            variables.append([name, dtype, shape])
        return self.expression(r.choice([1, 2, 3, 4])), variables


def tensor_of(number, dtype, shape):
    count = math.prod(shape)
    values = [(7 * k + 3 * number) % 11 - 5 for k in range(count)]
    if not dtype.startswith("i"):
        values = [v / 4 for v in values]
    return torch.tensor(values, dtype=DTYPES[dtype]).reshape(shape)


def result_of(text, variables):
    scope = {"torch": torch, **{f: getattr(torch, f) for f in FUNCTIONS}}
    for number, (name, dtype, shape) in enumerate(variables):
        scope[name] = tensor_of(number, dtype, shape)
    try:
        result = eval(text, scope)
    except (RuntimeError, IndexError, TypeError, ValueError, AttributeError, ZeroDivisionError):
        return None
    if not isinstance(result, torch.Tensor):
        return None
    answer = [NAMES[result.dtype], list(result.shape)]
    if all(v[1] == "f64" for v in variables) and result.numel() <= 12:
        answer.append([v if math.isfinite(v) else repr(v) for v in result.to(torch.float64).flatten().tolist()])
    return answer


CALLS = ["relu(a @ a.T)", "torch.exp(a) + torch.sqrt(a)", "a - 2*3", "a / 2", "2 * a", "2.0 + a", "2 - a", "2 / a",
         "-a.t()", "+a + 1", "a[0]", "a[1:3]", "a[:] + 1", "a[1:3, 0]", "a[:, 0]", "a[..., ::2]", "a[None]",
         "a[-1, None]", "a[0, 1:4, None]", "a[None, :, 2]", "a[..., 1]", "a[0, ...]", "a.relu().exp()", "sum(a)",
         "sum(a, 0)", "a.sum(-1, keepdim=True)", "a.T.T", "torch.t(a)"]


def calls_of(text):
    a = torch.ones(4, 6)
    scope = {"torch": torch, "a": a, **{f: getattr(torch, f) for f in FUNCTIONS}}
    eval(text, scope)
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU], record_shapes=True) as profile:
        eval(text, scope)
    return [[e.name, list(e.input_shapes[0])] for e in profile.events()
            if e.cpu_parent is None and e.name.startswith("aten::")]


def main():
    generator = Generator(1)
    cases, wanted, seen = [], {"good": 400, "refused": 200}, set()
    while any(wanted.values()):
        text, variables = generator.case()
        if text in seen or len(text) > 120:
            continue
        try:
            parsed = ast.parse(text, mode="eval").body
        except SyntaxError:
            continue
        used = {n.id for n in ast.walk(parsed) if isinstance(n, ast.Name)}
        variables = [v for v in variables if v[0] in used]
        if not variables:
            continue
        try:
            shown = tree(parsed)
        except TypeError:
            continue
        result = result_of(text, variables)
        kind = "refused" if result is None else "good"
        if wanted[kind] == 0:
            continue
        wanted[kind] -= 1
        seen.add(text)
        cases.append([text, variables, shown, result])
    with open(sys.argv[1], "w") as out:
        out.write(json.dumps({"python": sys.version.split()[0], "pytorch": torch.__version__})[:-1] + ', "cases": [\n')
        out.write(",\n".join(json.dumps(c, separators=(",", ":")) for c in cases))
        out.write('\n], "calls": [\n')
        out.write(",\n".join(json.dumps([text, calls_of(text)], separators=(",", ":")) for text in CALLS))
        out.write("\n]}\n")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
