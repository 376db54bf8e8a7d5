#include "core/run/exercise/exercise_scale.h"

#include <algorithm>
#include <cmath>

namespace warpwalk::run {
namespace {

/// Of the width, if something is slower than accepted.
constexpr double slow_part = 0.3;

/// 0 at `from`, 1 at `to`, which is less.
double between(double from, double to, double cycles) {
  if (from <= to) return 1;
  return std::log(from / std::clamp(cycles, to, from)) / std::log(from / to);
}

std::optional<double> most_accepted(const Exercise& exercise,
                                    const std::map<std::string, double, std::less<>>& starter) {
  const auto criterion = std::ranges::find_if(exercise.criteria, [](const Criterion& one) {
    return one.figure == "cycles" && one.per.empty() && one.at_most.has_value();
  });
  if (criterion == exercise.criteria.end()) return {};
  if (!criterion->of_starter) return criterion->at_most;
  const auto base = starter.find("cycles");
  if (base == starter.end()) return {};
  return *criterion->at_most * base->second;
}

}  // namespace

double ExerciseScale::accepted_from() const { return accepted && slowest ? slow_part : 0; }

double ExerciseScale::share(double cycles) const {
  if (!accepted) return between(slowest.value_or(best), best, cycles);
  const double from = accepted_from();
  if (slowest && cycles > *accepted) return from * between(*slowest, *accepted, cycles);
  return from + (1 - from) * between(*accepted, best, cycles);
}

std::optional<ExerciseScale> exercise_scale(const Exercise& exercise,
                                            const std::map<std::string, double, std::less<>>& starter,
                                            bool starter_right, std::optional<double> own) {
  if (!exercise.best_cycles || *exercise.best_cycles <= 0) return {};
  ExerciseScale scale;
  scale.known_best = *exercise.best_cycles;
  scale.best = own && *own > 0 ? std::min(scale.known_best, *own) : scale.known_best;
  scale.accepted = most_accepted(exercise, starter);
  // A limit below the best known version would leave no room.
  if (scale.accepted) scale.accepted = std::max(*scale.accepted, scale.best);
  if (const auto cycles = starter.find("cycles"); cycles != starter.end() && starter_right)
    scale.starter = cycles->second;
  double slowest = scale.accepted.value_or(scale.best);
  for (const std::optional<double>& one : {scale.starter, own})
    if (one && *one > slowest) scale.slowest = slowest = *one;
  if (!scale.accepted && !scale.slowest) return {};
  return scale;
}

}  // namespace warpwalk::run
