#!/usr/bin/env python3
"""Records what PyTorch makes of chains of views and copies, for tensors_test.

    python3 record.py FILE      writes FILE, pytorch.json here (a second on a CPU, fixed seed)

A chain starts with torch.arange(n).reshape(sizes), so that element i of the storage holds i. Each of its steps is one
call, with what came of it:

    ["slice", dim, start, stop, step]    ["select", dim, index]    ["transpose", dim, dim]    ["unsqueeze", dim]
    ["permute", [...]]    ["expand", [...]]    ["view", [...]]    ["reshape", [...]]    ["contiguous"]

    [effect, sizes, strides, storage_offset, is_contiguous, mix]     or "error"; the chain then goes on without the step

`effect` is "same" (the call returned the tensor itself), "view" (another tensor on the same storage) or "copy" (another
storage); `mix` is the sum of (i + 1) * element i in row-major order.

"layouts" has a matrix of 4 x 6 elements with 0 to 24 nonzeros in COO and CSR: [rows, columns, crow_indices, col_indices,
values, bytes in COO, bytes in CSR]. Nonzero k is element (7 k + 3) mod 24 in row-major order, and its value is that
number plus 1. "types" has the bytes of an element by dtype, "keys" the dispatch keys of such a matrix by device and
layout. PyTorch 2.11 recorded the file.
"""
import json
import random
import sys

import torch

rng = random.Random(41)


def divisors(n):
    return [d for d in range(1, n + 1) if n % d == 0]


def sizes_of(count):
    """Sizes of so many elements; now and then with a -1, or not fitting."""
    sizes, rest = [], count
    if count:
        for _ in range(rng.randint(0, 3)):
            sizes.append(rng.choice(divisors(rest)))
            rest //= sizes[-1]
        if rest != 1 or rng.random() < 0.3:
            sizes.append(rest)
        rng.shuffle(sizes)
    else:
        sizes = [rng.choice([0, 1, 2, 3]) for _ in range(rng.randint(1, 3))]
        sizes[rng.randrange(len(sizes))] = 0
    if sizes and rng.random() < 0.35:
        sizes[rng.randrange(len(sizes))] = -1
    chance = rng.random()
    if sizes and chance < 0.04:
        sizes[rng.randrange(len(sizes))] += 1
    elif chance < 0.06:
        sizes += [-1, -1]
    elif sizes and chance < 0.07:
        sizes[0] = -2
    return sizes


