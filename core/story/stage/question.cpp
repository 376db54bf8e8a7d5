#include "core/story/stage/question.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/enum_names.h"

namespace warpwalk::story {

std::string_view name_of(Question::State state) { return base::enum_name(state); }

bool Question::was_tried(std::size_t option) const { return std::ranges::find(tried, option) != tried.end(); }

void Predictions::choose(const std::string& key, const std::string& about, std::size_t option) {
  Prediction& said = said_[{key, about}];
  if (!said.skipped) said.marked = option;
}

void Predictions::answer(const std::string& key, const std::string& about, std::size_t option) {
  Prediction& said = said_[{key, about}];
  if (said.skipped) return;
  said.marked.reset();
  if (std::ranges::find(said.given, option) == said.given.end()) said.given.push_back(option);
}

void Predictions::skip(const std::string& key, const std::string& about) {
  Prediction& said = said_[{key, about}];
  said.marked.reset();
  said.skipped = true;
}

void Predictions::answer_any(const std::string& key, std::optional<std::size_t> option) {
  Prediction& said = said_[{key, ""}];
  said = {};
  if (option)
    said.given.push_back(*option);
  else
    said.skipped = true;
}

void Predictions::clear_scene(std::string_view scene) {
  const std::string prefix = fmt::format("{}.", scene);
  std::erase_if(said_, [&](const auto& one) { return one.first.first.starts_with(prefix); });
}

const Prediction* Predictions::find(const std::string& key, const std::string& about) const {
  auto at = said_.find({key, about});
  if (at == said_.end()) at = said_.find({key, ""});
  return at == said_.end() ? nullptr : &at->second;
}

bool Predictions::has_other(std::string_view key, std::string_view about) const {
  return std::ranges::any_of(said_, [&](const auto& one) {
    return one.first.first == key && one.first.second != about && (one.second.skipped || !one.second.given.empty());
  });
}

base::Result<GivenAnswer> parse_answer(std::string_view text) {
  const std::size_t equals = text.find('=');
  const std::string_view key = text.substr(0, equals);
  const std::string_view value = equals == std::string_view::npos ? "" : text.substr(equals + 1);
  const bool digit = value.size() == 1 && value[0] >= '1' && value[0] <= '9';
  const std::size_t point = key.find('.');
  if (point == std::string_view::npos || point == 0 || point + 1 == key.size() || !(digit || value == "skip"))
    return base::Error{
        fmt::format("{}: not an answer; write KEY=N, the number of an option, or KEY=skip, for example "
                    "schedulers.pick=2",
                    text)};
  std::optional<std::size_t> option;
  if (digit) option = static_cast<std::size_t>(value[0] - '1');
  return GivenAnswer{std::string(key), option};
}

std::optional<Predictions> answered(const std::optional<Question>& question, const Predictions& said) {
  if (!question || !question->asked()) return {};
  Predictions after = said;
  after.skip(question->key, question->about);
  return after;
}

std::size_t Score::count(Outcome outcome) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(outcomes_, [&](const auto& one) { return one.second == outcome; }));
}

std::string Score::text(const Narration& narration) const {
  if (outcomes_.empty()) return {};
  return narration.text("score", "text",
                        {{"first", std::to_string(count(Outcome::first_try))},
                         {"later", std::to_string(count(Outcome::later))},
                         {"shown", std::to_string(count(Outcome::shown))},
                         {"all", std::to_string(outcomes_.size())}});
}

}  // namespace warpwalk::story
