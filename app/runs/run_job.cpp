#include "app/runs/run_job.h"

#include <chrono>
#include <new>
#include <utility>

#include "app/runs/run_child.h"

namespace warpwalk::runs {
namespace {

std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

RunOutcome run_here(const run::RunRequest& request, const std::filesystem::path& name, const story::Narration& words) {
  RunOutcome outcome;
  auto ran = run::run_expression(request);
  if (auto* const error = std::get_if<run::RunError>(&ran)) {
    outcome.summary = error->cancelled ? words.text("run", "cancelled") : error->line;
    outcome.place = std::move(error->place);
    return outcome;
  }
  auto& result = std::get<run::RunResult>(ran);
  outcome.summary = run_summary(words, request.expression, result.result, result.checks);
  outcome.values = first_values(result.result.dtype, result.result.sizes, result.bytes);
  outcome.checks = std::move(result.checks);
  trace::ReadResult read;
  read.trace = std::move(result.trace);
  outcome.document = unsaved_document(std::move(read), name);
  return outcome;
}

}  // namespace

RunJob::~RunJob() {
  cancel();
  if (thread_.joinable()) thread_.join();
}

void RunJob::set_stage(const std::string& what, std::optional<double> share) {
  const std::lock_guard lock(mutex_);
  what_ = what;
  share_ = share;
}

void RunJob::start(run::RunRequest request, const std::filesystem::path& name) {
  cancel_ = false;
  ended_ = false;
  set_stage({}, {});
  started_ = std::chrono::steady_clock::now();
  thread_ = std::thread([this, request = std::move(request), name]() mutable {
    request.cancel = &cancel_;
    request.now_ns = now_ns;
    request.progress = [this](const std::string& what, std::uint64_t done, std::uint64_t of) {
      set_stage(what, of == 0 ? std::optional<double>() : static_cast<double>(done) / static_cast<double>(of));
    };
    const auto stage = [this](const std::string& what) { set_stage(what, {}); };
    try {
      outcome_ = request.on == run::Target::cuda ? run_in_child(program_, request, name, words_, stage, cancel_)
                                                 : run_here(request, name, words_);
    } catch (const std::bad_alloc&) {
      outcome_ = {};
      outcome_.summary = words_.text("run", "no_memory");
    }
    ended_ = true;
  });
}

RunStage RunJob::stage() const {
  const std::lock_guard lock(mutex_);
  return {what_, share_, std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count()};
}

std::optional<RunOutcome> RunJob::poll() {
  if (!thread_.joinable() || !ended_) return {};
  thread_.join();
  return std::exchange(outcome_, {});
}

}  // namespace warpwalk::runs
