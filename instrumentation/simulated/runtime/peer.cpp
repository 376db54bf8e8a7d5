// Access between devices: there is one device, so there is none.
#include "instrumentation/simulated/runtime/call.h"

namespace warpwalk::simulated {

extern "C" {

Error cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  return runtime_call("cudaDeviceCanAccessPeer", [&](Gpu&) {
    if (can == nullptr) return Error::invalid_value;
    *can = 0;
    if (const Error wrong = check_device(device); wrong != Error::success) return wrong;
    return check_device(peer);
  });
}

Error cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
  return runtime_call("cudaDeviceEnablePeerAccess", [&](Gpu&) {
    if (flags != 0) return Error::invalid_value;
    return peer == 0 ? Error::peer_access_unsupported : Error::invalid_device;
  });
}

Error cudaDeviceDisablePeerAccess(int peer) {
  return runtime_call("cudaDeviceDisablePeerAccess",
                      [&](Gpu&) { return peer == 0 ? Error::peer_access_not_enabled : Error::invalid_device; });
}

Error cudaDeviceGetP2PAttribute(int* value, int, int from, int to) {
  return runtime_call("cudaDeviceGetP2PAttribute", [&](Gpu&) {
    if (value == nullptr) return Error::invalid_value;
    // "Returns cudaErrorInvalidDevice if srcDevice or dstDevice are not valid or if they represent the same device."
    return from == 0 && to == 0 ? Error::invalid_device : check_device(from != 0 ? from : to);
  });
}

}  // extern "C"

}  // namespace warpwalk::simulated
