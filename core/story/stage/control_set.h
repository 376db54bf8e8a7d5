#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// Makes the controls of a stage and reads what the person set, clamped to what each control allows. Labels come from
/// the narration under [SCENE.control], sources (where an unset value comes from) too.
class ControlSet {
 public:
  ControlSet(const SceneInput& input, std::string_view scene) : input_(input), scene_(scene) {}

  /// A slider over these values, which increase; returns the nearest one to what was set, or `fallback`, which becomes
  /// one of the values. `source`: key of the words for where the fallback comes from. `unit` follows the number;
  /// a size in "B", "KiB" or "MiB" is shown in the unit that fits it.
  std::int64_t slider(std::string_view name, std::vector<double> steps, std::int64_t fallback, std::string_view source,
                      std::string_view unit = "");
  /// One of these words; returns the number of the one that was set, or `fallback`. Without words there is no control.
  std::size_t choice(std::string_view name, std::vector<std::string> words, std::size_t fallback,
                     std::string_view source);
  /// A line of text of at most `max_bytes`; returns what was set, or `fallback`. The scene lists its text controls in
  /// its row of the registry (Scene::texts).
  std::string text(std::string_view name, std::string_view fallback, std::string_view source, std::size_t max_bytes);
  /// A value from 0 to `last` that is set by pointing at the picture.
  std::int64_t pointed(std::string_view name, std::int64_t last, std::int64_t fallback);

  /// The control that was added last, to complete it.
  Control& last() { return controls_.back(); }

  std::vector<Control> take() { return std::move(controls_); }

 private:
  const SceneInput& input_;
  std::string scene_;
  std::vector<Control> controls_;
};

/// Leaves the controls of these names, and those that are set by pointing.
void keep_controls(Stage& stage, const std::vector<std::string_view>& names);

}  // namespace warpwalk::story
