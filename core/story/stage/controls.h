#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpwalk::story {

/// The controls that the person set, by scene. A control that is not in it follows the trace. It is part of a stage's
/// input, like the moment: nothing is stored elsewhere.
class Controls {
 public:
  /// `name` is "scene.control", for example "sm.registers".
  void set(std::string_view name, double value) { values_.insert_or_assign(std::string(name), value); }
  void clear(std::string_view name) {
    if (const auto at = values_.find(name); at != values_.end()) values_.erase(at);
  }
  /// Removes all controls of one scene.
  void clear_scene(std::string_view scene);
  std::optional<double> get(std::string_view scene, std::string_view control) const;
  const std::map<std::string, double, std::less<>>& all() const { return values_; }
  friend bool operator==(const Controls&, const Controls&) = default;

 private:
  std::map<std::string, double, std::less<>> values_;
};

/// Parses "sm.registers=64" into a name and a value. On failure, returns a one-line message.
std::pair<std::pair<std::string, double>, std::optional<std::string>> parse_setting(std::string_view text);

/// One control of a stage, as the stage shows it.
struct Control {
  enum class Kind : unsigned char {
    slider,  ///< a number of `steps`
    choice,  ///< one of `words`; the value is its index
    hidden,  ///< set by pointing at the picture itself; not drawn as a control of its own
  };
  Kind kind = Kind::slider;
  std::string name;                ///< without the scene: "registers"
  std::string label;               ///< "Registers per thread"
  std::vector<double> steps;       ///< of a slider: its possible values, increasing
  std::vector<std::string> words;  ///< of a choice
  double value = 0;                ///< as set, or from the trace
  std::string shown;               ///< the value as a text: "64", "32 kB"
  bool set = false;                ///< the person set it; else it follows the trace
  std::string source;              ///< the source of a value that was not set: "as launched"
};

/// Whole numbers from `from` to `to` in steps of `by`; always includes `to`.
std::vector<double> steps_by(double from, double to, double by);
/// Powers of two and the values halfway between them: 1, 2, 3, 4, 6, 8 ... up to `to`; always includes `to`.
std::vector<double> steps_growing(double from, double to);
/// The steps with one more value among them, so that a value of the trace is never rounded.
std::vector<double> with_step(std::vector<double> steps, double value);
/// The index of the step that is closest to a value.
std::size_t step_at(const std::vector<double>& steps, double value);

}  // namespace warpwalk::story
