#pragma once

// This folder runs an expression on a backend and records it as a walk (the verb `run`). core/ops/expression parses it.

#include <array>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/gpu/device/device.h"
#include "core/ops/expression/expression.h"
#include "core/run/catalogue/gpu_functions.h"
#include "core/run/check/op_check.h"
#include "core/run/launch/code_choice.h"
#include "core/run/launch/cycles.h"
#include "core/run/launch/seeded_inputs.h"
#include "core/trace/trace.h"

namespace warpwalk::run {

enum class Target : std::uint8_t { cpu, sim, cuda };

/// The expression to compute and the target to run it on.
struct RunRequest : SeededInputs {
  std::string expression;
  std::optional<ops::DType> autocast;  ///< f16 or bf16: inputs of matrix products are cast to it
  Target on = Target::sim;
  bool placement =
      false;           ///< on cuda: record SM, start and end of every block with a probe per kernel, in a separate run
  gpu::Device device;  ///< the GPU to simulate
  CodeChoice code = CodeChoice::automatic;  ///< on sim: what the kernels run as
  /// On sim: whether kernels get cycles, and thus times. Threads, cancel and progress come from the members below.
  CyclesOptions cycles{CyclesChoice::automatic};
  int threads = 1;               ///< host threads for the simulation
  std::filesystem::path assets;  ///< the program's assets: ptx, kernels
  const std::atomic<bool>* cancel = nullptr;
  /// Called from one thread with the simulated blocks of a kernel or, if `of` is 0, the current step on a real GPU.
  std::function<void(const std::string& what, std::uint64_t done, std::uint64_t of)> progress;
  std::function<std::int64_t()> now_ns;  ///< ns since the epoch, for cpu and cuda; sim uses modelled time
};

/// A launch of the run, in order.
struct RunLaunch {
  std::string op;  ///< "aten::mm"
  std::string kernel;
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::string why;               ///< reason for this kernel and shape: PlannedLaunch::why
  std::string code;              ///< on sim, what ran: "sass sm_90 from cubin" or "ptx"
  std::string note;              ///< on sim, why the PTX ran although there is machine code; else empty
  std::optional<double> cycles;  ///< on sim, if they were simulated
  double time_us = 0;            ///< of the cycles
  bool estimated = false;        ///< the cycles are those of a schedule that was estimated from PTX
  std::string cycles_note;       ///< on sim, why they were not simulated, one line; else empty
};

struct RunResult {
  trace::Trace trace;
  ops::Variable result;                                                      ///< name empty
  std::vector<std::uint8_t> bytes;                                           ///< elements of the result, row-major
  std::vector<std::pair<std::string, std::vector<std::uint8_t>>> gradients;  ///< by input
  std::vector<RunLaunch> launches;                                           ///< none on cpu
  std::vector<OpCheck> checks;                                               ///< none on cpu
  /// True if no check failed.
  bool good() const;
};

/// The reason for a failed run: a place in the expression, or a one-line message without a place.
struct RunError {
  std::optional<ops::ExpressionError> place;
  std::string line;
  bool cancelled = false;
};

/// A GPU other than the simulated one, from instrumentation/.
class GpuBackend : public Launcher {
 public:
  /// Creates the memory for one run and frees that of the previous run. The observer receives its allocations and
  /// frees.
  virtual ops::Memory& memory(ops::Observer* observer) = 0;
  /// Waits for all work. Throws ops::OpError.
  virtual void synchronize() = 0;
  /// Called once all ops have run, before the trace is linked. Fills in the data from the GPU's records. The trace's
  /// launch calls and kernels have the correlations 1, 2 ... in the order of the launches. Throws ops::OpError.
  virtual void complete(trace::Trace& trace) = 0;
  /// Turns the recording of block placement on or off: each later launch also records the SM and time of its blocks,
  /// which slows it down. complete() adds the data to the records of the launches, in launch order.
  virtual void probe_placement(bool on) = 0;
  /// For example "9.0".
  virtual std::string compute_capability() const = 0;
};

/// Parses, checks, dispatches and computes an expression, and records the run. `gpu` is required for Target::cuda,
/// which runs the expression twice. The first run checks each op, waits for each, loads the modules and allocates the
/// segments. The second run is recorded at full speed.
std::variant<RunResult, RunError> run_expression(const RunRequest& request, GpuBackend* gpu = nullptr);

}  // namespace warpwalk::run
