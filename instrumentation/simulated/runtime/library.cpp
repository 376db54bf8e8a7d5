// Code that the program loads itself: cudaLibrary...
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include "instrumentation/simulated/runtime/call.h"
#include "instrumentation/simulated/runtime/registry.h"

namespace warpwalk::simulated {
namespace {

Error load_library(Gpu& gpu, Module** library, const void* code) {
  Error error = Error::success;
  std::unique_ptr<Module> module = gpu.load(code, error);
  *library = module == nullptr ? registry().add_broken_library(error) : registry().add_library(std::move(module));
  return Error::success;
}

/// Runs `body` with a library.
template <class Body>
Error with_library(const char* name, const void* library, Body body) {
  return runtime_call(name, [&](Gpu& gpu) {
    Module* const module = registry().find_library(library);
    return module == nullptr ? registry().broken_library(library) : body(gpu, *module);
  });
}

Error library_variable(const char* name, void** at, std::size_t* bytes, const void* library, const char* variable,
                       bool managed) {
  return with_library(name, library, [&](Gpu&, Module& module) {
    if (variable == nullptr || (at == nullptr && bytes == nullptr)) return Error::invalid_value;
    const ModuleVariable* const found = module.variable(variable);
    if (found == nullptr || (managed && found->memory->kind != MemoryKind::managed)) return Error::symbol_not_found;
    if (at != nullptr) *at = reinterpret_cast<void*>(found->memory->address);
    if (bytes != nullptr) *bytes = found->memory->bytes;
    return Error::success;
  });
}

}  // namespace

extern "C" {

// Options of the compiler of PTX do not change what the simulated GPU computes.

Error cudaLibraryLoadData(Module** library, const void* code, const int*, void**, unsigned, const int*, void**,
                          unsigned) {
  return runtime_call("cudaLibraryLoadData", [&](Gpu& gpu) {
    return library == nullptr || code == nullptr ? Error::invalid_value : load_library(gpu, library, code);
  });
}

Error cudaLibraryLoadFromFile(Module** library, const char* path, const int*, void**, unsigned, const int*, void**,
                              unsigned) {
  return runtime_call("cudaLibraryLoadFromFile", [&](Gpu& gpu) {
    if (library == nullptr || path == nullptr) return Error::invalid_value;
    std::ifstream file(path, std::ios::binary);
    if (!file) return Error::file_not_found;
    const std::string code{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    return code.empty() ? Error::invalid_kernel_image : load_library(gpu, library, code.c_str());
  });
}

Error cudaLibraryUnload(const void* library) {
  return runtime_call("cudaLibraryUnload", [&](Gpu& gpu) {
    gpu.queue.wait_all();
    return registry().unload_library(library);
  });
}

Error cudaLibraryGetKernel(Kernel** kernel, const void* library, const char* name) {
  return with_library("cudaLibraryGetKernel", library, [&](Gpu&, Module& module) {
    if (kernel == nullptr || name == nullptr) return Error::invalid_value;
    *kernel = module.kernel(name);
    return *kernel == nullptr ? Error::symbol_not_found : Error::success;
  });
}

Error cudaLibraryGetGlobal(void** at, std::size_t* bytes, const void* library, const char* name) {
  return library_variable("cudaLibraryGetGlobal", at, bytes, library, name, false);
}

Error cudaLibraryGetManaged(void** at, std::size_t* bytes, const void* library, const char* name) {
  return library_variable("cudaLibraryGetManaged", at, bytes, library, name, true);
}

Error cudaLibraryGetUnifiedFunction(void**, const void*, const char*) {
  return unsupported_call("cudaLibraryGetUnifiedFunction");
}

Error cudaLibraryGetKernelCount(unsigned* count, const void* library) {
  return with_library("cudaLibraryGetKernelCount", library, [&](Gpu&, Module& module) {
    if (count == nullptr) return Error::invalid_value;
    *count = static_cast<unsigned>(module.kernels().size());
    return Error::success;
  });
}

Error cudaLibraryEnumerateKernels(Kernel** kernels, unsigned count, const void* library) {
  return with_library("cudaLibraryEnumerateKernels", library, [&](Gpu&, Module& module) {
    if (kernels == nullptr) return Error::invalid_value;
    for (unsigned i = 0; i < count && i < module.kernels().size(); ++i) kernels[i] = module.kernels()[i].get();
    return Error::success;
  });
}

}  // extern "C"

}  // namespace warpwalk::simulated
