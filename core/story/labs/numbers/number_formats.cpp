// Lab: the formats in which a GPU keeps numbers, and what mixed precision makes of vectors, sums and gradients.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/story/facts/words/ask.h"
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

void add_facts(const NumberLab& lab, const std::string& beat, FactWriter& facts) {
  const auto real = [&](std::string_view key, double value, int digits = 9) {
    facts.derived(key, real_text(value, digits));
  };
  if (beat == "vector" || beat == "blocks") {
    const alu::ScaledFormat& scaled = alu::scaled_formats()[lab.scaled];
    const alu::ScaledVector quantised = alu::quantised(scaled, lab.vector);
    real("rms", rms_error(lab.vector, quantised.values), 4);
    real("bits_each", bits_each(scaled, quantised), 4);
    facts.counted("scales", scaled.block_scale_bits() == 0 ? 0 : quantised.scales.size());
  } else if (beat == "sum") {
    real("exact_sum", lab.term * static_cast<double>(lab.terms));
    for (const std::string_view format : {"FP32", "FP16", "BF16"}) real(format, sum_in(lab, format));
  } else if (beat == "scaling") {
    const LostGradients lost = lost_gradients(lab);
    facts.counted("zeros", static_cast<std::size_t>(lost.zeros));
    facts.counted("subnormals", static_cast<std::size_t>(lost.subnormals));
    facts.counted("infinities", static_cast<std::size_t>(lost.infinities));
  } else {
    facts.derived("pattern", lab.hex(lab.pattern));
    real("value", lab.value(), 17);
    facts.derived("kind", lab.word(lab.kind_word()));
    if (std::isfinite(lab.value()) && !lab.flipped()) {
      facts.derived("error", error_text(lab, *lab.format, lab.value()));
      real("spacing", alu::spacing_at(*lab.format, lab.pattern), 4);
    }
    facts.counted("exact", static_cast<std::size_t>(exact_formats(lab)));
  }
}

void set_picture(const NumberLab& lab, const std::string& beat, Stage& stage) {
  Panels panels;
  if (beat == "bits")
    panels.rows = {{2, {bits_panel(lab)}}, {3, {parts_panel(lab)}}};
  else if (beat == "rounding")
    panels.rows = {{1, {kept_panel(lab)}}};
  else if (beat == "range")
    panels.rows = {{1, {range_panel(lab)}}, {1, {limits_panel(lab)}, true}};
  else if (beat == "specials")
    panels.rows = {{1, {patterns_panel(lab)}}};
  else if (beat == "vector")
    panels.rows = {{1, {vector_panel(lab)}}};
  else if (beat == "blocks")
    panels.rows = {{1, {errors_panel(lab)}, true}};
  else if (beat == "sum")
    panels.rows = {{1, {sums_panel(lab)}}};
  else if (beat == "scaling")
    panels.rows = {{1, {gradients_panel(lab)}}};
  else
    panels.rows = {{3, {tasks_panel(lab.input, NumberLab::name, tasks_of(lab))}, true}, {2, {bits_panel(lab)}}};
  stage.picture = std::make_shared<const Panels>(std::move(panels));
  if (beat == "vector" || beat == "blocks")
    keep_controls(stage, {"scaled", "outlier"});
  else if (beat == "sum")
    keep_controls(stage, {"term", "terms"});
  else if (beat == "scaling")
    keep_controls(stage, {"scale"});
  else if (beat == "range" || beat == "specials")
    keep_controls(stage, {"format"});
  else if (beat == "tasks")
    keep_controls(stage, {"format", "digits", "power", "outlier", "scale"});
  else
    keep_controls(stage, {"format", "digits", "power"});
}

// The question about the final FP16 sum, before it is shown.
Ask sum_question(const NumberLab& lab) {
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

}  // namespace

std::vector<Beat> number_formats_beats(const Trace&, const Walk&) {
  return {{"bits", 0},   {"rounding", 0}, {"range", 0},   {"specials", 0}, {"vector", 0},
          {"blocks", 0}, {"sum", 0},      {"scaling", 0}, {"tasks", 0}};
}

Stage number_formats(const SceneInput& input) {
  const std::vector<Beat> beats = number_formats_beats(input.trace, input.walk);
  const std::string beat = beats[static_cast<std::size_t>(input.moment.value - 1)].key;
  NumberLab lab(input, beat);
  const Narration::Values values = values_of(lab);
  Stage stage = common_stage(input, NumberLab::name, beats, values, "registers");
  FactWriter facts(input, values, stage);
  add_facts(lab, beat, facts);
  stage.controls = lab.controls.take();
  set_picture(lab, beat, stage);
  for (Control& control : stage.controls) {
    if (control.name == "power") control.shown = fmt::format("10^{}", static_cast<std::int64_t>(control.value));
    if (control.name == "scale") control.shown = "× " + with_thousands(std::int64_t{1} << lab.loss_scale);
    if (control.name == "outlier") control.shown = "× " + control.shown;
    if (control.name == "term") control.shown = real_text(control.value / 1000);
  }
  if (beat == "sum") ask(input, values, sum_question(lab), stage);
  return stage;
}

}  // namespace warpwalk::story
