#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/draw/canvas.h"

namespace warpwalk::pages {

/// A value and when it was measured, in seconds; none if it is unavailable.
struct ChartPoint {
  double at = 0;
  std::optional<double> value;
};

/// The last stretch of a few curves over one scale. A value holds from the previous point on, because NVML reports on
/// a period that has passed.
struct StripChart {
  struct Curve {
    ImU32 colour;
    std::vector<ChartPoint> points;  ///< oldest first
    bool filled = false;
  };
  std::vector<Curve> curves;
  double now = 0;               ///< time of the newest sample, seconds
  double reach = 60;            ///< seconds that are shown
  double top = 1;               ///< the value at the upper edge; the lower edge is 0
  std::string top_words;        ///< "100 %"
  std::optional<double> limit;  ///< drawn as a dashed line
  /// Nothing scrolls: at the mark the newest value replaces the oldest one.
  bool still = false;
};

constexpr float chart_gutter = 76;  ///< at the left of a chart, for its scale
void paint_chart(draw::Canvas& canvas, const draw::Box& box, const StripChart& chart);

}  // namespace warpwalk::pages
