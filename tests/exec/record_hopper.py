#!/usr/bin/env python3
"""Records what a GPU of compute capability 9.0 computes with wgmma and the tensor memory accelerator: the files of
tests/exec/data that README.md there describes.

    python3 tests/exec/record_hopper.py [FOLDER]     default: tests/exec/data; needs such a GPU and nvcc 13.0
"""
import ctypes as C
import os
import random
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
# Kernel: bytes of an element, exponent bits, fraction bits, part of the kernels' file, registers of C and D.
PRODUCTS = {"bf16_s": (2, 8, 7, 0, 16), "bf16_sn": (2, 8, 7, 0, 16), "bf16_r": (2, 8, 7, 0, 16),
            "f16_s": (2, 5, 10, 0, 16), "f16h_r": (2, 5, 10, 0, 8), "tf32_r": (4, 8, 23, 0, 16),
            "e4m3_s": (1, 4, 3, 1, 16), "e5m2_r": (1, 5, 2, 1, 16), "e4m3h_s": (1, 4, 3, 1, 8), "s8_s": (1, 0, 0, 1, 16),
            "u8s8_r": (1, 0, 0, 1, 16)}
TRIALS = 24
RECORDED_TRIALS = (1, 4)  # exponents up to 12 from 1.0; any bits
SIZES = [1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4]  # by CUtensorMapDataType
MEMORY = 1 << 20
I32, U32, U64 = C.c_int32, C.c_uint32, C.c_uint64

cuda = C.CDLL("libcuda.so.1")


def check(result):
    if result:
        raise RuntimeError(f"CUDA error {result}")


def allocate(content):
    pointer = U64()
    check(cuda.cuMemAlloc_v2(C.byref(pointer), C.c_size_t(len(content))))
    check(cuda.cuMemcpyHtoD_v2(pointer, content, C.c_size_t(len(content))))
    return pointer.value


def contents(pointer, count):
    buffer = C.create_string_buffer(count)
    check(cuda.cuMemcpyDtoH_v2(buffer, U64(pointer), C.c_size_t(count)))
    return buffer.raw


def load(name, folder):
    cubin = os.path.join(folder, name + ".cubin")
    subprocess.run(["nvcc", "-arch=sm_90a", "-cubin", "-frandom-seed=warpwalk", "-o", cubin,
                    os.path.join(HERE, "kernels", name + ".cu")], check=True)
    module = C.c_void_p()
    check(cuda.cuModuleLoad(C.byref(module), cubin.encode()))
    return module


def launch(module, kernel, shared, *arguments):
    function = C.c_void_p()
    check(cuda.cuModuleGetFunction(C.byref(function), module, kernel.encode()))
    if shared > 48 * 1024:
        check(cuda.cuFuncSetAttribute(function, 8, shared))
    pointers = (C.c_void_p * len(arguments))(*[C.cast(C.pointer(a), C.c_void_p) for a in arguments])
    check(cuda.cuLaunchKernel(function, 1, 1, 1, 128, 1, 1, shared, None, pointers, None))
    check(cuda.cuCtxSynchronize())


def tensor_map(kind, address, sizes, strides, box, steps, swizzle, fill):
    raw = C.create_string_buffer(192)
    at = C.addressof(raw) + -C.addressof(raw) % 64
    words = (U64 * 16).from_address(at)
    words.raw = raw
    wide, narrow = U64 * 5, U32 * 5
    padded = lambda values: list(values) + [0] * (5 - len(values))
    result = cuda.cuTensorMapEncodeTiled(C.byref(words), kind, U32(len(sizes)), C.c_void_p(address),
                                         wide(*padded(sizes)), wide(*padded(strides)), narrow(*padded(box)),
                                         narrow(*padded(steps)), 0, swizzle, 0, fill)
    return None if result else words


