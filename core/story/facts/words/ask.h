#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// Options of a question, and which of them is right.
struct Options {
  std::vector<std::string> words;
  std::size_t right = 0;
  /// For each option the key of the reason why it is wrong. Without a text of that key, `low` is the reason of an
  /// option before the right one, and `high` of one after it.
  std::vector<std::string> keys = {};
  std::vector<Narration::Values> values = {};  ///< for each option, for its reason; may be empty
};

/// Numbers of things: the usual ones, ascending. If the right one is not among them, its neighbours are, so that it
/// does not stand out. `thing` is a key of [count]: "sector". The keys of reasons are "n1", "n2" ...; the value
/// {number} is the number.
Options number_options(const Narration& narration, std::string_view thing, std::int64_t right,
                       const std::vector<std::int64_t>& usual);
/// Ranges between the bounds, which increase: "under 5 %", "5 to 25 %", "25 % or more". `unit` follows the numbers.
/// The keys of reasons are "first", "last" and, between them, "low" and "high"; the value {bound} is the bound of the
/// range that is nearer to the right number.
Options range_options(const Narration& narration, double right, const std::vector<std::int64_t>& bounds,
                      std::string_view unit);

/// A question of a scene at a beat. Its words are [SCENE.ask.KEY] of the narration: `question`, `sentence` (what may be
/// known beforehand), `why` (after the answer), and perhaps `note` (for the speaker, before the answer). The reasons
/// why options are wrong are in [SCENE.wrong.KEY]; the value {answer} is the option.
struct Ask {
  std::string key;                      ///< "pick"
  std::string about;                    ///< what is asked about: "sm 0 cycle 177"
  Options options;                      ///< from the trace or the simulation
  std::vector<std::string_view> facts;  ///< keys of the facts that may be seen before the answer
  /// Puts a picture of its own on the stage, which may be seen before the answer; null: the beat's picture stays, and
  /// `hide` takes from it what gives the answer. A picture of the plane stays as it is: it was made for the question.
  std::function<void(Stage&)> before = {};
  Narration::Values values = {};  ///< for its words, besides those of the scene
  /// Hides the parts of the beat's picture that give the answer; null: all values (hide_values).
  std::function<void(Panels&)> hide = {};
};

/// Completes a question that has its key, its subject and its options: adds the person's answers, the right option and
/// the verdict, or, before the right answer, the hint how to answer.
void take_answer(const Narration& narration, const Predictions& said, std::size_t right, Question& question);

/// Adds the question to a complete stage, if questions are on. Before the answer, everything that is not allowed
/// explicitly is taken off the stage: title, sentence, note, facts, controls, and the values in the picture.
void ask(const SceneInput& input, const Narration::Values& values, const Ask& asked, Stage& stage);

}  // namespace warpwalk::story
