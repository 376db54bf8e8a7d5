#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/analysis/time/critical_path.h"

namespace warpwalk::analysis {

/// Neighbouring stretches of a critical path as one row of a readable list.
struct PathRow {
  std::int64_t from = 0, to = 0;
  std::array<std::int64_t, path_kinds> time = {};  ///< ns by kind; adds up to the row's length
  std::size_t pieces = 0;                          ///< segments
  PathKind kind = PathKind::unrecorded;            ///< with the most time
  SliceId slice = no_slice;                        ///< of that kind, the longest slice of the name with the most time
  std::int64_t name_time = 0;                      ///< ns of that name
  SliceId next = no_slice;  ///< the first slice of the path after the row's last stretch of that kind

  std::int64_t length() const { return to - from; }
};

/// The path as at most `limit` rows, by time, without gaps. Stretches of the CPU in a row are one row, as are pieces of
/// GPU work in a row; as long as there are more rows than `limit`, the shortest one joins its shorter neighbour.
/// O(n log n).
std::vector<PathRow> path_rows(const Trace& trace, const CriticalPath& path, std::size_t limit);

/// The longest stretches of the path, at most `limit`, by time: they leave gaps. A stretch is what one op or one frame
/// does on the CPU, or what the GPU does for one op, so stretches of different ops are never joined.
std::vector<PathRow> longest_path_rows(const Trace& trace, const CriticalPath& path, std::size_t limit);

/// The names that take the most time of the path, with their kinds, the longest first, at most `limit`. Their `from`
/// and `to` are not set.
std::vector<PathRow> path_names(const Trace& trace, const CriticalPath& path, std::size_t limit);

}  // namespace warpwalk::analysis
