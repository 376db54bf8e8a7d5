// Synchronizations, and the event records that they wait for.
#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/trace/nsys/import.h"

namespace warpwalk::trace::nsys {
namespace {

enum SyncColumn : int {
  sync_start,
  sync_end,
  sync_device,
  sync_context,
  sync_stream,
  sync_correlation,
  sync_process,
  sync_type,
  sync_event
};
constexpr std::array<std::string_view, 9> sync_columns = {
    "start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid", "syncType", "eventId"};

enum RecordColumn : int { record_context, record_stream, record_correlation, record_process, record_event };
constexpr std::array<std::string_view, 5> record_columns = {"contextId", "streamId", "correlationId", "globalPid",
                                                            "eventId"};

// By CUpti_ActivitySynchronizationType, as PyTorch's profiler writes them.
constexpr std::array<std::string_view, 5> sync_names = {"Unknown Sync", "Event Sync", "Stream Wait Event",
                                                        "Stream Sync", "Context Sync"};
constexpr std::int64_t stream_wait = 2, event_sync = 1;

std::string sync_name(std::int64_t type) {
  if (type == absent) return "Sync";
  if (type < 0 || static_cast<std::size_t>(type) >= sync_names.size()) return fmt::format("Sync kind {}", type);
  return std::string(sync_names[static_cast<std::size_t>(type)]);
}

struct EventRecord {
  std::int64_t correlation;
  std::int64_t stream;
  auto operator<=>(const EventRecord&) const = default;
};

// The records of each event, by process, context and event, in the order of the calls.
using EventRecords = std::map<std::tuple<Process, std::int64_t, std::int64_t>, std::vector<EventRecord>>;

EventRecords event_records(Import& in) {
  EventRecords records;
  Statement rows = select(in.database(), "CUPTI_ACTIVITY_KIND_CUDA_EVENT", record_columns);
  while (rows && rows.next()) {
    const Process process = in.places().process(rows.integer(record_process));
    const std::int64_t correlation = in.places().correlation(process, rows.integer(record_correlation));
    if (correlation == absent || correlation == 0) continue;
    records[{process, rows.integer(record_context), rows.integer(record_event)}].push_back(
        {correlation, rows.integer(record_stream)});
  }
  for (auto& [event, list] : records) std::ranges::sort(list);
  return records;
}

// A wait is for the last record of its event before it. Correlations increase in the order of the calls.
void find_record(const EventRecords& records, Process process, std::int64_t event, SyncDetail& sync) {
  const auto found = records.find({process, sync.context, event});
  if (found == records.end() || sync.correlation == absent || sync.correlation == 0) return;
  const auto after = std::ranges::lower_bound(found->second, sync.correlation, {}, &EventRecord::correlation);
  if (after == found->second.begin()) return;
  sync.wait_on_record = std::prev(after)->correlation;
  sync.wait_on_stream = std::prev(after)->stream;
}

}  // namespace

void read_synchronizations(Import& in) {
  Trace& trace = in.trace();
  const EventRecords records = event_records(in);
  in.for_each_row({"CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", sync_columns}, [&](const Statement& row) {
    const auto span = in.span(row, sync_start, sync_end);
    if (!span) return;
    const Process process = in.places().process(row.integer(sync_process));
    const std::int64_t type = row.integer(sync_type);
    SyncDetail detail;
    detail.correlation = in.places().correlation(process, row.integer(sync_correlation));
    detail.device = in.places().gpu(process, row.integer(sync_device));
    detail.context = row.integer(sync_context);
    // CUPTI_SYNCHRONIZATION_INVALID_VALUE: the wait is not for one stream.
    const std::int64_t stream = row.integer(sync_stream);
    detail.stream = stream == 0xffffffff || stream == absent ? -1 : stream;
    if (type == stream_wait || type == event_sync) find_record(records, process, row.integer(sync_event), detail);
    detail.kind = trace.strings.intern(sync_name(type));
    const TrackId track = in.places().stream(process, detail.device, detail.stream);
    trace.syncs.push_back(detail);
    in.slice(SliceKind::sync, detail.kind, *span, track, trace.syncs.size() - 1);
  });
}

}  // namespace warpwalk::trace::nsys
