#pragma once

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
#include "core/run/launch/seeded_inputs.h"
#include "core/trace/trace.h"

namespace warpwalk::run {

enum class Target : std::uint8_t { cpu, sim, cuda };

/// What to compute, and on what.
struct RunRequest : SeededInputs {
  std::string expression;
  std::optional<ops::DType> autocast;  ///< f16 or bf16: inputs of matrix products are cast to it
  Target on = Target::sim;
  bool placement =
      false;           ///< on cuda: SM, start and end of every block, by a probe in each kernel, in a run of its own
  gpu::Device device;  ///< the GPU to simulate
  int threads = 1;     ///< of the host, for the simulation
  std::filesystem::path assets;  ///< of the program: ptx, kernels
  const std::atomic<bool>* cancel = nullptr;
  /// From one thread: blocks of a kernel that is simulated, or (`of` is 0) what is being done on a real GPU.
  std::function<void(const std::string& what, std::uint64_t done, std::uint64_t of)> progress;
  std::function<std::int64_t()> now_ns;  ///< ns since the epoch, for the times of cpu and cuda; sim's are the model's
};

/// A launch of the walk, in order.
struct RunLaunch {
  std::string op;  ///< "aten::mm"
  std::string kernel;
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::string why;  ///< this kernel and this shape: PlannedLaunch::why
};

struct RunResult {
  trace::Trace trace;
  ops::Variable result;                                                      ///< name empty
  std::vector<std::uint8_t> bytes;                                           ///< of the result, row-major
  std::vector<std::pair<std::string, std::vector<std::uint8_t>>> gradients;  ///< by input
  std::vector<RunLaunch> launches;                                           ///< none on cpu
  std::vector<OpCheck> checks;                                               ///< none on cpu
  /// No check failed.
  bool good() const;
};

/// Why there is no result: a place in the expression, or one line without a place.
struct RunError {
  std::optional<ops::ExpressionError> place;
  std::string line;
  bool cancelled = false;
};

/// A GPU other than the simulated one, from instrumentation/.
class GpuBackend : public Launcher {
 public:
  /// New memory for one run; the previous one is freed. The observer receives what it does.
  virtual ops::Memory& memory(ops::Observer* observer) = 0;
  /// Waits for all work. Throws ops::OpError.
  virtual void synchronize() = 0;
  /// Called once all ops ran, before the trace is linked: fills in what the GPU's records say. Its launch calls and
  /// kernels have the correlations 1, 2 ... in the order of the launches. Throws ops::OpError.
  virtual void complete(trace::Trace& trace) = 0;
  /// From now on every launch also writes down where and when its blocks run, which costs it time; off again. What was
  /// written goes into the records of the launches by complete(), in their order.
  virtual void probe_placement(bool on) = 0;
  /// "9.0".
  virtual std::string compute_capability() const = 0;
};

}  // namespace warpwalk::run
