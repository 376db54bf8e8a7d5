// Lab: the formats in which a GPU keeps numbers, and what mixed precision makes of vectors, sums and gradients.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/story/labs/numbers/numbers.h"
#include "core/story/pictures/hide.h"

namespace warpwalk::story {
namespace {

namespace alu = gpu::alu;

std::int64_t exact_formats(const NumberLab& lab) {
  return std::ranges::count_if(alu::number_formats(),
                               [&](const NumberLab::Format& format) { return lab.exact_in(format); });
}

double sum_in(const NumberLab& lab, std::string_view format) {
  return alu::running_sums(alu::number_format(format), lab.term, static_cast<std::size_t>(lab.terms)).back();
}

double rms_of(const NumberLab& lab, std::string_view format) {
  const auto found = std::ranges::find(alu::scaled_formats(), format, &alu::ScaledFormat::name);
  return rms_error(lab.vector, alu::quantised(*found, lab.vector).values);
}

Narration::Values values_of(const NumberLab& lab) {
  const LostGradients lost = lost_gradients(lab);
  const alu::ScaledFormat& scaled = alu::scaled_formats()[lab.scaled];
  return {{"format", std::string(lab.format->name)},
          {"n", fmt::to_string(lab.format->bits())},
          {"entered", real_text(lab.entered, 9)},
          {"value", real_text(lab.value(), 9)},
          {"kind", lab.word(lab.kind_word())},
          {"exact", fmt::to_string(exact_formats(lab))},
          {"formats", fmt::to_string(alu::number_formats().size())},
          {"scaled", std::string(scaled.name)},
          {"rms", real_text(rms_of(lab, scaled.name), 3)},
          {"terms", with_thousands(lab.terms)},
          {"term", real_text(lab.term)},
          {"exact_sum", real_text(lab.term * static_cast<double>(lab.terms))},
          {"fp16_sum", real_text(sum_in(lab, "FP16"))},
          {"fp32_sum", real_text(sum_in(lab, "FP32"))},
          {"scale", with_thousands(std::int64_t{1} << lab.loss_scale)},
          {"zeros", fmt::to_string(lost.zeros)},
          {"infinities", fmt::to_string(lost.infinities)},
          {"gradients", fmt::to_string(lab.gradients.size())}};
}

std::vector<Task> tasks_of(const NumberLab& lab) {
  const alu::NumberKind kind = alu::kind_of(*lab.format, lab.pattern);
  const LostGradients lost = lost_gradients(lab);
  return {{"largest", lab.format->name == "FP8 E4M3" && lab.value() == alu::largest(*lab.format)},
          {"subnormal", kind == alu::NumberKind::subnormal},
          {"nan", kind == alu::NumberKind::nan},
          {"exact", lab.entered != 0 && exact_formats(lab) == std::ssize(alu::number_formats())},
          {"blocks", rms_of(lab, "INT8") > rms_of(lab, "NVFP4")},
          {"scale", lost.zeros == 0 && lost.infinities == 0}};
}

using NumberBeat = BeatOf<NumberLab, NumberStart>;

void real_fact(FactWriter& facts, std::string_view key, double value, int digits = 9) {
  facts.derived(key, real_text(value, digits));
}

void value_facts(const NumberLab& lab, FactWriter& facts) {
  facts.derived("pattern", lab.hex(lab.pattern));
  real_fact(facts, "value", lab.value(), 17);
  facts.derived("kind", lab.word(lab.kind_word()));
  if (std::isfinite(lab.value()) && !lab.flipped()) {
    facts.derived("error", error_text(lab, *lab.format, lab.value()));
    real_fact(facts, "spacing", alu::spacing_at(*lab.format, lab.pattern), 4);
  }
  facts.counted("exact", static_cast<std::size_t>(exact_formats(lab)));
}

void vector_facts(const NumberLab& lab, FactWriter& facts) {
  const alu::ScaledFormat& scaled = alu::scaled_formats()[lab.scaled];
  const alu::ScaledVector quantised = alu::quantised(scaled, lab.vector);
  real_fact(facts, "rms", rms_error(lab.vector, quantised.values), 4);
  real_fact(facts, "bits_each", bits_each(scaled, quantised), 4);
  facts.counted("scales", scaled.block_scale_bits() == 0 ? 0 : quantised.scales.size());
}

void sum_facts(const NumberLab& lab, FactWriter& facts) {
  real_fact(facts, "exact_sum", lab.term * static_cast<double>(lab.terms));
  for (const std::string_view format : {"FP32", "FP16", "BF16"}) real_fact(facts, format, sum_in(lab, format));
}

void scaling_facts(const NumberLab& lab, FactWriter& facts) {
  const LostGradients lost = lost_gradients(lab);
  facts.counted("zeros", static_cast<std::size_t>(lost.zeros));
  facts.counted("subnormals", static_cast<std::size_t>(lost.subnormals));
  facts.counted("infinities", static_cast<std::size_t>(lost.infinities));
}

// The question about the final FP16 sum, before it is shown.
std::optional<Ask> sum_question(const NumberLab& lab) {
  Ask asked;
  asked.key = "sum";
  asked.about = fmt::format("{} times {}", lab.terms, lab.term);
  const double right = sum_in(lab, "FP16"), exact = lab.term * static_cast<double>(lab.terms);
  std::vector<double> sums = {right, exact, exact / 2, alu::largest(alu::number_format("FP16")), 0};
  std::ranges::sort(sums);
  const auto near = [](double a, double b) { return std::abs(a - b) < 0.02 * std::max(a, b); };
  double before = -1;
  for (const double sum : sums) {
    if (sum != right && (near(sum, right) || near(sum, before))) continue;
    if (sum == before) continue;
    if (sum == right) asked.options.right = asked.options.words.size();
    asked.options.words.push_back(real_text(sum, 5));
    asked.options.keys.emplace_back(sum == exact ? "exact" : sum == 0 ? "zero" : sum == exact / 2 ? "half" : "largest");
    before = sum;
  }
  asked.hide = [](Panels& panels) {  // the exact sum and that in FP32 stay
    auto* const chart = picture_at<ScatterPicture>(panels, 0, 0);
    if (chart == nullptr) return;
    for (std::size_t group = 1; group < chart->groups.size(); ++group) hide_group(*chart, group);
  };
  return asked;
}

void complete(NumberLab& lab, const Narration::Values&, Stage& stage) {
  stage.controls = lab.controls.take();
  for (Control& control : stage.controls) {
    if (control.name == "power") control.shown = fmt::format("10^{}", static_cast<std::int64_t>(control.value));
    if (control.name == "scale") control.shown = "× " + with_thousands(std::int64_t{1} << lab.loss_scale);
    if (control.name == "outlier") control.shown = "× " + control.shown;
    if (control.name == "term") control.shown = real_text(control.value / 1000);
  }
}

constexpr Frame<NumberLab, NumberStart> number_frame = {
    .subject = [](const Here& here) { return NumberLab(here.input, here.shown<NumberBeat>()->more); },
    .stop = "registers",
    .values = values_of,
    .complete = complete};

ControlNames value_controls(const NumberLab&) { return {"format", "digits", "power"}; }
ControlNames format_controls(const NumberLab&) { return {"format"}; }
ControlNames vector_controls(const NumberLab&) { return {"scaled", "outlier"}; }

constexpr NumberBeat number_beats[] = {
    {.key = "bits",
     .facts = value_facts,
     .panels = [](const NumberLab& lab) -> PanelRows {
       return {{2, {bits_panel(lab)}}, {3, {parts_panel(lab)}}};
     },
     .controls = value_controls},
    {.key = "rounding",
     .facts = value_facts,
     .panels = [](const NumberLab& lab) -> PanelRows {
       return {{1, {kept_panel(lab)}}};
     },
     .controls = value_controls},
    {.key = "range",
     .facts = value_facts,
     .panels = [](const NumberLab& lab) -> PanelRows {
       return {{1, {range_panel(lab), limits_panel(lab)}, true}};
     },
     .controls = format_controls},
    {.key = "specials",
     .facts = value_facts,
     .panels = [](const NumberLab& lab) -> PanelRows {
       return {{1, {patterns_panel(lab)}}};
     },
     .controls = format_controls,
     .more = {.format = 5}},
    {.key = "vector",
     .facts = vector_facts,
     .panels = [](const NumberLab& lab) -> PanelRows {
       return {{1, {vector_panel(lab)}}};
     },
     .controls = vector_controls},
    {.key = "blocks",
     .facts = vector_facts,
     .panels = [](const NumberLab& lab) -> PanelRows {
       return {{1, {errors_panel(lab)}, true}};
     },
     .controls = vector_controls},
    {.key = "sum",
     .facts = sum_facts,
     .panels = [](const NumberLab& lab) -> PanelRows {
       return {{1, {sums_panel(lab)}}};
     },
     .controls = [](const NumberLab&) -> ControlNames {
       return {"term", "terms"};
     },
     .question = sum_question},
    {.key = "scaling",
     .facts = scaling_facts,
     .panels = [](const NumberLab& lab) -> PanelRows {
       return {{1, {gradients_panel(lab)}}};
     },
     .controls = [](const NumberLab&) -> ControlNames { return {"scale"}; }},
    {.key = "tasks",
     .facts = value_facts,
     .panels = [](const NumberLab& lab) -> PanelRows {
       return {{3, {tasks_panel(lab.input, NumberLab::name, tasks_of(lab))}, true}, {2, {bits_panel(lab)}}};
     },
     .controls = [](const NumberLab&) -> ControlNames {
       return {"format", "digits", "power", "outlier", "scale"};
     }}};

}  // namespace

const Contents& number_formats_lab() {
  static const BeatTable table(NumberLab::name, number_frame, number_beats);
  return table;
}

}  // namespace warpwalk::story
