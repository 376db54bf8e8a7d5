#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/gpu/exec/launch.h"
#include "core/ops/dispatch/caching_allocator.h"
#include "core/run/catalogue/gpu_functions.h"
#include "core/run/launch/code_choice.h"
#include "core/run/launch/cycles.h"

namespace warpwalk::run {

/// A module of the catalogue, loaded for the simulated GPU.
struct SimKernel {
  std::string ptx;
  std::string source;  ///< CUDA C++ if kernels/ is available, else empty
  std::string cubin;   ///< machine code for the GPU; empty if none is shipped
  std::shared_ptr<const ptx::Module> module;
  std::shared_ptr<const gpu::Program> program;
  std::string code;  ///< what the program was made of: "sass sm_90 from cubin" or "ptx"
  std::string note;  ///< why the PTX runs although there is machine code, one line; else empty
};

/// A completed launch on the simulated GPU, passed to SimOptions::launched.
struct SimLaunch {
  const PlannedLaunch& planned;
  std::span<const ops::Tensor> operands;
  const SimKernel& kernel;
  const gpu::Launch& launch;  ///< its buffers hold the results
  const gpu::Simulation& simulation;
  const Cycles& cycles;
};

/// The memory of the simulated GPU. Addresses come from the caching allocator, over a driver that allocates segments in
/// sequence from gpu::buffers_base, up to the device's memory size. The bytes are on the host (sim_memory.h).
class SimMemory;

struct SimOptions {
  std::filesystem::path ptx_folder;     ///< assets/ptx
  std::filesystem::path cubin_folder;   ///< assets/cubin; empty: no machine code
  std::filesystem::path source_folder;  ///< kernels; may be missing
  CodeChoice code = CodeChoice::automatic;
  gpu::SimulateOptions simulate;
  CyclesOptions cycles;
  std::function<void(const SimLaunch&)> launched;    ///< after each launch
  std::function<void(const PlannedLaunch&)> before;  ///< before each launch
};

/// The simulated GPU as a backend of the tensor library.
class SimBackend : public Launcher {
 public:
  /// `device` and `observer` must outlive this object.
  SimBackend(const gpu::Device& device, SimOptions options, ops::Observer* observer);
  ~SimBackend() override;

  ops::Memory& memory();
  void launch(const PlannedLaunch& launch, std::span<const ops::Tensor> operands) override;
  const ops::CachingAllocator& allocator() const;
  /// Loads the kernel's code; it is parsed and lowered once. Throws ops::OpError if the module is missing or does not
  /// parse, or if the chosen code cannot be run.
  const SimKernel& kernel(const PlannedLaunch& launch);

 private:
  SimKernel load_module(const std::string& module) const;

  const gpu::Device& device_;
  SimOptions options_;
  std::unique_ptr<SimMemory> memory_;
  std::map<std::string, SimKernel> kernels_;  // by module and entry
};

}  // namespace warpwalk::run
