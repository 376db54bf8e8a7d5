#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/gpu/device/device.h"
#include "core/gpu/exec/launch.h"
#include "core/ptx/module.h"
#include "instrumentation/simulated/device/error.h"
#include "instrumentation/simulated/device/fat_binary.h"
#include "instrumentation/simulated/device/memory.h"

namespace warpwalk::simulated {

class Module;

/// What cudaFuncGetAttributes and cuFuncGetAttribute say about a kernel, and what cudaFuncSetAttribute sets.
struct KernelAttributes {
  int max_threads_per_block = 1024;
  std::size_t static_shared_bytes = 0, constant_bytes = 0, local_bytes = 0;
  int registers = 0;
  int ptx_version = 0, binary_version = 0;          ///< 10 * major + minor
  int max_dynamic_shared_bytes = 49152;             ///< can be set
  int preferred_carveout = -1;                      ///< likewise
  bool nonportable_cluster = false;                 ///< likewise
  std::array<std::uint32_t, 3> required_cluster{};  ///< 0, 0, 0: none. Of the code, or set
  bool cluster_must_be_set = false;
};

/// A parameter of a kernel.
struct KernelParameter {
  std::size_t offset = 0, bytes = 0;
};

/// A kernel of a loaded module. CUfunction, CUkernel and cudaKernel_t are pointers to it.
class Kernel {
 public:
  Kernel(Module& of, std::string symbol) : module(of), name(std::move(symbol)) {}

  Module& module;
  const std::string name;  ///< mangled
  KernelAttributes attributes;
  std::vector<KernelParameter> parameters;
  std::uint32_t cubin = 0;  ///< number of the module's code in the recording; 0: none

  /// The kernel, ready to run; it is made at the first call. On failure, returns a one-line error.
  base::Result<std::shared_ptr<const gpu::Program>> program();

 private:
  std::mutex mutex_;
  std::optional<base::Result<std::shared_ptr<const gpu::Program>>> program_;
};

/// A __device__, __managed__ or __constant__ variable.
struct ModuleVariable {
  std::string name;
  bool constant = false;
  std::shared_ptr<Allocation> memory;  ///< its address is the variable's
};

/// Code that the program has loaded. CUmodule, CUlibrary and cudaLibrary_t are pointers to it.
class Module {
 public:
  /// Chooses the image that a GPU would run: machine code of its architecture, else PTX, and places the variables. On
  /// failure, returns the error, and a line that says why in `why`.
  /// `managed`: the variables that are __managed__.
  static std::unique_ptr<Module> load(const std::vector<CodeImage>& images, const gpu::Device& device,
                                      DeviceMemory& memory, Error& error, std::string& why,
                                      std::span<const std::string> managed = {});
  ~Module();
  const std::uint64_t number;  ///< differs for each module of the process

  /// Null if there is none of this name.
  Kernel* kernel(std::string_view name);
  ModuleVariable* variable(std::string_view name);
  const std::vector<std::unique_ptr<Kernel>>& kernels() const { return kernels_; }
  std::vector<ModuleVariable>& variables() { return variables_; }

  /// The code of a kernel: PTX or a cubin.
  const std::string& ptx() const { return ptx_text_; }
  const std::string& cubin() const { return cubin_; }
  /// Adds the constants to a launch of one of the module's kernels.
  void add_constants(gpu::Launch& launch) const;

 private:
  friend class Kernel;
  explicit Module(DeviceMemory& memory);
  Error load_cubin(std::uint32_t architecture, std::string& why);
  Error load_ptx(std::uint32_t architecture, std::string& why);
  /// Parses the PTX, if there is some. False if it cannot be read.
  bool read_ptx();
  ModuleVariable& place(std::string name, std::uint64_t bytes, bool constant);

  DeviceMemory& memory_;
  std::vector<std::string> managed_;
  std::string ptx_text_, cubin_;  ///< what runs is the cubin, unless it is empty
  std::string ptx_error_;
  std::shared_ptr<const ptx::Module> ptx_;
  std::vector<std::unique_ptr<Kernel>> kernels_;
  std::vector<ModuleVariable> variables_;
  gpu::VariablePlaces places_;                  ///< of variables in global memory
  std::vector<std::string> function_pointers_;  ///< device functions whose addresses are in variables or were asked for
};

}  // namespace warpwalk::simulated
