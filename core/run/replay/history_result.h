#pragma once

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

/// A kernel of a trace, simulated again: what is needed to look into it, since a trace keeps no per-cycle state.
struct History {
  /// Whether this is the kernel itself, or warpwalk's own kernel for the same op and shapes.
  bool stand_in = false;
  std::string what;  ///< of a stand-in: "matmul_tiled for aten::mm, 1024x1024 by 1024x1024"
  std::string entry;
  std::string ptx, source;  ///< of its module; source empty if not known
  std::shared_ptr<const gpu::Program> program;
  gpu::Launch before;          ///< with its buffers as they were before the launch
  gpu::Simulation simulation;  ///< of the whole launch
  std::size_t replayed = 0;    ///< earlier kernels of the trace that were run again for their results
  enum class Digests : std::uint8_t { none, equal, different };
  Digests digests = Digests::none;  ///< of the buffers after it, against the record
  std::string announced;            ///< what differs from the record, one line; empty: nothing
  gpu::Device device;
};

struct HistoryOptions {
  gpu::Device device;                   ///< to simulate
  std::filesystem::path ptx_folder;     ///< assets/ptx, for stand-ins
  std::filesystem::path source_folder;  ///< kernels, for stand-ins; may be missing
  int threads = 1;
  const std::atomic<bool>* cancel = nullptr;
  std::function<void(std::uint64_t done, std::uint64_t of)> progress;  ///< blocks of all launches; from one thread
  std::uint64_t most_warp_instructions = std::uint64_t{1} << 31;  ///< of a stand-in, by its plan; above it is refused
};

/// Why there is no history; "cancelled" if it was cancelled.
struct NoHistory {
  std::string reason;  ///< one sentence for the screen: what is missing
};

}  // namespace warpwalk::run
