// Stands between a program and the driver's functions. A program finds them in three ways, which all lead here: it is
// linked with libcuda.so.1; it asks the loader (dlsym); or it asks the driver itself (cuGetProcAddress), as the CUDA
// runtime does.
#include "instrumentation/armed/driver_hooks.h"

#include <array>
#include <atomic>
#include <cstdlib>
#include <string_view>
#include <utility>

#include <dlfcn.h>

#include "instrumentation/armed/calls.h"

namespace warpwalk::armed {

// All arguments are integers or pointers. The calling conventions of x86-64 and AArch64 pass each in a word of its own,
// so that a function can be called through a type that has more of them.
template <std::size_t>
using Word = std::uint64_t;
using Function = int (*)(Word<0>, Word<1>, Word<2>, Word<3>, Word<4>, Word<5>, Word<6>, Word<7>, Word<8>, Word<9>,
                         Word<10>);

namespace {

/// A function has several variants: its versions, and one for per-thread default streams.
constexpr std::size_t most_variants = 4;
std::atomic<Function>& real(std::size_t call, std::size_t variant) {
  static std::array<std::array<std::atomic<Function>, most_variants>, driver_calls.size()> functions;
  return functions[call][variant];
}

template <std::size_t Call, std::size_t Variant, class... Words>
int hook(Words... words) {
  const Arguments arguments = {words...};
  const std::uint64_t number = enter(driver_calls[Call], arguments);
  const int result = real(Call, Variant).load(std::memory_order_relaxed)(words...);
  leave(driver_calls[Call], number, arguments, result);
  return result;
}

template <std::size_t Call, std::size_t Variant, std::size_t... I>
constexpr Function hook_of(std::index_sequence<I...>) {
  return &hook<Call, Variant, Word<I>...>;
}

template <std::size_t... Slot>
constexpr auto all_hooks(std::index_sequence<Slot...>) {
  return std::array<Function, sizeof...(Slot)>{
      hook_of<Slot / most_variants, Slot % most_variants>(std::make_index_sequence<most_arguments>())...};
}
constexpr auto hooks = all_hooks(std::make_index_sequence<driver_calls.size() * most_variants>());

/// "cuMemAlloc" of "cuMemAlloc_v2_ptds".
std::string_view plain_name(std::string_view name) {
  for (const std::string_view ending : {"_ptds", "_ptsz"})
    if (name.ends_with(ending)) name.remove_suffix(ending.size());
  if (name.size() > 3 && name[name.size() - 3] == '_' && name[name.size() - 2] == 'v') name.remove_suffix(3);
  return name;
}

using GetAddress = int (*)(const char* name, void** function, int version, std::uint64_t flags, int* status);
std::atomic<GetAddress>& real_get_address(std::size_t version) {
  static std::array<std::atomic<GetAddress>, 2> functions;
  return functions[version];
}
void* hooked(std::string_view name, void* function, int version);

/// cuGetProcAddress (0), which has no status, and cuGetProcAddress_v2 (1).
template <std::size_t Version>
int get_address(const char* name, void** function, int version, std::uint64_t flags, int* status) {
  const int result = real_get_address(Version).load()(name, function, version, flags, status);
  if (result == 0 && name != nullptr && function != nullptr && *function != nullptr)
    *function = hooked(name, *function, version);
  return result;
}

/// The function to call instead of the driver's. `version`: of CUDA, for which the program has asked; 0: of the name.
void* hooked(std::string_view name, void* function, int version) {
  const std::string_view plain = plain_name(name);
  if (plain == "cuGetProcAddress") {
    constexpr int since = 12000;
    const std::size_t which = name.ends_with("_v2") || version >= since ? 1 : 0;
    const auto own = which == 1 ? &get_address<1> : &get_address<0>;
    if (function != reinterpret_cast<void*>(own)) real_get_address(which) = reinterpret_cast<GetAddress>(function);
    return reinterpret_cast<void*>(own);
  }
  for (std::size_t call = 0; call < driver_calls.size(); ++call) {
    if (driver_calls[call].name != plain) continue;
    const auto found = reinterpret_cast<Function>(function);
    for (std::size_t variant = 0; variant < most_variants; ++variant) {
      const Function own = hooks[call * most_variants + variant];
      Function free = nullptr;
      if (found == own || real(call, variant).compare_exchange_strong(free, found) || free == found)
        return reinterpret_cast<void*>(own);
    }
  }
  return function;
}

}  // namespace

/// What stands before a function that the program is linked with.
Function linked_function(const char* name) {
  void* const found = find_symbol(RTLD_NEXT, name);
  return found == nullptr ? nullptr : reinterpret_cast<Function>(hooked(name, found, 0));
}

// Without exceptions, so that it can be called last.
using Find = void* (*)(void*, const char*) noexcept;
Find loader_function() {
  static const Find find = [] {
    for (const char* const version : {"GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_2.17"})
      if (void* const found = dlvsym(RTLD_NEXT, "dlsym", version); found != nullptr)
        return reinterpret_cast<Find>(found);
    std::abort();  // no program can be loaded without it
  }();
  return find;
}

void* find_symbol(void* library, const char* name) { return loader_function()(library, name); }

void* driver_symbol(const char* name) {
  static void* const driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  return driver == nullptr ? nullptr : find_symbol(driver, name);
}

std::string name_of_kernel(std::uint64_t function) {
  using Name = int (*)(const char**, std::uint64_t);
  static const Name of_function = driver_function<Name>("cuFuncGetName");
  static const Name of_kernel = driver_function<Name>("cuKernelGetName");
  const char* name = nullptr;
  for (const Name ask : {of_function, of_kernel})
    if (ask != nullptr && ask(&name, function) == 0 && name != nullptr) return name;
  return {};
}

bool is_captured(std::uint64_t stream) {
  using Ask = int (*)(std::uint64_t, int*);
  static const Ask ask = driver_function<Ask>("cuStreamIsCapturing");
  int status = 0;  // CU_STREAM_CAPTURE_STATUS_NONE
  return ask != nullptr && ask(stream, &status) == 0 && status != 0;
}

}  // namespace warpwalk::armed

