// Access between devices: there is one device, so there is none.
#include "instrumentation/simulated/runtime/call.h"

namespace warpwalk::simulated {
namespace {

/// CUDA's error for a device as its own peer.
Error check_peer(int peer) { return peer == 0 ? Error::invalid_device : check_device(peer); }

}  // namespace

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
  return runtime_call("cudaDeviceEnablePeerAccess",
                      [&](Gpu&) { return flags != 0 ? Error::invalid_value : check_peer(peer); });
}

Error cudaDeviceDisablePeerAccess(int peer) {
  return runtime_call("cudaDeviceDisablePeerAccess", [&](Gpu&) { return check_peer(peer); });
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
