#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "core/trace/trace.h"
#include "instrumentation/trace_builder.h"

namespace warpwalk::instrumentation {

struct RecordingResult {
  trace::Trace trace;
  RecordingSummary account;
  LoadedCode code;
  /// Set if the recording could not be read: one line with the failure, its place and the remedy.
  std::optional<std::string> error;
};

/// Builds a trace from the rows that a recorded process wrote (see row_codec.h); the file may be truncated. Once the
/// trace takes more than `memory_cap_bytes`, further rows are counted but left out. `profile` may be null: a trace that
/// torch.profiler recorded in the same process, whose Python frames, ops and memory events are added.
RecordingResult read_recording(const std::filesystem::path& partial, const trace::Trace* profile = nullptr,
                               std::uint64_t memory_cap_bytes = std::uint64_t{8} << 30);

}  // namespace warpwalk::instrumentation
