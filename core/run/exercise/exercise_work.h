#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace warpwalk::run {

/// A source that a student ran, with its result.
struct PastAttempt {
  std::string time;  ///< "2026-11-28T10:15:00Z"
  bool passed = false;
  std::size_t criteria_passed = 0, criteria = 0;
  std::optional<double> cycles;  ///< of the timed launch; none if it was not reached
  std::string source;
};

/// What a student has done on an exercise, as it is kept between two starts.
struct ExerciseWork {
  std::string source;                 ///< as it is typed now; empty: the starter
  std::size_t hints = 0;              ///< that were asked for
  std::vector<PastAttempt> attempts;  ///< the latest one last

  /// Adds an attempt. Only the latest ones are kept.
  void add(PastAttempt attempt);
  bool solved() const;
  /// The fewest cycles of an attempt that passed.
  std::optional<double> best_cycles() const;
};

/// At most this many attempts of an exercise are kept.
inline constexpr std::size_t max_past_attempts = 100;

/// The text of its file (JSON).
std::string text_of(const ExerciseWork& work);
/// Reads it. On failure: one line.
base::Result<ExerciseWork> parse_exercise_work(std::string_view text);

/// The time now, "2026-11-28T10:15:00Z".
std::string time_now();

}  // namespace warpwalk::run
