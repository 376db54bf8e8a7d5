// Contexts: which there are, and which one is current in a thread.
#include "instrumentation/simulated/driver/context.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <vector>

#include "instrumentation/simulated/driver/call.h"

namespace warpwalk::simulated {
namespace {

/// cuCtxGetApiVersion of every context that cuCtxCreate_v2 or later made.
constexpr unsigned context_api_version = 3020;

struct Contexts {
  std::mutex mutex;
  std::vector<std::unique_ptr<Context>> created;
  PrimaryContext primary{{.id = 1, .primary = true}};
  std::uint64_t last_id = 1;
};

/// Never destroyed, because programs call CUDA until they end.
Contexts& contexts() {
  static auto* const all = new Contexts;
  return *all;
}

std::vector<Context*>& stack_of_this_thread() {
  thread_local std::vector<Context*> stack;
  return stack;
}

Context* context_or_current(CUcontext context) { return context != nullptr ? context : current_context(); }

Error create_context(CUcontext* context, unsigned flags, CUdevice device) {
  constexpr unsigned known_flags = 0xff;
  if (context == nullptr || (flags & ~known_flags) != 0) return Error::invalid_value;
  if (const Error wrong = check_device(device); wrong != Error::success) return wrong;
  Contexts& all = contexts();
  const std::lock_guard lock(all.mutex);
  Context& made = *all.created.emplace_back(std::make_unique<Context>());
  made.id = ++all.last_id;
  made.flags = flags;
  stack_of_this_thread().push_back(&made);
  *context = &made;
  return Error::success;
}

/// Destroying a context ends the errors of its kernels.
void recover() {
  if (!is_initialized()) return;
  if (Gpu& gpu = Gpu::the(); gpu.queue.error() != Error::success) gpu.queue.reset();
}

Error destroy_context(Gpu& gpu, CUcontext context) {
  if (!is_context(context) || context->primary) return Error::device_uninitialized;
  const Error error = gpu.wait_all();
  std::vector<Context*>& stack = stack_of_this_thread();
  if (!stack.empty() && stack.back() == context) stack.pop_back();
  Contexts& all = contexts();
  const std::lock_guard lock(all.mutex);
  std::erase_if(all.created, [&](const auto& one) { return one.get() == context; });
  return error;
}

}  // namespace

PrimaryContext& primary_context() { return contexts().primary; }

bool is_context(const Context* context) {
  Contexts& all = contexts();
  if (context == &all.primary.context) return true;
  const std::lock_guard lock(all.mutex);
  return std::ranges::any_of(all.created, [&](const auto& one) { return one.get() == context; });
}

Context* current_context() {
  const std::vector<Context*>& stack = stack_of_this_thread();
  if (!stack.empty()) return stack.back();
  return runtime_is_used ? &primary_context().context : nullptr;
}

Error check_current_context() {
  const Context* const current = current_context();
  if (current == nullptr) return Error::device_uninitialized;
  return is_context(current) ? Error::success : Error::context_is_destroyed;
}

extern "C" {

CUresult cuCtxCreate_v2(CUcontext* context, unsigned flags, CUdevice device) {
  return call_after_init("cuCtxCreate_v2", [&](Gpu&) { return create_context(context, flags, device); });
}
[[gnu::alias("cuCtxCreate_v2")]] CUresult cuCtxCreate(CUcontext* context, unsigned flags, CUdevice device);

CUresult cuCtxCreate_v3(CUcontext* context, void* affinity, int count, unsigned flags, CUdevice device) {
  return call_after_init("cuCtxCreate_v3", [&](Gpu& gpu) {
    if (affinity != nullptr && count > 0) return not_supported(gpu, "cuCtxCreate_v3 with execution affinity");
    return create_context(context, flags, device);
  });
}

CUresult cuCtxCreate_v4(CUcontext* context, CUctxCreateParams* parameters, unsigned flags, CUdevice device) {
  return call_after_init("cuCtxCreate_v4", [&](Gpu& gpu) {
    if (parameters != nullptr && (parameters->affinity_count > 0 || parameters->graphics != nullptr))
      return not_supported(gpu, "cuCtxCreate_v4 with parameters");
    return create_context(context, flags, device);
  });
}

CUresult cuCtxDestroy_v2(CUcontext context) {
  recover();
  return call_after_init("cuCtxDestroy_v2", [&](Gpu& gpu) { return destroy_context(gpu, context); });
}
[[gnu::alias("cuCtxDestroy_v2")]] CUresult cuCtxDestroy(CUcontext context);

CUresult cuCtxPushCurrent_v2(CUcontext context) {
  return call_after_init("cuCtxPushCurrent_v2", [&](Gpu&) {
    if (!is_context(context)) return Error::device_uninitialized;
    stack_of_this_thread().push_back(context);
    return Error::success;
  });
}
[[gnu::alias("cuCtxPushCurrent_v2")]] CUresult cuCtxPushCurrent(CUcontext context);

CUresult cuCtxPopCurrent_v2(CUcontext* context) {
  return call_after_init("cuCtxPopCurrent_v2", [&](Gpu&) {
    Context* const current = current_context();
    if (current == nullptr) return Error::device_uninitialized;
    if (context != nullptr) *context = current;
    std::vector<Context*>& stack = stack_of_this_thread();
    if (!stack.empty()) stack.pop_back();
    return Error::success;
  });
}
[[gnu::alias("cuCtxPopCurrent_v2")]] CUresult cuCtxPopCurrent(CUcontext* context);

CUresult cuCtxSetCurrent(CUcontext context) {
  return call_after_init("cuCtxSetCurrent", [&](Gpu&) {
    if (context != nullptr && !is_context(context)) return Error::device_uninitialized;
    std::vector<Context*>& stack = stack_of_this_thread();
    if (!stack.empty()) stack.pop_back();
    if (context != nullptr) stack.push_back(context);
    return Error::success;
  });
}

CUresult cuCtxGetCurrent(CUcontext* context) {
  return call_after_init("cuCtxGetCurrent", [&](Gpu&) {
    if (context == nullptr) return Error::invalid_value;
    *context = current_context();
    return Error::success;
  });
}

CUresult cuCtxGetDevice_v2(CUdevice* device, CUcontext context) {
  return call_after_init("cuCtxGetDevice", [&](Gpu&) {
    if (device == nullptr) return Error::invalid_value;
    if (!is_context(context_or_current(context))) return Error::device_uninitialized;
    *device = 0;
    return Error::success;
  });
}
CUresult cuCtxGetDevice(CUdevice* device) { return cuCtxGetDevice_v2(device, nullptr); }

CUresult cuCtxGetFlags(unsigned* flags) {
  return call_in_context("cuCtxGetFlags", [&](Gpu&) {
    if (flags == nullptr) return Error::invalid_value;
    *flags = current_context()->flags;
    return Error::success;
  });
}

CUresult cuCtxSetFlags(unsigned flags) {
  return call_in_context("cuCtxSetFlags", [&](Gpu&) {
    current_context()->flags = flags;
    return Error::success;
  });
}

CUresult cuCtxGetId(CUcontext context, unsigned long long* id) {
  return call_after_init("cuCtxGetId", [&](Gpu&) {
    if (id == nullptr) return Error::invalid_value;
    const Context* const asked = context_or_current(context);
    if (!is_context(asked)) return Error::context_is_destroyed;
    *id = asked->id;
    return Error::success;
  });
}

CUresult cuCtxGetApiVersion(CUcontext context, unsigned* version) {
  return call_after_init("cuCtxGetApiVersion", [&](Gpu&) {
    if (version == nullptr) return Error::invalid_value;
    if (!is_context(context_or_current(context))) return Error::device_uninitialized;
    *version = context_api_version;
    return Error::success;
  });
}

CUresult cuCtxSynchronize() {
  return call_in_context("cuCtxSynchronize", [](Gpu& gpu) { return gpu.synchronize(); });
}

CUresult cuCtxSynchronize_v2(CUcontext context) {
  return call_after_init("cuCtxSynchronize_v2", [&](Gpu& gpu) {
    return is_context(context_or_current(context)) ? gpu.synchronize() : Error::device_uninitialized;
  });
}

/// Before CUDA 4, contexts were counted. NVIDIA keeps the functions.
CUresult cuCtxAttach(CUcontext* context, unsigned flags) {
  return call_in_context("cuCtxAttach", [&](Gpu&) {
    if (context == nullptr || flags != 0) return Error::invalid_value;
    *context = current_context();
    return Error::success;
  });
}
CUresult cuCtxDetach(CUcontext context) {
  return call_after_init("cuCtxDetach", [&](Gpu& gpu) { return destroy_context(gpu, context); });
}

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  return call_after_init("cuDevicePrimaryCtxRetain", [&](Gpu&) {
    if (context == nullptr) return Error::invalid_value;
    if (const Error wrong = check_device(device); wrong != Error::success) return wrong;
    ++primary_context().users;
    *context = &primary_context().context;
    return Error::success;
  });
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  return call_after_init("cuDevicePrimaryCtxRelease_v2", [&](Gpu& gpu) {
    if (const Error wrong = check_device(device); wrong != Error::success) return wrong;
    int& users = primary_context().users;
    if (users == 0) return Error::device_uninitialized;
    return --users == 0 ? gpu.wait_all() : Error::success;
  });
}
[[gnu::alias("cuDevicePrimaryCtxRelease_v2")]] CUresult cuDevicePrimaryCtxRelease(CUdevice device);

CUresult cuDevicePrimaryCtxReset_v2(CUdevice device) {
  recover();
  return call_after_init("cuDevicePrimaryCtxReset_v2", [&](Gpu& gpu) {
    if (const Error wrong = check_device(device); wrong != Error::success) return wrong;
    primary_context().users = 0;
    gpu.queue.reset();
    gpu.drop_heap();
    gpu.flush_printf();
    return Error::success;
  });
}
[[gnu::alias("cuDevicePrimaryCtxReset_v2")]] CUresult cuDevicePrimaryCtxReset(CUdevice device);

CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned flags) {
  return call_after_init("cuDevicePrimaryCtxSetFlags_v2", [&](Gpu&) {
    if (const Error wrong = check_device(device); wrong != Error::success) return wrong;
    primary_context().context.flags = flags;
    return Error::success;
  });
}
[[gnu::alias("cuDevicePrimaryCtxSetFlags_v2")]] CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags);

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned* flags, int* active) {
  return call_after_init("cuDevicePrimaryCtxGetState", [&](Gpu&) {
    if (flags == nullptr || active == nullptr) return Error::invalid_value;
    if (const Error wrong = check_device(device); wrong != Error::success) return wrong;
    *flags = primary_context().context.flags;
    *active = primary_context().users > 0 || runtime_is_used ? 1 : 0;
    return Error::success;
  });
}

}  // extern "C"
}  // namespace warpwalk::simulated
