#include "instrumentation/cuda/cuda_library.h"

#include <system_error>

#include <dlfcn.h>
#include <fmt/format.h>

namespace warpwalk::cuda {

base::Result<std::shared_ptr<const CudaLibrary>> CudaLibrary::open(const std::filesystem::path& folder, int ordinal) {
  const std::filesystem::path file = folder / "libwarpwalk_cuda.so";
  if (std::error_code error; !std::filesystem::exists(file, error))
    return base::Error{fmt::format(
        "{} was not found: warpwalk was built without nvcc; install the CUDA toolkit and build again, or use the "
        "simulated GPU (--on sim)",
        file.string())};
  void* const opened = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (opened == nullptr) return base::Error{fmt::format("{} cannot be opened: {}", file.string(), dlerror())};
  using Entry = const WarpwalkCudaLibrary* (*)();
  const auto entry = reinterpret_cast<Entry>(dlsym(opened, "warpwalk_cuda_library"));
  const WarpwalkCudaLibrary* const calls = entry != nullptr ? entry() : nullptr;
  if (calls == nullptr || calls->interface != warpwalk_cuda_interface)
    return base::Error{fmt::format("{} belongs to another version of warpwalk; build it again", file.string())};

  const auto library = std::make_shared<CudaLibrary>();
  library->calls_ = calls;
  library->ordinal_ = ordinal;
  if (const char* const error = calls->device(ordinal, &library->device_))
    return base::Error{fmt::format(
        "no usable GPU: CUDA reports \"{}\"; see warpwalk doctor, or use the simulated GPU (--on sim)", error)};
  return library;
}

}  // namespace warpwalk::cuda
