#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/trace/trace.h"
#include "instrumentation/process_rank.h"
#include "instrumentation/trace_builder.h"

namespace warpwalk::instrumentation {

struct RecordingResult {
  trace::Trace trace;
  RecordingSummary account;
  LoadedCode code;
  /// Set if the recording could not be read: one line with the failure, its place and the remedy.
  std::optional<std::string> error;
};

struct ReadOptions {
  /// Traces that torch.profiler recorded in the same run: the Python frames, ops and memory events of the process are
  /// added.
  const std::vector<trace::Trace>* profiles = nullptr;
  std::optional<ProcessRank> rank = {};  ///< if the environment of the process does not say
  bool launches_failed = false;          ///< those that were recorded with their memory, as a core dump says
  std::uint64_t memory_cap_bytes = std::uint64_t{8} << 30;
};

/// Builds a trace from the rows that a recorded process wrote (see row_codec.h); the file may be truncated. Once the
/// trace takes more than `memory_cap_bytes`, further rows are counted but left out.
RecordingResult read_recording(const std::filesystem::path& partial, const ReadOptions& options = {});

}  // namespace warpwalk::instrumentation
