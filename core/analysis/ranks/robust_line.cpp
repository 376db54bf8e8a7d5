#include "core/analysis/ranks/robust_line.h"

#include <algorithm>
#include <cmath>

namespace warpwalk::analysis {
namespace {

constexpr double to_deviation = 1.4826;  // the median distance of a normal distribution to its standard deviation
constexpr double least_noise = 20;       // ns: times of a trace are not finer

double median_part(const std::vector<LinePoint>& points, std::size_t from, std::size_t to, double LinePoint::*part) {
  std::vector<double> values;
  values.reserve(to - from);
  for (std::size_t i = from; i < to; ++i) values.push_back(points[i].*part);
  return quantile_of(values, 0.5);
}

// Moves the middle of the residuals to 0 and gives their deviation.
double center_line(const std::vector<LinePoint>& points, RobustLine& line) {
  std::vector<double> residuals;
  residuals.reserve(points.size());
  for (const LinePoint& point : points) residuals.push_back(point.y - line.at(point.x));
  const double middle = quantile_of(residuals, 0.5);
  line.at_zero += middle;
  for (double& residual : residuals) residual = std::abs(residual - middle);
  return std::max(least_noise, to_deviation * quantile_of(residuals, 0.5));
}

void resistant_line(std::vector<LinePoint>& points, RobustLine& line, bool flat) {
  const std::size_t third = points.size() / 3;
  if (flat || third == 0) return;
  const auto by_x = [](const LinePoint& a, const LinePoint& b) { return a.x < b.x; };
  const auto at = [&](std::size_t i) { return points.begin() + static_cast<std::ptrdiff_t>(i); };
  std::nth_element(at(0), at(third), points.end(), by_x);
  std::nth_element(at(third), at(points.size() - third), points.end(), by_x);
  const std::size_t right = points.size() - third;
  const double width =
      median_part(points, right, points.size(), &LinePoint::x) - median_part(points, 0, third, &LinePoint::x);
  if (width <= 0) return;
  // A second pass removes what the points of a third have of the slope themselves.
  for (int pass = 0; pass < 2; ++pass) {
    std::vector<double> left_rest, right_rest;
    for (std::size_t i = 0; i < third; ++i) left_rest.push_back(points[i].y - line.at(points[i].x));
    for (std::size_t i = right; i < points.size(); ++i) right_rest.push_back(points[i].y - line.at(points[i].x));
    line.slope += (quantile_of(right_rest, 0.5) - quantile_of(left_rest, 0.5)) / width;
  }
}

// One pass of weighted least squares; points beyond 4.685 deviations count nothing (95 % efficiency).
void weighted_pass(const std::vector<LinePoint>& points, double noise, bool flat, RobustLine& line) {
  const double limit = 4.685 * noise;
  double weights = 0, x = 0, y = 0, xx = 0, xy = 0, squares = 0;
  const auto weight_of = [&](const LinePoint& point) {
    const double part = (point.y - line.at(point.x)) / limit;
    return std::abs(part) >= 1 ? 0.0 : (1 - part * part) * (1 - part * part);
  };
  for (const LinePoint& point : points) {
    const double weight = weight_of(point);
    weights += weight;
    x += weight * (point.x - line.middle);
    y += weight * (point.y - line.at(point.x));
  }
  if (weights <= 0) return;
  x /= weights;
  y /= weights;
  for (const LinePoint& point : points) {
    const double weight = weight_of(point), own = point.x - line.middle - x, rest = point.y - line.at(point.x) - y;
    xx += weight * own * own;
    xy += weight * own * rest;
    squares += weight * rest * rest;
  }
  const double turn = flat || xx <= 0 ? 0 : xy / xx;
  line.at_zero += y - turn * (line.middle + x);
  line.slope += turn;
  line.slope_error = xx <= 0 ? 0 : std::max(noise, std::sqrt(squares / weights)) / std::sqrt(xx);
}

}  // namespace

RobustLine robust_line(std::vector<LinePoint>& points, bool flat) {
  RobustLine line;
  line.points = points.size();
  if (points.empty()) return line;
  flat = flat || points.size() < least_slope_points;
  const auto [lowest, highest] = std::ranges::minmax_element(points, {}, &LinePoint::x);
  line.half_span = (highest->x - lowest->x) / 2;
  for (const LinePoint& point : points) line.middle += point.x / static_cast<double>(points.size());
  resistant_line(points, line, flat);
  constexpr int passes = 4;
  for (int pass = 0; pass < passes; ++pass) {
    line.noise = center_line(points, line);
    weighted_pass(points, line.noise, flat, line);
  }
  return line;
}

bool has_slope(const RobustLine& line) {
  return line.points >= least_slope_points && std::abs(line.slope) >= least_slope_errors * line.slope_error;
}

double quantile_of(std::vector<double>& values, double share) {
  if (values.empty()) return 0;
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1) + 0.5);
  std::ranges::nth_element(values, at);
  return *at;
}

}  // namespace warpwalk::analysis
