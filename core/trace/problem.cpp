#include "core/trace/problem.h"

#include <utility>

namespace warpwalk::trace {

std::string_view name_of(ProblemKind kind) {
  switch (kind) {
    case ProblemKind::truncated: return "truncated";
    case ProblemKind::gzip_truncated: return "gzip_truncated";
    case ProblemKind::gzip_corrupt: return "gzip_corrupt";
    case ProblemKind::lost_event: return "lost_event";
    case ProblemKind::lost_metadata: return "lost_metadata";
    case ProblemKind::trailing_text: return "trailing_text";
    case ProblemKind::unknown_value: return "unknown_value";
    case ProblemKind::bad_escape: return "bad_escape";
    case ProblemKind::control_character: return "control_character";
    case ProblemKind::invalid_utf8: return "invalid_utf8";
    case ProblemKind::invalid_json: return "invalid_json";
    case ProblemKind::too_deep: return "too_deep";
    case ProblemKind::too_long: return "too_long";
    case ProblemKind::bad_shape: return "bad_shape";
    case ProblemKind::missing_field: return "missing_field";
    case ProblemKind::time_out_of_range: return "time_out_of_range";
    case ProblemKind::unsupported_phase: return "unsupported_phase";
    case ProblemKind::unmatched_flow: return "unmatched_flow";
    case ProblemKind::duplicate_flow: return "duplicate_flow";
    case ProblemKind::launch_outside_window: return "launch_outside_window";
    case ProblemKind::clock_skew: return "clock_skew";
    case ProblemKind::partial_overlap: return "partial_overlap";
    case ProblemKind::open_slice: return "open_slice";
    case ProblemKind::unmatched_end: return "unmatched_end";
    case ProblemKind::open_frame: return "open_frame";
    case ProblemKind::stream_overlap: return "stream_overlap";
    case ProblemKind::unread_device_rows: return "unread_device_rows";
    case ProblemKind::profiled_alone: return "profiled_alone";
    case ProblemKind::untimed: return "untimed";
    case ProblemKind::external_id_mismatch: return "external_id_mismatch";
    case ProblemKind::duplicate_key: return "duplicate_key";
    case ProblemKind::incomplete_recording: return "incomplete_recording";
    case ProblemKind::program_error: return "program_error";
    case ProblemKind::bad_record: return "bad_record";
    case ProblemKind::memory_cap: return "memory_cap";
    case ProblemKind::cancelled: return "cancelled";
  }
  return "";
}

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
