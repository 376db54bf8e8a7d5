// Lab: how the addresses of a warp's load or store become sectors and lines of global memory.
#include "core/story/labs/warp/coalescing.h"

#include <fmt/format.h>

#include "core/story/facts/simulated/kernel_counters.h"
#include "core/story/facts/words/ask.h"
#include "core/story/pictures/hide.h"

namespace warpwalk::story {

Folded::Folded(const GlobalAccess& made) : pattern(global_pattern(made)) {
  gpu::LoggedAccess logged;
  logged.bytes = static_cast<std::uint8_t>(made.bytes);
  logged.mask = 0xffffffff;
  logged.at = pattern.at;
  access = gpu::coalesce(logged);
}

Coalescing::Coalescing(const SceneInput& in, const CoalescingStart& start) : input(in) {
  access.stride = controls.slider("stride", steps_by(0, max_stride, 1), start.stride, "example");
  access.offset = controls.slider("offset", steps_by(0, max_offset, 1), start.offset, "example");
  std::vector<std::string> bytes_words, order_words, layout_words;
  for (const int bytes : access_widths) bytes_words.push_back(fmt::format("{} B", bytes));
  for (const std::string_view key : order_keys) order_words.push_back(word(key));
  for (const std::string_view key : data_layout_keys) layout_words.push_back(word(key));
  access.bytes = access_widths[controls.choice("width", std::move(bytes_words), 2, "example")];
  access.order = static_cast<LaneOrder>(
      controls.choice("order", std::move(order_words), static_cast<std::size_t>(start.order), "example"));
  const auto layout = static_cast<DataLayout>(
      controls.choice("layout", std::move(layout_words), static_cast<std::size_t>(start.layout), "example"));
  access.fields = controls.slider("fields", steps_by(2, max_fields, 1), 4, "example");
  if (start.has_layout) access.layout = layout;
  if (start.layout != DataLayout::array) {  // that beat has no controls for these
    access.stride = 1;
    access.offset = 0;
    access.order = LaneOrder::in_order;
  }
  lane = static_cast<std::size_t>(controls.pointed("lane", 31, 5));
  folded = Folded(access);
}

std::string Coalescing::word(std::string_view key, const Narration::Values& values) const {
  return input.narration.text("lab/coalescing.word", key, values);
}

namespace {

std::vector<Task> tasks_of(const Coalescing& c) {
  const std::int64_t sectors = c.folded.sectors();
  const bool array = c.access.layout == DataLayout::array;
  return {{"worst", sectors == 32 && c.access.order == LaneOrder::in_order && array},
          {"half", sectors == 8 && c.access.bytes == 4 && c.folded.used() == 128 && array},
          {"misaligned", sectors == 5 && c.access.stride == 1 && c.access.bytes == 4},
          {"broadcast", sectors == 1 && c.folded.used() == c.access.bytes},
          {"vector", sectors == 16 && c.folded.efficiency() == 100},
          {"permuted", c.access.order != LaneOrder::in_order && c.folded.efficiency() == 100},
          {"structures", c.access.layout == DataLayout::structures && c.folded.efficiency() == 50}};
}

using CoalescingBeat = BeatOf<Coalescing, CoalescingStart>;

Narration::Values coalescing_values(const Coalescing& c) {
  return {{"sectors", c.count("sector", c.folded.sectors())},
          {"lines", c.count("line", c.folded.access.count)},
          {"stride", with_thousands(c.access.stride)},
          {"offset", with_thousands(c.access.offset)},
          {"bytes", fmt::to_string(c.access.bytes)},
          {"used", with_thousands(c.folded.used())},
          {"moved", with_thousands(c.folded.moved())},
          {"efficiency", fmt::format("{:.0f} %", c.folded.efficiency())},
          {"layout", c.word(data_layout_keys[static_cast<std::size_t>(c.access.layout)])},
          {"fields", fmt::to_string(c.access.fields)},
          {"order", c.word(order_keys[static_cast<std::size_t>(c.access.order)])}};
}

void coalescing_facts(const Coalescing& c, FactWriter& facts) {
  facts.counted("sectors", static_cast<std::size_t>(c.folded.sectors()));
  facts.counted("lines", static_cast<std::size_t>(c.folded.access.count));
  facts.derived("used", static_cast<double>(c.folded.used()), Unit::bytes);
  facts.derived("moved", static_cast<double>(c.folded.moved()), Unit::bytes);
  facts.derived("efficiency", c.folded.efficiency(), Unit::percent);
  counted_facts(c.input, CountedGroup::global, facts.stage());
}

std::optional<Ask> stride_question(const Coalescing& c) {
  Ask asked{"stride",
            fmt::format("stride {} {} {} {}", c.access.stride, c.access.offset, c.access.bytes,
                        order_keys[static_cast<std::size_t>(c.access.order)]),
            number_options(c.input.narration, "sector", c.folded.sectors(), {1, 4, 8, 16, 32}),
            {}};
  asked.hide = [&c](Panels& panels) {  // each lane's address in place of the sectors, which could be counted
    if (auto* const code = picture_at<CodePicture>(panels, 0, 0))
      for (CodeLine& line : code->columns[0].window.lines) line.values.clear();
    hide_values(panels.rows[0].panels[1].picture);
    panels.rows[1].panels = {addresses_panel(c)};
  };
  return asked;
}

ControlNames array_controls(const Coalescing&) { return {"stride", "offset", "width", "order"}; }

constexpr Frame<Coalescing, CoalescingStart> coalescing_frame = {
    .subject = [](const Here& here) { return Coalescing(here.input, here.shown<CoalescingBeat>()->more); },
    .stop = "memory",
    .values = coalescing_values,
    .facts = coalescing_facts,
    .complete = take_controls};

constexpr CoalescingBeat coalescing_beats[] = {
    {.key = "lines",
     .panels = [](const Coalescing& c) -> PanelRows {
       return {{1, {access_code_panel(c)}}, {1, {sectors_panel(c)}}};
     },
     .controls = array_controls},
    {.key = "stride",
     .panels = [](const Coalescing& c) -> PanelRows {
       return {{1, {access_code_panel(c), sectors_chart(c, true)}}, {1, {sectors_panel(c)}}};
     },
     .controls = array_controls,
     .question = stride_question,
     .more = {.stride = 2}},
    {.key = "offset",
     .panels = [](const Coalescing& c) -> PanelRows {
       return {{1, {access_code_panel(c), sectors_chart(c, false)}}, {1, {sectors_panel(c)}}};
     },
     .controls = array_controls,
     .more = {.offset = 1}},
    {.key = "width",
     .panels = [](const Coalescing& c) -> PanelRows {
       return {{1, {access_code_panel(c), access_table(c, AccessTable::widths)}, true}, {1.1, {sectors_panel(c)}}};
     },
     .controls = array_controls},
    {.key = "order",
     .panels = [](const Coalescing& c) -> PanelRows {
       return {{1, {access_code_panel(c), access_table(c, AccessTable::orders)}, true}, {1.1, {sectors_panel(c)}}};
     },
     .controls = array_controls,
     .more = {.order = LaneOrder::shuffled}},
    {.key = "layout",
     .panels = [](const Coalescing& c) -> PanelRows {
       return {{1, {access_code_panel(c), access_table(c, AccessTable::layouts)}, true}, {1.1, {sectors_panel(c)}}};
     },
     .controls = [](const Coalescing&) -> ControlNames {
       return {"layout", "fields", "width"};
     },
     .more = {.layout = DataLayout::structures, .has_layout = true}},
    {.key = "tasks",
     .panels = [](const Coalescing& c) -> PanelRows {
       return {{1, {tasks_panel(c.input, coalescing_name, tasks_of(c))}, true}, {1, {sectors_panel(c)}, false, true}};
     },
     .more = {.has_layout = true}}};

}  // namespace

const Contents& coalescing_lab() {
  static const BeatTable table(coalescing_name, coalescing_frame, coalescing_beats);
  return table;
}

}  // namespace warpwalk::story
