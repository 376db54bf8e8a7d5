#include "core/trace/problem.h"

#include <utility>

#include "core/base/enum_names.h"

namespace warpwalk::trace {

std::string_view name_of(ProblemKind kind) { return base::enum_name(kind); }

bool loses_data(ProblemKind kind) {
  switch (kind) {
    case ProblemKind::truncated:
    case ProblemKind::gzip_truncated:
    case ProblemKind::gzip_corrupt:
    case ProblemKind::lost_event:
    case ProblemKind::lost_metadata:
    case ProblemKind::too_deep:
    case ProblemKind::too_long:
    case ProblemKind::bad_shape:
    case ProblemKind::missing_field:
    case ProblemKind::time_out_of_range:
    case ProblemKind::unsupported_phase:
    case ProblemKind::incomplete_recording:
    case ProblemKind::bad_record:
    case ProblemKind::memory_cap:
    case ProblemKind::cancelled: return true;
    default: return false;
  }
}

bool Problems::count(ProblemKind kind, std::uint64_t byte_offset, std::uint64_t how_many) {
  for (Problem& row : rows_) {
    if (row.kind != kind) continue;
    row.count += how_many;
    return false;
  }
  rows_.push_back({kind, how_many, byte_offset, {}});
  return true;
}

void Problems::add(ProblemKind kind, std::uint64_t byte_offset, std::string message) {
  if (count(kind, byte_offset)) rows_.back().message = std::move(message);
}

std::uint64_t Problems::count_of(ProblemKind kind) const {
  for (const Problem& row : rows_)
    if (row.kind == kind) return row.count;
  return 0;
}

}  // namespace warpwalk::trace
