// The GPU part of TraceBuilder: devices, streams and the work on them.
#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "core/trace/json/json_text.h"
#include "instrumentation/cupti_names.h"
#include "instrumentation/trace_builder.h"

namespace warpwalk::instrumentation {
namespace {

std::array<std::int32_t, 3> shape(const std::array<std::uint32_t, 3>& extents) {
  std::array<std::int32_t, 3> out{};
  for (std::size_t i = 0; i < 3; ++i) out[i] = static_cast<std::int32_t>(std::min(extents[i], 0x7fffffffu));
  return out;
}

// Builds the text of Slices::extra: "key": value, "key": value.
class Extra {
 public:
  template <class Value>
  void add(std::string_view key, const Value& value) {
    text_ += fmt::format("{}\"{}\": {}", text_.empty() ? "" : ", ", key, value);
  }
  void add_text(std::string_view key, std::string_view value) {
    std::string quoted;
    trace::append_quoted(quoted, value);
    add(key, quoted);
  }
  void add_graph(std::uint32_t graph, std::uint64_t node) {
    if (graph == 0) return;
    add("graph id", graph);
    add("graph node id", node);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::string copy_name(const MemcpyRow& row) {
  return fmt::format("Memcpy {} ({} -> {})", copy_kind_name(row.kind), memory_kind_name(row.from),
                     memory_kind_name(row.to));
}

template <class Row>
trace::TransferDetail transfer_detail(const Row& row) {
  trace::TransferDetail detail;
  detail.correlation = row.correlation;
  detail.device = row.device;
  detail.context = row.context;
  detail.stream = row.stream;
  detail.bytes = static_cast<std::int64_t>(row.bytes);
  if (row.end > row.start)  // bytes per nanosecond equal GB/s
    detail.bandwidth_gb_s = static_cast<double>(row.bytes) / static_cast<double>(row.end - row.start);
  return detail;
}

}  // namespace

void TraceBuilder::add_row(const DeviceRow& row) {
  const auto known = std::find_if(trace_.devices.begin(), trace_.devices.end(),
                                  [&](const trace::Device& d) { return d.id == row.id; });
  if (known != trace_.devices.end()) return;
  trace::Device device;
  device.id = row.id;
  device.name = name(row.name);
  device.total_memory = static_cast<std::int64_t>(row.memory_bytes);
  device.compute_major = row.compute_major;
  device.compute_minor = row.compute_minor;
  device.sms = row.sms;
  device.warp_size = row.warp_size;
  device.max_threads_per_block = row.max_threads_per_block;
  device.max_threads_per_sm = std::int64_t{row.max_warps_per_sm} * row.warp_size;
  device.registers_per_block = row.registers_per_block;
  device.registers_per_sm = row.registers_per_sm;
  device.shared_per_block = row.shared_per_block;
  device.shared_per_sm = row.shared_per_sm;
  trace_.devices.push_back(device);
}

void TraceBuilder::add_row(const ContextRow& row) { contexts_[row.id] = row; }

void TraceBuilder::add_row(const StreamRow& row) { priorities_[{row.context, row.id}] = row.priority; }

void TraceBuilder::add_row(const KernelRow& row) {
  if (hold_back(row, row.start)) return;
  const auto [plain, is_new] = kernel_names_.try_emplace(name(row.name), 0);
  if (is_new) plain->second = text(demangle(trace_.text(plain->first)));
  trace::KernelDetail detail;
  detail.correlation = row.correlation;
  detail.device = row.device;
  detail.context = row.context;
  detail.stream = row.stream;
  if (row.queued != 0) detail.queued = since_base(row.queued);
  if (row.submitted != 0) detail.submitted = since_base(row.submitted);
  detail.registers = row.registers;
  detail.shared_bytes = std::int64_t{row.static_shared} + row.dynamic_shared;
  if (row.graph != 0) {
    detail.graph_id = row.graph;
    detail.graph_node = static_cast<std::int64_t>(row.graph_node);
  }
  detail.grid = shape(row.grid);
  detail.block = shape(row.block);
  Extra extra;
  if (row.local_bytes > 0) extra.add("local memory per thread", row.local_bytes);
  if (row.cluster[0] * row.cluster[1] * row.cluster[2] > 1)
    extra.add("cluster", fmt::format("[{}, {}, {}]", row.cluster[0], row.cluster[1], row.cluster[2]));
  if (row.start == 0 && row.end == 0) ++account_.untimed;
  if (row.start != 0 && row.end == 0) {
    extra.add("warpwalk unfinished", true);
    ++account_.unfinished;
  }
  trace_.kernels.push_back(detail);
  launched_.push_back({plain->first, row.dynamic_shared, row.cluster});
  slice(trace::SliceKind::kernel, plain->second, {row.start, row.end}, stream_track(row.device, row.stream),
        trace_.kernels.size() - 1, text(extra.text()));
}

void TraceBuilder::transfer(trace::SliceKind kind, std::string_view what, Span span,
                            const trace::TransferDetail& detail, std::uint32_t graph, const std::string& extra) {
  trace_.transfers.push_back(detail);
  transfer_graphs_.push_back(graph);
  slice(kind, text(what), span, stream_track(static_cast<std::uint32_t>(detail.device), detail.stream),
        trace_.transfers.size() - 1, text(extra));
}

void TraceBuilder::add_row(const MemcpyRow& row) {
  if (hold_back(row, row.start)) return;
  Extra extra;
  if (row.peer != 0) {
    extra.add("fromDevice", row.from_device);
    extra.add("toDevice", row.to_device);
  }
  extra.add_graph(row.graph, row.graph_node);
  transfer(trace::SliceKind::memcpy, copy_name(row), {row.start, row.end}, transfer_detail(row), row.graph,
           extra.text());
}

void TraceBuilder::add_row(const MemsetRow& row) {
  if (hold_back(row, row.start)) return;
  Extra extra;
  extra.add("value", row.value);
  extra.add_graph(row.graph, row.graph_node);
  transfer(trace::SliceKind::memset, fmt::format("Memset ({})", memory_kind_name(row.memory)), {row.start, row.end},
           transfer_detail(row), row.graph, extra.text());
}

void TraceBuilder::add_row(const SyncRow& row) {
  if (hold_back(row, row.start)) return;
  const auto context = contexts_.find(row.context);
  const std::uint32_t device = context == contexts_.end() ? 0 : context->second.device;
  trace::SyncDetail detail;
  detail.correlation = row.correlation;
  detail.context = row.context;
  detail.device = device;
  detail.stream = row.stream == no_id ? -1 : std::int64_t{row.stream};
  detail.kind = text(sync_kind_name(row.kind));
  trace_.syncs.push_back(detail);
  sync_events_.push_back(row.event);
  slice(trace::SliceKind::sync, detail.kind, {row.start, row.end}, stream_track(device, detail.stream),
        trace_.syncs.size() - 1, 0);
}

void TraceBuilder::add_row(const EventRecordRow& row) {
  event_records_[{row.context, row.event}][row.correlation] = row.stream;
}

// A wait is for the last record of its event before it. Correlations increase in the order of the calls.
void TraceBuilder::complete_waits() {
  for (std::size_t i = 0; i < trace_.syncs.size(); ++i) {
    trace::SyncDetail& sync = trace_.syncs[i];
    const auto records = event_records_.find({static_cast<std::uint32_t>(sync.context), sync_events_[i]});
    if (records == event_records_.end()) continue;
    const auto after = records->second.lower_bound(static_cast<std::uint32_t>(sync.correlation));
    if (after == records->second.begin()) continue;
    sync.wait_on_record = std::prev(after)->first;
    sync.wait_on_stream = std::prev(after)->second;
  }
}

void TraceBuilder::add_row(const MemoryRow& row) {
  Extra extra;
  extra.add("Addr", row.address);
  extra.add("Bytes", row.bytes);
  extra.add_text("kind", memory_kind_name(row.kind));
  extra.add("device", row.device);
  if (row.stream != no_id) extra.add("stream", row.stream);
  extra.add("correlation", row.correlation);
  if (row.pool != 0) {
    extra.add("pool", row.pool);
    extra.add("pool bytes", row.pool_bytes);
    extra.add("pool used", row.pool_used);
  }
  instant(row.time, "cuda_memory", text(memory_operation_name(row.operation)), side_track("CUDA memory"), extra.text());
}

void TraceBuilder::add_row(const PoolRow& row) {
  Extra extra;
  extra.add("Addr", row.address);
  extra.add("Bytes", row.bytes);
  extra.add("release threshold", row.release_threshold);
  extra.add("used", row.used);
  extra.add("device", row.device);
  extra.add("correlation", row.correlation);
  instant(row.time, "cuda_memory", text(pool_operation_name(row.operation)), side_track("CUDA memory"), extra.text());
}

// Fills in what needs the device and stream rows, which may come last.
void TraceBuilder::complete_kernels() {
  for (std::size_t i = 0; i < trace_.kernels.size(); ++i) {
    trace::KernelDetail& kernel = trace_.kernels[i];
    if (const auto found =
            priorities_.find({static_cast<std::uint32_t>(kernel.context), static_cast<std::uint32_t>(kernel.stream)});
        found != priorities_.end())
      kernel.priority = found->second;
    const auto device = std::find_if(trace_.devices.begin(), trace_.devices.end(),
                                     [&](const trace::Device& d) { return d.id == kernel.device; });
    if (device == trace_.devices.end() || device->sms <= 0 || device->warp_size <= 0) continue;
    const auto product = [](const std::array<std::int32_t, 3>& n) { return double(n[0]) * n[1] * n[2]; };
    const double warps = std::ceil(product(kernel.block) / static_cast<double>(device->warp_size));
    kernel.blocks_per_sm = product(kernel.grid) / static_cast<double>(device->sms);
    kernel.warps_per_sm = kernel.blocks_per_sm * warps;
  }
}

}  // namespace warpwalk::instrumentation
