#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/result.h"

namespace warpwalk::story {

/// The setting of a control: the value of a slider or a choice, or the text of a text control.
using Setting = std::variant<double, std::string>;

/// The controls that the person set, by scene. A control that is not in it follows the trace. It is part of a stage's
/// input, like the moment: nothing is stored elsewhere.
class Controls {
 public:
  /// `name` is "scene.control", for example "sm.registers".
  void set(std::string_view name, double value) { set(name, Setting(value)); }
  void set(std::string_view name, Setting setting) { values_.insert_or_assign(std::string(name), std::move(setting)); }
  void clear(std::string_view name) {
    if (const auto at = values_.find(name); at != values_.end()) values_.erase(at);
  }
  /// Removes all controls of one scene.
  void clear_scene(std::string_view scene);
  /// The number that a control is set to; none if it is not set, or set to a text.
  std::optional<double> get(std::string_view scene, std::string_view control) const;
  /// The text that a control is set to; none if it is not set, or set to a number.
  std::optional<std::string> get_text(std::string_view scene, std::string_view control) const;
  const std::map<std::string, Setting, std::less<>>& all() const { return values_; }
  friend bool operator==(const Controls&, const Controls&) = default;

 private:
  const Setting* find(std::string_view scene, std::string_view control) const;

  std::map<std::string, Setting, std::less<>> values_;
};

/// A control of a scene that holds a text. All others hold numbers.
struct TextControl {
  std::string_view name;      ///< without the scene: "expression"
  std::size_t max_bytes = 0;  ///< of the text, UTF-8
};

/// The error in a text for a text control: too long, not UTF-8, or not one line of printable characters. None if
/// it is right.
std::optional<std::string> text_fault(std::string_view text, std::size_t max_bytes);

/// A control's name and what it is set to.
struct NamedSetting {
  std::string name;  ///< "sm.registers"
  Setting value;
  friend bool operator==(const NamedSetting&, const NamedSetting&) = default;
};

/// Parses "sm.registers=64", or of a text control "SCENE.CONTROL=TEXT". `text_control`: finds the text control of
/// this name; null for any other control. On failure: one line.
base::Result<NamedSetting> parse_setting(std::string_view text,
                                         const TextControl* (*text_control)(std::string_view name));
/// The inverse: "sm.registers=64".
std::string setting_text(std::string_view name, const Setting& setting);

/// One control of a stage, as the stage shows it.
struct Control {
  enum class Kind : unsigned char {
    slider,  ///< a number of `steps`
    choice,  ///< one of `words`; the value is its index
    text,    ///< one line that is typed: `shown`
    hidden,  ///< set by pointing at the picture itself; not drawn as a control of its own
  };
  Kind kind = Kind::slider;
  std::string name;                ///< without the scene: "registers"
  std::string label;               ///< "Registers per thread"
  std::vector<double> steps;       ///< of a slider: its possible values, increasing
  std::vector<std::string> words;  ///< of a choice
  double value = 0;                ///< as set, or from the trace
  std::string shown;               ///< the value as a text: "64", "32 KiB"; of a text control, the text
  std::size_t max_bytes = 0;       ///< of a text control: the longest text
  /// Of a text control: the bytes of the text that could not be read; they are marked. Empty: none.
  std::size_t fault = 0, fault_bytes = 0;
  bool set = false;    ///< the person set it; else it follows the trace
  std::string source;  ///< the source of a value that was not set: "as launched"
  /// Controls of the same scene that are reset when this one is set.
  std::vector<std::string> resets;
  bool stepped = false;  ///< the keys that go through time go through the values of this one
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
