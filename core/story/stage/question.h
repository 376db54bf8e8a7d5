#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/story/elements/narration.h"

namespace warpwalk::story {

/// A question has at most so many options: a digit key chooses each.
constexpr std::size_t max_options = 9;

/// Names that pictures and panels set, as they set controls, when the person points at an option. The value is the
/// option's index.
constexpr std::string_view choose_control = "question.option";  ///< marks the option
constexpr std::string_view answer_control = "question.answer";  ///< commits to it

/// A question that a stage asks before it shows what happens. While it is asked, it does not hold the answer.
struct Question {
  enum class State : std::uint8_t {
    asked,     ///< the right option was not committed yet; the stage hides the answer
    answered,  ///< `chosen`, the right option, was committed; the stage shows the answer
    skipped,   ///< the person went on without the right answer; the stage shows it
  };
  State state = State::asked;
  std::string key;                    ///< "schedulers.pick"
  std::string about;                  ///< what it is about; a prediction holds for this alone
  std::string text;                   ///< "Which warp does the scheduler pick?"
  std::vector<std::string> options;   ///< 2 to max_options
  std::optional<std::size_t> chosen;  ///< the marked option, or the right answer
  std::vector<std::size_t> tried;     ///< the wrong answers so far, in their order
  std::optional<std::size_t> right;   ///< empty while it is asked
  std::string verdict;                ///< the last wrong answer, or the right one; empty before the first answer
  std::string why;                    ///< why that answer is wrong, or the right one right
  std::string hint;                   ///< how to answer; empty afterwards
  std::string word_answer;            ///< on the button that commits

  bool asked() const { return state == State::asked; }
  bool correct() const { return chosen && chosen == right; }
  bool was_tried(std::size_t option) const;
  friend bool operator==(const Question&, const Question&) = default;
};

/// The word of a state in reports: "asked", "answered", "skipped".
std::string_view name_of(Question::State state);

/// The person's answers to a question.
struct Prediction {
  std::optional<std::size_t> marked;  ///< the option that is chosen, but not committed
  std::vector<std::size_t> given;     ///< committed, in their order
  bool skipped = false;               ///< the answer was asked for
  friend bool operator==(const Prediction&, const Prediction&) = default;
};

/// The person's answers to the questions of all scenes. It is part of a stage's input, like Controls. It does not know
/// which options are right. An answer that was committed stays; after it, the person may give another one.
class Predictions {
 public:
  bool asking = false;  ///< questions are on

  /// Marks an option.
  void choose(const std::string& key, const std::string& about, std::size_t option);
  void answer(const std::string& key, const std::string& about, std::size_t option);
  void skip(const std::string& key, const std::string& about);
  /// An answer for any subject of the question; empty: skipped.
  void answer_any(const std::string& key, std::optional<std::size_t> option);
  /// Removes the answers to a scene's questions, so that it asks again.
  void clear_scene(std::string_view scene);
  void clear() { said_.clear(); }

  /// Null if the question was not answered.
  const Prediction* find(const std::string& key, const std::string& about) const;
  /// Whether the question was answered or skipped about something else.
  bool has_other(std::string_view key, std::string_view about) const;
  friend bool operator==(const Predictions&, const Predictions&) = default;

 private:
  std::map<std::pair<std::string, std::string>, Prediction> said_;  // by key and what it is about; "": anything
};

/// What the person has said once the answer to a stage's question is shown; none if the stage does not wait for one.
/// `said`: before that.
std::optional<Predictions> answered(const std::optional<Question>& question, const Predictions& said);

/// An answer that was given in advance, for any subject of its question.
struct GivenAnswer {
  std::string key;                    ///< of the question
  std::optional<std::size_t> option;  ///< its index; empty: skipped
};

/// Parses "schedulers.pick=2" (the second option) or "schedulers.pick=skip". On failure: one line.
base::Result<GivenAnswer> parse_answer(std::string_view text);

/// How the questions ended. A question that is asked anew keeps its first outcome.
class Score {
 public:
  /// How a question of a walk or a lesson ended.
  enum class Outcome : std::uint8_t {
    first_try,  ///< the first answer was right
    later,      ///< a later one was
    shown,      ///< the person went on without the right answer
  };
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
