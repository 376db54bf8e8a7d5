// Lab: a tensor's sizes, strides and offset over its storage; views and copies; a warp that reads a view; device,
// layout and dtype.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "core/analysis/memory/tensor_layout.h"
#include "core/story/facts/words/ask.h"
#include "core/story/labs/lab.h"
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

void set_panels(Panels panels, Stage& stage) { stage.picture = std::make_shared<const Panels>(std::move(panels)); }

PanelRow row_of(double share, std::vector<Panel> left, Panel right, double right_share) {
  right.share = right_share;
  left.push_back(std::move(right));
  return {share, std::move(left)};
}

Panels panels_of(const Tensors& lab, std::string_view beat) {
  const PanelRow storage = {1, {storage_panel(lab)}};
  if (beat == "storage" || beat == "view") {
    std::vector<Panel> elements = element_panels(lab);
    const double share = std::max(1.0, 0.6 * static_cast<double>(elements.size()));
    return {{row_of(2.2, std::move(elements), place_panel(lab), share), storage}};
  }
  if (beat == "order") return {{{1, {order_panel(lab), dims_panel(lab)}}}};
  if (beat == "read") return {{{2, {read_panel(lab), read_links(lab)}}, {1, {read_table(lab)}, true}}};
  if (beat == "axes")
    return {{{2.3, {matrix_panel(lab), bytes_panel(lab)}}, {1, array_panels(lab)}, {1, {axes_panel(lab)}, true}}};
  Panels panels;
  if (beat == "tasks") {
    panels.rows.push_back({1, {tasks_panel(lab.input, Tensors::name, tasks_of(lab))}, true});
  } else {
    const ops::Geometry& g = lab.geometry();
    const auto lines = static_cast<double>(g.dims() > 1 ? g.sizes[g.dims() - 2] : 1);
    // A row that is the whole new storage need not be drawn twice.
    const bool row = g.dims() == 1 && g.contiguous() && g.count() == std::ssize(lab.last().storage);
    if (!lab.has(StepEffect::copy))
      panels.rows = {{0.8 + 0.25 * lines, element_panels(lab)}, storage};
    else if (row)
      panels.rows = {{1, {old_storage_panel(lab)}}, storage};
    else
      panels.rows = {{0.8 + 0.25 * lines, element_panels(lab)}, {1, {old_storage_panel(lab), storage_panel(lab)}}};
  }
  panels.rows.push_back({1, {steps_panel(lab)}, true});
  return panels;
}

