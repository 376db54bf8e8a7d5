#pragma once

// This folder simulates kernels of a trace again: histories, stand-ins, recorded launches. One SM at a cycle is
// core/gpu/history.

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "core/gpu/exec/launch.h"
#include "core/trace/trace.h"

namespace warpwalk::run {

/// The op whose kernel a stand-in replaces, as it was called.
struct ReplacedOp {
  /// The difference between the computation of the stand-in and that of the op.
  enum class Difference : std::uint8_t {
    none,
    number,    ///< the op's Python number was not recorded; the stand-in uses stand_in_number
    division,  ///< of a mean, only the sum
    addition,  ///< of baddbmm, only the products
  };
  std::string op;                                 ///< "aten::mm"
  std::vector<std::vector<std::int64_t>> inputs;  ///< shapes of its tensors
  Difference difference = Difference::none;
  std::size_t launch = 1, launches = 1;  ///< the launch that is shown, and how many the stand-in takes
};

/// Takes the place of a Python number that the profiler did not record; kernels take the same path for any number.
inline constexpr double stand_in_number = 2;

/// A kernel of a trace, simulated again. A trace stores no per-cycle state, so this provides the data for inspecting
/// it.
struct History {
  /// False: the kernel itself. True: warpwalk's own kernel for the same op and shapes.
  bool stand_in = false;
  ReplacedOp replaced;  ///< by a stand-in
  std::string entry;
  std::string ptx, source;  ///< of its module; source is empty if unknown
  std::string cubin;        ///< stand-in: the shipped machine code for the device; empty if there is none
  std::shared_ptr<const gpu::Program> program;
  gpu::Launch before;          ///< with the buffers' contents before the launch
  gpu::Simulation simulation;  ///< of the whole launch; with the sanitizer's findings for a short one
  bool checked = false;        ///< with the sanitizer
  bool recorded = false;       ///< the launch itself, on the memory that was recorded with it
  bool seeded = false;         ///< recorded: some memory was left out of the recording; it holds random values instead
  std::string stands_in_because;  ///< stand-in: why the recorded launch cannot be run; empty: none was recorded
  std::size_t replayed = 0;       ///< earlier kernels of the trace that were run again for their results
  enum class Digests : std::uint8_t { none, equal, different };
  Digests digests = Digests::none;  ///< buffers after the kernel, compared with the record
  std::string announced;            ///< difference from the record, one line; empty if none
  gpu::Device device;
};

struct HistoryOptions {
  gpu::Device device;                   ///< the GPU to simulate
  std::filesystem::path ptx_folder;     ///< assets/ptx, for stand-ins
  std::filesystem::path cubin_folder;   ///< assets/cubin, for the cycles of stand-ins; may be missing
  std::filesystem::path source_folder;  ///< kernels, for stand-ins; may be missing
  int threads = 1;
  const std::atomic<bool>* cancel = nullptr;
  std::function<void(std::uint64_t done, std::uint64_t of)> progress;  ///< blocks of all launches; from one thread
  std::uint64_t max_warp_instructions = std::uint64_t{1} << 31;  ///< limit for a stand-in, estimated from its plan
  std::uint64_t max_checked_warp_instructions = 1'000'000;       ///< of launches that run with the sanitizer too
  std::uint64_t max_timed_warp_instructions = 20'000'000;        ///< of launches whose cycles are simulated to the end
  std::uint64_t first_timed_warp_instructions = 3'000'000;  ///< of others and of stand-ins: only these are simulated
};

/// The reason for a missing history; "cancelled" if it was cancelled.
struct NoHistory {
  std::string reason;  ///< one sentence for the user that names the missing data
};

/// Simulates a kernel of the trace from its record, and replays the earlier kernels that produced its buffers. If the
/// record has no PTX or no inputs, simulates warpwalk's own kernel for the enclosing op instead, with shapes and types
/// from the record.
std::variant<std::shared_ptr<const History>, NoHistory> build_history(const trace::Trace& trace, trace::SliceId kernel,
                                                                      const HistoryOptions& options);

}  // namespace warpwalk::run
