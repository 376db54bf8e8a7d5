// The memory at the moment of a beat.
#include <algorithm>
#include <iterator>

#include "core/analysis/memory/resources.h"
#include "core/analysis/slices.h"
#include "core/story/facts/words/rows.h"
#include "core/story/scenes/warehouse/warehouse.h"

namespace warpwalk::story {
namespace {

using trace::absent;

// The trace's description of the GPU that has this memory.
const trace::Device* device_of_memory(const Trace& trace, const Walk& walk, const OpMemory& subject) {
  std::optional<std::int64_t> id;
  if (subject.recorded) {
    if (!subject.space.gpu) return nullptr;
    id = subject.space.device;
  } else if (walk.kernel != no_slice) {
    id = trace.tracks[trace.slices.track[walk.kernel]].device;
  }
  for (const trace::Device& device : trace.devices)
    if (id && device.id == *id) return &device;
  return nullptr;
}

// The most instructive tensor: one with unusual strides; else the result, whose address is known; else one with rows
// and columns.
std::size_t best_tensor(const std::vector<analysis::Tensor>& tensors) {
  for (std::size_t i = 0; i < tensors.size(); ++i)
    if (const analysis::Layout layout = tensors[i].layout();
        layout != analysis::Layout::contiguous && layout != analysis::Layout::unknown)
      return i;
  for (std::size_t i = 0; i < tensors.size(); ++i)
    if (tensors[i].address) return i;
  for (std::size_t i = 0; i < tensors.size(); ++i)
    if (tensors[i].sizes.size() > 1) return i;
  return 0;
}

void find_tensors(WarehouseView& view) {
  const Trace& trace = view.trace();
  view.tensors = analysis::tensors_of(trace, view.subject.inner);
  if (std::optional<analysis::Tensor> output = placed_result(trace, view.subject))
    view.tensors.push_back(std::move(*output));
  view.tensor = best_tensor(view.tensors);
  if (const auto set = view.input.set("warehouse", "tensor"); set && !view.tensors.empty())
    view.tensor = static_cast<std::size_t>(std::clamp(*set, 0.0, static_cast<double>(view.tensors.size() - 1)));
}

void put_values(WarehouseView& view) {
  const SceneInput& input = view.input;
  const Trace& trace = input.trace;
  Narration::Values& values = view.values;
  const OpMemory& subject = view.subject;
  const auto put = [&](std::string_view key, std::string text) { values[std::string(key)] = std::move(text); };
  const auto put_bytes = [&](std::string_view key, std::int64_t bytes) {
    if (bytes != absent) put(key, bytes_text(static_cast<double>(bytes)));
  };
  if (subject.inner != no_slice) put("asker", analysis::label_of(trace, subject.inner));
  put_bytes("refused_bytes", subject.refused_bytes);
  if (subject.block) {
    const OwnBlock& block = *subject.block;
    put_bytes("block_bytes", block.bytes);
    put_bytes("grown", block.grown);
    put("pool",
        input.narration.text("warehouse.word", analysis::caching_rules::is_small(block.bytes) ? "small" : "large"));
    if (block.freed) put("life", time_text(static_cast<double>(*block.freed - block.born)));
    put_bytes("reserved_freed", block.reserved_freed);
    put_bytes("others_taken", block.others_taken);
    if (block.others_taker != no_slice) put("others_taker", analysis::label_of(trace, block.others_taker));
    if (const std::int64_t after = view.allocated_after_free(); after != absent) {
      put_bytes("allocated_after", after);
      put_bytes("allocated_before", after + block.bytes);
    }
  }
  put_bytes("allocated", view.totals.allocated);
  if (subject.driver) put("pieces", counted_words(input.narration, "pieces", view.map.blocks));
  put_bytes("reserved", view.totals.reserved);
  if (view.has_capacity()) put_bytes("capacity", view.device->total_memory);
  if (!view.tensors.empty()) {
    const analysis::Tensor& tensor = view.tensors[view.tensor];
    put("tensor", tensor.output
                      ? input.narration.text("warehouse.word", "output", values)
                      : input.narration.text("warehouse.word", "input", {{"n", std::to_string(tensor.number)}}));
    constexpr std::string_view indices[] = {"[i]", "[i]", "[i, j]", "[i, j, k]"};
    put("index", std::string(tensor.sizes.size() < std::size(indices) ? indices[tensor.sizes.size()] : "[i, j, …]"));
    put("sizes",
        tensor.sizes.empty() ? input.narration.text("warehouse.word", "scalar") : analysis::sizes_text(tensor.sizes));
    if (tensor.strides) put("strides", analysis::strides_text(*tensor.strides));
  }
}

}  // namespace

std::int64_t WarehouseView::allocated_after_free() const {
  const OwnBlock& block = *subject.block;
  if (!block.freed) return absent;
  if (block.allocated_freed != absent) return block.allocated_freed;
  return analysis::memory_totals(trace(), map, *block.freed).allocated;
}

WarehouseView warehouse_view(const Here& here) {
  const SceneInput& input = here.input;
  const Trace& trace = input.trace;
  WarehouseView view{input, here.times.once(op_memory_of), here.shown<WarehouseBeat>()->more};
  view.phase = input.moment.phase;
  view.device = device_of_memory(trace, input.walk, view.subject);
  view.record = kernel_record(trace, input.walk);

  // The moment: set by the control, else the requested time, else moving from the last beat's time to this one's.
  view.settled = trace.begin_ns + here.anchors[here.index];
  const std::int64_t from = trace.begin_ns + here.anchors[here.index == 0 ? 0 : here.index - 1];
  std::optional<double> set = input.set("warehouse", "time");
  if (!set && input.now) set = static_cast<double>(*input.now);
  view.scrubbed = set.has_value();
  if (set)
    view.at = trace.begin_ns +
              static_cast<std::int64_t>(std::clamp(*set, 0.0, static_cast<double>(trace.end_ns - trace.begin_ns)));
  else
    view.at =
        from + static_cast<std::int64_t>(eased(part(view.phase, 0, 0.45)) * static_cast<double>(view.settled - from));
  if (view.subject.recorded) {
    view.map = analysis::memory_map(trace, view.subject.space, view.at);
    if (view.scrubbed || view.at == view.settled)
      view.totals = {view.map.allocated, view.map.reserved};
    else
      view.totals = analysis::memory_totals(trace, view.map, view.settled);
  }
  find_tensors(view);
  view.values = common_values(input);
  put_values(view);
  return view;
}

}  // namespace warpwalk::story
