#include "core/run/expression/walk_recorder.h"

#include <utility>

#include <fmt/format.h>

#include "core/base/sha256.h"
#include "core/ops/dispatch/dispatcher.h"
#include "core/run/launch/generate.h"
#include "core/run/record/record_rows.h"

namespace warpwalk::run {
namespace {

constexpr trace::TrackId host_track = 0;
constexpr std::int64_t host_thread = 1;  // used as "Fwd thread id"

}  // namespace

WalkRecorder::WalkRecorder(WalkPlace place, WalkClock clock)
    : place_(std::move(place)),
      clock_(std::move(clock)),
      memory_(trace_.records.allocations, place_.memory == ops::DeviceKind::cpu ? -1 : 0) {
  trace::Track& track = trace_.tracks.emplace_back();
  track.pid = track.tid = trace_.strings.intern("1");
  track.process_name = trace_.strings.intern(place_.process);
  track.name = trace_.strings.intern("thread 1 (main)");
}

WalkRecorder::Open& WalkRecorder::open(trace::SliceKind kind, std::string_view name) {
  trace::OpDetail detail;
  detail.external_id = ++external_ids_;
  detail.event_index = events_++;
  trace_.ops.push_back(detail);
  Open& opened = open_.emplace_back();
  opened.detail = static_cast<std::uint32_t>(trace_.ops.size() - 1);
  opened.external_id = external_ids_;
  opened.slice = add_slice(trace_, kind, name, host_track, clock_.now(), 0, opened.detail);
  opened.first_allocation = trace_.records.allocations.size();
  return opened;
}

void WalkRecorder::close() {
  const trace::SliceId slice = open_.back().slice;
  trace_.slices.duration[slice] = clock_.now() - trace_.slices.start[slice];
  clock_.separate();
  open_.pop_back();
}

void WalkRecorder::op_begins(const ops::Call& call) {
  if (taken_) return;
  Open& opened = open(trace::SliceKind::op, ops::without_overload(call.name()));
  opened.op = call.name();
  const OpInputs inputs = inputs_of(call.arguments);
  trace::OpDetail& detail = trace_.ops[opened.detail];
  detail.input_dims = trace_.strings.intern(inputs.dims);
  detail.input_strides = trace_.strings.intern(inputs.strides);
  detail.input_types = trace_.strings.intern(inputs.types);
  detail.concrete_inputs = trace_.strings.intern(inputs.concrete);
  clock_.spend(&HostModel::op);
}

void WalkRecorder::op_ends(const ops::Tensor& result) {
  if (taken_ || open_.empty()) return;
  const Open& ending = open_.back();
  if (result.defined()) {
    // The memory is named after the outermost op that allocated it.
    const auto row = memory_.row_at(result.storage()->address());
    if (row && *row >= ending.first_allocation)
      memory_.name(*row,
                   fmt::format("result of {}", ops::without_overload(ending.op).substr(ending.op.rfind(':') + 1)));
  }
  close();
}

void WalkRecorder::step(const trace::DispatchStep& step) {
  if (taken_ || open_.empty()) return;
  Open& at = open_.back();
  if (!at.dispatch) {
    at.dispatch = trace_.records.dispatches.size();
    trace_.ops[at.detail].dispatch = static_cast<std::int64_t>(*at.dispatch);
    trace_.records.dispatches.push_back({at.op, place_.origin, {}});
  }
  trace_.records.dispatches[*at.dispatch].steps.push_back(step);
  clock_.spend(&HostModel::dispatch_step);
}

void WalkRecorder::region_begins(std::string_view name, std::int64_t sequence) {
  if (taken_) return;
  const Open& opened = open(trace::SliceKind::op, name);
  if (sequence >= 0) {
    trace_.ops[opened.detail].sequence = sequence;
    trace_.ops[opened.detail].forward_thread = host_thread;
    // PyTorch's flow arrow ends at the node, not at the surrounding region of the engine.
    const auto from = forward_.find(sequence);
    if (from != forward_.end() && !name.starts_with("autograd::engine::")) {
      trace::Flow flow;
      flow.from_time = from->second;
      flow.to_time = clock_.now();
      flow.name = flow.category = trace_.strings.intern("fwdbwd");
      flow.from_track = flow.to_track = host_track;
      trace_.flows.push_back(flow);
    }
  }
  clock_.spend(&HostModel::backward_node);
}

void WalkRecorder::region_ends() {
  if (!taken_ && !open_.empty()) close();
}

void WalkRecorder::entered_autograd(std::int64_t next_sequence) {
  if (taken_ || open_.empty()) return;
  trace::OpDetail& detail = trace_.ops[open_.back().detail];
  detail.sequence = next_sequence;
  detail.forward_thread = 0;  // the value that the profiler writes for a forward op
}

void WalkRecorder::recorded_for_backward(std::int64_t sequence) {
  if (taken_ || open_.empty()) return;
  forward_[sequence] = trace_.slices.start[open_.back().slice];
}

void WalkRecorder::memory(const ops::MemoryChange& change) {
  if (taken_) return;
  using Kind = ops::MemoryChange::Kind;
  // On a real GPU, the driver's own records contain its calls.
  if (change.kind == Kind::segment_allocate && clock_.modelled())
    return call_slice("cudaMalloc", clock_.now(), &HostModel::segment_allocation);
  if (change.kind == Kind::segment_free && clock_.modelled())
    return call_slice("cudaFree", clock_.now(), &HostModel::segment_free);
  if (change.kind != Kind::allocate && change.kind != Kind::free) return;
  clock_.spend(&HostModel::allocation);
  memory_.change(change, clock_.now());
  trace::MemoryEvent event;
  event.time = clock_.now();
  event.address = static_cast<std::int64_t>(change.address);
  const auto bytes = static_cast<std::int64_t>(change.rounded_bytes);
  event.bytes = change.kind == Kind::free ? -bytes : bytes;
  event.allocated = static_cast<std::int64_t>(change.allocated);
  event.reserved = static_cast<std::int64_t>(change.reserved);
  event.device_type = place_.memory == ops::DeviceKind::cpu ? 0 : 1;
  event.device = place_.memory == ops::DeviceKind::cpu ? -1 : 0;
  event.event_index = events_++;
  event.track = host_track;
  trace_.memory.push_back(event);
}

void WalkRecorder::expression_begins(std::string_view text) {
  open(trace::SliceKind::annotation, text);
  trace::PythonDetail detail;
  detail.id = 1;
  detail.event_index = events_++;
  trace_.python.push_back(detail);
  Open& frame = open_.emplace_back();
  frame.detail = static_cast<std::uint32_t>(trace_.python.size() - 1);
  frame.slice = add_slice(trace_, trace::SliceKind::python, fmt::format("<expression>(1): {}", text), host_track,
                          clock_.now(), 0, frame.detail);
}

void WalkRecorder::expression_ends() {
  close();
  close();
}

void WalkRecorder::call_slice(std::string_view name, std::int64_t start, std::int64_t HostModel::*cost) {
  clock_.spend(cost);
  trace::CallDetail call;
  call.correlation = ++correlations_;
  if (!open_.empty()) call.external_id = open_.back().external_id;
  trace_.calls.push_back(call);
  add_slice(trace_, trace::SliceKind::runtime, name, host_track, start, clock_.now() - start,
            static_cast<std::uint32_t>(trace_.calls.size() - 1));
  clock_.separate();
}

void WalkRecorder::launch_begins() {
  if (!open_.empty() && !std::exchange(open_.back().launched, true)) clock_.spend(&HostModel::kernel_setup);
  call_start_ = clock_.now();
}

void WalkRecorder::synchronize_begins() { call_start_ = clock_.now(); }
void WalkRecorder::synchronize_ends() {
  if (stream_end_) clock_.wait_until(*stream_end_);
  call_slice("cudaDeviceSynchronize", call_start_, &HostModel::synchronize);
}

void WalkRecorder::name(const ops::Tensor& tensor, std::string name) {
  if (const auto row = memory_.row_at(tensor.storage()->address())) memory_.name(*row, std::move(name));
}

void WalkRecorder::input(const ops::Tensor& tensor, std::string name, std::uint64_t seed) {
  std::vector<std::uint8_t> bytes(tensor.storage()->bytes());
  generate(tensor.dtype(), FillRandom{seed}, bytes);
  trace::InitialBuffer initial;
  initial.kind = trace::InitialBuffer::Kind::random;
  initial.seed = seed;
  record_input(tensor, std::move(name), std::move(initial), bytes);
}

void WalkRecorder::input(const ops::Tensor& tensor, std::string name, std::span<const std::uint8_t> elements) {
  trace::InitialBuffer initial;
  set_bytes(initial, elements);
  record_input(tensor, std::move(name), std::move(initial), elements);
}

void WalkRecorder::record_input(const ops::Tensor& tensor, std::string name, trace::InitialBuffer initial,
                                std::span<const std::uint8_t> bytes) {
  const auto row = memory_.row_at(tensor.storage()->address());
  if (!row) return;  // zero bytes
  memory_.name(*row, std::move(name));
  initial.allocation = *row;
  initial.dtype = name_of(tensor.dtype());
  initial.count = static_cast<std::uint64_t>(tensor.count());
  memory_.set_contents(std::move(initial), base::sha256(bytes));
}

trace::Trace WalkRecorder::take() {
  taken_ = true;
  trace_.base_time_ns = clock_.origin();
  return std::move(trace_);
}

}  // namespace warpwalk::run
