#include "core/story/facts/words/ask.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "core/story/facts/words/fact_writer.h"

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
  stage.picture = {};
  if (asked.before) asked.before(stage);
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
  return options;
}

void take_answer(const Narration& narration, const Predictions& said, std::size_t right, Question& question) {
  const Prediction* found = said.find(question.key, question.about);
  if (found != nullptr && found->option && *found->option >= question.options.size()) found = nullptr;
  if (found != nullptr) question.chosen = found->option;
  if (found == nullptr || !found->committed) {
    question.hint = narration.text("question", "hint", {{"last", std::to_string(question.options.size())}});
    question.word_answer = narration.text("question", "answer");
    return;
  }
  question.state = found->option ? Question::State::answered : Question::State::skipped;
  question.right = right;
  Narration::Values values = {{"right", question.options[right]}};
  if (question.chosen) values["answer"] = question.options[*question.chosen];
  question.verdict = narration.text("question",
                                    question.correct() ? "right"
                                    : question.chosen  ? "wrong"
                                                       : "skipped",
                                    values);
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
  question.options = asked.options.words;
  question.text = n.text(section, "question", known);
  take_answer(n, input.predictions, asked.options.right, question);
  if (question.asked()) {
    hide_answer(input, known, asked, section, stage);
  } else {
    known["right"] = question.options[*question.right];
    if (question.chosen) known["answer"] = question.options[*question.chosen];
    question.why = n.text(section, "why", known);
  }
  stage.question = std::move(question);
}

}  // namespace warpwalk::story
