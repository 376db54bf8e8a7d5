#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/run/exercise/grade.h"

namespace warpwalk::run {

/// A grade that another call gave.
struct EarlierGrade {
  Grade grade;
  double host_seconds = 0;
};

/// The grades of calls that graded parts of a class (report_json()).
struct EarlierGrades {
  std::string exercise, gpu;
  std::uint64_t seed = 0;
  std::map<std::string, double, std::less<>> starter, starter_ptx;
  std::map<std::string, EarlierGrade, std::less<>> by_file;  ///< by the path of the submission, as it was given
};

/// Reads the reports of several calls. They must be of one exercise, one GPU and one seed. On failure: one line, which
/// names the file.
base::Result<EarlierGrades> read_grades(const std::vector<std::filesystem::path>& files);

}  // namespace warpwalk::run
