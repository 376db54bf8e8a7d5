#!/usr/bin/env python3
"""Packs clang as WebAssembly and the CUDA headers into warpwalk-cuda.js, beside the page. Called by scripts/browser."""
import argparse
from pathlib import Path

from pack import archive, as_text, compressed

CLANG = ("bundle.js", "llvm.core.wasm", "llvm.core2.wasm", "llvm.core3.wasm", "llvm.core4.wasm")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--clang", type=Path, required=True, help="the folder gen of the package @yowasp/clang")
    parser.add_argument("--headers", type=Path, required=True, help="assets/cuda")
    parser.add_argument("-o", "--output", type=Path, required=True)
    options = parser.parse_args()
    files = [(name, (options.clang / name).read_bytes()) for name in CLANG]
    for file in sorted(options.headers.rglob("*")):
        if file.is_file():
            files.append((f"cuda/{file.relative_to(options.headers)}", file.read_bytes()))
    options.output.write_text(f'warpwalkCompiler("{as_text(compressed(archive(files)))}");\n')
    print(f"{options.output}: {options.output.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
