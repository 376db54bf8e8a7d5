"""Arrays to bytes and back. The expected bytes are written out, or NumPy's."""
from __future__ import annotations

import array
import ctypes
import unittest

from support import Test

from warpwalk import empty
from warpwalk.arrays import from_bytes, scalar, to_array

try:
    import numpy
except ImportError:
    numpy = None


class ToBytes(Test):
    def test_lists(self) -> None:
        got = to_array([[1, 2, 3], [4, 5, -6]], "a")
        self.assertEqual((got.dtype, got.shape), ("i32", (2, 3)))
        self.assertEqual(got.data, bytes.fromhex("01000000 02000000 03000000 04000000 05000000 faffffff"))
        got = to_array([1, 0.5], "a")
        self.assertEqual((got.dtype, got.shape, got.data), ("f32", (2,), bytes.fromhex("0000803f 0000003f")))
        self.assertEqual(to_array([], "a").shape, (0,))
        self.assertEqual((to_array(2.0, "a").shape, to_array(2.0, "a").data), ((), bytes.fromhex("00000040")))

    def test_lists_that_are_no_arrays(self) -> None:
        self.assertEqual(self.error(to_array, [[1, 2], [3]], "a"), "a: its rows have different lengths")
        self.assertEqual(self.error(to_array, ["x"], "a"), "a: a list of numbers is needed")
        self.assertIn("does not fit into i32", self.error(to_array, [1 << 40], "a"))
        self.assertIn("object is not an array", self.error(to_array, object(), "a"))

    def test_buffers(self) -> None:
        got = to_array(array.array("d", [1.0]), "a")
        self.assertEqual((got.dtype, got.shape, got.data), ("f64", (1,), bytes.fromhex("000000000000f03f")))
        self.assertEqual(to_array(array.array("l", [7]), "a").dtype, "i64")
        self.assertEqual(to_array(b"ab", "a").dtype, "u8")

    @unittest.skipIf(numpy is None, "NumPy is not installed")
    def test_numpy(self) -> None:
        for name, dtype in (("float16", "f16"), ("float64", "f64"), ("int8", "i8"), ("uint64", "u64"), ("bool", "u8")):
            given = numpy.arange(6).reshape(2, 3).astype(name)
            got = to_array(given, "a")
            self.assertEqual((got.dtype, got.shape, got.data), (dtype, (2, 3), given.tobytes()))
        strided = numpy.arange(12, dtype="f4").reshape(3, 4).T[::2]
        self.assertEqual(to_array(strided, "a").data, numpy.ascontiguousarray(strided).tobytes())
        self.assertEqual(to_array(numpy.array([1.5], dtype=">f4"), "a").data, bytes.fromhex("0000c03f"))
        self.assertIn("complex64", self.error(to_array, numpy.zeros(2, "complex64"), "a"))


class Scalars(Test):
    def test_types(self) -> None:
        for value, dtype in ((5, "i32"), (-(1 << 31), "i32"), (1 << 31, "i64"), (1 << 63, "u64"), (2.5, "f32"),
                             (ctypes.c_int64(5), "i64"), (ctypes.c_uint8(5), "u8"), (ctypes.c_double(1), "f64")):
            got = scalar(value, "n")
            self.assertEqual(got["dtype"], dtype, value)
        self.assertEqual(scalar(float("nan"), "n"), {"scalar": "nan", "dtype": "f32"})
        self.assertEqual(scalar(float("-inf"), "n"), {"scalar": "-inf", "dtype": "f32"})
        self.assertIsNone(scalar([1], "n"))
        self.assertIn("more than 64 bits", self.error(scalar, 1 << 64, "n"))

    @unittest.skipIf(numpy is None, "NumPy is not installed")
    def test_numpy(self) -> None:
        self.assertEqual(scalar(numpy.int64(5), "n"), {"scalar": 5, "dtype": "i64"})
        self.assertEqual(scalar(numpy.float16(0.5), "n"), {"scalar": 0.5, "dtype": "f16"})
        self.assertIsNone(scalar(numpy.zeros(1), "n"))


class FromBytes(Test):
    def test_shapes(self) -> None:
        got = from_bytes(bytes.fromhex("0000803f 00000040 00004040 00008040"), "f32", (2, 2), "python")
        self.assertEqual([list(map(float, row)) for row in got.tolist()], [[1, 2], [3, 4]])

    def test_bf16_is_widened(self) -> None:
        self.assertEqual(list(from_bytes(bytes.fromhex("803f c0bf"), "bf16", (2,), "python")), [1.0, -1.5])


class Empties(Test):
    def test_dtype(self) -> None:
        self.assertEqual(empty(4, "u8").shape, (4,))
        self.assertIn("'float'", self.error(empty, 4, "float"))


if __name__ == "__main__":
    unittest.main()
