#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "core/story/elements/narration.h"

namespace warpwalk::story {

/// How a question of a walk or a lesson ended.
enum class Outcome : std::uint8_t {
  first_try,  ///< the first answer was right
  later,      ///< a later one was
  shown,      ///< the person went on without the right answer
};

/// How the questions ended. A question that is asked anew keeps its first outcome.
class Score {
 public:
  /// `question`: the file, the key and what the question is about.
  void add(const std::string& question, Outcome outcome) { outcomes_.emplace(question, outcome); }
  void clear() { outcomes_.clear(); }
  bool empty() const { return outcomes_.empty(); }
  std::size_t count(Outcome outcome) const;
  /// One sentence, from [score] of the narration; empty without a question.
  std::string text(const Narration& narration) const;
  friend bool operator==(const Score&, const Score&) = default;

 private:
  std::map<std::string, Outcome> outcomes_;
};

}  // namespace warpwalk::story
