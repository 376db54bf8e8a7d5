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
};

/// Numbers of things: the usual ones, ascending. If the right one is not among them, its neighbours are, so that it
/// does not stand out. `thing` is a key of [count]: "sector".
Options number_options(const Narration& narration, std::string_view thing, std::int64_t right,
                       const std::vector<std::int64_t>& usual);
/// Ranges between the bounds, which increase: "under 5 %", "5 to 25 %", "25 % or more". `unit` follows the numbers.
Options range_options(const Narration& narration, double right, const std::vector<std::int64_t>& bounds,
                      std::string_view unit);

/// A question of a scene at a beat. Its words are [SCENE.ask.KEY] of the narration: `question`, `sentence` (what may be
/// known beforehand), `why` (after the answer), and perhaps `note` (for the speaker, before the answer).
struct Ask {
  std::string key;                      ///< "pick"
  std::string about;                    ///< what is asked about: "sm 0 cycle 177"
  Options options;                      ///< from the trace or the simulation
  std::vector<std::string_view> facts;  ///< keys of the facts that may be seen before the answer
  /// Puts the picture on the stage that may be seen before the answer; null: none.
  std::function<void(Stage&)> before = {};
  Narration::Values values = {};  ///< for its words, besides those of the scene
};

/// Completes a question that has its key, its subject and its options: adds the person's answer, the right option and
/// the verdict, or, before an answer, the hint how to answer.
void take_answer(const Narration& narration, const Predictions& said, std::size_t right, Question& question);

/// Adds the question to a complete stage, if questions are on. Before the answer, everything that is not allowed
/// explicitly is taken off the stage: title, sentence, note, facts, picture and controls.
void ask(const SceneInput& input, const Narration::Values& values, const Ask& asked, Stage& stage);

}  // namespace warpwalk::story
