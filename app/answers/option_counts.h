#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "app/answers/answer.h"

namespace warpwalk::answers {

/// How often each option of a question was the first answer. The wrong answers that follow know more.
struct OptionCounts {
  std::vector<std::size_t> options;  ///< by option
  std::size_t answered = 0;          ///< their sum
  std::size_t shown = 0;             ///< who asked for the answer without choosing
};

/// Counts the answers to a question about one thing of one walk. Options are counted by their place, since their words
/// differ in other languages. Rehearsals do not count.
OptionCounts count_options(const std::vector<Answer>& answers, std::string_view walk, std::string_view key,
                           std::string_view about, std::size_t options);

}  // namespace warpwalk::answers
