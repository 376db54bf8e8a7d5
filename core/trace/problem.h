#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace warpwalk::trace {

/// The kinds of problems of a trace file. Each kind is recorded as a count and the first occurrence; none aborts
/// reading.
enum class ProblemKind : std::uint8_t {
  truncated,              ///< the text ends inside an event
  gzip_truncated,         ///< the compressed file ends early
  gzip_corrupt,           ///< the compressed data or its checksum is wrong
  lost_event,             ///< an event could not be read; reading continued at the next
  lost_metadata,          ///< a top-level entry could not be read
  trailing_text,          ///< something follows the end of the trace; ignored
  unknown_value,          ///< inf, nan, N/A or similar where a number belongs
  bad_escape,             ///< an invalid backslash escape; the backslash is kept
  control_character,      ///< a raw control character in a string; kept
  invalid_utf8,           ///< replaced by U+FFFD
  invalid_json,           ///< a comma missing or too many, leading zeros or a plus; read as meant
  too_deep,               ///< nested deeper than the reader's limit
  too_long,               ///< one event longer than the reader's limit
  bad_shape,              ///< grid or block is not three positive integers
  missing_field,          ///< an event without a required field (ts, name, ph)
  time_out_of_range,      ///< a time that 64-bit nanoseconds cannot hold, or a negative duration
  unsupported_phase,      ///< an event phase that warpwalk does not support
  unmatched_flow,         ///< the end of a flow without its start, if neither the window nor the profiler explains it
  duplicate_flow,         ///< a second start of the same flow
  launch_outside_window,  ///< GPU work whose launch is not in the file
  clock_skew,             ///< GPU work that starts before its launch call
  partial_overlap,        ///< two slices of one thread that overlap without nesting
  open_slice,             ///< a slice (B or b) whose end is not in the file
  unmatched_end,          ///< the end of a slice (E or e) that never began
  open_frame,             ///< a Python frame whose return was not recorded
  stream_overlap,         ///< GPU work that ends after later work on its in-order stream; its duration cannot be right
  unread_device_rows,     ///< events without a category that look like work of a device, in an unknown form
  profiled_alone,         ///< launches that a profiler ran one by one; the times between them are not known
  untimed,                ///< GPU work with start and duration 0: its time was not recorded
  external_id_mismatch,   ///< External id and the enclosing op disagree; the enclosing op is used
  duplicate_key,          ///< traceEvents (or warpwalk) appears twice; all events are kept
  incomplete_recording,   ///< records that `warpwalk record` reports as lost
  program_error,          ///< an error of the recorded program, which the simulated GPU found
  bad_record,             ///< an entry of the "warpwalk" key that could not be used
  memory_cap,             ///< reading stopped at the memory cap
  cancelled,              ///< reading was cancelled
};

/// The name used in reports, e.g. "lost_event".
std::string_view name_of(ProblemKind kind);

/// True if this problem means that data was lost, rather than only irregular.
bool loses_data(ProblemKind kind);

struct Problem {
  ProblemKind kind;
  std::uint64_t count = 0;
  std::uint64_t byte_offset = 0;  ///< of the first occurrence, in the uncompressed text; 0 if it has no single place
  std::string message;            ///< one line: what, where, how it was handled
};

/// Problems of one load: one row per kind, in order of first appearance.
class Problems {
 public:
  /// Returns true for the first occurrence of a kind. Only its place and message are kept.
  bool count(ProblemKind kind, std::uint64_t byte_offset, std::uint64_t how_many = 1);
  void add(ProblemKind kind, std::uint64_t byte_offset, std::string message);
  /// `message` is called only for the first occurrence: a damaged file can have millions of problems.
  template <class Message>
  requires std::is_invocable_r_v<std::string, Message>
  void add(ProblemKind kind, std::uint64_t byte_offset, Message message) {
    if (count(kind, byte_offset)) rows_.back().message = message();
  }
  std::uint64_t count_of(ProblemKind kind) const;
  const std::vector<Problem>& rows() const { return rows_; }
  std::vector<Problem>& rows() { return rows_; }

 private:
  std::vector<Problem> rows_;
};

}  // namespace warpwalk::trace
