// A change that was really made: the question before, and the prediction beside what was recorded.
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "core/records/hardware.h"
#include "core/story/facts/words/ask.h"
#include "core/story/labs/overview/overview.h"
#include "core/words/prediction_text.h"

namespace warpwalk::story {
namespace {

// The range of a prediction is drawn as what waits, hatched.
Row range_row(std::string name, const analysis::Prediction& prediction) {
  Row row{std::move(name), {}};
  const auto bar = [&](double from, double to, Role role) {
    row.bars.push_back({no_slice, {}, std::llround(from), std::llround(to), role, false, 1});
  };
  bar(0, *prediction.low, Role::kernel);
  bar(*prediction.low, *prediction.high, Role::wait);
  return row;
}

Row whole_row(std::string name, double time, Role role = Role::kernel) {
  Row row{std::move(name), {}};
  row.bars.push_back({no_slice, {}, 0, std::llround(time), role, false, 1});
  return row;
}

// What may be known before the answer: a step, and where its time is.
Panel step_panel(const OverviewLab& lab) {
  const analysis::Prediction& prediction = lab.made->prediction;
  const analysis::StepParts& parts = prediction.parts_before;
  TimelinePicture picture;
  picture.to = 1.02 * std::max({prediction.before, parts.cpu, parts.waiting, parts.gpu, 1.0});
  RowGroup group{lab.word("made_step"), {}};
  group.rows.push_back(whole_row(lab.word("made_before"), prediction.before));
  group.rows.push_back(whole_row(lab.word("made_cpu"), parts.cpu, Role::op));
  group.rows.push_back(whole_row(lab.word("made_waits"), parts.waiting, Role::wait));
  group.rows.push_back(whole_row(lab.word("made_gpu"), parts.gpu));
  picture.groups.push_back(std::move(group));
  return {"", 1, std::move(picture)};
}

}  // namespace

std::optional<MadePrediction> made_prediction(const SceneInput& input) {
  auto made = analysis::made_change(input.trace);
  if (!made) return {};
  MadePrediction all = {*std::move(made), {}};
  if (auto prediction = analysis::predict(input.trace, all.change.changes, input.hardware.devices))
    all.prediction = *std::move(prediction);
  else
    all.prediction.cannot = prediction.error();
  all.prediction.graph = {};
  all.prediction.times = {};
  return all;
}

void made_values(const OverviewLab& lab, Narration::Values& values) {
  const auto& [change, prediction] = *lab.made;
  std::string changes, words;
  for (const analysis::Change& one : change.changes) {
    changes += (changes.empty() ? "" : ", ") + one.text;
    words += (words.empty() ? "" : "; ") + words::change_text(lab.input.narration, one);
  }
  values["changes"] = changes;
  values["change_words"] = words;
  values["made_file"] = change.file;
  values["made_before"] = time_text(prediction.before);
  values["made_after"] = time_text(change.step);
  values["made_share"] = with_marks(fmt::format("{:.0f} %", 100 * change.step / std::max(1.0, prediction.before)));
  values["predicted"] = words::prediction_text(lab.input.narration, prediction);
  const bool inside = prediction.step && *prediction.low <= change.step && change.step <= *prediction.high;
  values["inside"] = !prediction.step ? "" : lab.word(inside ? "made_inside" : "made_outside");
}

void made_facts(const OverviewLab& lab, FactWriter& facts) {
  const auto& [change, prediction] = *lab.made;
  facts.derived("made_before", prediction.before, Unit::nanoseconds);
  if (prediction.step) facts.derived("made_predicted", *prediction.step, Unit::nanoseconds);
  facts.derived("made_after", change.step, Unit::nanoseconds);
}

PanelRows made_panels(const OverviewLab& lab) {
  const auto& [change, prediction] = *lab.made;
  TimelinePicture picture;
  picture.to = 1.02 * std::max({prediction.before, change.step, prediction.high.value_or(0), 1.0});
  RowGroup group{lab.word("made_steps"), {}};
  group.rows.push_back(whole_row(lab.word("made_before"), prediction.before));
  if (prediction.step) group.rows.push_back(range_row(lab.word("made_predicted"), prediction));
  group.rows.push_back(whole_row(lab.word("made_after"), change.step));
  picture.groups.push_back(std::move(group));
  TablePicture table;
  table.columns = {{lab.word("made_change"), 1, false, true},
                   {lab.word("made_origin"), 1, false, true},
                   {lab.word("made_basis"), 1, false, false, true}};
  for (const analysis::PredictionBasis& one : prediction.basis)
    table.rows.push_back(
        {{word_cell(one.change), word_cell(lab.input.narration.text("prediction_origin", name_of(one.origin))),
          word_cell(one.text)}});
  return {{0.8, {{"", 1, std::move(picture)}}}, {1, {{"", 1, std::move(table)}}, true}};
}

std::optional<Ask> made_question(const OverviewLab& lab) {
  const auto& [change, prediction] = *lab.made;
  Ask asked{
      "made",
      {},
      range_options(lab.input.narration, 100 * change.step / std::max(1.0, prediction.before), {50, 80, 95, 105}, "%"),
      {"made_before"}};
  asked.before = [panel = step_panel(lab)](Stage& stage) {
    stage.picture = std::make_shared<const Panels>(Panels{PanelRows{{1, {panel}}}});
  };
  return asked;
}

}  // namespace warpwalk::story
