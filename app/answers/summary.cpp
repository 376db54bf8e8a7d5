#include "app/answers/summary.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace warpwalk::answers {
namespace {

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

struct Collected {
  QuestionSummary summary;
  std::map<std::string, std::size_t> wrong;  // by answer
  std::vector<double> seconds;
  std::map<std::string, QuestionSummary::Day> days;
};

// The option of these words, added if the question had others when it was asked first.
QuestionSummary::Option& option_of(QuestionSummary& summary, const std::string& words) {
  const auto found = std::ranges::find(summary.options, words, &QuestionSummary::Option::words);
  return found != summary.options.end() ? *found : summary.options.emplace_back(QuestionSummary::Option{words});
}

}  // namespace

std::vector<QuestionSummary> summarise(const std::vector<Answer>& answers) {
  std::vector<Collected> all;
  // The words are part of the identity: files of different languages stay apart.
  std::map<std::tuple<std::string, std::string, std::string, std::string>, std::size_t> places;
  for (const Answer& answer : answers) {
    if (answer.attempt != 1) continue;
    const auto [at, is_new] =
        places.emplace(std::tuple(answer.walk, answer.key, answer.about, answer.question), all.size());
    if (is_new)
      all.push_back(
          {{answer.walk, answer.scene, answer.key, answer.about, answer.question, answer.options[answer.right]},
           {},
           {},
           {}});
    Collected& one = all[at->second];
    ++one.summary.asked;
    for (const std::string& words : answer.options) option_of(one.summary, words);
    if (!answer.chosen) continue;
    ++one.summary.answered;
    one.seconds.push_back(answer.seconds);
    ++option_of(one.summary, answer.options[*answer.chosen]).count;
    constexpr std::size_t date = 10;  // letters of "2026-11-23T05:20:11Z"
    QuestionSummary::Day& day = one.days[answer.time.substr(0, date)];
    day.date = answer.time.substr(0, date);
    ++day.answered;
    day.correct += answer.correct();
    if (answer.correct())
      ++one.summary.correct;
    else
      ++one.wrong[answer.options[*answer.chosen]];
  }
  std::vector<QuestionSummary> summaries;
  for (Collected& one : all) {
    for (const auto& [words, count] : one.wrong)
      if (count > one.summary.most_common_wrong_count) {
        one.summary.most_common_wrong = words;
        one.summary.most_common_wrong_count = count;
      }
    one.summary.median_seconds = median(std::move(one.seconds));
    for (auto& [date, day] : one.days) one.summary.days.push_back(std::move(day));
    summaries.push_back(std::move(one.summary));
  }
  return summaries;
}

std::vector<StudentSummary> summarise_students(const std::vector<Answer>& answers) {
  std::map<std::string, StudentSummary> by_name;
  for (const Answer& answer : answers) {
    if (answer.attempt != 1) continue;
    StudentSummary& one = by_name[answer.student];
    one.student = answer.student;
    ++one.asked;
    one.answered += answer.chosen.has_value();
    one.correct += answer.correct();
  }
  std::vector<StudentSummary> all;
  for (auto& [name, one] : by_name) all.push_back(std::move(one));
  return all;
}

}  // namespace warpwalk::answers
