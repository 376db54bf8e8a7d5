"""Expressions and kernels on the simulated GPU with arrays of the caller. Expected values are computed here."""
from __future__ import annotations

import os
import tempfile
import unittest
from pathlib import Path

from support import Test

import warpwalk
from warpwalk import cuda

# y[i] = f * x[i] for i <= n: one too many.
SCALE = """
.version 7.5
.target sm_80
.address_size 64
.visible .entry scale(.param .u64 x, .param .u64 y, .param .f32 f, .param .u32 n)
{
  .reg .pred %p;
  .reg .f32 %v<2>;
  .reg .b32 %r<2>;
  .reg .b64 %a<3>;
  mov.u32 %r0, %tid.x;
  ld.param.u32 %r1, [n];
  setp.gt.u32 %p, %r0, %r1;
  @%p ret;
  mul.wide.u32 %a0, %r0, 4;
  ld.param.u64 %a1, [x];
  add.s64 %a1, %a1, %a0;
  ld.global.f32 %v0, [%a1];
  ld.param.f32 %v1, [f];
  mul.f32 %v0, %v0, %v1;
  ld.param.u64 %a2, [y];
  add.s64 %a2, %a2, %a0;
  st.global.f32 [%a2], %v0;
  ret;
}
"""
A = [[float(3 * row - 2 * column) for column in range(5)] for row in range(4)]
B = [[float(row + column - 3) for column in range(3)] for row in range(5)]
PRODUCT = [[sum(A[i][k] * B[k][j] for k in range(5)) for j in range(3)] for i in range(4)]


def rows(matrix: object) -> list[list[float]]:
    return [list(map(float, row)) for row in matrix.tolist()]  # type: ignore[attr-defined]


class Expressions(Test):
    def test_result_and_gradients(self) -> None:
        run = warpwalk.run("relu(a @ b)", a=A, b=B, gradients=True)
        self.assertTrue(run.good)
        self.assertEqual(rows(run.result), [[max(0.0, value) for value in row] for row in PRODUCT])
        mask = [[float(value > 0) for value in row] for row in PRODUCT]
        self.assertEqual(rows(run.gradients["a"]),
                         [[sum(mask[i][j] * B[k][j] for j in range(3)) for k in range(5)] for i in range(4)])
        self.assertEqual(rows(run.gradients["b"]),
                         [[sum(A[i][k] * mask[i][j] for i in range(4)) for j in range(3)] for k in range(5)])
        self.assertEqual(len(run.launches), len(run.kernels))

    def test_shapes_and_names_of_options(self) -> None:
        run = warpwalk.run("relu(gpu) + seed", {"gpu": [1.0, -1.0], "seed": [0.5, 0.5]})
        self.assertEqual([float(value) for value in run.result.tolist()], [1.5, 0.5])
        self.assertEqual(run.gradients, {})
        random = warpwalk.run("a + b", a=(2, 3), b=(2, 3), seed=7, dtype="f64", on="cpu")
        self.assertEqual((list(random.result.shape), random.report["result"]["dtype"]), ([2, 3], "f64"))

    def test_errors_are_the_programs_lines(self) -> None:
        self.assertIn("column 5", self.error(warpwalk.run, "relu(a @ b", a=A, b=B))
        self.assertIn("c", self.error(warpwalk.run, "a @ c", a=A))
        self.assertEqual(self.error(warpwalk.run, "a", a=warpwalk.empty(4)), "a: an input needs values")

    def test_the_walk_is_written_where_it_is_asked_for(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            walk = warpwalk.run("relu(a)", a=[1.0], output=f"{folder}/walk.json.gz")
            self.assertEqual(os.listdir(folder), ["walk.json.gz"])
            self.assertEqual(len(warpwalk.open(walk.file).kernels), 1)


class Kernels(Test):
    def test_outputs_and_counters(self) -> None:
        x = [0.5 * i for i in range(64)]
        run = warpwalk.simulate(SCALE, grid=1, block=64, args=[x, warpwalk.empty(64), 4.0, 63])
        self.assertTrue(run.good)
        self.assertEqual([float(value) for value in run.outputs["y"].tolist()], [4 * value for value in x])
        self.assertEqual([float(value) for value in run.outputs["x"].tolist()], x)
        # Two warps of 32 lanes, 4 bytes each: 4 sectors of 32 bytes per request.
        self.assertEqual([run.counters[f"global_load_{what}"] for what in ("requests", "sectors")], [2, 8])
        self.assertGreater(run.cycles, 0)
        self.assertEqual(len(run.kernels), 1)

    def test_findings(self) -> None:
        run = warpwalk.simulate(SCALE, "scale", 1, 64, {"x": [1.0] * 40, "y": warpwalk.empty(64), "f": 2.0, "n": 40})
        self.assertFalse(run.good)
        self.assertEqual([(row["kind"], row["thread"]) for row in run.findings], [("out_of_bounds", [40, 0, 0])])
        self.assertEqual(float(run.outputs["y"].tolist()[39]), 2.0)

    def test_reads_before_writes(self) -> None:
        arguments = [warpwalk.empty(64), warpwalk.empty(64), 2.0, 63]
        self.assertEqual([row["kind"] for row in
                          warpwalk.simulate(SCALE, block=64, args=arguments, sanitize=True).findings], ["uninitialized"])
        self.assertEqual(warpwalk.simulate(SCALE, block=64, args=arguments).findings, [])

    def test_errors_are_the_programs_lines(self) -> None:
        self.assertIn("kernels.txt", self.error(warpwalk.simulate, "kernels.txt"))
        self.assertIn("No such file", self.error(warpwalk.simulate, Path("/nowhere/k.ptx")))
        self.assertIn("which kernel?", self.error(warpwalk.simulate, SCALE + SCALE.replace("scale", "again")))
        self.assertIn("grid", self.error(warpwalk.simulate, SCALE, grid=(1, 2, 3, 4)))
        self.assertIn("arg", self.error(warpwalk.simulate, SCALE, args=[1.0]))


class Sources(Test):
    """Names in CUDA C++, read without a compiler."""

    SOURCE = """
    // __global__ void not_this(int a);
    template <int N> __device__ void helper(float* p) { p[0] = N; }
    extern "C" __global__ void __launch_bounds__(256) add(const float* __restrict__ x, float *y, int n) { y[0] = x[n]; }
    """

    def test_kernel_and_parameters(self) -> None:
        self.assertEqual(cuda.only_kernel("cuda", self.SOURCE), "add")
        self.assertEqual(cuda.parameters(self.SOURCE, "add"), ["x", "y", "n"])
        self.assertEqual(cuda.parameters(self.SOURCE, "missing"), [])
        self.assertIn("none", self.error(cuda.only_kernel, "cuda", "int x;"))

    def test_arguments_without_names(self) -> None:
        self.assertEqual(list(cuda.name_arguments([1, 2], ["only"])), ["arg0", "arg1"])


if __name__ == "__main__":
    unittest.main()
