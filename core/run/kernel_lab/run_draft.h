#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/gpu/device/device.h"
#include "core/gpu/exec/launch.h"
#include "core/platform/toolchain/compiled_cuda.h"
#include "core/run/kernel_lab/diagnostic.h"
#include "core/run/kernel_lab/draft.h"
#include "core/run/kernel_lab/launch_text.h"
#include "core/run/launch/line_costs.h"
#include "core/run/launch/run_launch.h"
#include "core/trace/trace.h"

namespace warpwalk::run {

/// Compiles CUDA C++ with the file name `name`. A program whose user types the source passes a function that does it in
/// a child process with limits; the default does it here.
using CudaCompiler = std::function<std::variant<platform::CompiledCuda, platform::CudaFailure>(
    const std::string& source, const std::string& name, std::string_view compute_capability,
    const std::atomic<bool>* cancel)>;

/// Bounds for a text that somebody typed.
struct DraftLimits {
  std::uint64_t max_buffer_bytes = std::uint64_t{512} << 20;
  /// Local memory of all threads that are resident at once.
  std::uint64_t max_local_bytes = std::uint64_t{1} << 30;
  std::uint64_t max_blocks = std::uint64_t{1} << 20;
  /// Operations of a block; more are reported as a runaway.
  std::uint64_t max_block_operations = gpu::runaway_limit;
  /// Operations of the whole launch; with the sanitizer, up to two minutes on one core.
  std::uint64_t max_operations = std::uint64_t{1} << 28;
  std::uint64_t max_timed_warp_instructions = 20'000'000;  ///< of launches whose cycles are simulated
};

struct DraftOptions {
  gpu::Device device;                 ///< for launches that name none
  std::span<const gpu::Device> gpus;  ///< that launches may name; they must outlive the run
  CudaCompiler compile_cuda;          ///< empty: in this process
  bool ask_ptxas = true;              ///< compiles PTX to machine code where ptxas is installed
  bool sanitize = true;
  CyclesChoice cycles = CyclesChoice::automatic;  ///< up to the limit of warp instructions
  bool keep_timed_buffers = false;                ///< CyclesOptions::keep_buffers
  DraftLimits limits;
  int threads = 1;
  const std::atomic<bool>* cancel = nullptr;
  /// The current step ("compile", "run" or "cycles") and its progress in blocks; called from one thread.
  std::function<void(std::string_view what, std::uint64_t done, std::uint64_t of)> progress;
};

/// Why a draft was not compiled or run. Its messages are for the person who typed it.
struct DraftFailure {
  std::vector<Diagnostic> messages;  ///< at least one, unless it was cancelled
  bool cancelled = false;
};

/// A source that compiled.
struct CompiledModule {
  std::string ptx;
  CubinSource machine;
  std::vector<Diagnostic> warnings;
  std::string note;  ///< about the compiler; empty: none
};

/// Compiles the source of a draft, without its launch.
std::variant<CompiledModule, DraftFailure> compile_module(const KernelDraft& draft, const DraftOptions& options);

/// A draft that compiled: its launch with buffers, and the machine code or PTX to run.
struct CompiledDraft {
  gpu::Device device;  ///< to run on
  LoadedLaunch loaded;
  LaunchText launch;
  std::vector<Diagnostic> warnings;
};

/// The GPU of a launch: the one that it names, else the options'. Fails if it names an unknown one.
std::variant<gpu::Device, DraftFailure> gpu_of(const LaunchText& launch, const DraftOptions& options);

/// Joins a compiled source and a launch: checks the launch against the limits, and fills its buffers. The launch text
/// of `draft` is not read, and the GPU is the options'.
std::variant<CompiledDraft, DraftFailure> bind_module(const CompiledModule& module, const KernelDraft& draft,
                                                      LaunchText launch, const DraftOptions& options);

/// Checks both texts and compiles the source.
std::variant<CompiledDraft, DraftFailure> compile_draft(const KernelDraft& draft, const DraftOptions& options);

/// A run of a draft on the simulated GPU.
struct DraftRun {
  gpu::Device device;
  LoadedLaunch loaded;  ///< its buffers hold the results
  LaunchResult result;
  std::vector<Diagnostic> findings;           ///< of the sanitizer, at their lines of the source
  std::vector<Diagnostic> warnings;           ///< of the compiler
  std::vector<trace::InitialBuffer> initial;  ///< the buffers' contents before the run
  /// What each line of the draft's source costs. If the cycles were not simulated, it has no stalls.
  CostsByLine costs;

  /// The contents of the caches when the launch started.
  gpu::CacheStart caches() const { return loaded.file.caches.value_or(gpu::CacheStart::cold); }
  /// The launch as a trace, as `simulate` writes it, with the inputs whatever their size.
  trace::Trace trace() const;
};

/// Runs a draft that compiled, and simulates its cycles.
std::variant<std::shared_ptr<const DraftRun>, DraftFailure> run_compiled(CompiledDraft compiled,
                                                                         const KernelDraft& draft,
                                                                         const DraftOptions& options);

/// Compiles and runs a draft, and simulates its cycles.
std::variant<std::shared_ptr<const DraftRun>, DraftFailure> run_draft(const KernelDraft& draft,
                                                                      const DraftOptions& options);

}  // namespace warpwalk::run
