#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <set>
#include <string_view>
#include <utility>

#include "instrumentation/decode_activity.h"

namespace warpwalk::recording {

/// Passes the machine code of loaded modules on as rows, each cubin once and a bounded amount of them in all. For any
/// number of threads.
class CubinLog {
 public:
  explicit CubinLog(RowReceiver& to, std::uint64_t most_bytes = std::uint64_t{64} << 20)
      : to_(to), most_bytes_(most_bytes) {}

  /// One that finds no room is told without its bytes.
  void add(std::string_view cubin);

 private:
  RowReceiver& to_;
  const std::uint64_t most_bytes_;
  std::mutex mutex_;
  std::set<std::pair<std::uint64_t, std::size_t>> known_;  // hash and size
  std::uint64_t kept_bytes_ = 0;
};

}  // namespace warpwalk::recording
