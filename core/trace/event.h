#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/trace/json_cursor.h"

namespace warpwalk::trace {

/// Members of an event's "args" that have a column; every other is `other` and is kept as text.
enum class ArgKey : std::uint8_t {
  other,
  external_id, sequence, forward_thread, record_function, event_index, input_dims, input_strides, input_types,
  concrete_inputs, call_stack, module_hierarchy, dispatch,
  python_id, python_parent, python_module, python_thread,
  cbid, correlation,
  queued, submitted, device, context, stream, registers, shared_bytes, blocks_per_sm, warps_per_sm, grid, block,
  occupancy, graph_id, graph_node, priority, record,
  bytes, bandwidth,
  sync_kind, wait_on_stream, wait_on_record,
  address, total_allocated, total_reserved, device_type, device_id,
  name, labels, sort_index,
};

struct RawArg {
  ArgKey key = ArgKey::other;
  RawText name;
  RawValue value;
};

/// One element of traceEvents as it stands in the text; valid as long as the window.
struct RawEvent {
  RawText name, category;
  RawValue pid, tid, id, ts, dur;
  char phase = 0;        ///< 0: missing
  char scope = 't';
  bool has_name = false, has_ts = false, has_dur = false, has_id = false;
  std::vector<RawArg> args;
  std::uint32_t irregular = 0;  ///< bits of Irregular, anywhere in the event

  void clear();
};

/// Reads one event, from its opening to its closing brace. False: see the cursor for the reason.
bool read_event(JsonCursor& cursor, RawEvent& out);

/// Microseconds with decimals as nanoseconds, exact (a double would lose about 250 ns at today's date). None where the
/// text is no number or beyond +-2^62 ns.
std::optional<std::int64_t> nanoseconds(std::string_view microseconds);
std::optional<std::int64_t> whole_number(std::string_view text);
std::optional<double> real_number(std::string_view text);

}  // namespace warpwalk::trace
