#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/trace/trace.h"

namespace warpwalk::trace {

/// The rank that a text names at its beginning, e.g. "[TP00]" of "[TP00] 700" or "rank 3" of "Rank 3: GPU 0" (in lower
/// case); empty if it names none.
std::string_view rank_name(std::string_view text);

/// The ranks of a file into which the traces of several processes were merged. Each process counts correlations and
/// devices by itself, so equal numbers of different ranks mean different things. The names of ranks are taken from pids
/// that are texts, else from the labels or the name of the process. A name counts as a rank only if it has both a
/// thread and a stream, and if there are at least two such names.
class Ranks {
 public:
  /// Reads only the tracks.
  explicit Ranks(const Trace& trace);

  bool merged() const { return merged_; }
  /// 0 for a track without a rank.
  std::uint32_t of(TrackId track) const { return of_track_[track]; }
  /// The rank of the tracks whose pid is this text; 0 if they have none.
  std::uint32_t of_pid(StringId pid) const;

 private:
  std::vector<std::uint32_t> of_track_;
  std::unordered_map<StringId, std::uint32_t> of_pid_;
  bool merged_ = false;
};

}  // namespace warpwalk::trace
