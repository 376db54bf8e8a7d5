// The column beside the map: the request, a tensor, the account, or a block's life.
#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/memory/memory_map.h"
#include "core/analysis/slices.h"
#include "core/story/elements/walk.h"
#include "core/story/scenes/warehouse/warehouse.h"

namespace warpwalk::story {
namespace {

using ColumnKind = WarehouseColumn::Kind;
using trace::absent;

class Builder {
 public:
  Builder(const WarehouseView& view, WarehouseColumn& column)
      : input_(view.input), view_(view), values_(view.values), column_(column) {}

  std::string word(std::string_view key) const { return input_.narration.text("warehouse.column", key, values_); }
  void line(std::string_view key, Figure figure, double shown = 1) {
    column_.lines.push_back({word(key), std::move(figure), shown});
  }
  Figure measured(std::string text) const {
    return Figure::recorded(std::move(text), input_.trace.records.time_origin());
  }
  Figure derived(std::string text, std::string_view formula) const {
    return Figure::derived(std::move(text), word(formula));
  }
  Figure explained(std::string_view key) const { return Figure::explained(word(key)); }
  std::string time(std::int64_t ns) const {
    return time_text(static_cast<double>(analysis::since_start(input_.trace, ns)));
  }

  void request();
  void tensor();
  void account();
  void life();
  void chosen(const analysis::MemoryRange& range);

 private:
  void grid(const analysis::Tensor& tensor);

