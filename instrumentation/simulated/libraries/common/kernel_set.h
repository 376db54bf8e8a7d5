#pragma once

// This folder is what the stand-ins for NVIDIA's libraries share: their kernels, and how their functions fail. The
// stand-ins are in the folders beside it, one per library (docs/simulated-cuda.md).

#include <array>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>

#include "instrumentation/simulated/device/launch.h"
#include "instrumentation/simulated/engine/gpu.h"

namespace warpwalk::simulated::libraries {

/// PTX of one file of kernels/libraries/LIBRARY, compressed with gzip, as it is linked into the library.
struct KernelCode {
  std::string_view file;  ///< without its ending: "level1"
  std::span<const std::uint8_t> compressed;
};

/// The code of the library that this is linked into. CMake writes this function (cmake/SimulatedLibraries.cmake).
std::span<const KernelCode> library_code();

/// The kernels of a library by name. A file is loaded on the simulated GPU when a kernel of it is first asked for.
/// Thread-safe.
class KernelSet {
 public:
  /// The kernels of this library. Never destroyed, because programs call libraries until they end.
  static KernelSet& own();

  /// The kernel of a file. `name` is as in CUDA C++, with the arguments of a template but without namespaces and
  /// parameters: "scale<float>". Null, after one line on stderr, if there is none: an error of this library.
  Kernel* find(Gpu& gpu, std::string_view file, std::string_view name);

 private:
  struct Loaded {
    std::unique_ptr<Module> module;
    std::map<std::string, Kernel*, std::less<>> kernels;
  };
  std::mutex mutex_;
  std::map<std::string, Loaded, std::less<>> files_;
};

/// Launches a kernel as the library's own cudaLaunchKernel would, which is what the recording has. `arguments`: the
/// address of each, as cudaLaunchKernel takes them. `prepare`, if there is one, completes the launch.
Error launch_kernel(std::string_view file, std::string_view name, const LaunchShape& shape, const void* stream,
                    std::span<void*> arguments, const std::function<void(KernelLaunch&)>& prepare = {});

/// The same with the arguments themselves. Their types must be those of the kernel's parameters.
template <class... Arguments>
Error launch(std::string_view file, std::string_view name, const LaunchShape& shape, const void* stream,
             Arguments... arguments) {
  std::array<void*, sizeof...(Arguments)> addresses{&arguments...};
  return launch_kernel(file, name, shape, stream, addresses);
}

/// Blocks of `threads` that cover `elements` in x.
LaunchShape shape_over(std::uint64_t elements, std::uint32_t threads = 256);

/// Says once on stderr that the simulated GPU's stand-in does not have a function, or not what it is asked for:
/// "cublasSsyrkx: not supported by the stand-in for cuBLAS (WHAT)". `what` can be empty.
void tell_not_supported(std::string_view library, std::string_view function, std::string_view what = {});

/// Runs the body of a library's function that can allocate: exceptions become `failed`, with one line on stderr.
template <class Status>
Status guarded(const char* function, Status failed, const std::function<Status()>& body) {
  try {
    return body();
  } catch (const std::exception& problem) {
    Gpu::the().tell(std::string(function) + ": " + problem.what());
    return failed;
  }
}

}  // namespace warpwalk::simulated::libraries
