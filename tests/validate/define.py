"""Writes the launch files in timed, classes/timed and empty/timed: define.py

Launches of warpwalk's kernels, of tests/cases and of kernels.cu at sizes that fill an H200, with generated inputs.
"""
import json
from pathlib import Path

HERE = Path(__file__).resolve().parent


def random(name, dtype, count, seed=1):
    return {"buffer": name, "dtype": dtype, "count": count, "fill": {"random": seed}}


def zeros(name, dtype, count):
    return {"buffer": name, "dtype": dtype, "count": count, "fill": 0}


def iota(name, dtype, count):
    return {"buffer": name, "dtype": dtype, "count": count, "fill": "iota"}


def number(value, dtype="i32"):
    return {"scalar": value, "dtype": dtype}


def of_module(module):
    """PTX and machine code of kernels/NAME.cu ("NAME"), tests/cases/NAME ("case:NAME") or kernels.cu ("own")."""
    if module == "own":
        return "../kernels.ptx", "../kernels.cubin.gz"
    if module.startswith("case:"):
        folder = "../../cases/" + module[5:]
        return folder + "/kernel.ptx", folder + "/kernel.cubin.gz"
    return f"../../../assets/ptx/{module}.ptx", f"../../../assets/cubin/sm_90/{module}.cubin.gz"


