"""Arrays of NumPy, PyTorch and others to the bytes that the program reads, and back."""
from __future__ import annotations

import ctypes
import math
import struct
import sys
from dataclasses import dataclass
from typing import Any, Sequence

from .program import Error

# Names of element types in launch files: their size, and their format in Python's struct (bf16 has none).
SIZES = {"f16": 2, "bf16": 2, "f32": 4, "f64": 8, "i8": 1, "i16": 2, "i32": 4, "i64": 8,
         "u8": 1, "u16": 2, "u32": 4, "u64": 8}
FORMATS = {"f16": "e", "f32": "f", "f64": "d", "i8": "b", "i16": "h", "i32": "i", "i64": "q",
           "u8": "B", "u16": "H", "u32": "I", "u64": "Q"}
OF_TORCH = {"float16": "f16", "bfloat16": "bf16", "float32": "f32", "float64": "f64", "int8": "i8", "int16": "i16",
            "int32": "i32", "int64": "i64", "uint8": "u8", "uint16": "u16", "uint32": "u32", "uint64": "u64",
            "bool": "u8"}
TO_TORCH = {ours: theirs for theirs, ours in OF_TORCH.items() if theirs != "bool"}


@dataclass(frozen=True)
class Array:
    """Elements as the program gets them: little-endian, in C order. `kind`: whose array it was."""

    dtype: str
    shape: tuple[int, ...]
    data: bytes
    kind: str


@dataclass(frozen=True)
class Empty:
    """A buffer without contents. With `sanitize`, reading it before it was written is a finding."""

    shape: tuple[int, ...]
    dtype: str = "f32"


def empty(shape: int | Sequence[int], dtype: str = "f32") -> Empty:
    """A buffer for results, whose contents are not initialized. dtype: f16 bf16 f32 f64 i8 ... i64 u8 ... u64."""
    if dtype not in SIZES:
        raise Error(f"dtype {dtype!r}: use one of {' '.join(SIZES)}")
    return Empty((shape,) if isinstance(shape, int) else tuple(shape), dtype)


def loaded(module: str) -> Any:
    """A module that the program has imported itself, or None: nothing is imported for it."""
    return sys.modules.get(module)


def to_array(value: Any, what: str) -> Array:
    """Any kind of array, or a (nested) list of numbers. `what` names it in errors."""
    torch = loaded("torch")
    if torch is not None and isinstance(value, torch.Tensor):
        return of_tensor(value, what)
    if type(value).__module__.partition(".")[0] == "cupy":
        value = value.get()
    if hasattr(value, "__array__") or hasattr(value, "__array_interface__"):
        return of_numpy(value, what)
    if torch is not None and hasattr(value, "__dlpack__"):
        return of_tensor(torch.from_dlpack(value), what)
    if isinstance(value, (list, tuple)):
        return of_list(value, what)
    if isinstance(value, (int, float)):
        single = of_list([value], what)
        return Array(single.dtype, (), single.data, single.kind)
    try:
        view = memoryview(value)
    except TypeError:
        raise Error(f"{what}: {type(value).__name__} is not an array; give a tensor, a NumPy array or a list") from None
    return of_buffer(view, what)


def of_tensor(tensor: Any, what: str) -> Array:
    dtype = OF_TORCH.get(str(tensor.dtype).removeprefix("torch."))
    if dtype is None:
        raise Error(f"{what}: elements of type {tensor.dtype} cannot be passed; convert it, for example with .float()")
    kept = tensor.detach().cpu().contiguous()
    data = ctypes.string_at(kept.data_ptr(), kept.numel() * kept.element_size()) if kept.numel() else b""
    return Array(dtype, tuple(kept.shape), data, "torch")


def of_numpy(value: Any, what: str) -> Array:
    import numpy

    array = numpy.asarray(value)
    name = "bf16" if array.dtype.name == "bfloat16" else "u8" if array.dtype.kind == "b" else \
        {"f": "f", "i": "i", "u": "u"}.get(array.dtype.kind, "?") + str(8 * array.dtype.itemsize)
    if name not in SIZES:
        raise Error(f"{what}: elements of type {array.dtype} cannot be passed; convert it, for example with "
                    f".astype('float32')")
    little = array if name == "bf16" else array.astype(array.dtype.newbyteorder("<"), copy=False)
    return Array(name, array.shape, numpy.ascontiguousarray(little).tobytes(), "numpy")


