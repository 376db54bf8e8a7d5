// warpwalk's own libraries for a real GPU, and the programs of NVIDIA that it calls.
#include <fstream>
#include <string>

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include "app/verbs/common/assets.h"
#include "app/verbs/common/probes.h"
#include "core/platform/find_program.h"
#include "kernels/cuda/library.h"

namespace warpwalk::verbs {

platform::ProbeResult look_at_kernels() {
  const auto folder = find_libraries();
  const std::filesystem::path file = folder.value_or(".") / "libwarpwalk_cuda.so";
  std::error_code error;
  if (!folder || !std::filesystem::exists(file, error)) return {false, "libwarpwalk_cuda.so is not beside the program"};
  void* const opened = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (opened == nullptr) return {false, fmt::format("{} cannot be opened: {}", file.string(), dlerror())};
  using Entry = const WarpwalkCudaLibrary*();
  auto* const entry = reinterpret_cast<Entry*>(dlsym(opened, "warpwalk_cuda_library"));
  const WarpwalkCudaLibrary* const calls = entry != nullptr ? entry() : nullptr;
  if (calls == nullptr || calls->interface != warpwalk_cuda_interface)
    return {false, fmt::format("{} belongs to another version of warpwalk", file.string())};
  return {true, fmt::format("{}, {} kernels, CUDA {}.{}", file.string(), calls->kernel_count,
                            calls->runtime_version / 1000, calls->runtime_version % 1000 / 10)};
}

platform::ProbeResult look_at_recorder() {
  const auto folder = find_libraries();
  if (!folder) return {false, "libwarpwalk_inject.so is not beside the program"};
  return {true, (*folder / "libwarpwalk_inject.so").string()};
}

platform::ProbeResult look_at_ncu(const std::filesystem::path& params) {
  const auto program = platform::find_tool("ncu");
  if (!program) return {false, "neither in PATH nor in a CUDA toolkit"};
  std::ifstream in(params);
  for (std::string line; std::getline(in, line);)
    if (line == "RmProfilingAdminOnly: 1" && geteuid() != 0)
      return {false, fmt::format("{} was found, but the driver restricts counters to root "
                                 "(NVreg_RestrictProfilingToAdminUsers)",
                                 program->string())};
  return {true, program->string()};
}

}  // namespace warpwalk::verbs
