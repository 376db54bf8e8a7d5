#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>

namespace warpwalk::cuda {

/// The few calls of CUDA's driver (libcuda.so.1, opened at run time) that running a PTX text takes. They act on the
/// context that is current: the one that CudaLibrary made.
class CudaDriver {
 public:
  /// The error is one line.
  static std::variant<std::shared_ptr<const CudaDriver>, std::string> open();

  /// A kernel compiled by the driver from PTX, unloaded with its last owner.
  class Kernel {
   public:
    Kernel(const CudaDriver& driver, void* module, void* function)
        : driver_(driver), module_(module), function_(function) {}
    ~Kernel();
    Kernel(const Kernel&) = delete;
    Kernel& operator=(const Kernel&) = delete;

    int registers() const;  ///< a thread
    /// Starts it on a stream; arguments[i] points to the value of parameter i. None, or one line.
    std::string launch(const std::array<std::uint32_t, 3>& grid, const std::array<std::uint32_t, 3>& block,
                       std::uint32_t dynamic_shared_bytes, void* stream, void** arguments) const;

   private:
    const CudaDriver& driver_;
    void* module_;
    void* function_;
  };
  /// The error is one line with what the driver's compiler says first. The driver outlives the kernel.
  std::variant<std::unique_ptr<Kernel>, std::string> compile(const std::string& ptx, const std::string& entry) const;

 private:
  CudaDriver() = default;
  std::string text_of(int error) const;

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
