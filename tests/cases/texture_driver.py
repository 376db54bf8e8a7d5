"""Textures and surfaces of a launch file on this machine's GPU, through the CUDA driver.

The structures are those of cuda.h 13.0, packed by hand.
"""
import ctypes
import struct

from definitions.case import BYTES

FORMATS = {"u8": 1, "u16": 2, "u32": 3, "i8": 8, "i16": 9, "i32": 10, "f16": 16, "f32": 32}  # CU_AD_FORMAT_
ADDRESS_MODES = ["wrap", "clamp", "mirror", "border"]
ARRAY, MIPMAPPED_ARRAY, LINEAR, PITCH = range(4)               # CU_RESOURCE_TYPE_
LAYERED, SURFACE, CUBEMAP, GATHER = 1, 2, 4, 8                 # CUDA_ARRAY3D_
AS_INTEGER, NORMALIZED, SEAMLESS = 1, 2, 0x40                  # CU_TRSF_
HOST, DEVICE, IN_ARRAY = 1, 2, 3                               # CU_MEMORYTYPE_


class TexelMemory:
    """The memory of a texture or surface: a CUDA array, a mipmapped array or linear memory."""

    def __init__(self, gpu, spec, contents):
        self.spec, self.handle = spec, ctypes.c_uint64()
        self.texel = BYTES[spec["dtype"]] * spec.get("channels", 1)
        self.width = spec["width"]
        cube = spec.get("cube", False)
        self.height = self.width if cube else spec.get("height", 0)
        self.depth = spec.get("depth", 0) or spec.get("layers", 0) * (6 if cube else 1) or (6 if cube else 0)
        self.is_array = spec.get("memory", "array") == "array"
        self.levels = spec.get("levels", 1)
        self.pitch = self.width * self.texel
        if not self.is_array:
            self.allocate_linear(gpu, contents)
            return
        flags = (LAYERED if spec.get("layers") else 0) | (CUBEMAP if cube else 0)
        flags |= SURFACE if "surface" in spec else 0
        flags |= GATHER if self.height and not self.depth and "texture" in spec else 0
        described = struct.pack("<QQQIIIxxxx", self.width, self.height, self.depth, FORMATS[spec["dtype"]],
                                spec.get("channels", 1), flags)
        if self.is_mipmapped():
            gpu.call("cuMipmappedArrayCreate", ctypes.byref(self.handle), described, self.levels)
        else:
            gpu.call("cuArray3DCreate_v2", ctypes.byref(self.handle), described)
        at = 0
        for level in range(self.levels):
            size = self.level_bytes(level)
            if contents is not None:
                self.copy(gpu, level, ctypes.create_string_buffer(contents[at:at + size], size), True)
            at += size

    def is_mipmapped(self):
        return "levels" in self.spec

    def allocate_linear(self, gpu, contents):
        rows = max(self.height, 1)
        row = self.pitch
        if self.spec["memory"] == "pitch":
            self.pitch = (row + 511) // 512 * 512
        gpu.call("cuMemAlloc_v2", ctypes.byref(self.handle), ctypes.c_size_t(self.pitch * rows))
        for y in range(rows):
            gpu.call("cuMemcpyHtoD_v2", ctypes.c_uint64(self.handle.value + y * self.pitch),
                     contents[y * row:(y + 1) * row], ctypes.c_size_t(row))

    def level_shape(self, level):
        layered = self.spec.get("layers") or self.spec.get("cube")
        halved = [max(size >> level, 1) for size in (self.width, self.height)]
        return halved + [max(self.depth, 1) if layered else max(self.depth >> level, 1)]

    def level_bytes(self, level):
        width, height, depth = self.level_shape(level)
        return width * height * depth * self.texel

    def level_array(self, gpu, level):
        if not self.is_mipmapped():
            return self.handle.value
        array = ctypes.c_uint64()
        gpu.call("cuMipmappedArrayGetLevel", ctypes.byref(array), self.handle, level)
        return array.value

    def copy(self, gpu, level, host, upload):
        width, height, depth = self.level_shape(level)
        pitch = width * self.texel
        memory = (0, 0, 0, 0, HOST, ctypes.addressof(host), 0, 0, 0, pitch, height)
        array = (0, 0, 0, 0, IN_ARRAY, 0, 0, self.level_array(gpu, level), 0, 0, 0)
        source, target = (memory, array) if upload else (array, memory)
        side = "4QI4x6Q"
        gpu.call("cuMemcpy3D_v2", struct.pack("<" + side + side + "3Q", *source, *target, pitch, height, depth))

    def contents(self, gpu):
        """The contents after the launch."""
        if not self.is_array:
            return b""
        parts = []
        for level in range(self.levels):
            host = ctypes.create_string_buffer(self.level_bytes(level))
            self.copy(gpu, level, host, False)
            parts.append(host.raw)
        return b"".join(parts)

    def resource(self):
        """A CUDA_RESOURCE_DESC."""
        spec, kind = self.spec, self.spec.get("memory", "array")
        element = FORMATS[spec["dtype"]], spec.get("channels", 1)
        if kind == "linear":
            text = struct.pack("<I4xQIIQ", LINEAR, self.handle.value, *element, self.width * self.texel)
        elif kind == "pitch":
            text = struct.pack("<I4xQIIQQQ", PITCH, self.handle.value, *element, self.width, self.height, self.pitch)
        else:
            text = struct.pack("<I4xQ", MIPMAPPED_ARRAY if self.is_mipmapped() else ARRAY, self.handle.value)
        return text.ljust(144, b"\0")

    def free(self, gpu):
        if not self.is_array:
            gpu.call("cuMemFree_v2", self.handle)
        else:
            gpu.call("cuMipmappedArrayDestroy" if self.is_mipmapped() else "cuArrayDestroy", self.handle)


