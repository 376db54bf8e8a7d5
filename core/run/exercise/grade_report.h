#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/run/exercise/attempt.h"
#include "core/run/exercise/grade.h"
#include "core/run/exercise/roster.h"

namespace warpwalk::run {

/// An attempt with its grade.
struct GradedAttempt {
  Attempt attempt;
  Grade grade;
  double host_seconds = 0;
  std::vector<std::string> same_as;  ///< students whose code differs in names, layout and comments alone (same_code.h)
};

/// The grades of one exercise (docs/exercises.md).
struct GradeReport {
  const Exercise& exercise;
  std::string gpu;                                     ///< name of the simulated GPU
  std::uint64_t seed = 0;                              ///< that the sizes and inputs were drawn with
  std::map<std::string, double, std::less<>> starter;  ///< figures of the starter in CUDA C++
  std::vector<GradedAttempt> attempts;
  double points = 100;     ///< for all criteria
  std::string assignment;  ///< its name in Canvas' gradebook; empty: the exercise's title
  std::map<std::string, double, std::less<>> starter_ptx = {};  ///< of the starter in PTX, for submissions in PTX
};

/// The points of a grade: the share of the criteria that are met.
double points_of(const GradeReport& report, const Grade& grade);

/// A grade as a JSON object: verdicts with their reasons, and the figures of the timed launch.
std::string grade_json(const Grade& grade);

/// The whole report as JSON, as CSV with one row for each attempt, and as text.
std::string report_json(const GradeReport& report);
std::string report_csv(const GradeReport& report);
std::string report_text(const GradeReport& report);
/// A table for import: Moodle's grading worksheet ("Upload grading worksheet"), and Canvas' gradebook. Students who
/// have handed in nothing have no grade. `roster`: has what the platform wants besides; may be empty.
std::string report_moodle(const GradeReport& report, const std::vector<RosterRow>& roster);
std::string report_canvas(const GradeReport& report, const std::vector<RosterRow>& roster);
/// What a student is told: the points, and each criterion with its reason.
std::string feedback_text(const GradeReport& report, const GradedAttempt& graded);
/// A name for the file with it, as the student's platform takes it back ("Jane
/// Doe_4711_assignfeedback_file_feedback.txt" for Moodle, the submission's for Canvas), else after the student.
std::string feedback_name(const GradedAttempt& graded);

}  // namespace warpwalk::run