void add_facts(const Tensors& lab, std::string_view beat, FactWriter& facts) {
  const ops::Geometry& g = lab.geometry();
  if (beat == "read") {
    const WarpRead read(lab.stride, element_types[lab.type].bytes);
    facts.derived("sectors", static_cast<double>(read.sectors), Unit::count);
    facts.derived("moved", static_cast<double>(read.sectors * 32), Unit::bytes);
    facts.derived("efficiency", read.efficiency(), Unit::percent);
    if (const auto times = measured_times(lab, lab.stride))
      facts.derived("times", fmt::format("{:.3g}", *times));
    else
      facts.missing("views");
    return;
  }
  if (beat == "axes") {
    facts.derived("key", layout_key(Tensors::backends[lab.device], lab.layout));
    for (const MatrixLayout layout : {MatrixLayout::strided, MatrixLayout::coo, MatrixLayout::csr}) {
      const std::string_view key = layout_keys[static_cast<std::size_t>(layout)];
      facts.named(lab.word(key),
                  Figure::derived(static_cast<double>(bytes_of(lab.matrix, layout, element_types[lab.type].bytes)),
                                  Unit::bytes, lab.word(fmt::format("{}_formula", key))));
    }
    return;
  }
  if (!lab.is_empty()) facts.derived("place", lab.place_text(lab.element));
  facts.derived("sizes", analysis::strides_text(g.sizes));
  facts.derived("strides", analysis::strides_text(g.strides));
  facts.derived("offset", fmt::to_string(g.offset));
  facts.derived("contiguous", lab.word(g.contiguous() ? "yes" : "no"));
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

void ask_questions(const SceneInput& input, const Narration::Values& values, const Tensors& lab, std::string_view beat,
                   Stage& stage) {
  if (beat == "view") {
    Ask place{
        "place", fmt::format("{} {}", lab.code(), lab.element), place_options(lab), {"sizes", "strides", "offset"}};
    place.hide = [](Panels& panels) {  // strides and indices stay, the products and the marked places go
      if (auto* const elements = picture_at<CellGrid>(panels, 0, 0)) hide_cells(*elements);
      if (auto* const sum = picture_at<TablePicture>(panels, 0, 1)) hide_columns(*sum, 3);
      if (auto* const places = picture_at<CellGrid>(panels, 1, 0)) {
        hide_tones(*places);
        places->followed.reset();
      }
    };
    ask(input, values, place, stage);
  }
  if (beat == "chain" && !lab.chain.empty()) {
    Options options;
    for (const std::string_view key : effect_keys) options.words.push_back(lab.word(fmt::format("effect_{}", key)));
    options.right = static_cast<std::size_t>(lab.chain.back().effect);
    options.keys.assign(effect_keys.begin(), effect_keys.end());
    const auto known = [&](Stage& s) { set_panels({{{1, {steps_panel(lab, false)}, true}}}, s); };
    ask(input, values, {"effect", lab.code(), options, {}, known}, stage);
  }
}

// The section of the narration: some beats have another one for a tensor that is contiguous, or for the last effect.
std::string section_of(const Tensors& lab, std::string_view beat) {
  if (beat == "view") return lab.has(StepEffect::refused) ? "view.refused" : "view";
  if (beat == "order") return lab.geometry().contiguous() ? "order.contiguous" : "order";
  if (beat == "read") {
    if (lab.stride == 1) return "read.packed";
    return measured_times(lab, lab.stride) && element_types[lab.type].name == "float32" ? "read" : "read.unmeasured";
  }
  if (beat != "chain") return std::string(beat);
  if (lab.chain.empty()) return "chain.none";
  return std::string("chain.").append(effect_keys[static_cast<std::size_t>(lab.chain.back().effect)]);
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
          {"efficiency", fmt::format("{:.3g} %", read.efficiency())},
          {"times", fmt::format("{:.2g}", measured_times(lab, lab.stride).value_or(1))},
          {"device", std::string(Tensors::devices[lab.device])},
          {"layout", lab.word(layout_keys[static_cast<std::size_t>(lab.layout)])},
          {"dtype", std::string(type.name)},
          {"key", layout_key(Tensors::backends[lab.device], lab.layout)},
          {"bytes", bytes_text(static_cast<double>(bytes_of(lab.matrix, lab.layout, type.bytes)))},
          {"dense", bytes_text(static_cast<double>(bytes_of(lab.matrix, MatrixLayout::strided, type.bytes)))}};
}

}  // namespace

std::vector<Beat> tensors_beats(const Trace&, const Walk&) {
  return {{"storage", 0}, {"view", 0}, {"order", 0}, {"chain", 0}, {"read", 0}, {"axes", 0}, {"tasks", 0}};
}

Stage tensors(const SceneInput& input) {
  std::vector<Beat> beats = tensors_beats(input.trace, input.walk);
  Beat& here = beats[static_cast<std::size_t>(input.moment.value - 1)];
  const std::string beat = here.key;
  Tensors lab(input, beat);
  here.key = section_of(lab, beat);
  const Narration::Values values = values_of(lab);
  Stage stage = common_stage(input, Tensors::name, beats, values, "memory");
  FactWriter facts(input, values, stage);
  add_facts(lab, beat, facts);
  set_panels(panels_of(lab, beat), stage);
  stage.controls = lab.controls.take();
  if (beat == "storage") keep_controls(stage, {"tensor"});
  if (beat == "view" || beat == "order") keep_controls(stage, {"tensor", "step1"});
  if (beat == "chain" || beat == "tasks") keep_controls(stage, {"step1", "step2", "step3"});
  if (beat == "read") keep_controls(stage, {"stride", "dtype"});
  if (beat == "axes") keep_controls(stage, {"device", "layout", "dtype", "nonzeros"});
  ask_questions(input, values, lab, beat, stage);
  return stage;
}

}  // namespace warpwalk::story
