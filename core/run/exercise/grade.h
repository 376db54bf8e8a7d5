#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/run/exercise/exercise.h"
#include "core/run/exercise/exercise_launch.h"
#include "core/run/kernel_lab/run_draft.h"

namespace warpwalk::run {

/// Whether a submission meets one criterion, and why.
struct Verdict {
  std::string criterion;  ///< "compiles", "correct", "findings", "inputs", "block_order", or Criterion::name()
  bool passed = false;
  bool judged = true;      ///< false: it was not reached, because a criterion before it failed
  std::string reason;      ///< one or two sentences for a student
  std::uint32_t line = 0;  ///< of the source that the reason is about; 0: none
  std::string finding;     ///< of "findings", if it failed: what was found first, "shared_race"
  std::optional<double> value, limit;
  bool at_least = false;    ///< the limit is a lower one
  bool of_starter = false;  ///< value and limit are relative to the starter's figure
};

/// The result of a submission.
struct Grade {
  bool passed = false;
  bool cancelled = false;
  std::vector<Verdict> verdicts;
  std::vector<Diagnostic> messages;                    ///< at their lines: errors of the compiler, findings
  std::map<std::string, double, std::less<>> figures;  ///< of the timed launch; empty if it was not reached
  std::string compiler;                                ///< what ran: "sass sm_90 by NVRTC 13.0", "ptx"
  std::shared_ptr<const DraftRun> run;                 ///< the timed launch; null if it was not reached

  std::size_t passed_criteria() const;
};

struct GradeOptions {
  DraftOptions how;                              ///< its device, compiler, threads, cancellation and progress
  DraftLanguage language = DraftLanguage::cuda;  ///< of the submissions, of the starter and of the reference
  std::uint64_t seed = 0;  ///< of sizes and random inputs; 0: those of the exercise, and the lowest size of each range
};

/// Judges a criterion of the timed launch and gives its reason, at the line that costs the most: "Line 12 moves 32.0
/// sectors per request, where 4.0 would do: 88 % of the traffic is wasted."
Verdict judge(const Criterion& criterion, const Grade& grade,
              const std::map<std::string, double, std::less<>>& starter);

/// A submission whose launches take longer than this is stopped.
inline constexpr std::chrono::seconds submission_time{60};

/// Limits of an exercise's launches: smaller than those of the Kernel lab, since a grade is wanted within seconds.
DraftLimits exercise_limits();

/// Grades submissions of one exercise in one language, so that starter and submission are compared as the same compiler
/// makes them. The expected outputs and the starter's figures are computed once, for the seed
/// of the options.
class Grader {
 public:
  Grader(Exercise exercise, GradeOptions options);

  /// Runs the reference and the starter. On failure, returns one line: what is wrong with the exercise, or with this
  /// machine's compiler; "cancelled" if it was cancelled. Not called twice.
  base::Result<void> prepare();

  const Exercise& exercise() const { return exercise_; }
  const std::map<std::string, double, std::less<>>& starter_figures() const { return starter_; }

  /// Whether the starter computes the right results in each launch, without a finding and in any order of its blocks:
  /// then its figures are something to begin from. Runs its launches at the first call. After prepare(); not for
  /// several threads.
  bool starter_is_right();

  /// Grades a source after prepare(). Several threads may call it. `name` is that of its file.
  Grade grade(const std::string& source, const std::string& name) const;
  /// The grade of a submission that cannot be graded, with a sentence that says why: no criterion is met.
  Grade refuse(const std::string& reason) const;

 private:
  struct Test {
    SizeNumbers sizes;
    bool timed = false;
    std::vector<std::vector<std::uint8_t>> expected;  ///< by Exercise::outputs
  };

  DraftOptions own_options(CyclesChoice cycles) const;
  /// Compile and run a source of the exercise itself. On failure: one line with its file, or "cancelled".
  base::Result<CompiledModule> compile_own(const KernelDraft& draft, const DraftOptions& how) const;
  base::Result<std::shared_ptr<const DraftRun>> run_own(const CompiledModule& module, const KernelDraft& draft,
                                                        LaunchFile file, const DraftOptions& how) const;
  base::Result<void> compute_expected();
  base::Result<void> measure_starter();
  /// Whether buffers that the timed launch left have the expected outputs.
  bool has_expected(const std::vector<gpu::Buffer>& buffers, const DraftRun& run) const;

  Exercise exercise_;
  GradeOptions options_;
  std::vector<Test> tests_;
  std::map<std::string, double, std::less<>> starter_;
  bool starter_matches_ = true;  ///< its timed launch left the expected outputs
  std::optional<bool> starter_right_;

  friend class Submission;
};

}  // namespace warpwalk::run
