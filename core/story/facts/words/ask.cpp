#include "core/story/facts/words/ask.h"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/story/facts/words/fact_writer.h"
#include "core/story/pictures/hide.h"
#include "core/story/pictures/panels.h"
#include "core/story/pictures/plane.h"

namespace warpwalk::story {
namespace {

// Leaves what may be known before the answer.
void hide_answer(const SceneInput& input, const Narration::Values& values, const Ask& asked, const std::string& section,
                 Stage& stage) {
  const Narration& n = input.narration;
  stage.title = n.text(section, "question", values);
  stage.sentence = n.text(section, "sentence", values);
  stage.note = n.has(section, "note") ? n.text(section, "note", values) : "";
  const FactWriter writer(input, values, stage);
  std::set<std::string> allowed;
  for (const std::string_view key : asked.facts) allowed.insert(writer.word("fact", key));
  std::erase_if(stage.facts, [&](const Fact& fact) { return !allowed.contains(fact.label); });
  stage.controls.clear();
  // A picture of the plane hides by itself what gives the answer.
  if (std::holds_alternative<std::shared_ptr<const PlanePicture>>(stage.picture) && !asked.before) return;
  const auto* const held = std::get_if<std::shared_ptr<const Panels>>(&stage.picture);
  if (asked.before || held == nullptr || *held == nullptr) {
    stage.picture = {};
    if (asked.before) asked.before(stage);
    return;
  }
  auto left = std::make_shared<Panels>(**held);
  if (asked.hide)
    asked.hide(*left);
  else
    hide_values(*left);
  stage.picture = std::shared_ptr<const Panels>(std::move(left));
}

// Why the option is wrong.
std::string reason(const Narration& narration, const Narration::Values& known, const std::string& section,
                   const Options& options, std::size_t option) {
  Narration::Values values = known;
  values["answer"] = options.words[option];
  if (option < options.values.size())
    for (const auto& [name, value] : options.values[option]) values.insert_or_assign(name, value);
  if (option < options.keys.size() && narration.has(section, options.keys[option]))
    return narration.text(section, options.keys[option], values);
  return narration.text(section, option < options.right ? "low" : "high", values);
}

}  // namespace

Options number_options(const Narration& narration, std::string_view thing, std::int64_t right,
                       const std::vector<std::int64_t>& usual) {
  std::set<std::int64_t> numbers(usual.begin(), usual.end());
  if (!numbers.contains(right)) {
    numbers = {right - 1, right, right + 1, 2 * right, 4 * right};
    if (right > 3) numbers.insert(right / 2);
    std::erase_if(numbers, [](std::int64_t number) { return number < 1; });
  }
  Options options;
  for (const std::int64_t number : numbers) {
    if (number == right) options.right = options.words.size();
    options.words.push_back(count_text(narration, thing, number));
    options.keys.push_back(fmt::format("n{}", number));
    options.values.push_back({{"number", with_thousands(number)}});
  }
  return options;
}

Options range_options(const Narration& narration, double right, const std::vector<std::int64_t>& bounds,
                      std::string_view unit) {
  const auto words = [&](std::string_view key, std::int64_t from, std::int64_t to) {
    return narration.text("question.range", key,
                          {{"from", with_thousands(from)},
                           {"to", with_thousands(to)},
                           {"unit", unit.empty() ? std::string() : fmt::format(" {}", unit)}});
  };
  Options options;
  options.words.push_back(words("under", 0, bounds.front()));
  for (std::size_t i = 1; i < bounds.size(); ++i) options.words.push_back(words("between", bounds[i - 1], bounds[i]));
  options.words.push_back(words("over", bounds.back(), 0));
  options.right = static_cast<std::size_t>(
      std::ranges::count_if(bounds, [&](std::int64_t bound) { return right >= static_cast<double>(bound); }));
  for (std::size_t i = 0; i < options.words.size(); ++i) {
    options.keys.emplace_back(i == 0 ? "first" : i == bounds.size() ? "last" : i < options.right ? "low" : "high");
    const std::int64_t bound = i < options.right ? bounds[i] : bounds[i == 0 ? 0 : i - 1];
    options.values.push_back({{"bound", fmt::format("{}{}", with_thousands(bound),
                                                    unit.empty() ? std::string() : fmt::format(" {}", unit))}});
  }
  return options;
}

void take_answer(const Narration& narration, const Predictions& said, std::size_t right, Question& question) {
  const Prediction* const found = said.find(question.key, question.about);
  if (found != nullptr)
    for (const std::size_t given : found->given) {
      if (given >= question.options.size()) continue;
      if (given == right) {
        question.state = Question::State::answered;
        question.chosen = given;
        break;
      }
      question.tried.push_back(given);
    }
  if (question.asked() && found != nullptr && found->skipped) question.state = Question::State::skipped;
  if (question.asked()) {
    if (found != nullptr && found->marked && *found->marked < question.options.size() &&
        !question.was_tried(*found->marked))
      question.chosen = found->marked;
    const bool again = !question.tried.empty();
    question.hint =
        narration.text("question", again ? "hint_again" : "hint", {{"last", std::to_string(question.options.size())}});
    question.word_answer = narration.text("question", "answer");
    if (again)
      question.verdict = narration.text("question", "wrong", {{"answer", question.options[question.tried.back()]}});
    return;
  }
  question.right = right;
  const std::string_view key = !question.correct() ? "skipped" : question.tried.empty() ? "right" : "right_later";
  question.verdict = narration.text(
      "question", key, {{"right", question.options[right]}, {"tries", std::to_string(question.tried.size() + 1)}});
}

void ask(const SceneInput& input, const Narration::Values& values, const Ask& asked, Stage& stage) {
  if (!input.predictions.asking || asked.options.words.size() < 2 || asked.options.words.size() > max_options) return;
  const Narration& n = input.narration;
  const std::string section = fmt::format("{}.ask.{}", stage.scene, asked.key);
  Narration::Values known = values;
  for (const auto& [name, value] : asked.values) known.insert_or_assign(name, value);
  Question question;
  question.key = fmt::format("{}.{}", stage.scene, asked.key);
  question.about = fmt::format("kernel {} {}", input.walk.kernel, asked.about);
  // A lab asks once: then its sliders are free until it is reset.
  if (stage.scene.starts_with("lab/") && input.predictions.find(question.key, question.about) == nullptr &&
      input.predictions.has_other(question.key, question.about))
    return;
  question.options = asked.options.words;
  question.text = n.text(section, "question", known);
  take_answer(n, input.predictions, asked.options.right, question);
  if (question.asked()) {
    hide_answer(input, known, asked, section, stage);
    if (!question.tried.empty())
      question.why =
          reason(n, known, fmt::format("{}.wrong.{}", stage.scene, asked.key), asked.options, question.tried.back());
  } else {
    known["right"] = question.options[*question.right];
    question.why = n.text(section, "why", known);
  }
  stage.question = std::move(question);
}

}  // namespace warpwalk::story
