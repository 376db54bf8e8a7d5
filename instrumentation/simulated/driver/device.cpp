// The device: its number, name, size and properties. There is one, with the number 0.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "instrumentation/simulated/device/device_attributes.h"
#include "instrumentation/simulated/driver/call.h"

namespace warpwalk::simulated {
namespace {

/// Numbers of CUdevice_attribute.
enum DeviceAttribute : int { compute_major = 75, compute_minor = 76 };

Error put_name(std::string_view text, char* into, int length) {
  if (into == nullptr || length <= 0) return Error::invalid_value;
  const std::size_t copied = std::min(text.size(), static_cast<std::size_t>(length) - 1);
  std::memcpy(into, text.data(), copied);
  into[copied] = '\0';
  return Error::success;
}

/// Calls the body of a function about a device.
template <class Body>
CUresult call_on_device(const char* name, CUdevice device, const void* result, const Body& body) {
  return call_after_init(name, [&](Gpu& gpu) {
    if (result == nullptr) return Error::invalid_value;
    if (const Error wrong = check_device(device); wrong != Error::success) return wrong;
    return body(gpu);
  });
}

}  // namespace

extern "C" {

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  return call_on_device("cuDeviceGet", ordinal, device, [&](Gpu&) {
    *device = ordinal;
    return Error::success;
  });
}

CUresult cuDeviceGetCount(int* count) {
  return call_on_device("cuDeviceGetCount", 0, count, [&](Gpu&) {
    *count = 1;
    return Error::success;
  });
}

CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
  return call_on_device("cuDeviceGetName", device, name,
                        [&](Gpu& gpu) { return put_name(gpu.device.name, name, length); });
}

CUresult cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice device) {
  return call_on_device("cuDeviceGetUuid_v2", device, uuid, [&](Gpu& gpu) {
    *uuid = {device_uuid(gpu.device)};
    return Error::success;
  });
}
[[gnu::alias("cuDeviceGetUuid_v2")]] CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device);

/// LUIDs are of Windows.
CUresult cuDeviceGetLuid(char* luid, unsigned* node_mask, CUdevice device) {
  return call_on_device("cuDeviceGetLuid", device, luid,
                        [&](Gpu&) { return node_mask == nullptr ? Error::invalid_value : Error::not_supported; });
}

CUresult cuDeviceTotalMem_v2(std::size_t* bytes, CUdevice device) {
  return call_on_device("cuDeviceTotalMem_v2", device, bytes, [&](Gpu& gpu) {
    *bytes = gpu.memory.capacity();
    return Error::success;
  });
}

CUresult cuDeviceGetAttribute(int* value, int attribute, CUdevice device) {
  return call_on_device("cuDeviceGetAttribute", device, value, [&](Gpu& gpu) {
    const auto found = device_attribute(gpu.device, attribute);
    if (!found) return Error::invalid_value;
    *value = *found;
    return Error::success;
  });
}

CUresult cuDeviceGetProperties(CUdevprop* properties, CUdevice device) {
  return call_on_device("cuDeviceGetProperties", device, properties, [&](Gpu& gpu) {
    const auto value = [&](int attribute) { return device_attribute(gpu.device, attribute).value_or(0); };
    *properties = {value(1),
                   {value(2), value(3), value(4)},
                   {value(5), value(6), value(7)},
                   value(8),
                   value(9),
                   value(10),
                   value(11),
                   value(12),
                   value(13),
                   value(14)};
    return Error::success;
  });
}

CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  return call_on_device("cuDeviceComputeCapability", device, major, [&](Gpu& gpu) {
    if (minor == nullptr) return Error::invalid_value;
    *major = device_attribute(gpu.device, compute_major).value_or(0);
    *minor = device_attribute(gpu.device, compute_minor).value_or(0);
    return Error::success;
  });
}

CUresult cuDeviceGetPCIBusId(char* text, int length, CUdevice device) {
  return call_on_device("cuDeviceGetPCIBusId", device, text, [&](Gpu&) { return put_name(pci_bus_id, text, length); });
}

/// Takes "domain:bus:device.function", "domain:bus:device" and "bus:device.function".
CUresult cuDeviceGetByPCIBusId(CUdevice* device, const char* text) {
  return call_on_device("cuDeviceGetByPCIBusId", 0, device, [&](Gpu&) {
    if (text == nullptr) return Error::invalid_value;
    const std::string_view asked = text;
    const std::string_view whole = pci_bus_id;
    const std::string_view forms[] = {whole, whole.substr(0, whole.rfind('.')), whole.substr(whole.find(':') + 1)};
    if (std::ranges::find(forms, asked) == std::end(forms)) return Error::invalid_device;
    *device = 0;
    return Error::success;
  });
}

CUresult cuDeviceGetExecAffinitySupport(int* supported, int type, CUdevice device) {
  return call_on_device("cuDeviceGetExecAffinitySupport", device, supported, [&](Gpu&) {
    if (type != 0) return Error::invalid_value;
    *supported = 0;
    return Error::success;
  });
}

// Access between devices: there is no second one.

CUresult cuDeviceCanAccessPeer(int* can_access, CUdevice device, CUdevice peer) {
  return call_on_device("cuDeviceCanAccessPeer", device, can_access, [&](Gpu&) {
    if (const Error wrong = check_device(peer); wrong != Error::success) return wrong;
    *can_access = 0;
    return Error::success;
  });
}

CUresult cuDeviceGetP2PAttribute(int*, int, CUdevice from, CUdevice to) {
  return call_after_init("cuDeviceGetP2PAttribute", [&](Gpu&) {
    for (const CUdevice device : {from, to})
      if (const Error wrong = check_device(device); wrong != Error::success) return wrong;
    // cuDeviceGetP2PAttribute: the two devices must differ.
    return Error::invalid_device;
  });
}

CUresult cuCtxEnablePeerAccess(CUcontext, unsigned flags) {
  return call_in_context("cuCtxEnablePeerAccess",
                         [&](Gpu&) { return flags != 0 ? Error::invalid_value : Error::invalid_device; });
}

CUresult cuCtxDisablePeerAccess(CUcontext) {
  return call_in_context("cuCtxDisablePeerAccess", [](Gpu&) { return Error::peer_access_not_enabled; });
}

}  // extern "C"
}  // namespace warpwalk::simulated
