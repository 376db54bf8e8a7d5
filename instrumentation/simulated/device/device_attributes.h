#pragma once

#include <array>
#include <optional>

#include "core/gpu/device/device.h"

namespace warpwalk::simulated {

/// The value of a cudaDeviceAttr or CUdevice_attribute, which have the same numbers; nullopt if there is no such
/// attribute. What the description of the GPU does not say is as on an H100, and the sharing of memory between
/// processes and with other devices is reported as missing.
std::optional<int> device_attribute(const gpu::Device& device, int attribute);

/// An identifier that follows from the description of the GPU.
std::array<char, 16> device_uuid(const gpu::Device& device);

/// The place on the PCI bus, as cudaDeviceGetPCIBusId writes it.
inline constexpr const char* pci_bus_id = "0000:01:00.0";

}  // namespace warpwalk::simulated
