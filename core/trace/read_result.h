#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "core/trace/problem.h"
#include "core/trace/trace.h"

namespace warpwalk::trace {

struct ReadProgress {
  std::uint64_t bytes_read = 0;   ///< bytes of the file on disk
  std::uint64_t bytes_total = 0;  ///< bytes of the file on disk; 0 if unknown (a pipe)
  std::uint64_t events = 0;       ///< so far
};

struct ReadOptions {
  /// Called about once per window of text. Returning false cancels; everything read so far is kept.
  std::function<bool(const ReadProgress&)> on_progress;
  /// Reading stops when the trace reaches this size; everything read so far is kept. Protects against gzip bombs.
  std::uint64_t memory_cap_bytes = std::uint64_t{8} << 30;
  /// A longer event or top-level entry is skipped.
  std::uint64_t entry_cap_bytes = std::uint64_t{256} << 20;
  /// Bytes of text held in memory; grows only while a single event or entry needs more.
  std::size_t window_bytes = std::size_t{1} << 20;
};

struct ReadResult {
  Trace trace;
  Problems problems;
  std::uint64_t events = 0;  ///< readable elements of traceEvents, metadata included
  std::uint64_t bytes = 0;   ///< size of the file on disk
  /// Set if nothing could be salvaged. One line: the problem, its place, the remedy.
  std::optional<std::string> error;
};

}  // namespace warpwalk::trace
