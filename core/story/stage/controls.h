#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpwalk::story {

/// What the person set, scene by scene. What is not in it is as the trace says. Part of the input of a stage, like the
/// moment: nothing is remembered elsewhere.
class Controls {
 public:
  /// `name` is "scene.control", for example "sm.registers".
  void set(std::string_view name, double value) { values_.insert_or_assign(std::string(name), value); }
  void clear(std::string_view name) {
    if (const auto at = values_.find(name); at != values_.end()) values_.erase(at);
  }
  /// Forgets all of one scene.
  void clear_scene(std::string_view scene);
  std::optional<double> get(std::string_view scene, std::string_view control) const;
  const std::map<std::string, double, std::less<>>& all() const { return values_; }
  friend bool operator==(const Controls&, const Controls&) = default;

 private:
  std::map<std::string, double, std::less<>> values_;
};

/// "sm.registers=64" as a name and a value. On failure: one line.
std::pair<std::pair<std::string, double>, std::optional<std::string>> parse_setting(std::string_view text);

/// One thing that the person can set on a stage, as the stage shows it.
struct Control {
  enum class Kind : unsigned char {
    slider,  ///< a number of `steps`
    choice,  ///< one of `words`; the value is its index
    hidden,  ///< set by pointing at the picture itself; not drawn as a control of its own
  };
  Kind kind = Kind::slider;
  std::string name;                ///< without the scene: "registers"
  std::string label;               ///< "Registers a thread"
  std::vector<double> steps;       ///< of a slider: the values it can take, increasing
  std::vector<std::string> words;  ///< of a choice
  double value = 0;                ///< as set, or as the trace says
  std::string shown;               ///< the value in words: "64", "32 kB"
  bool set = false;                ///< the person set it; else it follows the trace
  std::string source;              ///< where the value comes from where it is not set: "as launched"
};

/// Whole numbers from `from` to `to`, `by` apart; `to` itself always.
std::vector<double> steps_by(double from, double to, double by);
/// Powers of two and, between them, their three halves: 1, 2, 3, 4, 6, 8 ... up to `to`, and `to` itself.
std::vector<double> steps_growing(double from, double to);
/// The steps with one more among them, so that what a trace says is never rounded.
std::vector<double> with_step(std::vector<double> steps, double value);
/// The index of the step next to a value.
std::size_t step_at(const std::vector<double>& steps, double value);

}  // namespace warpwalk::story
