#include "app/verbs/common/load.h"

#include <chrono>
#include <cstdio>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include "app/verbs/common/standard_input.h"
#include "app/verbs/common/terminal.h"
#include "core/platform/blocked_signals.h"
#include "core/run/launch/program_file.h"
#include "core/trace/read/read_trace.h"

namespace warpwalk::verbs {
namespace {

using LoadClock = std::chrono::steady_clock;

/// The line on a terminal that shows how far reading has come.
class ReadingLine {
 public:
  explicit ReadingLine(std::string name) : name_(std::move(name)) {}
  ~ReadingLine() {
    if (any_) fmt::print(stderr, "\r\x1b[K");
  }
  ReadingLine(const ReadingLine&) = delete;
  ReadingLine& operator=(const ReadingLine&) = delete;

  void show(const trace::ReadProgress& progress) {
    const LoadClock::time_point now = LoadClock::now();
    if (now - shown_ <= std::chrono::milliseconds(200)) return;
    shown_ = now;
    any_ = true;
    const double share = progress.bytes_total == 0 ? 0
                                                   : 100.0 * static_cast<double>(progress.bytes_read) /
                                                         static_cast<double>(progress.bytes_total);
    fmt::print(stderr, "\rreading {}: {:.0f} %, {} events, Ctrl-C stops ", name_, share, progress.events);
    std::fflush(stderr);
  }

 private:
  std::string name_;
  LoadClock::time_point shown_ = LoadClock::now();
  bool any_ = false;
};

/// Messages name the file from which stdin was read; a person knows it as stdin.
void name_stdin(trace::ReadResult& result, const std::string& file) {
  const auto rename = [&](std::string& text) {
    if (const std::size_t at = text.find(file); at != std::string::npos) text.replace(at, file.size(), "stdin");
  };
  if (result.error) rename(*result.error);
  for (trace::Problem& problem : result.problems.rows()) rename(problem.message);
}

trace::ReadResult read_stdin(trace::ReadOptions options) {
  // The copy is removed, too, if a signal ends the program: it arrives once `signals` is destroyed.
  platform::BlockedSignals signals;
  const StandardInput input;
  trace::ReadResult result;
  constexpr std::uint64_t longest = std::uint64_t{64} << 30;
  if (const auto copied = input.copy(longest, [&] { return signals.stop_requested(); }); !copied) {
    result.error = copied.error();
    return result;
  }
  options.on_progress = [&signals, show = options.on_progress](const trace::ReadProgress& progress) {
    return (!show || show(progress)) && !signals.stop_requested();
  };
  result = trace::read_trace(input.file(), options);
  name_stdin(result, input.file().string());
  return result;
}

}  // namespace

LoadedTrace load(const std::filesystem::path& file, std::uint64_t memory_cap_bytes) {
  LoadedTrace loaded;
  loaded.file = file;
  if (auto program = run::program_file(file)) {
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored)) {
      loaded.result.error = *std::move(program);
      return loaded;
    }
  }
  trace::ReadOptions options;
  if (memory_cap_bytes != 0) options.memory_cap_bytes = memory_cap_bytes;
  ReadingLine line(terminal_line(shown_name(file.filename())));
  if (isatty(STDERR_FILENO) != 0)
    options.on_progress = [&](const trace::ReadProgress& progress) {
      line.show(progress);
      return true;
    };
  const LoadClock::time_point begin = LoadClock::now();
  loaded.result = file == "-" ? read_stdin(options) : trace::read_trace(file, options);
  loaded.seconds = std::chrono::duration<double>(LoadClock::now() - begin).count();
  return loaded;
}

std::string shown_name(const std::filesystem::path& file) { return file == "-" ? "stdin" : file.string(); }

std::vector<std::string> lost_data(const std::filesystem::path& file, const trace::ReadResult& result) {
  std::vector<std::string> lines;
  for (const trace::Problem& problem : result.problems.rows())
    if (trace::loses_data(problem.kind))
      lines.push_back(fmt::format("{}: {} ({}): {}", shown_name(file.filename()), trace::name_of(problem.kind),
                                  problem.count, problem.message));
  return lines;
}

std::uint64_t peak_memory_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
#ifdef __APPLE__
  return static_cast<std::uint64_t>(usage.ru_maxrss);
#else
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;  // Linux counts in kB
#endif
}

}  // namespace warpwalk::verbs
