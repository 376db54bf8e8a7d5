// Lab: a tensor's sizes, strides and offset over its storage; views and copies; a warp that reads a view; device,
// layout and dtype.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "core/analysis/memory/tensor_layout.h"
#include "core/story/labs/labs.h"
#include "core/story/labs/tensors/tensors.h"
#include "core/story/pictures/hide.h"

namespace warpwalk::story {
namespace {

std::vector<Task> tasks_of(const Tensors& lab) {
  const ops::Geometry& g = lab.geometry();
  const bool copied = lab.has(StepEffect::copy), refused = lab.has(StepEffect::refused);
  const TakenStep* const final = lab.chain.empty() ? nullptr : &lab.chain.back();
  const TakenStep* const before = lab.chain.size() < 2 ? nullptr : &lab.chain[lab.chain.size() - 2];
  return {{"scattered", !copied && !refused && !g.contiguous()},
          {"offset", !copied && g.offset > 0 && g.contiguous()},
          {"copy", copied && final->effect == StepEffect::copy && final->code.starts_with(".reshape")},
          {"joined", final != nullptr && final->code.starts_with(".view") && final->effect == StepEffect::view &&
                         before != nullptr && !before->after.geometry.contiguous()},
          {"refused", refused && final->code.starts_with(".view")},
          {"repeated", g.count() > std::ssize(lab.last().storage)}};
}

using TensorsBeat = BeatOf<Tensors, TensorsStart>;

PanelRow steps_row(const Tensors& lab) { return {1, {steps_panel(lab)}, true}; }

// The tensor by its indices and the place of one element, over the storage.
PanelRows place_panels(const Tensors& lab) {
  std::vector<Panel> elements = element_panels(lab);
  Panel place = place_panel(lab);
  place.share = std::max(1.0, 0.6 * static_cast<double>(elements.size()));
  elements.push_back(std::move(place));
  return {{2.2, std::move(elements)}, {1, {storage_panel(lab)}}};
}

PanelRows chain_panels(const Tensors& lab) {
  const ops::Geometry& g = lab.geometry();
  const double share = 0.8 + 0.25 * static_cast<double>(g.dims() > 1 ? g.sizes[g.dims() - 2] : 1);
  if (!lab.has(StepEffect::copy)) return {{share, element_panels(lab)}, {1, {storage_panel(lab)}}, steps_row(lab)};
  // A row that is the whole new storage need not be drawn twice.
  if (g.dims() == 1 && g.contiguous() && g.count() == std::ssize(lab.last().storage))
    return {{1, {old_storage_panel(lab)}}, {1, {storage_panel(lab)}}, steps_row(lab)};
  return {{share, element_panels(lab)}, {1, {old_storage_panel(lab), storage_panel(lab)}}, steps_row(lab)};
}

void layout_facts(const Tensors& lab, FactWriter& facts) {
  const ops::Geometry& g = lab.geometry();
  if (!lab.is_empty()) facts.derived("place", lab.place_text(lab.element));
  facts.derived("sizes", analysis::strides_text(g.sizes));
  facts.derived("strides", analysis::strides_text(g.strides));
  facts.derived("offset", fmt::to_string(g.offset));
  facts.derived("contiguous", lab.word(g.contiguous() ? "yes" : "no"));
}

void read_facts(const Tensors& lab, FactWriter& facts) {
  const WarpRead read(lab.stride, element_types[lab.type].bytes);
  facts.derived("sectors", static_cast<double>(read.sectors), Unit::count);
  facts.derived("moved", static_cast<double>(read.sectors * 32), Unit::bytes);
  facts.derived("efficiency", read.efficiency(), Unit::percent);
  if (const auto times = measured_times(lab, lab.stride))
    facts.derived("times", with_marks(fmt::format("{:.3g}", *times)));
  else
    facts.missing("views");
}

void axes_facts(const Tensors& lab, FactWriter& facts) {
  facts.derived("key", layout_key(Tensors::backends[lab.device], lab.layout));
  for (const MatrixLayout layout : {MatrixLayout::strided, MatrixLayout::coo, MatrixLayout::csr}) {
    const std::string_view key = layout_keys[static_cast<std::size_t>(layout)];
    facts.named(lab.word(key),
                Figure::derived(static_cast<double>(bytes_of(lab.matrix, layout, element_types[lab.type].bytes)),
                                Unit::bytes, lab.word(fmt::format("{}_formula", key))));
  }
}

// Places that could be taken for the right one, ascending: the place in row-major order, and some others.
Options place_options(const Tensors& lab) {
  const std::int64_t count = std::ssize(lab.last().storage);
  std::set<std::int64_t> places = {lab.place(), lab.element % count};
  for (std::int64_t away = 1; places.size() < std::min<std::size_t>(4, lab.last().storage.size()); ++away)
    places.insert((lab.place() + 5 * away) % count);
  Options options;
  for (const std::int64_t place : places) {
    if (place == lab.place()) options.right = options.words.size();
    options.keys.emplace_back(place == lab.element % count ? "row_major" : "other");
    options.words.push_back(fmt::to_string(place));
  }
  return options;
}

std::optional<Ask> address_question(const Tensors& lab) {
  Ask place{"place", fmt::format("{} {}", lab.code(), lab.element), place_options(lab), {"sizes", "strides", "offset"}};
  place.hide = [](Panels& panels) {  // strides and indices stay, the products and the marked places go
    if (auto* const elements = picture_at<CellGrid>(panels, 0, 0)) hide_cells(*elements);
    if (auto* const sum = picture_at<TablePicture>(panels, 0, 1)) hide_columns(*sum, 3);
    if (auto* const places = picture_at<CellGrid>(panels, 1, 0)) {
      hide_tones(*places);
      places->followed.reset();
    }
  };
  return place;
}

std::optional<Ask> effect_question(const Tensors& lab) {
  if (lab.chain.empty()) return {};
  Options options;
  for (const std::string_view key : effect_keys) options.words.push_back(lab.word(fmt::format("effect_{}", key)));
  options.right = static_cast<std::size_t>(lab.chain.back().effect);
  options.keys.assign(effect_keys.begin(), effect_keys.end());
  const auto known = [&lab](Stage& stage) {
    stage.picture = std::make_shared<const Panels>(Panels{{{1, {steps_panel(lab, false)}, true}}});
  };
  return Ask{"effect", lab.code(), options, {}, known};
}

std::string read_section(const Tensors& lab) {
  if (lab.stride == 1) return "read.packed";
  return measured_times(lab, lab.stride) && element_types[lab.type].name == "float32" ? "read" : "read.unmeasured";
}

// By the last effect.
std::string chain_section(const Tensors& lab) {
  return lab.chain.empty() ? "chain.none"
                           : fmt::format("chain.{}", effect_keys[static_cast<std::size_t>(lab.chain.back().effect)]);
}

Narration::Values values_of(const Tensors& lab) {
  const ops::Geometry& g = lab.geometry();
  const ElementType& type = element_types[lab.type];
  const WarpRead read(lab.stride, type.bytes), packed(1, type.bytes);
  return {{"code", lab.code()},
          {"tensor", lab.last_code()},
          {"before", lab.code(1)},
          {"step", lab.chain.empty() ? "" : lab.chain.back().code},
          {"why", lab.chain.empty() ? "" : lab.chain.back().why},
          {"copies", lab.word(lab.has(StepEffect::copy) ? "one_copy" : "no_copy")},
          {"sizes", analysis::strides_text(g.sizes)},
          {"strides", analysis::strides_text(g.strides)},
          {"row_major", analysis::strides_text(ops::row_major(g.sizes))},
          {"offset", fmt::to_string(g.offset)},
          {"index", lab.is_empty() ? "" : lab.index_text(lab.element)},
          {"place", fmt::to_string(lab.place())},
          {"sum", lab.is_empty() ? "" : lab.place_text(lab.element)},
          {"read", lab.read_text(lab.stride)},
          {"sectors", count_text(lab.input.narration, "sector", read.sectors)},
          {"packed", fmt::to_string(packed.sectors)},
          {"asked", fmt::to_string(32 * type.bytes)},
          {"efficiency", with_marks(fmt::format("{:.3g} %", read.efficiency()))},
          {"times", with_marks(fmt::format("{:.2g}", measured_times(lab, lab.stride).value_or(1)))},
          {"device", std::string(Tensors::devices[lab.device])},
          {"layout", lab.word(layout_keys[static_cast<std::size_t>(lab.layout)])},
          {"dtype", std::string(type.name)},
          {"key", layout_key(Tensors::backends[lab.device], lab.layout)},
          {"bytes", bytes_text(static_cast<double>(bytes_of(lab.matrix, lab.layout, type.bytes)))},
          {"dense", bytes_text(static_cast<double>(bytes_of(lab.matrix, MatrixLayout::strided, type.bytes)))}};
}

constexpr Frame<Tensors, TensorsStart> tensors_frame = {
    .subject = [](const Here& here) { return Tensors(here.input, here.shown<TensorsBeat>()->more); },
    .stop = "memory",
    .values = values_of,
    .complete = take_controls};

ControlNames first_step_controls(const Tensors&) { return {"tensor", "step1"}; }
ControlNames steps_controls(const Tensors&) { return {"step1", "step2", "step3"}; }

constexpr TensorsBeat tensors_beats[] = {
    {.key = "storage",
     .facts = layout_facts,
     .panels = place_panels,
     .controls = [](const Tensors&) -> ControlNames { return {"tensor"}; }},
    {.key = "view",
     .section = [](const Tensors& lab) -> std::string {
       return lab.has(StepEffect::refused) ? "view.refused" : "view";
     },
     .facts = layout_facts,
     .panels = place_panels,
     .controls = first_step_controls,
     .question = address_question,
     .more = {.taken = 1, .usual = {ChosenStep::transpose}}},
    {.key = "order",
     .section = [](const Tensors& lab) -> std::string {
       return lab.geometry().contiguous() ? "order.contiguous" : "order";
     },
     .facts = layout_facts,
     .panels = [](const Tensors& lab) -> PanelRows {
       return {{1, {order_panel(lab), dims_panel(lab)}}};
     },
     .controls = first_step_controls,
     .more = {.taken = 1, .usual = {ChosenStep::transpose}}},
    {.key = "chain",
     .section = chain_section,
     .facts = layout_facts,
     .panels = chain_panels,
     .controls = steps_controls,
     .question = effect_question,
     .more = {.taken = 3, .usual = {ChosenStep::transpose, ChosenStep::reshape}}},
    {.key = "read",
     .section = read_section,
     .facts = read_facts,
     .panels = [](const Tensors& lab) -> PanelRows {
       return {{2, {read_panel(lab), read_links(lab)}}, {1, {read_table(lab)}, true}};
     },
     .controls = [](const Tensors&) -> ControlNames {
       return {"stride", "dtype"};
     }},
    {.key = "axes",
     .facts = axes_facts,
     .panels = [](const Tensors& lab) -> PanelRows {
       return {{2.3, {matrix_panel(lab), bytes_panel(lab)}}, {1, array_panels(lab)}, {1, {axes_panel(lab)}, true}};
     },
     .controls = [](const Tensors&) -> ControlNames {
       return {"device", "layout", "dtype", "nonzeros"};
     },
     .more = {.layout = MatrixLayout::csr}},
    {.key = "tasks",
     .facts = layout_facts,
     .panels = [](const Tensors& lab) -> PanelRows {
       return {{1, {tasks_panel(lab.input, Tensors::name, tasks_of(lab))}, true}, steps_row(lab)};
     },
     .controls = steps_controls,
     .more = {.taken = 3}}};

}  // namespace

const Contents& tensors_lab() {
  static const BeatTable table(Tensors::name, tensors_frame, tensors_beats);
  return table;
}

}  // namespace warpwalk::story