def sampler(spec):
    """A CUDA_TEXTURE_DESC."""
    modes = spec.get("address", "clamp")
    modes = modes if isinstance(modes, list) else [modes] * 3
    modes = [ADDRESS_MODES.index(mode) for mode in (modes + ["clamp"] * 3)[:3]]
    flags = NORMALIZED if spec.get("normalized") else 0
    if spec["dtype"] not in ("f16", "f32") and spec.get("read", "element") == "element":
        flags |= AS_INTEGER
    flags |= SEAMLESS if spec.get("seamless") else 0
    low, high = spec.get("mip_clamp", [0, spec.get("levels", 1) - 1])
    filters = [int(spec.get(key, "point") == "linear") for key in ("filter", "mip_filter")]
    text = struct.pack("<3IIIII3f4f", *modes, filters[0], flags, 0, filters[1], spec.get("mip_bias", 0.0), low, high,
                       *spec.get("border", [0.0] * 4))
    return text.ljust(104, b"\0")


def texture_object(gpu, spec, texels):
    handle = ctypes.c_uint64()
    gpu.call("cuTexObjectCreate", ctypes.byref(handle), texels.resource(), sampler(spec), None)
    return handle.value


def surface_object(gpu, spec, texels):
    handle = ctypes.c_uint64()
    gpu.call("cuSurfObjectCreate", ctypes.byref(handle), texels.resource())
    return handle.value


def bind_reference(gpu, module, spec, texels):
    """Binds a texture or surface variable of a module to an array."""
    reference = ctypes.c_void_p()
    if "surface" in spec:
        gpu.call("cuModuleGetSurfRef", ctypes.byref(reference), module, spec["surface"].encode())
        gpu.call("cuSurfRefSetArray", reference, texels.handle, 0)
        return
    gpu.call("cuModuleGetTexRef", ctypes.byref(reference), module, spec["texture"].encode())
    gpu.call("cuTexRefSetArray", reference, texels.handle, 1)
    gpu.call("cuTexRefSetFilterMode", reference, int(spec.get("filter", "point") == "linear"))
    for dimension in range(2):
        gpu.call("cuTexRefSetAddressMode", reference, dimension, ADDRESS_MODES.index(spec.get("address", "clamp")))
    gpu.call("cuTexRefSetBorderColor", reference, (ctypes.c_float * 4)(*spec.get("border", [0.0] * 4)))
    gpu.call("cuTexRefSetFlags", reference, NORMALIZED if spec.get("normalized") else 0)