def image_map(kind, address, sizes, strides, lower, upper, channels, pixels, steps, swizzle, fill):
    raw = C.create_string_buffer(192)
    at = C.addressof(raw) + -C.addressof(raw) % 64
    words = (U64 * 16).from_address(at)
    words.raw = raw
    wide, narrow, signed = U64 * 5, U32 * 5, I32 * 5
    padded = lambda values: list(values) + [0] * (5 - len(values))
    check(cuda.cuTensorMapEncodeIm2col(C.byref(words), kind, U32(len(sizes)), C.c_void_p(address), wide(*padded(sizes)),
                                       wide(*padded(strides)), signed(*padded(lower)), signed(*padded(upper)),
                                       U32(channels), U32(pixels), narrow(*padded(steps)), 0, swizzle, 0, fill))
    return words


def number(r, exponent_bits, fraction_bits, kind):
    bias = (1 << (exponent_bits - 1)) - 1
    top = (1 << exponent_bits) - 2
    if kind == 0:
        exponent = r.randint(bias - 2, bias + 2)
    elif kind == 1:
        return r.getrandbits(1 + exponent_bits + fraction_bits)
    elif kind == 2:
        exponent = r.randint(max(0, bias - 12), min(top, bias + 12))
    elif kind == 3:
        exponent = r.randint(max(0, bias - 6), min(top, bias + 6))
    elif kind == 4:
        exponent = r.choice((0, 0, 1, 2, bias))
    else:
        exponent = r.randint(max(0, bias - 4), bias)
    fraction = r.getrandbits(fraction_bits) if kind != 3 or r.random() < 0.5 else 0
    return r.getrandbits(1) << (exponent_bits + fraction_bits) | exponent << fraction_bits | fraction


