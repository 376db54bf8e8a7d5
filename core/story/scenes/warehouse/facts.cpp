#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/memory/memory_map.h"
#include "core/analysis/names/short_names.h"
#include "core/analysis/slices.h"
#include "core/story/facts/words/rows.h"
#include "core/story/scenes/warehouse/warehouse.h"

namespace warpwalk::story {
namespace {

using trace::absent;

void add_recorded(FactWriter& facts, std::string_view key, std::int64_t bytes) {
  if (bytes != absent) facts.fact(key, facts.recorded(static_cast<double>(bytes), Unit::bytes));
}

// PyTorch's events have the allocator's own totals; totals of warpwalk's records are added up.
void add_total(const WarehouseView& view, FactWriter& facts, std::string_view key, std::int64_t bytes) {
  if (bytes == absent) return;
  if (view.map.source == analysis::MemoryMap::Source::records)
    facts.derived(key, static_cast<double>(bytes), Unit::bytes);
  else
    add_recorded(facts, key, bytes);
}

}  // namespace

void order_facts(const WarehouseView& view, FactWriter& facts) {
  const OpMemory& subject = view.subject;
  if (subject.root != no_slice) {
    std::string shapes;
    for (const analysis::Tensor& tensor : view.tensors)
      if (!tensor.output && !tensor.sizes.empty())
        shapes.append(shapes.empty() ? "" : "; ").append(analysis::sizes_text(tensor.sizes));
    if (!shapes.empty()) facts.fact("inputs", facts.recorded(analysis::shortened(shapes, 44)));
    double bytes = 0;
    for (const analysis::Tensor& tensor : view.tensors)
      if (!tensor.output) bytes += static_cast<double>(tensor.bytes());
    if (bytes > 0) facts.derived("input_bytes", bytes, Unit::bytes);
    if (subject.recorded) facts.counted("made", subject.made);
    if (subject.made > 0) facts.derived("made_bytes", static_cast<double>(subject.made_bytes), Unit::bytes);
  }
  if (subject.refused_bytes != absent && subject.refused > 0) add_recorded(facts, "refused", subject.refused_bytes);
  if (!subject.recorded) facts.missing(view.trace().memory.empty() ? "events" : "this_memory");
  if (subject.root == no_slice) facts.missing("asker");
}

void taken_facts(const WarehouseView& view, FactWriter& facts) {
  facts.derived("taken", static_cast<double>(view.totals.allocated), Unit::bytes);
  facts.derived("pieces", counted_words(view.input.narration, "pieces", view.map.blocks));
  facts.derived("most_taken", static_cast<double>(view.map.peak_allocated), Unit::bytes);
  facts.missing("blocks");
}

void carve_facts(const WarehouseView& view, FactWriter& facts) {
  const OwnBlock& block = *view.subject.block;
  facts.fact("block", facts.recorded(static_cast<double>(block.bytes), Unit::bytes));
  facts.fact("address", facts.recorded(analysis::address_text(block.address)));
  if (!view.subject.space.gpu) return;
  facts.derived("pool", facts.word("word", analysis::caching_rules::is_small(block.bytes) ? "small" : "large"));
  add_total(view, facts, "allocated", view.totals.allocated);
  add_total(view, facts, "reserved", view.totals.reserved);
  if (block.driver == OwnBlock::Driver::grew || block.driver == OwnBlock::Driver::no)
    facts.derived(block.driver == OwnBlock::Driver::no && view.map.points.front().time == block.born &&
                          view.map.source == analysis::MemoryMap::Source::events
                      ? "not_grown"
                      : "grown",
                  static_cast<double>(block.grown), Unit::bytes);
  if (block.driver == OwnBlock::Driver::unknown) facts.missing("driver");
}

void tensor_facts(const WarehouseView& view, FactWriter& facts) {
  if (view.tensors.empty()) {
    if (!inputs_recorded(view.trace(), view.subject.inner)) facts.missing("shapes");
  } else {
    const analysis::Tensor& tensor = view.tensors[view.tensor];
    const std::string sizes = tensor.sizes.empty() ? facts.word("word", "scalar") : analysis::sizes_text(tensor.sizes);
    if (tensor.output)
      facts.derived("output_sizes", sizes);
    else
      facts.fact("sizes", facts.recorded(sizes));
    if (tensor.strides && !tensor.sizes.empty()) {
      if (tensor.output)
        facts.derived("output_strides", analysis::strides_text(*tensor.strides));
      else
        facts.fact("strides", facts.recorded(analysis::strides_text(*tensor.strides)));
    }
    if (tensor.element > 0) {
      facts.derived("tensor_bytes", static_cast<double>(tensor.bytes()), Unit::bytes);
      if (const std::int64_t reach = tensor.reach(); reach != 0 && reach != tensor.bytes())
        facts.derived("reach", static_cast<double>(reach), Unit::bytes);
    }
    switch (tensor.layout()) {
      case analysis::Layout::unknown: facts.missing("strides"); break;
      case analysis::Layout::contiguous: facts.derived("layout", facts.word("word", "contiguous")); break;
      case analysis::Layout::permuted: facts.derived("layout", facts.word("word", "permuted")); break;
      case analysis::Layout::repeated: facts.derived("layout", facts.word("word", "repeated")); break;
      case analysis::Layout::gaps: facts.derived("layout", facts.word("word", "gaps")); break;
    }
    if (!tensor.address) facts.missing("addresses");
  }
  if (view.record == nullptr) return;
  // The kernel gets addresses, not contents.
  constexpr std::size_t max_pointers = 3;
  std::size_t pointers = 0, number = 0;
  for (const trace::KernelArgument& argument : view.record->arguments) {
    ++number;
    if (argument.kind != trace::KernelArgument::Kind::pointer || pointers == max_pointers) continue;
    const std::vector<trace::Allocation>& rows = view.trace().records.allocations;
    if (argument.allocation >= rows.size()) continue;
    const trace::Allocation& target = rows[argument.allocation];
    ++pointers;
    facts.named(fmt::format("{} {}", facts.word("fact", "argument"), number),
                Figure::derived(fmt::format("{}{}{}", target.name, target.name.empty() ? "" : ": ",
                                            analysis::address_text(target.address + argument.offset)),
                                fmt::format("{} + {}", analysis::address_text(target.address), argument.offset)));
  }
}

void capacity_facts(const WarehouseView& view, FactWriter& facts) {
  const analysis::MemoryMap& map = view.map;
  const auto [allocated, reserved] = view.totals;
  if (view.subject.driver) {
    facts.derived("taken", static_cast<double>(allocated), Unit::bytes);
    facts.derived("most_taken", static_cast<double>(map.peak_allocated), Unit::bytes);
  } else if (view.subject.recorded) {
    add_total(view, facts, "allocated", allocated);
    add_total(view, facts, "reserved", reserved);
    if (allocated != absent && reserved >= allocated)
      facts.derived("cached", static_cast<double>(reserved - allocated), Unit::bytes);
    if (map.peak_allocated != absent) facts.derived("peak", static_cast<double>(map.peak_allocated), Unit::bytes);
  } else {
    facts.missing("events_capacity");
  }
  if (view.subject.recorded && !view.subject.space.gpu) return;
  if (!view.has_capacity()) {
    facts.missing("capacity");
    return;
  }
  const std::int64_t capacity = view.device->total_memory;
  add_recorded(facts, "capacity", capacity);
  if (view.subject.driver && allocated <= capacity) {
    facts.derived("not_taken", static_cast<double>(capacity - allocated), Unit::bytes);
    facts.derived("share_taken", 100 * static_cast<double>(allocated) / static_cast<double>(capacity), Unit::percent);
  }
  if (reserved != absent && reserved <= capacity) {
    facts.derived("unreserved", static_cast<double>(capacity - reserved), Unit::bytes);
    facts.derived("share", 100 * static_cast<double>(reserved) / static_cast<double>(capacity), Unit::percent);
  }
}

void free_facts(const WarehouseView& view, FactWriter& facts) {
  const OwnBlock& block = *view.subject.block;
  if (!block.freed) {
    facts.missing("free");
    return;
  }
  facts.difference("life", *block.freed - block.born);
  if (block.freed_in != no_slice)
    facts.fact("freed_in", facts.recorded(analysis::label_of(view.trace(), block.freed_in)));
  else
    facts.derived("freed_in", facts.word("word", "no_op"));
  if (block.others_bytes != 0) {
    const std::string change =
        fmt::format("{}{}", block.others_bytes > 0 ? "+" : "", bytes_text(static_cast<double>(block.others_bytes)));
    facts.derived("others", change);
  }
  add_recorded(facts, "allocated_freed", block.allocated_freed);
  add_recorded(facts, "reserved_freed", block.reserved_freed);
}

}  // namespace warpwalk::story
