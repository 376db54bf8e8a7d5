#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/answers/answer.h"

namespace warpwalk::answers {

/// The first attempts at one question about one thing of one walk.
struct QuestionSummary {
  std::string walk, scene, key, about, question;
  std::string right;         ///< the right answer's words
  std::size_t asked = 0;     ///< answered or skipped
  std::size_t answered = 0;  ///< with an option
  std::size_t correct = 0;
  std::string most_common_wrong = {};  ///< empty: every answer was right
  std::size_t most_common_wrong_count = 0;
  double median_seconds = 0;  ///< of the answered ones; 0: none

  struct Option {
    std::string words;
    std::size_t count = 0;
  };
  std::vector<Option> options = {};  ///< all of them, in their order
  struct Day {
    std::string date;  ///< "2026-11-23"; empty: without a time
    std::size_t answered = 0, correct = 0;
  };
  std::vector<Day> days = {};  ///< on which it was answered, ascending
};

/// Questions in the order in which they appear. Later attempts do not count: their answer was known.
std::vector<QuestionSummary> summarise(const std::vector<Answer>& answers);

/// The first attempts of one student.
struct StudentSummary {
  std::string student;  ///< empty: answers without a name
  std::size_t asked = 0, answered = 0, correct = 0;
};
/// Students by name.
std::vector<StudentSummary> summarise_students(const std::vector<Answer>& answers);

}  // namespace warpwalk::answers
