#include "app/shell/run_job.h"

#include <algorithm>
#include <chrono>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "core/ops/geometry.h"

namespace warpwalk::shell {
namespace {

std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

std::string summary(const run::RunRequest& request, const run::RunResult& result) {
  const auto wrong =
      std::ranges::count_if(result.checks, [](const run::OpCheck& check) { return check.mismatches > 0; });
  const std::string checks = result.checks.empty() ? ""
                             : wrong == 0          ? std::string(", checked against the cpu")
                                          : fmt::format(", {} of {} checks FAILED", wrong, result.checks.size());
  return fmt::format("{}: {} {}{}", request.expression, ops::shape_text(result.result.sizes),
                     name_of(result.result.dtype), checks);
}

RunOutcome outcome_of(const run::RunRequest& request, const std::filesystem::path& name) {
  RunOutcome outcome;
  try {
    auto ran = run::run_expression(request);
    if (const auto* const error = std::get_if<run::RunError>(&ran)) {
      outcome.said = error->cancelled ? "the run was cancelled" : error->line;
      return outcome;
    }
    auto& result = std::get<run::RunResult>(ran);
    outcome.said = summary(request, result);
    outcome.checks = std::move(result.checks);
    auto document = std::make_shared<Document>();
    document->file = name;
    document->unsaved = true;
    document->read.trace = std::move(result.trace);
    document->outline = story::outline_of(document->trace());
    document->lanes = story::lanes_of(document->trace());
    outcome.document = std::move(document);
  } catch (const std::bad_alloc&) {
    outcome.said = "this machine has too little memory free for it; make the shapes smaller";
  }
  return outcome;
}

}  // namespace

RunJob::~RunJob() {
  cancel();
  if (thread_.joinable()) thread_.join();
}

void RunJob::start(run::RunRequest request, const std::filesystem::path& name) {
  cancel_ = false;
  ended_ = false;
  what_.clear();
  share_ = 0;
  thread_ = std::thread([this, request = std::move(request), name]() mutable {
    request.cancel = &cancel_;
    request.now_ns = now_ns;
    request.progress = [this](const std::string& what, std::uint64_t done, std::uint64_t of) {
      const std::lock_guard lock(mutex_);
      what_ = what;
      share_ = of == 0 ? 0 : static_cast<double>(done) / static_cast<double>(of);
    };
    outcome_ = outcome_of(request, name);
    ended_ = true;
  });
}

std::pair<std::string, double> RunJob::progress() const {
  const std::lock_guard lock(mutex_);
  return {what_, share_};
}

std::optional<RunOutcome> RunJob::poll() {
  if (!thread_.joinable() || !ended_) return {};
  thread_.join();
  return std::exchange(outcome_, {});
}

}  // namespace warpwalk::shell
