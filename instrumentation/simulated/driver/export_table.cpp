// cuGetExportTable: undocumented parts of NVIDIA's driver, which only NVIDIA's own libraries ask for. The simulated GPU
// has none of them, so this says which program or library cannot run and what to do.
#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>

#include <dlfcn.h>
#include <fmt/format.h>

#include "instrumentation/simulated/driver/call.h"

namespace warpwalk::simulated {
namespace {

/// Beginnings of the file names of NVIDIA's libraries.
constexpr std::string_view nvidia_libraries[] = {
    "libcublas",   "libcudnn",    "libcufft",  "libcufile", "libcupti",     "libcurand",     "libcusolver",
    "libcusparse", "libcutensor", "libnccl",   "libnpp",    "libnvJitLink", "libnvToolsExt", "libnvblas",
    "libnvgraph",  "libnvinfer",  "libnvjpeg", "libnvrtc",  "libnvshmem",   "libnvvm",       "libcudadebugger"};

/// The file of the program or library that contains the address.
std::string file_with(const void* address) {
  Dl_info info{};
  if (dladdr(address, &info) == 0 || info.dli_fname == nullptr) return "this program";
  return std::filesystem::path(info.dli_fname).filename().string();
}

std::string refusal(const std::string& file) {
  const bool nvidias =
      std::ranges::any_of(nvidia_libraries, [&](std::string_view name) { return file.starts_with(name); });
  if (nvidias)
    return fmt::format(
        "{} needs NVIDIA's driver: its kernels are reached by functions that NVIDIA does not document; "
        "record the program on a GPU, or use kernels of your own in place of this library",
        file);
  if (file.starts_with("libcudart"))
    return fmt::format(
        "{} is NVIDIA's CUDA runtime, which needs NVIDIA's driver; start the program with warpwalk record "
        "--on sim, which puts the simulated one first, and do not set LD_LIBRARY_PATH or an rpath to it",
        file);
  return fmt::format("{} was built with NVIDIA's static CUDA runtime; build it with: nvcc -cudart shared ...", file);
}

}  // namespace

extern "C" {

CUresult cuGetExportTable(const void** table, const CUuuid*) {
  // NVML works on without it.
  if (const std::string file = file_with(__builtin_return_address(0)); !file.starts_with("libnvidia-ml"))
    Gpu::the().tell(refusal(file));
  if (table != nullptr) *table = nullptr;
  return Error::not_supported;
}

}  // extern "C"
}  // namespace warpwalk::simulated
