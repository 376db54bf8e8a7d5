#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/gpu/exec/launch.h"
#include "core/gpu/timing/launch/time_launch.h"
#include "core/ops/dispatch/dispatcher.h"
#include "core/ops/dispatch/observer.h"
#include "core/run/catalogue/catalogue.h"
#include "core/run/expression/allocation_recorder.h"
#include "core/run/expression/host_model.h"
#include "core/trace/trace.h"

namespace warpwalk::run {

/// The device and process of a run, as its trace describes them.
struct WalkPlace {
  ops::DeviceKind memory = ops::DeviceKind::cuda;
  std::string process;                              ///< "warpwalk run --on sim"
  std::string gpu_process;                          ///< "simulated GPU 0"; empty without a GPU
  std::int64_t sms = 0;                             ///< SMs of the GPU
  std::int64_t warp_size = 32;                      ///< threads per warp
  trace::Origin origin = trace::Origin::simulated;  ///< origin of the dispatch steps
};

/// A completed launch.
struct DoneLaunch {
  const PlannedLaunch& planned;
  std::span<const ops::Tensor> operands;
  std::string_view ptx, source, cubin;  ///< of its module; source and cubin are empty if unknown
  std::string_view code;                ///< what ran on a simulated GPU: KernelRecord::code
  // Set for a simulated GPU; null on a real one, whose records are added later.
  const gpu::Device* device = nullptr;
  const gpu::Launch* launch = nullptr;  ///< its buffers hold the kernel's results
  const gpu::Simulation* simulation = nullptr;
  const gpu::LaunchTiming* timing = nullptr;  ///< also null if the cycles were not simulated
  std::uint32_t static_shared_bytes = 0;
  /// Read the kernel's results, which waits for the kernel. If false, the record has no digests and cannot identify the
  /// buffers that earlier kernels produced.
  bool contents = true;
};

/// Records the tensor library's work as rows of a trace: ops, regions, dispatch steps, memory, launch calls, kernels.
/// On a simulated GPU, a kernel begins when its launch call has returned and the kernel before it has ended, and takes
/// its cycles / clock. Kernels without a simulated time, and those behind them in the stream, get start and duration 0
/// (not recorded), as all kernels of a real GPU: a later step fills in their times by correlation: 1, 2 ... in the
/// order of the runtime calls.
///
/// A kernel record's digests and counts cover the requested bytes of each allocation, without the allocator's rounding.
class WalkRecorder : public ops::Observer {
 public:
  WalkRecorder(WalkPlace place, WalkClock clock);
  WalkRecorder(const WalkRecorder&) = delete;
  WalkRecorder& operator=(const WalkRecorder&) = delete;

  void op_begins(const ops::Call& call) override;
  void op_ends(const ops::Tensor& result) override;
  void step(const trace::DispatchStep& step) override;
  void region_begins(std::string_view name, std::int64_t sequence) override;
  void region_ends() override;
  void entered_autograd(std::int64_t next_sequence) override;
  void recorded_for_backward(std::int64_t sequence) override;
  void memory(const ops::MemoryChange& change) override;

  /// Starts the user's expression, which contains everything until expression_ends(): an annotation and, inside it, the
  /// expression as the Python frame that calls the ops.
  void expression_begins(std::string_view text);
  void expression_ends();
  /// Called before and after the host launches a kernel for the innermost op.
  void launch_begins();
  void launch_ends(const DoneLaunch& launch);
  void synchronize_begins();
  void synchronize_ends();

  /// Name the allocation of a tensor; input() also records its contents: FillRandom of a seed, or given elements.
  void name(const ops::Tensor& tensor, std::string name);
  void input(const ops::Tensor& tensor, std::string name, std::uint64_t seed);
  void input(const ops::Tensor& tensor, std::string name, std::span<const std::uint8_t> elements);

  const trace::Trace& trace() const { return trace_; }
  /// Returns the rows so far, not linked. Later events are ignored.
  trace::Trace take();

 private:
  struct Open {
    trace::SliceId slice = 0;
    std::uint32_t detail = 0;
    std::int64_t external_id = trace::absent;  // for ops, regions and annotations
    std::string op;                            // empty if this is not an op
    std::optional<std::size_t> dispatch;
    std::size_t first_allocation = 0;  // rows from here on were added inside this slice
    bool launched = false;
  };

  void record_input(const ops::Tensor& tensor, std::string name, trace::InitialBuffer initial,
                    std::span<const std::uint8_t> bytes);
  Open& open(trace::SliceKind kind, std::string_view name);
  void close();
  void call_slice(std::string_view name, std::int64_t start, std::int64_t HostModel::*cost);
  trace::TrackId gpu_track();
  std::size_t module_row(const DoneLaunch& launch);
  trace::KernelRecord kernel_record(const DoneLaunch& launch);
  void add_kernel_slice(const DoneLaunch& launch);

  WalkPlace place_;
  WalkClock clock_;
  trace::Trace trace_;
  AllocationRecorder memory_;
  std::vector<Open> open_;
  std::map<std::int64_t, std::int64_t> forward_;  // start of the op, by sequence number
  std::map<std::string, std::size_t> modules_;    // row by name
  std::int64_t external_ids_ = 0, events_ = 0, correlations_ = 0;
  std::int64_t call_start_ = 0;
  std::optional<std::int64_t> stream_end_ = 0;  // of the kernels so far, in modelled time; none if one has no time
  bool taken_ = false;
};

/// The arguments of an op as PyTorch's profiler writes them with record_shapes: four JSON arrays as text, with one
/// element per argument.
struct OpInputs {
  std::string dims;      ///< [[256, 128], []]
  std::string strides;   ///< [[128, 1], []]
  std::string types;     ///< ["float", "Scalar"]: C++ names of the element types
  std::string concrete;  ///< ["", "1"]: values of non-tensor arguments, as Python prints them
};
OpInputs inputs_of(std::span<const ops::Argument> arguments);

}  // namespace warpwalk::run
