#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <set>
#include <string_view>
#include <utility>

#include "instrumentation/decode_activity.h"

namespace warpwalk::instrumentation {

/// Writes the machine code of loaded modules as rows. Each cubin is written once, up to a total size limit.
/// Thread-safe.
class CubinLog {
 public:
  explicit CubinLog(RowSink& to, std::uint64_t max_bytes = std::uint64_t{64} << 20) : to_(to), max_bytes_(max_bytes) {}

  /// Replaces the limit. Only called before the first cubin.
  void set_limit(std::uint64_t max_bytes) { max_bytes_ = max_bytes; }

  /// Past the limit, only the cubin's size is logged.
  void add(std::string_view cubin);

 private:
  RowSink& to_;
  std::uint64_t max_bytes_;
  std::mutex mutex_;
  std::set<std::pair<std::uint64_t, std::size_t>> known_;  // hash and size
  std::uint64_t kept_bytes_ = 0;
};

}  // namespace warpwalk::instrumentation