def joined(t):
    """The tensor's own sizes with neighbours joined or one of them split: what a view may allow."""
    sizes = list(t.shape)
    for _ in range(rng.randint(1, 2)):
        at = rng.randrange(len(sizes)) if sizes else 0
        if at + 1 < len(sizes) and rng.random() < 0.5:
            sizes[at:at + 2] = [sizes[at] * sizes[at + 1]]
        elif sizes and sizes[at] > 1:
            part = rng.choice(divisors(sizes[at]))
            sizes[at:at + 1] = [part, sizes[at] // part]
        else:
            sizes.insert(at, 1)
    return sizes[:5]


def random_step(t):
    """A step; about one in eight asks for something that the tensor does not have."""
    n = t.dim()
    slip = 1 if rng.random() < 0.12 else 0

    def dim():
        return rng.randint(-n - slip, n - 1 + slip) if n + slip else rng.choice([-1, 0])

    kind = rng.choice(["slice", "slice", "select", "transpose", "transpose", "permute", "expand", "unsqueeze", "view",
                       "view", "reshape", "reshape", "contiguous"])
    if kind == "slice":
        start, stop = (rng.choice([None, rng.randint(-6, 6), rng.randint(0, 2)]) for _ in range(2))
        return [kind, dim(), start, stop, rng.choice([1, 1, 1, 2, 3, 0 if slip else 2])]
    if kind == "select":
        d = dim()
        size = t.shape[d] if -n <= d < n else 1
        return [kind, d, rng.randint(-size - slip, max(size - 1, 0) + slip)]
    if kind == "transpose":
        return [kind, dim(), dim()]
    if kind == "permute":
        order = [d - n if rng.random() < 0.3 else d for d in rng.sample(range(n), n)]
        if slip:
            order = order[:-1] if rng.random() < 0.5 else order + [0]
        return [kind, order]
    if kind == "expand":
        sizes = [rng.choice([s, -1]) if s != 1 else rng.choice([1, -1, 2, 3, 0]) for s in t.shape]
        sizes = [rng.choice([1, 2, 3]) for _ in range(rng.choice([0, 0, 1]))] + sizes
        if slip and sizes:
            sizes[rng.randrange(len(sizes))] += 1
        elif slip:
            sizes = [-1]
        return [kind, sizes]
    if kind == "unsqueeze":
        return [kind, rng.randint(-n - 1 - slip, n + slip)]
    if kind in ("view", "reshape"):
        return [kind, joined(t) if rng.random() < 0.5 else sizes_of(t.numel())]
    return [kind]


def apply(t, step):
    kind, arguments = step[0], step[1:]
    if kind == "slice":
        return torch.ops.aten.slice.Tensor(t, *arguments)
    if kind == "select":
        return t.select(*arguments)
    return getattr(t, kind)(*arguments)


def result(before, after):
    if after is before:
        effect = "same"
    elif after.untyped_storage()._cdata == before.untyped_storage()._cdata:
        effect = "view"
    else:
        effect = "copy"
    mix = sum((i + 1) * v for i, v in enumerate(after.flatten().tolist()))
    return [effect, list(after.shape), list(after.stride()), after.storage_offset(), int(after.is_contiguous()), mix]


def chain():
    sizes = [rng.choice([1, 2, 2, 3, 3, 4, 5, 6]) for _ in range(rng.randint(0, 4))]
    if sizes and rng.random() < 0.08:
        sizes[rng.randrange(len(sizes))] = 0
    count = 1
    for size in sizes:
        count *= size
    t = torch.arange(count).reshape(sizes)
    steps = []
    for _ in range(rng.randint(3, 6)):
        step = random_step(t)
        try:
            after = apply(t, step)
        except (RuntimeError, IndexError, ValueError):
            steps.append([step, "error"])
            continue
        if after.numel() > 800 or after.dim() > 6:
            continue
        steps.append([step, result(t, after)])
        t = after
    return [sizes, steps]


def matrix(nonzeros):
    dense = torch.zeros(24)
    for k in range(nonzeros):
        at = (7 * k + 3) % 24
        dense[at] = at + 1
    return dense.reshape(4, 6)


def layout(nonzeros):
    coo = matrix(nonzeros).to_sparse().coalesce()
    csr = matrix(nonzeros).to_sparse_csr()
    return [*coo.indices().tolist(), csr.crow_indices().tolist(), csr.col_indices().tolist(),
            [int(v) for v in csr.values().tolist()],
            coo.indices().nbytes + coo.values().nbytes,
            csr.crow_indices().nbytes + csr.col_indices().nbytes + csr.values().nbytes]


def keys():
    found = {}
    for device in ["cpu"] + ["cuda"] * torch.cuda.is_available():
        dense = matrix(5).to(device)
        for name, t in [("strided", dense), ("coo", dense.to_sparse()), ("csr", dense.to_sparse_csr())]:
            found[f"{device} {name}"] = str(torch._C._dispatch_keys(t))
    return found


TYPES = ["float64", "float32", "bfloat16", "float16", "float8_e4m3fn", "int64", "uint8", "bool"]


def main():
    chains = [chain() for _ in range(500)]
    with open(sys.argv[1], "w") as file:
        file.write('{"torch": "%s", "chains": [\n' % torch.__version__)
        file.write(",\n".join(json.dumps(one, separators=(",", ":")) for one in chains) + "\n],\n")
        file.write('"layouts": [\n' + ",\n".join(json.dumps(layout(n), separators=(",", ":")) for n in range(25)))
        types = {name: torch.empty(0, dtype=getattr(torch, name)).element_size() for name in TYPES}
        file.write('\n],\n"types": %s,\n"keys": %s}\n' % (json.dumps(types), json.dumps(keys(), indent=0)))
    results = [r for _, steps in chains for _, r in steps]
    print({e: sum(r == e or r[0] == e for r in results) for e in ("view", "same", "copy", "error")})


if __name__ == "__main__":
    main()
