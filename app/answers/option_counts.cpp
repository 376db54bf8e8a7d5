#include "app/answers/option_counts.h"

namespace warpwalk::answers {

OptionCounts count_options(const std::vector<Answer>& answers, std::string_view walk, std::string_view key,
                           std::string_view about, std::size_t options) {
  OptionCounts counts;
  counts.options.resize(options);
  for (const Answer& answer : answers) {
    if (answer.rehearsal || answer.attempt != 1 || answer.walk != walk || answer.key != key || answer.about != about)
      continue;
    if (answer.options.size() != options) continue;  // of a version that asked something else
    if (!answer.chosen) {
      ++counts.shown;
      continue;
    }
    ++counts.options[*answer.chosen];
    ++counts.answered;
  }
  return counts;
}

}  // namespace warpwalk::answers
