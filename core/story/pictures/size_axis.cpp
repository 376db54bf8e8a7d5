#include "core/story/pictures/size_axis.h"

#include <algorithm>
#include <cmath>

#include "core/story/elements/figure.h"

namespace warpwalk::story {

std::vector<std::pair<double, std::string>> even_size_ticks(double last, int most) {
  double apart = 1;
  while (last / apart >= most + 1) apart *= 2;
  std::vector<std::pair<double, std::string>> ticks;
  for (double at = 0; at <= last; at += apart) ticks.emplace_back(at, bytes_text(at));
  return ticks;
}

ScatterAxis size_axis(std::string label, double least, double most) {
  constexpr int most_steps = 5;
  const int low = static_cast<int>(std::floor(std::log2(std::max(least, 1.0))));
  const int high = std::max(low + 1, static_cast<int>(std::ceil(std::log2(std::max(most, 1.0)))));
  ScatterAxis axis{std::move(label), std::exp2(low), std::exp2(high), true, {}};
  const int step = (high - low + most_steps - 1) / most_steps;
  for (int power = low; power <= high; power += step)
    axis.ticks.emplace_back(std::exp2(power), bytes_text(std::exp2(power)));
  return axis;
}

}  // namespace warpwalk::story
