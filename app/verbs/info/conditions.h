#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/verbs/info/figures.h"
#include "core/base/result.h"

namespace warpwalk::verbs {

/// A figure that a condition can name.
struct NamedFigure {
  std::string name;                                          ///< "idle_pct"
  std::string meaning;                                       ///< one line
  std::function<std::optional<double>(InfoFigures&)> value;  ///< nullopt if the trace does not have it
  /// The value if the GPU worked wherever the trace may lack its work (IdleCause::unrecorded), or if what chance explains
  /// is no difference; empty if the figure depends on neither. A condition counts only if it holds for this value too.
  std::function<std::optional<double>(InfoFigures&)> at_best = {};
  /// Why a condition does not count then; empty: for that time.
  std::string_view doubt = {};
};
/// In the order of docs/verbs.md.
const std::vector<NamedFigure>& named_figures();

/// `info --fail-if`: a figure, an operator and a number, such as "idle_pct>20".
struct Condition {
  enum class Operator : unsigned char { more, at_least, less, at_most, equal, unequal };
  const NamedFigure* figure = nullptr;
  Operator op = Operator::more;
  double limit = 0;
  std::string text;  ///< as given

  bool holds(double value) const;
};

/// Spaces around the operator are allowed. An unknown name is an error that suggests the nearest.
base::Result<Condition> parse_condition(std::string_view text);

/// The line for a condition that holds: "idle_pct > 20: it is 43.2".
std::string condition_text(const Condition& condition, double value);
/// The line for one that holds only because of time of which the trace may lack work.
std::string doubtful_text(const Condition& condition, double value, double at_best);

}  // namespace warpwalk::verbs
