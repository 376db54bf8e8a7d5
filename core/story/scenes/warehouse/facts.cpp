#include <algorithm>

#include <fmt/format.h>

#include "core/story/facts/names.h"
#include "core/story/facts/rows.h"
#include "core/story/scenes/launch/parts.h"
#include "core/story/scenes/warehouse/parts.h"
#include "core/story/stage/fact_writer.h"

namespace warpwalk::story {
namespace {

using trace::absent;

void tell_recorded(Teller& teller, std::string_view key, std::int64_t bytes) {
  if (bytes != absent) teller.fact(key, teller.recorded(static_cast<double>(bytes), Unit::bytes));
}

// Totals are the allocator's own in PyTorch's events, and added up from warpwalk's records.
void tell_total(const WarehouseView& view, Teller& teller, std::string_view key, std::int64_t bytes) {
  if (bytes == absent) return;
  if (view.map.source == MemoryMap::Source::records)
    teller.derived(key, static_cast<double>(bytes), Unit::bytes);
  else
    tell_recorded(teller, key, bytes);
}

void tell_order(const SceneInput& input, const WarehouseView& view, Teller& teller) {
  const WarehouseSubject& subject = view.subject;
  if (subject.root != no_slice) {
    std::string shapes;
    for (const Tensor& tensor : view.tensors)
      if (!tensor.output && !tensor.sizes.empty())
        shapes.append(shapes.empty() ? "" : "; ").append(sizes_text(tensor.sizes));
    if (!shapes.empty()) teller.fact("inputs", teller.recorded(shortened(shapes, 44)));
    double bytes = 0;
    for (const Tensor& tensor : view.tensors)
      if (!tensor.output) bytes += static_cast<double>(tensor.bytes());
    if (bytes > 0) teller.derived("input_bytes", bytes, Unit::bytes);
    if (subject.recorded) teller.counted("made", subject.made);
    if (subject.made > 0) teller.derived("made_bytes", static_cast<double>(subject.made_bytes), Unit::bytes);
  }
  if (subject.refused_bytes != absent && subject.refused > 0) tell_recorded(teller, "refused", subject.refused_bytes);
  if (!subject.recorded) teller.lacks(input.trace.memory.empty() ? "events" : "this_memory");
  if (subject.root == no_slice) teller.lacks("asker");
}

void tell_taken(const SceneInput& input, const WarehouseView& view, Teller& teller) {
  teller.derived("taken", static_cast<double>(view.told.allocated), Unit::bytes);
  teller.derived("pieces", counted_words(input.narration, "pieces", view.map.blocks));
  teller.derived("most_taken", static_cast<double>(view.map.peak_allocated), Unit::bytes);
  teller.lacks("blocks");
}

void tell_carve(const WarehouseView& view, Teller& teller) {
  const OwnBlock& block = *view.subject.block;
  teller.fact("block", teller.recorded(static_cast<double>(block.bytes), Unit::bytes));
  teller.fact("address", teller.recorded(address_text(block.address)));
  if (!view.subject.space.gpu) return;
  teller.derived("pool", teller.word("word", caching_rules::is_small(block.bytes) ? "small" : "large"));
  tell_total(view, teller, "allocated", view.told.allocated);
  tell_total(view, teller, "reserved", view.told.reserved);
  if (block.driver == OwnBlock::Driver::grew || block.driver == OwnBlock::Driver::no)
    teller.derived(block.driver == OwnBlock::Driver::no && view.map.points.front().time == block.born &&
                           view.map.source == MemoryMap::Source::events
                       ? "not_grown"
                       : "grown",
                   static_cast<double>(block.grown), Unit::bytes);
  if (block.driver == OwnBlock::Driver::unknown) teller.lacks("driver");
}

void tell_tensor(const SceneInput& input, const WarehouseView& view, Teller& teller) {
  if (view.tensors.empty()) {
    if (!inputs_recorded(input.trace, view.subject.inner)) teller.lacks("shapes");
  } else {
    const Tensor& tensor = view.tensors[view.tensor];
    const std::string sizes = tensor.sizes.empty() ? teller.word("word", "scalar") : sizes_text(tensor.sizes);
    if (tensor.output)
      teller.derived("output_sizes", sizes);
    else
      teller.fact("sizes", teller.recorded(sizes));
    if (tensor.strides && !tensor.sizes.empty()) {
      if (tensor.output)
        teller.derived("output_strides", strides_text(*tensor.strides));
      else
        teller.fact("strides", teller.recorded(strides_text(*tensor.strides)));
    }
    if (tensor.element > 0) {
      teller.derived("tensor_bytes", static_cast<double>(tensor.bytes()), Unit::bytes);
      if (const std::int64_t reach = tensor.reach(); reach != 0 && reach != tensor.bytes())
        teller.derived("reach", static_cast<double>(reach), Unit::bytes);
    }
    switch (tensor.layout()) {
      case Layout::unknown: teller.lacks("strides"); break;
      case Layout::contiguous: teller.derived("layout", teller.word("word", "contiguous")); break;
      case Layout::permuted: teller.derived("layout", teller.word("word", "permuted")); break;
      case Layout::repeated: teller.derived("layout", teller.word("word", "repeated")); break;
      case Layout::gaps: teller.derived("layout", teller.word("word", "gaps")); break;
    }
    if (!tensor.address) teller.lacks("addresses");
  }
  if (view.record == nullptr) return;
  // The kernel gets addresses, not contents.
  constexpr std::size_t most_pointers = 3;
  std::size_t told = 0, number = 0;
  for (const trace::KernelArgument& argument : view.record->arguments) {
    ++number;
    if (argument.kind != trace::KernelArgument::Kind::pointer || told == most_pointers) continue;
    const std::vector<trace::Allocation>& rows = input.trace.records.allocations;
    if (argument.allocation >= rows.size()) continue;
    const trace::Allocation& target = rows[argument.allocation];
    ++told;
    teller.named(fmt::format("{} {}", teller.word("fact", "argument"), number),
                 Figure::derived(fmt::format("{}{}{}", target.name, target.name.empty() ? "" : ": ",
                                             address_text(target.address + argument.offset)),
                                 fmt::format("{} + {}", address_text(target.address), argument.offset)));
  }
}

void tell_capacity(const WarehouseView& view, Teller& teller) {
  const MemoryMap& map = view.map;
  const auto [allocated, reserved] = view.told;
  if (view.subject.driver) {
    teller.derived("taken", static_cast<double>(allocated), Unit::bytes);
    teller.derived("most_taken", static_cast<double>(map.peak_allocated), Unit::bytes);
  } else if (view.subject.recorded) {
    tell_total(view, teller, "allocated", allocated);
    tell_total(view, teller, "reserved", reserved);
    if (allocated != absent && reserved >= allocated)
      teller.derived("cached", static_cast<double>(reserved - allocated), Unit::bytes);
    if (map.peak_allocated != absent) teller.derived("peak", static_cast<double>(map.peak_allocated), Unit::bytes);
  } else {
    teller.lacks("events_capacity");
  }
  if (view.subject.recorded && !view.subject.space.gpu) return;
  if (view.device == nullptr || view.device->total_memory <= 0) {
    teller.lacks("capacity");
    return;
  }
  const std::int64_t capacity = view.device->total_memory;
  tell_recorded(teller, "capacity", capacity);
  if (view.subject.driver && allocated <= capacity) {
    teller.derived("not_taken", static_cast<double>(capacity - allocated), Unit::bytes);
    teller.derived("share_taken", 100 * static_cast<double>(allocated) / static_cast<double>(capacity), Unit::percent);
  }
  if (reserved != absent && reserved <= capacity) {
    teller.derived("unreserved", static_cast<double>(capacity - reserved), Unit::bytes);
    teller.derived("share", 100 * static_cast<double>(reserved) / static_cast<double>(capacity), Unit::percent);
  }
}

void tell_free(const SceneInput& input, const WarehouseView& view, Teller& teller) {
  const OwnBlock& block = *view.subject.block;
  if (!block.freed) {
    teller.lacks("free");
    return;
  }
  teller.difference("life", *block.freed - block.born);
  if (block.freed_in != no_slice)
    teller.fact("freed_in", teller.recorded(label_of(input.trace, block.freed_in)));
  else
    teller.derived("freed_in", teller.word("word", "no_op"));
  if (block.others_bytes != 0) {
    const std::string change =
        fmt::format("{}{}", block.others_bytes > 0 ? "+" : "", bytes_text(static_cast<double>(block.others_bytes)));
    teller.derived("others", change);
  }
  tell_recorded(teller, "allocated_freed", block.allocated_freed);
  tell_recorded(teller, "reserved_freed", block.reserved_freed);
}

}  // namespace

void warehouse_facts(const SceneInput& input, const WarehouseView& view, const Narration::Values& values,
                     Stage& stage) {
  Teller teller(input, values, stage);
  if (view.beat == "taken") tell_taken(input, view, teller);
  if (view.beat == "order") tell_order(input, view, teller);
  if (view.beat == "carve") tell_carve(view, teller);
  if (view.beat == "tensor") tell_tensor(input, view, teller);
  if (view.beat == "capacity") tell_capacity(view, teller);
  if (view.beat == "free") tell_free(input, view, teller);
}

}  // namespace warpwalk::story
