#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/draw/canvas.h"

namespace warpwalk::panels {

/// A value and when it was measured, in seconds; none where it was not told.
struct ChartPoint {
  double at = 0;
  std::optional<double> value;
};

/// The last stretch of a few curves over one scale. What is said of a value holds back to the point before it: NVML
/// tells of a period that has passed.
struct StripChart {
  struct Curve {
    ImU32 colour;
    std::vector<ChartPoint> points;  ///< oldest first
    bool filled = false;
  };
  std::vector<Curve> curves;
  double now = 0;               ///< of the newest sample, seconds
  double reach = 60;            ///< so many seconds are shown
  double top = 1;               ///< the value at the upper edge; the lower edge is 0
  std::string top_words;        ///< "100 %"
  std::optional<double> limit;  ///< drawn as a dashed line
  /// Nothing scrolls: the newest value takes the oldest one's place, at the mark.
  bool still = false;
};

constexpr float chart_gutter = 76;  ///< at the left of a chart, for its scale
void paint_chart(draw::Canvas& canvas, const draw::Box& box, const StripChart& chart);

}  // namespace warpwalk::panels
