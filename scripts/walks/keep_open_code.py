#!/usr/bin/env python3
"""Removes from walks the machine code of kernels whose licence does not allow shipping it (cuBLAS, cuDNN ...).

    scripts/walks/keep_open_code.py WALK.json.gz...

Kept is the code of warpwalk's own kernels and of the test programs (their modules have PTX or a source), of Triton's,
and of PyTorch's. Everything else goes, and the walk says so. Other bytes of the walk stay as they are.
"""
import gzip
import json
import re
import sys

# PyTorch's kernels are in namespace at, or in an anonymous namespace of one of its .cu files.
PYTORCH = re.compile(r"\.text\.(_ZN2at|_ZN\d+_GLOBAL__N__[0-9a-f]+_\d+_\w+_cu_)")
REASON = "the machine code of NVIDIA's library kernels is not shipped with warpwalk"


def is_open(module):
    return "ptx" in module or "source" in module or "source_of" in module or bool(PYTORCH.match(module["sass"]))


def strip(text):
    """The walk's text without closed code, and how many kernels lost theirs."""
    modules = json.loads(text)["warpwalk"]["modules"]
    closed = [module for module in modules if "sass" in module and not is_open(module)]
    for module in closed:
        for key in ("sass", "cubin"):
            if key not in module:
                continue
            field = f',"{key}":' + json.dumps(module[key], ensure_ascii=False, separators=(",", ":"))
            if text.count(field) != 1:
                raise SystemExit(f"keep_open_code: a field does not have the expected form: {field[:80]}")
            text = text.replace(field, "")
    if closed:
        account = re.search(r'"warpwalk_code": ?(\{[^{}]*\})', text)
        changed = json.loads(account.group(1))
        changed["with_code"] -= len(closed)
        changed["left_out"].append(f"{len(closed)} of {changed['kernels']} kernels: {REASON}")
        text = text.replace(account.group(1), json.dumps(changed), 1)
    return text, len(closed)


for name in sys.argv[1:]:
    with gzip.open(name, "rt", encoding="utf-8", newline="") as file:
        old = file.read()
    new, removed = strip(old)
    if removed:
        with open(name, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as file:
            file.write(new.encode("utf-8"))
    print(f"{name}: machine code of {removed} kernels removed")
