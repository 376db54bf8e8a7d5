// Scene 3: memory. PyTorch's allocator gives an op a block; a tensor describes how to read it; a freed block goes back
// to the allocator, not to the driver.
#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "core/analysis/memory/resources.h"
#include "core/analysis/slices.h"
#include "core/story/facts/words/rows.h"
#include "core/story/scenes/scenes.h"
#include "core/story/scenes/warehouse/warehouse.h"

namespace warpwalk::story {
namespace {

using trace::absent;

std::string memory_order_section(const WarehouseView& view) {
  const OpMemory& subject = view.subject;
  if (!subject.recorded) return "order.blind";
  if (subject.root == no_slice) return "order.orphan";
  if (subject.refused > 0) return "order.refused";
  if (!subject.block) return "order.nothing";
  return subject.space.gpu ? "order" : "order.host";
}

std::string taken_section(const WarehouseView& view) { return view.totals.allocated == 0 ? "taken.nothing" : "taken"; }

std::string carve_section(const WarehouseView& view) {
  if (!view.subject.space.gpu) return "carve.host";
  switch (view.subject.block->driver) {
    case OwnBlock::Driver::no: return "carve";
    case OwnBlock::Driver::grew: return "carve.driver";
    case OwnBlock::Driver::called: return "carve.called";
    case OwnBlock::Driver::unknown: break;
  }
  return "carve.unknown";
}

std::string tensor_section(const WarehouseView& view) {
  if (view.tensors.empty()) return inputs_recorded(view.trace(), view.subject.inner) ? "tensor.none" : "tensor.unknown";
  const analysis::Tensor& tensor = view.tensors[view.tensor];
  if (tensor.sizes.empty()) return "tensor.scalar";
  switch (tensor.layout()) {
    case analysis::Layout::unknown: return "tensor.unstrided";
    case analysis::Layout::contiguous: break;
    case analysis::Layout::permuted: return "tensor.permuted";
    case analysis::Layout::repeated: return "tensor.repeated";
    case analysis::Layout::gaps: return "tensor.gaps";
  }
  return "tensor";
}

std::string capacity_section(const WarehouseView& view) {
  const bool capacity = view.has_capacity();
  if (!view.subject.recorded) return capacity ? "capacity.blind" : "capacity.unknown";
  if (view.map.failures > 0) return "capacity.refused";
  if (!view.subject.space.gpu) return "capacity.host";
  if (view.subject.driver) return capacity ? "capacity.driver" : "capacity.driver.unbounded";
  if (view.totals.reserved == absent) return "capacity.unreserved";
  return capacity ? "capacity" : "capacity.unbounded";
}

std::string free_section(const WarehouseView& view) {
  const OwnBlock& block = *view.subject.block;
  if (!view.subject.space.gpu) return block.freed ? "free.host" : "free.host.held";
  if (!block.freed) return "free.held";
  std::string section = block.reserved_freed == absent ? "free.unreserved" : "free";
  // The total falls from another height than the last beat showed, if other blocks came or went in between.
  if (block.others_bytes != 0 && view.allocated_after_free() != absent) {
    const bool taken = block.others_bytes == block.others_taken && block.others_taker != no_slice;
    section += taken ? ".taken" : ".others";
  }
  return section;
}

// A slider over the times at which the memory changed, and the hidden controls that are set by pointing at the picture.
void put_controls(const WarehouseView& view, Stage& stage) {
  const SceneInput& input = view.input;
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
    for (const double own : {static_cast<double>(analysis::since_start(input.trace, view.settled)), at})
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

void complete_warehouse(WarehouseView& view, const Narration::Values&, Stage& stage) {
  put_controls(view, stage);
  for (Stop& stop : stage.route)
    if (stop.here && view.subject.block) stop.value = bytes_text(static_cast<double>(view.subject.block->bytes));
}

void memory_picture(const WarehouseView& view, Stage& stage) { stage.picture = warehouse_picture(view); }

constexpr WarehouseShows shows_request = {.column = WarehouseColumn::Kind::request};

// Asks where the block comes from. The picture before the answer is that of the request.
std::optional<Ask> source_question(const WarehouseView& view) {
  using Driver = OwnBlock::Driver;
  const Driver driver = view.subject.block->driver;
  if (!view.subject.space.gpu || view.scrubbed || driver == Driver::unknown) return {};
  const auto word = [&](std::string_view key) { return view.input.narration.text("warehouse.answer", key); };
  Options options{{word("cache"), word("driver")}, driver == Driver::no ? 0U : 1U};
  options.keys.emplace_back("cache");
  options.keys.emplace_back("driver");
  return Ask{"source", "", std::move(options), {}, [&view](Stage& asked) {
               WarehouseView before = view;
               before.shows = shows_request;
               before.phase = 1;
               asked.picture = warehouse_picture(before);
             }};
}

constexpr Frame<WarehouseView, WarehouseShows> warehouse_frame = {
    .subject = warehouse_view,
    .stop = "memory",
    .values = [](const WarehouseView& view) { return view.values; },
    .complete = complete_warehouse};
constexpr Frame<WarehouseBuffers> buffers_frame = {.subject = warehouse_buffers, .stop = "memory"};

// The memory that the beats about addresses follow; null if this walk has other beats.
const OpMemory* memory_of(const WalkTimes& t) {
  const bool others = t.walk.empty() || !analysis::plain_buffers(t.trace, t.walk).empty();
  return others ? nullptr : &t.once(op_memory_of);
}

std::int64_t begin_of(const WalkTimes& t, const OpMemory& memory) {
  return t.start(memory.root != no_slice ? memory.root : t.walk.kernel);
}

std::int64_t born_of(const WalkTimes& t, const OpMemory& memory) {
  return memory.block ? analysis::since_start(t.trace, memory.block->born) : begin_of(t, memory);
}

std::optional<std::int64_t> memory_order_anchor(const WalkTimes& t) {
  const OpMemory* const memory = memory_of(t);
  if (memory == nullptr || memory->driver) return {};
  return begin_of(t, *memory);
}

std::optional<std::int64_t> taken_anchor(const WalkTimes& t) {
  const OpMemory* const memory = memory_of(t);
  if (memory == nullptr || !memory->driver) return {};
  return begin_of(t, *memory);
}

std::optional<std::int64_t> carve_anchor(const WalkTimes& t) {
  const OpMemory* const memory = memory_of(t);
  if (memory == nullptr || !memory->block) return {};
  return born_of(t, *memory);
}

std::optional<std::int64_t> tensor_anchor(const WalkTimes& t) {
  const OpMemory* const memory = memory_of(t);
  if (memory == nullptr || memory->root == no_slice) return {};
  return born_of(t, *memory);
}

std::optional<std::int64_t> capacity_anchor(const WalkTimes& t) {
  const OpMemory* const memory = memory_of(t);
  if (memory == nullptr) return {};
  return born_of(t, *memory);
}

std::optional<std::int64_t> free_anchor(const WalkTimes& t) {
  const OpMemory* const memory = memory_of(t);
  if (memory == nullptr || !memory->block) return {};
  return analysis::since_start(t.trace, memory->block->freed.value_or(t.trace.end_ns));
}

std::optional<std::int64_t> buffers_anchor(const WalkTimes& t) {
  if (t.walk.empty() || analysis::plain_buffers(t.trace, t.walk).empty()) return {};
  return 0;
}

constexpr WarehouseBeat memory_order_beat = {.key = "order",
                                             .anchor = memory_order_anchor,
                                             .first_route = true,
                                             .section = memory_order_section,
                                             .facts = order_facts,
                                             .picture = memory_picture,
                                             .more = shows_request};
constexpr WarehouseBeat taken_beat = {.key = "taken",
                                      .anchor = taken_anchor,
                                      .first_route = true,
                                      .section = taken_section,
                                      .facts = taken_facts,
                                      .picture = memory_picture};
constexpr WarehouseBeat carve_beat = {.key = "carve",
                                      .anchor = carve_anchor,
                                      .section = carve_section,
                                      .facts = carve_facts,
                                      .picture = memory_picture,
                                      .question = source_question,
                                      .more = {.column = WarehouseColumn::Kind::request, .block_comes = true}};
constexpr WarehouseBeat tensor_beat = {.key = "tensor",
                                       .anchor = tensor_anchor,
                                       .first_route = true,
                                       .section = tensor_section,
                                       .facts = tensor_facts,
                                       .picture = memory_picture,
                                       .more = {.column = WarehouseColumn::Kind::tensor}};
constexpr WarehouseBeat capacity_beat = {
    .key = "capacity",
    .anchor = capacity_anchor,
    .section = capacity_section,
    .facts = capacity_facts,
    .picture = memory_picture,
    .more = {.column = WarehouseColumn::Kind::account, .capacity = WarehouseShows::Capacity::appears}};
constexpr WarehouseBeat free_beat = {
    .key = "free",
    .anchor = free_anchor,
    .section = free_section,
    .facts = free_facts,
    .picture = memory_picture,
    .more = {.column = WarehouseColumn::Kind::block, .block_goes = true, .capacity = WarehouseShows::Capacity::shown}};
constexpr BeatOf<WarehouseBuffers> buffers_beat = {.key = "buffers",
                                                   .anchor = buffers_anchor,
                                                   .first_route = true,
                                                   .values = buffers_values,
                                                   .facts = buffers_facts,
                                                   .picture = buffers_picture};
constexpr BeatOf<WarehouseBuffers> empty_beat = {
    .key = "empty", .anchor = empty_anchor, .facts = [](const WarehouseBuffers&, FactWriter& facts) {
      facts.missing("anything");
    }};

}  // namespace

const Contents& warehouse_scene() {
  static const BeatTable table("warehouse",
                               {framed(warehouse_frame, memory_order_beat), framed(warehouse_frame, taken_beat),
                                framed(warehouse_frame, carve_beat), framed(warehouse_frame, tensor_beat),
                                framed(warehouse_frame, capacity_beat), framed(warehouse_frame, free_beat),
                                framed(buffers_frame, buffers_beat), framed(buffers_frame, empty_beat)});
  return table;
}

}  // namespace warpwalk::story
