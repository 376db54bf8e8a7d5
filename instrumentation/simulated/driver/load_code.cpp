#include "instrumentation/simulated/driver/load_code.h"

#include <algorithm>
#include <fstream>
#include <memory>
#include <mutex>
#include <sstream>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace warpwalk::simulated {
namespace {

/// The modules and libraries that the program has loaded by the driver. Never destroyed, because programs call CUDA
/// until they end.
struct LoadedCode {
  std::mutex mutex;
  std::vector<std::unique_ptr<Module>> modules;
};
LoadedCode& loaded_code() {
  static auto* const loaded = new LoadedCode;
  return *loaded;
}

}  // namespace

Error load_code(Gpu& gpu, const void* image, const JitOptions& options, Module*& module) {
  if (image == nullptr || !options.valid()) return Error::invalid_value;
  Error error = Error::success;
  auto loaded = gpu.load(image, error);
  if (loaded == nullptr) {
    options.report(fmt::format("the simulated GPU cannot load this code: {}", driver_text(static_cast<int>(error))));
    return error;
  }
  options.report({});
  module = loaded.get();
  LoadedCode& all = loaded_code();
  const std::lock_guard lock(all.mutex);
  all.modules.push_back(std::move(loaded));
  return Error::success;
}

bool read_code_file(const char* file, std::string& contents) {
  std::ifstream input(file, std::ios::binary);
  if (!input) return false;
  std::ostringstream bytes;
  bytes << input.rdbuf();
  contents = std::move(bytes).str();
  return !input.bad();
}

Error load_code_file(Gpu& gpu, const char* file, const JitOptions& options, Module*& module) {
  if (file == nullptr) return Error::invalid_value;
  std::string contents;
  if (!read_code_file(file, contents)) return Error::file_not_found;
  return load_code(gpu, contents.c_str(), options, module);
}

Error unload_code(Gpu& gpu, Module* module) {
  LoadedCode& all = loaded_code();
  const auto find = [&] { return std::ranges::find(all.modules, module, &std::unique_ptr<Module>::get); };
  {
    const std::lock_guard lock(all.mutex);
    if (find() == all.modules.end()) return Error::invalid_resource_handle;
  }
  const Error error = gpu.wait_all();
  const std::lock_guard lock(all.mutex);
  if (const auto found = find(); found != all.modules.end()) all.modules.erase(found);
  return error;
}

Error find_kernel(Module* module, const char* name, Kernel*& kernel) {
  if (module == nullptr) return Error::invalid_resource_handle;
  if (name == nullptr) return Error::invalid_value;
  kernel = module->kernel(name);
  return kernel == nullptr ? Error::symbol_not_found : Error::success;
}

Error find_variable(Module* module, const char* name, CUdeviceptr* address, std::size_t* bytes) {
  if (module == nullptr) return Error::invalid_resource_handle;
  if (name == nullptr || (address == nullptr && bytes == nullptr)) return Error::invalid_value;
  const ModuleVariable* const variable = module->variable(name);
  if (variable == nullptr) return Error::symbol_not_found;
  if (address != nullptr) *address = variable->memory->address;
  if (bytes != nullptr) *bytes = variable->memory->bytes;
  return Error::success;
}

}  // namespace warpwalk::simulated
