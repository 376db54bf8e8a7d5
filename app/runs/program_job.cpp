#include "app/runs/program_job.h"

#include <algorithm>
#include <fstream>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "core/platform/watched_program.h"
#include "core/run/kernel_lab/diagnostic.h"
#include "core/trace/read/read_trace.h"

namespace warpwalk::runs {
namespace {

constexpr std::size_t max_kept_bytes = std::size_t{1} << 18;  // of what a child prints

/// What a verb of this program printed on stderr, and how it ended.
struct VerbRun {
  std::string printed;
  platform::WatchedEnd end;
  bool good() const { return end.error.empty() && !end.cancelled && end.signal == 0 && end.exit_status == 0; }
};

VerbRun run_verb(const std::filesystem::path& program, std::vector<std::string> arguments,
                 const std::filesystem::path& temporary, const std::atomic<bool>& cancel) {
  VerbRun run;
  // Files that a killed child leaves behind are removed with the folder.
  const platform::WatchedCommand command = {program, std::move(arguments), {"TMPDIR=" + temporary.string()}};
  run.end = platform::run_watched(
      command,
      [&](std::string_view line) {
        if (run.printed.size() + line.size() < max_kept_bytes) run.printed.append(line).push_back('\n');
      },
      cancel);
  return run;
}

/// The last line that this program printed about a failure, without its name; empty if there is none.
std::string last_message(std::string_view printed) {
  constexpr std::string_view own = "warpwalk: ";
  std::string found;
  while (!printed.empty()) {
    const std::string_view line = printed.substr(0, printed.find('\n'));
    printed.remove_prefix(std::min(line.size() + 1, printed.size()));
    if (line.starts_with(own)) found = line.substr(own.size());
  }
  return found;
}

std::string without_folder(std::string text, const std::filesystem::path& folder) {
  const std::string prefix = folder.string() + "/";
  for (std::size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix, at))
    text.erase(at, prefix.size());
  return text;
}

}  // namespace

ProgramJob::~ProgramJob() {
  cancel();
  if (thread_.joinable()) thread_.join();
}

void ProgramJob::set_stage(std::string what) {
  const std::lock_guard lock(mutex_);
  what_ = std::move(what);
}

LabStage ProgramJob::stage() const {
  const std::lock_guard lock(mutex_);
  return {what_, {}, std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count()};
}

bool ProgramJob::compile() {
  const ProgramRequest& request = outcome_.request;
  if (built_ != nullptr && built_->source == request.source &&
      built_->compute_capability == request.compute_capability && built_->program.stem() == request.name)
    return true;
  set_stage("program.compile");
  built_.reset();
  auto built = std::make_unique<Built>();
  const std::filesystem::path& folder = built->folder.path();
  if (folder.empty()) {
    outcome_.error = "no temporary folder can be made";
    return false;
  }
  const std::string name = request.name + ".cu";
  std::ofstream(folder / name, std::ios::binary) << request.source;
  built->program = folder / request.name;
  std::error_code ignored;
  const std::filesystem::path includes = std::filesystem::absolute(request.folder, ignored);
  const VerbRun run = run_verb(program_,
                               {"compile", (folder / name).string(), "-o", built->program.string(), "--for",
                                request.compute_capability, "-I", includes.string()},
                               folder, cancel_);
  if (!run.good()) {
    const std::string printed = without_folder(run.printed, folder);
    outcome_.messages = run::parse_compiler_log(printed, name);
    const auto first = std::ranges::find_if(outcome_.messages, [](const auto& one) { return !one.warning; });
    outcome_.error = first != outcome_.messages.end() ? fmt::format("{}: {}", name, first->with_place())
                     : !run.end.error.empty()         ? run.end.error
                                                      : last_message(printed);
    if (outcome_.error.empty()) outcome_.error = fmt::format("{}: the compiler failed without a message", name);
    return false;
  }
  built->source = request.source;
  built->compute_capability = request.compute_capability;
  built_ = std::move(built);
  return true;
}

void ProgramJob::record() {
  set_stage("program.run");
  const ProgramRequest& request = outcome_.request;
  const platform::TemporaryFolder folder;
  const std::filesystem::path walk = folder.path() / "walk.json.gz";
  std::vector<std::string> arguments = {
      "record", "--on", "sim", "--gpu", request.gpu, "--threads", fmt::to_string(request.threads), "-o", walk.string()};
  if (request.launch > 0)
    arguments.insert(arguments.end(),
                     {"--inside", fmt::format("*:{}", request.launch), "--inside-limit", "1024", "--inside-whole"});
  arguments.insert(arguments.end(), {"--", built_->program.string()});
  const VerbRun run = run_verb(program_, std::move(arguments), folder.path(), cancel_);
  std::error_code ignored;
  if (!std::filesystem::exists(walk, ignored)) {
    outcome_.error =
        without_folder(run.end.error.empty() ? last_message(run.printed) : run.end.error, built_->folder.path());
    if (outcome_.error.empty())
      outcome_.error = fmt::format("{} ended without a recording", built_->program.filename().string());
    return;
  }
  trace::ReadOptions options;
  options.on_progress = [&](const trace::ReadProgress&) { return !cancel_; };
  const trace::ReadResult read = trace::read_trace(walk, options);
  if (cancel_) return;
  if (read.error) {
    outcome_.error = *read.error;
  } else if (request.launch == 0) {
    outcome_.launches = run::program_launches(read.trace);
    if (outcome_.launches.empty()) outcome_.error = fmt::format("{}.cu: launches no kernel", request.name);
  } else {
    auto draft = run::draft_of_launch(read.trace, request.name, request.source, request.launch);
    if (draft)
      outcome_.draft = *std::move(draft);
    else
      outcome_.error = fmt::format("launch {0} of {1}.cu: {2}; simulate {1}.cu --launch {0} runs it", request.launch,
                                   request.name, draft.error());
  }
}

void ProgramJob::work() {
  if (compile()) record();
  outcome_.cancelled = cancel_;
}

void ProgramJob::start(const std::filesystem::path& program, ProgramRequest request) {
  cancel_ = false;
  ended_ = false;
  program_ = program;
  outcome_ = {};
  outcome_.request = std::move(request);
  started_ = std::chrono::steady_clock::now();
  set_stage("program.compile");
  thread_ = std::thread([this] {
    work();
    ended_ = true;
  });
}

std::optional<ProgramOutcome> ProgramJob::poll() {
  if (!thread_.joinable() || !ended_) return {};
  thread_.join();
  return std::exchange(outcome_, {});
}

}  // namespace warpwalk::runs
