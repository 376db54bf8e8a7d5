#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/story/pictures/visit.h"

namespace warpwalk::story {

/// A level stretch of a step curve: `value` from `from` to `to`, both included.
struct ChartStep {
  double from = 0;
  double to = 0;
  double value = 0;

  template <class V>
  void visit(V& v) const {
    v.data(from, to, value);
  }
};

/// A place on a chart with a word beside it.
struct ChartMark {
  double at = 0;
  std::optional<double> value = 0;  ///< none while it is hidden
  std::string text;

  template <class V>
  void visit(V& v) const {
    v.data(at, value, text);
  }
};

/// One value against a setting that a person can change: a step curve over one axis, with the current setting on it.
struct ChartPicture {
  std::string label;  ///< the setting
  std::string tip;    ///< what the curve shows, at the pointer
  double from = 0;    ///< ends of the horizontal axis
  double to = 1;
  double top = 1;  ///< upper end of the vertical axis, which starts at 0
  std::vector<std::pair<double, std::string>> ticks;
  std::vector<std::pair<double, std::string>> levels;  ///< labels of the vertical axis
  std::vector<ChartStep> steps;
  ChartMark here;                      ///< the current setting
  std::optional<ChartMark> better;     ///< the nearest setting that gives more
  std::optional<ChartMark> reference;  ///< the recorded setting, if the person chose another one
  std::string control;                 ///< the control that a click or a drag sets, "sm.registers"; empty: none
  std::vector<double> stops;           ///< the values that the control can take

  template <class V>
  void visit(V& v) const {
    v.data(label, tip, from, to, top, ticks, levels, control, stops);
    v.each(steps);
    v.part(here);
    v.part(better);
    v.part(reference);
    v.line(label, ": ", here.text);
  }
};

}  // namespace warpwalk::story
