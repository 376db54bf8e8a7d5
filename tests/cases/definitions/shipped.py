"""The shipped kernels (kernels/), in sizes that are not multiples of the tile size."""
from .case import Case, given, i32, integers, made, numbers


def shipped(name, *rest):
    Case("shipped_" + name, *rest, entry=name, ptx=f"../../../assets/ptx/{name}.ptx")


shipped("vecadd", 8, 128, [given("a", "f32", numbers(1, 1000)), given("b", "f32", numbers(2, 1000)),
                           made("c", "f32", 1000),
                           i32(1000)], ["c"])
odd = [0.0, -0.0, float("inf"), float("-inf"), float("nan"), 1e-45, -1e-45]
shipped("relu", 4, 256, [given("x", "f32", odd + numbers(3, 770)), made("y", "f32", 777), i32(777)],
        {"y": (0, 1e-45)})  # a NaN becomes the hardware's canonical NaN


def product(name, grid, m, n, k):
    shipped(name, grid, (16, 16), [given("A", "f32", numbers(4, m * k)), given("B", "f32", numbers(5, k * n)),
                                   made("C", "f32", m * n), i32(m), i32(n), i32(k)], ["C"])


product("matmul_naive", (3, 2), 19, 37, 21)
product("matmul_tiled", (2, 3), 40, 24, 33)
product("matmul_registers", (1, 2), 70, 50, 33)
for kind in ("naive", "shared", "padded"):
    shipped("transpose_" + kind, (3, 2), (32, 8), [given("x", "f32", numbers(6, 45 * 70)), made("y", "f32", 45 * 70),
                                                   i32(45),
                                                   i32(70)], ["y"])
shipped("reduce_shuffle", 3, 192, [given("x", "f32", numbers(7, 3000)), made("sums", "f32", 3), i32(3000)], ["sums"])
shipped("histogram", 4, 96, [given("x", "u8", [v * v // 255 for v in integers(8, 5000, 0, 255)]),
                             made("bins", "u32", 256),
                             i32(5000)], ["bins"])

rows = numbers(9, 300, -4, 4) + numbers(10, 300, -90, 90) + [3.0] * 300 + [-1e30] * 299 + [1e30]
rows += [float("-inf")] * 150 + [0.0] * 150
shipped("softmax", 5, 128, [given("x", "f32", rows), made("y", "f32", 1500), i32(5), i32(300)], ["y"])
