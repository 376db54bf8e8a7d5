// Scene 3: memory. PyTorch's allocator gives an op a block; a tensor describes how to read it; a freed block goes back
// to the allocator, not to the driver.
#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "core/analysis/memory/resources.h"
#include "core/analysis/slices.h"
#include "core/story/facts/words/ask.h"
#include "core/story/facts/words/common_stage.h"
#include "core/story/facts/words/rows.h"
#include "core/story/scenes/scenes.h"
#include "core/story/scenes/warehouse/warehouse.h"

namespace warpwalk::story {
namespace {

using trace::absent;

std::vector<Beat> beats_of(const Trace& trace, const Walk& walk, const WarehouseSubject& subject) {
  if (walk.empty()) return {{"empty", 0}};
  if (!analysis::plain_buffers(trace, walk).empty()) return {{"buffers", 0}};
  const auto& rows = trace.slices;
  const std::int64_t begin =
      analysis::since_start(trace, subject.root != no_slice ? rows.start[subject.root] : rows.start[walk.kernel]);
  const std::int64_t born = subject.block ? analysis::since_start(trace, subject.block->born) : begin;
  std::vector<Beat> beats = {{subject.driver ? "taken" : "order", begin}};
  if (subject.block) beats.push_back({"carve", born});
  if (subject.root != no_slice) beats.push_back({"tensor", born});
  beats.push_back({"capacity", born});
  if (subject.block)
    beats.push_back({"free", analysis::since_start(trace, subject.block->freed.value_or(trace.end_ns))});
  return in_order(std::move(beats));
}

// Bytes allocated right after the followed block was freed; `absent` if it was not freed or no total was recorded.
std::int64_t allocated_after_free(const Trace& trace, const WarehouseView& view) {
  const OwnBlock& block = *view.subject.block;
  if (!block.freed) return absent;
  if (block.allocated_freed != absent) return block.allocated_freed;
  return analysis::memory_totals(trace, view.map, *block.freed).allocated;
}

// The variant of the sentence that is true for this trace; empty for the first one.
std::string variant_of(const Trace& trace, const WarehouseView& view) {
  const WarehouseSubject& subject = view.subject;
  const bool gpu = subject.space.gpu;
  const bool capacity = view.device != nullptr && view.device->total_memory > 0;
  if (view.beat == "order") {
    if (!subject.recorded) return "blind";
    if (subject.root == no_slice) return "orphan";
    if (subject.refused > 0) return "refused";
    if (!subject.block) return "nothing";
    return gpu ? "" : "host";
  }
  if (view.beat == "taken") return view.totals.allocated == 0 ? "nothing" : "";
  if (view.beat == "carve") {
    if (!gpu) return "host";
    switch (subject.block->driver) {
      case OwnBlock::Driver::no: return "";
      case OwnBlock::Driver::grew: return "driver";
      case OwnBlock::Driver::called: return "called";
      case OwnBlock::Driver::unknown: break;
    }
    return "unknown";
  }
  if (view.beat == "tensor") {
    if (view.tensors.empty()) return inputs_recorded(trace, subject.inner) ? "none" : "unknown";
    if (view.tensors[view.tensor].sizes.empty()) return "scalar";
    switch (view.tensors[view.tensor].layout()) {
      case analysis::Layout::unknown: return "unstrided";
      case analysis::Layout::contiguous: return "";
      case analysis::Layout::permuted: return "permuted";
      case analysis::Layout::repeated: return "repeated";
      case analysis::Layout::gaps: return "gaps";
    }
  }
  if (view.beat == "capacity") {
    if (!subject.recorded) return capacity ? "blind" : "unknown";
    if (view.map.failures > 0) return "refused";
    if (!gpu) return "host";
    if (subject.driver) return capacity ? "driver" : "driver.unbounded";
    if (view.totals.reserved == absent) return "unreserved";
    return capacity ? "" : "unbounded";
  }
  if (view.beat == "free") {
    if (!gpu) return subject.block->freed ? "host" : "host.held";
    const OwnBlock& block = *subject.block;
    if (!block.freed) return "held";
    std::string variant = block.reserved_freed == absent ? "unreserved" : "";
    // The total falls from another height than the last beat showed, if other blocks came or went in between.
    if (block.others_bytes != 0 && allocated_after_free(trace, view) != absent) {
      const bool taken = block.others_bytes == block.others_taken && block.others_taker != no_slice;
      variant.append(variant.empty() ? "" : ".").append(taken ? "taken" : "others");
    }
    return variant;
  }
  return "";
}

// The trace's description of the GPU that has this memory.
const trace::Device* device_of_memory(const Trace& trace, const Walk& walk, const WarehouseSubject& subject) {
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

void find_tensors(const SceneInput& input, WarehouseView& view) {
  const Trace& trace = input.trace;
  view.tensors = analysis::tensors_of(trace, view.subject.inner);
  if (view.subject.block && !view.tensors.empty()) {
    std::optional<analysis::Tensor> output = analysis::output_of(trace.name(view.subject.inner), view.tensors);
    const std::int64_t bytes = output ? output->bytes() : 0;
    const bool same = view.subject.space.gpu ? analysis::caching_rules::rounded(bytes) == view.subject.block->bytes
                                             : bytes == view.subject.block->bytes;
    if (output && same) {
      output->address = view.subject.block->address;
      view.tensors.push_back(std::move(*output));
    }
  }
  view.tensor = best_tensor(view.tensors);
  if (const auto set = input.set("warehouse", "tensor"); set && !view.tensors.empty())
    view.tensor = static_cast<std::size_t>(std::clamp(*set, 0.0, static_cast<double>(view.tensors.size() - 1)));
}

void put_values(const SceneInput& input, const WarehouseView& view, Narration::Values& values) {
  const Trace& trace = input.trace;
  const WarehouseSubject& subject = view.subject;
  const auto put = [&](std::string_view key, std::string text) { values[std::string(key)] = std::move(text); };
  const auto put_bytes = [&](std::string_view key, std::int64_t bytes) {
    if (bytes != absent) put(key, bytes_text(static_cast<double>(bytes)));
  };
  if (subject.inner != no_slice) put("asker", analysis::label_of(trace, subject.inner));
  put_bytes("refused_bytes", view.beat == "order" ? subject.refused_bytes : view.map.failed_bytes);
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
    if (const std::int64_t after = allocated_after_free(trace, view); after != absent) {
      put_bytes("allocated_after", after);
      put_bytes("allocated_before", after + block.bytes);
    }
  }
  put_bytes("allocated", view.totals.allocated);
  if (subject.driver) put("pieces", counted_words(input.narration, "pieces", view.map.blocks));
  put_bytes("reserved", view.totals.reserved);
  if (view.device != nullptr && view.device->total_memory > 0) put_bytes("capacity", view.device->total_memory);
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

// A slider over the times at which the memory changed, and the hidden controls that are set by pointing at the picture.
void put_controls(const SceneInput& input, const WarehouseView& view, std::int64_t beat_time, Stage& stage) {
  const auto add = [&](Control::Kind kind, std::string_view name, double value, bool set) -> Control& {
    Control control;
    control.kind = kind;
    control.name = name;
    control.value = value;
    control.set = set;
    stage.controls.push_back(std::move(control));
    return stage.controls.back();
  };
  if (!view.map.points.empty()) {
    const double at = static_cast<double>(analysis::since_start(input.trace, view.at));
    Control& time = add(Control::Kind::slider, "time", at, input.set("warehouse", "time").has_value());
    for (const analysis::MemoryPoint& point : view.map.points)
      if (const auto step = static_cast<double>(analysis::since_start(input.trace, point.time));
          time.steps.empty() || step > time.steps.back())
        time.steps.push_back(step);
    for (const double own : {static_cast<double>(analysis::since_start(input.trace, beat_time)), at})
      time.steps = with_step(std::move(time.steps), own);
    time.label = input.narration.text("warehouse.control", "time");
    time.shown = time_text(at);
    time.source = input.narration.text("warehouse.control", "as_told");
    // Addresses have 48 bits, so a double holds them exactly.
    const auto block = input.set("warehouse", "block");
    add(Control::Kind::hidden, "block", block.value_or(0), block.has_value());
  }
  if (view.tensors.empty()) return;
  add(Control::Kind::hidden, "tensor", static_cast<double>(view.tensor), input.set("warehouse", "tensor").has_value());
  const auto index = input.set("warehouse", "index");
  add(Control::Kind::hidden, "index", index.value_or(0), index.has_value());
}

// Asks where the block comes from. The picture before the answer is that of the beat before.
void ask_for_source(const SceneInput& input, const WarehouseView& view, const Narration::Values& values, Stage& stage) {
  using Driver = OwnBlock::Driver;
  if (view.beat != "carve" || !view.subject.space.gpu || view.scrubbed || view.subject.block->driver == Driver::unknown)
    return;
  const auto word = [&](std::string_view key) { return input.narration.text("warehouse.answer", key); };
  Options options{{word("cache"), word("driver")}, view.subject.block->driver == Driver::no ? 0U : 1U};
  options.keys.emplace_back("cache");
  options.keys.emplace_back("driver");
  ask(input, values,
      {"source",
       "",
       std::move(options),
       {},
       [&](Stage& asked) {
         WarehouseView before = view;
         before.beat = "order";
         before.phase = 1;
         asked.picture = warehouse_picture(input, before, values);
       }},
      stage);
}

}  // namespace

std::vector<Beat> warehouse_beats(const Trace& trace, const Walk& walk) {
  return beats_of(trace, walk, warehouse_subject(trace, walk));
}

Stage warehouse(const SceneInput& input) {
  const Trace& trace = input.trace;
  WarehouseView view;
  view.subject = warehouse_subject(trace, input.walk);
  const std::vector<Beat> beats = beats_of(trace, input.walk, view.subject);
  const auto index = static_cast<std::size_t>(input.moment.value - 1);
  Narration::Values values = common_values(input);
  if (beats[index].key == "empty") {
    Stage stage = common_stage(input, "warehouse", beats, values, "memory");
    stage.missing.push_back(input.narration.text("missing", "anything"));
    return stage;
  }
  if (beats[index].key == "buffers") return buffers_stage(input, beats);
  view.beat = beats[index].key;
  view.phase = input.moment.phase;
  view.device = device_of_memory(trace, input.walk, view.subject);
  if (const trace::KernelDetail* kernel = kernel_detail(trace, input.walk);
      kernel != nullptr && kernel->record >= 0 &&
      static_cast<std::size_t>(kernel->record) < trace.records.kernels.size())
    view.record = &trace.records.kernels[static_cast<std::size_t>(kernel->record)];

  // The moment: set by the control, else the requested time, else moving from the last beat's time to this one's.
  const std::int64_t settled = trace.begin_ns + beats[index].anchor;
  const std::int64_t from = trace.begin_ns + beats[index == 0 ? 0 : index - 1].anchor;
  std::optional<double> set = input.set("warehouse", "time");
  if (!set && input.now) set = static_cast<double>(*input.now);
  view.scrubbed = set.has_value();
  if (set)
    view.at = trace.begin_ns +
              static_cast<std::int64_t>(std::clamp(*set, 0.0, static_cast<double>(trace.end_ns - trace.begin_ns)));
  else
    view.at = from + static_cast<std::int64_t>(eased(part(view.phase, 0, 0.45)) * static_cast<double>(settled - from));
  if (view.subject.recorded) {
    view.map = analysis::memory_map(trace, view.subject.space, view.at);
    if (view.scrubbed || view.at == settled)
      view.totals = {view.map.allocated, view.map.reserved};
    else
      view.totals = analysis::memory_totals(trace, view.map, settled);
  }
  find_tensors(input, view);
  put_values(input, view, values);

  std::vector<Beat> named = beats;
  if (const std::string variant = variant_of(trace, view); !variant.empty()) named[index].key += "." + variant;
  Stage stage = common_stage(input, "warehouse", named, values, "memory");
  put_controls(input, view, settled, stage);
  for (Stop& stop : stage.route)
    if (stop.key == "memory" && view.subject.block)
      stop.value = bytes_text(static_cast<double>(view.subject.block->bytes));
  warehouse_facts(input, view, values, stage);
  stage.picture = warehouse_picture(input, view, values);
  ask_for_source(input, view, values, stage);
  return stage;
}

}  // namespace warpwalk::story