  const SceneInput& input_;
  const WarehouseView& view_;
  const Narration::Values& values_;
  WarehouseColumn& column_;
};

// From the requested bytes to an address, line by line.
void Builder::request() {
  const OwnBlock& block = *view_.subject.block;
  const bool gpu = view_.subject.space.gpu;
  column_.kind = ColumnKind::request;
  column_.head = word("head_request");
  const bool asking = !view_.shows.block_comes;
  const auto step = [&](int n) { return asking ? 0.0 : eased(part(view_.phase, 0.4 + 0.1 * n, 0.55 + 0.1 * n)); };
  const double first = asking ? eased(part(view_.phase, 0.2, 0.7)) : 1;
  if (block.asked >= 0)
    line("asked", measured(analysis::full_bytes(block.asked)), first);
  else if (const analysis::Tensor* output = view_.output(); output != nullptr)
    line("asked",
         Figure::derived(
             analysis::full_bytes(output->bytes()),
             fmt::format("{} × {} B: {}", analysis::sizes_text(output->sizes), output->element, word("by_rule"))),
         first);
  else
    line("asked", explained("asked_unknown"), first);
  if (gpu) {
    line("rounded", measured(analysis::full_bytes(block.bytes)), step(0));
    line("pool", derived(word(analysis::caching_rules::is_small(block.bytes) ? "small" : "large"), "pool_formula"),
         step(1));
    switch (block.driver) {
      case OwnBlock::Driver::no: line("driver", derived(word("driver_no"), "driver_no_formula"), step(2)); break;
      case OwnBlock::Driver::grew:
        line("driver", derived(analysis::full_bytes(block.grown), "driver_grew_formula"), step(2));
        break;
      case OwnBlock::Driver::called: line("driver", measured(word("driver_called")), step(2)); break;
      case OwnBlock::Driver::unknown: line("driver", explained("unknown"), step(2)); break;
    }
  } else {
    line("taken", measured(analysis::full_bytes(block.bytes)), step(0));
  }
  line("address", measured(analysis::address_text(block.address)), step(3));
  column_.note = word(gpu ? "request_note" : "request_note_cpu");
}

void Builder::grid(const analysis::Tensor& tensor) {
  if (!tensor.strides || tensor.count() == 0) return;
  constexpr std::int64_t max_rows = 3, max_columns = 6;
  const std::size_t dimensions = tensor.sizes.size();
  const std::int64_t rows = dimensions > 1 ? tensor.sizes[dimensions - 2] : 1;
  const std::int64_t columns = dimensions > 0 ? tensor.sizes[dimensions - 1] : 1;
  const std::int64_t row_step = dimensions > 1 ? (*tensor.strides)[dimensions - 2] : 0;
  const std::int64_t column_step = dimensions > 0 ? (*tensor.strides)[dimensions - 1] : 0;
  WarehouseGrid grid;
  grid.rows = static_cast<std::size_t>(std::min(rows, max_rows));
  grid.columns = static_cast<std::size_t>(std::min(columns, max_columns));
  grid.more_rows = rows > max_rows;
  grid.more_columns = columns > max_columns;
  for (std::size_t r = 0; r < grid.rows; ++r)
    for (std::size_t c = 0; c < grid.columns; ++c)
      grid.offsets.push_back(static_cast<std::int64_t>(r) * row_step + static_cast<std::int64_t>(c) * column_step);
  const std::size_t plain =
      std::min<std::size_t>(1, grid.rows - 1) * grid.columns + std::min<std::size_t>(2, grid.columns - 1);
  std::size_t at = plain;
  if (const auto set = input_.set("warehouse", "index"))
    at = static_cast<std::size_t>(std::clamp(*set, 0.0, static_cast<double>(grid.offsets.size() - 1)));
  grid.row = at / grid.columns;
  grid.column = at % grid.columns;
  grid.to_storage = view_.shows.column == ColumnKind::tensor && !view_.scrubbed ? eased(part(view_.phase, 0.45, 1)) : 1;

  // Computes the address from the index of the chosen element; leading dimensions stay at 0.
  const std::int64_t offset = grid.offsets[at];
  std::string index, sum;
  for (std::size_t d = 0; d + 2 < dimensions; ++d) index += "0, ";
  if (dimensions > 1) {
    index += fmt::format("{}, ", grid.row);
    sum = fmt::format("{} × {} + ", grid.row, with_thousands(row_step));
  }
  if (dimensions > 0) {
    index += std::to_string(grid.column);
    sum += fmt::format("{} × {}", grid.column, with_thousands(column_step));
  }
  if (dimensions > 0) {
    column_.lines.push_back({fmt::format("{} [{}]", word("element"), index),
                             derived(fmt::format("{} = {}", sum, with_thousands(offset)), "element_formula"), 1});
    if (tensor.element > 0) {
      const std::int64_t bytes = offset * tensor.element;
      if (tensor.address)
        line("at", derived(analysis::address_text(*tensor.address + static_cast<std::uint64_t>(bytes)), "at_formula"));
      else
        line("at", derived(fmt::format("{} + {}", word("start"), analysis::full_bytes(bytes)), "at_formula"));
    }
  }
  grid.head_index = word("grid_index");
  grid.head_storage = word("grid_storage");
  column_.grid = std::move(grid);
}

void Builder::tensor() {
  const analysis::Tensor& tensor = view_.tensors[view_.tensor];
  column_.kind = ColumnKind::tensor;
  column_.head = values_.find("tensor")->second;
  if (tensor.element > 0)
    line("type", tensor.output ? derived(fmt::format("{}, {} B", tensor.type, tensor.element), "type_formula")
                               : measured(fmt::format("{}, {} B", tensor.type, tensor.element)));
  else if (!tensor.type.empty())
    line("type", measured(tensor.type));
  if (tensor.strides && !tensor.sizes.empty())
    line("strides", tensor.output ? derived(analysis::strides_text(*tensor.strides), "output_strides_formula")
                                  : measured(analysis::strides_text(*tensor.strides)));
  else if (!tensor.strides)
    line("strides", explained("unrecorded"));
  if (tensor.address)
    line("first", derived(analysis::address_text(*tensor.address), "first_formula"));
  else
    line("first", explained("unrecorded"));
  grid(tensor);
}

void Builder::account() {
  column_.kind = ColumnKind::account;
  column_.head = word("head_account");
  const analysis::MemoryMap& map = view_.map;
  const bool driver = view_.subject.driver;
  if (view_.has_capacity()) {
    if (driver && view_.device->total_memory >= map.allocated)
      line("not_taken", Figure::derived(static_cast<double>(view_.device->total_memory - map.allocated), Unit::bytes,
                                        word("not_taken_formula")));
    if (map.reserved != absent && view_.device->total_memory >= map.reserved)
      line("rest", Figure::derived(static_cast<double>(view_.device->total_memory - map.reserved), Unit::bytes,
                                   word("rest_formula")));
    line("capacity", Figure::recorded(static_cast<double>(view_.device->total_memory), Unit::bytes,
                                      input_.trace.records.time_origin()));
  }
  if (map.peak_allocated != absent) {
    line(driver ? "most_taken" : "peak",
         Figure::derived(static_cast<double>(map.peak_allocated), Unit::bytes, word("peak_formula")));
    line("peak_time", derived(time(map.peak_time), "peak_formula"));
  }
  if (map.failures > 0)
    line("failures", Figure::derived(static_cast<double>(map.failures), Unit::count, word("failures_formula")));
  column_.note = word(driver ? "account_note_driver" : view_.subject.space.gpu ? "account_note" : "account_note_cpu");
}

void Builder::life() {
  const OwnBlock& block = *view_.subject.block;
  column_.kind = ColumnKind::block;
  column_.head = word("head_block");
  line("address", measured(analysis::address_text(block.address)));
  line("bytes", measured(analysis::full_bytes(block.bytes)));
  line("taken_at", measured(time(block.born)));
  if (block.freed) {
    line("freed_at", measured(time(*block.freed)), view_.scrubbed ? 1 : eased(part(view_.phase, 0.4, 0.6)));
    line("lived",
         Figure::derived(static_cast<double>(*block.freed - block.born), Unit::nanoseconds, word("lived_formula")),
         view_.scrubbed ? 1 : eased(part(view_.phase, 0.6, 0.8)));
  } else {
    line("freed_at", explained("never"));
  }
  column_.note = word(view_.subject.space.gpu ? "block_note" : "block_note_cpu");
  // The kernel may use the block after the CPU has freed it.
  const SliceId kernel = input_.walk.kernel;
  if (!view_.subject.space.gpu || !block.freed || kernel == no_slice ||
      time_record_of(input_.trace, input_.walk) != TimeRecord::timed)
    return;
  const std::int64_t end = input_.trace.slices.end(kernel);
  if (end <= *block.freed) return;
  line("kernel_end", measured(time(end)), view_.scrubbed ? 1 : eased(part(view_.phase, 0.6, 0.8)));
  column_.note = word("block_note_busy");
}

void Builder::chosen(const analysis::MemoryRange& range) {
  column_.kind = ColumnKind::block;
  column_.head = word(view_.subject.driver ? "head_piece" : "head_block");
  line("address", measured(analysis::address_text(range.address)));
  line("bytes", measured(analysis::full_bytes(range.bytes)));
  if (view_.subject.space.gpu && !view_.subject.driver)
    line("pool", derived(word(analysis::caching_rules::is_small(range.bytes) ? "small" : "large"), "pool_formula"));
  if (range.since == analysis::before_record)
    line("taken_at", explained("unrecorded"));
  else
    line(view_.subject.driver ? "piece_taken_at" : "taken_at", measured(time(range.since)));
}

// The block at the address that the pointer is at, if there is one at this moment.
const analysis::MemoryRange* pointed_at(const WarehouseView& view) {
  const auto address = view.input.set("warehouse", "block");
  if (!address) return nullptr;
  for (const analysis::MemoryStrip& strip : view.map.strips)
    for (const analysis::MemoryRange& range : strip.ranges)
      if (range.state == analysis::MemoryRange::State::block && static_cast<double>(range.address) == *address)
        return &range;
  return nullptr;
}

}  // namespace

WarehouseColumn warehouse_column(const WarehouseView& view) {
  WarehouseColumn column;
  Builder builder(view, column);
  const bool tensors = !view.tensors.empty();
  for (const analysis::Tensor& tensor : view.tensors) {
    const std::string sizes = tensor.sizes.empty() ? builder.word("scalar") : analysis::sizes_text(tensor.sizes);
    column.tensors.push_back(
        fmt::format("{}: {}", tensor.output ? builder.word("output") : std::to_string(tensor.number), sizes));
  }
  if (tensors) column.head_tensors = builder.word("head_tensors");
  const ColumnKind kind = view.shows.column;
  const bool asked = tensors && view.input.set("warehouse", "tensor");
  if (const analysis::MemoryRange* const range = pointed_at(view)) {
    builder.chosen(*range);
  } else if (!asked && kind == ColumnKind::request && view.subject.block) {
    builder.request();
  } else if (!asked && kind == ColumnKind::block) {
    builder.life();
  } else if (!asked && kind == ColumnKind::account && (view.subject.recorded || view.device != nullptr)) {
    builder.account();
  } else if (tensors) {
    column.chosen = view.tensor;
    builder.tensor();
  }
  return column;
}

}  // namespace warpwalk::story