def of_buffer(view: memoryview, what: str) -> Array:
    for name, code in FORMATS.items():
        if struct.calcsize(code) == view.itemsize and (view.format == code or (view.format in "lL" and
                                                       code == {"l": "q", "L": "Q"}[view.format])):
            return Array(name, tuple(view.shape or ()), view.tobytes(), "python")
    raise Error(f"{what}: elements of format {view.format!r} cannot be passed")


def of_list(value: Sequence[Any], what: str) -> Array:
    shape: list[int] = []
    flat: list[Any] = list(value)
    shape.append(len(flat))
    while flat and isinstance(flat[0], (list, tuple)):
        width = len(flat[0])
        if not all(isinstance(row, (list, tuple)) and len(row) == width for row in flat):
            raise Error(f"{what}: its rows have different lengths")
        flat = [element for row in flat for element in row]
        shape.append(width)
    if not all(isinstance(element, (int, float)) for element in flat):
        raise Error(f"{what}: a list of numbers is needed")
    dtype = "f32" if any(isinstance(element, float) for element in flat) else "i32"
    try:
        return Array(dtype, tuple(shape), struct.pack(f"<{len(flat)}{FORMATS[dtype]}", *flat), "python")
    except (struct.error, OverflowError):
        raise Error(f"{what}: a number does not fit into {dtype}; give a NumPy array or a tensor") from None


def from_bytes(data: bytes, dtype: str, shape: Sequence[int], kind: str) -> Any:
    """Elements as an array of this kind: a tensor on the CPU, an array of NumPy, or else a memoryview.

    NumPy has no bf16, and a memoryview neither: such elements become f32 there.
    """
    if kind == "torch":
        torch = loaded("torch")
        whole = torch.frombuffer(bytearray(data), dtype=getattr(torch, TO_TORCH[dtype])) if data else \
            torch.empty(0, dtype=getattr(torch, TO_TORCH[dtype]))
        return whole.reshape(tuple(shape))
    if dtype == "bf16":
        data, dtype = widened(data), "f32"
    try:
        import numpy
    except ImportError:
        view = memoryview(data)
        return view.cast(FORMATS[dtype], list(shape)) if math.prod(shape) and len(shape) else view.cast(FORMATS[dtype])
    return numpy.frombuffer(bytearray(data), dtype="<" + dtype[0] + str(SIZES[dtype])).reshape(tuple(shape))


def widened(data: bytes) -> bytes:
    """bf16 as f32: the same bits, and 16 zeros below them."""
    out = bytearray(2 * len(data))
    out[2::4], out[3::4] = data[0::2], data[1::2]
    return bytes(out)


def scalar(value: Any, what: str) -> dict[str, Any] | None:
    """A number as an argument of a launch file, or None if it is none: i32 (i64 if it is too large), f32, or the type
    that NumPy and ctypes name."""
    if isinstance(value, bool):
        return {"scalar": int(value), "dtype": "u8"}
    if isinstance(value, int):
        for dtype, low, high in (("i32", -1 << 31, 1 << 31), ("i64", -1 << 63, 1 << 63), ("u64", 0, 1 << 64)):
            if low <= value < high:
                return {"scalar": value, "dtype": dtype}
        raise Error(f"{what}: {value} has more than 64 bits")
    if isinstance(value, float):
        return {"scalar": number(value), "dtype": "f32"}
    if isinstance(value, ctypes._SimpleCData):
        code = getattr(type(value), "_type_")
        for dtype, format_ in FORMATS.items():
            if code == format_ or (code in "lL" and format_ == {"l": "q", "L": "Q"}[code]):
                return {"scalar": number(value.value), "dtype": dtype}
    if type(value).__module__ == "numpy" and type(value).__name__ != "ndarray":  # numpy.int64(5) and the like
        array = of_numpy(value, what)
        return {"scalar": number(value.item()), "dtype": array.dtype}
    return None


def number(value: Any) -> Any:
    """A float as a launch file has it: JSON has no NaN and no infinity."""
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
    return value
