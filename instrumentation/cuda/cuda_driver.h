#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "core/base/result.h"

namespace warpwalk::cuda {

/// The CUDA driver calls needed to run PTX text (libcuda.so.1, opened at run time). They act on the current context,
/// which CudaLibrary created.
class CudaDriver {
 public:
  /// On failure, returns a one-line error message.
  static base::Result<std::shared_ptr<const CudaDriver>> open();

  /// A kernel compiled by the driver from PTX. The destructor unloads it.
  class Kernel {
   public:
    Kernel(const CudaDriver& driver, void* module, void* function)
        : driver_(driver), module_(module), function_(function) {}
    ~Kernel();
    Kernel(const Kernel&) = delete;
    Kernel& operator=(const Kernel&) = delete;

    int registers() const;  ///< per thread
    /// Launches the kernel on a stream; arguments[i] points to the value of parameter i. Returns a one-line error
    /// message, empty on success.
    std::string launch(const std::array<std::uint32_t, 3>& grid, const std::array<std::uint32_t, 3>& block,
                       std::uint32_t dynamic_shared_bytes, void* stream, void** arguments) const;

   private:
    const CudaDriver& driver_;
    void* module_;
    void* function_;
  };
  /// On failure, returns one line with the first line of the driver's compiler log. The CudaDriver must outlive the
  /// kernel.
  base::Result<std::unique_ptr<Kernel>> compile(const std::string& ptx, const std::string& entry) const;

 private:
  CudaDriver() = default;
  std::string error_text(int error) const;

  int (*load_data)(void** module, const void* image, unsigned count, int* options, void** values) = nullptr;
  int (*unload)(void* module) = nullptr;
  int (*get_function)(void** function, void* module, const char* name) = nullptr;
  int (*get_attribute)(int* value, int attribute, void* function) = nullptr;
  int (*set_attribute)(void* function, int attribute, int value) = nullptr;
  int (*launch_kernel)(void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                       unsigned shared, void* stream, void** arguments, void** extra) = nullptr;
  int (*error_string)(int error, const char** text) = nullptr;
};

}  // namespace warpwalk::cuda
