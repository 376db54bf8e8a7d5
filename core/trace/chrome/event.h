#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/trace/json/json_cursor.h"

namespace warpwalk::trace {

/// Members of an event's "args" that have a column or describe a track; all others are `other`.
enum class ArgKey : std::uint8_t {
  other,
  external_id,
  sequence,
  forward_thread,
  record_function,
  event_index,
  input_dims,
  input_strides,
  input_types,
  concrete_inputs,
  call_stack,
  module_hierarchy,
  dispatch,
  python_id,
  python_parent,
  python_module,
  python_thread,
  cbid,
  correlation,
  queued,
  submitted,
  untimed,
  device,
  context,
  stream,
  registers,
  shared_bytes,
  blocks_per_sm,
  warps_per_sm,
  grid,
  block,
  occupancy,
  graph_id,
  graph_node,
  priority,
  record,
  bytes,
  bandwidth,
  sync_kind,
  wait_on_stream,
  wait_on_record,
  address,
  memory_bytes,
  total_allocated,
  total_reserved,
  device_type,
  device_id,
  name,
  labels,
  sort_index,
  track_pid,
  track_tid,
  track_gpu,
  process_name,
  process_labels,
  process_sort_index,
};
constexpr std::size_t arg_keys = static_cast<std::size_t>(ArgKey::process_sort_index) + 1;

struct RawArg {
  ArgKey key = ArgKey::other;
  RawText name;
  RawValue value;
};

/// One element of traceEvents, unparsed; valid as long as the window. Missing members are null.
struct RawEvent {
  RawValue name, category, pid, tid, id, ts, dur;
  char phase = 0;    ///< 0: missing
  char scope = 't';  ///< for an instant: t, p or g
  std::vector<RawArg> args;
  std::uint32_t irregular = 0;  ///< bits of Irregular found anywhere in the event

  void clear();
  /// True if the event has no known member.
  bool empty() const;
};

/// The key as PyTorch 2.x writes it, or warpwalk for its own keys. Must not be called for `other`.
std::string_view name_of(ArgKey key);

class KeyPredictor;

/// Reads one event, from its opening to its closing brace. On false, the cursor holds the reason. `keys` has learned
/// from the events before.
bool read_event(JsonCursor& cursor, RawEvent& out, KeyPredictor& keys);

}  // namespace warpwalk::trace
