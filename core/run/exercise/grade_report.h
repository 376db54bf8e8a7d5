#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/run/exercise/attempt.h"
#include "core/run/exercise/grade.h"

namespace warpwalk::run {

/// An attempt with its grade.
struct GradedAttempt {
  Attempt attempt;
  Grade grade;
  double host_seconds = 0;
};

/// The grades of one exercise (docs/exercises.md).
struct GradeReport {
  const Exercise& exercise;
  std::string gpu;         ///< name of the simulated GPU
  std::uint64_t seed = 0;  ///< that the sizes and inputs were drawn with
  std::map<std::string, double, std::less<>> starter;
  std::vector<GradedAttempt> attempts;
};

/// A grade as a JSON object: verdicts with their reasons, and the figures of the timed launch.
std::string grade_json(const Grade& grade);

/// The whole report as JSON, as CSV with one row for each attempt, and as text.
std::string report_json(const GradeReport& report);
std::string report_csv(const GradeReport& report);
std::string report_text(const GradeReport& report);

}  // namespace warpwalk::run
