"""Prints what the driver reports about the GPU, as rows of a recording. Needs only Python and the driver (libcuda.so.1)."""
import ctypes

# CUdevice_attribute, by the parameter of a device description. The driver gives clocks in kHz.
ATTRIBUTES = {"sm_count": 16, "threads_per_block": 1, "registers_per_block": 12, "registers_per_sm": 82,
              "shared_per_block": 8, "shared_per_block_optin": 97, "shared_per_sm": 81,
              "shared_reserved_per_block": 111, "blocks_per_sm": 106, "threads_per_sm": 39, "l2_bytes": 38,
              "sm_clock": 13, "memory_clock": 36, "memory_bus_bits": 37}
CLOCKS = ("sm_clock", "memory_clock")
CAPABILITY_MAJOR, CAPABILITY_MINOR = 75, 76


def main():
    try:
        cuda = ctypes.CDLL("libcuda.so.1")
    except OSError as error:
        raise SystemExit(f"device.py: NVIDIA's driver was not found: {error}") from None

    def call(function, *args):
        status = getattr(cuda, function)(*args)
        if status != 0:
            raise SystemExit(f"device.py: {function} failed with error {status}")

    def attribute(number):
        value = ctypes.c_int()
        call("cuDeviceGetAttribute", ctypes.byref(value), number, device)
        return value.value

    device, driver, memory = ctypes.c_int(), ctypes.c_int(), ctypes.c_size_t()
    name = ctypes.create_string_buffer(128)
    call("cuInit", 0)
    call("cuDeviceGet", ctypes.byref(device), 0)
    call("cuDeviceGetName", name, 128, device)
    call("cuDriverGetVersion", ctypes.byref(driver))
    call("cuDeviceTotalMem_v2", ctypes.byref(memory), device)
    print("topic,name,parameters,value,unit")
    print(f"device,name,{name.value.decode()},,")
    print(f"device,cuda,,{driver.value // 1000}.{driver.value % 1000 // 10},version that the driver supports")
    print(f"device,compute_capability,{attribute(CAPABILITY_MAJOR)}.{attribute(CAPABILITY_MINOR)},,")
    print(f"device,memory_bytes,,{memory.value},B")
    for parameter, number in ATTRIBUTES.items():
        print(f"device,{parameter},,{attribute(number) * (1000 if parameter in CLOCKS else 1)},")


if __name__ == "__main__":
    main()
