#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/trace/problem.h"
#include "core/trace/trace.h"

namespace warpwalk::trace {

struct ReadProgress {
  std::uint64_t bytes_read = 0;   ///< of the file on disk
  std::uint64_t bytes_total = 0;  ///< of the file on disk; 0 where unknown (a pipe)
  std::uint64_t events = 0;       ///< so far
};

struct ReadOptions {
  /// Called about once a window of text; false cancels, and what was read so far is kept.
  std::function<bool(const ReadProgress&)> on_progress;
  /// Reading stops, and keeps what it has, once the trace holds this much. A gzip bomb ends here.
  std::uint64_t memory_cap_bytes = std::uint64_t{8} << 30;
  /// One event or top-level entry longer than this is given up.
  std::uint64_t entry_cap_bytes = std::uint64_t{256} << 20;
  /// Text in memory at a time; more only while one event or entry needs it.
  std::size_t window_bytes = std::size_t{1} << 20;
};

struct ReadResult {
  Trace trace;
  Problems problems;
  std::uint64_t events = 0;  ///< readable elements of traceEvents, metadata included
  std::uint64_t bytes = 0;   ///< of the file on disk
  /// Set where nothing was salvaged: one line, what, where, what to do.
  std::optional<std::string> error;
};

/// Reads a PyTorch profiler (Chrome-trace JSON) or warpwalk file, plain or gzip. Damage is survived: what is readable
/// is kept and `problems` names what was lost and where. Linked (link.h) on return.
ReadResult read_trace(const std::filesystem::path& file, const ReadOptions& options = {});
/// The same from memory; `name` stands in for the file in messages.
ReadResult read_trace_text(std::string_view bytes, const ReadOptions& options = {}, std::string_view name = "trace");

}  // namespace warpwalk::trace
