#include "instrumentation/cuda/cuda_driver.h"

#include <vector>

#include <dlfcn.h>
#include <fmt/format.h>

namespace warpwalk::cuda {
namespace {

// Enumerators of cuda.h; their values never change.
constexpr int attribute_registers = 4;       // CU_FUNC_ATTRIBUTE_NUM_REGS
constexpr int attribute_dynamic_shared = 8;  // CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
constexpr int error_log_buffer = 5;          // CU_JIT_ERROR_LOG_BUFFER
constexpr int error_log_bytes = 6;           // CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES
constexpr std::uint32_t default_max_dynamic_shared = 48 * 1024;

template <class F>
bool find(void* library, const char* name, F& out) {
  out = reinterpret_cast<F>(dlsym(library, name));
  return out != nullptr;
}

}  // namespace

base::Result<std::shared_ptr<const CudaDriver>> CudaDriver::open() {
  void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return base::Error{"the CUDA driver is not installed: libcuda.so.1 was not found"};
  const std::shared_ptr<CudaDriver> driver(new CudaDriver);
  CudaDriver& d = *driver;
  const bool found =
      find(library, "cuModuleLoadDataEx", d.load_data) && find(library, "cuModuleUnload", d.unload) &&
      find(library, "cuModuleGetFunction", d.get_function) && find(library, "cuFuncGetAttribute", d.get_attribute) &&
      find(library, "cuFuncSetAttribute", d.set_attribute) && find(library, "cuLaunchKernel", d.launch_kernel) &&
      find(library, "cuGetErrorString", d.error_string);
  if (!found)
    return base::Error{"the CUDA driver is too old: libcuda.so.1 lacks functions that warpwalk needs; update it"};
  return driver;
}

std::string CudaDriver::error_text(int error) const {
  const char* text = nullptr;
  if (error_string(error, &text) != 0 || text == nullptr) return fmt::format("error {}", error);
  return text;
}

base::Result<std::unique_ptr<CudaDriver::Kernel>> CudaDriver::compile(const std::string& ptx,
                                                                      const std::string& entry) const {
  std::vector<char> log(4096, '\0');
  int options[] = {error_log_buffer, error_log_bytes};
  void* values[] = {log.data(), reinterpret_cast<void*>(log.size() - 1)};
  void* module = nullptr;
  if (const int error = load_data(&module, ptx.c_str(), 2, options, values); error != 0) {
    const std::string log_text = log.data();
    return base::Error{fmt::format("the driver cannot compile {}: {}", entry,
                                   log_text.empty() ? error_text(error) : log_text.substr(0, log_text.find('\n')))};
  }
  void* function = nullptr;
  if (const int error = get_function(&function, module, entry.c_str()); error != 0) {
    unload(module);
    return base::Error{fmt::format("{}: {}", entry, error_text(error))};
  }
  return std::make_unique<Kernel>(*this, module, function);
}

CudaDriver::Kernel::~Kernel() { driver_.unload(module_); }

int CudaDriver::Kernel::registers() const {
  int value = 0;
  driver_.get_attribute(&value, attribute_registers, function_);
  return value;
}

std::string CudaDriver::Kernel::launch(const std::array<std::uint32_t, 3>& grid,
                                       const std::array<std::uint32_t, 3>& block, std::uint32_t dynamic_shared_bytes,
                                       void* stream, void** arguments) const {
  int error = 0;
  if (dynamic_shared_bytes > default_max_dynamic_shared)
    error = driver_.set_attribute(function_, attribute_dynamic_shared, static_cast<int>(dynamic_shared_bytes));
  if (error == 0)
    error = driver_.launch_kernel(function_, grid[0], grid[1], grid[2], block[0], block[1], block[2],
                                  dynamic_shared_bytes, stream, arguments, nullptr);
  return error == 0 ? std::string() : driver_.error_text(error);
}

}  // namespace warpwalk::cuda
