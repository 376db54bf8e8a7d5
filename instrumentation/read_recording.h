#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "core/trace/trace.h"
#include "instrumentation/trace_maker.h"

namespace warpwalk::recording {

struct ReadRecording {
  trace::Trace trace;
  Account account;
  LoadedCode code;
  /// Set where there is no trace: one line, what, where, what to do.
  std::optional<std::string> error;
};

/// Reads the rows that a recorded process left (see row_codec.h), whole or cut off, as a trace. Rows beyond
/// `memory_cap_bytes` of trace are counted and left out.
ReadRecording read_recording(const std::filesystem::path& partial,
                             std::uint64_t memory_cap_bytes = std::uint64_t{8} << 30);

}  // namespace warpwalk::recording
