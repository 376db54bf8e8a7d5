#pragma once

#include <map>
#include <optional>
#include <string>

#include "core/run/exercise/exercise.h"

namespace warpwalk::run {

/// The cycles on which "your place" stands: from the worst that is accepted to the best known version. What is slower
/// than accepted has a part of its own before that.
struct ExerciseScale {
  std::optional<double> slowest;   ///< at the left end, if anything is slower than accepted: the starter or the own one
  std::optional<double> starter;   ///< a starter whose results are right
  std::optional<double> accepted;  ///< the most cycles that the exercise accepts; none: it has no such criterion
  double best = 0;                 ///< at the right end: the best known, or the own one if that is faster
  double known_best = 0;

  /// Where cycles are: 0 at the left end, 1 at the right one. Logarithmic in each part.
  double share(double cycles) const;
  /// Of the part of what is accepted: its left end.
  double accepted_from() const;
};

/// The scale for a submission of so many cycles. `starter_right`: the starter computes the right results; one that does
/// not may be faster than any right kernel, and is no mark. Nullopt if nothing but the best known version is there to
/// compare with, or not even that.
std::optional<ExerciseScale> exercise_scale(const Exercise& exercise,
                                            const std::map<std::string, double, std::less<>>& starter,
                                            bool starter_right, std::optional<double> own);

}  // namespace warpwalk::run
