#pragma once

// This folder has exercises: a kernel to repair or to speed up, its launches and criteria, and the grades of
// submissions with their reasons (docs/exercises.md). Compiling and running is that of core/run/kernel_lab.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/run/exercise/size_expression.h"
#include "core/run/kernel_lab/draft.h"
#include "core/run/launch/compare.h"

namespace warpwalk::run {

/// A size of a launch: one of low, low + step, ... up to high. Each grading draws one by its seed, so that a submission
/// cannot be made for one size.
struct SizeRange {
  std::string name;
  double low = 0, high = 0, step = 1;
  bool whole = true;
};
using SizeSpec = std::vector<SizeRange>;

/// What a figure of the timed launch has to be.
struct Criterion {
  std::string figure;       ///< a name in exercise_figures()
  std::string per;          ///< divided by this figure; empty: not divided
  bool of_starter = false;  ///< relative to the starter's figure in the same run
  std::optional<double> at_most, at_least;

  /// "cycles", "global_load_sectors/global_load_requests".
  std::string name() const { return per.empty() ? figure : figure + "/" + per; }
};

/// A buffer that the kernel has to fill.
struct ExerciseOutput {
  std::string buffer;
  Tolerance tolerance;
};

struct Exercise {
  std::filesystem::path folder;
  std::string name;  ///< of its folder
  int order = 0;     ///< its place in the course
  std::string title;
  std::vector<std::string> task, hints;  ///< paragraphs
  std::string kernel;                    ///< plain name of the kernel
  std::string launch;                    ///< the template of its launches (JSON), with expressions for numbers
  std::vector<ExerciseOutput> outputs;
  std::vector<SizeSpec> sizes;  ///< of the launches that only check results
  std::vector<SizeSpec>
      hidden;      ///< of those that a graded submission has to pass besides; the window does not run them
  SizeSpec timed;  ///< of the launch whose figures are judged
  std::vector<Criterion> criteria;
  std::optional<double> best_cycles;    ///< of the best known version, on a simulated H200, as nvcc's machine code
  std::optional<double> best_measured;  ///< of the same, on an H100
  std::string look;                     ///< the scene or lab that explains the idea, "lab/bank-conflicts"; may be empty
  std::string starter, reference;       ///< CUDA C++
  std::string starter_ptx, reference_ptx;  ///< the same as PTX, which needs no compiler; empty: there is none

  bool has_ptx() const { return !starter_ptx.empty() && !reference_ptx.empty(); }
  const std::string& starter_in(DraftLanguage language) const {
    return language == DraftLanguage::ptx ? starter_ptx : starter;
  }
  const std::string& reference_in(DraftLanguage language) const {
    return language == DraftLanguage::ptx ? reference_ptx : reference;
  }
};

/// The language of a submission: PTX if its first directive is `.version`, else CUDA C++.
DraftLanguage language_of(std::string_view source);

/// The figures that a criterion can name.
const std::vector<std::string_view>& exercise_figures();

/// Reads a folder with exercise.json, starter.cu and reference.cu, and perhaps both as .ptx. On failure, returns a
/// one-line error: the file, the position in it, the problem and the expected value.
base::Result<Exercise> open_exercise(const std::filesystem::path& folder);

/// The exercises of assets/exercises, in the order of the course. A folder that cannot be read is left out, with a line
/// in `errors`.
std::vector<Exercise> shipped_exercises(const std::filesystem::path& assets, std::vector<std::string>& errors);

/// The path of an exercise: of a folder, or by the name of a shipped one. On failure, lists the names.
base::Result<std::filesystem::path> find_exercise(const std::filesystem::path& assets, const std::string& name);

}  // namespace warpwalk::run
