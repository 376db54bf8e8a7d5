#pragma once

#include <cstddef>
#include <vector>

namespace warpwalk::analysis {

/// A point: `y` at `x`, both in ns.
struct LinePoint {
  double x = 0, y = 0;
};

/// A line through points of which some are far off.
struct RobustLine {
  double at_zero = 0, slope = 0;
  double middle = 0;       ///< mean x of the points
  double noise = 0;        ///< standard deviation of the points around it, without those far off
  double slope_error = 0;  ///< standard error of the slope
  double half_span = 0;    ///< half of the distance of the lowest and the highest x
  std::size_t points = 0;

  double at(double x) const { return at_zero + slope * x; }
};

/// A slope is kept if there are at least this many points, and it is at least so many times its standard error.
constexpr std::size_t least_slope_points = 20;
constexpr double least_slope_errors = 1.5;

/// Fits by least squares with Tukey's biweight (Huber and Ronchetti, Robust Statistics, 2009, section 4.8), started
/// from medians of the outer thirds (Tukey's resistant line). Half of the points of each third may be wrong. With
/// `flat`, or fewer than least_slope_points points, the slope is 0. Reorders the points. Linear time.
RobustLine robust_line(std::vector<LinePoint>& points, bool flat = false);

/// Whether the slope is more than noise, by least_slope_errors.
bool has_slope(const RobustLine& line);

/// The value below which this share of values lies; 0 without values. Reorders them.
double quantile_of(std::vector<double>& values, double share);

}  // namespace warpwalk::analysis