def launches():
    """Tuples of name, module, kernel, grid, block, arguments and dynamic shared memory."""
    def launch(name, module, kernel, grid, block, args, shared=0):
        return name, module, kernel, (grid + [1, 1])[:3], (block + [1, 1])[:3], args, shared

    m = 1 << 20
    yield launch("gather_4M", "own", "gather", [16384], [256],
                 [random("x", "f32", 4 * m), zeros("y", "f32", 4 * m), number(4 * m - 1, "u32")])
    yield launch("gather_in_cache", "own", "gather", [16384], [256],
                 [random("x", "f32", m // 4), zeros("y", "f32", 4 * m), number(m // 4 - 1, "u32")])
    yield launch("scatter_1M", "own", "scatter", [4096], [256],
                 [random("x", "f32", m), zeros("y", "f32", m), number(m - 1, "u32")])
    yield launch("embedding_64K", "own", "embedding", [8192], [256],
                 [random("rows", "i32", 65536), random("table", "f32", 128000), zeros("y", "f32", 65536 * 128)])
    yield launch("global_histogram_2M", "own", "global_histogram", [1056], [256],
                 [random("x", "i32", 2 * m), zeros("bins", "u32", 1000), number(2 * m)])
    yield launch("tickets_1M", "own", "tickets", [4096], [256], [zeros("counter", "u32", 1), zeros("y", "u32", m)])
    yield launch("polynomial_512K", "own", "polynomial", [2048], [256],
                 [random("x", "f64", m // 2), zeros("y", "f64", m // 2), number(256)])
    yield launch("chain_few_warps", "own", "chain", [132], [64],
                 [random("x", "f32", 8448), zeros("y", "f32", 8448), number(20000)])
    yield launch("chain_full", "own", "chain", [1056], [256],
                 [random("x", "f32", 1056 * 256), zeros("y", "f32", 1056 * 256), number(2000)])
    yield launch("walk_2000", "own", "walk", [264], [128],
                 [random("next", "i32", 1024), zeros("y", "i32", 264 * 128), number(2000)])
    yield launch("saxpy_vector_16M", "own", "saxpy_vector", [16384], [256],
                 [random("x", "f32", 16 * m), random("y", "f32", 16 * m, 2), number(2.5, "f32")])
    yield launch("saxpy_vector_1M", "own", "saxpy_vector", [1024], [256],
                 [random("x", "f32", m), random("y", "f32", m, 2), number(2.5, "f32")])
    yield launch("exchanges_1024", "own", "exchanges", [264], [1024],
                 [random("x", "f32", 264 * 1024), zeros("y", "f32", 264 * 1024), number(200)])
    yield launch("exchanges_128", "own", "exchanges", [2112], [128],
                 [random("x", "f32", 264 * 1024), zeros("y", "f32", 264 * 1024), number(200)])
    yield launch("async_tiles_64M", "own", "async_tiles", [1024], [256],
                 [random("x", "i32", 1024 * 16 * 1024), zeros("y", "i32", 1024 * 256), number(16)])
    yield launch("compact_8M", "own", "compact", [32768], [256],
                 [random("x", "i32", 8 * m), zeros("y", "i32", 8 * m), zeros("counts", "i32", m // 4), number(500)])
    yield launch("special_1M", "own", "special", [4096], [256],
                 [random("x", "f32", m), zeros("y", "f32", m), number(40)])

    yield launch("matmul_registers_1024", "matmul_registers", "matmul_registers", [16, 16], [16, 16],
                 [random("A", "f32", m), random("B", "f32", m, 2), zeros("C", "f32", m)] + [number(1024)] * 3)
    yield launch("matmul_naive_512", "matmul_naive", "matmul_naive", [32, 32], [16, 16],
                 [random("A", "f32", m // 4), random("B", "f32", m // 4, 2), zeros("C", "f32", m // 4)] +
                 [number(512)] * 3)
    yield launch("matmul_tiled_500", "matmul_tiled", "matmul_tiled", [32, 32], [16, 16],
                 [random("A", "f32", 250000), random("B", "f32", 250000, 2), zeros("C", "f32", 250000)] +
                 [number(500)] * 3)
    yield launch("softmax_4096x1024", "softmax", "softmax", [4096], [256],
                 [random("x", "f32", 4 * m), zeros("y", "f32", 4 * m), number(4096), number(1024)])
    yield launch("histogram_16M", "histogram", "histogram", [1056], [256],
                 [random("x", "u8", 16 * m), zeros("bins", "u32", 256), number(16 * m)])
    yield launch("transpose_padded_2048x1024", "transpose_padded", "transpose_padded", [32, 64], [32, 8],
                 [random("x", "f32", 2 * m), zeros("y", "f32", 2 * m), number(2048), number(1024)])
    yield launch("reduce_shuffle_8M", "reduce_shuffle", "reduce_shuffle", [264], [512],
                 [random("x", "f32", 8 * m), zeros("sums", "f32", 264), number(8 * m)])
    yield launch("gelu_f32_4M", "gelu", "gelu_f32", [16384], [256],
                 [random("x", "f32", 4 * m), zeros("y", "f32", 4 * m), number(4 * m)])
    yield launch("exp_f64_1M", "unary", "exp_f64", [4096], [256],
                 [random("x", "f64", m), zeros("y", "f64", m), number(m)])
    yield launch("mv_f32_2048", "mv", "mv_f32", [2048], [256],
                 [random("A", "f32", 4 * m), random("x", "f32", 2048, 2), zeros("y", "f32", 2048), number(2048),
                  number(2048, "i64"), number(1, "i64"), number(1, "i64")])

    yield launch("tensor_pipeline_1024", "case:tensor_pipeline", "tensor_pipeline", [32, 32], [128],
                 [random("a", "f16", m), random("b", "f16", m, 2), zeros("c", "f32", m), number(1024), number(1024)])
    yield launch("mma_f16_4096", "case:mma_f16", "mma_f16", [4096], [32],
                 [random("a", "f16", 4096 * 256), random("b", "f16", 4096 * 128, 2), random("c", "f32", 4096 * 128, 3),
                  zeros("d", "f32", 4096 * 128), zeros("d8", "f32", 4096 * 128), zeros("dh", "f16", 4096 * 128)])
    yield launch("attention_2048", "case:attention", "attention", [64], [32],
                 [random("q", "f32", 32768), random("k", "f32", 32768, 2), random("v", "f32", 32768, 3),
                  zeros("o", "f32", 32768), number(2048), number(0.25, "f32")])
    yield launch("n_body_8192", "case:n_body", "n_body", [128], [64],
                 [random("bodies", "f32", 32768), zeros("force", "f32", 32768), number(8192)])
    yield launch("mandelbrot_1024", "case:mandelbrot", "mandelbrot", [64, 256], [16, 4],
                 [zeros("steps", "u8", m), zeros("last", "f32", m), number(1024), number(1024),
                  number(0.0025, "f32")])
    yield launch("stencil_f64", "case:stencil", "stencil", [64, 64], [8, 8],
                 [random("x", "f64", 8 * m), zeros("y", "f64", 8 * m), number(512), number(512), number(32),
                  number(0.4, "f64"), number(0.1, "f64")])
    yield launch("convolution_2048", "case:convolution", "convolution", [128, 256], [16, 8],
                 [random("x", "f32", 4 * m), zeros("y", "f32", 4 * m), number(2048), number(2048)])
    yield launch("scan_block_4M", "case:scan_block", "scan_block", [16384], [256],
                 [random("x", "i32", 4 * m), zeros("inclusive", "i32", 4 * m), zeros("exclusive", "i32", 4 * m),
                  number(4 * m)])
    yield launch("bitonic_sort_512K", "case:bitonic_sort", "bitonic_sort", [2048], [256],
                 [random("x", "i32", m // 2)] + [zeros(n, "i32", m // 2) for n in ("keys", "values", "by_warp")])
    yield launch("radix_sort_256K", "case:radix_sort", "radix_sort", [2048], [128],
                 [random("x", "u32", m // 4), zeros("y", "u32", m // 4)])
    yield launch("matrix_double_256", "case:matrix_double", "matrix_double", [32, 32], [8, 8],
                 [random("a", "f64", 65536), random("b", "f64", 65536, 2), zeros("c", "f64", 65536),
                  zeros("factor", "f64", 64)] + [number(256)] * 3)
    yield launch("matrix_vector_4096", "case:matrix_vector", "matrix_vector", [512], [256],
                 [random("a", "f32", 4 * m), random("x", "f32", 1024, 2), zeros("y", "f32", 4096), number(4096),
                  number(256), number(0.75, "f32")], 4096)
    yield launch("monte_carlo_1024", "case:monte_carlo", "monte_carlo", [1056], [256],
                 [zeros("inside", "u64", 1), zeros("states", "u32", 1056 * 256), number(300)])
    yield launch("layer_norm_f16_4096", "case:layer_norm", "layer_norm", [4096], [256],
                 [random("x", "f16", 4 * m), random("gain", "f32", 1024, 2), random("bias", "f32", 1024, 3),
                  zeros("y", "f16", 4 * m), number(1024), number(1e-5, "f32")])
    yield launch("sha256_256K", "case:sha256", "sha256", [1024], [256],
                 [random("messages", "u8", 16 * m), zeros("digests", "u32", 2 * m), number(262144)])
    yield launch("fourier_4096", "case:fourier", "fourier", [4096], [128],
                 [random("x", "f32", 2 * m), zeros("y", "f32", 2 * m), number(-1.0, "f32")])
    yield launch("philox_1M", "case:philox", "philox_random", [4096], [256],
                 [zeros("words", "u32", 4 * m), zeros("uniform", "f32", 4 * m), number(81985529216486895, "u64"),
                  number(42, "u32")])
    yield launch("quantised_dot_4096", "case:quantised_dot", "quantised_dot", [1024], [128],
                 [random("w", "u32", 4096 * 128 * 5), random("activations", "u32", 1024, 2),
                  random("scales", "f32", 128, 3), zeros("y", "f32", 4096), number(4096), number(128)])
    yield launch("nested_divergence_2M", "case:nested_divergence", "nested_divergence", [8192], [256],
                 [random("x", "i32", 2 * m), zeros("y", "i32", 2 * m), number(2 * m)])
    yield launch("edit_distance_4096", "case:edit_distance", "edit_distance", [4096], [64],
                 [random("words", "u8", 4096 * 80), zeros("distances", "i32", 4096), number(40)])
    yield launch("wide_tiles_1M", "case:wide_tiles", "wide_tiles", [4096], [256],
                 [random("x", "i32", m), zeros("y", "i32", m)])


def class_launches():
    """Launches of classes/kernels.cu: recursion, integer dot products, barriers in shared memory."""
    def launch(kernel, size, grid, block, args):
        return f"{kernel}_{size}", "own", kernel, (grid + [1, 1])[:3], (block + [1, 1])[:3], args, 0

    yield launch("recursive_fibonacci", "67K", [264], [256],
                 [random("n", "u32", 67584), zeros("out", "u32", 67584)])
    yield launch("recursive_tree", "3", [528], [128], [zeros("out", "u32", 67584), number(3, "u32")])
    yield launch("recursive_sort", "24", [132], [128],
                 [random("values", "i32", 132 * 128 * 24), zeros("out", "i32", 132 * 128 * 24)])
    yield launch("dot_products", "80", [1056], [256],
                 [random("a", "i32", 270336), random("b", "i32", 270336, 2), zeros("out", "i32", 270336), number(80)])
    yield launch("dot_matrix", "512", [16, 16], [16, 16],
                 [random("a", "i32", 512 * 256), random("b", "i32", 512 * 256, 2), zeros("c", "i32", 512 * 512),
                  number(256)])
    yield launch("mbarrier_pipeline", "16", [528], [256],
                 [random("x", "f32", 528 * 16 * 896), zeros("out", "f32", 528 * 224), number(16)])
    yield launch("mbarrier_ring", "60", [264], [256], [zeros("out", "u32", 264), number(60)])
    for steps, blocks, threads in ((60, 528, 256), (60, 264, 512)):
        for kernel in ("barrier_steps", "syncthreads_steps"):
            yield launch(kernel, f"{steps}_{threads}", [blocks], [threads],
                         [random("x", "f32", blocks * threads), zeros("out", "f32", blocks * threads), number(steps)])
    yield launch("polled_flags", "60", [264], [256], [zeros("out", "u32", 264 * 256), number(60)])


def text_of(launch):
    name, module, kernel, grid, block, args, shared = launch
    ptx, cubin = of_module(module)
    lines = [f'{{"kernel": "{kernel}", "ptx": "{ptx}", "cubin": "{cubin}",',
             f' "grid": {json.dumps(grid)}, "block": {json.dumps(block)}, "dynamic_shared_bytes": {shared},',
             ' "args": [' + ",\n          ".join(json.dumps(arg) for arg in args) + "]}"]
    return "\n".join(lines) + "\n"


def empty_launches():
    """Launches of a kernel that does nothing."""
    for grid in (1, 132, 1056, 4224, 16896, 65536):
        for block in (32, 256, 1024):
            yield f"empty_{grid}_{block}", "own", "empty", [grid, 1, 1], [block, 1, 1], [], 0


if __name__ == "__main__":
    for launch in launches():
        (HERE / "timed" / f"{launch[0]}.json").write_text(text_of(launch))
    for launch in class_launches():
        (HERE / "classes" / "timed" / f"{launch[0]}.json").write_text(text_of(launch))
    for launch in empty_launches():
        (HERE / "empty" / "timed" / f"{launch[0]}.json").write_text(text_of(launch).replace('"../', '"../../'))
