#include "app/runs/lab_job.h"

#include <new>
#include <utility>
#include <variant>

namespace warpwalk::runs {

LabJob::~LabJob() {
  cancel();
  if (thread_.joinable()) thread_.join();
}

void LabJob::set_stage(std::string_view what, std::uint64_t done, std::uint64_t of) {
  const std::lock_guard lock(mutex_);
  what_ = what;
  share_ = of == 0 ? std::optional<double>() : static_cast<double>(done) / static_cast<double>(of);
}

LabOutcome LabJob::work(const Task& task, const run::DraftOptions& options) const {
  LabOutcome outcome{task.version, task.draft, check_, false, {}, nullptr};
  const auto fail = [&](run::DraftFailure& failure) {
    outcome.cancelled = failure.cancelled;
    outcome.messages = std::move(failure.messages);
  };
  try {
    if (check_) {
      auto compiled = run::compile_draft(task.draft, options);
      if (auto* const failure = std::get_if<run::DraftFailure>(&compiled))
        fail(*failure);
      else
        outcome.messages = std::move(std::get<run::CompiledDraft>(compiled).warnings);
      return outcome;
    }
    auto ran = run::run_draft(task.draft, options);
    if (auto* const failure = std::get_if<run::DraftFailure>(&ran)) {
      fail(*failure);
    } else {
      outcome.run = std::move(std::get<0>(ran));
      outcome.messages = outcome.run->warnings;
    }
  } catch (const std::bad_alloc&) {
    outcome.messages = {{run::Diagnostic::Text::launch, 0, 0, "this machine has not enough memory for it", false}};
  }
  return outcome;
}

void LabJob::start(std::vector<Task> tasks, run::DraftOptions options, bool check) {
  cancel_ = false;
  ended_ = false;
  check_ = check;
  outcomes_.clear();
  set_stage("", 0, 0);
  started_ = std::chrono::steady_clock::now();
  thread_ = std::thread([this, tasks = std::move(tasks), options = std::move(options)]() mutable {
    options.cancel = &cancel_;
    options.progress = [this](std::string_view what, std::uint64_t done, std::uint64_t of) {
      set_stage(what, done, of);
    };
    for (const Task& task : tasks) {
      outcomes_.push_back(work(task, options));
      if (cancel_) break;
    }
    ended_ = true;
  });
}

LabStage LabJob::stage() const {
  const std::lock_guard lock(mutex_);
  return {what_, share_, std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count()};
}

std::optional<std::vector<LabOutcome>> LabJob::poll() {
  if (!thread_.joinable() || !ended_) return {};
  thread_.join();
  return std::exchange(outcomes_, {});
}

}  // namespace warpwalk::runs
