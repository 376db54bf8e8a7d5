#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "instrumentation/simulated/engine/gpu.h"

namespace warpwalk::simulated {

/// A fat binary that a part of the program has registered. The handle of __cudaRegisterFatBinary is a pointer to it.
struct RegisteredBinary {
  const void* code = nullptr;
  std::unique_ptr<Module> module;  ///< null: not loaded yet
  Error error = Error::success;    ///< of the attempt to load it
  bool tried = false;
  /// Managed variables: their names, and the program's pointers, which get their addresses.
  std::vector<std::pair<std::string, void**>> managed;
};

/// What nvcc's code registers before main(): fat binaries, kernels and variables. They are loaded when they are used
/// first, as CUDA does since version 12. Thread-safe.
class Registry {
 public:
  RegisteredBinary* add_binary(const void* code);
  void remove(RegisteredBinary* binary);
  void add_function(RegisteredBinary* binary, const void* function, std::string name);
  void add_variable(RegisteredBinary* binary, const void* variable, std::string name);
  void add_managed(RegisteredBinary* binary, void** pointer, std::string name);

  Error load(Gpu& gpu, RegisteredBinary& binary);
  /// The kernel of a function of the program, or of a cudaKernel_t or cudaFunction_t.
  Error find(Gpu& gpu, const void* function, Kernel*& kernel);
  /// The variable that a symbol stands for.
  Error find(Gpu& gpu, const void* symbol, ModuleVariable*& variable);
  bool has_function(const void* function);
  /// The function of the program that a kernel was registered for; the kernel itself if there is none.
  const void* function_of(const Kernel& kernel);

  /// Modules that cudaLibraryLoadData has loaded.
  Module* add_library(std::unique_ptr<Module> module);
  Module* find_library(const void* handle);
  Error unload_library(const void* handle);
  /// CUDA loads libraries lazily: one that cannot be loaded has a handle, too, and every use of it fails.
  Module* add_broken_library(Error error);
  /// The error of a handle that is no library: why it could not be loaded, or invalid_resource_handle.
  Error broken_library(const void* handle);

  /// Unloads all modules. Fat binaries are loaded again when they are used again.
  void unload_all();

 private:
  struct Symbol {
    RegisteredBinary* binary = nullptr;
    std::string name;
  };
  Error load_locked(Gpu& gpu, RegisteredBinary& binary);
  static Kernel* find_in(const Module& module, const void* handle);

  std::recursive_mutex mutex_;
  std::vector<std::unique_ptr<RegisteredBinary>> binaries_;
  std::map<const void*, Symbol> functions_, variables_;
  std::map<const void*, std::unique_ptr<Module>> libraries_;
  std::vector<std::unique_ptr<Error>> broken_libraries_;  ///< their handles are their addresses
};

/// Never destroyed, because programs unregister their code at their very end.
Registry& registry();

/// Runs `body` with the kernel of a function, or returns the error of the search.
template <class Body>
Error with_kernel(Gpu& gpu, const void* function, Body body) {
  Kernel* kernel = nullptr;
  const Error error = registry().find(gpu, function, kernel);
  return error == Error::success ? body(*kernel) : error;
}

}  // namespace warpwalk::simulated
