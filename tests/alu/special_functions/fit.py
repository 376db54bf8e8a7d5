#!/usr/bin/env python3
"""Finds the tables of core/gpu/alu/floating/special_function_tables.cpp from recorded results.

    python3 fit.py patch CUBIN OUT     replaces the factor 1 / (2 pi) of sin and cos in machine code by 1
    python3 fit.py tables FOLDER       prints the tables for the files that record.cpp wrote; needs numpy

A segment of a table is c0 + c1 x + c2 s with 0 <= x < 1 and the truncated square s of x. Results are truncated, so each
gives an interval in which the polynomial lies. c1 and c2 are integers near the least-squares solution for which some c0
lies in all intervals; c0 is a multiple of 1/8 plus a bias that all segments of a table share.
"""
import math
import os
import struct
import sys

TURNS, ONE = 0x3e22f983, 0x3f800000
FRACTION, SQUARE_BITS, VALUE_BITS = 23, 15, 17
TANH_SEGMENTS = {-8: 1, -7: 1, -6: 1, -5: 2, -4: 2, -3: 4, -2: 4, -1: 4, 0: 8, 1: 16, 2: 8}


def patch(source, target):
    with open(source, "rb") as file:
        code = file.read()
    with open(target, "wb") as file:
        file.write(code.replace(struct.pack("<I", TURNS), struct.pack("<I", ONE)))


def truncated_squares(bits):
    """The squares of all numbers of `bits` bits without the partial products of the lower columns, over 2^(2 bits)."""
    x = np.arange(1 << bits, dtype=np.int64)
    lowest = 2 * bits - SQUARE_BITS
    total = np.zeros_like(x)
    for i in range(bits):
        if 2 * i >= lowest:
            total += (x >> i & 1) << 2 * i
        for j in range(i + 1, bits):
            if i + j + 1 >= lowest:
                total += (x >> i & x >> j & 1) << (i + j + 1)
    return total / float(1 << 2 * bits)


def intervals(results, unit):
    """The values in units of 2^-unit, and the size of a unit in the last place."""
    exponent = (results >> FRACTION & 255).astype(np.int64) - 127
    ulp = np.exp2((exponent - FRACTION + unit).astype(float))
    values = ((results & 0x7fffff) | 0x800000) * ulp
    return np.where(results == 0, 0, values), np.where(results == 0, 1e9, np.maximum(ulp, 2.0 ** (unit - 37)))


def fit_segment(values, ulps, steps):
    """Returns c1, c2 and the bounds of c0."""
    bits = int(math.log2(len(values)))
    x, s = np.arange(len(values)) / len(values), truncated_squares(bits)
    columns = np.stack([np.ones(len(x)), x, s], 1) / ulps[:, None]
    near = np.linalg.lstsq(columns, (values + np.minimum(ulps, 1e6) / 2) / ulps, rcond=None)[0]
    c1s, c2s = round(near[1] / steps[0]), round(near[2] / steps[1])
    for d2 in (0, 1, -1, 2, -2):
        for d1 in (0, 1, -1, 2, -2):
            c1, c2 = (c1s + d1) * steps[0], (c2s + d2) * steps[1]
            rest = values - (c1 * x + c2 * s)
            if rest.max() < (rest + ulps).min():
                return c1, c2, rest.max(), (rest + ulps).min()
    sys.exit("fit.py: a segment has no coefficients")


def fit(parts, unit, steps):
    """parts: (results, number of segments)."""
    found = []
    for results, count in parts:
        values, ulps = intervals(results, unit)
        for v, u in zip(values.reshape(count, -1), ulps.reshape(count, -1)):
            found.append(fit_segment(v, u, steps))
    for bias in range(1 << VALUE_BITS - 3):
        c0s = [math.ceil((low - bias / 2 ** VALUE_BITS) * 8 - 1e-9) for _, _, low, _ in found]
        if all(c0 / 8 + bias / 2 ** VALUE_BITS < high for c0, (_, _, _, high) in zip(c0s, found)):
            return bias, [(c0, int(c1), int(c2)) for c0, (c1, c2, _, _) in zip(c0s, found)]
    sys.exit("fit.py: a table has no common bias")


def tables(folder):
    def recorded(name, exponent):
        return np.fromfile(os.path.join(folder, f"{name}.{exponent}"), dtype=np.uint32)

    rsq = recorded("rsq", 0)
    rsq[0] = 0x3f7fffff  # 1 is a special case
    lg2 = recorded("lg2", 0)
    # The first quarter turn: its lower half from cosines, whose argument is complemented. Arguments have 23 bits.
    low, high = recorded("cos_", -3)[::-2], recorded("sin_", -3)[::2]
    tanh = [(recorded("tanh_", e)[::(1 << FRACTION) // (n << 17)], n) for e, n in TANH_SEGMENTS.items()]
    yield "reciprocals", fit([(recorded("rcp", 0), 128)], 24, (2, 1))
    yield "inverse_roots_even", fit([(rsq, 64)], 24, (2, 2))
    yield "inverse_roots_odd", fit([(recorded("rsq", 1), 64)], 24, (2, 2))
    yield "roots_even", fit([(recorded("sqrt_", 0), 64)], 24, (1, 1))
    yield "roots_odd", fit([(recorded("sqrt_", 1), 64)], 24, (1, 1))
    yield "powers", fit([(recorded("ex2", 0), 64)], 22, (4, 1))
    yield "logarithms", fit([(lg2, 64)], 23, (1, 1))
    yield "sines", fit([(low, 32), (high, 32)], 23, (8, 2))
    yield "hyperbolic_tangents", fit(tanh, 24, (1, 1))


if __name__ == "__main__":
    if len(sys.argv) == 4 and sys.argv[1] == "patch":
        patch(sys.argv[2], sys.argv[3])
    elif len(sys.argv) == 3 and sys.argv[1] == "tables":
        import numpy as np
        for name, (bias, segments) in tables(sys.argv[2]):
            print(f"{name}: bias {bias}")
            print(", ".join(f"{{{c0}, {c1}, {c2}}}" for c0, c1, c2 in segments))
    else:
        sys.exit(__doc__)