// For programs that are linked with libcuda.so.1: functions of the driver under their own names. A macro, since a
// template has no name of its own in C.
#define WARPWALK_DRIVER_FUNCTION(name)                                                                                \
  __attribute__((visibility("default"))) int name(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d, \
                                                  std::uint64_t e, std::uint64_t f, std::uint64_t g, std::uint64_t h, \
                                                  std::uint64_t i, std::uint64_t j, std::uint64_t k) {                \
    static const auto function = warpwalk::armed::linked_function(#name);                                             \
    constexpr int not_found = 500; /* CUDA_ERROR_NOT_FOUND */                                                         \
    return function == nullptr ? not_found : function(a, b, c, d, e, f, g, h, i, j, k);                               \
  }

extern "C" {

WARPWALK_DRIVER_FUNCTION(cuInit)
WARPWALK_DRIVER_FUNCTION(cuLaunchKernel)
WARPWALK_DRIVER_FUNCTION(cuLaunchKernelEx)
WARPWALK_DRIVER_FUNCTION(cuLaunchCooperativeKernel)
WARPWALK_DRIVER_FUNCTION(cuGraphLaunch)
WARPWALK_DRIVER_FUNCTION(cuMemAlloc_v2)
WARPWALK_DRIVER_FUNCTION(cuMemAllocManaged)
WARPWALK_DRIVER_FUNCTION(cuMemAllocAsync)
WARPWALK_DRIVER_FUNCTION(cuMemFree_v2)
WARPWALK_DRIVER_FUNCTION(cuMemFreeAsync)
WARPWALK_DRIVER_FUNCTION(cuMemMap)
WARPWALK_DRIVER_FUNCTION(cuMemUnmap)
WARPWALK_DRIVER_FUNCTION(cuMemcpyHtoD_v2)
WARPWALK_DRIVER_FUNCTION(cuMemcpyHtoDAsync_v2)
WARPWALK_DRIVER_FUNCTION(cuMemcpyDtoH_v2)
WARPWALK_DRIVER_FUNCTION(cuMemcpyDtoHAsync_v2)
WARPWALK_DRIVER_FUNCTION(cuMemcpyDtoD_v2)
WARPWALK_DRIVER_FUNCTION(cuMemcpyDtoDAsync_v2)
WARPWALK_DRIVER_FUNCTION(cuCtxSynchronize)
WARPWALK_DRIVER_FUNCTION(cuStreamSynchronize)
WARPWALK_DRIVER_FUNCTION(cuEventSynchronize)
WARPWALK_DRIVER_FUNCTION(cuModuleUnload)
WARPWALK_DRIVER_FUNCTION(cuLibraryUnload)
WARPWALK_DRIVER_FUNCTION(cuGetProcAddress_v2)

/// Stands before the loader's function. Other symbols than the driver's are left to it with a jump instead of a call:
/// what RTLD_NEXT means depends on the return address.
__attribute__((visibility("default"), optimize("optimize-sibling-calls"))) void* dlsym(void* library,
                                                                                       const char* name) noexcept {
  const warpwalk::armed::Find find = warpwalk::armed::loader_function();
  if (name[0] != 'c' || name[1] != 'u') return find(library, name);
  void* const found = find(library, name);
  return found == nullptr ? nullptr : warpwalk::armed::hooked(name, found, 0);
}

}  // extern "C"
