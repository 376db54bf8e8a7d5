#include "app/runs/grade_job.h"

#include <new>
#include <utility>

namespace warpwalk::runs {

GradeJob::~GradeJob() {
  cancel();
  if (thread_.joinable()) thread_.join();
}

void GradeJob::set_stage(std::string_view what, std::uint64_t done, std::uint64_t of) {
  const std::lock_guard lock(mutex_);
  what_ = what;
  share_ = of == 0 ? std::optional<double>() : static_cast<double>(done) / static_cast<double>(of);
}

void GradeJob::work(const run::Exercise& exercise, const run::GradeOptions& options) {
  try {
    const bool known = grader_ && grader_->exercise().folder == exercise.folder && device_ == options.how.device.id &&
                       language_ == options.language;
    if (!known) {
      grader_ = std::make_unique<run::Grader>(exercise, options);
      device_ = options.how.device.id;
      language_ = options.language;
      if (const auto ready = grader_->prepare(); !ready) {
        grader_.reset();
        outcome_.grade.cancelled = cancel_;
        if (!cancel_) outcome_.error = ready.error();
        return;
      }
    }
    outcome_.grade = grader_->grade(outcome_.source, "submission");
    outcome_.starter = grader_->starter_figures();
    if (outcome_.grade.figures.contains("cycles") && !outcome_.grade.cancelled)
      outcome_.starter_right = outcome_.starter.contains("cycles") && grader_->starter_is_right();
  } catch (const std::bad_alloc&) {
    outcome_.error = "this machine has not enough memory for it";
  }
}

void GradeJob::start(const run::Exercise& exercise, std::string source, run::GradeOptions options) {
  cancel_ = false;
  ended_ = false;
  outcome_ = {exercise.name, std::move(source), {}, {}, false, {}};
  set_stage("", 0, 0);
  started_ = std::chrono::steady_clock::now();
  options.language = run::language_of(outcome_.source);
  // The grader keeps these options for later sources.
  options.how.cancel = &cancel_;
  options.how.progress = [this](std::string_view what, std::uint64_t done, std::uint64_t of) {
    set_stage(what, done, of);
  };
  thread_ = std::thread([this, exercise, options = std::move(options)] {
    work(exercise, options);
    ended_ = true;
  });
}

LabStage GradeJob::stage() const {
  const std::lock_guard lock(mutex_);
  return {what_, share_, std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count()};
}

std::optional<GradeOutcome> GradeJob::poll() {
  if (!thread_.joinable() || !ended_) return {};
  thread_.join();
  return std::exchange(outcome_, {});
}

}  // namespace warpwalk::runs
