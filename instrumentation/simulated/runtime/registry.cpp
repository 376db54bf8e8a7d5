#include "instrumentation/simulated/runtime/registry.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "instrumentation/simulated/runtime/call.h"

namespace warpwalk::simulated {

Registry& registry() {
  static auto& all = *new Registry;
  return all;
}

RegisteredBinary* Registry::add_binary(const void* code) {
  const std::lock_guard lock(mutex_);
  RegisteredBinary* const binary = binaries_.emplace_back(std::make_unique<RegisteredBinary>()).get();
  binary->code = code;
  return binary;
}

void Registry::remove(RegisteredBinary* binary) {
  const std::lock_guard lock(mutex_);
  const auto is_of = [&](const auto& entry) { return entry.second.binary == binary; };
  std::erase_if(functions_, is_of);
  std::erase_if(variables_, is_of);
  if (binary->module != nullptr) Gpu::the().queue.wait_all();
  std::erase_if(binaries_, [&](const auto& one) { return one.get() == binary; });
}

void Registry::add_function(RegisteredBinary* binary, const void* function, std::string name) {
  const std::lock_guard lock(mutex_);
  functions_[function] = {binary, std::move(name)};
}

void Registry::add_variable(RegisteredBinary* binary, const void* variable, std::string name) {
  const std::lock_guard lock(mutex_);
  variables_[variable] = {binary, std::move(name)};
}

void Registry::add_managed(RegisteredBinary* binary, void** pointer, std::string name) {
  const std::lock_guard lock(mutex_);
  binary->managed.emplace_back(name, pointer);
  variables_[pointer] = {binary, std::move(name)};
}

Error Registry::load(Gpu& gpu, RegisteredBinary& binary) {
  const std::lock_guard lock(mutex_);
  return load_locked(gpu, binary);
}

Error Registry::load_locked(Gpu& gpu, RegisteredBinary& binary) {
  if (std::exchange(binary.tried, true)) return binary.error;
  std::vector<std::string> names;
  for (const auto& [name, pointer] : binary.managed) names.push_back(name);
  binary.module = gpu.load(binary.code, binary.error, names);
  if (binary.module == nullptr) return binary.error;
  for (const auto& [name, pointer] : binary.managed) {
    const ModuleVariable* const variable = binary.module->variable(name);
    if (variable == nullptr) continue;
    *pointer = reinterpret_cast<void*>(variable->memory->address);
    // The program passes the variable itself as a symbol.
    variables_[*pointer] = {&binary, name};
  }
  return Error::success;
}

Kernel* Registry::find_in(const Module& module, const void* handle) {
  const auto found = std::ranges::find_if(module.kernels(), [&](const auto& kernel) { return kernel.get() == handle; });
  return found == module.kernels().end() ? nullptr : found->get();
}

Error Registry::find(Gpu& gpu, const void* function, Kernel*& kernel) {
  const std::lock_guard lock(mutex_);
  if (const auto found = functions_.find(function); found != functions_.end()) {
    RegisteredBinary& binary = *found->second.binary;
    if (const Error error = load_locked(gpu, binary); error != Error::success) return error;
    kernel = binary.module->kernel(found->second.name);
    return kernel == nullptr ? Error::invalid_device_function : Error::success;
  }
  for (const auto& binary : binaries_)
    if (binary->module != nullptr && (kernel = find_in(*binary->module, function)) != nullptr) return Error::success;
  for (const auto& [handle, module] : libraries_)
    if ((kernel = find_in(*module, function)) != nullptr) return Error::success;
  // CUDA takes what is no registered function for a handle.
  return function == nullptr ? Error::invalid_device_function : Error::invalid_resource_handle;
}

Error Registry::find(Gpu& gpu, const void* symbol, ModuleVariable*& variable) {
  const std::lock_guard lock(mutex_);
  const auto found = variables_.find(symbol);
  if (found == variables_.end()) return Error::invalid_symbol;
  RegisteredBinary& binary = *found->second.binary;
  if (const Error error = load_locked(gpu, binary); error != Error::success) return error;
  variable = binary.module->variable(found->second.name);
  return variable == nullptr ? Error::invalid_symbol : Error::success;
}

const void* Registry::function_of(const Kernel& kernel) {
  const std::lock_guard lock(mutex_);
  for (const auto& [function, symbol] : functions_)
    if (symbol.binary->module.get() == &kernel.module && symbol.name == kernel.name) return function;
  return &kernel;
}

bool Registry::has_function(const void* function) {
  const std::lock_guard lock(mutex_);
  return functions_.contains(function);
}

Module* Registry::add_library(std::unique_ptr<Module> module) {
  const std::lock_guard lock(mutex_);
  Module* const handle = module.get();
  libraries_.emplace(handle, std::move(module));
  return handle;
}

Module* Registry::find_library(const void* handle) {
  const std::lock_guard lock(mutex_);
  const auto found = libraries_.find(handle);
  return found == libraries_.end() ? nullptr : found->second.get();
}

Error Registry::unload_library(const void* handle) {
  const std::lock_guard lock(mutex_);
  const bool broken = std::erase_if(broken_libraries_, [&](const auto& one) { return one.get() == handle; }) > 0;
  return broken || libraries_.erase(handle) > 0 ? Error::success : Error::invalid_resource_handle;
}

Module* Registry::add_broken_library(Error error) {
  const std::lock_guard lock(mutex_);
  return reinterpret_cast<Module*>(broken_libraries_.emplace_back(std::make_unique<Error>(error)).get());
}

Error Registry::broken_library(const void* handle) {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find_if(broken_libraries_, [&](const auto& one) { return one.get() == handle; });
  return found == broken_libraries_.end() ? Error::invalid_resource_handle : **found;
}

void Registry::unload_all() {
  const std::lock_guard lock(mutex_);
  libraries_.clear();
  broken_libraries_.clear();
  for (const auto& binary : binaries_) {
    for (const auto& [name, pointer] : binary->managed)
      if (*pointer != nullptr) variables_.erase(*pointer);
    binary->module.reset();
    binary->tried = false;
  }
}

namespace {

RegisteredBinary* binary_of(void** handle) { return reinterpret_cast<RegisteredBinary*>(handle); }

/// With the sanitizer, the GPU starts before the program's static objects are made, so that what was not freed is
/// reported after they have been destroyed. An object that is made before nvcc's code registers its kernels is an
/// exception: what its destructor frees is reported.
void start_for_sanitizer() {
  const char* const sanitize = std::getenv("WARPWALK_SANITIZE");
  const char* const description = std::getenv("WARPWALK_GPU");
  if (sanitize != nullptr && std::string_view(sanitize) == "1" && description != nullptr) Gpu::the();
}

}  // namespace

// What nvcc's code calls: crt/host_runtime.h.
extern "C" {

void** __cudaRegisterFatBinary(void* code) {
  start_for_sanitizer();
  return reinterpret_cast<void**>(registry().add_binary(code));
}

void __cudaRegisterFatBinaryEnd(void**) {}

void __cudaUnregisterFatBinary(void** handle) { registry().remove(binary_of(handle)); }

void __cudaRegisterFunction(void** handle, const char* function, char*, const char* name, int, void*, void*, void*,
                            void*, int*) {
  registry().add_function(binary_of(handle), function, name);
}

void __cudaRegisterVar(void** handle, char* variable, char*, const char* name, int, std::size_t, int, int) {
  registry().add_variable(binary_of(handle), variable, name);
}

void __cudaRegisterManagedVar(void** handle, void** pointer, char*, const char* name, int, std::size_t, int, int) {
  registry().add_managed(binary_of(handle), pointer, name);
}

/// Called before the program's first use of a managed variable.
char __cudaInitModule(void** handle) {
  api_call(Api::runtime, "__cudaInitModule",
           [&](Gpu& gpu) { return remember(registry().load(gpu, *binary_of(handle))); });
  return 1;
}

/// Texture and surface references exist only up to CUDA 11. Older objects may still register them.
void __cudaRegisterTexture(void**, const void*, const void**, const char*, int, int, int) {}

void __cudaRegisterSurface(void**, const void*, const void**, const char*, int, int) {}

}  // extern "C"

}  // namespace warpwalk::simulated
