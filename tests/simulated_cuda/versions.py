"""Compares two versions of a program with `warpwalk simulate A.cu B.cu --compare`: a transpose that stores with a stride,
and one through shared memory. Their sectors are counted by hand.

    versions.py WARPWALK
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

KERNEL = """__global__ void transpose(const float* in, float* out) {
BODY
}
"""
MAIN = """#include <cstdio>
int main() {
  float *in, *out;
  cudaMalloc(&in, 64 * 64 * 4);
  cudaMalloc(&out, 64 * 64 * 4);
  cudaMemset(in, 0, 64 * 64 * 4);
  transpose<<<dim3(2, 2), dim3(32, 32)>>>(in, out);
  LATER
  printf("%s\\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
"""
STRIDED = """  int x = 32 * blockIdx.x + threadIdx.x, y = 32 * blockIdx.y + threadIdx.y;
  out[64 * x + y] = in[64 * y + x];"""
SHARED = """  __shared__ float tile[32][33];
  int x = 32 * blockIdx.x, y = 32 * blockIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[64 * (y + threadIdx.y) + x + threadIdx.x];
  __syncthreads();
  out[64 * (x + threadIdx.y) + y + threadIdx.x] = tile[threadIdx.x][threadIdx.y];"""
LAUNCH = {"kernel": "_Z9transposePKfPf", "cuda": "none.cu", "grid": [2, 2], "block": [32, 32],
          "args": [{"buffer": "in", "dtype": "f32", "count": 4096, "fill": 0},
                   {"buffer": "out", "dtype": "f32", "count": 4096}]}


def main(warpwalk):
    if not any(shutil.which(f"clang{version}") for version in ["", *(f"-{n}" for n in range(14, 23))]):
        print("clang is not installed")
        return 77
    problems = []

    def expect(what, value, right):
        if value != right:
            problems.append(f"{what}: {value}, not {right}")

    def simulate(*words):
        return subprocess.run([warpwalk, "simulate", *map(str, words)], capture_output=True, text=True, timeout=300)

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        a, b, launch = folder / "a.cu", folder / "b.cu", folder / "launch.json"
        alone = folder / "alone_a.cu", folder / "alone_b.cu"  # without main()
        for file, body in zip(alone, [STRIDED, SHARED]):
            file.write_text(KERNEL.replace("BODY", body))
        a.write_text(alone[0].read_text() + MAIN.replace("LATER", ""))
        b.write_text(alone[1].read_text() + MAIN.replace("LATER", "transpose<<<1, 32>>>(in, out);"))
        launch.write_text(json.dumps(LAUNCH))
        for files, more in [((a, b), []), (alone, ["--launch-file", launch])]:
            done = simulate(*files, "--compare", "--lines", "--json", "-", *more)
            if done.returncode != 0:
                problems.append(f"exit status {done.returncode}: {done.stderr}")
                continue
            report = json.loads(done.stdout)
            expect("launches", report["launches_of_files"], [1, 1] if more else [1, 2])
            (pair,) = report["launches"]
            figures = {figure["name"]: (figure["a"], figure["b"]) for figure in pair["figures"]}
            # 128 warps store 32 rows each, or one row of 4 sectors.
            expect("sectors stored", figures["global_store_sectors"], (128 * 32, 128 * 4))
            expect("sectors loaded", figures["global_load_sectors"], (128 * 4, 128 * 4))
            expect("bank conflicts", figures["shared_bank_conflicts"], (0, 0))
            if not figures["cycles"][1] < figures["cycles"][0]:
                problems.append(f"cycles: {figures['cycles']}")
            stores = {line["line"]: line["global_sectors"] for line in pair["lines"][0]}
            expect("sectors of line 3", stores.get(3), 128 * 36)
            expect("findings", pair["findings"], [[], []])
        done = simulate(a, b, "--compare", "--lines")
        for part in ["launch 1: ", "global_store_sectors", "-87.5 %", f"{b}: 1 more launch"]:
            if part not in done.stdout:
                problems.append(f"no {part!r} in:\n{done.stdout}")
        expect("lines on stderr", done.stderr, "no error\nno error\n")
        second = simulate(b, "--launch", "2", "--json", "-")
        expect("exit status of one program", second.returncode, 0)
        expect("its second grid", json.loads(second.stdout)["grid"], [1, 1, 1])
        for words, part in [([a, launch, "--compare"], "--compare takes CUDA C++"), ([a, "--compare"], "give two files"),
                            ([a, b], "compared with --compare"), ([folder / "no.cu"], "no.cu")]:
            done = simulate(*words)
            expect(f"exit status of {words}", done.returncode, 2)
            if part not in done.stderr or done.stderr.count("\n") != 1:
                problems.append(f"{words}: {done.stderr!r}")
    print("\n".join(problems) or "two versions compared")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
