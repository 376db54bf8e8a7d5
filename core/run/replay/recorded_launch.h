#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/gpu/exec/launch.h"
#include "core/gpu/timing/launch/cache_state.h"
#include "core/run/launch/run_launch.h"
#include "core/trace/records.h"

namespace warpwalk::run {

/// A launch that was recorded with its memory, ready to run on the simulated GPU. Launch::buffers are the ranges of
/// RecordedState::memory, in order and at their addresses.
struct RecordedLaunch {
  std::shared_ptr<const gpu::Program> program;
  gpu::Launch launch;
  bool seeded = false;  ///< some contents were left out of the recording; random values take their place
};

/// The code that a recorded kernel ran: its machine code, or PTX if the simulated GPU ran that.
std::string_view recorded_code(const trace::KernelRecord& record, const trace::Module& module);

/// The launch of a record that has KernelRecord::state. `code` is its machine code or PTX. On failure, returns a
/// one-line error that names what cannot be run.
base::Result<RecordedLaunch> recorded_launch(const trace::KernelRecord& record, std::string_view code);

/// Compares the memory after a simulated launch with what the GPU left. The measured time is not filled in.
RecordedOutputs recorded_outputs(const trace::RecordedState& record, const gpu::Launch& after);

/// What the caches held before the launch, if that is recorded and this GPU's caches are those of the recorded one.
std::optional<gpu::CacheState> recorded_caches(const trace::RecordedState& record, const gpu::Device& device);

/// "argument 2", or its address if nothing in the parameters points to the range.
std::string name_of(const trace::MemoryRange& range);

}  // namespace warpwalk::run
