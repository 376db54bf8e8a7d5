#include "app/runs/run_child.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/runs/run_report.h"
#include "core/ops/expression/error.h"
#include "core/ops/tensor/geometry.h"
#include "core/platform/temporary_folder.h"
#include "core/platform/watched_program.h"
#include "core/trace/read/read_trace.h"

namespace warpwalk::runs {
namespace {

constexpr std::string_view progress_begin = "progress: ", refusal_begin = "warpwalk: ", place_begin = "--on cuda: ";
constexpr std::size_t max_lines = 64;  // the last lines of its stderr that are kept
constexpr int bad_input = 2;           // exit status; 1 means a walk with a failed check

std::vector<std::string> arguments_of(const run::RunRequest& request, const std::filesystem::path& walk,
                                      const std::filesystem::path& report) {
  std::vector<std::string> arguments = {"run", "--on", "cuda", "--seed", fmt::format("{}", request.seed)};
  for (const ops::Variable& input : request.inputs) {
    arguments.insert(arguments.end(), {"--shape", fmt::format("{}={}", input.name, ops::shape_text(input.sizes))});
    arguments.insert(arguments.end(), {"--dtype", fmt::format("{}={}", input.name, name_of(input.dtype))});
  }
  if (request.gradients) arguments.emplace_back("--gradients");
  if (request.placement) arguments.emplace_back("--placement");
  if (request.autocast) arguments.insert(arguments.end(), {"--autocast", std::string(name_of(*request.autocast))});
  arguments.insert(arguments.end(), {"--progress", "--json", report.string(), "-o", walk.string()});
  arguments.insert(arguments.end(), {"--", request.expression});  // it may begin with a minus
  return arguments;
}

// Reads the error line of the run verb.
RunOutcome refusal(const std::string& expression, const std::vector<std::string>& lines) {
  RunOutcome outcome;
  const auto summary =
      std::ranges::find_if(lines, [](const std::string& line) { return line.starts_with(refusal_begin); });
  if (summary == lines.end()) return outcome;
  outcome.summary = summary->substr(refusal_begin.size());
  if (outcome.summary.starts_with(place_begin)) outcome.summary.erase(0, place_begin.size());
  outcome.place = ops::read_error_line(outcome.summary, expression);
  if (outcome.place) outcome.summary = outcome.place->message;
  return outcome;
}

std::string failure_text(const story::Narration& words, const platform::WatchedEnd& end,
                         const std::vector<std::string>& lines) {
  std::string text =
      end.signal != 0
          ? words.text("run", "cuda.signal", {{"signal", fmt::format("{} ({})", end.signal, strsignal(end.signal))}})
          : words.text("run", "cuda.status", {{"status", fmt::format("{}", end.exit_status)}});
  const auto last = std::find_if(lines.rbegin(), lines.rend(), [](const std::string& line) { return !line.empty(); });
  if (last != lines.rend()) text += ": " + *last;
  return text;
}

// Reads the walk and the report that the child wrote.
RunOutcome read_outcome(const run::RunRequest& request, const std::filesystem::path& walk,
                        const std::filesystem::path& report, const std::filesystem::path& name,
                        const story::Narration& words, const std::atomic<bool>& cancel) {
  RunOutcome outcome;
  trace::ReadOptions options;
  options.on_progress = [&](const trace::ReadProgress&) { return !cancel; };
  trace::ReadResult read = trace::read_trace(walk, options);
  if (cancel) {
    outcome.summary = words.text("run", "cancelled");
    return outcome;
  }
  if (read.error) {
    std::string_view why = *read.error;
    if (const std::string file = walk.string() + ": "; why.starts_with(file)) why.remove_prefix(file.size());
    outcome.summary = words.text("run", "cuda.unreadable", {{"reason", std::string(why)}});
    return outcome;
  }
  outcome.summary = words.text("run", "cuda.no_report", {{"expression", request.expression}});
  if (auto read_report = read_run_report(report)) {
    outcome.summary = run_summary(words, request.expression, read_report->result, read_report->checks);
    outcome.values = first_values(read_report->result.sizes, read_report->first);
    outcome.checks = std::move(read_report->checks);
  }
  outcome.document = unsaved_document(std::move(read), name);
  return outcome;
}

}  // namespace

RunOutcome run_in_child(const std::filesystem::path& program, const run::RunRequest& request,
                        const std::filesystem::path& name, const story::Narration& words,
                        const std::function<void(const std::string&)>& stage, const std::atomic<bool>& cancel) {
  RunOutcome outcome;
  const platform::TemporaryFolder folder;
  if (folder.path().empty()) {
    outcome.summary = words.text("run", "cuda.no_folder");
    return outcome;
  }
  const std::filesystem::path walk = folder.path() / "walk.json.gz", report = folder.path() / "report.json";
  // Files that a killed child leaves behind are removed with the folder.
  const platform::WatchedCommand command = {
      program, arguments_of(request, walk, report), {"TMPDIR=" + folder.path().string()}};
  std::vector<std::string> lines;
  const auto take = [&](std::string_view line) {
    if (line.starts_with(progress_begin)) {
      stage(std::string(line.substr(progress_begin.size())));
      return;
    }
    if (lines.size() == max_lines) lines.erase(lines.begin());
    lines.emplace_back(line);
  };
  const platform::WatchedEnd end = platform::run_watched(command, take, cancel);
  if (end.cancelled) {
    outcome.summary = words.text("run", "cancelled");
  } else if (!end.error.empty()) {
    outcome.summary = words.text("run", "cuda.not_started", {{"reason", end.error}});
  } else if (std::error_code error; end.signal == 0 && end.exit_status < bad_input && exists(walk, error)) {
    return read_outcome(request, walk, report, name, words, cancel);
  } else {
    if (end.signal == 0 && end.exit_status == bad_input) outcome = refusal(request.expression, lines);
    if (outcome.summary.empty()) outcome.summary = failure_text(words, end, lines);
  }
  return outcome;
}

}  // namespace warpwalk::runs