def product_inputs(kind, size, exponent_bits, fraction_bits, registers):
    """Images of A and B by trial, and C by register and thread."""
    r = random.Random("warpwalk " + kind)
    a, b, c = [], [], []
    for trial in range(TRIALS):
        how = (0, 2, 3, 5, 1, 4)[trial % 6]
        for to, count in ((a, 2048 // size), (b, 1024 // size)):
            for _ in range(count):
                value = number(r, exponent_bits, fraction_bits, how) if exponent_bits else r.getrandbits(8)
                to.append(value.to_bytes(size, "little"))
        for _ in range(registers * 128):
            if not exponent_bits:
                value = r.getrandbits(32 if how == 1 else 20)
            elif registers == 8:
                value = number(r, 5, 10, how) | number(r, 5, 10, how) << 16
            elif how == 3 and r.random() < 0.3:
                value = 0
            else:
                value = number(r, 8, 23, how)
            c.append(value.to_bytes(4, "little"))
    return b"".join(a), b"".join(b), b"".join(c)


def products(folder):
    modules = [load(f"group_products_{part}", folder) for part in (0, 1)]
    out = b""
    for kernel, (size, exponent_bits, fraction_bits, part, registers) in PRODUCTS.items():
        a, b, c = product_inputs(kernel.split("_")[0], size, exponent_bits, fraction_bits, registers)
        d = allocate(bytes(len(c)))
        launch(modules[part], kernel, 4096, U64(allocate(a)), U64(allocate(b)), U64(allocate(c)), U64(d), I32(TRIALS))
        result = contents(d, len(c))
        for t in RECORDED_TRIALS:
            out += a[t * 2048 + 1024:t * 2048 + 1536] + b[t * 1024:t * 1024 + 1024]
            for source in (c, result):
                for register in range(registers):
                    at = ((t * registers + register) * 128 + 64) * 4
                    out += source[at:at + 128]
    return out


def header(rank, words, coordinates):
    return struct.pack("<I", rank) + bytes(8) + b"".join(struct.pack("<Q", w) for w in list(words)[1:]) + struct.pack(
        "<5i", *(list(coordinates) + [0] * (5 - rank)))


def loads(module):
    source = allocate(random.Random(2).randbytes(MEMORY))
    target = allocate(bytes(1 << 17))
    out = b""

    def one(kind, sizes, strides, box, steps, swizzle, fill, at):
        nonlocal out
        words = tensor_map(kind, source, sizes, strides, box, steps, swizzle, fill)
        if words is None:
            return
        count = SIZES[kind]
        for extent, step in zip(box, steps):
            count *= -(-extent // step)
        size = min(65536 - 1024, (count + 255) // 128 * 128 + 1024)
        launch(module, "tma_load", 65536, words, I32(len(sizes)), *[I32(x) for x in list(at) + [0] * (5 - len(at))],
               U32(count), U32(size), U64(target))
        data = contents(target, size)
        kept = min(size, (len(data.rstrip(b"\xee")) + 127) // 128 * 128)
        out += header(len(sizes), words, at) + struct.pack("<II", count, kept) + data[:kept]

    plane, ones = ((64, 32), (128,)), (1, 1)
    for swizzle in range(4):
        one(9, *plane, (8 << swizzle if swizzle else 16, 16), ones, swizzle, 0, (0, 0))
    for at in ((0, 1), (8, 0), (-8, 0), (0, -2), (0, 20), (1000, 0), (0, 1000)):
        one(9, *plane, (16, 16), ones, 0, 0, at)
    one(9, (61, 31), (128,), (16, 16), ones, 0, 0, (0, 0))
    one(9, (61, 31), (128,), (16, 9), ones, 0, 0, (0, 0))
    one(9, *plane, (16, 9), ones, 0, 0, (0, 0))
    for start, extent in ((900, 256), (2000, 64), (-64, 64)):
        one(2, (1000,), (), (extent,), (1,), 0, 0, (start,))
    for swizzle in (1, 2, 3):
        one(9, (64, 20, 10), (128, 4096), (8 << swizzle, 5, 8), (1, 1, 1), swizzle, 0, (0, 2, 1))
    for swizzle in range(4):
        one(0, (128, 64), (128,), (16 << swizzle if swizzle else 16, 64), ones, swizzle, 0, (0, 0))
    for swizzle in range(4):
        one(9, (61, 31), (128,), (8 << swizzle if swizzle else 16, 8), ones, swizzle, 0, (-8, -2))
    for swizzle in range(4):
        one(7, (61, 31), (256,), (4 << swizzle if swizzle else 16, 8), ones, swizzle, 1, (48, 27))
    for kind in (6, 7, 8, 9, 10, 11, 12):
        one(kind, (61, 31), (512,), (16, 8), ones, 0, 1, (-16 // SIZES[kind], -2))
    for kind in range(6):
        one(kind, (61, 31), (512,), (16, 8), ones, 0, 0, (-16 // SIZES[kind], -2))
    one(2, (20, 10, 10), (128, 2048), (8, 4, 4), (1, 1, 1), 0, 0, (16, 8, 9))
    one(2, (20, 10, 10, 5), (128, 2048, 32768), (8, 4, 4, 2), (1,) * 4, 0, 0, (-4, -1, -1, -1))
    one(2, (20, 10, 10, 5, 4), (128, 2048, 32768, 131072), (8, 4, 4, 2, 2), (1,) * 5, 0, 0, (16, 8, 9, 4, 3))
    one(2, (100, 100), (512,), (16, 16), (1, 3), 0, 0, (4, 7))
    for swizzle in (1, 2, 3):
        one(7, (60, 31), (256,), (4, 8), ones, swizzle, 0, (4, 1))
    for swizzle in (2, 3):
        one(9, (60, 31), (256,), (24, 8), ones, swizzle, 0, (8, 1))
    one(9, *plane, (8, 8), ones, 0, 0, (56, 30))
    one(9, *plane, (64, 32), ones, 3, 0, (0, 0))
    one(7, (32, 32), (128,), (32, 32), ones, 3, 0, (0, 0))
    one(9, *plane, (32, 9), ones, 2, 0, (0, 0))
    one(9, (16, 3, 4, 5, 2), (32, 96, 384, 1920), (16, 3, 2, 2, 2), (1,) * 5, 1, 0, (0, 1, 3, 4, 1))
    one(9, (16, 3, 1), (32, 96), (16, 3, 1), (1, 1, 1), 1, 0, (0, 0, 0))
    return out


def image_loads(module):
    """Copies of pixels: of images of 64, 32 and 61 channels, over rows, images and edges."""
    source = allocate(random.Random(2).randbytes(MEMORY))
    target = allocate(bytes(1 << 17))
    out = b""

    def one(kind, sizes, strides, lower, upper, channels, pixels, steps, swizzle, fill, at, offsets):
        nonlocal out
        words = image_map(kind, source, sizes, strides, lower, upper, channels, pixels, steps, swizzle, fill)
        count = SIZES[kind] * channels * pixels
        pitch = 16 << swizzle if swizzle else SIZES[kind] * channels
        size = (pitch * pixels + 255) // 128 * 128
        coordinates, moved = list(at) + [0] * (5 - len(at)), list(offsets) + [0] * (3 - len(offsets))
        launch(module, "image_load", 65536, words, I32(len(sizes)), *[I32(x) for x in coordinates + moved], U32(count),
               U32(size), U64(target))
        data = contents(target, size)
        out += header(len(sizes), words, at) + struct.pack("<3iII", *moved, count, size) + data

    def packed(channels, image, images, size):
        sizes, strides, bytes_so_far = [channels, *image, images], [], channels * size
        for extent in sizes[1:]:
            strides.append(bytes_so_far)
            bytes_so_far *= extent
        return sizes, strides

    plane, ones = packed(64, (9, 7), 3, 2), (1, 1, 1, 1)
    for swizzle in range(4):
        one(9, *plane, (0, 0), (0, 0), 8 << swizzle if swizzle else 16, 32, ones, swizzle, 0, (0, 0, 0, 0), (0, 0))
    for lower, upper, at, offsets in (((-1, -1), (-1, -1), (0, -1, -1, 0), (0, 0)),
                                      ((-1, -1), (-1, -1), (0, -1, -1, 0), (2, 1)),
                                      ((-1, -1), (-1, -1), (8, 3, 2, 1), (1, 2)),
                                      ((0, 0), (-2, -2), (0, 4, 4, 2), (2, 2)),
                                      ((0, 0), (-2, -2), (16, 6, 4, 2), (0, 1)),
                                      ((-2, 1), (3, -1), (0, 5, 3, 0), (1, 0)),
                                      ((-1, -1), (1, 1), (0, 9, 7, 2), (0, 0)),
                                      ((-1, -1), (0, 0), (0, -1, 6, 0), (0, 0)),
                                      ((0, 0), (0, 0), (-8, 0, 0, 0), (0, 0)), ((0, 0), (0, 0), (56, 0, 0, 0), (0, 0)),
                                      ((0, 0), (0, 0), (0, 0, 0, -1), (0, 0)), ((0, 0), (0, 0), (0, 0, 0, 5), (0, 0)),
                                      ((-1, -1), (-1, -1), (0, 7, -1, 0), (2, 2))):
        one(9, *plane, lower, upper, 16, 40, ones, 0, 0, at, offsets)
    for steps in ((1, 2, 2, 1), (1, 3, 1, 1), (1, 2, 3, 1), (2, 1, 1, 1), (1, 1, 1, 2)):
        one(9, *plane, (-1, -1), (-1, -1), 16, 40, steps, 0, 0, (0, 1, 2, 0), (0, 2))
    for image in ((33,), (6, 5, 4)):
        n = len(image)
        for lower, upper, at, offset in ((-1, -1, -1, 1), (-2, 1, 2, 2), (0, 0, 2, 2)):
            for step in (1, 2):
                one(7, *packed(32, image, 3, 4), (lower,) * n, (upper,) * n, 8, 60, (1, *[step] * n, 1), step - 1, 0,
                    (4 * max(0, at), *[at] * n, 1), (offset,) * n)
    for kind, channels in ((0, 64), (2, 16), (6, 16), (9, 24), (10, 16), (12, 16)):
        first = -16 // SIZES[kind] if kind > 5 else 48 // SIZES[kind]
        one(kind, (61, 9, 7, 3), (512, 512 * 9, 512 * 63), (-1, -1), (-1, -1), channels, 33, ones, 0, int(kind > 5),
            (first, 0, 0, 0), (1, 1))
    return out


def floats(form, count, seed):
    r = random.Random(seed)
    values = [r.choice((0.0, -0.0, 1.0, r.gauss(0, 1), r.gauss(0, 1) * 2.0**r.randint(-12, 12),
                        r.gauss(0, 1) * 2.0**-14)) for _ in range(count)]
    if form == "bf16":
        return b"".join(struct.pack("<f", x)[2:] for x in values)
    return struct.pack(f"<{count}{form}", *values)


def stores(module):
    r = random.Random(2)
    r.randbytes(MEMORY)
    content, initial = r.randbytes(32768)[:2048], r.randbytes(32768)[:8192]
    out = b""

    def one(kind, sizes, strides, box, steps, swizzle, at, what, content, initial):
        nonlocal out
        target = allocate(initial)
        words = tensor_map(kind, target, sizes, strides, box, steps, swizzle, 0)
        launch(module, "tma_store", 65536, words, I32(len(sizes)), *[I32(x) for x in list(at) + [0] * (5 - len(at))],
               I32(what), U32(len(content)), U64(allocate(content)))
        result = contents(target, len(initial))
        end = (max(i for i in range(len(result)) if result[i] != initial[i]) + 128) // 128 * 128
        out += header(len(sizes), words, at) + struct.pack("<iII", what, len(content), end) + content + initial[:end]
        out += result[:end]

    def reduce(kind, what, content, initial):
        width = 128 // SIZES[kind]
        one(kind, (width, 16), (128,), (width, 16), (1, 1), 0, (0, 0), what, content, initial[:2048])

    for sizes, swizzle, at in (((64, 31), 1, (8, 2)), ((64, 31), 3, (8, 2)), ((61, 31), 0, (48, 27)),
                               ((61, 31), 3, (48, 27))):
        one(9, sizes, (128,), (8 << swizzle if swizzle else 16, 8), (1, 1), swizzle, at, 0, content, initial)
    one(2, (20, 10, 3), (128, 2048), (8, 4, 4), (1, 1, 1), 0, (16, 8, 1), 0, content, initial)
    one(2, (30, 30), (128,), (16, 16), (2, 3), 0, (4, 2), 0, content, initial)
    for kind, form in ((7, "f"), (6, "e"), (9, "bf16"), (10, "f")):
        for what in (1, 2, 3) if kind in (6, 9) else (1,):
            count = 2048 // SIZES[kind]
            reduce(kind, what, floats(form, count, what), floats(form, count, what + 9))
    for what in (1, 2, 3, 4, 5, 8):
        reduce(2, what, content, initial)
    reduce(4, 1, content, initial)
    forms = {0: "f", 1: "e", 2: "bf16", 3: "e", 12: "d"}
    for what in (0, 1, 2, 3, 6, 8, 12, 13):
        from_shared, before = content, initial[:2048]
        if what in forms:
            count = 2048 // {"f": 4, "e": 2, "bf16": 2, "d": 8}[forms[what]]
            seeds = (50, 51) if what == 12 else (what + 50, what + 70)
            from_shared, before = (floats(forms[what], count, seed) for seed in seeds)
        target = allocate(before)
        launch(module, "bulk_reduce", 65536, U64(target), U64(allocate(from_shared)), U32(2048), I32(what))
        out += struct.pack("<I", 0) + bytes(148) + struct.pack("<iII", what, 2048, 2048) + from_shared + before
        out += contents(target, 2048)
    return out


def main():
    to = sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "data")
    check(cuda.cuInit(0))
    device, context = C.c_int(), C.c_void_p()
    check(cuda.cuDeviceGet(C.byref(device), 0))
    check(cuda.cuDevicePrimaryCtxRetain(C.byref(context), device))
    check(cuda.cuCtxSetCurrent(context))
    with tempfile.TemporaryDirectory() as folder:
        module, images = load("tensor_copies", folder), load("image_copies", folder)
        for name, content in (("group_products", products(folder)), ("tensor_loads", loads(module)),
                              ("tensor_stores", stores(module)), ("image_loads", image_loads(images))):
            with open(os.path.join(to, name + ".bin"), "wb") as file:
                file.write(content)


if __name__ == "__main__":
    main()
