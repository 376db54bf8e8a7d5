#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/gpu/device/device.h"
#include "core/gpu/exec/launch.h"
#include "core/trace/records.h"

namespace warpwalk::run {

/// GPU memory around a recorded launch.
struct RecordedRange {
  std::uint64_t address = 0;
  std::vector<std::uint8_t> before, after;  ///< of the same size
};

/// One launch as the recorder wrote it, with all memory that it could reach, in whole allocations.
struct LaunchRecording {
  std::string entry;  ///< the kernel's mangled name
  std::uint32_t correlation = 0;
  std::uint32_t graph_kernel = 0;  ///< launched by a graph: which of its kernels of this name, from 1; else 0
  std::uint32_t dynamic_shared_bytes = 0;
  std::array<std::uint32_t, 3> grid{}, block{}, cluster{};  ///< cluster: 0, 0, 0 without one
  bool cooperative = false;
  bool failed = false;  ///< the kernel failed, or had not ended: there is no memory after it
  std::vector<std::uint8_t> parameters;
  std::vector<RecordedRange> memory;
  std::vector<trace::VariableContents> variables;
  std::vector<std::string> missing;  ///< what could not be recorded, one line each
  std::vector<std::uint8_t> caches;  ///< what the simulated caches held before it (gpu::CacheState::saved)
  /// The sectors that the launch accessed, if the simulated GPU ran it in the first place.
  std::optional<std::vector<gpu::TouchedRange>> touched;
};

struct KeepOptions {
  gpu::Device device;                                            ///< that the launch is simulated on
  std::uint64_t max_warp_instructions = std::uint64_t{1} << 28;  ///< of the simulation
  bool leave_out_data = false;                                   ///< keep only the kind of the contents, and a seed
  bool whole = false;  ///< keep whole allocations, so that a changed kernel can access more of them
  const std::atomic<bool>* cancel = nullptr;
};

/// A recorded launch as a walk keeps it.
struct KeptLaunch {
  trace::RecordedState record;
  std::size_t cubin = 0;   ///< which of the candidates it ran
  bool same_bits = false;  ///< the simulated GPU left the bits that the GPU left
};

/// Reduces a launch to the memory that it accessed, which the simulated GPU finds out by running it. If several cubins
/// hold a kernel of this name, takes the one that leaves the bits that the GPU left, else the last one. If the launch
/// cannot be simulated, all memory is kept, and RecordedState::missing says why.
KeptLaunch keep_launch(const LaunchRecording& recording, const std::vector<std::string>& cubins,
                       const KeepOptions& options);

}  // namespace warpwalk::run
